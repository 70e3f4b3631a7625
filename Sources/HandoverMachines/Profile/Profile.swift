/// A named contract: which client over which transport, and which rules hold in every run of it.
///
/// A scenario is written once and replayed on each profile it names; its expectations may differ
/// from profile to profile.
public struct Profile: Hashable, Sendable {
  /// The name as scenarios write it.
  public let name: String
  /// One sentence on the contract.
  public let summary: String
  /// The client's rules.
  public let policy: ClientPolicy
  /// The transport below it.
  public let transport: TransportModel
  /// Whether requests go through an endpoint dispatcher.
  public let dispatchesRequests: Bool
  /// Whether it is a contract of the documents.
  ///
  /// One that is not is replayed wherever somebody asks
  /// for it, on scenarios too that do not name it.
  public let isDocumented: Bool
  /// The rules that hold in every run, whatever a scenario expects; in the order of their numbers.
  public let rules: [RuleIdentifier]
  /// What all copies of one profile share: nothing of it can be changed.
  private let mark = Mark()

  private final class Mark: Sendable {}

  /// Puts a contract together out of its parts.
  ///
  /// - Parameters:
  ///   - name: the name as scenarios write it.
  ///   - summary: one sentence on the contract.
  ///   - policy: the client's rules.
  ///   - transport: the transport below it.
  ///   - dispatchesRequests: whether requests go through an endpoint dispatcher.
  ///   - isDocumented: whether it is a contract of the documents.
  ///   - rules: the rules that hold in every run; nil takes all that the parts can keep or break.
  init(
    name: String, summary: String, policy: ClientPolicy, transport: TransportModel,
    dispatchesRequests: Bool = false, isDocumented: Bool = true,
    rules: [RuleIdentifier]? = nil
  ) {
    self.isDocumented = isDocumented
    self.rules = rules ?? Self.rules(of: policy, over: transport)
    self.name = name
    self.summary = summary
    self.policy = policy
    self.transport = transport
    self.dispatchesRequests = dispatchesRequests
  }

  /// The rules that hold wherever such a client stands over such a transport.
  private static func rules(
    of policy: ClientPolicy, over transport: TransportModel
  ) -> [RuleIdentifier] {
    switch transport.payload {
    case .requests:
      [.requestLimits, .aliveness]
    case .calls:
      RuleIdentifier.allCases.filter { rule in
        switch rule {
        case .categoryChange, .sameCategory: policy.monitorsReachability
        case .requestLimits: false
        case .callEndsOnce, .sharedChannel, .waiting, .sending, .aliveness, .chainOrder,
          .channelStates:
          true
        }
      }
    }
  }

  /// Whether its client makes requests, and no calls.
  package var makesRequests: Bool { transport.payload == .requests }

  /// The profile with a name; nil where there is none.
  public static func named(_ name: String) -> Profile? {
    known.first { $0.name == name }
  }

  /// Whether both are the same contract, with the same parts.
  public static func == (left: Profile, right: Profile) -> Bool {
    left.mark === right.mark || left.hasSameParts(as: right)
  }

  private func hasSameParts(as other: Profile) -> Bool {
    name == other.name && summary == other.summary && policy == other.policy
      && transport == other.transport && dispatchesRequests == other.dispatchesRequests
      && isDocumented == other.isDocumented && rules == other.rules
  }

  /// Mixes the name in; another contract has another one.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
  }
}
