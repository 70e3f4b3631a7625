import HandoverBackend
import HandoverCore
import HandoverScenario

/// Detects timeline entries that ran too late in real time.
///
/// A run with a late entry is not a run of the scenario and proves nothing, so it is repeated once.
enum LateEntry {
  /// Returns a finding for the entry that ran latest, or `nil` if all entries ran in time.
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
      expectedText: "the entry at \(at) runs within \(tolerance) of its time",
      seenText:
        "it ran \(latest.late) late: this machine is too busy for the timeline",
      at: at, position: scenario.position(ofEntry: latest.entry))
  }
}
