/// A named contract: which client over which transport, and which rules hold in every run of it.
///
/// A scenario is written once and replayed on each profile it names; its expectations may differ
/// from profile to profile.
public struct Profile: Hashable, Sendable {
  /// What all copies of one profile share: nothing of it can be changed.
  @usableFromInline let parts: Parts

  @usableFromInline
  final class Parts: Sendable {
    @usableFromInline let name: String
    @usableFromInline let summary: String
    @usableFromInline let policy: ClientPolicy
    @usableFromInline let transport: TransportModel
    @usableFromInline let dispatchesRequests: Bool
    @usableFromInline let isDocumented: Bool
    @usableFromInline let rules: [RuleIdentifier]

    init(
      name: String, summary: String, policy: ClientPolicy, transport: TransportModel,
      dispatchesRequests: Bool, isDocumented: Bool, rules: [RuleIdentifier]
    ) {
      self.name = name
      self.summary = summary
      self.policy = policy
      self.transport = transport
      self.dispatchesRequests = dispatchesRequests
      self.isDocumented = isDocumented
      self.rules = rules
    }
  }

  /// The name as scenarios write it.
  @inlinable public var name: String { parts.name }
  /// One sentence on the contract.
  @inlinable public var summary: String { parts.summary }
  /// The client's rules.
  @inlinable public var policy: ClientPolicy { parts.policy }
  /// The transport below it.
  @inlinable public var transport: TransportModel { parts.transport }
  /// Whether requests go through an endpoint dispatcher.
  @inlinable public var dispatchesRequests: Bool { parts.dispatchesRequests }
  /// Whether it is a contract of the documents.
  ///
  /// One that is not is replayed wherever somebody asks
  /// for it, on scenarios too that do not name it.
  @inlinable public var isDocumented: Bool { parts.isDocumented }
  /// The rules that hold in every run, whatever a scenario expects; in the order of their numbers.
  @inlinable public var rules: [RuleIdentifier] { parts.rules }

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
  package init(
    name: String, summary: String, policy: ClientPolicy, transport: TransportModel,
    dispatchesRequests: Bool = false, isDocumented: Bool = true,
    rules: [RuleIdentifier]? = nil
  ) {
    parts = Parts(
      name: name, summary: summary, policy: policy, transport: transport,
      dispatchesRequests: dispatchesRequests, isDocumented: isDocumented,
      rules: rules ?? Self.rules(of: policy, over: transport))
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
    left.parts === right.parts || left.hasSameParts(as: right)
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
