import ArgumentParser
import HandoverExploration

/// What an exploration knows of time, by name.
enum ExploredTime: String, ExpressibleByArgument, CaseIterable {
  case untimed
  case zones

  /// What it says of time, for whoever reads a proof.
  var sentence: String {
    switch self {
    case .untimed: "untimed: whichever timer is armed may fire; no jitter"
    case .zones:
      "zones: timers fire in the order of the documents' constants, exact but for boundary "
        + "instants; deadlines and keepalive of any length; no jitter"
    }
  }
}

extension ExploreCommand {
  /// Explores states, each of which stands for all times.
  func walkStates(_ setup: ExplorationSetup, _ interruption: Interruption) throws {
    var explorer = try explorer(setup)
    explorer.limitFrontier(to: frontierRoom)
    // Whoever keeps much takes its time, and a machine that is busy gives little; what was seen is
    // told all the same.
    interruption.asLastResort { .inHand }
    var progress = ExplorationProgress(budget)
    let verdict = explorer.run(limits, team: ThreadTeam(jobs)) { figures in
      progress.see(figures)
      return interruption.received == nil && !progress.isTimeOver
    }
    progress.clear()
    try tell(
      verdict, ExplorationText(setup: setup, time: time, figures: explorer.figures),
      levels: progress.levels(of: explorer.figures), interruption
    ) {
      try keep { version throws(FrontierProblem) in try explorer.checkpoint(version: version) }
    }
  }

  /// An exploration that has seen nothing, or the one that a file holds.
  private func explorer(_ setup: ExplorationSetup) throws -> Explorer {
    guard let bytes = try kept() else { return Explorer(setup) }
    do throws(CheckpointProblem) {
      return try Explorer(resuming: bytes, setup, version: version)
    } catch {
      throw refuse(error)
    }
  }

  /// Explores zones of states.
  func walkZones(_ setup: ExplorationSetup, _ interruption: Interruption) throws {
    var explorer = ZoneExplorer(setup)
    var progress = ExplorationProgress(budget)
    let verdict = explorer.run(limits, team: ThreadTeam(jobs)) { figures in
      progress.show(figures)
      return interruption.received == nil && !progress.isTimeOver
    }
    progress.clear()
    try tell(
      verdict, ExplorationText(setup: setup, time: time, figures: explorer.figures), levels: nil,
      interruption
    ) {}
  }

  var limits: ExplorationLimits { ExplorationLimits(depth: depth, states: budget.states) }
}
