import HandoverBackend
import HandoverCore
import HandoverScenario
import HandoverTrace

/// Entries that were played too late in real time.
///
/// The run was another than the scenario's then, and says nothing about it: it is played once more.
enum LateEntry {
  /// What is to be said of the entry that was played latest; nil where all were in time.
  static func finding(
    _ scenario: Scenario, _ trace: Trace, _ time: BackendDescription.TimeKind
  ) -> Finding? {
    guard case .real(let tolerance) = time else { return nil }
    var latest: (entry: Int, late: Interval)?
    for record in trace.records {
      guard case .world(.entryPlayed(let entry)) = record.body else { continue }
      let late = record.at.since(scenario.script.entries[Int(entry)].at)
      if late > max(tolerance, latest?.late ?? .zero) { latest = (Int(entry), late) }
    }
    guard let latest else { return nil }
    let at = scenario.script.entries[latest.entry].at
    return Finding(
      kind: .breakdown, verdict: .error,
      expectedText: "the entry at \(at) is played within \(tolerance) of its instant",
      seenText:
        "it was played \(latest.late) late, twice: this machine is too busy for the timeline",
      at: at, position: scenario.entryPositions[latest.entry])
  }
}
