public import HandoverCore

/// The behavior of a router that translates addresses or filters packets, in the terms of RFC 4787
/// (UDP) and RFC 5382 (TCP).
///
/// Hairpinning has no effect in a lab, because no other device is behind the router.
public struct NATBehavior: Hashable, Sendable {
  /// The parts of a remote endpoint on which a mapping or a filter depends.
  public enum Dependence: Hashable, Sendable {
    /// All remote endpoints are treated alike.
    case endpointIndependent
    /// Remote endpoints with different addresses are treated differently.
    case addressDependent
    /// Remote endpoints with different addresses or ports are treated differently.
    case addressAndPortDependent
  }

  /// The remote endpoints for which a UDP socket keeps its external port.
  public var mapping = Dependence.endpointIndependent
  /// The remote endpoints whose datagrams reach a UDP socket after it has sent to one of them.
  public var filtering = Dependence.addressAndPortDependent
  /// The time after which an idle TCP connection is forgotten, or `nil` if it never is.
  public var tcpTimeout: Interval?
  /// The time after which an idle UDP flow is forgotten, or `nil` if it never is.
  public var udpTimeout: Interval?

  /// Creates a stateful firewall, which forgets no flow.
  public init() {}

  private init(_ mapping: Dependence, _ filtering: Dependence, tcp: Interval, udp: Interval) {
    self.mapping = mapping
    self.filtering = filtering
    (tcpTimeout, udpTimeout) = (tcp, udp)
  }

  /// Creates one of the presets, or returns `nil` if no preset has the name.
  public init?(named name: String) {
    guard let preset = Self.presets.first(where: { $0.name == name }) else { return nil }
    self = preset.behavior
  }

  /// The presets with their names.
  ///
  /// Real routers differ widely. `home` uses the smallest timeouts that the RFCs allow, and the
  /// other presets use shorter ones, which are common.
  public static let presets: [(name: String, behavior: NATBehavior)] = [
    (
      "home",
      NATBehavior(
        .endpointIndependent, .addressAndPortDependent, tcp: .seconds(7_440), udp: .seconds(120))
    ),
    (
      "corporate",
      NATBehavior(
        .addressAndPortDependent, .addressAndPortDependent, tcp: .seconds(3_600), udp: .seconds(60))
    ),
    (
      "carrier-grade",
      NATBehavior(
        .endpointIndependent, .endpointIndependent, tcp: .seconds(300), udp: .seconds(30))
    ),
  ]
}
