import ArgumentParser
import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverExploration
import HandoverReport
import HandoverScenario
import HandoverSimulation

struct ShrinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shrink",
    abstract: "Minimize a failing scenario.",
    discussion: """
      Removes entries, calls, hosts, settings and everything else that the failure
      does not need, as long as the scenario fails for the same reason on one
      profile. Times become whole seconds. The result is a complete scenario from
      which no single part can be removed.

      If an invariant is violated, all expectations are dropped; if an expectation
      fails, only that one is kept. With --defect or --backend, the built-in client
      must still pass the kept expectation, if it does so at first.

      Examples:
        handover shrink my.json
        handover shrink my.json --profile sockets-monitor -o small.json
        handover shrink my.json --defect double-end -o small.json
        handover shrink my.json --backend 'exec:./my-client' --budget 30s
        handover shrink - < my.json | handover run -

      Exit status: 0 the scenario is minimal; 1 stopped early, and the smallest
      scenario so far is written; 2 bad usage, bad input, or a file could not be
      written; 3 the backend failed; 4 the scenario does not fail; 129, 130 or 143
      interrupted.
      """)

  @Argument(
    help: "The scenario file, a bundled scenario's id, or - for standard input.",
    completion: .file(extensions: ["json"]))
  var file: String

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The profile on which the scenario fails. Default: the first one. One of: "
        + "\(ProfileOptions.listOfNames).", valueName: "name"),
    completion: .list(ProfileOptions.knownNames))
  var profile: String?

  @OptionGroup(title: "Backend")
  var backendOption: BackendOption

  @OptionGroup(title: "Backend")
  var backendSettings: BackendSettings

  @OptionGroup var defects: DefectOptions

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Stop after this many tries, or after a time such as 30s.", valueName: "tries or time"))
  var budget = TryBudget.standard

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the scenario to this file. Default: standard output.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var output: String?

  /// The file of the scenario, or `nil` if the scenario goes to standard output.
  private var scenarioFile: String? { output == "-" ? nil : output }

  @Flag(name: .long, help: "Replace an existing file.")
  var force = false

  @OptionGroup var progressOptions: ProgressOptions

  private var choice: BackendChoice { backendOption.backend }

  func validate() throws {
    try backendSettings.validate(for: [choice])
    try ProfileOptions.validate(profile.map { [$0] } ?? [])
    try defects.validate(for: choice)
    guard !choice.isLive else {
      throw ValidationError(
        "--backend \(choice) runs in real time, and minimizing needs thousands "
          + "of runs. Use exec:COMMAND."
      )
    }
    guard !file.isEmpty, output != "" else { throw ValidationError("The file name is empty.") }
  }

  func run() throws {
    // Check the output before the work begins.
    if let scenarioFile { try FileCreation.require(scenarioFile, replacing: force) }
    let interruption = Interruption()
    try interruption.listen()
    interruption.asLastResort {
      printError("Interrupted before anything was removed.")
      return .done
    }
    let (document, scenario, traces) = try read()
    let player = try ScenarioPlayer(choice, backendSettings, defects.mutants)
    let failures = try failures(of: scenario, player)
    let progress = ShrinkProgress(budget, progressOptions.progress)
    for (profile, finding) in failures {
      var shrinker = Shrinker(
        document, scenario, on: profile, failingOf: finding, traces: traces,
        play: { player.play($0, judging: profile) },
        reference: player.reference(for: scenario, on: profile))
      let outcome = shrinker.run { tries in
        progress.show(tries: tries)
        return interruption.received == nil && !progress.isOver(tries: tries)
      }
      StandardStream.clearTransient()
      guard let outcome else { continue }
      let before = Shrinker.size(of: JSONTree(document.root).withoutComments)
      try write(shrinker, finding, profile, before, outcome)
      if let status = interruption.exitStatus { throw ExitError(status) }
      if outcome == .stopped { throw ExitError(.failure) }
      return
    }
    let names = failures.map(\.profile.name).joined(separator: ", ")
    throw ExitError(
      .breakdown,
      printing: "\(file): error: it fails on \(names), and a second run gives another result\n"
        + "    hint: show the difference with `handover run --repeat 2`")
  }

  // MARK: Failures

  private func read() throws -> (JSONDocument, Scenario, ScenarioReader.TraceSource) {
    try ScenarioFiles.refuseFolder(file)
    let found = ScenarioFiles([file], mayBeBundled: true)
    for problem in found.problems { Reading.show([problem.complaint]) }
    guard found.problems.isEmpty else { throw ExitError(.badInput) }
    let path = try ScenarioFiles.only(found.files, of: file)
    guard let bytes = ScenarioFiles.bytes(of: path, { Reading.show([$0]) }) else {
      throw ExitError(.badInput)
    }
    let traces: ScenarioReader.TraceSource = {
      name throws(LinkTrace.Problem) in try TraceFiles.trace(name, of: path)
    }
    let reading = ScenarioReader.read(file: path, bytes: bytes, traces: traces)
    guard let scenario = reading.scenario, let document = try? JSONReader.read(bytes) else {
      let lines = FileLines(bytes)
      Reading.show(reading.diagnostics.map { Complaint($0, in: lines) })
      throw ExitError(.badInput)
    }
    return (document, scenario, traces)
  }

  /// Returns the profiles on which a scenario fails, with the finding of each.
  ///
  /// They are the same as with `handover run` and the same profiles, because a fault without effect
  /// is determined for all profiles together.
  private func failures(
    of scenario: Scenario, _ player: ScenarioPlayer
  ) throws -> [(profile: Profile, finding: Finding)] {
    let profiles = try PlannedScenario(
      scenario, profiles: profile.map { [$0] } ?? [], of: file
    ).profiles
    let cases = player.play(scenario, on: profiles).cases
    let failures = zip(profiles, cases).compactMap { profile, result in
      FailureSignature.finding(of: result).map { (profile: profile, finding: $0) }
    }
    guard failures.isEmpty else { return failures }
    printError(
      "\(file): it does not fail on \(profiles.map(\.name).joined(separator: ", ")), so there is "
        + "nothing to minimize.")
    if defects.names.isEmpty, choice.isBuiltIn {
      printError("Use --defect or --backend to test another client.")
    }
    throw ExitError(.nothingRan)
  }

  // MARK: Result

  private func write(
    _ shrinker: Shrinker, _ finding: Finding, _ profile: Profile, _ before: Shrinker.Size,
    _ outcome: Shrinker.Outcome
  ) throws {
    let text = shrinker.text
    if let scenarioFile {
      try FileCreation.create(scenarioFile, with: text, replacing: force)
    } else {
      StandardStream.output.write(String(decoding: text, as: UTF8.self))
    }
    var what = "\(finding.expectedText.exactText); seen: \(finding.seenText.exactText)"
    if case .invariant(let number) = finding.kind { what = "invariant \(number): \(what)" }
    let after = shrinker.size
    let rest =
      outcome == .minimal
      ? "No single part can be removed." : "Stopped early; more can be removed."
    let sum = """
      It fails on \(profile.name): \(what).
      \(Self.text(before)) became \(Self.text(after)), in \(counted(shrinker.tries, "run")). \(rest)
      To repeat it:
        \(command)
      """
    // If the scenario goes to standard output, the summary goes to standard error.
    (scenarioFile == nil ? StandardStream.error : .output).say(sum)
  }

  private static func text(_ size: Shrinker.Size) -> String {
    "\(counted(size.entries, "entry", "entries")), \(counted(size.calls, "call")), "
      + counted(size.hosts, "host")
  }

  private var command: String {
    let words = ["handover", "run", scenarioFile ?? "FILE"]
    return (words + defects.arguments + backendSettings.arguments(selecting: choice)).map(
      ShellWord.quoted
    )
    .joined(separator: " ")
  }
}

