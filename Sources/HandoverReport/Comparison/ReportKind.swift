import HandoverCore

/// The kind of a machine-readable report, as given in its first line.
package enum ReportKind: Hashable, Sendable {
  /// A run of scenarios.
  case run
  /// An exploration.
  case exploration
  /// A swarm of random runs.
  case swarm

  /// Reads the kind of a report.
  ///
  /// - Parameters:
  ///   - file: the name of the file, for messages.
  ///   - bytes: the contents of the file.
  /// - Returns: the kind. An unknown kind gives `run`, whose reader then reports the error.
  /// - Throws: ``InputError`` if the first line is not a line of a report.
  package static func read(file: String, bytes: [UInt8]) throws(InputError) -> ReportKind {
    var lines = try InputLines(
      file: file, bytes: bytes, maximumByteCount: RunReport.maximumByteCount,
      maximumLineByteCount: RunReport.maximumLineByteCount,
      hint: "create reports with `handover run --shard I/N -o jsonl=FILE` or `handover explore "
        + "--shard I/N --report FILE`")
    guard let fields = try lines.next()?.object(as: "a line of the report") else { return .run }
    switch try fields.text("kind") {
    case ExplorationReport.kind: return .exploration
    case SwarmReport.kind: return .swarm
    default: return .run
    }
  }

  /// Returns the error for reports of different kinds.
  package static func mixed(_ file: String, _ first: String) -> InputError {
    ShardSet.error(
      file, "the report is not of the same kind as \(first)",
      "merge reports of runs, explorations and swarms separately")
  }
}
