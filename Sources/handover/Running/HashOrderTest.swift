import HandoverFaults
import HandoverReport

/// Whether a dependence on the order of hashes is found: by digests that differ from process to
/// process, because each has a seed of its own.
enum HashOrderTest {
  /// How many processes play the same; that four have one order of so many calls by chance is as
  /// good as impossible.
  static let processes = 4

  /// The digests of a scenario with many calls: of the client as it is, and of one that depends on
  /// the order of hashes, a line each.
  static func digests(_ selftest: Selftest) -> String {
    guard let scenario = selftest.crowded else { return "" }
    let right = PlantedFault.digests(of: scenario, nil).joined(separator: " ")
    let wrong = PlantedFault.digests(of: scenario, .hashOrder).joined(separator: " ")
    return "\(right)\n\(wrong)\n"
  }

  #if os(Linux)
    /// Plays it in several processes and compares.
    static func check() -> SelftestReport.Check {
      var outputs: [[Substring]] = []
      for _ in 0..<processes {
        guard let text = OwnProcess.output(["selftest", "--hash-order-digests"]) else {
          return SelftestReport.Check("No process could be started to compare with.", isGood: false)
        }
        outputs.append(text.split(separator: "\n", omittingEmptySubsequences: false))
      }
      return verdict(outputs)
    }
  #endif

  /// Whether the lines of several processes are as they should be.
  static func isGood(_ outputs: [[Substring]]) -> Bool { verdict(outputs).isGood }

  /// What the lines of several processes say.
  static func verdict(_ outputs: [[Substring]]) -> SelftestReport.Check {
    guard let first = outputs.first, outputs.allSatisfy({ $0.count >= 2 && !$0[0].isEmpty }) else {
      return SelftestReport.Check("A process that was compared with told nothing.", isGood: false)
    }
    if outputs.contains(where: { $0[0] != first[0] }) {
      return SelftestReport.Check(
        "The client itself is otherwise in another process: it depends on the order of hashes.",
        isGood: false)
    }
    guard outputs.contains(where: { $0[1] != first[1] }) else {
      return SelftestReport.Check(
        "A planted dependence on the order of hashes does not show in \(outputs.count) processes.",
        isGood: false)
    }
    return SelftestReport.Check(
      "In \(outputs.count) processes the client does the same, and a planted dependence on the "
        + "order of hashes shows.", isGood: true)
  }
}
