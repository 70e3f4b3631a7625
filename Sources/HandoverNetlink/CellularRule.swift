public import HandoverLinux
import HandoverCore

/// A rule that decides which interfaces are cellular.
///
/// The first of the user's patterns that matches an interface decides. If none matches, an
/// interface is cellular because of its kind, its name or its link-layer type. Every other
/// interface counts as WiFi, even a wired one, as in the specifications.
public struct CellularRule: Hashable, Sendable {
  /// The network type of an interface.
  public enum Medium: Hashable, Sendable {
    /// A cellular network.
    case cellular
    /// WiFi, or any other network that is not cellular.
    case wifi
  }

  /// An assignment of a network type to interface names.
  public struct Pattern: Hashable, Sendable {
    /// An interface name, or a pattern with `*` and `?`.
    public var names: String
    /// The network type of matching interfaces.
    public var medium: Medium

    /// Assigns a network type to the interfaces whose names match.
    public init(_ names: String, _ medium: Medium) {
      self.names = names
      self.medium = medium
    }
  }

  /// The user's patterns, in order of precedence.
  public var patterns: [Pattern]

  /// Creates a rule with the user's patterns, or with the defaults only.
  public init(_ patterns: [Pattern] = []) {
    self.patterns = patterns
  }

  /// Returns whether an interface is cellular.
  public func isCellular(_ interface: NetworkInterface) -> Bool {
    if let own = patterns.first(where: { Glob($0.names).matches(interface.name) }) {
      return own.medium == .cellular
    }
    return interface.kind.map(Self.kinds.contains) ?? false
      || Self.hardwareTypes.contains(interface.hardwareType)
      || Self.names.contains { Glob($0).matches(interface.name) }
  }

  /// The kinds of virtual interfaces that modem drivers create.
  private static let kinds = ["wwan", "rmnet"]
  /// The interface names that modem drivers and modem managers assign.
  private static let names = ["wwan*", "ppp*", "rmnet*", "ccmni*"]
  /// ARPHRD_PPP, and ARPHRD_RAWIP for modems that send packets without a link layer.
  private static let hardwareTypes: [UInt32] = [512, 519]
}
