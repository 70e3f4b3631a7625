import HandoverCore
import HandoverEngine
package import HandoverScenario
import HandoverTrace

// A dependence on the order of hashes, planted on purpose: no judge of one run can see it, because
// each order is right. It is other from process to process, and so are the digests.
extension PlantedFault {
  /// Orders of one instant are told in the order of a dictionary.
  package static let hashOrder = PlantedFault(
    "hash-order", "Orders of one instant are told in the order of a dictionary.", [], .report,
    FaultChange(
      report: ReportTampering { _ in
        var together: [Int: TraceRecord] = [:]
        return { record, _ in
          let isOver = together.values.contains { $0.at != record.at }
          if !isOver, case .effect = record.body {
            together[together.count] = record
            return []
          }
          guard isOver else { return [record] }
          // The order of the hashes, which this is about.
          let told = Array(together.values)
          together.removeAll()
          return told + [record]
        }
      }), by: [])

  /// The digests of the runs of a scenario, on the built-in client or on one with a fault.
  package static func digests(of scenario: Scenario, _ fault: PlantedFault?) -> [String] {
    var worker = Worker(FaultyBackend(fault.map { [$0] } ?? []), keeps: .digests)
    return worker.run(scenario).cases.map { $0.digest?.text ?? "none" }
  }
}