/// A player that runs single scenarios on the backend under test.
final class ScenarioPlayer {
  private var worker: Worker
  private var right: Worker?

  /// Creates a player.
  ///
  /// - Parameters:
  ///   - backend: The backend.
  ///   - settings: The settings of the backend.
  ///   - faults: The injected bugs.
  ///   - maxHang: The time after which a call hangs, or `nil` if hangs are not measured. With a
  ///     time, results keep their traces.
  /// - Throws: ``ExitError`` if the backend cannot be started.
  init(
    _ backend: BackendChoice, _ settings: BackendSettings, _ faults: [Mutant],
    maxHang: Interval? = nil
  ) throws {
    let simulated: any Backend = faults.isEmpty ? SimulatedBackend() : FaultyBackend(faults)
    var gates = Gates()
    gates.maxHang = maxHang
    worker = Worker(
      try settings.processes(backend) ?? simulated, retaining: maxHang == nil ? [] : .traces,
      gates: gates)
    right = backend.isBuiltIn && faults.isEmpty ? nil : Worker(SimulatedBackend())
  }

  init(_ backend: some Backend) {
    worker = Worker(backend)
    right = Worker(SimulatedBackend())
  }

  init(_ faults: [Mutant]) {
    worker = Worker(FaultyBackend(faults))
    right = faults.isEmpty ? nil : Worker(SimulatedBackend())
  }

