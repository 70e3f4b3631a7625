import ArgumentParser
import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverExploration
import HandoverReport
import HandoverScenario
import HandoverSimulation
import Synchronization

struct MatrixCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "matrix",
    abstract: "Run scenarios on several backends, and compare the results.",
    usage: "handover matrix [<options>] [<paths> ...]",
    discussion: """
      Rows are scenarios, grouped by the requirements that they cite. Columns are
      backends and their profiles. A cell contains the verdict and the longest time
      from a network change to the end of a call. The HTML page is one file and
      loads nothing.

      Examples:
        handover matrix --backend simulated --backend 'exec:./my-client'
        handover matrix --backend simulated --backend nio -o html=matrix.html
        handover matrix Scenarios/transitions -o html=matrix.html -o json=matrix.json
        handover matrix --only 'stalls/*' --profile sockets --profile cfstream
        handover matrix --backend 'lab:./old' --backend 'lab:./new' --server ./server
        handover matrix --known-failing known.txt -o markdown=matrix.md
        handover matrix --backend 'exec:./mine' --known-failing mine=known.txt
        handover matrix --backend 'exec:./mine' --max-hang 5s -o html=matrix.html
        handover matrix old.jsonl new.jsonl -o html=programs.html

      --max-hang and --strict work as with `handover run`, in all columns.

      Instead of scenarios, you can name reports of `handover try -o jsonl=FILE`.
      Then a column is a program, and a row is a network change. Only --output
      applies. Exit status 1 if a program fails and the failure is not known.

      Otherwise, the exit status is as with `handover run`.
      """)

  @Argument(
    help: "Scenario files, folders to search for *.json, ids, or reports of try (*.jsonl).",
    completion: .file(extensions: ["json", "jsonl"]))
  var paths: [String] = ["Scenarios"]

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A backend with its own columns: simulated, nio, exec:COMMAND or lab:COMMAND; may be "
        + "repeated. Without it: simulated.", valueName: "name"),
    completion: BackendChoice.completion)
  var backend: [BackendChoice] = []

  @OptionGroup(title: "Backends")
  var settings: BackendSettings

  @OptionGroup var profiles: ProfileOptions

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Only ids that match the pattern (*, **, ?); may be repeated.", valueName: "glob"),
    completion: .custom(ScenarioIDs.beginning))
  var only: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write html, markdown or json to a file, or - for standard output; may be repeated. "
        + "Without it: markdown=-.", valueName: "format=file"),
    completion: .list(MatrixDestination.Format.allCases.map { "\($0.rawValue)=" }))
  var output: [MatrixDestination] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Scenarios to run in parallel. Default: 1 in simulation; one per core for labs and "
        + "external processes.", valueName: "number"))
  var jobs: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The seed of all runs, instead of the seeds in the files.", valueName: "number"))
  var seed: UInt64?

  @OptionGroup var conditions: ConditionOptions

  @OptionGroup(title: "Gates")
  var gates: GateOptions

  @OptionGroup var progressOptions: ProgressOptions

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A file of known failures; may be repeated. NAME=FILE applies only to the backend with the "
        + "name NAME.", valueName: "[name=]file"),
    completion: .file())
  var knownFailing: [KnownFailureFile] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A date for the footer. Without it, the same runs give the same page.",
      valueName: "text"))
  var date: String?

  @Option(
    help: ArgumentHelp(
      "The requirements of the specifications.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var items = BundledFiles.items

  /// The backends to run; the default is the simulation.
  private var backends: [BackendChoice] { backend.isEmpty ? [.simulated] : backend }

  func validate() throws {
    try ParallelRun.validate(jobs: jobs ?? 1)
    for (index, choice) in backend.enumerated() {
      guard !backend[..<index].contains(choice) else {
        throw ValidationError("--backend \(choice) is named twice. Name each backend once.")
      }
    }
    try settings.validate(for: backends)
    try MatrixDestination.validateFiles(of: output)
    guard comparesTryReports else { return }
    guard paths.allSatisfy({ $0.hasSuffix(".jsonl") }) else {
      throw ValidationError(
        "Name either scenarios or reports of `handover try` (*.jsonl), not both.")
    }
    guard backend.isEmpty, profiles.names.isEmpty, only.isEmpty, seed == nil, knownFailing.isEmpty,
      gates.maxHang == nil, !gates.strict, conditions.condition.isEmpty, jobs == nil, date == nil,
      items == BundledFiles.items, settings.areStandard
    else {
      throw ValidationError(
        "Reports of `handover try` accept only --output. Remove the other options.")
    }
  }

  /// The thresholds for each case, extended so that hangs are shown even without a limit.
  private var shownGates: Gates {
    var gates = gates.gates
    gates.shownHang = Self.shownHang
    return gates
  }

  /// The length from which a hang is shown if no limit is given.
  private static let shownHang = Interval.seconds(5)

  /// The command that produces the same matrix, without options for output, progress or speed.
  private var commandText: String {
    var words = ["handover", "matrix"] + (paths == ["Scenarios"] ? [] : paths)
    words += backend.flatMap { ["--backend", "\($0)"] }
    words += settings.arguments(for: backends)
    words += profiles.names.flatMap { ["--profile", $0] } + only.flatMap { ["--only", $0] }
    if let seed { words += ["--seed", "\(seed)"] }
    words += conditions.texts.flatMap { ["--condition", $0] }
    if let maxHang = gates.maxHang { words += ["--max-hang", maxHang.interval.text] }
    if gates.strict { words.append("--strict") }
    words += knownFailing.flatMap { ["--known-failing", "\($0)"] }
    if items != BundledFiles.items { words += ["--items", items] }
    return words.map(ShellWord.quoted).joined(separator: " ")
  }

  /// Whether the command shows reports of `handover try` instead of running scenarios.
  private var comparesTryReports: Bool { paths.contains { $0.hasSuffix(".jsonl") } }

  private func showTries() throws {
    let written = output.isEmpty ? [.standard] : output
    try FileIdentity.refuse(written.map(\.file), over: paths)
    let reports = try paths.map { path in
      let bytes = try InputFile.bytes(
        of: path, hint: "handover try -o jsonl=FILE writes such a report")
      return try InputFile.read { () throws(InputError) in
        try TryReport.read(file: path, bytes: bytes)
      }
    }
    let matrix = TryMatrix(reports)
    var failures: [OutputFailure] = []
    for output in written {
      var file = try OutputFile.opened(output.file)
      file.write(output.text(of: matrix))
      file.finish()
      failures += [file.failure].compactMap(\.self)
    }
    for failure in failures { printError(failure.description) }
    if !failures.isEmpty { throw ExitError(.badInput) }
    if matrix.isBad { throw ExitError(.failure) }
  }

  func run() throws {
    if comparesTryReports { return try showTries() }
    try settings.enterLab(for: backends)
    let interruption = Interruption()
    try interruption.listen()
    interruption.asLastResort {
      printError("Interrupted: no case ran, and no file was written.")
      return .done
    }
    let known = KnownFailures(knownFailing.map(\.file))
    for complaint in known.complaints { printError(complaint) }
    guard known.complaints.isEmpty else { throw ExitError(.badInput) }
    let reading = Reading(paths)
    reading.showComplaints()
    let plan = PlannedScenario.plan(
      reading.scenarios, profiles: profiles.names, only: only, seed: seed
    ).map(conditions.apply)
    let items = try Documents.items(self.items)
    let written = output.isEmpty ? [.standard] : output
    try FileIdentity.refuse(
      written.map(\.file), over: reading.files + knownFailing.map(\.file) + [self.items])
    let files = try written.map { try OutputFile.opened($0.file) }
    let runs = try backends.map {
      let simulation = ParallelRun.simulation(
        jobs: jobs ?? $0.defaultJobs, variants: [], interruption, progressOptions.progress)
      return try BackendRun($0, settings, of: plan, simulation, gates.gates)
    }
    try rejectUnknownBackends(among: runs.map(\.name))
    var empty = Matrix(
      backends: runs.map {
        Matrix.Backend(name: $0.name, argument: "\($0.choice)", version: $0.version)
      },
      plan: plan.map { Matrix.Planned(scenario: $0.scenario, profiles: $0.profiles) },
      items: items)
    empty.gates = shownGates
    empty.harness = Executable.harness
    if written.contains(where: { $0.format == .html }) {
      empty.space = SpaceCoverage(reachable: .reachable())
    }
    empty.provenance.command = commandText
    empty.provenance.date = date
    empty.provenance.seed = seed
    let matrix = MatrixBoard(
      empty, written, files,
      planned: runs.reduce(0) { $0 + $1.plan.reduce(0) { $0 + $1.profiles.count } })
    interruption.asLastResort { matrix.finishAsLastResort() }
    var breakdowns: [String] = []
    var isComplete = true
    for (index, run) in runs.enumerated() where interruption.received == nil {
      let outcome = play(run, at: index, known, interruption, into: matrix)
      isComplete = outcome.isComplete && isComplete
      breakdowns += run.breakdowns + outcome.breakdowns
    }
    isComplete = isComplete && interruption.received == nil
    let result = matrix.finish(
      wasInterrupted: !isComplete && interruption.received != nil)
    for breakdown in breakdowns { printError("error: \(breakdown)") }
    if isComplete, reading.errorCount == 0 { known.warnOfUnmatched(among: reading.scenarios) }
    let status = ExitStatus.of(
      result.summary, within: gates.gates, isInputGood: reading.errorCount == 0,
      isOutputGood: matrix.isWritten, isSound: breakdowns.isEmpty, interruption)
    if let status {
      if status != .badInput || reading.errorCount > 0 {
        status.explain(
          paths: paths, profiles: profiles.names, hasCases: result.summary.cases > 0,
          isComplete: !result.wasInterrupted)
      }
      throw ExitError(status)
    }
  }

  /// Runs the plan on one of the backends.
  private func play(
    _ run: BackendRun, at index: Int, _ known: KnownFailures, _ interruption: Interruption,
    into matrix: MatrixBoard
  ) -> ParallelRun.Outcome {
    printError("\(run.choice): \(counted(run.plan.count, "scenario"))")
    var description = RunDescription(backend: "\(run.choice)", seed: seed)
    description.backendSettings = settings.arguments(for: [run.choice])
    description.gates = gates.gates
    description.conditions = conditions.texts
    description.knownFailing = knownFailing.filter { $0.isAbout(run.name) }.map(\.file)
    let outcome = ParallelRun(
      backend: run.backend, retainedData: [.traces, .cells], jobs: jobs ?? run.choice.defaultJobs,
      repeatCount: 1,
      failsFast: false,
      gates: shownGates, known: known.part(ofFiles: { knownFailing[$0].isAbout(run.name) }),
      interruption: interruption, brokenBefore: run.brokenBefore,
      progress: progressOptions.progress, progressLabel: "\(run.choice)"
    )(run.plan) { [description] result in
      matrix.add(result, of: index, describing: description)
      return true
    }
    return outcome
  }

  /// Rejects a file of known failures for a backend that is not part of the matrix.
  private func rejectUnknownBackends(among names: [String]) throws {
    for file in knownFailing where !names.contains(where: file.isAbout) {
      throw ExitError(
        printing:
          "--known-failing \(file): error: no backend has the name \"\(file.backend ?? "")\"\n"
          + "    hint: write one of \(names.joined(separator: ", "))")
    }
  }
}

/// A requested output of the matrix.
struct MatrixDestination: FileOutput {
  enum Format: String, CaseIterable {
    case html
    case markdown
    case json
  }

  var format: Format
  var file: String

  /// The default output.
  static let standard = MatrixDestination(format: .markdown, file: "-")

  /// The columns of a line, or `nil` if they are unknown, as for a file.
  private var columnCount: Int? { file == "-" ? StandardStream.output.columnCount : nil }

  func text(of matrix: TryMatrix) -> String {
    switch format {
    case .html: matrix.html
    case .markdown: SafeText.lines(matrix.markdown(width: columnCount))
    case .json: matrix.json
    }
  }

  func text(of matrix: Matrix) -> String {
    switch format {
    case .html: matrix.html
    case .markdown: SafeText.lines(matrix.markdown(width: columnCount))
    case .json: matrix.json
    }
  }
}

/// A file of known failures, for all backends or for one.
struct KnownFailureFile: ExpressibleByArgument, CustomStringConvertible {
  /// The name of the backend, or `nil` for all backends.
  var backend: String?
  var file: String

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1)
    // If the part before the equals sign contains a slash, the whole argument is a path.
    if parts.count == 2, !parts[0].contains("/") {
      (backend, file) = (String(parts[0]), String(parts[1]))
    } else {
      file = argument
    }
  }

  var description: String { (backend.map { "\($0)=" } ?? "") + file }

  func isAbout(_ name: String) -> Bool { backend == nil || backend == name }
}

