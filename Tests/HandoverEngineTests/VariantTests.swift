import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

@Suite("Variants of the transport")
struct TransportVariantTests {
  static let upload = [
    #"{"at": "0s", "call": {"id": "s", "host": "a:1", "kind": "bidi"}}"#,
    #"{"at": "1s", "flags": ["Reachable"]}"#, #"{"at": "2s", "send": {"call": "s", "bytes": 1}}"#,
  ]

  static func run(
    _ timeline: [String] = upload, on profiles: [Profile],
    variants: [TransportVariant] = TransportVariant.standard, config: String = "{}"
  ) throws -> ScenarioResult {
    let scenario = try Sample.scenario(
      timeline: timeline, expect: [#"{"call": "s", "status": "OK"}"#], profiles: profiles,
      config: config)
    var worker = Worker(SimulatedBackend(), variants: variants)
    return worker.run(scenario)
  }

  @Test("Each variant runs on the profiles that support it, in the requested order")
  func order() throws {
    let result = try Self.run(on: [.sockets, .cfStream])
    #expect(result.cases.map(\.profile) == ["sockets", "cfstream"])
    #expect(
      result.variants.map { "\($0.profile) + \($0.variant?.name ?? "")" } == [
        "sockets + keepalive 10s/5s", "cfstream + keepalive 10s/5s",
        "sockets + TCP_USER_TIMEOUT 5s",
      ])
  }

  @Test("The expectations of the scenario are checked on the plain transport only")
  func judging() throws {
    let result = try Self.run(on: [.sockets])
    #expect(result.cases.map(\.verdict) == [.failed])
    #expect(result.cases[0].findings.count == 1)
    #expect(result.variants.allSatisfy { $0.verdict == .passed })
  }

  @Test("Variants end a stalled call sooner, and replace the scenario's own settings")
  func figures() throws {
    let result = try Self.run(on: [.sockets], config: #"{"tcpTimeout": "60s"}"#)
    #expect(result.cases[0].changeToEnd == [.seconds(61)])
    #expect(result.variants[0].changeToEnd[0] < .seconds(16))
    #expect(result.variants[1].changeToEnd == [.seconds(6)])
  }

  @Test("A call that only receives never ends without keepalive, and is counted")
  func neverEnded() throws {
    let result = try Self.run(
      [
        #"{"at": "0s", "call": {"id": "s", "host": "a:1", "kind": "streaming"}}"#, Self.upload[1],
      ], on: [.sockets])
    #expect(result.cases[0].neverEnded == 1)
    #expect(result.variants.map(\.neverEnded) == [0, 1])
    #expect(result.variants.map(\.changeToEnd.count) == [1, 0])
  }

  @Test("A variant pings without calls only if the scenario does", arguments: [false, true, nil])
  func pingsWithoutCalls(_ asked: Bool?) throws {
    let config = asked.map { #"{"keepalive": {"time": "1min", "withoutCalls": \#($0)}}"# } ?? "{}"
    let scenario = try Sample.scenario(timeline: Self.upload, config: config)
    let applied = TransportVariant.keepalive(time: .seconds(10), timeout: .seconds(5))
      .applied(to: scenario)
    let keepalive = try #require(applied.script.configuration.keepalive)
    #expect(keepalive.withoutCalls == (asked ?? false))
    #expect(keepalive.time == .seconds(10))
  }

  @Test("A failure on the plain transport keeps its own trace even if a variant fails too")
  func ownTrace() throws {
    let scenario = try Sample.scenario(
      timeline: Self.upload, expect: [#"{"call": "s", "status": "OK"}"#], profiles: [.sockets])
    func trace(_ variants: [TransportVariant]) throws -> ContiguousArray<TraceRecord> {
      var worker = Worker(BrokenOnVariants(leaves: ["a timer"]), variants: variants)
      let result = worker.run(scenario)
      #expect(result.variants.map(\.verdict) == variants.map { _ in .failed })
      return try #require(result.cases[0].trace).records
    }
    #expect(try trace([.userTimeout(.seconds(5))]) == trace([]))
  }

  @Test("A violation on a variant alone fails the plain case, and names the variant")
  func brokenRule() throws {
    let scenario = try Sample.scenario(timeline: Self.upload, profiles: [.sockets])
    var worker = Worker(
      BrokenOnVariants(leaves: []), variants: [.userTimeout(.seconds(5))])
    let result = worker.run(scenario)
    #expect(result.cases[0].verdict == .error)
    #expect(
      result.cases[0].findings.first?.expected.hasPrefix("with TCP_USER_TIMEOUT 5s: ") == true)
    var other = Worker(
      BrokenOnVariants(leaves: ["a timer"]), variants: [.userTimeout(.seconds(5))])
    let failed = other.run(scenario)
    #expect(failed.variants.map(\.verdict) == [.failed])
    #expect(failed.cases[0].verdict == .failed)
    #expect(failed.cases[0].brokenRules == [8])
  }
}

/// A backend that fails on a variant with a short TCP timeout, or leaves something behind there.
private struct BrokenOnVariants: Backend {
  let leaves: [String]

  var description: BackendDescription { SimulatedBackend().description }

  func makeSession() throws(BackendError) -> any BackendSession {
    try Session(leaves)
  }

  private final class Session: ForwardingSession {
    private let leaves: [String]
    private var isVariant = false

    init(_ leaves: [String]) throws(BackendError) {
      self.leaves = leaves
      try super.init()
    }

    override func open(
      _ script: Script, profile: Profile, into trace: inout Trace
    ) throws(BackendError) {
      isVariant = script.configuration.tcpTimeout < .seconds(10)
      if isVariant, leaves.isEmpty {
        throw BackendError(.backendFailed, "too soon")
      }
      try super.open(script, profile: profile, into: &trace)
    }

    override func close(
      at instant: Instant, into trace: inout Trace
    ) throws(BackendError) -> [String] {
      try super.close(at: instant, into: &trace) + (isVariant ? leaves : [])
    }
  }
}

@Suite("Known findings")
struct KnownFindingTests {
  static func result(_ verdict: Verdict) throws -> CaseResult {
    var result = try Sample.run(
      Sample.scenario(timeline: [#"{"at": "0s", "call": {"id": "s", "host": "a:1"}}"#]))
    result.verdict = verdict
    if verdict != .passed {
      result.findings = [
        Finding(
          kind: .expectation, verdict: verdict, expected: "a", seen: "b", at: nil, position: nil)
      ]
    }
    result.expectFailure(from: "known.txt:1")
    return result
  }

  @Test(
    "A known failure inverts the verdict",
    arguments: [
      (.passed, .failed), (.nonStrict, .failed), (.failed, .failedAsExpected),
      (.unsupported, .unsupported), (.error, .error),
    ] as [(Verdict, Verdict)])
  func verdicts(_ before: Verdict, _ after: Verdict) throws {
    let result = try Self.result(before)
    #expect(result.verdict == after)
    #expect(result.knownFailureLocation == "known.txt:1")
    #expect(result.findings.map(\.verdict).max() == after)
    let isUnexpected = result.findings.contains { $0.kind == .unexpectedPass }
    #expect(isUnexpected == (before < .unsupported))
  }
}
