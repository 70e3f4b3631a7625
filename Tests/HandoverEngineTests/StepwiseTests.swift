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

  @Test("A violation is reported in the step that causes it", arguments: Tampering.all)
  func tampered(_ tampering: Tampering) throws {
    let scenario = try InvariantTests.scenario()
    var worker = Worker(TamperingBackend(tampering: tampering), retaining: .traces)
    let result = try #require(worker.run(scenario).cases.first)
    let trace = try #require(result.trace)
    var judge = RunJudge()
    judge.begin(
      scenario, profile: .socketsMonitor, on: Self.backend, within: Gates(), keepsDecisions: true)
    judge.beginRecords(of: trace, scenario.script, under: .socketsMonitor, on: Self.backend)
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
}

extension Finding {
  fileprivate var isOfRule: Bool { if case .invariant = kind { true } else { false } }
}
