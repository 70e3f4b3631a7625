import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverScenario
import Synchronization
import Testing

/// A client in real time that shows only the ends of calls, as the test specifies them.
struct ReportingBackend: Backend {
  var reported: [TraceRecord]
  var capabilities: Capabilities = []
  /// The delay of all entries but the first, one value per run.
  ///
  /// The last value applies to all further runs.
  var late = [Interval.zero]
  /// The records of the first run, if they differ from those of the other runs.
  var reportedFirst: [TraceRecord]?

  var description: BackendDescription {
    BackendDescription(
      name: "told", time: .real(tolerance: .seconds(1)), capabilities: capabilities)
  }

  func makeSession() throws(BackendError) -> any BackendSession {
    RecordingSession(reported, late, first: reportedFirst ?? reported)
  }
}

private final class RecordingSession: BackendSession {
  private var waiting: ArraySlice<TraceRecord>
  private var script = Script()

  private let reported: [TraceRecord]
  private var late: [Interval]
  private var first: [TraceRecord]?

  init(_ reported: [TraceRecord], _ late: [Interval], first: [TraceRecord]) {
    self.reported = reported
    self.first = first
    waiting = []
    self.late = late
  }

  private func send(until instant: Instant, into trace: inout Trace) {
    while let record = waiting.first, record.at <= instant {
      trace.append(record.body, at: record.at)
      waiting.removeFirst()
    }
  }

  func open(_ script: Script, profile: Profile, into trace: inout Trace) throws(BackendError) {
    self.script = script
    waiting = (first.take() ?? reported)[...]
    trace.endpointHosts = [0]
  }

  func advance(before instant: Instant, into trace: inout Trace) throws(BackendError) {
    send(until: Instant(microseconds: instant.microseconds - 1), into: &trace)
  }

  func advance(through instant: Instant, into trace: inout Trace) throws(BackendError) {
    send(until: instant, into: &trace)
  }

  func play(_ entry: Int, into trace: inout Trace) throws(BackendError) {
    trace.append(
      .world(.entryPlayed(UInt32(entry))),
      at: script.entries[entry].at + (entry > 0 ? late[0] : .zero)
    )
  }

  func runUntilIdle(through limit: Instant, into trace: inout Trace) throws(BackendError) -> Instant
  {
    send(until: limit, into: &trace)
    return trace.records.last?.at ?? .zero
  }

  func close(at instant: Instant, into trace: inout Trace) throws(BackendError) -> [String] {
    trace.append(.event(.pool(.closed)), at: instant)
    if late.count > 1 { late.removeFirst() }
    return []
  }
}

@Suite("A client in real time that shows only the ends of its calls")
struct RealTimeTests {
  private static let call = CallID(index: 0, generation: 0)
  private static let started = [
    record("0s", .world(.callIntroduced(0, call))),
    record(
      "0s",
      .event(
        .pool(
          .callStarted(
            call, EndpointID(index: 0),
            CallSettings(
              deadline: .never, failsFast: false, awaitsToken: false, requestIsComplete: true))))),
  ]
  private static let lost = TraceRecord.Body.effect(.endCall(call, .connectivityLost))
  private static let message = TraceRecord.Body.effect(.deliverMessage(call))
  private static let moved = record("1s", .world(.deviceMoved(Script.wifiPath)))

  private static func record(_ at: String, _ body: TraceRecord.Body) -> TraceRecord {
    TraceRecord(at: (try? Instant(at)) ?? .never, body: body)
  }

  private func result(
    _ reported: [TraceRecord], _ timeline: [String] = [], expect: [String] = []
  ) throws -> CaseResult {
    let stream = #"{"at": "0s", "call": {"id": "s", "host": "a:1", "kind": "streaming"}}"#
    let scenario = try Sample.scenario(
      timeline: [stream] + timeline, expect: expect, profiles: [.socketsMonitor])
    return try Sample.run(scenario, on: ReportingBackend(reported: Self.started + reported))
  }

  @Test("The client's own messages are not checked, and everything else is")
  func message() throws {
    let reported = [Self.record("2s", Self.lost)]
    func expecting(_ status: String) -> [String] {
      [#"{"call": "s", "status": "\#(status)", "message": "Socket closed", "at": "2s"}"#]
    }
    let right = try result(reported, expect: expecting("UNAVAILABLE"))
    #expect(right.verdict == .passedPartially)
    #expect(right.findings.map(\.kind) == [.partlySeen])
    let wrong = try result(reported, expect: expecting("CANCELLED"))
    #expect(wrong.verdict == .failed)
    // Without known messages it is undecidable whether a forbidden end occurred.
    let never = #"{"never": {"call": "s", "status": "UNAVAILABLE", "message": "Socket closed"}}"#
    #expect(try result(reported, expect: [never]).verdict == .unsupported)
  }

  @Test(
    "A hang starts at the first change; a message in flight does not end it, and a later one does")
  func hangs() throws {
    func lengths(_ reported: [TraceRecord]) throws -> [String] {
      try hanging(reported).map { $0.hasEnded ? $0.lasted.text : "ever" }
    }
    let end = Self.record("9s", Self.lost)
    #expect(try lengths([Self.moved, end]) == ["8s"])
    #expect(try lengths([Self.moved]) == ["ever"])
    #expect(try lengths([Self.moved, Self.record("1.9s", Self.message), end]) == ["8s"])
    #expect(try lengths([Self.moved, Self.record("2.1s", Self.message), end]) == [])
    let again = Self.record("3s", Self.moved.body)
    #expect(try lengths([Self.moved, again, end]) == ["8s"])
    #expect(try lengths([Self.moved, Self.record("2.1s", Self.message), again, end]) == ["6s"])
    // The initial network of the device, before the first entry, is not a change.
    let placed = Self.record("0s", Self.moved.body)
    #expect(try hanging([end], after: [placed]).isEmpty)
  }

  @Test(
    "A hang starts at the change if the connection breaks soon after it, and else at the break",
    arguments: [
      ("1s", 8_000_000), ("2s", 8_000_000), ("2000001us", 6_999_999), ("2.5s", 6_500_000),
    ])
  func breaks(_ broken: String, _ microseconds: Int64) throws {
    let channel = ChannelID(endpoint: EndpointID(index: 0), generation: 1)
    let connection = ConnectionID(index: 0, generation: 0)
    let bodies: [TraceRecord.Body] = [
      .effect(.channelCreated(channel)), .effect(.callBound(Self.call, channel, isNew: true)),
      .effect(.openConnection(connection, channel)),
      .world(.attemptBegan(connection, host: 0, Script.cellularPath)),
      .event(.pool(.connected(connection))), .effect(.startStream(Self.call, connection)),
    ]
    let reported =
      bodies.map { Self.record("0s", $0) } + [
        Self.moved, Self.record(broken, .event(.pool(.connectionBroken(connection, .aborted)))),
        Self.record("9s", Self.lost),
      ]
    #expect(
      try hanging(reported, capabilities: .channels).map(\.lasted.microseconds) == [microseconds])
  }

