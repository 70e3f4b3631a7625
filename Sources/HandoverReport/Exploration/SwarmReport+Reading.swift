import HandoverCore
import HandoverScenario

extension SwarmReport {
  /// The maximum number of runs.
  private static let maximumRuns = 1_000_000_000
  /// The maximum of a count of one run; the sum for all runs does not overflow.
  private static let maximumCount = Int.max / maximumRuns

  /// Reads a report.
  ///
  /// - Parameters:
  ///   - file: the name of the file, for messages.
  ///   - bytes: the contents of the file.
  /// - Returns: the report.
  /// - Throws: ``InputError`` for the first problem in the file.
  package static func read(file: String, bytes: [UInt8]) throws(InputError) -> SwarmReport {
    var lines = try InputLines(
      file: file, bytes: bytes, maximumByteCount: RunReport.maximumByteCount,
      maximumLineByteCount: RunReport.maximumLineByteCount,
      hint: "create the report again with `handover explore --swarm RUNS --report FILE`")
    guard let first = try lines.next() else {
      throw ShardSet.error(file, "the file is empty", lines.hint)
    }
    let head = try first.object(as: "the first line")
    try head.requireVersion(RunReport.version, of: "report")
    var report = SwarmReport(
      harness: try Harness.read(head), client: try ExploredClient(head),
      firstSeed: try head.number("first_seed", in: 0...UInt64.max),
      count: try head.number("runs", in: 1...maximumRuns),
      length: try head.number("length", in: 1...1_000_000_000))
    report.file = file
    report.shard = try RunDescription.Shard.read(head)
    var isComplete = false
    while let line = try lines.next() {
      let fields = try line.object(as: "a line of the report")
      guard !isComplete else {
        throw line.error(atByte: 0, "the report continues after its last line")
      }
      let kind = try fields.keyword("kind", among: ["run", "swarmEnded"], spelt: { $0 })
      if kind == "run" {
        try report.readRun(fields)
        continue
      }
      guard try fields.number("played", in: 0...Int.max) == report.runs.count else {
        throw line.error(
          at: try fields.required("played"), "the report has \(report.runs.count) runs")
      }
      report.wasStopped = try fields.flag("stopped")
      isComplete = true
    }
    guard isComplete else {
      throw InputError(
        file: file, position: lines.end, message: "the report ends before its last line",
        hint: "run the command again, because it was stopped before it finished")
    }
    return report
  }

  private mutating func readRun(_ fields: JSONFields) throws(InputError) {
    let run = Run(
      number: try fields.number("run", in: 1...count),
      entries: try fields.number("entries", in: 0...Self.maximumCount),
      calls: try fields.number("calls", in: 0...Self.maximumCount),
      finding: fields.optional("finding") == nil ? nil : try fields.text("finding"))
    let (first, step) = (shard?.index ?? 1, shard?.count ?? 1)
    guard run.number == first + runs.count * step else {
      throw fields.line.error(
        at: try fields.required("run"),
        "expected run \(first + runs.count * step), found run \(run.number)")
    }
    runs.append(run)
  }

  /// Merges the reports of all shards into the report of the whole swarm.
  ///
  /// - Parameter reports: the report of each shard, in any order.
  /// - Returns: the report that a single process would have written, up to the first run that
  ///   fails.
  /// - Throws: ``InputError`` if the reports do not belong to one swarm.
  package static func merge(_ reports: [SwarmReport]) throws(InputError) -> SwarmReport {
    let shards = try ShardSet(
      reports.map { .init(file: $0.file, shard: $0.shard) },
      madeBy: "handover explore PROFILE --swarm RUNS")
    let parts = shards.order.map { reports[$0] }
    var merged = parts[0]
    (merged.file, merged.shard) = ("", nil)
    for part in parts.dropFirst() {
      let isSame =
        part.client == merged.client && part.firstSeed == merged.firstSeed
        && part.count == merged.count && part.length == merged.length
        && part.harness.version == merged.harness.version
        && part.harness.commit == merged.harness.commit
      guard isSame else {
        throw ShardSet.error(
          part.file,
          "the seed, the runs, the client or the version differ from "
            + parts[0].file,
          "run all shards with the same options and the same version of handover")
      }
      merged.wasStopped = merged.wasStopped || part.wasStopped
      merged.runs += part.runs
    }
    merged.runs.sort { $0.number < $1.number }
    if let index = merged.runs.firstIndex(where: { $0.finding != nil }),
      merged.runs[index].number == index + 1
    {
      merged.runs.removeSubrange((index + 1)...)
      merged.wasStopped = false
    } else if !merged.wasStopped, merged.broken == nil, merged.runs.count != merged.count {
      throw ShardSet.error(
        parts[0].file, "there are \(merged.runs.count) runs of \(merged.count)",
        "run the shards again, because a report is incomplete")
    }
    return merged
  }
}
