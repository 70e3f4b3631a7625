package import HandoverCore

/// An injected bug: one change of a client or of its simulated world.
///
/// If a harness cannot detect a bug, a passing run proves nothing. Each bug violates requirements
/// of the specifications and names the bundled scenarios that detect it. In these scenarios, an
/// expectation that shows such a requirement fails.
package struct Mutant: Sendable {
  /// The kind of change.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A switch in a state machine.
    case machine
    /// Another rule or number of the profile.
    case contract
    /// A client that misses a fact, or produces another effect than it decided.
    case client
    /// A client or platform that receives a different script.
    case request
    /// Another transport, which reports the loss of a path differently.
    case transport
    /// A backend that reports the run incorrectly.
    case report
  }

  /// Whether an exploration detects the bug.
  package enum Depth: Hashable, Sendable {
    /// An exploration of a profile detects the bug after at most this number of actions.
    case actions(Int, Walk)
    /// No exploration detects the bug, for a reason.
    case unseen(Reason)
  }

  /// An exploration that detects a bug.
  package struct Walk: Hashable, Sendable {
    /// The definition of correct behavior.
    package enum Judge: Hashable, Sendable {
      /// The invariants, in every state of a client.
      case rules(hosts: Int, calls: Int, isPlain: Bool)
      /// The model, in every sequence of actions of some groups.
      case model([ModelGroup])
    }

    /// The name of the profile.
    package var profile: String
    package var judge: Judge

    /// Creates an exploration of the states of a client.
    package init(_ profile: String, hosts: Int = 1, calls: Int = 1, isPlain: Bool = false) {
      self.profile = profile
      judge = .rules(hosts: hosts, calls: calls, isPlain: isPlain)
    }

    /// Creates an exploration against the model.
    package init(_ profile: String, against groups: [ModelGroup]) {
      self.profile = profile
      judge = .model(groups)
    }

    /// Whether the exploration examines the states of a client, which is fast.
    package var exploresStates: Bool {
      if case .rules = judge { true } else { false }
    }

    /// The command that runs the exploration, without the option for the bug.
    package var command: String {
      switch judge {
      case .rules(let hosts, let calls, let isPlain):
        "explore \(profile) --hosts \(hosts) --calls \(calls)\(isPlain ? " --acts plain" : "")"
      case .model(let groups):
        "explore \(profile) --against model --acts "
          + groups.map(\.rawValue).joined(separator: ",")
      }
    }
  }

  /// The reason why no exploration detects a bug.
  package enum Reason: String, Hashable, Sendable, CaseIterable {
    /// The actions of an exploration cannot trigger the bug.
    case noAction = "no action of an exploration triggers it"
    /// The bug needs longer sequences of actions than are practical.
    case tooFar = "only longer sequences than those tried trigger it"
    /// No expectation can describe the difference.
    case notExpressible = "no expectation detects it in sequences of this length"
    /// The bug is the canary, which checks the harness itself.
    case canary = "it is meant to survive"
  }

  /// The name, which `--defect` accepts.
  package let name: String
  /// The description of the bug, in one sentence.
  package let sentence: String
  /// The IDs of the requirements that the bug violates.
  package let items: [String]
  package let kind: Kind
  /// The IDs of the bundled scenarios that must detect the bug.
  package let scenarios: [String]
  /// The exploration that detects the bug in the states of a client, or `nil` if the bug is listed
  /// in the table of ``KnownKills``.
  private let declared: Depth?
  let change: FaultChange

  init(
    _ name: String, _ sentence: String, _ items: [String], _ kind: Kind, _ change: FaultChange,
    by scenarios: [String], _ depth: Depth? = nil
  ) {
    self.name = name
    self.sentence = sentence
    self.items = items
    self.kind = kind
    self.scenarios = scenarios
    declared = depth
    self.change = change
  }

  /// Whether an exploration detects the bug.
  package var depth: Depth { declared ?? KnownKills.depth(of: name) }

  /// Every bug, by the affected part.
  package static let all: [Mutant] =
    ofCategories + ofCalls + ofConnections + ofBackoff + ofTransports + ofChains
    + ofRequests

  /// The names of all bugs, in the order of ``all``.
  package static let names = all.map(\.name)

  /// Returns the bug with a name, or `nil` if there is none.
  package static func named(_ name: String) -> Mutant? {
    all.first { $0.name == name } ?? [canary, trap].first { $0.name == name }
  }

  /// A bug that changes nothing.
  ///
  /// The self-test must report that no scenario detects it.
  package static let canary = Mutant(
    "canary", "It changes nothing.", [], .client, FaultChange(),
    by: ["transitions/wifi-to-cellular"],
    .unseen(.canary))

  /// A bug that crashes its run.
  ///
  /// The other bugs must still run.
  package static let trap = Mutant(
    "trap", "It crashes immediately.", [], .request,
    FaultChange(script: { _ in fatalError("injected crash") }),
    by: ["transitions/wifi-to-cellular"], .unseen(.canary))
}

extension Mutant {
  /// Whether the bug is in the client itself, so that an exploration can inject it.
  package var changesClient: Bool { change.client != nil || change.policy != nil }

  /// Injects the bug into the client of an exploration or a run.
  package func alter(_ settings: inout PoolConfiguration) {
    change.policy?(&settings.policy)
    change.client?(&settings)
  }
}
