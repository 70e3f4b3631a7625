import ArgumentParser
import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverReport
import HandoverScenario
import HandoverSimulation

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Replay scenarios and judge what becomes of channels and calls.",
    discussion: """
      Each scenario is replayed on each profile it names. A failure shows what was
      expected, what was seen, the time line around it and the command that repeats
      it.

      Examples:
        handover run
        handover run Scenarios/transitions --profile sockets --profile cfstream
        handover run --only 'stalls/*' --fail-fast
        handover run -o junit=report.xml -o tap=-
        handover run -o trace=traces   one trace for each case, for `handover replay`
        handover run --defect C10      a client with a known defect: it must fail
      """)

  @Argument(help: "Files, or directories that are walked for *.json.")
  var paths: [String] = ["Scenarios"]

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Only this profile; may be repeated. One of: "
        + Profile.all.map(\.name).joined(separator: ", ") + ".", valueName: "name"))
  var profile: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Only ids that match the pattern (*, **, ?); may be repeated.", valueName: "glob"))
  var only: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write a report: pretty, tap, junit, jsonl or github, to a file or - for standard output; "
        + "may be repeated. Without any: pretty=-. With trace=DIR, the trace of each case.",
      valueName: "format=file"))
  var output: [ReportOutput] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("How many scenarios run side by side.", valueName: "number"))
  var jobs = 1

  @Flag(name: .long, help: "Stop after the first scenario that fails.")
  var failFast = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Run everything this often; a run that differs from the one before is an error.",
      valueName: "times"))
  var `repeat` = 1

  @Option(
    name: .long, help: ArgumentHelp("The seed of all runs, in place of the files' own."))
  var seed: UInt64?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Give the client a defect of the original; may be repeated. One of: "
        + Defect.allCases.map(\.rawValue).joined(separator: ", ") + ".", valueName: "name"))
  var defect: [String] = []

  @Option(name: .long, help: "Colour: auto, always or never.")
  var color = ColorChoice.auto

  func validate() throws {
    for name in profile where Profile.named(name) == nil {
      throw ValidationError(
        "There is no profile \"\(name)\". Profiles: "
          + Profile.all.map(\.name).joined(separator: ", ") + ".")
    }
    for name in defect where Defect(rawValue: name) == nil {
      throw ValidationError(
        "There is no defect \"\(name)\". Defects: "
          + Defect.allCases.map(\.rawValue).joined(separator: ", ") + ".")
    }
    guard (1...256).contains(jobs) else {
      throw ValidationError("--jobs takes a number from 1 to 256.")
    }
    guard (1...1_000_000).contains(`repeat`) else {
      throw ValidationError("--repeat takes a number from 1 to 1000000.")
    }
    if output.contains(where: { $0.format == .trace && $0.file == "-" }) {
      throw ValidationError("Traces are many files and go to a directory: -o trace=DIR.")
    }
    if output.count(where: { $0.format == .trace }) > 1 {
      throw ValidationError("Traces go to one directory; give -o trace=DIR once.")
    }
    if let twice = ReportOutput.firstUsedTwice(output) {
      throw ValidationError("Two reports cannot both go to \(twice); give one another file.")
    }
  }

  func run() throws {
    let reading = Reading(paths)
    for complaint in reading.complaints { printError(complaint) }
    let plan = plan(reading.scenarios)
    let backend = SimulatedBackend(defects: Defects(defect.compactMap(Defect.init(rawValue:))))
    let interruption = Interruption()
    interruption.listen()
    let writesReport = output.contains(where: \.isReport)
    let traces = try output.first { $0.format == .trace }.map {
      try TraceDirectory(
        $0.file, backend: backend.description.name, defects: defect.compactMap(Defect.init))
    }
    let reports = Reports(
      try ReportOutput.opened(writesReport ? output : [ReportOutput.usual], color: color),
      traces: traces, describing: describe(plan, backend, traces))
    let progress = ProgressLine(total: plan.count, isShown: writesReport)
    let isComplete = ParallelRun(
      backend: backend, keeps: keeps, jobs: jobs, repeatCount: `repeat`, failsFast: failFast,
      interruption: interruption
    )(plan) { result in
      reports.add(result)
      progress.advance()
    }
    progress.clear()
    let summary = reports.finish()
    if let status = status(
      summary, isInputGood: reading.errorCount == 0 && reports.lostTraces == 0, interruption)
    {
      if reports.lostTraces > 0 {
        printError(counted(reports.lostTraces, "trace") + " could not be written.")
      }
      if status != .badInput || reading.errorCount > 0 {
        explain(status, summary, plan, isComplete: isComplete)
      }
      throw Leave(status)
    }
  }

  /// What is to be run: the scenarios that are wanted, on the profiles that are wanted.
  private func plan(_ scenarios: [Scenario]) -> [PlannedScenario] {
    scenarios.compactMap { scenario in
      guard isWanted(scenario.id, only) else { return nil }
      let profiles = scenario.profiles.filter { profile.isEmpty || profile.contains($0.name) }
      guard !profiles.isEmpty else { return nil }
      var scenario = scenario
      if let seed { scenario.script.configuration.seed = seed }
      return PlannedScenario(scenario: scenario, profiles: profiles)
    }
  }

  /// What the reports and files need of the runs.
  private var keeps: Worker.Kept {
    var keeps: Worker.Kept = []
    // Only the lines for programs hold digests, and they cost as much as a run.
    if output.contains(where: { $0.format == .jsonl }) { keeps.insert(.digests) }
    if output.contains(where: { $0.format == .trace }) { keeps.insert(.traces) }
    return keeps
  }

  private func describe(
    _ plan: [PlannedScenario], _ backend: some Backend, _ traces: TraceDirectory?
  ) -> RunDescription {
    RunDescription(
      backend: backend.description.name, plannedScenarios: plan.count,
      plannedCases: plan.reduce(0) { $0 + $1.profiles.count },
      longestID: plan.map(\.scenario.id.count).max() ?? 0, seed: seed,
      traceDirectory: traces?.path)
  }

  /// The exit status; nil where all is as expected.
  ///
  /// The first that applies counts.
  private func status(
    _ summary: Summary, isInputGood: Bool, _ interruption: Interruption
  ) -> ExitStatus? {
    if let status = interruption.exitStatus { return status }
    if !isInputGood { return .badInput }
    if summary.errors > 0 { return .breakdown }
    if summary.failed > 0 { return .failure }
    if summary.cases == 0 { return .nothingRan }
    return nil
  }

  /// Says on standard error what a report does not say of itself.
  private func explain(
    _ status: ExitStatus, _ summary: Summary, _ plan: [PlannedScenario], isComplete: Bool
  ) {
    switch status {
    case .interrupted, .terminated:
      printError(
        "Interrupted: \(summary.scenarios) of \(counted(plan.count, "scenario")) were run.")
    case .badInput:
      printError("Some files could not be run; what is wrong with them stands above.")
    case .nothingRan:
      printError(
        "Nothing ran: no scenario under \(paths.joined(separator: ", ")) "
          + "matches the options. `handover list` shows what there is.")
    case .failure, .breakdown:
      if !isComplete {
        printError(
          "Stopped at the first failure: \(summary.scenarios) of "
            + "\(counted(plan.count, "scenario")) were run.")
      }
    case .allAsExpected:
      break
    }
  }
}