  /// Returns whether a scenario passes on a client without defects.
  ///
  /// The result is `true` if that client itself is under test.
  func isRight(_ text: String) -> Bool {
    guard right != nil else { return true }
    let reading = ScenarioReader.read(file: "counterexample", bytes: [UInt8](text.utf8))
    guard let scenario = reading.scenario, let result = right?.run(scenario).cases.first else {
      return false
    }
    return FailureSignature.isAsExpected(result)
  }

  /// Runs a scenario on some profiles.
  func play(_ scenario: Scenario, on profiles: [Profile]) -> ScenarioResult {
    worker.run(scenario, on: profiles)
  }

  /// Runs a scenario on all its profiles, and returns the case of one profile.
  func play(_ scenario: Scenario, judging profile: Profile) -> CaseResult? {
    worker.run(scenario).cases.first { $0.profile == profile.name }
  }

  /// Runs a scenario on its only profile.
  func play(_ scenario: Scenario) -> CaseResult? { worker.run(scenario).cases.first }

  /// Returns a closure that runs a scenario on the built-in client without defects.
  ///
  /// The result is `nil` if the scenario fails there too, or if that client itself is under test.
  func reference(for scenario: Scenario, on profile: Profile) -> Shrinker.Play? {
    guard let result = right?.run(scenario, on: [profile]).cases.first,
      FailureSignature.isAsExpected(result)
    else { return nil }
    return { self.right?.run($0).cases.first { $0.profile == profile.name } }
  }
}

/// The limit of shrinking: a number of attempts or a time.
struct TryBudget: ExpressibleByArgument {
  static let standard = TryBudget(tries: 10_000, time: nil)

  var tries: Int
  var time: Duration?

  init(tries: Int, time: Duration?) {
    self.tries = tries
    self.time = time
  }

  init?(argument: String) {
    if let tries = Int(argument) {
      guard (1...1_000_000_000).contains(tries) else { return nil }
      self.init(tries: tries, time: nil)
      return
    }
    guard let length = TimeNotation.interval(argument), length > .zero else { return nil }
    self.init(tries: .max, time: .microseconds(length.microseconds))
  }

  var defaultValueDescription: String { "\(tries)" }
}

/// The progress of shrinking on standard error, with a time limit.
final class ShrinkProgress {
  private let began = ContinuousClock.now
  private let budget: TryBudget
  private var line: ProgressLine?

  init(_ budget: TryBudget, _ choice: ProgressChoice) {
    self.budget = budget
    line = ProgressLine(choice)
  }

  func isOver(tries: Int) -> Bool {
    tries >= budget.tries || budget.time.map { ContinuousClock.now - began > $0 } ?? false
  }

  func show(tries: Int) {
    line?.show { String("shrinking: \(counted(tries, "run"))".prefix($0 ?? .max)) }
  }
}
