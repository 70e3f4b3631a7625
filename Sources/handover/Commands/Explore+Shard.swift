import HandoverCore
import HandoverExploration
import HandoverReport

extension ExploreCommand {
  /// Explores the partition of this process, together with the other shards.
  func runShard(_ setup: ExplorationSetup, _ interruption: Interruption) throws {
    guard let shard = try shard?.resolved(), let exchange else { return }
    if shard.index == 1 { try expectRoomForScenario() }
    // With many states, the exploration needs time to stop.
    interruption.asLastResort { .alreadyFinishing }
    let identity = RoundFile.Identity(words, count: shard.count)
    let folder: ExchangeFolder
    do throws(ExchangeProblem) {
      folder = try ExchangeFolder(
        exchange, shard, "\(words), in \(counted(shard.count, "shard"))", identity)
    } catch {
      throw Self.exit(after: error)
    }
    var run = ShardRun(
      PartitionedExplorer(setup, Partition(index: shard.index - 1, count: shard.count), identity),
      folder, ShardWait(folder: folder, timeout: (timeout ?? .standard).duration), budget,
      interruption
    )
    let verdict: ExplorationVerdict?
    do throws(ExchangeProblem) {
      verdict = try run(ExplorationLimits(depth: depth, states: budget.states))
    } catch {
      folder.leave("it could not continue")
      throw Self.exit(after: error)
    }
    try finish(verdict, run, shard, setup, interruption)
  }

  private static func exit(after problem: ExchangeProblem) -> ExitError {
    printError("\(problem.message)\n    hint: \(problem.hint)")
    return ExitError(problem.status)
  }

  /// The settings that must be equal in all shards, in one line.
  private var words: String {
    let harness = Executable.harness
    let made = harness.commit.map { "\(harness.version) \($0)" } ?? harness.version
    return "handover \(made): explore \(profile) --hosts \(hosts) --calls \(calls) "
      + "--acts \(actions.rawValue)"
      + (leftOut.isEmpty ? "" : " --without \(leftOut.joined(separator: " "))")
      + defects.map { " --defect \($0)" }.joined()
  }

  private func finish(
    _ verdict: ExplorationVerdict?, _ run: borrowing ShardRun, _ shard: RunDescription.Shard,
    _ setup: ExplorationSetup, _ interruption: Interruption
  ) throws {
    let text = ExplorationText(setup: setup, time: .untimed, figures: run.explorer.whole.figures)
    guard let verdict else {
      let seen =
        "\(text.seen); run the same command again to continue with round \(run.explorer.round)"
      if let status = interruption.exitStatus {
        run.folder.leave("it was interrupted")
        printError("Interrupted, so nothing is proved: \(seen).")
        throw ExitError(status)
      }
      run.folder.leave("its --budget is used up")
      say(text.stopped(.fromOutside, [], isFound: run.explorer.hasViolation))
      throw ExitError(
        .failure,
        printing: "Run the same command again to continue with round \(run.explorer.round).")
    }
    let own = run.explorer.figures
    printError(
      "\(shard.words) explored \(counted(own.states, "state")) and "
        + "\(counted(own.transitions, "transition")).")
    var report = ExplorationReport(
      harness: Executable.harness, client: exploredClient, outcome: .closed)
    report.shard = shard
    if case .broken = verdict {
    } else {
      report.seen = .init(levels: run.explorer.levels, transitions: own.transitions)
      report.whole = .init(
        states: run.explorer.whole.figures.states,
        transitions: run.explorer.whole.figures.transitions)
    }
    try finish(verdict, text, setup, interruption, showsScenario: shard.index == 1) {
      try write(report, of: verdict, text)
    }
  }
}

/// The rounds of a shard, until all shards together reach a verdict.
struct ShardRun: ~Copyable {
  private(set) var explorer: PartitionedExplorer
  let folder: ExchangeFolder
  private let wait: ShardWait
  private var progress: ExplorationProgress
  private let interruption: Interruption

  init(
    _ explorer: consuming PartitionedExplorer, _ folder: ExchangeFolder, _ wait: ShardWait,
    _ budget: ExplorationBudget, _ interruption: Interruption
  ) {
    self.explorer = explorer
    self.folder = folder
    self.wait = wait
    progress = ExplorationProgress(budget)
    self.interruption = interruption
  }

  private var isStopped: Bool { interruption.received != nil || progress.isTimeOver }

  /// Runs rounds.
  ///
  /// - Parameter limits: The limits at which all shards stop.
  /// - Returns: The overall verdict, or `nil` if this shard was stopped.
  /// - Throws: ``ExchangeProblem`` if a file is invalid, or if another shard is not alive.
  mutating func callAsFunction(
    _ limits: ExplorationLimits
  ) throws(ExchangeProblem) -> ExplorationVerdict? {
    defer { progress.clear() }
    while true {
      if let why = explorer.limit(limits) { return try stop(why) }
      let name = ShardWait.roundName(explorer.round)
      if try folder.own(name, round: explorer.round) == nil {
        guard let bytes = try explore() else { return nil }
        try folder.write(name, bytes)
      }
      guard let files = try files(name) else { return nil }
      do throws(SavedFileProblem) {
        if let verdict = try explorer.receive(files) { return verdict }
      } catch {
        throw ExchangeProblem(
          "error: the files of the other shards for round \(explorer.round) are not for this shard",
          hint: "name an empty folder, and start all shards again, because files were moved")
      }
    }
  }

  private mutating func explore() throws(ExchangeProblem) -> [UInt8]? {
    let (folder, interruption) = (folder, interruption)
    var progress = progress
    var problem: ExchangeProblem?
    let bytes = explorer.explore { figures in
      progress.show(figures)
      do throws(ExchangeProblem) { try folder.beat() } catch { problem = error }
      return problem == nil && interruption.received == nil && !progress.isTimeOver
    }
    if let problem { throw problem }
    return isStopped ? nil : bytes
  }

  private func files(
    _ name: String
  ) throws(ExchangeProblem) -> [(summary: RoundSummary, slice: [UInt8])]? {
    let (folder, round) = (folder, explorer.round)
    let (progress, interruption, count) = (progress, interruption, folder.shard.count)
    return try wait.files(name, round: round) { (index) throws(ExchangeProblem) in
      try folder.read(name, round: round, of: index)
    } shouldContinue: { index, length in
      progress.showWait(for: "shard \(index) of \(count), round \(round)", length)
      return interruption.received == nil && !progress.isTimeOver
    }
  }

  /// Stops the exploration together with all other shards, and counts the remaining states.
  private mutating func stop(
    _ why: ExplorationVerdict.Stop
  ) throws(ExchangeProblem) -> ExplorationVerdict? {
    let name = ShardWait.levelName(explorer.round)
    if try folder.own(name, round: explorer.round) == nil {
      try folder.write(name, explorer.levelFile())
    }
    folder.stop()
    guard let files = try files(name) else { return nil }
    folder.leave(ExchangeFolder.stops)
    return explorer.stop(why, files.map(\.summary))
  }
}
