import ArgumentParser
import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverExploration
import HandoverLinux
import HandoverReport
import HandoverScenario
import HandoverSimulation

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run scenarios and check their channels and calls.",
    discussion: """
      Each scenario runs on each profile that it names. For a failure, the report
      shows what was expected, what was seen, the timeline around it, and the
      command that repeats the run.

      --known-failing names a file of known failures, one per line: GLOB or GLOB
      [PROFILE], such as `stalls/* [sockets]`; # begins a comment. A known failure
      gets the verdict KNOWN. If such a case passes, the run fails: remove the line.

      --variants also runs each case with other transport settings: keepalive
      (time/timeout), and TCP_USER_TIMEOUT on TCP. For variants, only the invariants
      are checked, not the expectations. The figures show how fast calls end with
      each setting.

      --max-hang fails each case in which a call hangs for longer after a network
      change or never ends, whatever the scenario expects. The last line summarizes:
      HANGS: 3 calls, worst 17.0 s. --strict makes recommendations required.

      --search draws timelines of network changes instead, makes calls at them, and
      looks for a call that hangs for longer than --max-hang (default: 1min). The
      timeline is shortened and saved as a scenario.

      --watch continues after the run. When a scenario file is saved, the affected
      scenarios run again, until Ctrl-C.

      Examples:
        handover run
        handover run Scenarios/transitions --profile sockets --profile cfstream
        handover run --only 'stalls/*' --fail-fast
        handover run Scenarios/clients --condition wifi:delay=300ms,loss=1%
        handover run -o junit=report.xml -o tap=-
        handover run -o trace=traces   one trace for each case, for `handover replay`
        handover run --defect C10      a client with a known bug: it must fail
        handover run --known-failing known.txt
        handover run Scenarios --variants
        handover run Scenarios/clients --max-hang 5s --strict
        handover run Scenarios --variants=keepalive=20s/10s,user-timeout=30s
        handover run --shard 2/7 -o jsonl=2.jsonl      one part, for `handover merge`
        handover run --search 1min --profile sockets-monitor
        handover run my.json --watch
        handover my.json               the same as handover run my.json
        jq '.config.seed = 7' my.json | handover run -
        handover run --backend 'exec:./my-client'
        handover run --backend 'lab:./my-client' --server ./my-server --jobs 8
      """)

  @Argument(
    help: "Scenario files, folders to search for *.json, ids, or - for standard input.",
    completion: .file(extensions: ["json"]))
  var paths: [String] = ["Scenarios"]

  @OptionGroup var profiles: ProfileOptions

  @OptionGroup(title: "Backend")
  var backendOption: BackendOption

  @OptionGroup(title: "Backend")
  var backendSettings: BackendSettings

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Only ids that match the pattern (*, **, ?); may be repeated.", valueName: "glob"),
    completion: .custom(ScenarioIDs.beginning))
  var only: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write a report (pretty, tap, junit, ctrf, otlp, perfetto, jsonl, github or "
        + "github-summary) to a file, or - for standard output; may be repeated. Without it: "
        + "pretty=-. trace=DIR writes the trace of each case.",
      valueName: "format=file"),
    completion: .list(ReportOutput.Format.allCases.map { "\($0.rawValue)=" }))
  var output: [ReportOutput] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Scenarios to run in parallel. Default: 1 in simulation; one per core for labs and "
        + "external processes.", valueName: "number"))
  var jobs: Int?

  @Flag(name: .long, help: "Stop after the first scenario that fails.")
  var failFast = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Run everything this many times. In virtual time, a different result is an error. In real "
        + "time, the worst result counts, and flaky cases are listed.",
      valueName: "times"))
  var `repeat` = 1

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The seed of all runs, instead of the seeds in the files. With --search: the seed of the "
        + "timelines.", valueName: "number"))
  var seed: UInt64?

  @OptionGroup(title: "Search")
  var searchOptions: SearchOptions

  @OptionGroup var conditions: ConditionOptions

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Run one part of the scenarios, such as 2/7; auto reads it from Bazel, Slurm or "
        + "Kubernetes. `handover merge` merges the reports.", valueName: "i/n"))
  var shard: ShardChoice?

  @OptionGroup var defects: DefectOptions

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A file of known failures, such as known.txt; may be repeated.", valueName: "file"),
    completion: .file())
  var knownFailing: [String] = []

  @Option(
    name: .long, defaultAsFlag: VariantList.standard, parsing: .next,
    help: ArgumentHelp(
      "Also run each case with other transport settings, and compare the times; the list is "
        + "optional.", valueName: "list"),
    completion: .list(TransportVariant.standard.map(\.argument)))
  var variants: VariantList?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How many failures to print in full; the rest get one line each.",
      valueName: "number"))
  var failures = PrettyReport.defaultDetailCount

  @OptionGroup(title: "Gates")
  var gates: GateOptions

  @Flag(name: .long, help: "Run scenarios again when their files are saved, until Ctrl-C.")
  var watch = false

  @OptionGroup var progressOptions: ProgressOptions

  @Option(name: .long, help: "Color: auto, always or never.")
  var color = ColorChoice.auto

  private var jobCount: Int { jobs ?? choice.defaultJobs }

  var choice: BackendChoice { backendOption.backend }

  func validate() throws {
    try backendSettings.validate(for: [choice])
    try ParallelRun.validate(jobs: jobCount)
    try validateSearch()
    guard failures >= 0 else {
      throw ValidationError("--failures must be an integer from 0, such as --failures 20.")
    }
    guard (1...1_000_000).contains(`repeat`) else {
      throw ValidationError("--repeat must be an integer from 1 to 1000000, such as --repeat 10.")
    }
    try ReportOutput.validateFiles(of: output)
    if output.contains(where: { $0.format == .trace && $0.file == "-" }) {
      throw ValidationError(
        "Traces need a folder, because there is a file for each case: -o trace=DIR.")
    }
    if output.count(where: { $0.format == .trace }) > 1 {
      throw ValidationError("-o trace=DIR can be given once only.")
    }
    try defects.validate(for: choice)
    if let problem = variants?.problem { throw ValidationError(problem) }
    if watch, paths.contains("-") {
      throw ValidationError("--watch needs files, because standard input can be read once only.")
    }
    if watch, shard != nil {
      throw ValidationError(
        "--watch cannot be combined with --shard: the saved file may belong to another shard.")
    }
    if watch, let file = output.first(where: { $0.file != "-" })?.file {
      throw ValidationError(
        "With --watch, a report must go to standard output, because each run would overwrite "
          + "\(file). Write -o FORMAT=-.")
    }
  }

  func run() throws {
    if let time = searchOptions.search { return try search(for: time.interval) }
    try backendSettings.enterLab(for: [choice])
    let interruption = Interruption()
    try interruption.listen()
    finishWithoutRuns(at: interruption)
    let known = KnownFailures(knownFailing)
    for complaint in known.complaints { printError(complaint) }
    guard known.complaints.isEmpty else { throw ExitError(.badInput) }
    if watch { throw ExitError(try replayOnSave(known, interruption)) }
    let reading = Reading(paths)
    reading.showComplaints(color)
    try FileIdentity.refuse(
      output.filter(\.isReport).map(\.file), over: reading.files + knownFailing)
    let whole = plan(reading.scenarios)
    var part = try shard?.resolved()
    part?.plan = planDigest(whole, known)
    let plan = part.map { whole.part($0) } ?? whole
    let played = try replay(plan, of: part, known, interruption)
    // A line may match a case that was not run or a file that could not be read.
    if played.outcome.isComplete, !failFast, reading.errorCount == 0 {
      known.warnOfUnmatched(among: reading.scenarios)
    }
    if let part, plan.isEmpty, !whole.isEmpty, reading.errorCount == 0, played.isWritten,
      interruption.received == nil
    {
      printError("\(part.words) is empty: there are fewer scenarios than shards.")
      return
    }
    guard
      let status = ExitStatus.of(
        played.summary, within: gates.gates, isInputGood: reading.errorCount == 0,
        isOutputGood: played.isWritten,
        isSound: played.outcome.breakdowns.isEmpty, interruption)
    else { return }
    // Other shards may have cases on profiles that their scenarios name.
    if status == .nothingRan, part != nil, played.summary.cases > 0, whole.namesProfiles { return }
    let isComplete = played.outcome.isComplete
    if status != .badInput || reading.errorCount > 0 {
      status.explain(
        paths: paths, profiles: profiles.names, hasCases: played.summary.cases > 0,
        isComplete: isComplete)
    }
    if [.failure, .breakdown].contains(status), !isComplete, failFast {
      printError(
        "Stopped at the first failure: \(played.summary.scenarios) of "
          + "\(counted(plan.count, "scenario")) ran.")
    }
    throw ExitError(status)
  }

  /// Arranges that empty reports are written if a signal arrives before the first run.
  ///
  /// Before that, files are read and processes send their handshakes.
  private func finishWithoutRuns(at interruption: Interruption) {
    let (output, color, failures) = (output, color, failures)
    interruption.asLastResort {
      printError("Interrupted: no scenario ran.")
      // An output that cannot be opened, such as a pipe without a reader, is reported.
      let files = output.flatMap {
        (try? ReportOutput.opened([$0], color: color, detailCount: failures)) ?? []
      }
      guard !files.isEmpty else { return .done }
      let reports = Reports(files, traces: nil, describing: RunDescription())
      _ = reports.finish(isInterrupted: true)
      return .done
    }
  }

  /// The result of a plan.
  struct Played {
    var summary: Summary
    var outcome: ParallelRun.Outcome
    /// Whether every report and every trace was written.
    var isWritten: Bool
  }

  /// Runs a plan and writes its reports.
  ///
  /// - Parameters:
  ///   - plan: The scenarios to run.
  ///   - shard: The shard of a divided run, or `nil` if the run is not divided.
  ///   - known: The cases that are known to fail.
  ///   - interruption: The signal handling.
  ///   - keep: A closure that receives each result, called by one thread at a time.
  /// - Throws: ``ExitError`` if a report cannot be written.
  /// - Returns: The result of the plan.
  func replay(
    _ plan: [PlannedScenario], of shard: RunDescription.Shard? = nil, _ known: KnownFailures,
    _ interruption: Interruption,
    keep: @escaping @Sendable (ScenarioResult) -> Void = { _ in }
  ) throws -> Played {
    let faults = defects.mutants
    let simulated: any Backend = faults.isEmpty ? SimulatedBackend() : FaultyBackend(faults)
    let simulation = ParallelRun.simulation(
      jobs: jobCount, variants: variants?.variants ?? [], interruption,
      progressOptions.progress)
    let live = try backendSettings.liveRuns(choice, of: plan, simulatedBy: simulation, gates.gates)
    let (before, breakdowns) = (live?.brokenBefore ?? [:], live?.breakdowns ?? [])
    let backend: any Backend =
      if let live { live.backend } else { try backendSettings.processes(choice) ?? simulated }
    let played = live?.plan ?? plan
    let writesReport = output.contains(where: \.isReport)
    let traces = try output.first { $0.format == .trace }.map {
      try TraceDirectory(
        $0.file, backend: backend.description.name,
        defects: defects.names.compactMap(Defect.init(rawValue:)))
    }
    var run = describe(plan, backend, traces)
    run.shard = shard
    run.id = Environment.runID ?? shard?.plan
    let reports = Reports(
      try ReportOutput.opened(
        writesReport ? output : [ReportOutput.standard], color: color, detailCount: failures)
        + ReportOutput.stepSummary(besides: output),
      traces: traces, describing: run, planned: plan.caseNames)
    interruption.asLastResort { reports.finishAsLastResort() }
    var outcome = ParallelRun(
      backend: backend,
      retainedData: choice.isLive ? retainedData.union(.traces) : retainedData,
      jobs: jobCount,
      repeatCount: `repeat`, failsFast: failFast, variants: variants?.variants ?? [],
      gates: gates.gates, known: known, takeLongTrace: traces?.writer(describing: run),
      interruption: interruption, brokenBefore: before, progress: progressOptions.progress
    )(played) { result in
      let isWanted = reports.add(result)
      live?.compare(result)
      keep(result)
      return isWanted
    }
    outcome.breakdowns += breakdowns
    let summary = reports.finish(
      isInterrupted: !outcome.isComplete && interruption.received != nil)
    for breakdown in outcome.breakdowns { printError("error: \(breakdown)") }
    if let live {
      // A program reads standard output if a report for programs goes there.
      let stream: StandardStream = writesReport ? .error : .output
      let style = Style.of(stream, color)
      stream.show(live.text(style: style), isColored: style.isColored)
    }
    return Played(
      summary: summary, outcome: outcome,
      isWritten: reports.areWritten)
  }

  /// Returns the selected runs of some scenarios.
  func plan(_ scenarios: [Scenario]) -> [PlannedScenario] {
    PlannedScenario.plan(scenarios, profiles: profiles.names, only: only, seed: seed)
      .map(conditions.apply)
  }

  /// Returns a digest of everything that must be equal in all shards of a run.
  ///
  /// These are the scenarios with their cases, the known failures, and all options that influence
  /// the results.
  private func planDigest(_ plan: [PlannedScenario], _ known: KnownFailures) -> String {
    var digest = StateDigest(at: .zero)
    let options = [
      "\(choice)", "\(backendSettings.arguments(for: [choice]))",
      seed.map(String.init) ?? "", "\(`repeat`)", "\(gates.gates)",
      "\(variants?.variants.map(\.name) ?? [])", "\(knownFailing)",
      "\(known.lines.map(\.text))", "\(conditions.texts)", "\(defects.names.sorted())",
    ]
    // The text of a scenario contains only the names of traces.
    let traces = plan.flatMap(\.scenario.script.traces).map { "\($0.opportunities)" }
    for word in options + plan.caseNames + plan.map(\.scenario.line) + traces {
      for byte in word.utf8 { digest.combine(UInt64(byte)) }
      digest.combine(UInt64.max)
    }
    return digest.text
  }

  /// The data that reports and files require of the runs.
  private var retainedData: Worker.RetainedData {
    var retained: Worker.RetainedData = []
    // Only JSON Lines reports contain digests, which take as long to compute as a run.
    if output.contains(where: { $0.format == .jsonl }) { retained.insert(.digests) }
    if output.contains(where: { $0.format == .trace }) { retained.insert(.traces) }
    if output.contains(where: \.showsTimelines) { retained.insert(.timelines) }
    return retained
  }

  private func describe(
    _ plan: [PlannedScenario], _ backend: any Backend, _ traces: TraceDirectory?
  ) -> RunDescription {
    var description = RunDescription(
      backend: backend.description.name, plannedScenarios: plan.count,
      plannedCases: plan.reduce(0) { $0 + $1.profiles.count },
      longestID: plan.map(\.scenario.id.count).max() ?? 0, seed: seed,
      traceDirectory: traces?.path)
    if choice.isProgram {
      description.backendArgument = choice.description
    }
    description.backendSettings = backendSettings.arguments(for: [choice])
    description.knownFailing = knownFailing
    description.defects = defects.names
    description.conditions = conditions.texts
    description.variants = variants?.variants ?? []
    description.gates = gates.gates
    description.harness = Executable.harness
    description.began = LocalTime.now
    description.ownPaths = paths.allSatisfy(BundledFiles.isNamed) ? [] : paths
    return description
  }
}
