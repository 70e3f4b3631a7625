import ArgumentParser
import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverReport
import HandoverScenario
import HandoverSimulation
import Synchronization

struct MatrixCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "matrix",
    abstract: "Run scenarios on several backends and show them side by side.",
    usage: "handover matrix [<options>] [<paths> ...]",
    discussion: """
      Rows are scenarios, under the items of the documents that they are about;
      columns are backends and their profiles. A cell holds the verdict and the
      longest time from a change of the network to the end of a call. The page needs
      nothing beside it: put it on any server, or send it to somebody.

      Examples:
        handover matrix --backend simulated --backend 'exec:./my-client'
        handover matrix --backend simulated --backend nio -o html=matrix.html
        handover matrix Scenarios/transitions -o html=matrix.html -o json=matrix.json
        handover matrix --only 'stalls/*' --profile sockets --profile cfstream
        handover matrix --backend 'lab:./old' --backend 'lab:./new' --server ./server
        handover matrix --known-failing known.txt -o markdown=matrix.md
        handover matrix --backend 'exec:./mine' --known-failing mine=known.txt

      Exit status as of `handover run`.
      """)

  @Argument(
    help: "Files, or directories that are walked for *.json.",
    completion: .file(extensions: ["json"]))
  var paths: [String] = ["Scenarios"]

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A backend, which gets columns of its own: simulated, nio, exec:COMMAND or lab:COMMAND; may "
        + "be repeated. Without any: simulated.", valueName: "name"))
  var backend: [BackendChoice] = []

  @OptionGroup(title: "Backends")
  var settings: BackendSettings

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Only this profile; may be repeated. One of: "
        + Profile.known.map(\.name).joined(separator: ", ") + ".", valueName: "name"),
    completion: .list(Profile.known.map(\.name)))
  var profile: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Only ids that match the pattern (*, **, ?); may be repeated.", valueName: "glob"))
  var only: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write html, markdown or json, to a file or - for standard output; may be repeated. "
        + "Without any: markdown=-.", valueName: "format=file"),
    completion: .list(MatrixOutput.Format.allCases.map { "\($0.rawValue)=" }))
  var output: [MatrixOutput] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("How many scenarios run side by side.", valueName: "number"))
  var jobs = 1

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The seed of all runs, in place of the files' own.", valueName: "number"))
  var seed: UInt64?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A file of the cases that are known to fail; may be repeated. NAME=FILE is about the "
        + "backend that calls itself NAME alone.", valueName: "[name=]file"),
    completion: .file())
  var knownFailing: [KnownFailureFile] = []

  @Option(
    help: ArgumentHelp(
      "The items of the documents; left out where the file is not there.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var items = Self.usualItems

  private static let usualItems = "Fixtures/Documents/items.json"

  /// What is run, where nothing is named.
  private var backends: [BackendChoice] { backend.isEmpty ? [.simulated] : backend }

  func validate() throws {
    try PlannedScenario.validate(profiles: profile)
    try ParallelRun.validate(jobs: jobs)
    for (place, choice) in backend.enumerated() {
      try choice.validate()
      guard !backend[..<place].contains(choice) else {
        throw ValidationError("--backend \(choice) is named twice; each has its columns once.")
      }
    }
    try settings.validate(for: backends)
    try MatrixOutput.validateFiles(of: output)
  }

  func run() throws {
    let known = KnownFailures(knownFailing.map(\.file))
    for complaint in known.complaints { printError(complaint) }
    guard known.complaints.isEmpty else { throw Leave(.badInput) }
    try settings.enterLab(for: backends)
    let interruption = Interruption()
    let reading = Reading(paths)
    for complaint in reading.complaints { printError(complaint) }
    let plan = PlannedScenario.plan(reading.scenarios, profiles: profile, only: only, seed: seed)
    let items = try readItems()
    let written = output.isEmpty ? [.usual] : output
    let streams = try written.map { try StandardStream.opened($0.file) }
    let runs = try backends.map { try BackendRun($0, settings, of: plan) }
    try refuseStrangers(among: runs.map(\.name))
    interruption.listen()
    let matrix = MatrixBoard(
      Matrix(
        backends: runs.map {
          Matrix.Backend(name: $0.name, argument: "\($0.choice)")
        },
        plan: plan.map { Matrix.Planned(scenario: $0.scenario, profiles: $0.profiles) },
        items: items))
    var isComplete = true
    for (place, run) in runs.enumerated() where interruption.received == nil {
      isComplete = play(run, at: place, interruption, into: matrix) && isComplete
    }
    isComplete = isComplete && interruption.received == nil
    let result = matrix.finish(wasInterrupted: !isComplete)
    for (output, stream) in zip(written, streams) { stream.write(output.text(of: result)) }
    if isComplete, reading.errorCount == 0 { known.tellUnmatched(among: reading.scenarios) }
    try leave(result, isInputGood: reading.errorCount == 0, interruption)
  }

  /// Runs the plan on one of the backends.
  private func play(
    _ run: BackendRun, at place: Int, _ interruption: Interruption, into matrix: MatrixBoard
  ) -> Bool {
    printError("\(run.choice): \(counted(run.plan.count, "scenario"))")
    var description = RunDescription(backend: "\(run.choice)", seed: seed)
    if run.choice.wantsServer { description.serverArgument = settings.server }
    description.knownFailing = knownFailing.filter { $0.isAbout(run.name) }.map(\.file)
    let progress = ProgressLine(total: run.plan.count, isShown: true)
    let isComplete = ParallelRun(
      backend: run.backend, keeps: .traces, jobs: jobs, repeatCount: 1, failsFast: false,
      known: KnownFailures(description.knownFailing), interruption: interruption
    )(run.plan) { [description] result in
      matrix.add(result, of: place, describing: description)
      progress.advance()
    }
    progress.clear()
    return isComplete
  }

  /// Refuses a file of failures of a backend that is not there.
  private func refuseStrangers(among names: [String]) throws {
    for file in knownFailing where !names.contains(where: file.isAbout) {
      printError(
        "--known-failing \(file): error: no backend calls itself \"\(file.backend ?? "")\"\n"
          + "    hint: there are \(names.joined(separator: ", "))")
      throw Leave(.badInput)
    }
  }

  /// What the documents' items say; nothing where nobody named the file and it is not there.
  private func readItems() throws -> [ItemCatalogue.Item] {
    guard let bytes = InputFile.bytes(of: items) else {
      guard items != Self.usualItems else { return [] }
      printError(
        "\(items): error: the file cannot be read\n    hint: check the spelling and its permissions"
      )
      throw Leave(.badInput)
    }
    do throws(CatalogueError) {
      return try ItemCatalogue.items(file: items, bytes: bytes)
    } catch {
      printError(error.description)
      throw Leave(.badInput)
    }
  }

  private func leave(
    _ matrix: Matrix, isInputGood: Bool, _ interruption: Interruption
  ) throws {
    guard
      let status = ExitStatus.of(matrix.summary, isInputGood: isInputGood, interruption)
    else { return }
    switch status {
    case .interrupted, .terminated:
      printError("Interrupted: \(counted(matrix.summary.cases, "case")) were run.")
    case .badInput:
      printError("Some files could not be run; what is wrong with them stands above.")
    case .nothingRan:
      printError(
        "Nothing ran: no scenario under \(paths.joined(separator: ", ")) "
          + "matches the options. `handover list` shows what there is.")
    case .allAsExpected, .failure, .breakdown: break
    }
    throw Leave(status)
  }
}

/// A matrix that is asked for.
struct MatrixOutput: FileOutput {
  enum Format: String, CaseIterable {
    case html
    case markdown
    case json
  }

  var format: Format
  var file: String

  /// What is written where nothing is asked for.
  static let usual = MatrixOutput(format: .markdown, file: "-")

  func text(of matrix: Matrix) -> String {
    switch format {
    case .html: matrix.html
    case .markdown: matrix.markdown
    case .json: matrix.json
    }
  }
}

/// A file of cases that are known to fail, of every backend or of one.
struct KnownFailureFile: ExpressibleByArgument, CustomStringConvertible {
  /// The name that the backend calls itself; nil stands for all.
  var backend: String?
  var file: String

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1)
    // What has a slash before the sign is the path of a file.
    if parts.count == 2, !parts[0].contains("/") {
      (backend, file) = (String(parts[0]), String(parts[1]))
    } else {
      file = argument
    }
  }

  var description: String { (backend.map { "\($0)=" } ?? "") + file }

  func isAbout(_ name: String) -> Bool { backend == nil || backend == name }
}

/// One of the backends, ready to run.
private struct BackendRun {
  var choice: BackendChoice
  var backend: any Backend
  var plan: [PlannedScenario]

  /// What it calls itself.
  var name: String { backend.description.name }

  init(
    _ choice: BackendChoice, _ settings: BackendSettings, of plan: [PlannedScenario]
  ) throws {
    self.choice = choice
    self.plan = plan
    backend = SimulatedBackend()
    #if os(Linux)
      if let live = try settings.liveRuns(choice, of: plan, variants: []) {
        (self.backend, self.plan) = (live.backend, live.plan)
      } else if let processes = try settings.processes(choice) {
        backend = processes
      }
    #endif
  }
}

/// The matrix, where threads put their results.
private final class MatrixBoard: Sendable {
  private let matrix: Mutex<Matrix>

  init(_ matrix: sending Matrix) {
    self.matrix = Mutex(matrix)
  }

  func add(_ result: ScenarioResult, of backend: Int, describing run: RunDescription) {
    matrix.withLock { $0.add(result, of: backend, describing: run) }
  }

  func finish(wasInterrupted: Bool) -> Matrix {
    matrix.withLock { matrix in
      matrix.wasInterrupted = wasInterrupted
      return matrix
    }
  }
}