/// A backend that is ready to run.
private struct BackendRun {
  var choice: BackendChoice
  var backend: any Backend
  var plan: [PlannedScenario]
  /// Crashes and errors before the run, by the indices of scenarios and profiles or without a case.
  var brokenBefore: ParallelRun.Faults = [:]
  var breakdowns: [String] = []

  /// The name from the backend's description.
  var name: String { backend.description.name }

  /// The version of a built-in backend, or `nil` for another program.
  var version: String? {
    switch choice {
    case .simulated, .nio: Executable.harness.version
    default: nil
    }
  }

  init(
    _ choice: BackendChoice, _ settings: BackendSettings, of plan: [PlannedScenario],
    _ simulation: ParallelRun, _ gates: Gates
  ) throws {
    self.choice = choice
    self.plan = plan
    backend = SimulatedBackend()
    if let live = try settings.liveRuns(choice, of: plan, simulatedBy: simulation, gates) {
      (self.backend, self.plan) = (live.backend, live.plan)
      (brokenBefore, breakdowns) = (live.brokenBefore, live.breakdowns)
    } else if let processes = try settings.processes(choice) {
      backend = processes
    }
  }
}

/// The matrix to which the threads add their results.
private final class MatrixBoard: Sendable {
  private struct State {
    var matrix: Matrix
    var files: [OutputFile]
    var isFinished = false
  }

