import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation

/// Plays drawn scenarios one after the other, as one process does, and says what is wrong.
package struct DrawnRuns {
  /// Plays all of them, so that what one leaves behind meets the next.
  private var worker = Worker(SimulatedBackend(), keeps: .digests)

  /// Makes one that has played nothing.
  package init() {}

  /// Plays a scenario, on a worker of its own and after all others.
  ///
  /// - Returns: what is wrong, one line for each; nothing where all is well.
  package mutating func problems(of drawn: DrawnScenario) -> [String] {
    let (read, problems) = drawn.read()
    guard let scenario = read else { return problems.map { "not read: \($0)" } }
    var fresh = Worker(SimulatedBackend(), keeps: .digests)
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

  /// Whether two cases came out alike, to the last record of their traces.
  private static func areSame(_ one: CaseResult, _ other: CaseResult) -> Bool {
    one.digest == other.digest && one.verdict == other.verdict && one.findings == other.findings
      && one.endedAt == other.endedAt && one.calls == other.calls
      && one.changeToEnd == other.changeToEnd && one.neverEnded == other.neverEnded
  }
}
