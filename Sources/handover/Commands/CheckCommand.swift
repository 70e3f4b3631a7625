import ArgumentParser

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Look for mistakes in scenario files without running them.",
    discussion: """
      Lists every problem of every file, with its position, a code and a remedy.
      Exit status 2 if there was any error.

      Examples:
        handover check
        handover check Scenarios/transitions my.json
      """)

  @Argument(
    help: "Scenario files, or directories to search for *.json.",
    completion: .file(extensions: ["json"]))
  var paths: [String] = ["Scenarios"]

  func run() throws {
    let reading = Reading(paths, tellsWarnings: true)
    for complaint in reading.complaints { printError(complaint) }
    say(
      counted(reading.fileCount, "file") + " read, " + counted(reading.errorCount, "error") + ", "
        + counted(reading.warningCount, "warning"))
    if reading.errorCount > 0 { throw Leave(.badInput) }
    if reading.fileCount == 0 {
      printError(
        "There was nothing to check: no *.json file under \(paths.joined(separator: ", ")).")
      throw Leave(.nothingRan)
    }
  }
}
