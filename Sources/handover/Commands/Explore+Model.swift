import ArgumentParser
import HandoverCore
import HandoverEngine
import HandoverExploration
import HandoverReport
import HandoverScenario

/// The reference for correct behavior.
enum ExploredAgainst: String, ExpressibleByArgument, CaseIterable {
  /// The invariants of every run.
  case rules
  /// The model: the built-in client without injected bugs, compared after each action.
  case model
}

extension ExploreCommand {
  func validateModel() throws {
    guard against == .model else {
      guard actions.groups == nil else {
        throw ValidationError("--acts \(actions.rawValue) requires --against model.")
      }
      return
    }
    guard let profile = Profile.named(profile) else {
      throw ValidationError(
        "Unknown profile \"\(profile)\"."
          + didYouMean(profile, among: Profile.known.map(\.name)))
    }
    let given: [(name: String, isGiven: Bool)] = [
      ("--scope", scope != .client), ("--swarm", swarm != nil), ("--seed", seed != nil),
      ("--time zones", time != .untimed), ("--shard", shard != nil),
      ("--exchange", exchange != nil), ("--propose", propose != nil), ("--resume", resume != nil),
      ("--report", report != nil), ("--jobs", jobs != nil), ("--hosts", hosts != 1),
      ("--calls", calls != 2), ("--backend", !backend.isBuiltIn), ("--without", !without.isEmpty),
    ]
    if let one = given.first(where: \.isGiven) {
      throw ValidationError("\(one.name) cannot be combined with --against model.")
    }
    guard !defect.isEmpty else {
      throw ValidationError(
        "--against model requires --defect, because without a bug the two clients are the same.")
    }
    for name in defect where Mutant.named(name) == nil {
      throw ValidationError(
        "Unknown bug \"\(name)\"."
          + didYouMean(name, among: Mutant.names)
          + " `handover selftest --list` lists all bugs.")
    }
    guard depth.map({ (1...ModelExplorer.maximumDepth).contains($0) }) ?? true else {
      throw ValidationError(
        "With --against model, --depth must be from 1 to \(ModelExplorer.maximumDepth).")
    }
    guard actions != .endless, actions.groups != [] else {
      throw ValidationError(
        "With --against model, --acts must be plain, full or a list of: "
          + ModelGroup.allCases.map(\.rawValue).joined(separator: ", ") + ".")
    }
    guard ModelExplorer.hasActions(actions.modelGroups(for: profile), of: profile) else {
      throw ValidationError(
        "The profile \(profile.name) has no actions of the kind \(actions.rawValue).")
    }
    guard output != "" else { throw ValidationError("The file name is empty.") }
  }

  /// Runs every sequence of actions on the model and on a client with injected bugs.
  func runModel(_ interruption: Interruption) throws {
    guard let profile = Profile.named(profile) else { return }
    let groups = actions.modelGroups(for: profile)
    var explorer = ModelExplorer(profile, groups, against: FaultyBackend(faults))
    var progress = ExplorationProgress(budget)
    let verdict = explorer.run(depth: depth ?? ModelExplorer.maximumDepth) { length, sequences in
      var figures = ExplorationFigures()
      (figures.states, figures.depth) = (sequences, length)
      progress.show(figures)
      return interruption.received == nil && !progress.isTimeOver && sequences < budget.states
    }
    progress.clear()
    let seen = counted(explorer.sequences, "sequence")
    try leaveIfInterrupted(interruption, seen)
    let tried = groups.filter { ModelExplorer.hasActions([$0], of: profile) }
    let bounds = "(\(profile.name), actions: \(tried.map(\.rawValue).joined(separator: ", ")))"
    switch verdict {
    case .same(let length):
      say("the same in every sequence of up to \(counted(length, "action")): \(seen).\n\(bounds)")
    case .stopped(let length):
      say("stopped in sequences of \(counted(length, "action")): \(seen), all the same.\n\(bounds)")
    case .differs(let found):
      say(
        """
        it differs from the model after \(counted(found.actions.count, "action")).
        (\(seen))
        \(bounds)

        """)
      say(ExplorationText.numbered(found.actions).joined(separator: "\n"))
      say("\nexpected: \(found.finding.expected)\nseen:     \(found.finding.seen)")
      try show(ShownScenario(found.text, ScenarioPlayer(faults), on: profile, interruption))
    }
    throw ExitError(.failure)
  }
}

extension ExploredActions {
  /// Returns the kinds of actions in an exploration against the model.
  func modelGroups(for profile: Profile) -> [ModelGroup] {
    switch self {
    case .plain:
      switch profile.client.work {
      case .calls: [.calls, .flags]
      case .requests: [.requests, .flags]
      }
    case .full, .endless: ModelGroup.allCases
    case .list(let groups): groups
    }
  }
}
