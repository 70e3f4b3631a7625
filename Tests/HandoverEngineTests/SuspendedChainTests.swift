import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

/// Events that interceptors forward in the instant of a suspension reach the client when it runs
/// again.
@Suite("Interceptors and a suspension at one instant")
struct SuspendedChainTests {
  private static func scenario(
    _ timeline: [String], expect: [String], seed: Int = 1
  ) throws -> Scenario {
    try Sample.scenario(
      timeline: timeline, expect: expect, profiles: [.sockets, .socketsMonitor],
      config: """
        {"interceptors": [{"kind": "forward"}], "chain": {"turns": "drawn"}, "seed": \(seed)}
        """)
  }

  private static func expectPassed(
    _ scenario: Scenario, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for profile in scenario.profiles {
      var worker = Worker(SimulatedBackend())
      let result = try #require(worker.run(scenario, on: [profile]).cases.first)
      let findings = result.findings.map { "\($0.expected): \($0.seen)" }.joined(separator: "\n")
      #expect(result.verdict == .passed, "\(findings)", sourceLocation: sourceLocation)
    }
  }

  private static let suspended = [
    #"{"at": "1s", "app": "background"}"#, #"{"at": "5s", "app": "foreground"}"#,
  ]

  @Test("Calls that start as the app is suspended are sent on return", arguments: 1...8)
  func starts(_ seed: Int) throws {
    let calls = ["one", "two", "three"].map {
      #"{"at": "1s", "call": {"id": "\#($0)", "host": "a:1"}}"#
    }
    try Self.expectPassed(
      Self.scenario(
        calls + Self.suspended,
        expect: [
          #"{"server": {"host": "a:1", "received": 0}, "at": "4s"}"#,
          #"{"call": "one", "status": "OK", "at": "5.06s"}"#,
          #"{"call": "two", "status": "OK", "at": "5.06s"}"#,
          #"{"call": "three", "status": "OK", "at": "5.06s"}"#,
        ], seed: seed))
  }

  @Test("If the app never returns, its calls end with the client", arguments: 1...8)
  func neverReturns(_ seed: Int) throws {
    let calls = ["one", "two", "three"].map {
      #"{"at": "1s", "call": {"id": "\#($0)", "host": "a:1"}}"#
    }
    try Self.expectPassed(
      Self.scenario(
        calls + Self.suspended.prefix(1),
        expect: [#"{"server": {"host": "a:1", "received": 0}}"#], seed: seed))
  }

  @Test("Events that follow a delayed start are sent after it on return", arguments: 1...8)
  func messages(_ seed: Int) throws {
    let timeline = [
      #"{"at": "1s", "call": {"id": "one", "host": "a:1", "kind": "bidi", "takes": "1s"}}"#,
      #"{"at": "1s", "send": {"call": "one", "bytes": 10}}"#,
      #"{"at": "1s", "finish": "one"}"#,
      #"{"at": "1s", "call": {"id": "two", "host": "a:1"}}"#,
    ]
    try Self.expectPassed(
      Self.scenario(
        timeline + Self.suspended,
        expect: [
          #"{"call": "one", "status": "OK", "at": "6.05s"}"#,
          #"{"call": "two", "status": "OK", "at": "5.06s"}"#,
        ], seed: seed))
  }

  @Test("A call that is cancelled as the app is suspended ends, and is never sent")
  func cancelled() throws {
    let timeline = [
      #"{"at": "1s", "call": {"id": "one", "host": "a:1"}}"#,
      #"{"at": "1s", "cancel": "one"}"#,
      #"{"at": "1s", "call": {"id": "two", "host": "a:1"}}"#,
    ]
    try Self.expectPassed(
      Self.scenario(
        timeline + Self.suspended,
        expect: [
          #"{"call": "one", "status": "CANCELLED"}"#,
          #"{"call": "two", "status": "OK", "at": "5.06s"}"#,
        ]))
  }

  @Test(
    "Nothing is sent for a call that ended before its delayed events are sent", arguments: 1...8)
  func endedMeanwhile(_ seed: Int) throws {
    let before = [
      #"{"at": "0s", "call": {"id": "stream", "host": "a:1", "kind": "bidi"}}"#,
      #"{"at": "1s", "call": {"id": "held", "host": "a:1"}}"#,
      #"{"at": "1s", "app": "background"}"#,
      #"{"at": "2s", "flags": ["Reachable"]}"#,
      #"{"at": "5s", "app": "foreground"}"#,
      #"{"at": "5s", "send": {"call": "stream", "bytes": 9}}"#,
    ]
    let scenario = try Self.scenario(
      before, expect: [#"{"call": "held", "after": "4s"}"#], seed: seed)
    try Self.expectPassed(scenario)
  }

  @Test("A run that ends while an interceptor waits for an answer leaves no interceptor behind")
  func neverAnswered() throws {
    for (config, event) in [
      (#""until": "1s","#, #""path": "wifi""#), ("", #""app": "background""#),
    ] {
      let scenario = try Sample.scenario(
        timeline: [
          #"{"at": "0s", "call": {"id": "one", "host": "a:1"}}"#, #"{"at": "1s", \#(event)}"#,
        ], expect: [#"{"never": {"call": "one"}}"#],
        config: #"{\#(config) "interceptors": [{"kind": "token", "takes": "3s"}]}"#)
      let result = try Sample.run(scenario)
      #expect(result.findings == [])
    }
  }

  @Test("A run that ends in the background leaves no interceptor behind")
  func neverReturns() throws {
    let timeline = [
      #"{"at": "1s", "call": {"id": "one", "host": "a:1"}}"#,
      #"{"at": "1s", "call": {"id": "two", "host": "a:1"}}"#,
      #"{"at": "1s", "app": "background"}"#,
    ]
    try Self.expectPassed(
      Self.scenario(
        timeline, expect: [#"{"never": {"call": "one"}}"#, #"{"never": {"call": "two"}}"#]))
  }
}
