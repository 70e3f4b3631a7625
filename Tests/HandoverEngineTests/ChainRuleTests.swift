import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

/// Tests of invariant 9, which holds in every run with interceptors.
///
/// Each test breaks one part of a correct trace.
@Suite("Invariants of chains in every run")
struct ChainRuleTests {
  private static let config = #"{"interceptors": [{"kind": "gate"}]}"#
  private static let timeline = [
    #"{"at": "0s", "call": {"id": "a", "host": "a:1", "kind": "bidi", "takes": "1s"}}"#,
    #"{"at": "1s", "send": {"call": "a", "bytes": 1}}"#, #"{"at": "2s", "finish": "a"}"#,
  ]

  static func scenario() throws -> Scenario {
    try Sample.scenario(timeline: timeline, config: config)
  }

  private static func end(_ records: Records) -> Int {
    records.first { if case .chain(.closed) = $0 { true } else { false } }
  }

  private static func after(
    _ what: String, _ fact: ChainFact, _ index: @escaping @Sendable (Records) -> Int = end
  ) -> Tampering {
    Tampering(9, what) { records in
      let index = index(records)
      let late = TraceRecord(at: records.all[index].at, body: .chain(fact))
      records.all.insert(late, at: index + 1)
    }
  }

  static let tamperings = [
    after("a user receives a second end", .closed(call: 0, CallEnd(.ok, .empty))),
    after("a user receives something after the end", .received(call: 0, .message, text: 0)),
    after("a message is sent after the end", .sentMessage(call: 0, text: 0)),
    after("another attempt begins after the end", .attempted(call: 0, target: 0)),
    after("a link breaks a rule", .broke(call: 0, link: 0, .nextLeftRunning)),
    after("the user breaks a rule", .broke(call: 0, link: ChainFact.ownLink, .finishedTwice)),
    after("two attempts live at a time", .attempted(call: 0, target: 0)) { records in
      records.first { $0 == .chain(.took(call: 0, link: 0, .write)) }
    },
  ]

