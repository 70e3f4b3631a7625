import ArgumentParser
import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverExploration
import HandoverFaults
import HandoverJSON
import HandoverReport
import HandoverScenario
import HandoverShrinking
import HandoverSimulation

struct ExploreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explore",
    abstract: "Prove the rules of a client for sequences of any length, or break one.",
    usage: "handover explore [<options>] <profile>",
    discussion: """
      Walks every state of the built-in client, in a network that may do anything at
      any time: callbacks of every category, connections made, refused, broken and
      drained, calls started, cancelled and ended, and any timer that is armed. When
      no act leads anywhere new it has closed: the rules hold for sequences of any
      length, with so many hosts and calls at once. Otherwise it shows a shortest
      sequence that breaks a rule, as a scenario.

      --acts plain leaves out deadlines, tokens, keepalive and lost callbacks;
      endless adds messages without a limit, with which nothing closes.

      --time says what is known of time. untimed lets any armed timer fire next,
      which is more than can happen; zones fires only what can be the first, with
      the documents' constants, and asks a client with real instants each time.
      Both hold for sequences of any length.

      --scope world explores the client with all that scenarios know beside it: the
      device and its paths, the background, servers, answers, what is under way, and
      callbacks that may be lost; then everything heals from every state, and calls
      must end and the client come to rest. --scope dispatcher explores that of
      requests: two at once, of which one may be long, and --calls of them.

      --swarm plays long random scenarios in virtual time instead: kinds of events
      are off in each, at last everything heals, and calls must end and the client
      come to rest. That finds what needs a device or times; it proves nothing.

      --propose writes scenarios, at most 100 at once: each shows a change of the
      network that meets a call where the bundled scenarios have none
      (handover spec --space).

      --against model plays every sequence of acts on a client with a defect and
      on the one without, shortest first, until a scenario tells the two apart: that
      finds words, statuses, times and numbers that no rule of every run names.
      --acts takes plain, full, or a list of kinds of acts there; the defect may be
      any that `handover selftest --list` names.

      With --backend a client in another process is explored: it is taken along each
      sequence from the start, beside the built-in client, and must do the same. One
      that says digests of its states is explored until nothing is new; another up to
      --depth, which proves nothing.

      With --shard several processes share one exploration, by a folder that all of
      them see, or one swarm; `handover merge` adds their reports.

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

      Exit status: 0 it has closed and the rules hold, or so they do in all runs of
      the swarm; 1 a rule is broken, or it was stopped before it closed and proves
      nothing; 2 bad usage, or a file could not be written or read; 3 another shard
      does not live, or the backend broke; 129, 130 or 143 interrupted.
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
      "What is explored: client, world or dispatcher.", valueName: "scope"))
  var scope = ExploredScope.client

  @Option(
    name: .long,
    help: ArgumentHelp("What says what is right: rules or model.", valueName: "judge"))
  var against = ExploredAgainst.rules

  @Option(
    name: .long, help: ArgumentHelp("How many hosts, from 1 to 4.", valueName: "number"))
  var hosts = 1

  @Option(
    name: .long,
    help: ArgumentHelp("How many calls at once, from 1 to 8.", valueName: "number"))
  var calls = 2

  @Option(
    name: .long,
    help: ArgumentHelp(
      "What may happen: plain, full or endless; with --against model plain, full, or kinds of "
        + "acts with commas between them, which are the other values.",
      valueName: "list"))
  var acts = ExploredActs.full

  @Option(
    name: .long, parsing: .upToNextOption,
    help: ArgumentHelp(
      "What of it does not happen. Any of: "
        + ExploredPart.allCases.map(\.rawValue).joined(separator: ", ") + ".",
      valueName: "words"), completion: .list(ExploredPart.allCases.map(\.rawValue)))
  var without: [ExploredPart] = []

  @Option(
    name: .long,
    help: ArgumentHelp("What is known of time: untimed or zones.", valueName: "abstraction"))
  var time = ExploredTime.untimed

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How many threads work, from 1 to 64; all cores unless told. What comes out is the same.",
      valueName: "number"))
  var jobs: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Of the states that wait to be looked at, only so many MB of one length stay in memory, and "
        + "the others in a file in TMPDIR.", valueName: "MB"))
  var memory = 256

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Only sequences up to this length; proves nothing. With --swarm how many entries a run has.",
      valueName: "acts"))
  var depth: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "So many random runs in virtual time instead, with a device, paths and faults.",
      valueName: "runs"))
  var swarm: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The seed of the first run; each further one has the next.", valueName: "number"))
  var seed: UInt64?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Stop after so many states, or after a time such as 30s; each state takes about 60 bytes.",
      valueName: "states or time"))
  var budget = ExplorationBudget.usual

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Keep there what was seen where it is stopped, and go on from it the next time.",
      valueName: "file"), completion: .file())
  var resume: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Give the client a defect; may be repeated. One of: "
        + Defect.allCases.map(\.rawValue).joined(separator: ", ")
        + ", or any of a client that `handover selftest --list` names.", valueName: "name"),
    completion: .list(Self.faults.map(\.name)))
  var defect: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the scenario of a broken rule there, and not to standard output.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var output: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Write scenarios of transitions that the exploration has and no bundled scenario.",
      valueName: "directory"), completion: .directory)
  var propose: String?

  @Flag(name: .long, help: "Replace an existing file.")
  var force = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Only this part, such as 2/7; auto takes it from Bazel, Slurm or Kubernetes.",
      valueName: "i/n"))
  var shard: ShardChoice?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The folder by which the shards of an exploration exchange states; all share it.",
      valueName: "folder"), completion: .directory)
  var exchange: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How long nothing may be heard of another shard, such as 30s (600s); 0s waits for none. With "
        + "--backend how long a process may take to answer (5s).",
      valueName: "time"))
  var timeout: ShardTimeout?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Whose client is explored: simulated, the built-in one; exec:COMMAND, that of a process that "
        + "speaks the backend protocol in virtual time.", valueName: "name"),
    completion: .list(["simulated", "exec:"]))
  var backend = BackendChoice.simulated

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Write what came of it there, for programs and `handover merge`.", valueName: "file"),
    completion: .file(extensions: ["jsonl"]))
  var report: String?
  /// The file of the scenario, or `nil` if the scenario goes to standard output.
  var scenarioFile: String? { output == "-" ? nil : output }

  /// The mutants that affect only the client.
  private static let faults = PlantedFault.all.filter(\.isOfClient)

  /// The mutants that the options select.
  var faults: [PlantedFault] { defect.compactMap(PlantedFault.named) }

  /// The profiles that have a client.
  private static let profiles = Profile.known.filter { !$0.makesRequests }.map(\.name)
  /// The profiles that have a dispatcher.
  private static let dispatcherProfiles = Profile.known.filter(\.dispatchesRequests).map(\.name)

  private func validateDefects() throws {
    // The client of a world supports only defects of its state machines.
    if scope == .world, let name = defect.first(where: { Defect(rawValue: $0) == nil }),
      Self.faults.contains(where: { $0.name == name })
    {
      throw ValidationError(
        "The fault \(name) is for --scope client; with --scope world a client has one of these: "
          + Defect.allCases.map(\.rawValue).joined(separator: ", ") + ".")
    }
    for name in defect where !Self.faults.contains(where: { $0.name == name }) {
      throw ValidationError(
        "There is no defect \"\(name)\" of the client."
          + (DispatcherDefect(rawValue: name) != nil
            ? " It is one of --scope dispatcher."
            : didYouMean(name, among: Self.faults.map(\.name))) + " Defects: "
          + Defect.allCases.map(\.rawValue).joined(separator: ", ")
          + ", and those of a client that `handover selftest --list` names.")
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
        "There is no client of a profile \"\(profile)\"."
          + (Self.dispatcherProfiles.contains(profile)
            ? " It has a dispatcher: --scope dispatcher."
            : didYouMean(profile, among: Self.profiles)) + " Profiles: "
          + Self.profiles.joined(separator: ", ") + ".")
    }
    guard ExplorationSetup.hostRange.contains(hosts) else {
      throw ValidationError("--hosts takes a number from 1 to 4.")
    }
    guard ExplorationSetup.callRange.contains(calls) else {
      throw ValidationError("--calls takes a number from 1 to 8.")
    }
    guard depth.map({ $0 > 0 }) ?? true else {
      throw ValidationError("--depth takes a number of acts above zero.")
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
        "--time zones goes without --swarm, --resume, --shard, --report and --propose.")
    }
    guard
      propose == nil
        || swarm == nil && resume == nil && output == nil && defect.isEmpty && report == nil
          && shard == nil && exchange == nil
    else {
      throw ValidationError(
        "--propose goes with --hosts, --calls, --acts, --depth and --budget only.")
    }
    guard propose == nil || setup?.profile.policy.monitorsReachability == true else {
      throw ValidationError("--propose needs a profile with a monitor, which tells of transitions.")
    }
    guard propose != "" else { throw ValidationError("The directory needs a name.") }
    guard output != "", resume != "", report != "", exchange != "" else {
      throw ValidationError("The file needs a name.")
    }
    try validateParts()
    try validateWorld()
    try validateShard()
  }

  private func validateSwarm() throws {
    guard let swarm else {
      guard seed == nil else {
        throw ValidationError("--seed is for --swarm; an exploration draws nothing.")
      }
      return
    }
    guard (1...1_000_000_000).contains(swarm) else {
      throw ValidationError("--swarm takes a number of runs from 1 to 1000000000.")
    }
    guard budget.states == ExplorationBudget.usual.states else {
      throw ValidationError("With --swarm, --budget takes a time such as 30s.")
    }
    guard depth.map({ $0 <= SwarmRun.maximumLength }) ?? true else {
      throw ValidationError(
        "With --swarm, --depth takes a number up to \(SwarmRun.maximumLength).")
    }
    guard resume == nil else {
      throw ValidationError("--resume is for an exploration; a swarm goes on with another --seed.")
    }
    guard jobs == nil else {
      throw ValidationError("--jobs is for an exploration; the runs of a swarm go into --shard.")
    }
  }

  func validateWorkers() throws {
    guard jobs.map(ThreadTeam.range.contains) ?? true else {
      throw ValidationError("--jobs takes a number from 1 to 64.")
    }
    guard (0...1_000_000).contains(memory) else {
      throw ValidationError("--memory takes a number of megabytes from 0 to 1000000.")
    }
  }

  /// The actions of the client.
  var extras: ExplorationSetup.Extras {
    without.reduce(acts.extras) { $0.subtracting($1.extras) }
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
      printError("Interrupted, so that nothing is proved.")
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
    if !backend.isBuiltIn { return try runElsewhere(setup, interruption) }
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
  /// - Throws: ``Leave`` with the exit status if it is not 0.
  func tell(
    _ verdict: ExplorationVerdict, _ text: ExplorationText, levels: [Int]?,
    _ interruption: Interruption, keep: () throws -> Void
  ) throws {
    // A violation that was found before the interruption is still reported.
    if case .stopped = verdict { try leaveIfInterrupted(interruption, text.seen, keep: keep) }
    try finish(verdict, text, text.setup, interruption) {
      if case .stopped(_, let growing) = verdict, growing.isEmpty { try keep() }
      guard let levels else { return }
      var report = ExplorationReport(
        harness: ThisCommand.harness, client: exploredClient, outcome: .closed)
      report.seen = .init(levels: levels, transitions: text.figures.transitions)
      try write(report, of: verdict, text)
    }
  }

  /// Throws the exit status if the exploration was interrupted, because it then proves nothing.
  func leaveIfInterrupted(
    _ interruption: Interruption, _ seen: String, keep: () throws -> Void = {}
  ) throws {
    guard let status = interruption.exitStatus else { return }
    printError("Interrupted, so that nothing is proved: \(seen).")
    try keep()
    throw Leave(status)
  }

  /// Prints the verdict, writes the report and throws the exit status.
  ///
  /// The report is written even if the scenario cannot be shown.
  func finish(
    _ verdict: ExplorationVerdict, _ text: ExplorationText, _ setup: ExplorationSetup,
    _ interruption: Interruption, showsScenario: Bool = true, write: () throws -> Void
  ) throws {
    let told = Result {
      try tell(verdict, text, setup, interruption, showsScenario: showsScenario)
    }
    try write()
    if let status = try told.get() { throw Leave(interruption.exitStatus ?? status) }
  }

  /// Prints the verdict of an exploration.
  ///
  /// - Returns: The exit status, or `nil` if the invariants hold.
  private func tell(
    _ verdict: ExplorationVerdict, _ text: ExplorationText, _ setup: ExplorationSetup,
    _ interruption: Interruption, showsScenario: Bool
  ) throws -> ExitStatus? {
    switch verdict {
    case .closed:
      say(text.closed)
      return nil
    case .stopped(let why, let growing):
      say(text.stopped(why, growing))
      return .failure
    case .broken(let shortest, let playable):
      say(text.broken(shortest))
      if let playable, playable != shortest {
        say("\nIn time another timer fires first. The shortest sequence that can be played:\n")
        say(text.acts(of: playable))
      }
      if showsScenario {
        try show(
          playable.map {
            ShownScenario(CounterexampleScenario($0, setup).text, setup, faults, interruption)
          })
      } else {
        printError("Shard 1 shows it as a scenario.")
      }
      return .failure
    }
  }

  // MARK: The scenario of a violation

  func show(_ scenario: ShownScenario?) throws {
    guard let scenario else {
      say(
        """

        No scenario was found that shows it: in the sequences that were tried, other timers fire
        first in time. With fewer --calls, or a larger --budget or --depth, there may be one.
        """)
      return
    }
    if let scenarioFile {
      if let problem = NewFile.write(
        [UInt8](scenario.text.utf8), to: scenarioFile, replacing: force)
      {
        printError("\(scenarioFile): error: \(problem)")
        throw Leave(.badInput)
      }
    } else {
      say("\nAs a scenario; with -o FILE it is written to a file:\n")
      StandardStream.output.write(scenario.text)
    }
    var command = "handover run \(ShellWord.quoted(scenarioFile ?? "FILE"))"
    command += defect.map { " --defect \($0)" }.joined()
    if !backend.isBuiltIn { command += " --backend \(ShellWord.quoted(backend.description))" }
    say(
      scenario.finding != nil
        ? "\nIn virtual time it fails likewise. To see it again:\n  \(command)"
        : "\nThe simulated network does not show it; what it does instead:\n  \(command)")
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
    _ text: String, _ setup: ExplorationSetup, _ faults: [PlantedFault], keptEntries: Int = 0,
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

/// The limit of an exploration: a number of states or a time.
struct ExplorationBudget: ExpressibleByArgument {
  static let usual = ExplorationBudget(states: ExplorationLimits().states, time: nil)

  var states: Int
  var time: Duration?

  init(states: Int, time: Duration?) {
    self.states = states
    self.time = time
  }

  init?(argument: String) {
    if let states = Int(argument) {
      guard (1...1_000_000_000_000).contains(states) else { return nil }
      self.init(states: states, time: nil)
      return
    }
    guard let length = TimeNotation.interval(argument), length > .zero else { return nil }
    self.init(states: Self.usual.states, time: .microseconds(length.microseconds))
  }

  var defaultValueDescription: String { "\(states)" }
}
