import HandoverJSON

/// What a report for programs is of, as its first line says.
public enum ReportKind: Hashable, Sendable {
  /// Scenarios that were run.
  case run
  /// An exploration, or a swarm of random runs.
  case exploration
  case swarm

  /// Reads what a report is of.
  ///
  /// - Parameters:
  ///   - file: the name of the file, for messages.
  ///   - bytes: what it holds.
  /// - Returns: what it is of; a run where that is not known, whose reader tells what is wrong.
  /// - Throws: where the first line is no line of a report.
  public static func read(file: String, bytes: [UInt8]) throws(InputError) -> ReportKind {
    var lines = try InputLines(
      file: file, bytes: bytes, maximumByteCount: RunReport.maximumByteCount,
      maximumLineByteCount: RunReport.maximumLineByteCount,
      hint: "`handover run --shard I/N -o jsonl=FILE` and `handover explore --shard I/N --report "
        + "FILE` write such reports")
    guard let fields = try lines.next()?.object(as: "a line of the report") else { return .run }
    switch try fields.text("kind") {
    case ExplorationReport.kind: return .exploration
    case SwarmReport.kind: return .swarm
    default: return .run
    }
  }

  /// That two reports are of something else each.
  public static func mixed(_ file: String, _ first: String) -> InputError {
    ShardSet.error(
      file, "the report is of something else than \(first)",
      "merge the reports of runs, of explorations and of swarms each by themselves")
  }
}
