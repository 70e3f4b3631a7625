import ArgumentParser
import HandoverExploration

/// The model of time in an exploration, by name.
enum ExploredTime: String, ExpressibleByArgument, CaseIterable {
  case untimed
  case zones

  /// A sentence about the model of time, for readers of a proof.
  var sentence: String {
    switch self {
    case .untimed: "untimed: any armed timer may fire; no jitter"
    case .zones:
      "zones: timers fire in the order of the specifications' constants, exact except for boundary "
        + "instants; deadlines and keepalive of any length; no jitter"
    }
  }
}

extension ExploreCommand {
  /// Explores states without time.
  func walkStates(_ setup: ExplorationSetup, _ interruption: Interruption) throws {
    var explorer = try resumed {
      Explorer(setup)
    } _: { bytes throws(SavedFileProblem) in
      try Explorer(resuming: bytes, setup, version: version)
    }
    explorer.limitFrontier(to: frontierRoom)
    // With many states or on a busy machine, stopping takes time. The states seen so far are still
    // reported.
    interruption.asLastResort { .alreadyFinishing }
    var progress = ExplorationProgress(budget)
    let verdict = explorer.run(limits, team: ThreadWorkers(jobs)) { figures in
      progress.update(with: figures)
      return interruption.received == nil && !progress.isTimeOver
    }
    progress.clear()
    try report(
      verdict, ExplorationText(setup: setup, time: time, figures: explorer.figures),
      levels: progress.levels(of: explorer.figures), interruption
    ) {
      try keep { version throws(FrontierProblem) in try explorer.checkpoint(version: version) }
    }
  }

  /// Explores zones of states.
  func walkZones(_ setup: ExplorationSetup, _ interruption: Interruption) throws {
    var explorer = ZoneExplorer(setup)
    var progress = ExplorationProgress(budget)
    let verdict = explorer.run(limits, team: ThreadWorkers(jobs)) { figures in
      progress.show(figures)
      return interruption.received == nil && !progress.isTimeOver
    }
    progress.clear()
    try report(
      verdict, ExplorationText(setup: setup, time: time, figures: explorer.figures), levels: nil,
      interruption
    ) {}
  }

  var limits: ExplorationLimits { ExplorationLimits(depth: depth, states: budget.states) }
}
