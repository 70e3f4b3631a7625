import HandoverExploration
import HandoverReport

/// A test that detects a dependence on the order of hashes.
///
/// Each process has a different hash seed. If a client depends on the order of hashes, its digests
/// therefore differ between processes.
enum HashOrderTest {
  /// The number of processes to compare; an equal order in all of them by chance is practically
  /// impossible.
  static let processes = 4

  /// Returns the digests of a scenario with many calls, one line for each client.
  ///
  /// The first line is for the correct client, and the second one for a client that depends on the
  /// order of hashes.
  static func digests(_ selftest: Selftest) -> String {
    guard let scenario = selftest.crowded else { return "" }
    let right = Mutant.digests(of: scenario, nil).joined(separator: " ")
    let wrong = Mutant.digests(of: scenario, .hashOrder).joined(separator: " ")
    return "\(right)\n\(wrong)\n"
  }

  /// Compares the digests of several processes.
  static func check() -> SelftestReport.Check {
    var outputs: [[Substring]] = []
    for _ in 0..<processes {
      guard let text = ChildInvocation.output(["selftest", "--hash-order-digests"]) else {
        return SelftestReport.Check("Cannot start a process to compare with.", isGood: false)
      }
      outputs.append(text.split(separator: "\n", omittingEmptySubsequences: false))
    }
    return verdict(outputs)
  }

  /// Returns whether the lines of several processes are as expected.
  static func isGood(_ outputs: [[Substring]]) -> Bool { verdict(outputs).isGood }

  /// Returns the result for the lines of several processes.
  static func verdict(_ outputs: [[Substring]]) -> SelftestReport.Check {
    guard let first = outputs.first, outputs.allSatisfy({ $0.count >= 2 && !$0[0].isEmpty }) else {
      return SelftestReport.Check("A process for the comparison printed nothing.", isGood: false)
    }
    if outputs.contains(where: { $0[0] != first[0] }) {
      return SelftestReport.Check(
        "The client behaves differently in another process: it depends on hash order.",
        isGood: false)
    }
    guard outputs.contains(where: { $0[1] != first[1] }) else {
      return SelftestReport.Check(
        "An injected dependence on hash order was not detected in \(outputs.count) processes.",
        isGood: false)
    }
    return SelftestReport.Check(
      "In \(outputs.count) processes the client behaves the same, and an injected dependence on "
        + "hash order was detected.", isGood: true)
  }
}
