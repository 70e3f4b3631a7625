package import HandoverBackend
package import HandoverCore
package import HandoverEngine

/// What came of an exploration against the model.
package enum ModelVerdict: Sendable {
  /// A shortest sequence after which what is under test does otherwise than the model.
  case differs(ModelDifference)
  /// Sequences up to this length were tried, and tell nothing apart; that proves nothing of longer
  /// ones.
  case same(acts: Int)
  /// It was stopped while sequences of this length were tried.
  case stopped(acts: Int)
}

/// A sequence after which something differs from the model.
package struct ModelDifference: Hashable, Sendable {
  /// What happens, a line each.
  package var acts: [String]
  /// The scenario that the model passes, and what is under test does not.
  package var text: String
  /// What it fails of.
  package var finding: Finding
}

/// Plays every sequence of acts on the model and on what is under test, shortest first, until a
/// scenario can tell them apart.
///
/// The model is the built-in client in its simulated world: what is right is what it does. So
/// words, statuses, times and numbers count that no rule of every run names, and anything can be
/// under test that plays scenarios. Acts are entries of a timeline, 400 ms apart, and settings;
/// after the last one everything that is under way goes on until the end.
package struct ModelExplorer {
  /// The longest sequences that can be asked for.
  package static let maximumDepth = 12

  private let acts: [UInt8]
  private var comparison: ModelComparison
  /// How many sequences were played.
  package private(set) var sequences = 0

  /// Makes an exploration.
  ///
  /// - Parameters:
  ///   - profile: the contract.
  ///   - groups: what may happen.
  ///   - tested: what is under test.
  package init(_ profile: Profile, _ groups: [ModelGroup], against tested: any Backend) {
    comparison = ModelComparison(profile, tested)
    acts = Self.acts(groups, of: profile)
  }

  /// Whether a profile has acts of some kinds.
  package static func hasActs(_ groups: [ModelGroup], of profile: Profile) -> Bool {
    !acts(groups, of: profile).isEmpty
  }

  private static func acts(_ groups: [ModelGroup], of profile: Profile) -> [UInt8] {
    ModelAct.all.indices.filter { place in
      groups.contains(ModelAct.all[place].group) && ModelAct.all[place].isMeant(for: profile)
    }.map(UInt8.init)
  }

  /// Explores until something differs, or a limit is reached.
  ///
  /// - Parameters:
  ///   - depth: how many acts a sequence may have.
  ///   - goesOn: is asked now and then, with the length that is tried and how many were played.
  /// - Returns: the verdict.
  package mutating func run(
    depth: Int = maximumDepth, goesOn: (Int, Int) -> Bool = { _, _ in true }
  ) -> ModelVerdict {
    var level = [ModelSequence()]
    if case .differs(let text, let finding) = play(level[0]) {
      return .differs(ModelDifference(acts: [], text: text, finding: finding))
    }
    for length in 1...max(1, min(depth, Self.maximumDepth)) {
      var next: [ModelSequence] = []
      for sequence in level {
        for act in acts where sequence.allows(act) {
          let longer = ModelSequence(acts: sequence.acts + [act])
          switch play(longer) {
          case .impossible: continue
          case .same: next.append(longer)
          case .differs(let text, let finding):
            return .differs(
              ModelDifference(acts: longer.sentences, text: text, finding: finding))
          }
          if sequences & 63 == 0, !goesOn(length, sequences) { return .stopped(acts: length) }
        }
      }
      level = next
    }
    return .same(acts: depth)
  }

  private mutating func play(_ sequence: ModelSequence) -> ModelComparison.Outcome {
    sequences += 1
    return comparison.outcome(of: sequence)
  }
}

extension ModelAct {
  /// Whether a profile has it.
  func isMeant(for profile: Profile) -> Bool {
    if let isOfRequests = group.isOfRequests, isOfRequests != profile.makesRequests { return false }
    switch part {
    case .question, .ofRequests("policy"), .ofRequests("threads"), .ofRequests("chargesWaiting"):
      return profile.dispatchesRequests
    case .setting("cfstream"): return profile.transport.hasStreamEvents
    case .setting, .initial("monitor"):
      return !profile.makesRequests
        && (profile.policy.monitorsReachability || !Self.needsMonitor.contains(part))
    case .entry where group == .monitor: return profile.policy.monitorsReachability
    case .entry where text.contains("\"dispatcher\""): return profile.dispatchesRequests
    default: return true
    }
  }

  private static let needsMonitor: [Part] = [
    .setting("monitor"), .setting("order"), .initial("monitor"),
  ]
}
