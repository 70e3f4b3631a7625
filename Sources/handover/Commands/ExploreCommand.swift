import ArgumentParser
import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverExploration
import HandoverReport
import HandoverScenario
import HandoverSimulation

struct ExploreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explore",
    abstract: "Check the invariants of a client in every state.",
    usage: "handover explore [<options>] <profile>",
    discussion: """
      Explores every state of the built-in client, in a network that may do anything
      at any time. Callbacks report every category. Connections are made, refused,
      broken and drained. Calls start, are canceled and end. Any armed timer may
      fire. When no action leads to a new state, the exploration is complete, and
      the invariants hold for sequences of any length with this number of hosts and
      calls. If an invariant is violated, the command prints a shortest sequence of
      actions, as a scenario.

      --acts plain leaves out deadlines, tokens, keepalive and lost callbacks.
      --acts endless adds an unlimited number of messages and is never complete.

      --time selects the model of time. With untimed, any armed timer may fire next,
      which allows more sequences than real time does. With zones, only a timer that
      can be the first one fires. Both results hold for sequences of any length.

      --scope world explores the client together with the simulated device and
      network. From every state the network is restored; then calls must end, and
      the client must become idle. --scope dispatcher explores the dispatcher of
      requests: two run at a time, one of them long, and at most --calls exist.

      --swarm runs long random scenarios in virtual time instead. At the end the
      network is restored. Random runs find bugs that need a device or times. They
      prove nothing.

      --propose writes up to 100 scenarios. Each shows a category change during a
      call that no bundled scenario covers (handover spec --space).

      --against model runs every sequence of actions on a client with an injected
      bug and on the correct client, shortest first, until a scenario shows a
      difference. This finds wrong messages, statuses, times and counts that no
      invariant covers. --acts accepts plain, full, or a list of kinds of actions.
      --defect accepts any name from `handover selftest --list`.

      --backend explores a client in another process. The client runs along each
      sequence from the start, together with the built-in client, and must behave
      the same. If the client reports fingerprints of its states (digests), the
      exploration continues until no state is new. Otherwise it stops at --depth and
      proves nothing.

      --shard divides an exploration or a swarm among several processes. `handover
      merge` merges their reports.

      Examples:
        handover explore sockets-monitor
        handover explore sockets-monitor --hosts 2 --calls 1 --acts plain
        handover explore cfstream --time zones
        handover explore cfstream --calls 4 --budget 30s --resume seen.bin
        handover explore sockets-monitor --defect double-end -o found.json
        handover explore sockets-monitor --swarm 1000 --seed 7 --hosts 2
        handover explore sockets-monitor --propose proposed
        handover explore cfstream --calls 4 --shard auto --exchange /shared/seen
        handover explore cfstream --scope world --acts plain
        handover explore url-dispatcher --scope dispatcher --calls 3
        handover explore sockets --against model --acts calls,servers --defect unsent
        handover explore sockets-monitor --backend 'exec:./my-client' --calls 1

      Exit status: 0 the exploration is complete and the invariants hold, or they
      hold in all runs of the swarm; 1 an invariant is violated, or the exploration
      stopped before it was complete and proves nothing; 2 bad usage, or a file
      could not be read or written; 3 another shard does not respond, or the backend
      failed; 129, 130 or 143 interrupted.
      """)

  @Argument(
    help: ArgumentHelp(
      "The profile. One of: " + Self.profiles.joined(separator: ", ")
        + "; with --scope dispatcher: " + Self.dispatcherProfiles.joined(separator: ", ") + "."),
    completion: .list(Self.profiles + Self.dispatcherProfiles))
  var profile: String

  @Option(
    name: .long,
    help: ArgumentHelp(
      "What to explore: client, world or dispatcher.", valueName: "scope"))
  var scope = ExploredScope.client

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Check against the invariants (rules) or the correct client (model).", valueName: "reference")
  )
  var against = ExploredAgainst.rules

  @Option(
    name: .long, help: ArgumentHelp("The number of hosts, from 1 to 4.", valueName: "number"))
  var hosts = 1

  @Option(
    name: .long,
    help: ArgumentHelp("The number of simultaneous calls, from 1 to 8.", valueName: "number"))
  var calls = 2

  @Option(
    name: .customLong("acts"),
    help: ArgumentHelp(
      "The actions: plain, full or endless. With --against model: plain, full, or a list of the "
        + "other values, separated by commas.",
      valueName: "list"))
  var actions = ExploredActions.full

  @Option(
    name: .long, parsing: .upToNextOption,
    help: ArgumentHelp(
      "Actions to exclude. Any of: "
        + ExploredPart.allCases.map(\.rawValue).joined(separator: ", ") + ".",
      valueName: "words"), completion: .list(ExploredPart.allCases.map(\.rawValue)))
  var without: [ExploredPart] = []

  @Option(
    name: .long,
    help: ArgumentHelp("The model of time: untimed or zones.", valueName: "model"))
  var time = ExploredTime.untimed

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The number of threads, from 1 to 64. Default: one per core. The result is the same.",
      valueName: "number"))
  var jobs: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Memory for each of the two frontiers, in MB; the rest goes to files in TMPDIR.",
      valueName: "MB"))
  var memory = 256

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The maximum length of a sequence, which is not a proof. With --swarm: entries per run.",
      valueName: "actions"))
  var depth: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Make this many random runs instead, in virtual time with a device, paths and faults.",
      valueName: "runs"))
  var swarm: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The seed of the first run. Each further run uses the next seed.", valueName: "number"))
  var seed: UInt64?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Stop after this many states or this time, such as 30s. A state needs about 35 bytes.",
      valueName: "states or time"))
  var budget = ExplorationBudget.standard

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Save progress to this file when stopped, and resume from it.", valueName: "file"),
    completion: .file())
  var resume: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Inject a bug into the client; may be repeated. One of: "
        + Defect.allCases.map(\.rawValue).joined(separator: ", ")
        + ", or another bug of a client from `handover selftest --list`.", valueName: "name"),
    completion: .list(Self.faults.map(\.name)))
  var defect: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the scenario of a violation to this file. Default: standard output.", valueName: "file"
    ),
    completion: .file(extensions: ["json"]))
  var output: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Write scenarios for category changes that no bundled scenario covers.",
      valueName: "directory"), completion: .directory)
  var propose: String?

  @Flag(name: .long, help: "Replace an existing file.")
  var force = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Explore one part, such as 2/7; auto reads it from Bazel, Slurm or Kubernetes.",
      valueName: "i/n"))
  var shard: ShardChoice?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The shared folder through which the shards of an exploration exchange states.",
      valueName: "folder"), completion: .directory)
  var exchange: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How long to wait for a silent shard (default: 600s; 0s: do not wait). With --backend: how "
        + "long a process may take to answer (default: \(TimeLength(.answerTimeout))).",
      valueName: "time"))
  var timeout: ShardTimeout?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The client to explore: simulated (built in), or exec:COMMAND, a process that speaks the "
        + "backend protocol in virtual time.", valueName: "name"),
    completion: .list(["simulated", "exec:"]))
  var backend = BackendChoice.simulated

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Write the result to this file, for programs and `handover merge`.", valueName: "file"),
    completion: .file(extensions: ["jsonl"]))
  var report: String?
  /// The file of the scenario, or `nil` if the scenario goes to standard output.
  var scenarioFile: String? { output == "-" ? nil : output }

  /// The mutants that affect only the client.
  private static let faults = Mutant.all.filter(\.changesClient)

  /// The mutants that the options select.
  var faults: [Mutant] { defect.compactMap(Mutant.named) }

  /// The profiles whose clients make calls.
  private static let profiles = Profile.known.filter { $0.client.work == .calls }.map(\.name)
  /// The profiles that have a dispatcher.
  private static let dispatcherProfiles = Profile.known.filter(\.client.hasDispatcher).map(\.name)

  private func validateDefects() throws {
    // The client of a world supports only defects of its state machines.
    if scope == .world, let name = defect.first(where: { Defect(rawValue: $0) == nil }),
      Self.faults.contains(where: { $0.name == name })
    {
      throw ValidationError(
        "The bug \(name) requires --scope client. Bugs for --scope world: "
          + Defect.allCases.map(\.rawValue).joined(separator: ", ") + ".")
    }
    for name in defect where !Self.faults.contains(where: { $0.name == name }) {
      throw ValidationError(
        "Unknown bug \"\(name)\" of the client."
          + (DispatcherDefect(rawValue: name) != nil
            ? " It requires --scope dispatcher."
            : didYouMean(name, among: Self.faults.map(\.name))) + " Bugs: "
          + Defect.allCases.map(\.rawValue).joined(separator: ", ")
          + ", or another bug of a client from `handover selftest --list`.")
    }
  }

  func validate() throws {
    try validateModel()
    guard against == .rules else { return }
    try validateScope()
    try validateBackend()
    guard scope != .dispatcher else { return try validateDispatcher(Self.dispatcherProfiles) }
    guard Self.profiles.contains(profile) else {
      throw ValidationError(
        "There is no client for the profile \"\(profile)\"."
          + (Self.dispatcherProfiles.contains(profile)
            ? " It has a dispatcher: use --scope dispatcher."
            : didYouMean(profile, among: Self.profiles)) + " Profiles: "
          + Self.profiles.joined(separator: ", ") + ".")
    }
    guard ExplorationSetup.hostRange.contains(hosts) else {
      throw ValidationError("--hosts must be an integer from 1 to 4, such as --hosts 2.")
    }
    guard ExplorationSetup.callRange.contains(calls) else {
      throw ValidationError("--calls must be an integer from 1 to 8, such as --calls 2.")
    }
    guard depth.map({ $0 > 0 }) ?? true else {
      throw ValidationError("--depth must be an integer above zero, such as --depth 8.")
    }
    try validateSwarm()
    try validateDefects()
    try validateWorkers()
    guard
      time == .untimed
        || swarm == nil && resume == nil && shard == nil && report == nil
          && propose == nil
    else {
      throw ValidationError(
        "--time zones cannot be combined with --swarm, --resume, --shard, --report or --propose.")
    }
    guard
      propose == nil
        || swarm == nil && resume == nil && output == nil && defect.isEmpty && report == nil
          && shard == nil && exchange == nil && jobs == nil
    else {
      throw ValidationError(
        "--propose cannot be combined with --swarm, --resume, --output, --defect, --report, "
          + "--shard, --exchange or --jobs.")
    }
    guard propose == nil || setup?.profile.policy.monitorsReachability == true else {
      throw ValidationError("--propose requires a profile with a monitor, such as sockets-monitor.")
    }
    guard propose != "" else { throw ValidationError("The directory name is empty.") }
    guard output != "", resume != "", report != "", exchange != "" else {
      throw ValidationError("The file name is empty.")
    }
    try validateParts()
    try validateWorld()
    try validateShard()
  }

  private func validateSwarm() throws {
    guard let swarm else {
      guard seed == nil else {
        throw ValidationError("--seed requires --swarm, because an exploration is not random.")
      }
      return
    }
    guard (1...1_000_000_000).contains(swarm) else {
      throw ValidationError(
        "--swarm must be a number of runs from 1 to 1000000000, such as --swarm 1000.")
    }
    guard budget.states == ExplorationBudget.standard.states else {
      throw ValidationError("With --swarm, --budget must be a time such as 30s.")
    }
    guard depth.map({ $0 <= SwarmRun.maximumLength }) ?? true else {
      throw ValidationError(
        "With --swarm, --depth must be at most \(SwarmRun.maximumLength).")
    }
    guard resume == nil else {
      throw ValidationError(
        "--resume cannot be combined with --swarm. Continue a swarm with a different --seed.")
    }
    guard jobs == nil else {
      throw ValidationError("--jobs cannot be combined with --swarm. Divide a swarm with --shard.")
    }
  }

  func validateWorkers() throws {
    guard jobs.map(ThreadWorkers.range.contains) ?? true else {
      throw ValidationError("--jobs must be an integer from 1 to 64, such as --jobs 4.")
    }
    guard (0...1_000_000).contains(memory) else {
      throw ValidationError(
        "--memory must be a number of megabytes from 0 to 1000000, such as --memory 256.")
    }
  }

  /// The actions of the client.
  var extras: ExplorationSetup.Extras {
    without.reduce(actions.extras) { $0.subtracting($1.extras) }
  }

  var setup: ExplorationSetup? {
    Profile.named(profile).map {
      var setup = ExplorationSetup($0, hosts: hosts, calls: calls, extras: extras)
      let faults = faults
      if !faults.isEmpty { setup.alter { settings in faults.forEach { $0.alter(&settings) } } }
      return setup
    }
  }

  func run() throws {
    let interruption = Interruption()
    // A step may take long, for example if another process or scenario files are involved.
    interruption.asLastResort {
      printError("Interrupted, so nothing is proved.")
      return .done
    }
    try interruption.listen()
    if against == .model {
      try expectRoomForScenario()
      return try runModel(interruption)
    }
    guard let setup else { return }
    try expectRoomForReport()
    if swarm == nil, shard != nil { return try runShard(setup, interruption) }
    try expectRoomForScenario()
    if !backend.isBuiltIn { return try runOutsidePool(setup, interruption) }
    switch scope {
    case .client: break
    case .world: return try runWorld(setup, interruption)
    case .dispatcher: return try runDispatcher(interruption)
    }
    guard swarm == nil else { return try runSwarm(setup, interruption) }
    if let propose { return try self.propose(setup, into: propose, interruption) }
    switch time {
    case .untimed: try walkStates(setup, interruption)
    case .zones: try walkZones(setup, interruption)
    }
  }

  /// Prints the verdict, and saves the state of an exploration that can be resumed.
  ///
  /// - Parameters:
  ///   - verdict: The verdict.
  ///   - text: The text about the exploration.
  ///   - levels: The number of states at each depth for a report, or `nil` if no report is
  ///     possible.
  ///   - interruption: The signal handling.
  ///   - keep: A closure that saves the state.
  /// - Throws: ``ExitError`` with the exit status if it is not 0.
  func report(
    _ verdict: ExplorationVerdict, _ text: ExplorationText, levels: [Int]?,
    _ interruption: Interruption, keep: () throws -> Void
  ) throws {
    // A violation that was found before the interruption is still reported.
    if case .stopped = verdict { try leaveIfInterrupted(interruption, text.seen, keep: keep) }
    try finish(verdict, text, text.setup, interruption) {
      if case .stopped(_, let growing) = verdict, growing.isEmpty { try keep() }
      guard let levels else { return }
      var report = ExplorationReport(
        harness: Executable.harness, client: exploredClient, outcome: .closed)
      report.seen = .init(levels: levels, transitions: text.figures.transitions)
      try write(report, of: verdict, text)
    }
  }

  /// Throws the exit status if the exploration was interrupted, because it then proves nothing.
  func leaveIfInterrupted(
    _ interruption: Interruption, _ seen: String, keep: () throws -> Void = {}
  ) throws {
    guard let status = interruption.exitStatus else { return }
    printError("Interrupted, so nothing is proved: \(seen).")
    try keep()
    throw ExitError(status)
  }

  /// Prints the verdict, writes the report and throws the exit status.
  ///
  /// The report is written even if the scenario cannot be shown.
  func finish(
    _ verdict: ExplorationVerdict, _ text: ExplorationText, _ setup: ExplorationSetup,
    _ interruption: Interruption, showsScenario: Bool = true, write: () throws -> Void
  ) throws {
    let reported = Result {
      try report(verdict, text, setup, interruption, showsScenario: showsScenario)
    }
    try write()
    if let status = try reported.get() { throw ExitError(interruption.exitStatus ?? status) }
  }

  /// Prints the verdict of an exploration.
  ///
  /// - Returns: The exit status, or `nil` if the invariants hold.
  private func report(
    _ verdict: ExplorationVerdict, _ text: ExplorationText, _ setup: ExplorationSetup,
    _ interruption: Interruption, showsScenario: Bool
  ) throws -> ExitStatus? {
    switch verdict {
    case .closed:
      say(text.closed)
      return nil
    case .stopped(let why, let growing):
      say(text.stopped(why, growing))
      return why.exitStatus
    case .broken(let shortest, let playable):
      say(text.broken(shortest))
      if let playable, playable != shortest {
        say("\nThat order of timers is impossible in real time. The shortest feasible sequence:\n")
        say(text.actions(of: playable))
      }
      if showsScenario {
        try show(
          playable.map {
            ShownScenario(CounterexampleScenario($0, setup).text, setup, faults, interruption)
          })
      } else {
        printError("Shard 1 prints the violation as a scenario.")
      }
      return .failure
    }
  }

  // MARK: The scenario of a violation

  func show(_ scenario: ShownScenario?) throws {
    guard let scenario else {
      say(
        """

        No scenario shows the violation: in the sequences so far, other timers fire first. At
        most 1000 sequences are tried. To find one, use fewer --calls. If a limit stopped the
        search, you can also use a larger --budget or --depth.
        """)
      return
    }
    if let scenarioFile {
      try FileCreation.create(scenarioFile, with: [UInt8](scenario.text.utf8), replacing: force)
    } else {
      say("\nAs a scenario (write it to a file with -o FILE):\n")
      StandardStream.output.write(scenario.text)
    }
    var command = "handover run \(ShellWord.quoted(scenarioFile ?? "FILE"))"
    command += defect.map { " --defect \($0)" }.joined()
    if !backend.isBuiltIn { command += " --backend \(ShellWord.quoted(backend.description))" }
    say(
      scenario.finding != nil
        ? "\nThe scenario also fails in virtual time. To repeat it:\n  \(command)"
        : "\nThe simulated network does not show the violation. To see what it does instead:\n  "
          + "\(command)"
    )
  }
}

