import ArgumentParser
import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverExploration
import HandoverReport
import HandoverScenario

/// The scope of an exploration.
enum ExploredScope: String, ExpressibleByArgument, CaseIterable {
  /// The client alone, in a network with arbitrary behavior.
  case client
  /// The client with its device, paths, servers and monitor.
  case world
  /// The dispatcher of requests, on a platform with arbitrary behavior.
  case dispatcher
}

extension ExploreCommand {
  /// Rejects options that are supported for the client alone.
  func validateScope() throws {
    let given: [(name: String, isGiven: Bool)] = [
      ("--swarm", swarm != nil), ("--seed", seed != nil), ("--time zones", time != .untimed),
      ("--shard", shard != nil), ("--exchange", exchange != nil), ("--propose", propose != nil),
      ("--report", report != nil),
    ]
    guard scope != .client, let one = given.first(where: \.isGiven) else { return }
    throw ValidationError(
      "\(one.name) requires --scope client.")
  }

  func validateWorld() throws {
    guard scope == .world else { return }
    guard WorldSetup.hostRange.contains(hosts) else {
      throw ValidationError("With --scope world, --hosts must be 1 or 2.")
    }
    guard Profile.named(profile)?.transport.migration == nil else {
      throw ValidationError(
        "The profile \(profile) requires --scope client, because states of the world do not "
          + "include the paths to which connections may migrate.")
    }
    // A state does not record which call's messages are sent late.
    guard !defect.contains(Defect.lateSend.rawValue) else {
      throw ValidationError("The bug 10302 requires --scope client.")
    }
  }

  /// Explores the client together with the world around it.
  func runWorld(_ client: ExplorationSetup, _ interruption: Interruption) throws {
    let setup = WorldSetup(client, events: events)
    var explorer = try resumed {
      WorldExplorer(setup)
    } _: { bytes throws(SavedFileProblem) in
      try WorldExplorer(resuming: bytes, setup, version: version)
    }
    explorer.limitFrontier(to: frontierRoom)
    interruption.asLastResort { .alreadyFinishing }
    var progress = ExplorationProgress(budget)
    var shown: ShownScenario?
    let verdict = explorer.run(
      limits, team: ThreadWorkers(jobs),
      accepting: { found in
        progress.clear()
        let scenario = WorldScenario(found, setup)
        let player = ScenarioPlayer(faults)
        // A scenario that also fails without the defect does not demonstrate the defect.
        guard player.isRight(scenario.text) else { return false }
        let played = ShownScenario(
          scenario.text, player, on: client.profile,
          keptEntries: found.violation.appearsAfterRestoration ? scenario.healing : 0, interruption)
        guard played.finding != nil else { return false }
        shown = played
        return true
      },
      shouldContinue: { figures in
        progress.show(figures)
        return interruption.received == nil && !progress.isTimeOver
      })
    progress.clear()
    let text = WorldText(setup: setup, figures: explorer.figures)
    switch verdict {
    case .closed:
      say(text.closed)
    case .stopped(let why, let growing):
      try leaveIfInterrupted(interruption, text.seen) { try keep(explorer) }
      say(text.stopped(why, growing))
      if growing.isEmpty { try keep(explorer) }
      throw ExitError(why.exitStatus)
    case .broken(let shortest, let accepted):
      say(text.broken(shortest))
      if let accepted, accepted != shortest {
        say("\nThat order is impossible in real time. The shortest feasible sequence:\n")
        say(text.actions(of: accepted))
      }
      try show(shown)
      throw ExitError(interruption.exitStatus ?? .failure)
    }
  }
}

extension ExploreCommand {
  private func keep(_ explorer: borrowing WorldExplorer) throws {
    try keep { version throws(FrontierProblem) in try explorer.checkpoint(version: version) }
  }
}

extension ExploredActions {
  /// The events that can happen in a world.
  var events: WorldSetup.Events {
    switch self {
    case .plain: .plain
    case .full, .endless, .list: .full
    }
  }
}

/// The text about the exploration of a world.
struct WorldText {
  var setup: WorldSetup
  var figures: ExplorationFigures

  var seen: String { figures.seen }

  private var bounds: String {
    """
    (\(setup.client.profile.name) in its network, \(counted(setup.client.hosts, "host")), \
    up to \(counted(setup.client.calls, "simultaneous call"))\(leftOut); untimed: any pending event
    or armed timer may come next; no jitter, two lengths of backoff)
    """
  }

  private var leftOut: String {
    ExplorationText.leftOut(
      ExploredPart.names(of: .full.subtracting(setup.client.extras))
        + ExploredPart.names(of: .full.subtracting(setup.events)),
      isPlain: setup.client.extras.isEmpty && setup.events == .plain)
  }

  var closed: String {
    """
    complete: \(seen): the invariants hold for sequences of any length,
    and after the network is restored, from every state calls end and the client becomes idle.
    \(bounds)
    """
  }

  func stopped(_ why: ExplorationVerdict.Stop, _ growing: [Growth]) -> String {
    let client = ExplorationText(setup: setup.client, time: .untimed, figures: figures)
    let text = client.stopped(why, growing).split(separator: "\n").dropLast()
    return text.joined(separator: "\n") + "\n" + bounds
  }

  func broken(_ counterexample: WorldCounterexample) -> String {
    let count = counted(counterexample.actions.count, "action")
    return """
      invariant \(counterexample.violation.rule.rawValue) is violated after \(count): \
      \(counterexample.violation.sentence).
      (\(seen))
      \(bounds)

      \(actions(of: counterexample))
      """
  }

  func actions(of counterexample: WorldCounterexample) -> String {
    let read =
      counterexample.initialRead == .unknown
      ? "the device is on WiFi, and the monitor's first read fails"
      : "the device begins with \(counterexample.initialRead)"
    return ExplorationText.numbered([read] + counterexample.sentences(in: setup), from: 0)
      .joined(separator: "\n")
  }
}
