/// A kind of client: the work that it takes from a scenario, and the backends that support it.
///
/// The kind is part of a ``Profile``. No code compares kinds: each property that code depends on
/// has a name here. A new kind is one more constant.
public struct ClientKind: Hashable, Sendable {
  /// The objects of a scenario that a client takes.
  public enum Work: String, Hashable, Sendable, CaseIterable {
    /// Calls, each over a connection that the client opens.
    case calls
    /// Requests, each over a connection of a pool.
    case requests
  }

  /// The state machine at the center of a client.
  ///
  /// Only the code that runs the client, and the choice of its invariants, depend on it.
  package enum Machine: Hashable, Sendable {
    case channels
    case urlLoading
    case connectionPool
  }

  /// The state machine at the center of the client.
  package let machine: Machine
  /// The objects of a scenario that the client takes.
  public let work: Work
  /// Whether requests pass through an endpoint dispatcher.
  public let hasDispatcher: Bool
  /// The timeout of a request that has none of its own.
  package let requestTimeout: Interval
  /// Why the backend protocol does not support the client, or `nil` if it does.
  package let protocolObstacle: String?
  /// Why the client cannot run on real sockets, or `nil` if it can.
  package let realTimeObstacle: String?

  private init(
    _ machine: Machine, _ work: Work, hasDispatcher: Bool = false,
    requestTimeout: Interval = .seconds(60), protocolObstacle: String? = nil,
    realTimeObstacle: String? = nil
  ) {
    self.machine = machine
    self.work = work
    self.hasDispatcher = hasDispatcher
    self.requestTimeout = requestTimeout
    self.protocolObstacle = protocolObstacle
    self.realTimeObstacle = realTimeObstacle
  }

  /// A client that opens a channel to each host and makes its calls over the channel.
  public static let channels = ClientKind(.channels, .calls)

  /// A client that passes its requests to the URL loading of iOS.
  public static let urlLoading = ClientKind(
    .urlLoading, .requests, protocolObstacle: noRequests, realTimeObstacle: noURLLoading)

  /// A client that passes its requests to a dispatcher, and the dispatcher to URL loading.
  public static let urlDispatcher = ClientKind(
    .urlLoading, .requests, hasDispatcher: true, protocolObstacle: noRequests,
    realTimeObstacle: noURLLoading)

  /// A client with an HTTP/1.1 connection pool, as OkHttp has it.
  public static let connectionPool = ClientKind(
    .connectionPool, .requests, requestTimeout: .seconds(10), protocolObstacle: noRequests,
    realTimeObstacle: "the connection pool is simulated in virtual time only")

  private static let noRequests = "the protocol supports calls, not requests"
  private static let noURLLoading = "no kernel limits connections as URL loading on iOS does"
}
