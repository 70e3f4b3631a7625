import HandoverCore
import HandoverEngine
package import HandoverScenario

// An injected bug that depends on the order of hashes.
//
// No check of a single run can detect the bug, because each order is correct. The order, and
// therefore the digest, differs from process to process.
extension Mutant {
  /// Effects of one instant are reported in the order of a dictionary.
  package static let hashOrder = Mutant(
    "hash-order", "Effects of one instant are reported in the order of a dictionary.", [], .report,
    FaultChange(
      report: ReportTampering { _ in
        var together: [Int: TraceRecord] = [:]
        return { record in
          let isOver = together.values.contains { $0.at != record.at }
          if !isOver, case .effect = record.body {
            together[together.count] = record
            return []
          }
          guard isOver else { return [record] }
          // The array has the order of the hashes, which is the injected bug.
          let shuffled = Array(together.values)
          together.removeAll()
          return shuffled + [record]
        }
      }), by: [])

  /// Returns the digests of the runs of a scenario, on the built-in client or on a client with an
  /// injected bug.
  package static func digests(of scenario: Scenario, _ fault: Mutant?) -> [String] {
    var worker = Worker(FaultyBackend(fault.map { [$0] } ?? []), retaining: .digests)
    return worker.run(scenario).cases.map { $0.digest?.text ?? "none" }
  }
}
