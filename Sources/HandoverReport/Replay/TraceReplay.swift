package import HandoverCore

/// A new client with the settings of a trace, which receives the trace's events one by one.
struct ReplayedClient {
  private(set) var core: ClientCore
  private let endpointCount: Int
  private let monitorsReachability: Bool
  private var hasReceivedReachability = false
  private var clock: ClientClock

  /// Creates the client of a trace.
  init(_ recorded: RecordedTrace, altering change: (inout PoolConfiguration) -> Void) {
    // The trace reader has checked that the profile is known.
    let policy = (Profile.named(recorded.header.profile) ?? .sockets).policy
    clock = ClientClock(recorded.script.configuration.clock)
    var settings = PoolConfiguration(recorded.script.configuration, policy: policy)
    change(&settings)
    core = ClientCore(settings)
    var last = -1
    for call in recorded.script.calls {
      let host = recorded.script.hosts[call.host].name
      last = max(last, Int(core.register(ChannelKey(host: host, options: call.options)).index))
    }
    // Interceptors may have sent calls to hosts, or with options, that no call of the script uses.
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

  /// Sends an event to the client.
  ///
  /// - Returns: the effects, or `nil` if this client cannot receive the event.
  mutating func handle(_ event: ClientCore.Event, at now: Instant) -> [ClientEffect]? {
    guard refusal(of: event) == nil else { return nil }
    if case .reachability = event { hasReceivedReachability = true }
    var effects = EffectLog<ClientEffect>()
    core.stepDecorated(clock.translated(event), at: clock.reading(at: now), into: &effects)
    return effects.elements
  }

  /// Applies a change of the device's power state, because the client's clock may stop during
  /// sleep.
  mutating func take(_ fact: WorldFact, at now: Instant) {
    switch fact {
    case .deviceSlept: clock.sleep(at: now)
    case .deviceWoke: clock.wake(at: now)
    default: break
    }
  }

  /// Returns the reason why this client cannot receive an event, or `nil` if it can.
  func refusal(of event: ClientCore.Event) -> String? {
    switch event {
    case .reachability(.initialRead):
      return monitorsReachability && hasReceivedReachability
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

/// Replays the events of a trace with a new client and compares the effects.
package enum TraceReplay {
  /// The outcome of a replay.
  package enum Outcome: Hashable, Sendable {
    /// The client produced the recorded effects for this number of events.
    case equal(events: Int)
    /// The client behaves differently.
    case differs(Difference)
  }

  /// The first event for which the client behaves differently.
  package struct Difference: Hashable, Sendable {
    /// The index of the event among the records, from zero.
    ///
    /// It is `nil` if an effect was recorded before any event.
    package var event: Int?
    /// The index of the first record that differs, or before which an effect is missing.
    ///
    /// It is the number of records if the effect is missing at the end.
    package var record: Int
    /// Whether an effect is missing before the record.
    package var isMissing = false
    /// The effects that the client now produces for the event.
    package var computed: [ClientEffect]
    /// The reason why the client cannot receive the event, or `nil` if it can.
    package var refusal: String?

    /// The number of the record to inspect, counted from 1.
    package var step: Int { isMissing ? max(1, record) : record + 1 }
  }

  /// A reason why a trace cannot be replayed.
  package enum Obstacle: Hashable, Sendable {
    /// The trace is not from the built-in client.
    case otherClient
    /// The trace is about requests: it has their outcomes, but not the inputs of their dispatcher.
    case requests
  }

  /// Returns the reason why a trace cannot be replayed, or `nil` if it can.
  package static func obstacle(to recorded: RecordedTrace) -> Obstacle? {
    guard RunDescription.builtInClients.contains(recorded.header.backend) else {
      return .otherClient
    }
    return switch recorded.work {
    case .calls: nil
    case .requests: .requests
    }
  }

  /// Replays a trace.
  ///
  /// - Parameters:
  ///   - recorded: the trace.
  ///   - change: a closure that changes the settings of the client, if the recorded client had
  ///     injected bugs.
  /// - Returns: the outcome.
  package static func run(
    _ recorded: RecordedTrace, altering change: (inout PoolConfiguration) -> Void = { _ in }
  ) -> Outcome {
    let records = recorded.trace.records
    var client = ReplayedClient(recorded, altering: change)
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
    // In a truncated trace, the missing effects were cut off together with the end.
    guard recorded.hasEnd else { return .equal(events: events - 1) }
    return .differs(
      Difference(event: event, record: records.count, isMissing: true, computed: computed))
  }
}

extension RecordedTrace {
  /// Whether the trace contains the end of its run.
  ///
  /// A trace that was truncated between two lines can be read like any other, but has no end.
  var hasEnd: Bool {
    trace.records.contains { record in
      if case .world(.runEnded) = record.body { true } else { false }
    }
  }
}
