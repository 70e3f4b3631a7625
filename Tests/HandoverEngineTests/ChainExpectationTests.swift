import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

/// A run with interceptors whose every detail is known.
///
/// | when | what |
/// |---|---|
/// | 0s | `call` goes through `first`, which changes everything, and `gate`; OK at 60ms |
/// | 1s | `other` does the same |
/// | 2s | `old` does not use interceptors |
enum KnownChains {
  static let timeline = [
    #"{"at": "0s", "call": {"id": "call", "host": "a:1"}}"#,
    #"{"at": "1s", "call": {"id": "other", "host": "a:1"}}"#,
    #"{"at": "2s", "call": {"id": "old", "host": "a:1", "legacy": true}}"#,
  ]
  static let config = """
    {"interceptors": [
    {"kind": "rewrite", "name": "first", "host": "b:1", "path": "/new.Service/Call",
     "metadata": {"key": "value"}, "trailers": {"last": "word"}},
    {"kind": "gate"}]}
    """

  static func run(expecting expectations: String...) throws -> CaseResult {
    try Sample.run(
      try Sample.scenario(
        timeline: timeline, expect: expectations,
        hosts: #""a:1": {"connect": "50ms"}, "b:1": {"connect": "50ms"}"#,
        config: config.split(separator: "\n").joined()))
  }
}

