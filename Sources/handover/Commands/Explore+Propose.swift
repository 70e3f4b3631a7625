import HandoverCore
import HandoverEngine
import HandoverExploration
import HandoverReport
import HandoverScenario
import HandoverSimulation

extension ExploreCommand {
  /// The maximum number of proposals in one run; users would not read more.
  static let maximumProposals = 100

  /// Explores, and writes a scenario for each transition that no scenario covers yet.
  ///
  /// Only the cells of the transition space that the exploration reaches are considered.
  func propose(_ setup: ExplorationSetup, into directory: String, _ interruption: Interruption)
    throws
  {
    let folder = ScenarioFiles.withoutTrailingSlashes(directory)
    guard TraceDirectory.makeDirectory(folder) else {
      throw ExitError(
        printing: "\(folder): error: cannot create the directory\n    hint: choose another place")
    }
    var explorer = Explorer(cellsOf: setup)
    var progress = ExplorationProgress(budget)
    let verdict = explorer.run(ExplorationLimits(depth: depth, states: budget.states)) { figures in
      progress.show(figures)
      return interruption.received == nil && !progress.isTimeOver
    }
    progress.clear()
    if let status = interruption.exitStatus {
      printError("Interrupted before any scenario was proposed.")
      throw ExitError(status)
    }
    if case .broken = verdict {
      throw ExitError(
        .failure,
        printing:
          "The client violates an invariant. Run the same command without --propose to see it.")
    }
    // Previous proposals count too, so that a further run proposes the remaining ones.
    let reading = Reading([BundledFiles.scenarios, folder])
    reading.showComplaints()
    var reached = TransitionCells()
    var worker = Worker(SimulatedBackend(), retaining: .cells)
    var playedCount = 0
    for scenario in reading.scenarios where scenario.profiles.contains(setup.profile) {
      guard interruption.received == nil else { break }
      playedCount += 1
      for one in worker.run(scenario, on: [setup.profile]).cases { reached.formUnion(one.cells) }
    }
    var proposals = Proposals(explorer.reachedCells, reached)
    for cell in proposals.gaps.list {
      guard interruption.received == nil, proposals.found.count < Self.maximumProposals else {
        break
      }
      let found = explorer.scenario(of: cell) { Self.survivesChecks($0, setup.profile, &worker) }
      proposals.add(found, for: cell)
    }
    let closed = if case .closed = verdict { true } else { false }
    for proposal in proposals.found {
      let file = "\(folder)/\(proposal.cell.slug).json"
      try FileCreation.create(file, with: [UInt8](proposal.text.utf8), replacing: force)
    }
    say(proposals.text(of: playedCount, setup.profile, in: folder, isComplete: closed))
    if let status = interruption.exitStatus { throw ExitError(status) }
    if reading.errorCount > 0 { throw ExitError(.badInput) }
  }

  /// Returns whether a scenario is valid, passes, and covers the cell for which it was written.
  private static func survivesChecks(
    _ proposal: ProposedScenario, _ profile: Profile, _ worker: inout Worker
  ) -> Bool {
    let reading = ScenarioReader.read(file: proposal.id, bytes: [UInt8](proposal.text.utf8))
    guard let scenario = reading.scenario, reading.diagnostics.isEmpty,
      let result = worker.run(scenario).cases.first
    else { return false }
    return result.verdict == .passed && result.cells.contains(proposal.cell)
  }
}

/// The proposed scenarios and the remaining cells.
struct Proposals {
  /// The cells that the exploration reaches.
  var reachable: TransitionCells
  /// The reachable cells that no scenario covers.
  var gaps: TransitionCells
  private(set) var found: [ProposedScenario] = []
  private(set) var impossible: [TransitionCell] = []

  init(_ reachable: TransitionCells, _ reached: TransitionCells) {
    self.reachable = reachable
    gaps = reachable
    gaps.subtract(reached)
  }

  mutating func add(_ proposal: ProposedScenario?, for cell: TransitionCell) {
    if let proposal { found.append(proposal) } else { impossible.append(cell) }
  }

  // MARK: Text

  /// The maximum number of cells listed that have no scenario.
  private static let shown = 20

  func text(
    of scenarioCount: Int, _ profile: Profile, in folder: String, isComplete: Bool
  ) -> String {
    let left = gaps.count - found.count - impossible.count
    var lines = [
      "\(profile.name): \(reachable.count - gaps.count) of the "
        + "\(counted(reachable.count, "cell")) that the exploration reaches are covered by "
        + "\(counted(scenarioCount, "scenario"))."
    ]
    if !isComplete {
      lines.append("The exploration stopped before it was complete, so there may be more cells.")
    }
    lines.append(
      found.isEmpty
        ? gaps.count == 0 ? "All cells are covered: nothing to propose." : "Wrote no scenario."
        : "Wrote \(counted(found.count, "scenario")) for further cells to \(folder).")
    if !impossible.isEmpty {
      lines.append(
        "For \(counted(impossible.count, "cell")) no scenario with real times was found:")
      lines += impossible.prefix(Self.shown).map { "  \($0.slug)" }
      let more = impossible.count - Self.shown
      if more > 0 { lines.append("  and \(more) more") }
    }
    if left > 0 {
      lines.append("\(counted(left, "cell")) are left. Run the same command again to continue.")
    }
    if !found.isEmpty { lines.append("Next: handover run \(ShellWord.quoted(folder))") }
    return lines.joined(separator: "\n")
  }
}
