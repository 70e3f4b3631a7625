import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

@Suite("A backend that fails")
struct BreakdownTests {
  private static let profiles: [Profile] = [.sockets, .socketsMonitor, .cfStream]

  private func scenario(_ timeline: [String] = KnownRun.timeline) throws -> Scenario {
    try Sample.scenario(
      timeline: timeline,
      expect: [#"{"channels": {"host": "a:1", "alive": 1}, "at": "5s"}"#],
      profiles: Self.profiles)
  }

  @Test(
    "A backend that fails at any point gives its case ERROR and does not affect the other cases",
    arguments: BrokenBackend.Point.allCases)
  func breaks(_ point: BrokenBackend.Point) throws {
    let backend = BrokenBackend(at: point, on: .socketsMonitor)
    var worker = Worker(backend)
    let cases = worker.run(try scenario()).cases
    #expect(cases.map(\.profile) == Self.profiles.map(\.name))
    #expect(cases.map(\.verdict) == [.passed, .error, .passed])
    #expect(cases.map(\.verdict.name) == ["PASSED", "ERROR", "PASSED"])
    let finding = try #require(cases[1].findings.first)
    #expect(cases[1].findings.count == 1)
    #expect(finding.kind == .breakdown)
    #expect(finding.seen == BrokenBackend.message)
    #expect(cases[1].neverEnded == 0)
    #expect(cases[0].findings == [] && cases[2].findings == [])
    var alone = Worker(SimulatedBackend())
    let undisturbed = alone.run(try scenario(), on: [.sockets, .cfStream]).cases
    #expect(cases[0].calls == undisturbed[0].calls)
    #expect(cases[2].calls == undisturbed[1].calls)
  }

  @Test("A failed backend gets a new session for the next case, and only then")
  func freshSession() throws {
    let backend = BrokenBackend(at: .runUntilIdle, on: .socketsMonitor)
    var worker = Worker(backend)
    _ = worker.run(try scenario(), on: [.sockets, .cfStream])
    #expect(backend.sessionCount == 1)
    _ = worker.run(try scenario(), on: [.socketsMonitor])
    #expect(backend.sessionCount == 1)
    _ = worker.run(try scenario(), on: [.cfStream, .sockets])
    #expect(backend.sessionCount == 2)
  }

  @Test(
    "A run whose network changes late is repeated once, and is an ERROR if it is late again",
    arguments: [(1, Verdict.passed), (2, .error)])
  func late(_ failures: Int, _ verdict: Verdict) throws {
    let backend = BrokenBackend(
      at: .advanceBefore, on: .socketsMonitor, code: .late, failures: failures)
    var worker = Worker(backend)
    let cases = worker.run(try scenario(), on: [.socketsMonitor]).cases
    #expect(cases.map(\.verdict) == [verdict])
    #expect(backend.sessionCount == 2)
  }

  @Test("A session that refuses a run handles the next run as a new session would")
  func notTaken() throws {
    let backend = BrokenBackend(at: .open, on: .sockets, code: .unsupported)
    var worker = Worker(backend)
    let cases = worker.run(try scenario(), on: [.socketsMonitor, .sockets, .cfStream]).cases
    #expect(cases.map(\.verdict) == [.passed, .unsupported, .passed])
    #expect(backend.sessionCount == 1)
    var alone = Worker(SimulatedBackend())
    #expect(cases[2].calls == alone.run(try scenario(), on: [.cfStream]).cases[0].calls)
  }

  @Test("A failed backend leaves the trace up to its failure")
  func trace() throws {
    var worker = Worker(BrokenBackend(at: .advanceThrough, on: .socketsMonitor))
    let result = worker.run(try scenario()).cases[1]
    let records = try #require(result.trace).records
    #expect(records.last?.at == (try Instant("4s")))
    #expect(result.findings.first?.at == (try Instant("4s")))
    #expect(result.calls == [])
    #expect(result.changeToEnd == [])
  }

  @Test("A session that cannot be created gives ERROR, without the trace of the case before")
  func noSession() throws {
    let backend = BrokenBackend(at: .play, on: .sockets, missingSession: 2)
    var worker = Worker(backend)
    let cases = worker.run(try scenario()).cases
    #expect(cases.map(\.verdict) == [.error, .error, .passed])
    #expect(cases[1].findings.map(\.seen) == ["session 2 cannot be made"])
    #expect(cases[1].findings.map(\.at) == [nil])
    #expect(cases[1].trace?.records.isEmpty != false)
    #expect(backend.sessionCount == 3)
  }

  @Test("Faults in a case whose backend fails are not reported as without effect")
  func faults() throws {
    let timeline = [#"{"at": "0s", "server": {"host": "a:1", "do": "close"}}"#]
    var worker = Worker(BrokenBackend(at: .close, on: .sockets))
    let cases = worker.run(try scenario(timeline)).cases
    #expect(!cases.flatMap(\.findings).contains { $0.kind == .faultWithoutEffect })
  }
}

/// An expectation, and the capability that it needs.
struct NeedRow: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var need: Capabilities

  static let table = [
    NeedRow(testDescription: #"{"channels": {"host": "a:1", "alive": 9}}"#, need: .channels),
    NeedRow(
      testDescription: #"{"channels": {"host": "a:1", "alive": 9}, "at": "1s"}"#, need: .channels),
    NeedRow(
      testDescription: #"{"never": {"channels": {"host": "a:1", "alive": 1}}}"#, need: .channels),
    NeedRow(
      testDescription: #"{"connections": {"host": "a:1", "open": 9}}"#, need: .connections),
    NeedRow(testDescription: #"{"server": {"host": "a:1", "received": 9}}"#, need: .server),
    NeedRow(testDescription: #"{"monitor": {"notifications": 9}}"#, need: .monitor),
  ]
}

@Suite("A backend with fewer capabilities")
struct UnsupportedTests {
  @Test(
    "An expectation that needs a missing capability is UNSUPPORTED instead of failed",
    arguments: NeedRow.table)
  func unsupported(_ row: NeedRow) throws {
    let scenario = try Sample.scenario(
      timeline: KnownRun.timeline, expect: [row.testDescription])
    let backend = PartialBackend(capabilities: Capabilities.all.subtracting(row.need))
    let result = try Sample.run(scenario, on: backend)
    #expect(result.verdict == .unsupported)
    #expect(result.verdict.name == "UNSUPPORTED")
    #expect(result.findings.map(\.kind) == [.unsupported])
    #expect(result.findings.map(\.seen) == ["the backend does not show it"])
  }

  @Test("An expectation whose capability exists is checked", arguments: NeedRow.table)
  func supported(_ row: NeedRow) throws {
    let scenario = try Sample.scenario(
      timeline: KnownRun.timeline, expect: [row.testDescription])
    let result = try Sample.run(scenario, on: PartialBackend(capabilities: row.need))
    #expect(result.verdict == .failed)
  }

  @Test("The ends of calls are always checked, and a failure takes precedence")
  func mixed() throws {
    let scenario = try Sample.scenario(
      timeline: KnownRun.timeline,
      expect: [
        #"{"call": "stream", "status": "OK", "at": "1s"}"#,
        #"{"server": {"host": "a:1", "received": 4}}"#,
        #"{"call": "next", "status": "CANCELLED", "level": "should"}"#,
      ])
    let result = try Sample.run(scenario, on: PartialBackend(capabilities: []))
    #expect(result.verdict == .failed)
    #expect(result.findings.map(\.verdict) == [.failed, .passedPartially, .nonStrict])
  }
}
