import ArgumentParser
import HandoverCore
import HandoverReport
import HandoverScenario

struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare two reports: better, worse and new results.",
    discussion: """
      Both files are reports of `handover run -o jsonl=FILE`. The earlier report
      comes first. The comparison lists cases whose verdict changed, cases that only
      one report has, calls that end with a different status or at a different time,
      and the times from a network change to the end of a call. Two reports of
      `handover try -o jsonl=FILE` are compared by their verdicts and longest
      silences.

      Examples:
        handover run -o jsonl=before.jsonl
        handover run -o jsonl=after.jsonl
        handover compare before.jsonl after.jsonl
        handover compare before.jsonl after.jsonl --all
        handover compare tried-before.jsonl tried-after.jsonl

      Exit status: 1 if a verdict got worse or a case of the earlier report is
      missing; otherwise 0.
      """)

  @Argument(help: "The earlier report, such as before.jsonl.")
  var before: String

  @Argument(help: "The later report, such as after.jsonl.")
  var after: String

  @Flag(help: "Also list cases with the same verdict and a different trace.")
  var all = false

  func run() throws {
    let old = try bytes(of: before)
    let new = try bytes(of: after)
    let hasRegressed =
      TryReport.begins(old) || TryReport.begins(new)
      ? try compareTries(old, new) : try compareRuns(old, new)
    if hasRegressed { throw ExitError(.failure) }
  }

  private func compareRuns(_ old: [UInt8], _ new: [UInt8]) throws -> Bool {
    let comparison = try InputFile.read { () throws(InputError) in
      Comparison(
        from: try RunReport.read(file: before, bytes: old),
        to: try RunReport.read(file: after, bytes: new))
    }
    StandardStream.output.show(
      comparison.text(listingAll: all, width: StandardStream.output.columnCount))
    return comparison.hasRegressed
  }

  private func compareTries(_ old: [UInt8], _ new: [UInt8]) throws -> Bool {
    let comparison = try InputFile.read { () throws(InputError) in
      TryComparison(
        from: try TryReport.read(file: before, bytes: old),
        to: try TryReport.read(file: after, bytes: new))
    }
    StandardStream.output.show(
      comparison.text(width: StandardStream.output.columnCount))
    return comparison.hasRegressed
  }

  private func bytes(of file: String) throws -> [UInt8] {
    try InputFile.bytes(
      of: file, atMost: RunReport.maximumByteCount,
      hint: "handover run -o jsonl=FILE writes such a report")
  }
}
