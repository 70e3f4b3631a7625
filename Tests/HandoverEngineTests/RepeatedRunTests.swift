import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

@Suite("Repeated runs")
struct RepeatedRunTests {
  /// The part of a result that must not depend on earlier runs of the worker.
  private struct Outcome: Equatable {
    var verdict: Verdict
    var findings: [Finding]
    var calls: [CallOutcome]
    var changeToEnd: [Interval]
    var neverEnded: Int
    var endedAt: Instant
    var coverage: ObservedCoverage
    var trace: Trace?

    init(_ result: CaseResult) {
      verdict = result.verdict
      findings = result.findings
      calls = result.calls
      changeToEnd = result.changeToEnd
      neverEnded = result.neverEnded
      endedAt = result.endedAt
      coverage = result.coverage
      trace = result.trace
    }
  }

  @Test("Earlier runs of a worker, of the same scenario or another, leave nothing behind")
  func nothingStays() {
    var worker = Worker(SimulatedBackend(), retaining: .traces)
    #expect(!Bundled.scenarios.isEmpty)
    for scenario in Bundled.scenarios {
      var fresh = Worker(SimulatedBackend(), retaining: .traces)
      let alone = fresh.run(scenario).cases.map(Outcome.init)
      for _ in 1...2 {
        #expect(worker.run(scenario).cases.map(Outcome.init) == alone, "\(scenario.id)")
      }
      for (profile, outcome) in zip(scenario.profiles, alone) {
        // Twice on one profile: the second run reuses the client.
        for _ in 1...2 {
          let again = worker.run(scenario, on: [profile]).cases[0]
          #expect(again.trace == outcome.trace, "\(scenario.id) on \(profile.name)")
          #expect(again.calls == outcome.calls, "\(scenario.id) on \(profile.name)")
          #expect(again.coverage == outcome.coverage, "\(scenario.id) on \(profile.name)")
        }
      }
    }
  }
}
