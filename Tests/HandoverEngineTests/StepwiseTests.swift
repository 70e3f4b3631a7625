import HandoverBackend
import HandoverCore
import HandoverScenario
import HandoverSimulation
import Testing

@testable import HandoverEngine

/// A checker that receives the records one by one.
@Suite("A run is checked record by record")
struct StepwiseTests {
  private static let backend = SimulatedBackend().description

  private static func gates() -> Gates {
    var gates = Gates()
    gates.maxHang = .seconds(5)
    return gates
  }

  /// Returns a checker before the first record of a trace, which it receives later.
  private static func judge(
    _ scenario: Scenario, _ profile: Profile, _ trace: Trace
  ) -> RunJudge {
    var judge = RunJudge()
    judge.begin(
      scenario, profile: profile, on: backend, within: gates(), keepsDecisions: true)
    judge.beginRecords(of: Trace(), scenario.script, under: profile, on: backend)
    judge.refer(to: trace)
    return judge
  }

  @Test(
    "Checking each record gives the result of checking the whole run, in every bundled scenario",
    arguments: NamedScenario.bundled)
  func bundled(_ named: NamedScenario) throws {
    var worker = Worker(SimulatedBackend(), retaining: [.traces, .decisions], gates: Self.gates())
    for result in worker.run(named.scenario).cases {
      let profile = try #require(Profile.named(result.profile))
      let trace = try #require(result.trace)
      var judge = Self.judge(named.scenario, profile, trace)
      for record in trace.records { judge.handle(record) }
      judge.finish(leaks: [])
      #expect(judge.held == result.satisfiedExpectations, "\(result.profile)")
      #expect(judge.outcomes == result.calls, "\(result.profile)")
      #expect(judge.hangs(within: Self.gates()) == result.hangs, "\(result.profile)")
      #expect(judge.obligations.expectations.isEmpty, "\(result.profile)")
      #expect(judge.findings.allSatisfy(result.findings.contains), "\(result.profile)")
    }
  }

  @Test("A violation is reported in the step that causes it", arguments: Tampering.all)
  func tampered(_ tampering: Tampering) throws {
    let scenario = try InvariantTests.scenario()
    var worker = Worker(TamperingBackend(tampering: tampering), retaining: .traces)
    let result = try #require(worker.run(scenario).cases.first)
    let trace = try #require(result.trace)
    var judge = Self.judge(scenario, .socketsMonitor, trace)
    var before = Instant.zero
    var reported = 0
    for record in trace.records {
      judge.handle(record)
      let new = judge.findings.filter { $0.isOfRule }
      for finding in new[reported...] {
        #expect(finding.at == before || finding.at == max(before, record.at), "\(finding)")
      }
      reported = new.count
      before = max(before, record.at)
    }
    judge.finish(leaks: tampering.leaks)
    #expect(judge.findings.filter { $0.isOfRule } == result.findings.filter { $0.isOfRule })
  }

  @Test("A run can be stopped at the first failure")
  func left() throws {
    let tampering = try #require(Tampering.all.first { $0.testDescription == "a call ends twice" })
    let scenario = try InvariantTests.scenario()
    let result = try Sample.run(scenario, on: TamperingBackend(tampering: tampering))
    let trace = try #require(result.trace)
    var judge = Self.judge(scenario, .socketsMonitor, trace)
    let last = trace.records.first { record in
      judge.handle(record)
      return judge.firstFailure != nil
    }
    #expect(judge.firstFailure == result.findings.first)
    #expect(last?.at == result.findings.first?.at)
  }

  @Test("Equal runs have equal pending obligations, which end with their step")
  func obligations() throws {
    let scenario = try Sample.scenario(
      timeline: [#"{"at": "0s", "call": {"id": "a", "host": "a:1"}}"#],
      expect: [#"{"monitor": {"notifications": 2}, "at": "2ms"}"#])
    let report = TraceRecord(
      at: .zero, body: .effect(.notify(CategoryChange(from: .unknown, to: .wifi))))
    let callback = TraceRecord(
      at: .zero, body: .event(.reachability(.callback([.reachable]))))
    var trace = Trace()
    trace.endpointHosts = [0]
    var (one, other) = (
      Self.judge(scenario, .socketsMonitor, trace), Self.judge(scenario, .socketsMonitor, trace)
    )
    #expect(one.obligations == other.obligations)
    #expect(one.obligations.hashValue == other.obligations.hashValue)
    #expect(one.obligations.expectations == [0])
    one.handle(callback)
    #expect(one.obligations != other.obligations)
    other.handle(callback)
    #expect(one.obligations == other.obligations)
    one.handle(report)
    #expect(one.obligations != other.obligations)
    other.handle(report)
    #expect(one.obligations == other.obligations)
    one.stepIsOver()
    #expect(one.obligations != other.obligations)
    other.handle(TraceRecord(at: .zero, body: .world(.deviceMoved(nil))))
    #expect(one.obligations == other.obligations)
    one.handle(
      TraceRecord(at: Instant(microseconds: 3_000), body: .world(.deviceMoved(nil))))
    #expect(one.obligations.expectations == [])
    #expect(one.firstFailure?.kind == .expectation)
  }
}

extension Finding {
  fileprivate var isOfRule: Bool { if case .invariant = kind { true } else { false } }
}
