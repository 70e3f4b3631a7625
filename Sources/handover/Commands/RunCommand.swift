import ArgumentParser
import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverFaults
import HandoverJSON
import HandoverReport
import HandoverScenario
import HandoverSimulation

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Replay scenarios and judge their channels and calls.",
    discussion: """
      Each scenario is replayed on each profile that it names. A failure shows what
      was expected, what was seen, the time line around it and the command that
      repeats it.

      --known-failing names a file of known failures, one a line: GLOB or
      GLOB [PROFILE], such as `stalls/* [sockets]`; # begins a comment. Such a case
      counts as failed as expected. If it passes, that is a failure: take the line
      out.

      --variants also plays each case with other transport settings: keepalive
      (time/time-out), and TCP_USER_TIMEOUT on TCP. Expectations are not evaluated
      there, only the rules that hold in every run. The figures show how soon calls
      end with each.

      --max-hang fails each case in which a call hangs for longer after a change of
      the network or never ends, whatever the scenario expects. The last line sums
      up: HANGS: 3 calls, worst 17.0 s. --strict makes recommendations required.

      --watch goes on after the run: when a scenario file is saved, what it affects
      is run again, until Ctrl-C.

      Examples:
        handover run
        handover run Scenarios/transitions --profile sockets --profile cfstream
        handover run --only 'stalls/*' --fail-fast
        handover run Scenarios/clients --condition wifi:delay=300ms,loss=1%
        handover run -o junit=report.xml -o tap=-
        handover run -o trace=traces   one trace for each case, for `handover replay`
        handover run --defect C10      a client with a known defect: it must fail
        handover run --known-failing known.txt
        handover run Scenarios --variants
        handover run Scenarios/clients --max-hang 5s --strict
        handover run Scenarios --variants=keepalive=20s/10s,user-timeout=30s
        handover run --shard 2/7 -o jsonl=2.jsonl      a part, for `handover merge`
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

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Only this profile; may be repeated. One of: "
        + Profile.known.map(\.name).joined(separator: ", ") + ".", valueName: "name"),
    completion: .list(Profile.known.map(\.name)))
  var profile: [String] = []

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
      "Write a report (pretty, tap, junit, jsonl or github) to a file, or - for standard output; "
        + "may be repeated. Without it: pretty=-. trace=DIR writes the trace of each case.",
      valueName: "format=file"),
    completion: .list(ReportOutput.Format.allCases.map { "\($0.rawValue)=" }))
  var output: [ReportOutput] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "How many scenarios run in parallel; without it one, and on all cores those in labs and in "
        + "other processes.", valueName: "number"))
  var jobs: Int?

  @Flag(name: .long, help: "Stop after the first scenario that fails.")
  var failFast = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Run everything this many times. In virtual time a run that differs is an error; in real "
        + "time the worst is reported, and which cases are flaky.",
      valueName: "times"))
  var `repeat` = 1

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The seed of all runs, instead of the files' own.", valueName: "number"))
  var seed: UInt64?

  @OptionGroup var conditions: ConditionOptions

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Only this part of the scenarios, such as 2/7; auto takes it from Bazel, Slurm or "
        + "Kubernetes. `handover merge` makes one report of all parts.", valueName: "i/n"))
  var shard: ShardChoice?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Give the client a defect; may be repeated. One of: "
        + KnownDefects.names.joined(separator: ", ")
        + ", or any that `handover selftest --list` names.", valueName: "name"),
    completion: .list(PlantedFault.all.map(\.name)))
  var defect: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A file of known failures; may be repeated.", valueName: "file"),
    completion: .file())
  var knownFailing: [String] = []

  @Option(
    name: .long, defaultAsFlag: VariantList.usual, parsing: .next,
    help: ArgumentHelp(
      "Also play each case with other transport settings, and compare the figures; the list is "
        + "optional.", valueName: "list"),
    completion: .list(TransportVariant.usual.map(\.argument)))
  var variants: VariantList?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How many failures are told in full; of the others there is a line each.",
      valueName: "number"))
  var failures = PrettyReport.usuallyFullyTold

  @OptionGroup(title: "Gates")
  var gates: GateOptions

  @Flag(name: .long, help: "Run again what is saved, until Ctrl-C.")
  var watch = false

  @OptionGroup var progressOptions: ProgressOptions

  @Option(name: .long, help: "Colour: auto, always or never.")
  var color = ColorChoice.auto

  private var jobCount: Int { jobs ?? backendOptions.backend.usualJobs }

  private var backendOptions: BackendOptions {
    BackendOptions(backend: backendOption.backend, settings: backendSettings)
  }

  func validate() throws {
    try backendOptions.validate()
    try PlannedScenario.validate(profiles: profile)
    for name in defect where PlantedFault.named(name) == nil {
      throw ValidationError(
        "There is no defect \"\(name)\"." + didYouMean(name, among: PlantedFault.all.map(\.name))
          + " Defects: " + KnownDefects.names.joined(separator: ", ")
          + ".")
    }
    try ParallelRun.validate(jobs: jobCount)
    guard failures >= 0 else { throw ValidationError("--failures takes a number from 0.") }
    guard (1...1_000_000).contains(`repeat`) else {
      throw ValidationError("--repeat takes a number from 1 to 1000000.")
    }
    try ReportOutput.validateFiles(of: output)
    if output.contains(where: { $0.format == .trace && $0.file == "-" }) {
      throw ValidationError("Traces are many files and go to a folder: -o trace=DIR.")
    }
    if output.count(where: { $0.format == .trace }) > 1 {
      throw ValidationError("Traces go to one folder; give -o trace=DIR once.")
    }
    if !backendOptions.isBuiltIn, !defect.isEmpty {
      throw ValidationError("--defect is for the built-in client; --backend names another.")
    }
    if let problem = variants?.problem { throw ValidationError(problem) }
    if watch, paths.contains("-") {
      throw ValidationError("--watch looks at files; standard input is read once.")
    }
    if watch, shard != nil {
      throw ValidationError("--watch runs what is saved; with --shard somebody else may have it.")
    }
    if watch, !FileWatcher.isAvailable {
      throw ValidationError("--watch is not available on this system.")
    }
    if watch, let file = output.first(where: { $0.file != "-" })?.file {
      throw ValidationError(
        "With --watch a report can only go to standard output, not to \(file): each run would "
          + "write over the one before.")
    }
  }

  func run() throws {
    try backendOptions.enterLab()
    let interruption = Interruption()
    try interruption.listen()
    finishWithoutRuns(at: interruption)
    let known = KnownFailures(knownFailing)
    for complaint in known.complaints { printError(complaint) }
    guard known.complaints.isEmpty else { throw Leave(.badInput) }
    if watch { throw Leave(try replayOnSave(known, interruption)) }
    let reading = Reading(paths)
    reading.showComplaints(color)
    try FileIdentity.refuse(
      output.filter(\.isReport).map(\.file), over: reading.files + knownFailing)
    let whole = plan(reading.scenarios)
    var part = try shard?.resolved()
    part?.plan = planDigest(whole)
    let plan = part.map { whole.part($0) } ?? whole
    let played = try replay(plan, of: part, known, interruption)
    // A line may match a case that was not run or a file that could not be read.
    if played.outcome.isComplete, !failFast, reading.errorCount == 0 {
      known.warnOfUnmatched(among: reading.scenarios)
    }
    if let part, plan.isEmpty, !whole.isEmpty, reading.errorCount == 0, played.isWritten,
      interruption.received == nil
    {
      printError("\(part.words) has nothing to run: the others have all there is.")
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
    if status != .badInput || reading.errorCount > 0 { explain(status, plan, played) }
    throw Leave(status)
  }

  /// Arranges that empty reports are written if a signal arrives before the first run.
  ///
  /// Before that, files are read and processes send their handshakes.
  private func finishWithoutRuns(at interruption: Interruption) {
    let (output, color, failures) = (output, color, failures)
    interruption.asLastResort {
      printError("Interrupted: no scenario was run.")
      // An output that cannot be opened, such as a pipe without a reader, is reported.
      let files = output.flatMap {
        (try? ReportOutput.opened([$0], color: color, fullyTold: failures)) ?? []
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
  /// - Throws: ``Leave`` if a report cannot be written.
  /// - Returns: The result of the plan.
  func replay(
    _ plan: [PlannedScenario], of shard: RunDescription.Shard? = nil, _ known: KnownFailures,
    _ interruption: Interruption,
    keep: @escaping @Sendable (ScenarioResult) -> Void = { _ in }
  ) throws -> Played {
    let defects = defect.compactMap(Defect.init(rawValue:))
    let faults = defect.compactMap(PlantedFault.named)
    let simulated: any Backend = faults.isEmpty ? SimulatedBackend() : FaultyBackend(faults)
    #if os(Linux)
      let rehearsal = ParallelRun.rehearsal(
        jobs: jobCount, variants: variants?.variants ?? [], interruption,
        progressOptions.progress)
      let live = try backendOptions.liveRuns(of: plan, rehearsedBy: rehearsal, gates.gates)
      let (before, breakdowns) = (live?.brokenBefore ?? [:], live?.breakdowns ?? [])
      let backend: any Backend =
        if let live { live.backend } else { try backendOptions.processes() ?? simulated }
      let played = live?.plan ?? plan
    #else
      let backend: any Backend = simulated
      let played = plan
      let (before, breakdowns) = (ParallelRun.Faults(), [String]())
    #endif
    let writesReport = output.contains(where: \.isReport)
    let traces = try output.first { $0.format == .trace }.map {
      try TraceDirectory($0.file, backend: backend.description.name, defects: defects)
    }
    var run = describe(plan, backend, traces)
    run.shard = shard
    let reports = Reports(
      try ReportOutput.opened(
        writesReport ? output : [ReportOutput.usual], color: color, fullyTold: failures),
      traces: traces, describing: run, planned: plan.caseNames)
    interruption.asLastResort { reports.finishAsLastResort() }
    var outcome = ParallelRun(
      backend: backend, keeps: backendOptions.isLive ? keeps.union(.traces) : keeps, jobs: jobCount,
      repeatCount: `repeat`, failsFast: failFast, variants: variants?.variants ?? [],
      gates: gates.gates, known: known, takeLongTrace: traces?.writer(describing: run),
      interruption: interruption, brokenBefore: before, progress: progressOptions.progress
    )(played) { result in
      let isWanted = reports.add(result)
      #if os(Linux)
        live?.compare(result)
      #endif
      keep(result)
      return isWanted
    }
    outcome.breakdowns += breakdowns
    let summary = reports.finish(
      isInterrupted: !outcome.isComplete && interruption.received != nil)
    for breakdown in outcome.breakdowns { printError("error: \(breakdown)") }
    #if os(Linux)
      if let live {
        // A program reads standard output if a report for programs goes there.
        let stream: StandardStream = writesReport ? .error : .output
        let style = Style.of(stream, color)
        stream.show(live.text(style: style), isColoured: style.isColoured)
      }
    #endif
    return Played(
      summary: summary, outcome: outcome,
      isWritten: reports.areWritten)
  }

  /// Returns the selected runs of some scenarios.
  func plan(_ scenarios: [Scenario]) -> [PlannedScenario] {
    PlannedScenario.plan(scenarios, profiles: profile, only: only, seed: seed)
      .map(conditions.apply)
  }

  /// Returns a digest of everything that must be equal in all shards of a run.
  ///
  /// These are the cases, and all options that influence the results.
  private func planDigest(_ plan: [PlannedScenario]) -> String {
    var digest = StateDigest(at: .zero)
    let words =
      [
        "\(backendOptions.backend)", backendOptions.settings.server ?? "",
        seed.map(String.init) ?? "", "\(`repeat`)", "\(gates.gates)",
        "\(variants?.variants.map(\.name) ?? [])", "\(knownFailing)",
      ] + conditions.texts + defect.sorted() + plan.caseNames
    for word in words {
      for byte in word.utf8 { digest.combine(UInt64(byte)) }
      digest.combine(UInt64.max)
    }
    return String(digest.high, radix: 16) + String(digest.low, radix: 16)
  }

  /// The data that reports and files require of the runs.
  private var keeps: Worker.Kept {
    var keeps: Worker.Kept = []
    // Only JSON Lines reports contain digests, which take as long to compute as a run.
    if output.contains(where: { $0.format == .jsonl }) { keeps.insert(.digests) }
    if output.contains(where: { $0.format == .trace }) { keeps.insert(.traces) }
    return keeps
  }

  /// Returns whether a path is below the bundled scenarios, for which more commands are available.
  private static func isBundled(_ path: String) -> Bool {
    path.split(separator: "/").first { $0 != "." } == "Scenarios"
  }

  private func describe(
    _ plan: [PlannedScenario], _ backend: any Backend, _ traces: TraceDirectory?
  ) -> RunDescription {
    var description = RunDescription(
      backend: backend.description.name, plannedScenarios: plan.count,
      plannedCases: plan.reduce(0) { $0 + $1.profiles.count },
      longestID: plan.map(\.scenario.id.count).max() ?? 0, seed: seed,
      traceDirectory: traces?.path)
    switch backendOptions.backend {
    case .simulated, .nio: break
    case .process, .lab: description.backendArgument = backendOptions.backend.description
    }
    description.serverArgument = backendOptions.settings.server
    description.knownFailing = knownFailing
    description.defects = defect
    description.conditions = conditions.texts
    description.variants = variants?.variants ?? []
    description.gates = gates.gates
    description.harness = ThisCommand.harness
    description.ownPaths = paths.allSatisfy(Self.isBundled) ? [] : paths
    return description
  }

  /// Prints an explanation of the exit status to standard error if the reports do not contain it.
  private func explain(_ status: ExitStatus, _ plan: [PlannedScenario], _ played: Played) {
    let summary = played.summary
    switch status {
    case .hungUp, .interrupted, .terminated:
      // Unfinished cases are reported when the reports are finished.
      if played.outcome.isComplete { printError("Interrupted after everything was run.") }
    case .badInput:
      printError("Some files could not be run; what is wrong with them stands above.")
    case .nothingRan where summary.cases > 0:
      printError(PlannedScenario.expectationsMissing(on: profile))
    case .nothingRan:
      printError(
        "Nothing ran: no scenario under \(paths.joined(separator: ", ")) "
          + "matches the options. `handover list` shows what there is.")
    case .failure, .breakdown:
      if !played.outcome.isComplete, failFast {
        printError(
          "Stopped at the first failure: \(summary.scenarios) of "
            + "\(counted(plan.count, "scenario")) were run.")
      }
    case .allAsExpected:
      break
    }
  }
}
