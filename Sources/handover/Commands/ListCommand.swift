import ArgumentParser
import HandoverCore
import HandoverReport
import HandoverScenario

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List scenarios with their profiles and titles.",
    discussion: """
      Prints one line for each scenario. --only matches the ids, here and in
      `handover run`.

      Examples:
        handover list
        handover list --only 'transitions/*'
      """)

  @Argument(
    help: "Scenario files, folders to search for *.json, or ids.",
    completion: .file(extensions: ["json"]))
  var paths: [String] = ["Scenarios"]

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Only ids that match the pattern (*, **, ?); may be repeated.", valueName: "glob"),
    completion: .custom(ScenarioIDs.beginning))
  var only: [String] = []

  func run() throws {
    let reading = Reading(paths)
    reading.showComplaints()
    let scenarios = reading.scenarios.filter { isWanted($0.id, only) }
    let text = ScenarioList(scenarios).text(width: StandardStream.output.columnCount)
    StandardStream.output.show(text)
    if reading.errorCount > 0 { throw ExitError(.badInput) }
    if scenarios.isEmpty {
      throw ExitError(
        .nothingRan, printing: "No scenario matches. `handover list` lists all scenarios.")
    }
  }
}
