import ArgumentParser
import HandoverJSON
import HandoverReport
import HandoverScenario

struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare two reports: what got better, what got worse, what is new.",
    discussion: """
      Both are reports of `handover run -o jsonl=FILE`, the earlier one first. Shows
      the cases whose verdict changed, those that only one of them has, calls that
      end with another status or at another time, and the times from a change of the
      network to the end of a call. Two reports of `handover try -o jsonl=FILE` are
      compared by their words and longest silences. Exit status 1 if a verdict got
      worse or a case of the earlier report is missing, else 0.

      Examples:
        handover run -o jsonl=before.jsonl
        handover run -o jsonl=after.jsonl
        handover compare before.jsonl after.jsonl
        handover compare before.jsonl after.jsonl --all
        handover compare tried-before.jsonl tried-after.jsonl
      """)

  @Argument(help: "The earlier report.")
  var before: String

  @Argument(help: "The later report.")
  var after: String

  @Flag(help: "Also list the cases that reached the same verdict in another way.")
  var all = false

  func run() throws {
    let old = try bytes(of: before)
    let new = try bytes(of: after)
    let gotWorse =
      TryReport.begins(old) || TryReport.begins(new)
      ? try compareTries(old, new) : try compareRuns(old, new)
    if gotWorse { throw Leave(.failure) }
  }

  private func compareRuns(_ old: [UInt8], _ new: [UInt8]) throws -> Bool {
    let comparison = try InputFile.read { () throws(InputError) in
      Comparison(
        from: try RunReport.read(file: before, bytes: old),
        to: try RunReport.read(file: after, bytes: new))
    }
    StandardStream.output.show(
      comparison.text(listingAll: all, width: StandardStream.output.columnCount))
    return comparison.gotWorse
  }

  private func compareTries(_ old: [UInt8], _ new: [UInt8]) throws -> Bool {
    let comparison = try InputFile.read { () throws(InputError) in
      TryComparison(
        from: try TryReport.read(file: before, bytes: old),
        to: try TryReport.read(file: after, bytes: new))
    }
    StandardStream.output.show(
      comparison.text(width: StandardStream.output.columnCount))
    return comparison.gotWorse
  }

  private func bytes(of file: String) throws -> [UInt8] {
    try InputFile.bytes(
      of: file, atMost: RunReport.maximumByteCount,
      hint: "handover run -o jsonl=FILE writes such a report")
  }
}
