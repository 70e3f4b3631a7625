import ArgumentParser
import HandoverReport

struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Make one report of those of all shards.",
    discussion: """
      Takes the reports of `handover run --shard I/N -o jsonl=FILE`, in any order, and
      writes the report that one process would have written of all. A shard that is
      missing, there twice, interrupted, or of another run is an error, and then
      nothing is written.

      Examples:
        handover run --shard 1/2 -o jsonl=1.jsonl
        handover run --shard 2/2 -o jsonl=2.jsonl
        handover merge 1.jsonl 2.jsonl -o all.jsonl
        handover merge shards/*.jsonl | jq -r 'select(.verdict == "FAILED") | .id'

      Exit status: that of the whole (0, 1, 3 or 4); 2 where the reports do not make
      one, or the file could not be written.
      """)

  @Argument(
    help: "The reports of all shards.", completion: .file(extensions: ["jsonl"]))
  var files: [String]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the report there, and not to standard output.", valueName: "file"),
    completion: .file(extensions: ["jsonl"]))
  var output = "-"

  func run() throws {
    try FileIdentity.refuse([output].filter { $0 != "-" }, over: files)
    let bytes = try files.map {
      try InputFile.bytes(
        of: $0, hint: "the reports of all shards are wanted, each of which there is")
    }
    let merged = try InputFile.read { () throws(InputError) in
      var reports: [RunReport] = []
      for (file, bytes) in zip(files, bytes) {
        reports.append(try RunReport.read(file: file, bytes: bytes))
      }
      return try RunReport.merge(reports, bytes)
    }
    var file = try OutputFile.opened(output)
    file.write(merged.text)
    file.finish()
    if let failure = file.failure {
      printError(failure.description)
      throw Leave(.badInput)
    }
    printError("\(counted(files.count, "shard")): \(merged.summary.line)")
    if let status = ExitStatus.of(merged.summary) { throw Leave(status) }
  }
}
