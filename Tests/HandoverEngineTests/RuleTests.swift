import HandoverBackend
import HandoverScenario
import HandoverSimulation
import Testing

@testable import HandoverCore

@testable import HandoverEngine

/// A short run, and the record at which an invariant is violated.
struct RuleRow: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var rule: RuleIdentifier
  var profile = Profile.socketsMonitor
  /// The records in order, a millisecond apart if no instant is given.
  var records: [(body: TraceRecord.Body, at: Int64?)]
  /// The index of the record that violates the invariant, or `nil` if none does.
  ///
  /// The index after the last record denotes the close.
  var breaks: Int?

  init(
    _ rule: RuleIdentifier, _ name: String, on profile: Profile = .socketsMonitor,
    _ records: [(body: TraceRecord.Body, at: Int64?)], breaks: Int?
  ) {
    testDescription = "\(rule): \(name)"
    self.rule = rule
    self.profile = profile
    self.records = records
    self.breaks = breaks
  }

  /// The profile with this invariant alone.
  var contract: Profile {
    Profile(
      name: profile.name, summary: "", policy: profile.policy, transport: profile.transport,
      client: profile.client, rules: [rule])
  }
}

@Suite("Each invariant alone")
struct RuleTests {
  static let rows =
    calls + categories + sharing + waiting + sending + requests + aliveness + chains + states

  @Test("A violation is reported at its record, and not before", arguments: rows)
  func row(_ row: RuleRow) throws {
    let script = try Self.script(for: row.profile)
    var trace = Trace()
    trace.endpointHosts = [0]
    var check = RuleCheck()
    check.begin(script, of: trace, under: row.contract)
    for (index, record) in row.records.enumerated() {
      #expect(check.findings.isEmpty, "too early")
      check.handle(
        TraceRecord(
          at: Instant(microseconds: (record.at ?? Int64(index)) * 1_000), body: record.body))
      guard index == row.breaks else { continue }
      #expect(Set(check.findings.map(\.kind)) == [.invariant(row.rule.rawValue)])
      return
    }
    check.finish(leaks: row.leaks)
    let reported = Set(check.findings.map(\.kind))
    #expect(reported == (row.breaks == nil ? [] : [.invariant(row.rule.rawValue)]))
  }

  @Test("A restarted check has no memory of the run before", arguments: rows)
  func restart(_ row: RuleRow) throws {
    let script = try Self.script(for: row.profile)
    var trace = Trace()
    trace.endpointHosts = [0]
    var check = RuleCheck()
    for _ in 1...2 {
      check.begin(script, of: trace, under: row.contract)
      #expect(check.rules.isEqual(to: RuleList([row.rule])))
      #expect(check.findings.isEmpty)
      for (index, record) in row.records.enumerated() {
        check.handle(
          TraceRecord(
            at: Instant(microseconds: (record.at ?? Int64(index)) * 1_000), body: record.body))
      }
    }
    check.begin(script, of: trace, under: .cfStream)
    #expect(check.rules.isEqual(to: RuleList(Profile.cfStream.rules)))
  }

  @Test("The list of invariants is in the order of their numbers")
  func list() {
    #expect(RuleList.all.map { $0.identifier } == RuleIdentifier.allCases)
  }

  @Test(
    "Each invariant has rows that violate it and rows that satisfy it",
    arguments: RuleIdentifier.allCases)
  func everyRule(_ rule: RuleIdentifier) {
    #expect(Self.rows.contains { $0.rule == rule && $0.breaks != nil })
    #expect(Self.rows.contains { $0.rule == rule && $0.breaks == nil })
  }

  @Test("An invariant that the profile does not have reports nothing", arguments: rows)
  func otherContract(_ row: RuleRow) throws {
    var contract = row
    contract.rule = row.rule == .sending ? .channelStates : .sending
    var trace = Trace()
    trace.endpointHosts = [0]
    var check = RuleCheck()
    check.begin(
      try Self.script(for: row.profile), of: trace, under: contract.contract)
    for (index, record) in row.records.enumerated() {
      check.handle(
        TraceRecord(
          at: Instant(microseconds: (record.at ?? Int64(index)) * 1_000), body: record.body))
    }
    check.finish(leaks: row.leaks)
    #expect(!check.findings.contains { $0.kind == .invariant(row.rule.rawValue) })
  }

