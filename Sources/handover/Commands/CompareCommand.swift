import ArgumentParser
import HandoverReport
import HandoverScenario

struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare two reports: what got better, what got worse, what is new.",
    discussion: """
      Both are reports of `handover run -o jsonl=FILE`, the earlier one first. Told are
      the cases whose verdict changed, those that only one of them has, calls that end
      with another status or at another time, and the figures from a change of the
      network to the end of a call. Exit status 1 if a verdict got worse, else 0.

      Examples:
        handover run -o jsonl=before.jsonl
        handover run -o jsonl=after.jsonl
        handover compare before.jsonl after.jsonl
        handover compare before.jsonl after.jsonl --all
      """)

  @Argument(help: "The earlier report.")
  var before: String

  @Argument(help: "The later report.")
  var after: String

  @Flag(help: "Also list the cases that went another way to the same end.")
  var all = false

  func run() throws {
    let comparison = Comparison(from: try read(before), to: try read(after))
    StandardStream.output.write(SafeText.lines(comparison.text(listingAll: all)))
    if comparison.gotWorse { throw Leave(.failure) }
  }

  private func read(_ file: String) throws -> RunReport {
    let bytes = try InputFile.bytes(
      of: file, hint: "handover run -o jsonl=FILE writes such a report")
    do throws(InputError) {
      return try RunReport.read(file: file, bytes: bytes)
    } catch {
      printError(error.description)
      throw Leave(.badInput)
    }
  }
}
