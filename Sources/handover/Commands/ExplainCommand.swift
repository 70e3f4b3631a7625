import ArgumentParser
import HandoverCore
import HandoverEngine
import HandoverJSON
import HandoverReport
import HandoverScenario
import HandoverSimulation

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain in plain sentences what happens in a scenario, and why.",
    discussion: """
      First what is played on all profiles; then, for each profile, what happens,
      what was expected, and whether it held. Rules of the documents are named, such
      as (D8a); `handover spec` lists them.

      Examples:
        handover explain Scenarios/stalls/killed.json
        handover explain my.json --profile sockets --profile cfstream

      Exit status: as with run. 1 if something expected was not seen.
      """)

  @Argument(help: "The scenario file.")
  var file: String

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Only this profile; may be repeated. One of: "
        + Profile.known.map(\.name).joined(separator: ", ") + ".", valueName: "name"),
    completion: .list(Profile.known.map(\.name)))
  var profile: [String] = []

  func validate() throws {
    try PlannedScenario.validate(profiles: profile)
  }

  func run() throws {
    let reading = Reading([file])
    for complaint in reading.complaints { printError(complaint) }
    if reading.errorCount > 0 { throw Leave(.badInput) }
    guard let scenario = reading.scenarios.first else {
      printError("\(file): error: there is no scenario here\n    hint: name a scenario file")
      throw Leave(.nothingRan)
    }
    guard reading.scenarios.count == 1 else {
      printError(
        "\(file): error: there are \(reading.scenarios.count) scenarios here\n"
          + "    hint: name one of them, such as \(scenario.file)")
      throw Leave(.badInput)
    }
    let profiles = scenario.profiles.filter { profile.isEmpty || profile.contains($0.name) }
    guard !profiles.isEmpty else {
      printError(
        "\(file): error: the scenario is not replayed on \(profile.joined(separator: ", "))\n"
          + "    hint: its profiles are "
          + scenario.profiles.map(\.name).joined(separator: ", "))
      throw Leave(.nothingRan)
    }
    var verdict = Verdict.passed
    try ParallelRun.simulate(
      [PlannedScenario(scenario: scenario, profiles: profiles)], keeps: .traces
    ) { result in
      StandardStream.output.write(SafeText.lines(Explanation(result).text))
      verdict = result.cases.map(\.verdict).max() ?? .passed
    }
    switch verdict {
    case .passed, .asFarAsSeen, .nonStrict, .unsupported, .failedAsExpected: break
    case .failed: throw Leave(.failure)
    case .error: throw Leave(.breakdown)
    }
  }
}
