public import HandoverLinux
import HandoverCore

/// Which interfaces lead to a cellular network.
///
/// The user's own patterns come first, and the first that matches decides. Where none does, an
/// interface is cellular by its kind, its name or its link-layer type; everything else counts as
/// WiFi, a wire too, as in the documents.
public struct CellularRule: Hashable, Sendable {
  /// What an interface counts as.
  public enum Medium: Hashable, Sendable {
    /// A cellular network.
    case cellular
    /// WiFi, or anything else that is not cellular.
    case wifi
  }

  /// What interfaces of certain names count as.
  public struct Pattern: Hashable, Sendable {
    /// The names: one, or a pattern with `*` and `?`.
    public var names: String
    /// What they count as.
    public var medium: Medium

    /// Says what interfaces of certain names count as.
    public init(_ names: String, _ medium: Medium) {
      self.names = names
      self.medium = medium
    }
  }

  /// The user's own patterns.
  public var patterns: [Pattern]

  /// A rule with patterns of the user's own, or without any.
  public init(_ patterns: [Pattern] = []) {
    self.patterns = patterns
  }

  /// Whether an interface leads to a cellular network.
  public func isCellular(_ interface: NetworkInterface) -> Bool {
    if let own = patterns.first(where: { Glob($0.names).matches(interface.name) }) {
      return own.medium == .cellular
    }
    return interface.kind.map(Self.kinds.contains) ?? false
      || Self.hardwareTypes.contains(interface.hardwareType)
      || Self.names.contains { Glob($0).matches(interface.name) }
  }

  /// Kinds of virtual interfaces that drivers of modems make.
  private static let kinds = ["wwan", "rmnet"]
  /// Names that drivers and managers of modems give.
  private static let names = ["wwan*", "ppp*", "rmnet*", "ccmni*"]
  /// ARPHRD_PPP, and ARPHRD_RAWIP for modems that carry packets without a link layer.
  private static let hardwareTypes: [UInt32] = [512, 519]
}