/// A counterexample as a minimized scenario.
struct ShownScenario {
  /// The maximum number of smaller scenarios to try.
  private static let maximumTries = 2_000

  private(set) var text: String
  /// The failure of the scenario when it is run, or `nil` if it passes.
  private(set) var finding: Finding?
  /// The number of entries in the timeline.
  private(set) var entryCount = 0

  /// Runs a scenario on the client that was explored, and shrinks it if it fails.
  ///
  /// - Parameters:
  ///   - text: The scenario.
  ///   - setup: The client.
  ///   - faults: The client's injected bugs.
  ///   - keptEntries: The number of final entries that are preserved if no reference client exists.
  ///   - interruption: The signal handling.
  init(
    _ text: String, _ setup: ExplorationSetup, _ faults: [Mutant], keptEntries: Int = 0,
    _ interruption: Interruption
  ) {
    self.init(
      text, ScenarioPlayer(faults), on: setup.profile, keptEntries: keptEntries, interruption
    )
  }

  /// Runs a scenario on the client of a player, and shrinks it if it fails.
  init(
    _ text: String, _ player: ScenarioPlayer, on profile: Profile, keptEntries: Int = 0,
    _ interruption: Interruption
  ) {
    self.text = text
    let bytes = [UInt8](text.utf8)
    guard let scenario = ScenarioReader.read(file: "counterexample", bytes: bytes).scenario,
      let document = try? JSONReader.read(bytes), let result = player.play(scenario),
      let finding = FailureSignature.finding(of: result), result.verdict == .failed,
      finding.kind != .faultWithoutEffect
    else { return }
    self.finding = finding
    var shrinker = Shrinker(
      document, scenario, on: profile, failingOf: finding, keepsID: true,
      keptEntries: keptEntries, play: player.play,
      reference: player.reference(for: scenario, on: profile))
    let outcome = shrinker.run { $0 < Self.maximumTries && interruption.received == nil }
    if outcome != nil { self.text = String(decoding: shrinker.text, as: UTF8.self) }
    entryCount = shrinker.size.entries
  }
}
