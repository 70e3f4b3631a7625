import Foundation
import HandoverDrawing
import Testing

/// Random scenarios of every kind, generated from a seed, parsed by the reader and run in the
/// simulation.
///
/// HANDOVER_DRAWN_SEED and HANDOVER_DRAWN_COUNT select other scenarios and their number.
@Suite("Random scenarios")
struct DrawnScenarioTests {
  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
  }

  private static let seed = number("HANDOVER_DRAWN_SEED") ?? 1
  private static let count = number("HANDOVER_DRAWN_COUNT") ?? 300

  @Test(
    "Random scenarios end as predicted, violate no invariant, and have the same result after others"
  )
  func drawn() {
    var runs = DrawnRuns()
    for seed in Self.seed..<Self.seed + Self.count {
      let scenario = DrawnScenario(seed: seed)
      let problems = runs.problems(of: scenario)
      #expect(problems == [], "drawn from \(seed)\n\(scenario.text)")
    }
  }
}
