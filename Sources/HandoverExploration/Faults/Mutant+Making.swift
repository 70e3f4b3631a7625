import HandoverCore

// One factory function for each kind of bug.
extension Mutant {
  static func machine(
    _ defect: Defect, _ sentence: String, _ items: [String], by scenarios: [String],
    _ depth: Depth? = nil
  ) -> Mutant {
    Mutant(
      defect.rawValue, sentence, items, .machine,
      FaultChange(client: { $0.inject(defect) }), by: scenarios, depth)
  }

  static func dispatcher(
    _ defect: DispatcherDefect, _ sentence: String, _ items: [String], by scenarios: [String]
  ) -> Mutant {
    Mutant(
      defect.rawValue, sentence, items, .machine,
      FaultChange(dispatcher: DispatcherDefects([defect])), by: scenarios)
  }

  static func contract(
    _ name: String, _ sentence: String, _ items: [String], by scenarios: [String],
    _ depth: Depth? = nil, _ change: @escaping @Sendable (inout PoolConfiguration) -> Void
  ) -> Mutant {
    Mutant(
      name, sentence, items, .contract, FaultChange(client: change), by: scenarios, depth)
  }

  static func rule(
    _ name: String, _ sentence: String, _ items: [String], by scenarios: [String],
    _ depth: Depth? = nil, _ change: @escaping @Sendable (inout ClientPolicy) -> Void
  ) -> Mutant {
    Mutant(
      name, sentence, items, .contract, FaultChange(policy: change), by: scenarios, depth)
  }

  static func client(
    _ name: String, _ sentence: String, _ items: [String], _ tampering: ClientTampering,
    by scenarios: [String], _ depth: Depth? = nil
  ) -> Mutant {
    Mutant(
      name, sentence, items, .client,
      FaultChange(client: { $0.inject { $0.tampering = tampering } }), by: scenarios, depth)
  }

  static func request(
    _ name: String, _ sentence: String, _ items: [String], by scenarios: [String],
    _ change: @escaping @Sendable (inout Script) -> Void
  ) -> Mutant {
    Mutant(
      name, sentence, items, .request, FaultChange(script: change), by: scenarios)
  }

  static func transport(
    _ name: String, _ sentence: String, _ items: [String], by scenarios: [String],
    _ change: @escaping @Sendable (TransportModel) -> TransportModel
  ) -> Mutant {
    Mutant(
      name, sentence, items, .transport, FaultChange(transport: change), by: scenarios)
  }

  static func report(
    _ name: String, _ sentence: String, _ items: [String], by scenarios: [String],
    _ change: ReportTampering
  ) -> Mutant {
    Mutant(
      name, sentence, items, .report, FaultChange(report: change), by: scenarios)
  }
}
