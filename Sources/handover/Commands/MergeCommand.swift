import ArgumentParser
import HandoverCore
import HandoverReport

struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge the reports of all shards.",
    discussion: """
      Reads the reports of `handover run --shard I/N -o jsonl=FILE`, or those of
      `handover explore --shard I/N --report FILE`, in any order. Writes the report
      that one process would have written for the whole. If a shard is missing,
      duplicated, interrupted, or from a different run, the command reports an error
      and writes nothing.

      Examples:
        handover run --shard 1/2 -o jsonl=1.jsonl
        handover run --shard 2/2 -o jsonl=2.jsonl
        handover merge 1.jsonl 2.jsonl -o all.jsonl
        handover merge shards/*.jsonl | jq -r 'select(.verdict == "FAILED") | .id'

      Exit status: that of the whole (0, 1, 3 or 4); 2 if the reports do not belong
      together, or the file could not be written.
      """)

  @Argument(
    help: "The reports of all shards, such as 1.jsonl 2.jsonl.",
    completion: .file(extensions: ["jsonl"]))
  var files: [String]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the report to this file. Default: standard output.", valueName: "file"),
    completion: .file(extensions: ["jsonl"]))
  var output = "-"

  func run() throws {
    try Interruption.leaveAtSignals()
    try FileIdentity.refuse([output], over: files)
    let bytes = try files.map {
      try InputFile.bytes(
        of: $0, atMost: RunReport.maximumByteCount,
        hint: "name the report files of all shards, such as 1.jsonl 2.jsonl")
    }
    let merged = try InputFile.read { () throws(InputError) in
      try MergedReport(files, bytes)
    }
    try ExploreCommand.write(merged.text, to: output)
    printError("\(counted(files.count, "shard")): \(merged.line)")
    if let status = merged.status { throw ExitError(status) }
  }
}

/// The merged report of all shards.
private struct MergedReport {
  var text: String
  /// The summary in one line, for people.
  var line: String
  /// The exit status, or `nil` if everything is as expected.
  var status: ExitStatus?

  init(_ files: [String], _ bytes: [[UInt8]]) throws(InputError) {
    var kinds: [ReportKind] = []
    for (file, bytes) in zip(files, bytes) {
      kinds.append(try ReportKind.read(file: file, bytes: bytes))
      guard kinds.last == kinds.first else { throw ReportKind.mixed(file, files[0]) }
    }
    switch kinds.first ?? .run {
    case .run:
      var reports: [RunReport] = []
      for (file, bytes) in zip(files, bytes) {
        reports.append(try RunReport.read(file: file, bytes: bytes))
      }
      let merged = try RunReport.merge(reports, bytes)
      text = String(decoding: merged.text, as: UTF8.self)
      line = merged.summary.line
      status = ExitStatus.of(merged.summary)
    case .exploration:
      var reports: [ExplorationReport] = []
      for (file, bytes) in zip(files, bytes) {
        reports.append(try ExplorationReport.read(file: file, bytes: bytes))
      }
      let merged = try ExplorationReport.merge(reports)
      text = merged.text
      line = merged.line
      status = merged.outcome == .closed ? nil : .failure
    case .swarm:
      var reports: [SwarmReport] = []
      for (file, bytes) in zip(files, bytes) {
        reports.append(try SwarmReport.read(file: file, bytes: bytes))
      }
      let merged = try SwarmReport.merge(reports)
      text = merged.text
      line = merged.line
      status = merged.broken == nil ? nil : .failure
    }
  }
}
