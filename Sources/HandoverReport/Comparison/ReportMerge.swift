import HandoverCore
import HandoverEngine
import HandoverScenario

extension RunReport {
  /// Merges the reports of all shards into the report of the whole run.
  ///
  /// The result is identical, byte for byte, to the report of a single process.
  ///
  /// - Parameters:
  ///   - reports: the reports written by `handover run --shard -o jsonl=FILE`, in any order.
  ///   - bytes: the contents of each report.
  /// - Returns: the text of the merged report, and its summary.
  /// - Throws: ``InputError`` if a shard is missing, occurs twice, was interrupted or belongs to
  ///   another run.
  package static func merge(
    _ reports: [RunReport], _ bytes: [[UInt8]]
  ) throws(InputError) -> (text: [UInt8], summary: Summary) {
    let merge = try ReportMerge(reports)
    return (try merge.text(bytes), merge.summary)
  }
}

/// The reports of all shards of one run, in the order of the shards.
private struct ReportMerge {
  /// The reports, by the shard's index minus one.
  private let reports: [RunReport]
  /// The index of each report among the given reports.
  private let order: [Int]
  /// The number of cases of each scenario, for each shard.
  private let scenarios: [[Int]]

  init(_ given: [RunReport]) throws(InputError) {
    let shards = try ShardSet(
      given.map { .init(file: $0.file, shard: $0.shard) }, madeBy: "handover run")
    order = shards.order
    reports = order.map { given[$0] }
    for report in reports { try Self.expectSameRun(report, reports[0]) }
    scenarios = reports.map(Self.caseCounts)
    try expectWholeShards()
  }

  private static func error(
    _ report: RunReport, _ message: String, hint: String
  ) -> InputError {
    ShardSet.error(report.file, message, hint)
  }

  private static func expectSameRun(
    _ report: RunReport, _ first: RunReport
  ) throws(InputError) {
    func expect(_ isSame: Bool, _ what: String) throws(InputError) {
      guard !isSame else { return }
      throw error(
        report, "\(what) differs from \(first.file)",
        hint: "run all shards with the same command and the same options")
    }
    try expect(report.backend == first.backend, "the backend")
    try expect(report.seed == first.seed, "the seed")
    try expect(report.shard?.plan == first.shard?.plan, "a scenario, a known failure or an option")
    try expect(report.harness?.version == first.harness?.version, "the version of handover")
    try expect(report.harness?.commit == first.harness?.commit, "the commit of handover")
    try expect(report.maxHang == first.maxHang, "--max-hang")
    guard !report.wasInterrupted else {
      throw error(
        report, "the run of this shard was interrupted", hint: "run the shard again")
    }
    guard !report.figures.contains(where: \.belongsToVariant) else {
      throw error(
        report,
        "the times of variants cannot be merged, because reports do not contain their calls",
        hint: "run the shards without --variants")
    }
  }

  /// Returns the number of cases of each scenario in a report.
  private static func caseCounts(_ report: RunReport) -> [Int] {
    var counts: [Int] = []
    var last: String?
    for one in report.cases {
      if one.id == last { counts[counts.count - 1] += 1 } else { counts.append(1) }
      last = one.id
    }
    return counts
  }

  /// Checks that each shard has every n-th scenario and that no case occurs twice.
  ///
  /// If not, the shards do not belong to the same plan.
  private func expectWholeShards() throws(InputError) {
    let total = scenarios.reduce(0) { $0 + $1.count }
    for (index, report) in reports.enumerated() {
      let wanted = total / reports.count + (index < total % reports.count ? 1 : 0)
      guard scenarios[index].count == wanted else {
        throw Self.error(
          report,
          "shard \(index + 1) has \(scenarios[index].count) of \(total) scenarios, and "
            + "would have \(wanted)",
          hint: "use the same files and options for all shards")
      }
    }
    var files: [String: String] = [:]  // lookup only
    for report in reports {
      for one in report.cases {
        if let other = files.updateValue(report.file, forKey: one.name), other != report.file {
          throw Self.error(
            report, "the case \(InputLine.quoted(one.name)) is also in \(other)",
            hint: "use the same files and options for all shards")
        }
      }
    }
  }

  /// The combined summary of all shards.
  var summary: Summary {
    var sum = Summary()
    for report in reports {
      for part in Summary.counts { sum[keyPath: part.count] += report.summary[keyPath: part.count] }
      sum.isRepeated = sum.isRepeated || report.summary.isRepeated
      sum.hangs.calls += report.summary.hangs.calls
      sum.hangs.neverEnded += report.summary.hangs.neverEnded
      if let worst = report.summary.hangs.worst {
        sum.hangs.worst = max(sum.hangs.worst ?? .zero, worst)
      }
      for one in report.cases where !one.changeToEnd.isEmpty {
        sum.addFigures(one.changeToEnd, neverEnded: 0, one.profile)
      }
      for row in report.figures {
        sum.addFigures([], neverEnded: row.neverEnded, row.name)
      }
    }
    return sum
  }

  /// Returns the header, the cases of all shards in the order of the plan, and the summary.
  func text(_ bytes: [[UInt8]]) throws(InputError) -> [UInt8] {
    var description = RunDescription(backend: reports[0].backend, seed: reports[0].seed)
    description.harness = reports[0].harness
    description.gates.maxHang = reports[0].maxHang
    var written = JSONLinesReport()
    var text = Array(written.begin(description).utf8)
    // A report consists of a header, a line for each case, and the summary.
    let lines = order.map { bytes[$0].split(separator: 0x0a) }
    var next = lines.map { _ in 1 }
    for scenario in 0..<scenarios.reduce(0, { $0 + $1.count }) {
      let shard = scenario % reports.count
      for _ in 0..<scenarios[shard][scenario / reports.count] {
        text += lines[shard][next[shard]]
        text.append(0x0a)
        next[shard] += 1
      }
    }
    return text + Array(written.finish(summary).utf8)
  }
}
