import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

/// A run with requests whose every detail is known: three slots, one of them for a long request.
///
/// | when | what |
/// |---|---|
/// | 0s | `stream` takes the long slot; it is cancelled at 20s |
/// | 1s | `slow` and `slower` take the other two until 11.05s |
/// | 2s | `waits` waits for one of them; it finishes at 11.11s |
/// | 3s | `refused` is a second stream, and refused; `full` is a query |
/// | 15s | `polled` becomes polls: immediately and at 16.06s, the last one; `rest` is a query |
/// | 30s | `lost` starts; the network is lost at 31s |
enum KnownRequests {
  static let timeline = [
    #"{"at": "0s", "request": {"id": "stream", "host": "a:80", "kind": "long"}}"#,
    #"{"at": "1s", "request": {"id": "slow", "host": "a:80", "takes": "10s"}}"#,
    #"{"at": "1s", "request": {"id": "slower", "host": "a:80", "takes": "10s"}}"#,
    #"{"at": "2s", "request": {"id": "waits", "host": "a:80"}}"#,
    #"{"at": "3s", "request": {"id": "refused", "host": "a:80", "kind": "long"}}"#,
    #"{"at": "3s", "ask": {"id": "full", "host": "a:80", "kind": "short"}}"#,
    #"{"at": "15s", "request": {"id": "polled", "host": "a:80", "kind": "long", "policy": "poll", "#
      + #""takes": "1s"}}"#,
    #"{"at": "15.5s", "ask": {"id": "rest", "host": "a:80"}}"#,
    #"{"at": "20s", "cancel": "stream"}"#,
    #"{"at": "30s", "request": {"id": "lost", "host": "b:80", "kind": "long"}}"#,
    #"{"at": "31s", "flags": []}"#,
  ]
  static let config = #"{"requests": {"total": 3, "long": 1, "policy": "throw"}}"#