  @Test("A scripted interceptor that forwards a close drops the messages held behind it")
  func gateBehindAClose() throws {
    let scenario = try Sample.scenario(
      timeline: [
        #"{"at": "0s", "call": {"id": "a", "host": "a:1", "kind": "bidi"}}"#,
        #"{"at": "1s", "interceptor": {"name": "gate", "call": "a", "do": "hold"}}"#,
        #"{"at": "2s", "server": {"host": "a:1", "do": "reset"}}"#,
        #"{"at": "3s", "send": {"call": "a", "bytes": 1}}"#,
        #"{"at": "4s", "interceptor": {"name": "gate", "call": "a", "do": "release"}}"#,
      ], config: #"{"interceptors": [{"kind": "gate"}]}"#)
    let result = try Sample.run(scenario)
    #expect(result.brokenRules == [])
    #expect(result.calls.first?.end?.code == .unavailable)
  }

  @Test(
    "A missing action of an interceptor is reported at the end of the instant"
  )
  func debtsAreReportedInTime() throws {
    let scenario = try Sample.scenario(
      timeline: [
        #"{"at": "0s", "call": {"id": "a", "host": "a:1", "kind": "bidi"}}"#,
        #"{"at": "1s", "interceptor": {"name": "gate", "call": "a", "do": "hold"}}"#,
        #"{"at": "2s", "cancel": "a"}"#,
        #"{"at": "5s", "call": {"id": "b", "host": "a:1", "takes": "1s"}}"#,
        #"{"at": "10s", "interceptor": {"name": "gate", "call": "a", "do": "release"}}"#,
      ], config: #"{"interceptors": [{"kind": "retry", "calls": "any"}, {"kind": "gate"}]}"#)
    let result = try Sample.run(scenario)
    #expect(result.brokenRules == [9])
    let at = try #require(result.findings.first?.at)
    #expect(try at < Instant("10s"))
  }

  @Test("A missing action of an interceptor is reported even if the run is cut off")
  func debtsOfARunThatIsCutOff() throws {
    let scenario = try Sample.scenario(
      timeline: [
        #"{"at": "0s", "call": {"id": "a", "host": "a:1", "kind": "bidi"}}"#,
        #"{"at": "1s", "interceptor": {"name": "gate", "call": "a", "do": "hold"}}"#,
        #"{"at": "2s", "cancel": "a"}"#,
        #"{"at": "3s", "call": {"id": "b", "host": "a:1", "kind": "bidi", "deadline": "1min"}}"#,
      ], config: #"{"until": "5s", "interceptors": [{"kind": "gate"}]}"#)
    let result = try Sample.run(scenario)
    let owed = result.findings.filter { $0.seen.hasPrefix("\"gate\" never forwards the close") }
    #expect(owed.map(\.at) == [try Instant("5s")])
  }

  @Test("Each broken part is detected", arguments: tamperings)
  func detected(tampering: Tampering) throws {
    let scenario = try Self.scenario()
    #expect(try Sample.run(scenario).verdict == .passed)
    let result = try Sample.run(scenario, on: TamperingBackend(tampering: tampering))
    #expect(result.brokenRules.contains(tampering.rule))
    #expect(result.verdict == .failed)
  }

  @Test("Entries of one instant run in random order, and every order satisfies the invariants")
  func drawnTurns() throws {
    let timeline = [
      #"{"at": "0s", "call": {"id": "a", "host": "a:1", "kind": "bidi"}}"#,
      #"{"at": "0s", "send": {"call": "a", "bytes": 1}}"#, #"{"at": "0s", "cancel": "a"}"#,
    ]
    var digests: Set<Digest> = []
    for seed in 0..<20 {
      let config = """
        {"interceptors": [{"kind": "gate"}, {"kind": "forward"}, {"kind": "forward", "name": "c"}],
         "chain": {"turns": "drawn"}, "seed": \(seed)}
        """
      let scenario = try Sample.scenario(
        timeline: timeline,
        expect: [
          #"{"call": "a", "status": "CANCELLED", "at": "0s"}"#,
          #"{"chain": {"call": "a", "attempts": 1, "sent": ["m"]}}"#,
        ], config: config)
      var worker = Worker(SimulatedBackend(), retaining: .digests)
      let result = try #require(worker.run(scenario).cases.first)
      #expect(result.verdict == .passed, "seed \(seed): \(result.findings)")
      digests.insert(try #require(result.digest))
    }
    #expect(digests.count > 5)
  }

  @Test("User actions out of order fail the run, unless the chain's `breaks` names them")
  func outOfOrder() throws {
    let timeline = Self.timeline + [#"{"at": "2s", "finish": "a"}"#]
    let unexpected = try Sample.scenario(timeline: timeline, config: Self.config)
    #expect(try Sample.run(unexpected).verdict == .failed)
    let breaks = #"{"chain": {"call": "a", "breaks": ["finished-twice"]}}"#
    let expected = try Sample.scenario(
      timeline: timeline, expect: [breaks], config: Self.config)
    #expect(try Sample.run(expected).verdict == .passed)
    let other = try Sample.scenario(
      timeline: timeline, expect: [#"{"chain": {"call": "a", "breaks": []}}"#],
      config: Self.config)
    let findings = try Sample.run(other).findings
    #expect(
      findings.map(\.expected).contains(#"the chain of call "a" has a user that violates no rule"#))
    #expect(findings.map(\.seen).contains("the user violated finished-twice"))
  }

  @Test("Expected violations of a scenario apply to variants of the transport too")
  func variants() throws {
    let scenario = try Sample.scenario(
      timeline: Self.timeline + [#"{"at": "2s", "finish": "a"}"#],
      expect: [#"{"chain": {"call": "a", "breaks": ["finished-twice"], "attempts": 7}}"#],
      profiles: [.sockets], config: Self.config)
    var worker = Worker(SimulatedBackend(), variants: TransportVariant.standard)
    let result = worker.run(scenario)
    #expect(!result.variants.isEmpty)
    #expect(result.variants.allSatisfy { $0.verdict == .passed })
  }

  @Test("An answer that comes before an interceptor has started the call loses no held event")
  func answerBeforeStart() throws {
    let scenario = try Sample.scenario(
      timeline: [
        #"""
        {"at": "0s", "call": {"id": "c", "host": "a:1", "kind": "client-streaming", "deadline": "10s"}}
        """#,
        #"{"at": "1s", "interceptor": {"name": "g", "call": "c", "do": "message"}}"#,
        #"{"at": "5s", "finish": "c"}"#,
      ],
      expect: [#"{"call": "c", "status": "DEADLINE_EXCEEDED", "at": "13s"}"#],
      // The server sends no answer after the one that the gate made up.
      hosts: #""a:1": {"server": "silent"}"#,
      config: #"""
        {"interceptors": [{"kind": "token", "takes": "3s"}, {"kind": "gate", "name": "g"}]}
        """#)
    let result = try Sample.run(scenario)
    #expect(result.brokenRules == [])
    #expect(result.verdict == .passed)
  }

  @Test("The trace contains the omitted interceptors, and everything that a user receives")
  func reported() throws {
    let scenario = try Sample.scenario(
      timeline: [#"{"at": "0s", "call": {"id": "a", "host": "a:1"}}"#],
      config: #"{"interceptors": [{"kind": "none"}, {"kind": "forward"}]}"#)
    var worker = Worker(SimulatedBackend(), retaining: .traces)
    let trace = try #require(worker.run(scenario).cases.first?.trace)
    var skipped: [UInt32] = []
    var received: [ChainStep] = []
    for record in trace.records {
      switch record.body {
      case .chain(.linkSkipped(_, let link)): skipped.append(UInt32(link))
      case .chain(.received(_, let step, _)): received.append(step)
      default: break
      }
    }
    #expect(skipped == [0])
    #expect(received == [.writeDone, .metadata, .message])
  }
}
