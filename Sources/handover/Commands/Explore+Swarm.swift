import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverExploration
import HandoverReport
import HandoverScenario

extension ExploreCommand {
  /// Runs random sequences until one violates an invariant, all have run, or the time is over.
  func runSwarm(_ setup: ExplorationSetup, _ interruption: Interruption) throws {
    let swarm = SwarmRun(
      setup: setup, first: seed ?? UInt64.random(in: 0...SwarmRun.maximumSeed), count: swarm ?? 1,
      length: depth ?? SwarmRun.defaultLength)
    let part = try shard?.resolved()
    say(swarm.header + (part.map { ": \($0.words.lowercased())" } ?? ""))
    var runs = stride(from: (part?.index ?? 1) - 1, to: swarm.count, by: part?.count ?? 1)
      .makeIterator()
    var figures = SwarmRun.Figures()
    var reported = SwarmReport(
      harness: Executable.harness, client: exploredClient, firstSeed: swarm.first,
      count: swarm.count, length: swarm.length)
    reported.shard = part
    let progress = SwarmProgress(budget.time, of: swarm.count(of: part))
    let player = ScenarioPlayer(faults)
    while figures.runs < swarm.count(of: part), !progress.isOver, interruption.received == nil,
      let run = runs.next()
    {
      let scenario = swarm.scenario(run)
      let found = swarm.play(scenario, player)
      if report != nil {
        reported.runs.append(
          .init(
            number: run + 1, entries: scenario.entryCount, calls: scenario.callCount,
            finding: found.map { "\($0.expected); seen: \($0.seen)" }))
      }
      guard let finding = found else {
        figures.add(scenario)
        progress.show(figures)
        continue
      }
      StandardStream.clearTransient()
      say(swarm.broken(run, scenario, finding))
      let shown = ShownScenario(
        scenario.text, setup, faults, keptEntries: scenario.healing, interruption)
      say(
        "The minimized scenario has \(counted(shown.entryCount, "entry", "entries"))."
      )
      let isShown = Result { try show(shown) }
      try write(reported)
      try isShown.get()
      throw ExitError(.failure)
    }
    StandardStream.clearTransient()
    reported.wasStopped = figures.runs < swarm.count(of: part)
    if let status = interruption.exitStatus {
      printError("Interrupted after \(swarm.text(figures)).")
      throw ExitError(status)
    }
    if let part, swarm.count(of: part) == 0 {
      printError("\(part.words) is empty: there are fewer runs than shards.")
    }
    say(swarm.passed(figures, isWhole: !reported.wasStopped))
    try write(reported)
  }

  private func write(_ reported: SwarmReport) throws {
    if let report { try Self.write(reported.text, to: report) }
  }
}

/// Random runs with consecutive seeds.
struct SwarmRun {
  static let defaultLength = 200
  static let maximumLength = 100_000
  /// The largest first seed; any number of runs then has valid seeds.
  static let maximumSeed: UInt64 = 1 << 53

  var setup: ExplorationSetup
  var first: UInt64
  var count: Int
  var length: Int

  /// Counts of what has run.
  struct Figures {
    var runs = 0
    var entries = 0
    var calls = 0

    mutating func add(_ scenario: SwarmScenario) {
      runs += 1
      entries += scenario.entryCount
      calls += scenario.callCount
    }
  }

  /// Returns the number of runs in a shard, which runs every n-th one.
  func count(of part: RunDescription.Shard?) -> Int {
    guard let part else { return count }
    return count / part.count + (part.index <= count % part.count ? 1 : 0)
  }

  func seed(_ run: Int) -> UInt64 { first &+ UInt64(run) }

  func scenario(_ run: Int) -> SwarmScenario {
    SwarmScenario(setup, seed: seed(run), length: length)
  }

  /// Runs a scenario.
  ///
  /// - Returns: The failure, or `nil` if there was none.
  func play(_ scenario: SwarmScenario, _ player: ScenarioPlayer) -> Finding? {
    func finding(of text: String) -> Finding? {
      let reading = ScenarioReader.read(file: scenario.id, bytes: [UInt8](text.utf8))
      guard let read = reading.scenario, let result = player.play(read),
        let finding = FailureSignature.finding(of: result), finding.kind != .faultWithoutEffect
      else { return nil }
      return finding
    }
    // A finding names positions in the file, which few runs need.
    return finding(of: scenario.scenario.line).flatMap { _ in finding(of: scenario.text) }
  }

  // MARK: Text

  var header: String {
    "swarm: \(counted(count, "run")) from seed \(first) (\(setup.profile.name), "
      + "\(counted(setup.hosts, "host")), up to \(counted(setup.calls, "simultaneous call")), "
      + counted(length, "action") + "\(ExplorationText.leftOut(of: setup)))"
  }

  func text(_ figures: Figures) -> String {
    "\(counted(figures.runs, "run")) with "
      + "\(counted(figures.entries, "entry", "entries")) and "
      + counted(figures.calls, "call")
  }

  func passed(_ figures: Figures, isWhole: Bool) -> String {
    let stopped = !isWhole ? "stopped at the time of --budget:\n" : ""
    return """
      \(stopped)\(text(figures)) keep the invariants.
      Every call ended, and the client became idle. This proves nothing about other runs.
      """
  }

  func broken(_ run: Int, _ scenario: SwarmScenario, _ finding: Finding) -> String {
    var what = "\(finding.expectedText.exactText); seen: \(finding.seenText.exactText)"
    if case .invariant(let number) = finding.kind { what = "invariant \(number): \(what)" }
    return """
      run \(run + 1), seed \(seed(run)): \(scenario.options.text)
      It has \(counted(scenario.entryCount, "entry", "entries")) and fails: \(what).
      """
  }
}

/// The progress of random testing on standard error, with a time limit.
final class SwarmProgress {
  private let began = ContinuousClock.now
  private let time: Duration?
  private let count: Int
  private var line = ProgressLine(.auto)

  init(_ time: Duration?, of count: Int) {
    self.time = time
    self.count = count
  }

  var isOver: Bool { time.map { ContinuousClock.now - began > $0 } ?? false }

  func show(_ figures: SwarmRun.Figures) {
    line?.show { [count] in
      String("\(figures.runs) of \(counted(count, "run"))".prefix($0 ?? .max))
    }
  }
}
