import ArgumentParser
import HandoverCore
import HandoverEngine
import HandoverExploration
import HandoverFaults
import HandoverReport
import HandoverScenario
import HandoverSimulation

struct SpecCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "spec",
    abstract: "List the items of the documents with the expectations that show them.",
    usage: "handover spec [<options>] [<paths> ...]",
    discussion: """
      Runs the scenarios on the built-in client. An item is

        kept                    an expectation that shows it was decided, and held;
                                it is named
        deliberately otherwise  something else is done, with the reason and the
                                expectation that shows it
        cited only              a scenario is about it but no expectation shows it,
                                or a test of a library holds it
        not expressible         no scenario can say it, with the reason
        open                    nothing is known of it

      An item that is kept counts as convicted where a planted fault is against it,
      and an expectation that shows it, or a rule of every run in a scenario that
      does, convicts that fault; `handover selftest` tells more of faults.

      --uncovered lists only the items that no expectation shows. Exit status 0 if
      none is open and nothing contradicts, else 1; 2 bad usage or bad input, and
      nothing is listed; 3 a run broke down; 4 there is no scenario.

      --space lists instead which changes of the network's category the scenarios
      had, and where calls, channels and the application stood then; what a client
      can come to (handover explore) and no scenario shows is a GAP. Exit status 0,
      2 or 4.

      Examples:
        handover spec
        handover spec --uncovered
        handover spec --space
      """)

  @Argument(
    help: "Scenario files, folders to search for *.json, or ids.",
    completion: .file(extensions: ["json"]))
  var paths: [String] = ["Scenarios"]

  @Flag(help: "Only what no expectation shows.")
  var uncovered = false

  @Flag(help: "The changes of the network that the scenarios have, in place of the items.")
  var space = false

  @Option(
    help: ArgumentHelp("The items of the documents.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var items = BundledFiles.items

  @Option(
    help: ArgumentHelp("Why some items are not kept.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var reasons = BundledFiles.reasons

  func validate() throws {
    guard !space || !uncovered else {
      throw ValidationError("--uncovered is about items, and --space shows none.")
    }
  }

  func run() throws {
    let reading = Reading(paths)
    reading.showComplaints()
    // If a file cannot be read, requirements would wrongly appear uncovered.
    if reading.errorCount > 0 { throw Leave(.badInput) }
    if reading.scenarios.isEmpty {
      printError("Nothing is listed: no scenario is under \(paths.joined(separator: ", ")).")
      throw Leave(.nothingRan)
    }
    if space { return try showSpace(reading) }
    var coverage = try Coverage(
      items: Documents.items(items), reasons: Documents.reasons(reasons))
    var broken: [String] = []
    let plan = reading.scenarios.map { PlannedScenario(scenario: $0, profiles: $0.profiles) }
    try ParallelRun.simulate(plan, keeps: .decisions) { result in
      coverage.add(result)
      broken += result.cases.filter { $0.verdict == .error }.map {
        "\($0.name): \($0.findings.first?.seen ?? "it came to no end")"
      }
    }
    let selftest = Selftest(reading.scenarios, explores: .none)
    for outcome in selftest.run(PlantedFault.all, jobs: 1, goesOn: { _, _ in true }) {
      for one in outcome.convictions where one.isConvicted {
        coverage.convict(
          outcome.fault.name, of: outcome.fault.items, showing: one.broken, by: one.scenario)
      }
    }
    coverage.finish()
    let text = CoverageText(coverage, width: StandardStream.output.columnCount)
    StandardStream.output.show(text.items(onlyUncovered: uncovered) + text.totals)
    for problem in coverage.problems { printError(problem) }
    for one in broken { printError("error: \(one)") }
    if !broken.isEmpty { throw Leave(.breakdown) }
    if !coverage.problems.isEmpty || coverage.count(.open) > 0 { throw Leave(.failure) }
  }

  private func showSpace(_ reading: Reading) throws {
    var coverage = SpaceCoverage(reachable: .reachable())
    let plan = reading.scenarios.map { PlannedScenario(scenario: $0, profiles: $0.profiles) }
    try ParallelRun.simulate(plan, keeps: .cells) { coverage.add($0) }
    let style = Style.of(.output, .auto)
    StandardStream.output.show(
      SpaceText(coverage, style: style).text, isColoured: style.isColoured)
  }
}
