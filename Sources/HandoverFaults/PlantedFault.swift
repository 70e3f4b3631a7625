package import HandoverCore

/// A client, or the world that it believes in, with one thing wrong.
///
/// A harness that cannot see a fault proves nothing by passing. Each fault is against items of the
/// documents, and names the bundled scenarios that convict it: those where an expectation that
/// shows such an item does not hold any more.
package struct PlantedFault: Sendable {
  /// What is otherwise.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A switch in a machine.
    case machine
    /// Another rule or number of the contract.
    case contract
    /// A client that does not hear a fact or gives an order otherwise than it decided.
    case client
    /// A client or platform that takes what it is asked for otherwise than it was said.
    case request
    /// Another transport: what connections hear of a path that was left.
    case transport
    /// A backend that tells otherwise what happened.
    case report
  }

  /// Whether an exploration finds it.
  package enum Depth: Hashable, Sendable {
    /// After so many acts at the most, in an exploration of a profile.
    case acts(Int, Walk)
    /// None finds it, for a reason.
    case unseen(Reason)
  }

  /// An exploration that finds a fault.
  package struct Walk: Hashable, Sendable {
    /// What says what is right.
    package enum Judge: Hashable, Sendable {
      /// The rules of every run, in every state of a client.
      case rules(hosts: Int, calls: Int, isPlain: Bool)
      /// The model, in every sequence of acts of some kinds.
      case model([ModelGroup])
    }

    /// The name of the profile.
    package var profile: String
    package var judge: Judge

    /// An exploration of the states of a client.
    package init(_ profile: String, hosts: Int = 1, calls: Int = 1, isPlain: Bool = false) {
      self.profile = profile
      judge = .rules(hosts: hosts, calls: calls, isPlain: isPlain)
    }

    /// An exploration against the model.
    package init(_ profile: String, against groups: [ModelGroup]) {
      self.profile = profile
      judge = .model(groups)
    }

    /// Whether it looks at the states of a client, which takes no time.
    package var isOfStates: Bool {
      if case .rules = judge { true } else { false }
    }

    /// The command that explores, without what is to be found.
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

  /// Why no exploration sees a fault.
  package enum Reason: String, Hashable, Sendable, CaseIterable {
    /// The acts of an exploration do not have it.
    case noAct = "no act of an exploration comes to it"
    /// It takes more acts than anybody waits for.
    case tooFar = "only sequences come to it that are longer than those that are tried"
    /// What it changes no expectation can say.
    case notTold = "no expectation tells it apart in sequences so short"
    /// It is the check of the checks.
    case canary = "it is there to survive"
  }

  /// The name, by which `--defect` gives it to a client.
  package let name: String
  /// What is wrong, in one sentence.
  package let sentence: String
  /// The ids of the items that it is against.
  package let items: [String]
  package let kind: Kind
  /// The ids of the bundled scenarios that must convict it.
  package let scenarios: [String]
  /// What finds it in the states of a client; the rest is in the table of those that are found.
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

  /// Whether an exploration finds it.
  package var depth: Depth { declared ?? FoundFaults.depth(of: name) }

  /// Every fault, by the part that has it.
  package static let all: [PlantedFault] =
    ofCategories + ofCalls + ofConnections + ofBackoff + ofTransports + ofChains
    + ofRequests

  /// The fault with a name; nil where there is none.
  package static func named(_ name: String) -> PlantedFault? {
    all.first { $0.name == name } ?? [canary, trap].first { $0.name == name }
  }

  /// A fault that changes nothing, so that nothing convicts it: whoever runs it must say so.
  package static let canary = PlantedFault(
    "canary", "Nothing is wrong.", [], .client, FaultChange(), by: ["transitions/wifi-to-cellular"],
    .unseen(.canary))

  /// A fault that stops whoever runs it: the others must be played all the same.
  package static let trap = PlantedFault(
    "trap", "It stops at once, by a trap.", [], .request,
    FaultChange(script: { _ in fatalError("the planted trap") }),
    by: ["transitions/wifi-to-cellular"], .unseen(.canary))
}

extension PlantedFault {
  /// Whether the client itself has it, so that an exploration can give it to one.
  package var isOfClient: Bool { change.client != nil || change.policy != nil }

  /// Gives the fault to the client of an exploration or a run.
  package func alter(_ settings: inout PoolConfiguration) {
    change.policy?(&settings.policy)
    change.client?(&settings)
  }
}
