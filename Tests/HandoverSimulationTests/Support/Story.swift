import HandoverBackend
import HandoverCore
import HandoverSimulation
import Testing

extension Instant {
  static func milliseconds(_ count: Int64) -> Instant { .zero + .milliseconds(count) }
}

extension ReachabilityFlags {
  static let none: ReachabilityFlags = []
  static let wifi: ReachabilityFlags = [.reachable]
  static let cellular: ReachabilityFlags = [.reachable, .isWWAN]
}

extension ScriptAction {
  /// Returns a change of flags without paths and links.
  static func flags(_ flags: ReachabilityFlags, path: PathIndex? = nil) -> ScriptAction {
    .flags(flags, path: path, linksUp: [], linksDown: [])
  }
}

/// A script as a sequence of timed actions; instants are in milliseconds.
struct Story {
  private(set) var script = Script()
  static let hotspot = PathIndex(2)

  /// Creates a device on WiFi and two hosts that accept immediately, with exact delays and a TCP
  /// timeout of 10 s.
  init(flags: ReachabilityFlags = .wifi, connect: Interval = .zero) {
    script.initial.flags = flags
    script.paths.append("hotspot")
    script.hosts = ["a.example", "b.example"].map { ScriptHost(written: $0, connect: connect) }
    script.configuration.backoff.jitter = Ratio(0, outOf: 1)
    script.configuration.tcpTimeout = .seconds(10)
  }

  /// Returns the story with changed settings.
  func with(_ change: (inout Script) -> Void) -> Story {
    var story = self
    change(&story.script)
    return story
  }

  /// Returns the story with another action.
  func at(_ milliseconds: Int64, _ action: ScriptAction) -> Story {
    with { $0.entries.append(ScriptEntry(at: .milliseconds(milliseconds), action: action)) }
  }

  /// Returns the story with the start of a call.
  ///
  /// Without `takes` the call does not end by itself.
  func call(
    at milliseconds: Int64 = 0, _ kind: CallKind = .streaming, host: Int = 0,
    takes: Interval? = nil, every: Interval? = nil, deadline: Interval? = nil,
    failFast: Bool = false, token: Interval? = nil
  ) -> Story {
    let index = script.calls.count
    let story = with {
      $0.calls.append(
        ScriptCall(
          id: "call-\(index)", host: host, kind: kind, takes: takes, every: every,
          deadline: deadline, failFast: failFast, tokenDelay: token))
    }
    return story.at(milliseconds, .startCall(index))
  }

  /// Returns the story with the start of a unary call that takes no time.
  func unary(at milliseconds: Int64, host: Int = 0, deadline: Interval? = nil) -> Story {
    call(at: milliseconds, .unary, host: host, takes: .zero, deadline: deadline)
  }

  /// Runs the story as the engine does: all entries of an instant, then their consequences.
  func played(
    on profile: Profile = .sockets, until limit: Int64 = 100_000,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Played {
    let session = try SimulatedBackend().makeSession()
    var trace = Trace()
    try session.open(script, profile: profile, into: &trace)
    var instant = Instant.zero
    for (index, entry) in script.entries.enumerated() {
      if entry.at > instant { try session.advance(before: entry.at, into: &trace) }
      instant = entry.at
      try session.play(index, into: &trace)
    }
    _ = try session.runUntilIdle(through: .milliseconds(limit), into: &trace)
    let closing = trace.records.count
    let leaks = try session.close(at: .milliseconds(limit), into: &trace)
    #expect(leaks == [], sourceLocation: sourceLocation)
    return Played(trace, until: closing)
  }
}

/// The result of a run, with a property for each kind of record.
struct Played {
  /// A value with the instant, in milliseconds, at which it occurred.
  struct At<Thing: Hashable & Sendable>: Hashable, Sendable, CustomStringConvertible {
    var milliseconds: Int64
    var thing: Thing

    init(_ milliseconds: Int64, _ thing: Thing) {
      self.milliseconds = milliseconds
      self.thing = thing
    }

    var description: String { "\(thing) at \(milliseconds) ms" }
  }

  /// All records, including those of the client's close.
  let trace: Trace
  private let records: [TraceRecord]

  init(_ trace: Trace, until closing: Int) {
    self.trace = trace
    records = Array(trace.records.prefix(closing))
  }

  private func each<Thing: Hashable & Sendable>(
    _ select: (TraceRecord.Body) -> Thing?
  ) -> [At<Thing>] {
    records.compactMap { record in
      select(record.body).map { At(record.at.microseconds / 1_000, $0) }
    }
  }

  /// The events of the world.
  var facts: [At<WorldFact>] {
    each { if case .world(let fact) = $0 { fact } else { nil } }
  }

  /// The events that the client received.
  var events: [At<ClientCore.Event>] {
    each { if case .event(let event) = $0 { event } else { nil } }
  }

  /// The effects of the client.
  var effects: [At<ClientEffect>] {
    each { if case .effect(let effect) = $0 { effect } else { nil } }
  }

  /// Returns how a call of the story ended, or `nil` if it did not.
  func end(of index: UInt32) -> At<CallEnd>? {
    let identifiers: [CallID] = facts.compactMap {
      if case .callIntroduced(index, let id) = $0.thing { id } else { nil }
    }
    let ends: [At<CallEnd>] = effects.compactMap { effect in
      guard case .endCall(let id, let end) = effect.thing, identifiers.contains(id) else {
        return nil
      }
      return At(effect.milliseconds, end)
    }
    return ends.first
  }

  /// The times at which connection attempts started.
  var attempts: [Int64] {
    facts.compactMap { if case .attemptBegan = $0.thing { $0.milliseconds } else { nil } }
  }

  /// The times at which servers read requests and messages, with the calls.
  var reads: [At<UInt32>] {
    facts.compactMap { fact in
      switch fact.thing {
      case .serverReadRequest(_, let call), .serverReadMessages(_, let call, _):
        At(fact.milliseconds, call)
      default: nil
      }
    }
  }

  /// The times at which messages of servers reached the user.
  var deliveries: [Int64] {
    effects.compactMap { if case .deliverMessage = $0.thing { $0.milliseconds } else { nil } }
  }

  /// The category changes of which observers were notified.
  var notifications: [At<CategoryChange>] {
    effects.compactMap {
      if case .notify(let change) = $0.thing { At($0.milliseconds, change) } else { nil }
    }
  }

  /// The faults that had an effect, by their indices, once for each report.
  var faultsWithEffect: [At<UInt32>] {
    facts.compactMap {
      if case .faultTookEffect(let index) = $0.thing { At($0.milliseconds, index) } else { nil }
    }
  }

  /// Returns the times of matching events in the world.
  func instants(where matches: (WorldFact) -> Bool) -> [Int64] {
    facts.filter { matches($0.thing) }.map(\.milliseconds)
  }
}

extension Played.At<CallEnd> {
  static func ended(_ milliseconds: Int64, _ end: CallEnd) -> Self { Self(milliseconds, end) }

  /// Returns the successful end of a call by its server.
  static func ok(_ milliseconds: Int64) -> Self { Self(milliseconds, CallEnd(.ok, .empty)) }

  /// Returns the end of a call with its connection, or with the connection attempt.
  static func failed(_ milliseconds: Int64, _ failure: ConnectionFailure) -> Self {
    Self(milliseconds, failure.callEnd)
  }
}