@Suite("Expectations about chains")
struct ChainExpectationTests {
  static let chains: [Row] =
    Row.holds(
      #"{"chain": {"call": "call", "attempts": 1}}"#,
      #"{"chain": {"call": "call", "links": ["first", "gate"]}}"#,
      #"{"chain": {"call": "call", "host": "b:1", "path": "/new.Service/Call"}}"#,
      #"{"chain": {"call": "call", "metadata": {"key": "value"}}}"#,
      #"{"chain": {"call": "call", "sent": ["request"], "heard": ["answer"]}}"#,
      #"{"chain": {"call": "call", "trailers": {"last": "word"}, "breaks": []}}"#,
      #"{"chain": {"call": "other", "attempts": 0, "links": [], "heard": []}, "at": "0s"}"#,
      #"{"chain": {"call": "old", "attempts": 0, "links": [], "heard": []}}"#)
    + Row.fails(
      #"{"chain": {"call": "call", "attempts": 2}}"#,
      #"{"chain": {"call": "call", "links": ["gate", "first"]}}"#,
      #"{"chain": {"call": "call", "links": ["first"]}}"#,
      #"{"chain": {"call": "call", "host": "a:1"}}"#,
      #"{"chain": {"call": "call", "path": "/example.Service/Call"}}"#,
      #"{"chain": {"call": "call", "metadata": {"key": "other"}}}"#,
      #"{"chain": {"call": "call", "sent": []}}"#,
      #"{"chain": {"call": "call", "heard": ["answer", "answer"]}}"#,
      #"{"chain": {"call": "call", "trailers": {"last": "other"}}}"#,
      #"{"chain": {"call": "call", "breaks": ["finished-twice"]}}"#)

  private static func chain(
    attempts: Int = 1, links: String = #"["first", "gate"]"#, host: String = "b:1",
    path: String = "/new.Service/Call", key: String = "value", sent: String = "request",
    received: String = "answer", last: String = "word", breaks: String = "[]"
  ) -> String {
    #"{"chain": {"call": "call", "attempts": \#(attempts), "links": \#(links), "#
      + #""host": "\#(host)", "path": "\#(path)", "metadata": {"key": "\#(key)"}, "#
      + #""sent": ["\#(sent)"], "heard": ["\#(received)"], "trailers": {"last": "\#(last)"}, "#
      + #""breaks": \#(breaks)}}"#
  }

  /// In each expectation one part is wrong, and all others are right.
  static let oneWrong: [Row] =
    Row.holds(chain())
    + Row.fails(
      chain(attempts: 2), chain(links: #"["first"]"#), chain(host: "a:1"),
      chain(path: "/example.Service/Call"), chain(key: "other"), chain(sent: "answer"),
      chain(received: "request"), chain(last: "other"), chain(breaks: #"["finished-twice"]"#))

  static let links: [Row] =
    Row.holds(
      #"{"interceptor": {"name": "gate", "call": "call", "made": true}}"#,
      #"{"interceptor": {"name": "gate", "call": "old", "made": false, "sees": []}}"#,
      #"{"interceptor": {"name": "gate", "call": "call", "sees": \#(gateSees), "breaks": []}}"#,
      #"{"interceptor": {"name": "gate", "made": true}}"#,
      #"{"interceptor": {"name": "gate", "call": "other", "made": false}, "at": "0s"}"#)
    + Row.fails(
      #"{"interceptor": {"name": "gate", "call": "call", "made": false}}"#,
      #"{"interceptor": {"name": "gate", "call": "old", "made": true}}"#,
      #"{"interceptor": {"name": "gate", "call": "call", "sees": ["start"]}}"#,
      #"{"interceptor": {"name": "gate", "call": "call", "made": false, "sees": \#(gateSees)}}"#,
      #"{"interceptor": {"name": "gate", "call": "call", "made": true, "sees": []}}"#,
      #"{"never": {"interceptor": {"name": "gate", "made": true, "breaks": []}}}"#,
      // Both calls together observe twice as much.
      #"{"interceptor": {"name": "gate", "sees": \#(gateSees)}}"#)

  private static let gateSees =
    #"["start", "write", "finish", "write-done", "metadata", "message", "close"]"#

  @Test(
    "An expectation passes or fails as the known run requires", arguments: chains + oneWrong + links
  )
  func row(_ row: Row) throws {
    let result = try KnownChains.run(expecting: row.expectation)
    #expect(result.brokenRules == [])
    #expect(result.verdict == (row.holds ? .passed : .failed), "\(result.findings)")
  }

  @Test(
    "Hosts and paths with spaces are compared as a whole",
    arguments: [
      (#"{"chain": {"call": "call", "host": "my b:1", "path": "/chat Chat/Join"}}"#, true),
      (#"{"never": {"chain": {"call": "call", "path": "Chat/Join"}}}"#, true),
      (#"{"never": {"chain": {"call": "call", "host": "my"}}}"#, true),
      (#"{"never": {"chain": {"call": "call", "path": "/chat Chat/Join"}}}"#, false),
      (#"{"chain": {"call": "call", "path": "Chat/Join"}}"#, false),
    ])
  func spaces(expectation: String, holds: Bool) throws {
    let result = try Sample.run(
      try Sample.scenario(
        timeline: [
          #"{"at": "0s", "call": {"id": "call", "host": "my b:1", "path": "/chat Chat/Join"}}"#
        ], expect: [expectation], hosts: #""my": {}, "my b:1": {"connect": "50ms"}"#,
        config: #"{"interceptors": [{"kind": "logging"}]}"#))
    #expect(result.verdict == (holds ? .passed : .failed), "\(result.findings)")
  }

  @Test("Both texts of a finding escape invisible characters of names in the same way")
  func invisible() throws {
    let result = try Sample.run(
      try Sample.scenario(
        timeline: [
          #"{"at": "0s", "call": {"id": "call", "host": "a:1", "path": "/\u202eChat"}}"#
        ], expect: [#"{"chain": {"call": "call", "path": "/\u202eJoin"}}"#],
        config: #"{"interceptors": [{"kind": "logging"}]}"#))
    let finding = try #require(result.findings.first)
    #expect(finding.expected.contains(#"/\u{202e}Join"#), "\(finding)")
    #expect(finding.seen.contains(#"/\u{202e}Chat"#), "\(finding)")
  }

  @Test("A long list of interceptors is shortened in a finding")
  func longLists() throws {
    let names = (0..<100).map { "\($0)" + String(repeating: "x", count: 150) }
    let links = names.map { #"{"kind": "logging", "name": "\#($0)"}"# }
    let result = try Sample.run(
      try Sample.scenario(
        timeline: [#"{"at": "0s", "call": {"id": "call", "host": "a:1"}}"#],
        expect: [#"{"chain": {"call": "call", "links": []}}"#],
        config: #"{"interceptors": [\#(links.joined(separator: ", "))]}"#))
    let seen = try #require(result.findings.first?.seen)
    #expect(seen.utf8.count < 4_200 && seen.hasSuffix(" more"), "\(seen)")
  }

  @Test("An expectation about a chain fails in a run without interceptors, with that reason")
  func without() throws {
    var scenario = try Sample.scenario(
      timeline: [#"{"at": "0s", "call": {"id": "call", "host": "a:1"}}"#],
      expect: [#"{"chain": {"call": "call", "attempts": 1}}"#],
      config: #"{"interceptors": [{"kind": "gate"}]}"#)
    // The reader refuses such a scenario. If a program creates one, the verdict reports it.
    scenario.script.configuration.chain.links = []
    let result = try Sample.run(scenario)
    #expect(result.findings.map(\.seen) == ["the run has no interceptors"])
  }

  @Test("A failed expectation lists the sent messages, or none")
  func words() throws {
    let result = try KnownChains.run(
      expecting: #"{"chain": {"call": "call", "sent": ["x"], "heard": ["y", "z"]}}"#,
      #"{"chain": {"call": "old", "sent": ["x"], "heard": ["y", "z"]}}"#)
    #expect(
      result.findings.map(\.expected) == [
        #"the chain of call "call" sends "x" and gives the user "y" and "z""#,
        #"the chain of call "old" sends "x" and gives the user "y" and "z""#,
      ])
    #expect(
      result.findings.map(\.seen) == [
        #"sending "request", giving the user "answer""#,
        "sending nothing, giving the user nothing",
      ])
  }

  @Test(
    "Expected violations of an interceptor apply to their own scenario, and not to the next one")
  func violations() throws {
    let timeline = [
      #"{"at": "0s", "call": {"id": "a", "host": "a:1", "kind": "bidi", "takes": "1s"}}"#,
      #"{"at": "2s", "finish": "a"}"#, #"{"at": "2s", "finish": "a"}"#,
    ]
    let config = #"{"interceptors": [{"kind": "gate"}]}"#
    let named = try Sample.scenario(
      timeline: timeline, expect: [#"{"chain": {"call": "a", "breaks": ["finished-twice"]}}"#],
      config: config)
    let unnamed = try Sample.scenario(timeline: timeline, config: config)
    var worker = Worker(SimulatedBackend())
    #expect(worker.run(named).cases.map(\.verdict) == [.passed])
    #expect(worker.run(unnamed).cases.map(\.brokenRules) == [[9]])
  }

  @Test("A violation that must never occur is counted over all calls together")
  func neverBreaks() throws {
    func verdict(_ breaks: String) throws -> Verdict {
      let leaves = #"["close-not-forwarded", "next-left-running"]"#
      let scenario = try Sample.scenario(
        timeline: ["a", "b"].map {
          #"{"at": "0s", "call": {"id": "\#($0)", "host": "a:1", "kind": "bidi"}}"#
        }
          + ["a", "b"].map {
            #"{"at": "1s", "interceptor": {"name": "gate", "call": "\#($0)", "do": "shut-down"}}"#
          },
        expect: [
          #"{"never": {"interceptor": {"name": "gate", "breaks": \#(breaks)}}}"#,
          #"{"interceptor": {"name": "gate", "call": "a", "breaks": \#(leaves)}}"#,
          #"{"interceptor": {"name": "gate", "call": "b", "breaks": \#(leaves)}}"#,
        ],
        config: #"{"interceptors": [{"kind": "forward"}, {"kind": "gate"}], "#
          + #""chain": {"cancel": "close"}}"#)
      return try Sample.run(scenario).verdict
    }
    let twice =
      #"["close-not-forwarded", "next-left-running", "close-not-forwarded", "next-left-running"]"#
    #expect(try verdict(twice) == .failed)
    #expect(try verdict(#"["closed-twice"]"#) == .passed)
  }

  @Test(
    "Each part of a chain can be what must never happen",
    arguments: [
      #""attempts": 1"#, #""links": ["gate"]"#, #""host": "a:1""#, #""path": "/sample""#,
      #""sent": []"#, #""heard": []"#, #""breaks": []"#, #""metadata": {"own": "1"}"#,
    ])
  func neverPart(part: String) throws {
    let scenario = try Sample.scenario(
      timeline: [
        #"{"at": "0s", "call": {"id": "call", "host": "a:1", "kind": "bidi", "#
          + #""path": "/sample", "metadata": {"own": "1"}}}"#
      ],
      expect: [#"{"never": {"chain": {"call": "call", \#(part)}}}"#],
      config: #"{"interceptors": [{"kind": "gate"}]}"#)
    #expect(try Sample.run(scenario).verdict == .failed)
  }

  @Test("An expectation that something never happens passes only if it did not happen")
  func neverHeld() throws {
    let scenario = try Sample.scenario(
      timeline: [#"{"at": "0s", "call": {"id": "call", "host": "a:1"}}"#],
      expect: (0..<3).map { #"{"never": {"chain": {"call": "call", "attempts": \#($0 + 1)}}}"# },
      config: #"{"interceptors": [{"kind": "gate"}]}"#)
    var worker = Worker(SimulatedBackend(), retaining: .decisions)
    #expect(worker.run(scenario).cases.map(\.satisfiedExpectations) == [[1, 2]])
  }
}
