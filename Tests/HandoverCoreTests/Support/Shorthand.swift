import HandoverExploration

@testable import HandoverCore

extension Instant {
  static func seconds(_ count: Int64) -> Instant { .zero + .seconds(count) }
  static func milliseconds(_ count: Int64) -> Instant { .zero + .milliseconds(count) }

  /// The last instant before this one.
  var justBefore: Instant { Instant(microseconds: microseconds - 1) }
}

// Identifiers as the pool creates them: the first owner of a slot has generation 0, and the first
// channel of an endpoint has generation 1.

func call(_ index: UInt32, _ generation: UInt32 = 0) -> CallID {
  CallID(index: index, generation: generation)
}

func connection(_ index: UInt32, _ generation: UInt32 = 0) -> ConnectionID {
  ConnectionID(index: index, generation: generation)
}

func endpoint(_ index: UInt32) -> EndpointID {
  EndpointID(index: index)
}

func channel(_ index: UInt32 = 0, _ generation: UInt32 = 1) -> ChannelID {
  ChannelID(endpoint: endpoint(index), generation: generation)
}

extension ReachabilityFlags {
  static let none: ReachabilityFlags = []
  static let wifi: ReachabilityFlags = [.reachable]
  static let cellular: ReachabilityFlags = [.reachable, .isWWAN]
}

extension BackoffConfiguration {
  /// The documented numbers, with exact delays.
  static let withoutJitter = BackoffConfiguration(jitter: Ratio(0, outOf: 1))
}

/// A client, the time of its last event, and two registered endpoints.
struct Rig: Hashable {
  private(set) var core: ClientCore
  private(set) var now = Instant.zero

  init(
    _ profile: Profile = .socketsMonitor, backoff: BackoffConfiguration = .withoutJitter,
    keepalive: KeepaliveConfiguration? = nil, defects: [Defect] = []
  ) {
    var configuration = PoolConfiguration(
      policy: profile.policy, backoff: backoff, keepalive: keepalive)
    for defect in defects { configuration.inject(defect) }
    self.init(configuration)
  }

  init(_ configuration: PoolConfiguration) {
    core = ClientCore(configuration)
    for host in ["a.example", "b.example"] {
      _ = core.register(ChannelKey(host: HostName(host), options: ChannelOptions()))
    }
  }

  /// Sends an event to the client and returns the effects.
  @discardableResult
  mutating func send(_ event: ClientCore.Event, at instant: Instant? = nil) -> [ClientEffect] {
    now = instant ?? now
    var effects = EffectLog<ClientEffect>()
    core.stepDecorated(event, at: now, into: &effects)
    return effects.elements
  }

  @discardableResult
  mutating func send(_ event: ChannelPool.Event, at instant: Instant? = nil) -> [ClientEffect] {
    send(.pool(event), at: instant)
  }

  @discardableResult
  mutating func callback(_ flags: ReachabilityFlags, at instant: Instant? = nil) -> [ClientEffect] {
    send(.reachability(.callback(flags)), at: instant)
  }

  /// Advances the time; due deadlines fire.
  @discardableResult
  mutating func wait(until instant: Instant) -> [ClientEffect] {
    send(.timeElapsed, at: instant)
  }

  /// Starts the next call.
  @discardableResult
  mutating func start(
    on index: UInt32 = 0, _ settings: CallSettings = CallSettings(), at instant: Instant? = nil
  ) -> [ClientEffect] {
    send(.callStarted(core.nextCallID, endpoint(index), settings), at: instant)
  }

  /// Returns a copy of the rig after `prepare`.
  func after(_ prepare: (inout Rig) -> Void) -> Rig {
    var copy = self
    prepare(&copy)
    return copy
  }
}
