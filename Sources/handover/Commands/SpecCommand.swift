import ArgumentParser
import HandoverCore
import HandoverEngine
import HandoverExploration
import HandoverReport
import HandoverScenario
import HandoverSimulation

struct SpecCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "spec",
    abstract: "List the requirements of the specifications and their tests.",
    usage: "handover spec [<options>] [<paths> ...]",
    discussion: """
      Runs the scenarios on the built-in client. A requirement is one of these:

        covered                  an expectation shows it, and passed
        deliberately different   Handover does something else, with the reason
        referenced               a scenario or test cites it; no expectation shows it
        not expressible          no scenario can express it, with the reason
        uncovered                nothing is known about it

      A covered requirement also counts as detected if an injected bug that violates
      it is detected by an expectation that shows it, or by an invariant in a
      scenario that does. `handover selftest` lists the bugs.

      --uncovered lists only requirements that no expectation shows. Exit status: 0
      no requirement is uncovered and nothing is contradictory; otherwise 1; 2 bad
      usage or bad input, and nothing is listed; 3 a run failed; 4 there is no
      scenario.

      --space lists the category changes of the scenarios instead, with the states
      of calls, channels and the application at that time. A GAP is a combination
      that a client can reach (handover explore) and no scenario covers. Exit status
      0, 2 or 4.

      Examples:
        handover spec
        handover spec --uncovered
        handover spec --space
      """)

  @Argument(
    help: "Scenario files, folders to search for *.json, or ids.",
    completion: .file(extensions: ["json"]))
  var paths: [String] = ["Scenarios"]

  @Flag(help: "List only requirements that no expectation shows.")
  var uncovered = false

  @Flag(help: "List the category changes of the scenarios instead of the requirements.")
  var space = false

  @Option(
    help: ArgumentHelp("The requirements of the specifications.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var items = BundledFiles.items

  @Option(
    help: ArgumentHelp("The reasons for requirements that are not covered.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var reasons = BundledFiles.reasons

  func validate() throws {
    guard !space || !uncovered else {
      throw ValidationError("--uncovered cannot be combined with --space.")
    }
  }

  func run() throws {
    let reading = Reading(paths)
    reading.showComplaints()
    // If a file cannot be read, requirements would wrongly appear uncovered.
    if reading.errorCount > 0 { throw ExitError(.badInput) }
    if reading.scenarios.isEmpty {
      throw ExitError(
        .nothingRan,
        printing: "Nothing to list: there is no scenario under \(paths.joined(separator: ", ")).")
    }
    if space { return try showSpace(reading) }
    var coverage = try Coverage(
      items: Documents.items(items), reasons: Documents.reasons(reasons))
    var broken: [String] = []
    let plan = reading.scenarios.map { PlannedScenario(scenario: $0, profiles: $0.profiles) }
    try ParallelRun.simulate(plan, retaining: .decisions) { result in
      coverage.add(result)
      broken += result.cases.filter { $0.verdict == .error }.map {
        "\($0.name): \($0.findings.first?.seen ?? "it did not finish")"
      }
    }
    let selftest = Selftest(reading.scenarios, explores: .none)
    for outcome in selftest.run(Mutant.all, jobs: 1, shouldContinue: { _, _ in true }) {
      for one in outcome.kills where one.isDetected {
        coverage.recordKill(
          outcome.mutant.name, of: outcome.mutant.items, showing: one.broken, by: one.scenario)
      }
    }
    coverage.finish()
    let text = CoverageText(coverage, width: StandardStream.output.columnCount)
    StandardStream.output.show(text.items(onlyUncovered: uncovered) + text.totals)
    for problem in coverage.problems { printError(problem) }
    for one in broken { printError("error: \(one)") }
    if !broken.isEmpty { throw ExitError(.breakdown) }
    if !coverage.problems.isEmpty || coverage.count(.open) > 0 { throw ExitError(.failure) }
  }

  private func showSpace(_ reading: Reading) throws {
    var coverage = SpaceCoverage(reachable: .reachable())
    let plan = reading.scenarios.map { PlannedScenario(scenario: $0, profiles: $0.profiles) }
    try ParallelRun.simulate(plan, retaining: .cells) { coverage.add($0) }
    let style = Style.of(.output, .auto)
    StandardStream.output.show(
      SpaceText(coverage, style: style).text, isColored: style.isColored)
  }
}
