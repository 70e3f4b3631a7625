/// A transport below a client: what a connection hears of a path that was left, in which words, and
/// what it can do.
///
/// A value that a ``Profile`` is made with. Nobody asks which one it is: whoever has to know
/// something of a transport finds it here under its name. A new transport is one more constant in
/// ``known``.
public struct TransportModel: Hashable, Sendable {
  /// What it carries.
  public enum Payload: Hashable, Sendable {
    /// Calls, each over a connection that the client opens.
    case calls
    /// Requests to a platform that opens connections by itself, few to each endpoint (U31).
    case requests
  }

  /// The name, for people.
  public let name: String
  /// What a connection hears of a path that was left.
  public let pathLoss: PathLossPolicy
  /// What it carries.
  public let payload: Payload
  /// Whether it can be told how long to wait for an acknowledgement (TCP_USER_TIMEOUT).
  public let hasUserTimeout: Bool
  /// Whether its connections are streams of the platform, which tell of every loss (D10) and have
  /// generations that word it otherwise (S7).
  public let hasStreamEvents: Bool
  /// How its connections go from network to network; nil where they cannot, as those of TCP.
  public let migration: MigrationPolicy?

  package init(
    name: String, pathLoss: PathLossPolicy, payload: Payload = .calls,
    hasUserTimeout: Bool = false, hasStreamEvents: Bool = false,
    migration: MigrationPolicy? = nil
  ) {
    self.name = name
    self.pathLoss = pathLoss
    self.payload = payload
    self.hasUserTimeout = hasUserTimeout
    self.hasStreamEvents = hasStreamEvents
    self.migration = migration
  }

  /// Plain TCP sockets, with both documented stalls (D8).
  public static let tcpSockets = TransportModel(
    name: "TCP sockets",
    pathLoss: PathLossPolicy(
      cellularToWiFi: .stalls, otherwise: .breaks, inBackground: .stalls, outlivesItsPath: true),
    hasUserTimeout: true)

  /// CFStream: an event always arrives when a connection is not viable any more (D10).
  public static let cfStream = TransportModel(
    name: "CFStream",
    pathLoss: PathLossPolicy(
      cellularToWiFi: .breaks, otherwise: .breaks, inBackground: .breaks, outlivesItsPath: false),
    hasStreamEvents: true)

  /// Plain TCP sockets on Linux, which tells them nothing of a network that went away.
  public static let linuxSockets = TransportModel(
    name: "TCP sockets on Linux",
    pathLoss: PathLossPolicy(
      cellularToWiFi: .stalls, otherwise: .stalls, inBackground: .stalls, outlivesItsPath: true),
    hasUserTimeout: true)

  /// The platform's URL loading: few connections to each endpoint, and the next one freezes.
  public static let urlLoading = TransportModel(
    name: "URL loading",
    pathLoss: PathLossPolicy(
      cellularToWiFi: .breaks, otherwise: .breaks, inBackground: .breaks, outlivesItsPath: false),
    payload: .requests)

  /// QUIC, whose socket moves to the network that new connections take.
  ///
  /// Nobody tells a connection of a path that was left: there is no reset and no end, and what is
  /// sent is lost.
  public static let quic = TransportModel(
    name: "QUIC", pathLoss: linuxSockets.pathLoss, migration: .follows)

  /// QUIC, whose socket keeps its address.
  public static let quicOnOneSocket = TransportModel(
    name: "QUIC on one socket", pathLoss: linuxSockets.pathLoss, migration: .stays)

  /// Every transport there is.
  public static let known: [TransportModel] = [
    .tcpSockets, .cfStream, .linuxSockets, .urlLoading, .quic, .quicOnOneSocket,
  ]
}

/// The former name of ``TransportModel``.
@available(*, deprecated, renamed: "TransportModel")
public typealias TransportKind = TransportModel

/// The former name of ``PathLossOutcome``.
@available(*, deprecated, renamed: "PathLossOutcome")
public typealias LeavingOutcome = PathLossOutcome
