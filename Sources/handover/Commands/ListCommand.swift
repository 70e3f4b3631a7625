import ArgumentParser
import HandoverCore
import HandoverJSON
import HandoverScenario

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List scenarios: one line each, with the profiles and the title.",
    discussion: """
      --only, here and in `handover run`, matches the ids.

      Examples:
        handover list
        handover list --only 'transitions/*'
      """)

  @Argument(
    help: "Scenario files, or directories to search for *.json.",
    completion: .file(extensions: ["json"]))
  var paths: [String] = ["Scenarios"]

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Only ids that match the pattern (*, **, ?); may be repeated.", valueName: "glob"))
  var only: [String] = []

  func run() throws {
    let reading = Reading(paths)
    for complaint in reading.complaints { printError(complaint) }
    let scenarios = reading.scenarios.filter { isWanted($0.id, only) }
    let width = scenarios.map(\.id.count).max() ?? 0
    for scenario in scenarios {
      let padding = String(repeating: " ", count: width - scenario.id.count)
      let profiles = scenario.profiles.map(\.name).joined(separator: ",")
      say(SafeText.line("\(scenario.id)\(padding)  \(profiles)  \(scenario.title ?? "")"))
    }
    if reading.errorCount > 0 { throw Leave(.badInput) }
    if scenarios.isEmpty {
      printError("No scenario matches.")
      throw Leave(.nothingRan)
    }
  }
}
