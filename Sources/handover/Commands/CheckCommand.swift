import ArgumentParser
import HandoverCore
import HandoverReport

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Find mistakes in scenario files without running them.",
    discussion: """
      Lists every problem in every file, with its position, a code and a hint.
      `handover explain CODE` explains a code. Exit status 2 if any file has an
      error.

      Examples:
        handover check
        handover check Scenarios/transitions my.json
        handover check - < my.json
        handover check my.json -o json    one JSON object, for programs
      """)

  @Argument(
    help: "Scenario files, folders to search for *.json, ids, or - for standard input.",
    completion: .file(extensions: ["json"]))
  var paths: [String] = ["Scenarios"]

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case pretty
    case json
  }

  @Option(name: .shortAndLong, help: "The format: pretty or json (one object).")
  var output = Format.pretty

  @Option(name: .long, help: "Color: auto, always or never.")
  var color = ColorChoice.auto

  func run() throws {
    let reading = Reading(paths, printsWarnings: true)
    switch output {
    case .json:
      StandardStream.output.write(Complaint.json(reading.complaints, files: reading.fileCount))
    case .pretty:
      reading.showComplaints(color)
      say(
        counted(reading.fileCount, "file") + " read, " + counted(reading.errorCount, "error") + ", "
          + counted(reading.warningCount, "warning"))
    }
    if reading.errorCount > 0 { throw ExitError(.badInput) }
    if reading.fileCount == 0 {
      throw ExitError(
        .nothingRan,
        printing: "Nothing to check: no *.json file under \(paths.joined(separator: ", ")).")
    }
  }
}
