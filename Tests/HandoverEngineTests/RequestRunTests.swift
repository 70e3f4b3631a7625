import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

@Suite("Runs with requests")
struct RequestRunTests {
  private static let hosts = #""a:80": {"connect": "50ms"}"#

  private static func scenario(
    _ timeline: [String], expect: [String] = [], config: String = "{}", hosts: String = hosts
  ) throws -> Scenario {
    try Sample.scenario(
      timeline: timeline, expect: expect, profiles: [.urlDispatcher], hosts: hosts,
      config: #"{"requests": \#(config)}"#)
  }

  private static func expectPassed(
    _ scenario: Scenario, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let result = try Sample.run(scenario)
    let findings = result.findings.map { "\($0.expected): \($0.seen)" }.joined(separator: "\n")
    #expect(result.verdict == .passed, "\(findings)", sourceLocation: sourceLocation)
  }

  @Test("A poll that waits for a slot no longer rests, and the run continues")
  func pollWaits() throws {
    try Self.expectPassed(
      Self.scenario(
        [
          #"""
          {"at": "0s", "request": {"id": "stream", "host": "a:80", "kind": "long",
           "policy": "poll", "takes": "5s"}}
          """#,
          #"{"at": "500ms", "request": {"id": "slow", "host": "a:80", "takes": "10s"}}"#,
        ],
        expect: [
          #"{"requests": {"host": "a:80", "waiting": 1, "running": 1}, "at": "5s"}"#,
          #"{"request": "slow", "outcome": "finished", "at": "10.55s"}"#,
          #"{"request": "stream", "outcome": "finished", "polls": 2, "at": "10.61s"}"#,
        ], config: #"{"total": 1, "long": 0}"#))
  }

  @Test(
    "Requests of several pools that are cancelled at one instant get no connection from each other")
  func givenUpTogether() throws {
    try Self.expectPassed(
      Self.scenario(
        [
          #"""
          {"at": "0s", "request": {"id": "one", "host": "a:80", "takes": "1h", "timeout": "5s"}}
          """#,
          #"""
          {"at": "1s", "request": {"id": "two", "host": "a:80", "pool": "own", "takes": "1h",
           "timeout": "5s"}}
          """#,
          #"{"at": "2s", "app": "background"}"#, #"{"at": "20s", "app": "foreground"}"#,
        ],
        expect: [
          #"{"request": "one", "outcome": "timed-out", "at": "20s"}"#,
          #"{"request": "two", "outcome": "timed-out", "at": "20s"}"#,
          #"{"requests": {"host": "a:80", "opened": 1}, "at": "21s"}"#,
        ], config: #"{"total": 2, "long": 1, "platform": 1}"#))
  }

  @Test("A cancelled request gets no connection that is closed at that instant")
  func givenUpBesideAnIdleConnection() throws {
    try Self.expectPassed(
      Self.scenario(
        [
          #"{"at": "0s", "request": {"id": "one", "host": "a:80", "takes": "10ms"}}"#,
          #"""
          {"at": "1s", "request": {"id": "two", "host": "a:80", "pool": "own",
           "deadline": "4060ms"}}
          """#,
        ],
        expect: [
          #"{"request": "one", "outcome": "finished", "at": "60ms"}"#,
          #"{"request": "two", "outcome": "deadline-exceeded", "at": "5.06s"}"#,
          #"{"requests": {"host": "a:80", "opened": 1}, "at": "6s"}"#,
        ], config: #"{"total": 2, "long": 1, "platform": 1, "keepAlive": "5s"}"#))
  }

  @Test(
    "Requests of several pools that are cancelled at one instant get nothing when another starts")
  func givenUpBesideAStart() throws {
    try Self.expectPassed(
      Self.scenario(
        [
          #"""
          {"at": "0s", "request": {"id": "one", "host": "a:80", "takes": "1h", "timeout": "5s"}}
          """#,
          #"""
          {"at": "1s", "request": {"id": "two", "host": "a:80", "pool": "own", "takes": "1h",
           "timeout": "5s"}}
          """#,
          #"{"at": "1s", "request": {"id": "next", "host": "a:80", "takes": "1s"}}"#,
          #"{"at": "2s", "app": "background"}"#, #"{"at": "20s", "app": "foreground"}"#,
        ],
        expect: [
          #"{"request": "one", "outcome": "timed-out", "at": "20s"}"#,
          #"{"request": "two", "outcome": "timed-out", "at": "20s"}"#,
          #"{"request": "next", "outcome": "finished", "at": "21.05s"}"#,
          #"{"requests": {"host": "a:80", "opened": 2}, "at": "22s"}"#,
        ], config: #"{"total": 1, "long": 0, "platform": 1}"#))
  }

  private static let polled = #"""
    {"at": "0s", "request": {"id": "stream", "host": "a:80", "kind": "long", "policy": "poll"}}
    """#

  @Test("A polled stream whose next poll gets no slot keeps the run going to its end")
  func restBeforeATakenSlot() throws {
    try Self.expectPassed(
      Self.scenario(
        [
          Self.polled, #"{"at": "300ms", "dispatcher": {"do": "limit", "long": 1}}"#,
          #"{"at": "500ms", "request": {"id": "endless", "host": "a:80", "kind": "long"}}"#,
        ], expect: [#"{"request": "stream", "outcome": "held-back", "at": "61.06s"}"#],
        config: #"{"total": 1, "long": 0, "chargesWaiting": true}"#))
  }

  @Test("A polled stream whose next poll gets no connection keeps the run going to its end")
  func restBeforeATakenConnection() throws {
    try Self.expectPassed(
      Self.scenario(
        [
          #"{"at": "0s", "dispatcher": {"do": "limit", "long": 0}}"#, Self.polled,
          #"""
          {"at": "500ms", "request": {"id": "endless", "host": "a:80", "kind": "long",
           "pool": "own"}}
          """#,
        ], expect: [#"{"request": "stream", "outcome": "timed-out", "at": "61.06s"}"#],
        config: #"{"total": 2, "long": 1, "platform": 1}"#))
  }

  @Test("A polled stream whose connection has stalled keeps the run going to its end")
  func restBeforeAStalledConnection() throws {
    try Self.expectPassed(
      Self.scenario(
        [
          Self.polled,
          #"{"at": "500ms", "transport": {"host": "a:80", "become": "stall"}}"#,
        ], expect: [#"{"request": "stream", "outcome": "timed-out", "at": "61.06s"}"#],
        config: #"{"total": 1, "long": 0, "keepAlive": "5s"}"#))
  }

  @Test("A polled stream whose next poll needs a slow connection keeps the run going to its end")
  func restBeforeASlowConnection() throws {
    try Self.expectPassed(
      Self.scenario(
        [
          #"{"at": "0s", "request": {"id": "first", "host": "a:80"}}"#,
          #"""
          {"at": "2.5s", "request": {"id": "stream", "host": "a:80", "kind": "long",
           "policy": "poll", "poll": "10s", "timeout": "1s"}}
          """#,
        ], expect: [#"{"request": "stream", "outcome": "timed-out", "at": "13.51s"}"#],
        config: #"{"total": 1, "long": 0, "keepAlive": "1s"}"#,
        hosts: #""a:80": {"connect": "2s"}"#))
  }

  @Test("A stale answer does not delay an earlier poll")
  func pollsBeforeWhatIsStale() throws {
    try Self.expectPassed(
      Self.scenario(
        [
          #"""
          {"at": "0s", "request": {"id": "stream", "host": "a:80", "kind": "long",
           "policy": "poll"}}
          """#,
          #"{"at": "0s", "request": {"id": "given-up", "host": "a:80", "takes": "10s"}}"#,
          #"{"at": "0s", "request": {"id": "late", "host": "a:80", "takes": "30s"}}"#,
          #"{"at": "200ms", "cancel": "given-up"}"#,
        ],
        expect: [
          #"{"requests": {"host": "a:80", "opened": 8}, "at": "5.5s"}"#,
          #"{"request": "late", "outcome": "finished", "at": "30s"}"#,
        ], config: #"{"total": 4, "long": 0}"#, hosts: #""a:80": {}"#))
  }

  @Test("A polled stream whose deadline passed at rest in the background is not polled again")
  func deadlineInBackground() throws {
    try Self.expectPassed(
      Self.scenario(
        [
          #"""
          {"at": "0s", "request": {"id": "stream", "host": "a:80", "kind": "long",
           "policy": "poll", "deadline": "5s"}}
          """#,
          #"{"at": "500ms", "app": "background"}"#,
          #"{"at": "10s", "app": "foreground"}"#,
        ],
        expect: [
          #"{"request": "stream", "outcome": "deadline-exceeded", "polls": 1, "at": "10s"}"#,
          #"{"requests": {"host": "a:80", "opened": 1}}"#,
        ], config: #"{"total": 2, "long": 0}"#))
  }

  @Test("A slot that a timeout frees is not given to a request whose time is up at that instant")
  func nobodyStartsTooLate() throws {
    try Self.expectPassed(
      Self.scenario(
        [
          #"""
          {"at": "0s", "request": {"id": "slow", "host": "a:80", "takes": "1h", "timeout": "9s"}}
          """#,
          #"{"at": "1s", "request": {"id": "late", "host": "a:80", "deadline": "8s"}}"#,
          #"{"at": "2s", "request": {"id": "next", "host": "a:80"}}"#,
        ],
        expect: [
          #"{"request": "slow", "outcome": "timed-out", "at": "9s"}"#,
          #"{"request": "late", "outcome": "held-back", "at": "9s"}"#,
          #"{"request": "next", "outcome": "finished", "begins": "9s"}"#,
        ], config: #"{"total": 1, "long": 0}"#))
  }

  @Test("A raised long limit applies to connections that carry streams")
  func limitOverStreams() throws {
    let limit = { (long: Int) in #"{"at": "1s", "dispatcher": {"do": "limit", "long": \#(long)}}"# }
    let streams = ["one", "two", "three"].map {
      #"{"at": "2s", "request": {"id": "\#($0)", "host": "a:80", "kind": "long"}}"#
    }
    let hosts = #""a:80": {"streams": 3}"#
    let config = #"{"total": 4, "long": 2}"#
    try Self.expectPassed(
      Self.scenario(
        [limit(3)] + streams,
        expect: [
          #"{"request": "two", "admission": "starts-now"}"#,
          #"{"request": "three", "admission": "refused"}"#,
        ], config: config, hosts: hosts))
    try Self.expectPassed(
      Self.scenario(
        [limit(1)] + streams, expect: [#"{"request": "one", "admission": "refused"}"#],
        config: config, hosts: hosts))
  }

  @Test("Two spellings of one endpoint share its slots, for the checker as well")
  func spellings() throws {
    try Self.expectPassed(
      Self.scenario(
        [
          #"{"at": "0s", "request": {"id": "slow", "host": "a:80", "takes": "9s"}}"#,
          #"{"at": "1s", "request": {"id": "waits", "host": "A:80"}}"#,
        ], expect: [#"{"request": "waits", "admission": "waits", "begins": "9s"}"#],
        config: #"{"total": 1, "long": 0}"#, hosts: #""a:80": {}, "A:80": {}"#))
  }

  @Test("A command to a dispatcher without requests finds nothing of the run before")
  func dispatchersOfTheRunBefore() throws {
    let first = try Self.scenario([#"{"at": "0s", "request": {"id": "one", "host": "a:80"}}"#])
    for command in [#""do": "limit", "long": 1"#, #""do": "close""#] {
      let second = try Self.scenario([#"{"at": "0s", "dispatcher": {\#(command)}}"#])
      var worker = Worker(SimulatedBackend(), retaining: .digests)
      var fresh = Worker(SimulatedBackend(), retaining: .digests)
      _ = worker.run(first)
      let (after, alone) = (worker.run(second).cases[0], fresh.run(second).cases[0])
      #expect(after.verdict == .passed)
      #expect(after.digest == alone.digest)
    }
  }

  @Test("An event that arrived in the background is delivered once, however often the app returns")
  func isReceivedOnce() throws {
    let scenario = try Sample.scenario(
      timeline: [
        #"{"at": "0s", "request": {"id": "r", "host": "a:80", "kind": "long", "every": "3s"}}"#,
        #"{"at": "1s", "app": "background"}"#, #"{"at": "4s", "app": "foreground"}"#,
        #"{"at": "5s", "app": "background"}"#, #"{"at": "5.5s", "app": "foreground"}"#,
        #"{"at": "5.6s", "cancel": "r"}"#,
      ], profiles: [.urlDispatcher], hosts: #""a:80": {}"#, flags: #"["Reachable"]"#)
    var worker = Worker(SimulatedBackend(), retaining: .traces)
    let trace = try #require(worker.run(scenario).cases.first?.trace)
    #expect(trace.records.count { $0.body == .request(.received(request: 0)) } == 1)
  }
}