  static func run(expecting expectations: [String]) throws -> CaseResult {
    try Sample.run(
      try Sample.scenario(
        timeline: timeline, expect: expectations, profiles: [.urlDispatcher],
        hosts: #""a:80": {"connect": "50ms"}, "b:80": {"connect": "50ms"}"#, config: config))
  }
}

@Suite("Expectations about requests")
struct RequestExpectationTests {
  static let requests: [Row] =
    Row.holds(
      #"{"request": "stream", "outcome": "cancelled"}"#,
      #"{"request": "stream", "admission": "starts-now", "begins": "0s", "outcome": "cancelled"}"#,
      #"{"request": "slow", "outcome": "finished"}"#,
      #"{"request": "waits", "admission": "waits", "position": 1, "begins": "11.05s"}"#,
      #"{"request": "refused", "admission": "refused", "code": -1702}"#,
      #"{"request": "polled", "admission": "polls", "polls": 2, "outcome": "finished"}"#,
      #"{"request": "lost", "outcome": "lost", "code": -1005}"#)
    + Row.fails(
      #"{"request": "stream", "outcome": "finished"}"#,
      #"{"request": "lost", "code": -1001}"#,
      #"{"request": "slow", "code": -1005}"#,
      #"{"request": "waits", "admission": "starts-now"}"#,
      #"{"request": "waits", "position": 2}"#,
      #"{"request": "slow", "position": 1}"#,
      #"{"request": "waits", "begins": "2s"}"#,
      #"{"request": "refused", "begins": "3s"}"#,
      #"{"request": "polled", "polls": 1}"#)

  /// In each expectation one part is wrong, and all others are right.
  static let oneWrong: [Row] = Row.fails(
    #"{"request": "waits", "outcome": "lost", "admission": "waits", "position": 1, "polls": 0}"#,
    #"{"request": "waits", "outcome": "finished", "admission": "polls", "position": 1}"#,
    #"{"request": "waits", "outcome": "finished", "admission": "waits", "position": 3}"#,
    #"{"request": "waits", "admission": "waits", "position": 1, "begins": "2s", "polls": 0}"#,
    #"{"request": "waits", "admission": "waits", "begins": "11.05s", "polls": 1}"#,
    #"{"request": "refused", "outcome": "refused", "code": -1705, "admission": "refused"}"#)

  static let moments: [Row] =
    Row.holds(
      #"{"request": "stream", "at": "20s"}"#,
      #"{"request": "stream", "within": ["20s", "20s"]}"#,
      #"{"request": "stream", "before": "20000001us"}"#,
      #"{"request": "stream", "after": "19999999us"}"#,
      #"{"request": "refused", "outcome": "refused", "at": "3s"}"#)
    + Row.fails(
      #"{"request": "stream", "at": "19999999us"}"#,
      #"{"request": "stream", "at": "20000001us"}"#,
      #"{"request": "stream", "within": ["0s", "19999999us"]}"#,
      #"{"request": "stream", "within": ["20000001us", "1min"]}"#,
      #"{"request": "stream", "before": "20s"}"#,
      #"{"request": "stream", "after": "20s"}"#,
      #"{"request": "stream", "outcome": "finished", "at": "20s"}"#)

  private static let allHolders = #"["stream", "slow", "slower"]"#

  static let answers: [Row] =
    Row.holds(
      #"{"ask": "full", "answer": "waits"}"#,
      #"{"ask": "full", "position": 2}"#,
      #"{"ask": "full", "holders": ["stream", "slow", "slower"]}"#,
      #"{"ask": "rest", "answer": "refused", "holders": ["stream"]}"#)
    + Row.fails(
      #"{"ask": "full", "answer": "starts-now"}"#,
      #"{"ask": "full", "position": 1}"#,
      #"{"ask": "full", "holders": ["stream", "slow"]}"#,
      #"{"ask": "full", "holders": ["slow", "stream", "slower"]}"#,
      #"{"ask": "full", "holders": []}"#,
      #"{"ask": "rest", "position": 1}"#,
      #"{"ask": "full", "answer": "polls", "position": 2, "holders": \#(allHolders)}"#,
      #"{"ask": "full", "answer": "waits", "position": 7, "holders": \#(allHolders)}"#,
      #"{"ask": "full", "answer": "waits", "position": 2, "holders": ["stream"]}"#)

  static let counts: [Row] =
    Row.holds(
      #"{"requests": {"host": "a:80", "running": 3, "waiting": 1, "ended": 1}, "at": "5s"}"#,
      #"{"requests": {"host": "a:80", "open": 3, "opened": 3, "most": 3}, "at": "5s"}"#,
      #"{"requests": {"host": "a:80", "limitReached": 1}, "at": "5s"}"#,
      #"{"requests": {"host": "b:80", "opened": 0, "most": 0}, "at": "5s"}"#,
      #"{"requests": {"host": "b:80", "running": 1, "ended": 0, "open": 1}, "at": "30s"}"#,
      #"{"requests": {"host": "*", "running": 1, "ended": 6}, "at": "30s"}"#,
      #"{"requests": {"host": "b:80", "running": 0, "ended": 1, "open": 0, "most": 1}}"#,
      #"{"requests": {"host": "*", "ended": 7, "open": 0, "most": 3, "frozen": 0}}"#,
      #"{"never": {"requests": {"host": "*", "running": 4}}}"#)
    + Row.fails(
      #"{"requests": {"host": "a:80", "running": 4}, "at": "5s"}"#,
      #"{"requests": {"host": "a:80", "waiting": 0}, "at": "5s"}"#,
      #"{"requests": {"host": "a:80", "frozen": 1}, "at": "5s"}"#,
      #"{"requests": {"host": "a:80", "ended": 0}, "at": "5s"}"#,
      #"{"requests": {"host": "a:80", "open": 2}, "at": "5s"}"#,
      #"{"requests": {"host": "a:80", "opened": 2}, "at": "5s"}"#,
      #"{"requests": {"host": "a:80", "most": 2}, "at": "5s"}"#,
      #"{"requests": {"host": "a:80", "limitReached": 0}, "at": "5s"}"#,
      #"{"requests": {"host": "a:80", "running": 3, "waiting": 0}, "at": "5s"}"#,
      #"{"never": {"requests": {"host": "*", "waiting": 1}}}"#)

  @Test(
    "An expectation passes or fails as the known run requires",
    arguments: requests + oneWrong + moments + answers + counts)
  func row(_ row: Row) throws {
    let result = try KnownRequests.run(expecting: [row.expectation])
    #expect(result.brokenRules == [])
    #expect(result.verdict == (row.holds ? .passed : .failed), "\(result.findings)")
    #expect(result.findings.map(\.kind) == (row.holds ? [] : [.expectation]))
  }

  @Test(
    "A failure is reported at the end of its request, or else at the end of the run"
  )
  func instants() throws {
    let findings = try KnownRequests.run(expecting: [
      #"{"request": "stream", "outcome": "lost"}"#,
      #"{"request": "waits", "outcome": "lost"}"#,
      #"{"request": "refused", "outcome": "lost"}"#,
      #"{"ask": "rest", "answer": "polls"}"#,
      #"{"requests": {"host": "*", "ended": 0}}"#,
    ]).findings
    let instants = try ["20s", "11.11s", "3s", "31s", "31s"].map(Instant.init)
    #expect(findings.map(\.at) == instants)
  }

  @Test("The maximum number of connections does not include the run before")
  func most() throws {
    func scenario(_ timeline: [String], _ most: Int) throws -> Scenario {
      try Sample.scenario(
        timeline: timeline, expect: [#"{"requests": {"host": "*", "most": \#(most)}}"#],
        profiles: [.urlDispatcher], hosts: #""a:80": {}"#)
    }
    let two = try scenario(
      ["a", "b"].map { #"{"at": "0s", "request": {"id": "\#($0)", "host": "a:80"}}"# }, 2)
    let one = try scenario([#"{"at": "0s", "request": {"id": "a", "host": "a:80"}}"#], 1)
    let none = try scenario([#"{"at": "0s", "ask": {"id": "q", "host": "a:80"}}"#], 0)
    var worker = Worker(SimulatedBackend())
    for scenario in [two, one, none, two] {
      #expect(worker.run(scenario).cases.map(\.verdict) == [.passed])
    }
  }

  @Test("An expectation about the end of an unfinished request fails")
  func unfinished() throws {
    let scenario = try Sample.scenario(
      timeline: [
        #"{"at": "0s", "request": {"id": "open", "host": "a:80", "kind": "websocket"}}"#,
        #"{"at": "2s", "ask": {"id": "q", "host": "a:80"}}"#,
      ],
      expect: [
        #"{"request": "open", "at": "1s"}"#, #"{"request": "open", "before": "1h"}"#,
        #"{"request": "open", "after": "0s"}"#, #"{"request": "open", "outcome": "finished"}"#,
        #"{"request": "open", "admission": "starts-now", "before": "1h"}"#,
        #"{"request": "open", "admission": "starts-now", "begins": "0s"}"#,
        #"{"never": {"request": "open", "outcome": "finished"}}"#,
      ], profiles: [.urlDispatcher], hosts: #""a:80": {}"#)
    let findings = try Sample.run(scenario).findings
    #expect(findings.map(\.position?.line) == [6, 7, 8, 9, 10])
    let end = try Instant("2s")
    #expect(findings.map(\.at) == Array(repeating: end, count: 5))
    for finding in findings {
      #expect(finding.seen.hasSuffix("it was unfinished when the run was over"))
    }
  }
}

@Suite("Expectations about requests in a scenario without requests")
struct ExpectationWithoutRequestsTests {
  private static func scenario(
    _ timeline: [String], _ expectation: String, hosts: Int = 1
  ) throws -> Scenario {
    try Sample.scenario(
      timeline: timeline, expect: [expectation], profiles: [.urlDispatcher],
      hosts: (0..<hosts).map { "\"h\($0):80\": {}" }.joined(separator: ", "),
      config: #"{"requests": {"threads": {}}}"#)
  }

  @Test(
    "Expectations about requests are evaluated with zero counts",
    arguments: [
      #"{"requests": {"host": "h0:80", "running": 0, "most": 0, "threads": 0}}"#,
      #"{"requests": {"host": "h0:80", "waiting": 0, "mostThreads": 0}, "at": "1s"}"#,
      #"{"requests": {"host": "h0:80", "running": 0, "opened": 0, "threadsMade": 0}}"#,
      #"{"never": {"requests": {"host": "h0:80", "running": 1}}}"#,
    ])
  func zero(_ expectation: String) throws {
    let result = try Sample.run(try Self.scenario([], expectation))
    #expect(result.verdict == .passed, "\(result.findings)")
    let denied = expectation.replacing("\"running\": 0", with: "\"running\": 2")
      .replacing("\"waiting\": 0", with: "\"waiting\": 2")
      .replacing("\"running\": 1", with: "\"running\": 0")
    #expect(try Sample.run(try Self.scenario([], denied)).verdict == .failed)
  }

  @Test("A limit that changes without any request has no effect")
  func limit() throws {
    let change = #"{"at": "1s", "dispatcher": {"do": "limit", "long": 1}}"#
    let result = try Sample.run(
      try Self.scenario([change], #"{"requests": {"host": "h0:80", "running": 0}}"#))
    #expect(result.verdict == .passed, "\(result.findings)")
  }

  @Test("Expectations have the same result after any other scenario")
  func afterOthers() throws {
    let request = #"{"at": "0s", "request": {"id": "r", "host": "h0:80", "kind": "long"}}"#
    let none = #"{"requests": {"host": "h2:80", "running": 0}}"#
    let busy = try Self.scenario(
      [request], #"{"requests": {"host": "h0:80", "running": 1}, "at": "1s"}"#)
    let without = try Self.scenario([], none, hosts: 3)
    let fewer = try Self.scenario([], #"{"requests": {"host": "h0:80", "running": 0}}"#)
    var worker = Worker(SimulatedBackend())
    for scenario in [busy, without, fewer, without, busy, fewer, busy, without, without] {
      #expect(worker.run(scenario).cases.map(\.verdict) == [.passed])
    }
  }
}