  private let state: Mutex<State>
  private let isFinishing = Atomic(false)
  private let outputs: [MatrixDestination]
  /// The number of planned cases.
  private let planned: Int

  init(
    _ matrix: sending Matrix, _ outputs: [MatrixDestination], _ files: [OutputFile], planned: Int
  ) {
    state = Mutex(State(matrix: matrix, files: files))
    self.outputs = outputs
    self.planned = planned
  }

  func add(_ result: ScenarioResult, of backend: Int, describing run: RunDescription) {
    state.withLock { $0.matrix.add(result, of: backend, describing: run) }
  }

  /// Whether all files except standard output were written.
  var isWritten: Bool { state.withLock { $0.files.allSatisfy { $0.failure == nil } } }

  /// Writes all requested outputs and reports the unfinished cases.
  func finish(wasInterrupted: Bool) -> Matrix {
    isFinishing.store(true, ordering: .relaxed)
    return state.withLock { state in
      write(&state, wasInterrupted)
      return state.matrix
    }
  }

  /// Writes all requested outputs if no other thread is writing them.
  func finishAsLastResort() -> Interruption.LastResort {
    let isDone = state.withLockIfAvailable { state in
      write(&state, true)
      return true
    }
    return isDone == true ? .done : isFinishing.load(ordering: .relaxed) ? .alreadyFinishing : .lost
  }

  private func write(_ state: inout State, _ wasInterrupted: Bool) {
    guard !state.isFinished else { return }
    state.isFinished = true
    state.matrix.wasInterrupted = wasInterrupted
    for index in state.files.indices {
      state.files[index].write(outputs[index].text(of: state.matrix))
      state.files[index].finish()
    }
    // Print this here, because the process may exit as soon as everything is finished.
    if wasInterrupted {
      let count = state.matrix.summary.cases
      printError(
        "Interrupted after \(counted(count, "case")); \(planned - count) did not finish.")
    }
    for failure in state.files.compactMap(\.failure) { printError(failure.description) }
  }
}
