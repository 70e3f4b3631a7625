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

  /// Whether an exploration of the client finds it.
  package enum Depth: Hashable, Sendable {
    /// After so many acts at the most, in an exploration of a profile.
    case acts(Int, Walk)
    /// An exploration cannot see it, for a reason.
    case unseen(Reason)
  }

  /// An exploration that finds a fault.
  package struct Walk: Hashable, Sendable {
    /// The name of the profile.
    package var profile: String
    package var hosts: Int
    package var calls: Int

    package init(_ profile: String, hosts: Int = 1, calls: Int = 1) {
      self.profile = profile
      self.hosts = hosts
      self.calls = calls
    }
  }

  /// Why an exploration of the client does not see a fault.
  package enum Reason: String, Hashable, Sendable, CaseIterable {
    /// It is not the client that has the fault.
    case notOfTheClient = "it is beside the client, which is all that is explored"
    /// It is about texts or statuses, which no rule of every run names.
    case words = "no rule of every run says which words or statuses these are"
    /// It is about lengths of time that an exploration leaves out, or fixes.
    case times = "an exploration fixes the times and draws no jitter"
    /// The acts of an exploration do not have it.
    case noAct = "no act of an exploration comes to it"
    /// An exploration finds it, and the scenario of its counterexample does not tell it.
    case notTold = "an exploration finds it, but the scenario written of that does not show it"
    /// What is done is right in some order of events.
    case allowed = "the rules of every run allow it; only a scenario asks for more"
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
  package let depth: Depth
  let change: FaultChange

  init(
    _ name: String, _ sentence: String, _ items: [String], _ kind: Kind, _ change: FaultChange,
    by scenarios: [String], _ depth: Depth
  ) {
    self.name = name
    self.sentence = sentence
    self.items = items
    self.kind = kind
    self.scenarios = scenarios
    self.depth = depth
    self.change = change
  }

  /// Every fault, by the part that has it.
  package static let all: [PlantedFault] =
    ofCategories + ofCalls + ofConnections + ofBackoff + ofTransports + ofChains
    + ofRequests

  /// The fault with a name; nil where there is none.
  package static func named(_ name: String) -> PlantedFault? {
    all.first { $0.name == name } ?? (name == canary.name ? canary : nil)
  }

  /// A fault that changes nothing, so that nothing convicts it: whoever runs it must say so.
  package static let canary = PlantedFault(
    "canary", "Nothing is wrong.", [], .client, FaultChange(), by: ["transitions/wifi-to-cellular"],
    .unseen(.allowed))
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
