/// A model of a transport: what it reports about lost networks, and its capabilities.
///
/// The model is part of a ``Profile``. No code compares transports: each property that code depends
/// on has a name here. A new transport is one more constant in ``known``.
public struct TransportModel: Hashable, Sendable {
  /// The name, for people.
  public let name: String
  /// The behavior of a connection when the device leaves its network.
  public let pathLoss: PathLossPolicy
  /// Whether the time to wait for an acknowledgment can be set (TCP_USER_TIMEOUT).
  public let hasUserTimeout: Bool
  /// Whether its connections are iOS streams.
  ///
  /// Such streams report every loss (D10), and differ between versions in the wording of the error
  /// (S7).
  public let hasStreamEvents: Bool
  /// How its connections migrate between networks, or `nil` if they cannot, like those of TCP.
  public let migration: MigrationPolicy?

  package init(
    name: String, pathLoss: PathLossPolicy, hasUserTimeout: Bool = false,
    hasStreamEvents: Bool = false, migration: MigrationPolicy? = nil
  ) {
    self.name = name
    self.pathLoss = pathLoss
    self.hasUserTimeout = hasUserTimeout
    self.hasStreamEvents = hasStreamEvents
    self.migration = migration
  }

  /// Plain TCP sockets, with both documented stalls (D8).
  public static let tcpSockets = TransportModel(
    name: "TCP sockets",
    pathLoss: PathLossPolicy(
      cellularToWiFi: .stalls, otherChanges: .breaks, inBackground: .stalls, outlivesItsPath: true),
    hasUserTimeout: true)

  /// CFStream: an event always arrives when a connection is no longer viable (D10).
  public static let cfStream = TransportModel(
    name: "CFStream",
    pathLoss: PathLossPolicy(
      cellularToWiFi: .breaks, otherChanges: .breaks, inBackground: .breaks,
      outlivesItsPath: false),
    hasStreamEvents: true)

  /// Plain TCP sockets on Linux, which does not notify sockets when a network is lost.
  public static let linuxSockets = TransportModel(
    name: "TCP sockets on Linux",
    pathLoss: PathLossPolicy(
      cellularToWiFi: .stalls, otherChanges: .stalls, inBackground: .stalls, outlivesItsPath: true),
    hasUserTimeout: true)

  /// The URL loading of iOS: few connections per endpoint, and the next one freezes.
  public static let urlLoading = TransportModel(
    name: "URL loading",
    pathLoss: PathLossPolicy(
      cellularToWiFi: .breaks, otherChanges: .breaks, inBackground: .breaks, outlivesItsPath: false)
  )

  /// QUIC with a socket that moves to the network that new connections use.
  ///
  /// A connection is not notified when the device leaves its network: there is no reset and no end,
  /// and sent data is lost.
  public static let quic = TransportModel(
    name: "QUIC", pathLoss: linuxSockets.pathLoss, migration: .follows)

  /// QUIC with a socket that keeps its address.
  public static let quicOnOneSocket = TransportModel(
    name: "QUIC on one socket", pathLoss: linuxSockets.pathLoss, migration: .stays)

  /// Every transport.
  public static let known: [TransportModel] = [
    .tcpSockets, .cfStream, .linuxSockets, .urlLoading, .quic, .quicOnOneSocket,
  ]
}
