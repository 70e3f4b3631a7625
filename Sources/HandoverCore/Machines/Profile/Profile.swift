/// A named client profile: a client over a transport, with the invariants that hold in every run.
///
/// A scenario is written once and replayed on each profile that it names. Its expectations may
/// differ between profiles.
public struct Profile: Hashable, Sendable {
  /// The immutable parts that all copies of a profile share.
  @usableFromInline let parts: Parts

  @usableFromInline
  final class Parts: Sendable {
    @usableFromInline let name: String
    @usableFromInline let summary: String
    @usableFromInline let policy: ClientPolicy
    @usableFromInline let transport: TransportModel
    @usableFromInline let client: ClientKind
    @usableFromInline let isDocumented: Bool
    @usableFromInline let rules: [RuleIdentifier]

    init(
      name: String, summary: String, policy: ClientPolicy, transport: TransportModel,
      client: ClientKind, isDocumented: Bool, rules: [RuleIdentifier]
    ) {
      self.name = name
      self.summary = summary
      self.policy = policy
      self.transport = transport
      self.client = client
      self.isDocumented = isDocumented
      self.rules = rules
    }
  }

  /// The name in scenarios.
  @inlinable public var name: String { parts.name }
  /// A description of the profile in one sentence.
  @inlinable public var summary: String { parts.summary }
  /// The policy of the client.
  @inlinable public var policy: ClientPolicy { parts.policy }
  /// The transport of the client.
  @inlinable public var transport: TransportModel { parts.transport }
  /// The kind of the client.
  @inlinable public var client: ClientKind { parts.client }
  /// Whether the profile is from the specifications.
  ///
  /// Any other profile is used on request only, but then also with scenarios that do not name it.
  @inlinable public var isDocumented: Bool { parts.isDocumented }
  /// The invariants of every run, independent of the expectations of a scenario; in numeric order.
  @inlinable public var rules: [RuleIdentifier] { parts.rules }

  /// Creates a profile from its parts.
  ///
  /// - Parameters:
  ///   - name: The name in scenarios.
  ///   - summary: A description of the profile in one sentence.
  ///   - policy: The policy of the client.
  ///   - transport: The transport of the client.
  ///   - client: The kind of the client.
  ///   - isDocumented: Whether the profile is from the specifications.
  ///   - rules: The invariants of every run, or `nil` for all that apply to the parts.
  package init(
    name: String, summary: String, policy: ClientPolicy, transport: TransportModel,
    client: ClientKind = .channels, isDocumented: Bool = true,
    rules: [RuleIdentifier]? = nil
  ) {
    parts = Parts(
      name: name, summary: summary, policy: policy, transport: transport,
      client: client, isDocumented: isDocumented,
      rules: rules ?? Self.rules(of: client, policy))
  }

  /// Returns the invariants that apply to a client and its policy.
  private static func rules(of client: ClientKind, _ policy: ClientPolicy) -> [RuleIdentifier] {
    switch client.machine {
    case .urlLoading: [.requestLimits, .aliveness]
    case .connectionPool: [.aliveness, .connectionPool]
    case .channels:
      RuleIdentifier.allCases.filter { rule in
        switch rule {
        case .categoryChange, .sameCategory: policy.monitorsReachability
        case .requestLimits, .connectionPool: false
        case .callEndsOnce, .sharedChannel, .waiting, .sending, .aliveness, .chainOrder,
          .channelStates:
          true
        }
      }
    }
  }

  /// Returns the profile with a name, or `nil` if there is none.
  public static func named(_ name: String) -> Profile? {
    known.first { $0.name == name }
  }

  /// Whether two profiles have the same parts.
  public static func == (left: Profile, right: Profile) -> Bool {
    left.parts === right.parts || left.hasSameParts(as: right)
  }

  private func hasSameParts(as other: Profile) -> Bool {
    name == other.name && summary == other.summary && policy == other.policy
      && transport == other.transport && client == other.client
      && isDocumented == other.isDocumented && rules == other.rules
  }

  /// Hashes the name, because different profiles have different names.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
  }
}
