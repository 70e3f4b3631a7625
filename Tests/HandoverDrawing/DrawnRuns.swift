import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation

/// Runs random scenarios one after the other in one process, and reports problems.
package struct DrawnRuns {
  /// Runs all scenarios, so that leftovers of one would affect the next.
  private var worker = Worker(SimulatedBackend(), retaining: .digests)

  /// Creates an object that has run nothing yet.
  package init() {}

  /// Runs a scenario twice: on a new worker, and on the worker that ran all others.
  ///
  /// - Returns: The problems, one line each; empty if there is none.
  package mutating func problems(of drawn: DrawnScenario) -> [String] {
    let (read, problems) = drawn.read()
    guard let scenario = read else { return problems.map { "not read: \($0)" } }
    var fresh = Worker(SimulatedBackend(), retaining: .digests)
    let alone = fresh.run(scenario).cases
    let after = worker.run(scenario).cases
    var wrong: [String] = []
    for (one, other) in zip(alone, after) {
      for finding in one.findings where !drawn.excuses(finding) {
        let at = finding.at.map { " at \($0.microseconds) us" } ?? ""
        wrong.append("\(one.profile): \(finding.expected)\(at): \(finding.seen)")
      }
      if !Self.areSame(one, other) {
        wrong.append("\(one.profile): comes out otherwise after other scenarios")
      }
    }
    return wrong
  }

  /// Whether two results are equal, down to the last record of their traces.
  private static func areSame(_ one: CaseResult, _ other: CaseResult) -> Bool {
    one.digest == other.digest && one.verdict == other.verdict && one.findings == other.findings
      && one.endedAt == other.endedAt && one.calls == other.calls
      && one.changeToEnd == other.changeToEnd && one.neverEnded == other.neverEnded
  }
}
