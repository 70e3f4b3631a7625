package import HandoverBackend
package import HandoverCore
package import HandoverEngine

/// The result of an exploration against the model.
package enum ModelVerdict: Sendable {
  /// A shortest sequence after which the tested backend differs from the model.
  case differs(ModelDifference)
  /// No sequence up to this length shows a difference.
  ///
  /// Longer sequences may still show one.
  case same(actions: Int)
  /// The exploration was stopped while it tried sequences of this length.
  case stopped(actions: Int)
}

/// A sequence after which the tested backend differs from the model.
package struct ModelDifference: Hashable, Sendable {
  /// The actions, one line each.
  package var actions: [String]
  /// The scenario that passes on the model and fails on the tested backend.
  package var text: String
  /// The finding of the failed run.
  package var finding: Finding
}

/// Runs every sequence of actions on the model and on the tested backend, shortest first, until a
/// scenario distinguishes both.
///
/// The model is the built-in client in its simulated world, and its behavior is correct by
/// definition. Therefore the exploration also detects differences that no invariant covers: texts,
/// statuses, times and numbers. Any backend that runs scenarios can be tested. Actions are settings
/// and timeline entries 400 ms apart. After the last action, all pending activity continues until
/// the end.
package struct ModelExplorer {
  /// The maximum length of a sequence.
  package static let maximumDepth = 12

  private let actions: [UInt8]
  private var comparison: ModelComparison
  /// The number of sequences that were run.
  package private(set) var sequences = 0

  /// Creates an exploration.
  ///
  /// - Parameters:
  ///   - profile: the profile.
  ///   - groups: the groups of actions to try.
  ///   - tested: the backend under test.
  package init(_ profile: Profile, _ groups: [ModelGroup], against tested: any Backend) {
    comparison = ModelComparison(profile, tested)
    actions = Self.actions(groups, of: profile)
  }

  /// Returns whether a profile has actions of some groups.
  package static func hasActions(_ groups: [ModelGroup], of profile: Profile) -> Bool {
    !actions(groups, of: profile).isEmpty
  }

  private static func actions(_ groups: [ModelGroup], of profile: Profile) -> [UInt8] {
    ModelAction.all.indices.filter { position in
      groups.contains(ModelAction.all[position].group)
        && ModelAction.all[position].isAvailable(for: profile)
    }.map(UInt8.init)
  }

  /// Explores until a difference is found or a limit is reached.
  ///
  /// - Parameters:
  ///   - depth: the maximum number of actions of a sequence.
  ///   - shouldContinue: a closure that is called before each sequence, with the current length and
  ///     the number of sequences that were run. It returns `false` to stop.
  /// - Returns: the verdict.
  package mutating func run(
    depth: Int = maximumDepth, shouldContinue: (Int, Int) -> Bool = { _, _ in true }
  ) -> ModelVerdict {
    var level = [ModelSequence()]
    if case .differs(let text, let finding) = play(level[0]) {
      return .differs(ModelDifference(actions: [], text: text, finding: finding))
    }
    let longest = max(1, min(depth, Self.maximumDepth))
    for length in 1...longest {
      var next: [ModelSequence] = []
      for sequence in level {
        for action in actions where sequence.allows(action) {
          guard shouldContinue(length, sequences) else { return .stopped(actions: length) }
          let longer = ModelSequence(actions: sequence.actions + [action])
          switch play(longer) {
          case .impossible: break
          case .same: if length < longest { next.append(longer) }
          case .differs(let text, let finding):
            return .differs(
              ModelDifference(actions: longer.sentences, text: text, finding: finding))
          }
        }
      }
      level = next
    }
    return .same(actions: longest)
  }

  private mutating func play(_ sequence: ModelSequence) -> ModelComparison.Outcome {
    sequences += 1
    return comparison.outcome(of: sequence)
  }
}

extension ModelAction {
  /// Returns whether a profile has the action.
  func isAvailable(for profile: Profile) -> Bool {
    if let work = group.work, work != profile.client.work { return false }
    switch part {
    case .question, .ofRequests("policy"), .ofRequests("threads"), .ofRequests("chargesWaiting"):
      return profile.client.hasDispatcher
    case .setting("cfstream"): return profile.transport.hasStreamEvents
    case .setting, .initial("monitor"):
      return profile.client.work == .calls
        && (profile.policy.monitorsReachability || !Self.needsMonitor.contains(part))
    case .entry where group == .monitor: return profile.policy.monitorsReachability
    case .entry where text.contains("\"dispatcher\""): return profile.client.hasDispatcher
    default: return true
    }
  }

  private static let needsMonitor: [Part] = [
    .setting("monitor"), .setting("order"), .initial("monitor"),
  ]
}
