public import HandoverCore
import HandoverTrace

/// A fresh client with the settings of a trace, told of the trace's events one by one.
struct ReplayedClient {
  private(set) var core: ClientCore
  private let endpointCount: Int
  private let monitorsReachability: Bool
  private var hasHeardOfReachability = false
  private var clock: ClientClock

  /// Makes the client of a trace.
  init(_ recorded: RecordedTrace) {
    // The reader knows every profile that a trace can name.
    let policy = (Profile.named(recorded.header.profile) ?? .sockets).policy
    clock = ClientClock(recorded.script.configuration.clock)
    core = ClientCore(
      PoolConfiguration(
        recorded.script.configuration, policy: policy,
        defects: Defects(recorded.header.defects)))
    var last = -1
    for call in recorded.script.calls {
      let host = recorded.script.hosts[call.host].name
      last = max(last, Int(core.register(ChannelKey(host: host, options: call.options)).index))
    }
    // Interceptors may have sent calls to hosts, or with options, that none of them named.
    let usual = recorded.script.calls.first?.options ?? ChannelOptions()
    var changed = recorded.trace.changedOptions[...]
    for (endpoint, host) in recorded.trace.endpointHosts.enumerated().dropFirst(last + 1)
    where host < recorded.script.hosts.count {
      let isChanged = changed.first.map { $0.endpoint == endpoint } ?? false
      let options = isChanged ? changed.removeFirst().options : usual
      let name = recorded.script.hosts[Int(host)].name
      last = max(last, Int(core.register(ChannelKey(host: name, options: options)).index))
    }
    endpointCount = last + 1
    monitorsReachability = policy.monitorsReachability
  }

  /// Tells the client of an event.
  ///
  /// - Returns: its orders; nil where the event cannot be told to this client.
  mutating func handle(_ event: ClientCore.Event, at now: Instant) -> [ClientEffect]? {
    guard refusal(of: event) == nil else { return nil }
    if case .reachability = event { hasHeardOfReachability = true }
    var effects = EffectLog<ClientEffect>()
    core.step(clock.translated(event), at: clock.reading(at: now), into: &effects)
    return effects.elements
  }

  /// Takes in what the device does: the client's clock may stop while it sleeps.
  mutating func take(_ fact: WorldFact, at now: Instant) {
    switch fact {
    case .deviceSlept: clock.sleep(at: now)
    case .deviceWoke: clock.wake(at: now)
    default: break
    }
  }

  /// Why an event cannot be told to this client; nil where it can.
  func refusal(of event: ClientCore.Event) -> String? {
    switch event {
    case .reachability(.initialRead):
      return monitorsReachability && hasHeardOfReachability
        ? "the initial read comes first, and once" : nil
    case .pool(.callStarted(let call, let endpoint, _)):
      guard endpoint.index < endpointCount else { return unknown(endpoint) }
      let next = core.nextCallID
      return call == next
        ? nil : "the next call is \(next.index)/\(next.generation), and no other can start"
    case .pool(.disconnectRequested(let endpoint)):
      return endpoint.index < endpointCount ? nil : unknown(endpoint)
    case .reachability, .pool:
      return nil
    }
  }

  private func unknown(_ endpoint: EndpointID) -> String {
    "there is no pooled channel \(endpoint.index), only \(endpointCount)"
  }
}

/// Replays the events of a trace through a fresh client and compares its orders.
public enum TraceReplay {
  /// What came of a replay.
  public enum Outcome: Hashable, Sendable {
    /// The client gave the recorded orders, at so many events.
    case equal(events: Int)
    /// The client does something else.
    case differs(Difference)
  }

  /// The first event at which the client does something else.
  public struct Difference: Hashable, Sendable {
    /// The place of the event among the records, counted from zero; nil where an order was recorded
    /// before any event.
    public var event: Int?
    /// The place of the first record that differs, or before which an order is missing; the number
    /// of records where it is missing at the end.
    public var record: Int
    /// Whether an order is missing before the record.
    public var isMissing = false
    /// What the client does now at the event.
    public var computed: [ClientEffect]
    /// Why the event cannot be told to the client; nil where it can.
    public var refusal: String?

    /// The record to look at, counted from 1.
    public var step: Int { isMissing ? max(1, record) : record + 1 }
  }

  /// Why a trace cannot be replayed.
  public enum Obstacle: Hashable, Sendable {
    /// Its client is another one than the built-in one.
    case otherClient
    /// It is of requests: it holds what became of them, and not what their dispatcher was told.
    case requests
  }

  /// Why a trace cannot be replayed; nil where it can.
  public static func obstacle(to recorded: RecordedTrace) -> Obstacle? {
    guard RunDescription.builtInClients.contains(recorded.header.backend) else {
      return .otherClient
    }
    return recorded.isOfRequests ? .requests : nil
  }

  /// Replays a trace.
  public static func run(_ recorded: RecordedTrace) -> Outcome {
    let records = recorded.trace.records
    var client = ReplayedClient(recorded)
    var events = 0
    var event: Int?
    var computed: [ClientEffect] = []
    var matched = 0
    for (index, record) in records.enumerated() {
      switch record.body {
      case .world(let fact): client.take(fact, at: record.at)
      case .chain, .request: break
      case .effect(let effect):
        guard matched < computed.count, computed[matched] == effect else {
          return .differs(Difference(event: event, record: index, computed: computed))
        }
        matched += 1
      case .event(let fact):
        guard matched == computed.count else {
          return .differs(
            Difference(event: event, record: index, isMissing: true, computed: computed))
        }
        if let refusal = client.refusal(of: fact) {
          return .differs(
            Difference(event: index, record: index, computed: [], refusal: refusal))
        }
        computed = client.handle(fact, at: record.at) ?? []
        (event, matched, events) = (index, 0, events + 1)
      }
    }
    if matched == computed.count { return .equal(events: events) }
    // What a trace without an end does not have was cut off with it.
    guard recorded.hasEnd else { return .equal(events: events - 1) }
    return .differs(
      Difference(event: event, record: records.count, isMissing: true, computed: computed))
  }
}

extension RecordedTrace {
  /// Whether it comes to the end of its run; one that was cut off between two lines is read like
  /// any other.
  var hasEnd: Bool {
    trace.records.contains { record in
      if case .world(.runEnded) = record.body { true } else { false }
    }
  }
}