  private func hanging(
    _ reported: [TraceRecord], after first: [TraceRecord] = [], capabilities: Capabilities = []
  ) throws -> [HungCall] {
    let scenario = try Sample.scenario(
      timeline: [#"{"at": "0s", "call": {"id": "s", "host": "a:1", "kind": "streaming"}}"#],
      profiles: [.socketsMonitor])
    var gates = Gates()
    gates.maxHang = .seconds(5)
    let backend = ReportingBackend(
      reported: first + Self.started + reported, capabilities: capabilities)
    var worker = Worker(backend, gates: gates)
    return try #require(worker.run(scenario).cases.first).hangs
  }

  @Test("A call may end slightly after its cancel, and may be unfinished at the close")
  func steps() throws {
    let cancel = #"{"at": "1s", "cancel": "s"}"#
    let cancelled = Self.record("1s", .event(.pool(.callCancelled(Self.call))))
    let late = try result([cancelled, Self.record("1.01s", Self.lost)], [cancel])
    #expect(late.findings == [])
    #expect(try result([]).findings == [])
  }

  @Test(
    "A run with a late entry is repeated once, and is an ERROR if it is late again")
  func late() throws {
    func result(late: Interval...) throws -> CaseResult {
      let scenario = try Sample.scenario(
        timeline: [
          #"{"at": "0s", "call": {"id": "s", "host": "a:1", "kind": "streaming"}}"#,
          #"{"at": "2s", "flags": []}"#,
        ], expect: [], profiles: [.socketsMonitor])
      return try Sample.run(scenario, on: ReportingBackend(reported: Self.started, late: late))
    }
    #expect(try result(late: .seconds(1)).findings == [])
    #expect(try result(late: .milliseconds(1_500), .seconds(1)).findings == [])
    let late = try result(late: .milliseconds(1_200), .milliseconds(1_500), .zero)
    #expect(late.verdict == .error)
    #expect(late.findings.map(\.seen).first?.hasPrefix("it ran 1.5s late:") == true)
  }

  @Test(
    "A run that fails across a standstill of the machine is repeated once",
    arguments: [([0, 1], Verdict.passed), ([0, 0], .failed), ([1, 1], .failed)])
  func standstill(_ counts: [Int], _ verdict: Verdict) throws {
    let scenario = try Sample.scenario(
      timeline: [#"{"at": "0s", "call": {"id": "s", "host": "a:1", "kind": "streaming"}}"#],
      expect: [], profiles: [.socketsMonitor])
    let endsTwice = [Self.record("1s", Self.lost), Self.record("2s", Self.lost)]
    var worker = Worker(
      ReportingBackend(reported: Self.started, reportedFirst: Self.started + endsTwice))
    let waiting = Mutex(counts)
    worker.standstillCount = {
      waiting.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
    }
    #expect(worker.run(scenario).cases.map(\.verdict) == [verdict])
  }

  @Test("Invariants that are observable are checked")
  func rules() throws {
    let twice = try result([Self.record("1s", Self.lost), Self.record("2s", Self.lost)])
    #expect(twice.brokenRules == [1])
    let after = try result([Self.record("1s", Self.lost), Self.record("2s", Self.message)])
    #expect(after.brokenRules == [1])
  }

  @Test("The figures need no channels, and ignore a message in flight")
  func figures() throws {
    let end = Self.record("5s", Self.lost)
    #expect(try result([Self.moved, end]).changeToEnd == [.seconds(4)])
    let underWay = try result([Self.moved, Self.record("1.1s", Self.message), end])
    #expect(underWay.changeToEnd == [.seconds(4)])
    let flips = [Self.moved, Self.record("1.8s", Self.moved.body)]
    let between = try result(flips + [Self.record("2.3s", Self.message), end])
    #expect(between.changeToEnd == [.seconds(4)])
    let livedOn = try result([Self.moved, Self.record("3s", Self.message), end])
    #expect(livedOn.changeToEnd == [])
    #expect(try result([Self.moved]).neverEnded == 1)
  }
}
