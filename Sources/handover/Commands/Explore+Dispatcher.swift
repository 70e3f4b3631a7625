import ArgumentParser
import HandoverCore
import HandoverExploration
import HandoverReport

extension ExploreCommand {
  func validateDispatcher(_ profiles: [String]) throws {
    guard profiles.contains(profile) else {
      throw ValidationError(
        "The profile \"\(profile)\" has no dispatcher."
          + didYouMean(profile, among: profiles) + " Profiles: "
          + profiles.joined(separator: ", ") + ".")
    }
    guard DispatcherSetup.requestRange.contains(calls), (1...2).contains(hosts) else {
      throw ValidationError(
        "With --scope dispatcher, --calls must be from 1 to 6, and --hosts must be 1 or 2.")
    }
    guard depth.map({ $0 > 0 }) ?? true else {
      throw ValidationError("--depth must be an integer above zero, such as --depth 8.")
    }
    try validateWorkers()
    try validateParts()
    for name in defect where DispatcherDefect(rawValue: name) == nil {
      throw ValidationError(
        "Unknown bug \"\(name)\" of the dispatcher."
          + didYouMean(name, among: DispatcherDefect.allCases.map(\.rawValue)) + " Bugs: "
          + DispatcherDefect.allCases.map(\.rawValue).joined(separator: ", ") + ".")
    }
    guard output != "", resume != "" else { throw ValidationError("The file name is empty.") }
  }

  /// Explores the dispatcher of requests.
  func runDispatcher(_ interruption: Interruption) throws {
    guard let profile = Profile.named(profile) else { return }
    let defects = DispatcherDefects(defect.compactMap(DispatcherDefect.init(rawValue:)))
    let setup = try DispatcherSetup(
      requests: calls, endpoints: hosts, isFull: actions != .plain, defects: defects)
    var explorer = try resumed {
      DispatcherExplorer(setup)
    } _: { bytes throws(SavedFileProblem) in
      try DispatcherExplorer(resuming: bytes, setup, version: version)
    }
    explorer.limitFrontier(to: frontierRoom)
    interruption.asLastResort { .alreadyFinishing }
    var progress = ExplorationProgress(budget)
    let verdict = explorer.run(limits, team: ThreadWorkers(jobs)) { figures in
      progress.show(figures)
      return interruption.received == nil && !progress.isTimeOver
    }
    progress.clear()
    let text = DispatcherText(setup: setup, figures: explorer.figures)
    switch verdict {
    case .closed:
      say(text.closed)
    case .stopped(let why):
      try leaveIfInterrupted(interruption, text.seen) { try keep(explorer) }
      say(text.stopped(why))
      try keep(explorer)
      throw ExitError(why.exitStatus)
    case .broken(let found):
      say(text.broken(found))
      let player = ScenarioPlayer(faults)
      let scenario = DispatcherScenario(found, setup, on: profile)
      let shown = ShownScenario(scenario.text, player, on: profile, interruption)
      try show(player.isRight(scenario.text) && shown.finding != nil ? shown : nil)
      throw ExitError(interruption.exitStatus ?? .failure)
    }
  }
}

extension ExploreCommand {
  private func keep(_ explorer: borrowing DispatcherExplorer) throws {
    try keep { version throws(FrontierProblem) in try explorer.checkpoint(version: version) }
  }
}

/// The text about the exploration of a dispatcher.
struct DispatcherText {
  var setup: DispatcherSetup
  var figures: ExplorationFigures

  var seen: String { figures.seen }

  private var bounds: String {
    """
    (dispatcher, \(counted(setup.endpoints, "endpoint")), limit \(setup.limits.total) with \
    \(setup.limits.long) long, up to \(counted(setup.requests, "simultaneous request"))\(
      setup.isFull ? "" : ", plain actions");
    small fixed times: timeouts of 2 s, deadlines and pauses of 1 s)
    """
  }

  var closed: String {
    """
    complete: \(seen): the invariants hold for sequences of any length,
    and from every state every request ends.
    \(bounds)
    """
  }

  func stopped(_ why: ExplorationVerdict.Stop) -> String {
    return """
      stopped \(why.reason): \(seen).
      No violation so far. This proves nothing.
      \(bounds)
      """
  }

  func broken(_ counterexample: DispatcherCounterexample) -> String {
    let count = counted(counterexample.actions.count, "action")
    let actions = ExplorationText.numbered(counterexample.actions.map { $0.sentence(in: setup) })
    return """
      invariant \(counterexample.violation.rule.rawValue) is violated after \(count): \
      \(counterexample.violation.sentence).
      (\(seen))
      \(bounds)

      \(actions.joined(separator: "\n"))
      """
  }
}