  static func script(for profile: Profile) throws -> Script {
    let timeline =
      profile.client.work == .requests
      ? (0..<6).map { #"{"at": "0s", "request": {"id": "r\#($0)", "host": "a:80"}}"# }
      : [#"{"at": "0s", "call": {"id": "a", "host": "a:1", "kind": "bidi", "deadline": "9s"}}"#]
    return try Sample.scenario(
      timeline: timeline, profiles: [profile],
      hosts: profile.client.work == .requests ? #""a:80": {}"# : #""a:1": {}"#,
      config: profile.client.work == .requests ? "{}" : #"{"interceptors": [{"kind": "gate"}]}"#
    ).script
  }

  // MARK: Pieces of runs

  typealias Row = (body: TraceRecord.Body, at: Int64?)

  static let call = CallID(index: 0, generation: 0)
  static let channel = ChannelID(endpoint: EndpointID(index: 0), generation: 1)
  static let connection = ConnectionID(index: 0, generation: 0)

  static func event(_ event: ClientCore.Event, at: Int64? = nil) -> Row { (.event(event), at) }
  static func effect(_ effect: ClientEffect, at: Int64? = nil) -> Row { (.effect(effect), at) }
  static func request(_ fact: RequestFact, at: Int64? = nil) -> Row { (.request(fact), at) }
  static func chain(_ fact: ChainFact, at: Int64? = nil) -> Row { (.chain(fact), at) }

  /// A started call: 2 records.
  static let started: [Row] = [
    (.world(.callIntroduced(0, call)), nil),
    event(
      .pool(
        .callStarted(
          call, EndpointID(index: 0),
          CallSettings(deadline: Instant(microseconds: 9_000_000), failsFast: false)))),
  ]
  /// The call waits for the first attempt: 4 more records.
  static let waits: [Row] = [
    effect(.channelCreated(channel)), effect(.callBound(call, channel, isNew: true)),
    effect(.channelMoved(channel, from: .idle, to: .connecting)),
    effect(.openConnection(connection, channel)),
  ]
  /// The call runs: 3 more records.
  static let runs: [Row] = [
    event(.pool(.connected(connection))),
    effect(.channelMoved(channel, from: .connecting, to: .ready)),
    effect(.startStream(call, connection)),
  ]
  static let ends: [Row] = [effect(.endCall(call, CallEnd(.ok, .empty)))]
  static let cellular: Row = event(.reachability(.callback([.reachable, .isWWAN])))
  static let nextStep: Row = (.world(.deviceMoved(nil)), nil)
  static let running = started + waits + runs
  static let over: Row = (.world(.runEnded(.quiet)), nil)
}

extension RuleRow {
  /// The leaks that the backend reports.
  ///
  /// A row whose violation is a leak has one.
  var leaks: [String] { testDescription.hasSuffix("leaves something") ? ["a timer"] : [] }
}

// The rows by invariant.
extension RuleTests {
  static let calls = [
    RuleRow(.callEndsOnce, "ends once", running + ends, breaks: nil),
    RuleRow(.callEndsOnce, "ends twice", running + ends + ends, breaks: 10),
    RuleRow(
      .callEndsOnce, "receives a message after the end",
      running + ends + [effect(.deliverMessage(call))], breaks: 10),
    RuleRow(.callEndsOnce, "ends before it started", ends, breaks: 0),
  ]

  static let categories = [
    RuleRow(
      .categoryChange, "everything goes",
      running + [
        cellular, effect(.notify(CategoryChange(from: .unknown, to: .cellular))),
        effect(.channelDestroyed(channel, .transition)),
        effect(.endCall(call, .connectivityLost)), nextStep,
      ], breaks: nil),
    RuleRow(
      .categoryChange, "everything goes without a report",
      running + [
        cellular, effect(.channelDestroyed(channel, .transition)),
        effect(.endCall(call, .connectivityLost)), nextStep,
      ], breaks: 12),
    RuleRow(
      .categoryChange, "another change is reported",
      running + [cellular, effect(.notify(CategoryChange(from: .noNetwork, to: .cellular)))],
      breaks: 10),
    RuleRow(.categoryChange, "everything stays", running + [cellular, nextStep], breaks: 10),
    RuleRow(
      .categoryChange, "the end of the run shows it", running + [cellular], breaks: 10),
    RuleRow(
      .categoryChange, "another status", running + [cellular, effect(.endCall(call, .cancelled))],
      breaks: 10),
    RuleRow(
      .categoryChange, "a call without a channel is ended",
      started + [cellular, effect(.endCall(call, .connectivityLost))], breaks: 3),
    RuleRow(
      .categoryChange, "nobody watches", on: .sockets, running + [cellular, nextStep], breaks: nil),
    RuleRow(
      .sameCategory, "another category",
      running + [cellular, effect(.channelDestroyed(channel, .transition)), nextStep], breaks: nil),
    RuleRow(
      .sameCategory, "a channel goes",
      running + [
        cellular, cellular, effect(.channelDestroyed(channel, .transition)), nextStep,
      ], breaks: 12),
    RuleRow(.sameCategory, "nothing goes", running + [cellular, cellular, nextStep], breaks: nil),
  ]

  static let sharing = [
    RuleRow(.sharedChannel, "the first is told it is new", started + waits, breaks: nil),
    RuleRow(
      .sharedChannel, "the first is told it shares",
      started + [
        effect(.channelCreated(channel)), effect(.callBound(call, channel, isNew: false)),
      ],
      breaks: 3),
    RuleRow(
      .sharedChannel, "a later one is told it is new",
      started + [
        effect(.channelCreated(channel)), nextStep, effect(.callBound(call, channel, isNew: true)),
      ], breaks: 4),
    RuleRow(
      .sharedChannel, "a second beside the first",
      started + waits + [effect(.channelCreated(channel))], breaks: 6),
    RuleRow(
      .sharedChannel, "one that was never made",
      started + [effect(.callBound(call, channel, isNew: true))], breaks: 2),
  ]

  static let waiting = [
    RuleRow(.waiting, "goes on", running + [nextStep], breaks: nil),
    RuleRow(
      .waiting, "waits on when connected",
      started + waits + [event(.pool(.connected(connection))), nextStep], breaks: 7),
    RuleRow(
      .waiting, "outlives the failed attempt",
      started + waits + [event(.pool(.connectFailed(connection, .refused))), nextStep], breaks: 7),
    RuleRow(
      .waiting, "a failed look-up ends nothing in 2017", on: .sockets2017,
      started + waits
        + [event(.pool(.connectFailed(connection, .nameResolutionFailed))), nextStep], breaks: nil),
    RuleRow(
      .waiting, "outlives its cancellation",
      running + [event(.pool(.callCancelled(call))), nextStep], breaks: 10),
    RuleRow(
      .waiting, "outlives its channel",
      running + [
        event(.pool(.disconnectAllRequested)), effect(.channelDestroyed(channel, .disconnected)),
        nextStep,
      ], breaks: 11),
    RuleRow(
      .waiting, "ends after its deadline",
      running + [effect(.endCall(call, CallEnd(.ok, .empty)), at: 9_001)], breaks: 9),
    RuleRow(
      .waiting, "is there after its deadline",
      running + [(.world(.runEnded(.quiet)), 9_001)], breaks: 9),
    RuleRow(
      .waiting, "ends of its deadline too early",
      running + [
        event(.pool(.timeElapsed)), effect(.endCall(call, .deadlineExceeded)),
      ], breaks: 10),
    RuleRow(
      .waiting, "the next attempt comes too early",
      started + waits + [
        event(.pool(.connectFailed(connection, .refused))),
        effect(.channelMoved(channel, from: .connecting, to: .transientFailure)),
        effect(.endCall(call, .connectivityLost)), event(.pool(.timeElapsed)),
        effect(.openConnection(ConnectionID(index: 1, generation: 0), channel)),
      ], breaks: 10),
  ]

  static let sending = [
    RuleRow(.sending, "is sent", running, breaks: nil),
    RuleRow(
      .sending, "is sent after the end", running + ends + [effect(.finishStream(call, connection))],
      breaks: 10),
    RuleRow(
      .sending, "is reset after the end", running + ends + [effect(.resetStream(call, connection))],
      breaks: 10),
  ]

  /// The second request runs on the connection that the first one used.
  private static let used = [
    request(.connectionOpened(0, host: 0, pool: 0, nil)),
    request(.carried(request: 0, connection: 0)), request(.ended(request: 0, .finished)),
    request(.connectionOpened(1, host: 0, pool: 0, nil)), request(.connectionClosed(1)),
    request(.carried(request: 1, connection: 0)),
  ]

  static let requests = [
    RuleRow(
      .connectionPool, "is used again", on: .okHTTPPool,
      used + [request(.ended(request: 1, .finished))], breaks: nil),
    RuleRow(
      .connectionPool, "is repeated", on: .okHTTPPool,
      used + [
        request(.connectionLost(0)), request(.retried(request: 1, connection: 0)),
        request(.connectionOpened(2, host: 0, pool: 0, nil)),
        request(.carried(request: 1, connection: 2)), request(.ended(request: 1, .finished)),
      ], breaks: nil),
    RuleRow(
      .connectionPool, "keeps six idle connections", on: .okHTTPPool,
      (0..<6 as Range<UInt32>).flatMap {
        [
          request(.connectionOpened($0, host: 0, pool: 0, nil)),
          request(.carried(request: $0, connection: $0)),
          request(.ended(request: $0, .finished)),
        ]
      } + [request(.connectionClosed(0), at: 30)], breaks: 18),
    RuleRow(
      .connectionPool, "is repeated on a working connection", on: .okHTTPPool,
      used + [request(.retried(request: 1, connection: 0))], breaks: 6),
    RuleRow(
      .connectionPool, "is repeated after the response began", on: .okHTTPPool,
      used + [
        request(.responded(request: 1)), request(.connectionLost(0)),
        request(.retried(request: 1, connection: 0)),
      ], breaks: 8),
    RuleRow(
      .connectionPool, "is repeated on a new connection", on: .okHTTPPool,
      Array(used.prefix(2)) + [
        request(.connectionLost(0)), request(.retried(request: 0, connection: 0)),
      ], breaks: 3),
    RuleRow(
      .connectionPool, "shares a connection", on: .okHTTPPool,
      Array(used.prefix(2)) + [
        request(.arrived(request: 1, nil)), request(.carried(request: 1, connection: 0)),
      ], breaks: 3),
    RuleRow(
      .connectionPool, "ends twice", on: .okHTTPPool,
      used + [request(.ended(request: 0, .finished))], breaks: 6),
    RuleRow(
      .connectionPool, "never ends", on: .okHTTPPool, [request(.arrived(request: 0, nil))],
      breaks: 1),
    RuleRow(
      .requestLimits, "ends once", on: .urlLoading,
      [
        request(.arrived(request: 0, nil)), request(.handedOver(request: 0)),
        request(.ended(request: 0, .finished)),
      ], breaks: nil),
    RuleRow(
      .requestLimits, "ends twice", on: .urlLoading,
      [
        request(.arrived(request: 0, nil)), request(.ended(request: 0, .finished)),
        request(.ended(request: 0, .finished)),
      ], breaks: 2),
    RuleRow(
      .requestLimits, "never ends", on: .urlLoading, [request(.arrived(request: 0, nil))],
      breaks: 1),
    RuleRow(
      .requestLimits, "is told before its slot is free", on: .urlDispatcher,
      [
        request(.arrived(request: 0, .startsNow)), request(.handedOver(request: 0)),
        request(.ended(request: 0, .finished)),
      ], breaks: 2),
    RuleRow(
      .requestLimits, "waits while a slot is free", on: .urlDispatcher,
      [
        request(.arrived(request: 0, .waits(position: 1))),
        request(.longLimitChanged(pool: 0, 1), at: 5),
      ], breaks: 1),
  ]

  static let aliveness = [
    RuleRow(
      .aliveness, "nothing is left",
      running + ends + [
        effect(.closeConnection(connection)), effect(.channelDestroyed(channel, .clientClosed)),
      ], breaks: nil),
    RuleRow(
      .aliveness, "time runs backwards", [nextStep, nextStep, (nextStep.body, 0)], breaks: 2),
    RuleRow(
      .aliveness, "a channel goes that is not there",
      [effect(.channelDestroyed(channel, .unused))], breaks: 0),
    RuleRow(
      .aliveness, "a connection closes that is not there", [effect(.closeConnection(connection))],
      breaks: 0),
    RuleRow(.aliveness, "a ping on no connection", [effect(.sendPing(connection))], breaks: 0),
    RuleRow(.aliveness, "a call is left", started, breaks: 2),
    RuleRow(.aliveness, "the backend leaves something", [nextStep], breaks: 1),
  ]

  static let chains = [
    RuleRow(
      .chainOrder, "one end",
      [
        chain(.attempted(call: 0, target: 0)), chain(.received(call: 0, .message, text: 0)),
        chain(.closed(call: 0, CallEnd(.ok, .empty))),
      ], breaks: nil),
    RuleRow(
      .chainOrder, "two ends",
      [
        chain(.closed(call: 0, CallEnd(.ok, .empty))),
        chain(.closed(call: 0, CallEnd(.ok, .empty))),
      ], breaks: 1),
    RuleRow(
      .chainOrder, "something after the end",
      [
        chain(.closed(call: 0, CallEnd(.ok, .empty))), chain(.received(call: 0, .message, text: 0)),
      ], breaks: 1),
    RuleRow(
      .chainOrder, "two ends of a call that the script does not have",
      [
        chain(.closed(call: 1, CallEnd(.ok, .empty))),
        chain(.closed(call: 1, CallEnd(.ok, .empty))),
      ], breaks: nil),
    RuleRow(
      .chainOrder, "a link breaks a rule", [chain(.broke(call: 0, link: 0, .nextLeftRunning))],
      breaks: 0),
    RuleRow(
      .chainOrder, "two attempts live", started + [chain(.attempted(call: 0, target: 0))],
      breaks: 2),
  ]

  static let states = [
    RuleRow(.channelStates, "as B8 allows", running, breaks: nil),
    RuleRow(
      .channelStates, "a leap",
      [
        effect(.channelCreated(channel)), effect(.channelMoved(channel, from: .idle, to: .ready)),
      ], breaks: 1),
    RuleRow(
      .channelStates, "from another state",
      running + [effect(.channelMoved(channel, from: .connecting, to: .transientFailure))],
      breaks: 9),
  ]
}

extension RuleCheck {
  /// Starts a run for which only the invariants are checked.
  fileprivate mutating func begin(_ script: Script, of trace: Trace, under contract: Profile) {
    begin(
      script, of: trace, under: contract, on: SimulatedBackend().description, expecting: [],
      notingChains: false, notingHosts: false, countingChannels: true)
  }
}

extension RuleList {
  /// Returns whether another list has the same active invariants, in the same state.
  fileprivate func isEqual(to other: RuleList) -> Bool {
    holding == other.holding
      && zip(rules, other.rules).allSatisfy { $0.isEqual(to: $1) }
  }
}

extension Rule {
  /// Returns whether another invariant is of the same type and has the same obligations.
  func isEqual(to other: any Rule) -> Bool { other as? Self == self }
}
