public import HandoverCore

/// What the server of a host, or all servers, are expected to have seen; parts that are nil are not
/// looked at.
public struct ServerExpectation: Hashable, Sendable {
  /// How many requests and messages they have read together.
  public var received: Int?
  /// How many connections to them came to stand.
  public var accepted: Int?
  /// How many requests they have read more than once.
  public var twice: Int?
  /// The address whose connections count, a place among those of the host; nil for all.
  public var address: Int?
  /// The path that what counts came over; nil for all.
  public var path: PathIndex?
  /// When what counts begins; nil counts from the start.
  public var since: Instant?

  /// Makes an expectation.
  public init(
    received: Int? = nil, accepted: Int? = nil, twice: Int? = nil, address: Int? = nil,
    path: PathIndex? = nil, since: Instant? = nil
  ) {
    self.received = received
    self.accepted = accepted
    self.twice = twice
    self.address = address
    self.path = path
    self.since = since
  }
}

/// What the device's kernel has counted at most when a run is over; parts that are nil are not
/// looked at.
public struct KernelExpectation: Hashable, Sendable {
  /// How many segments of TCP it has sent again.
  public var retransmitted: Int?
  /// How many connections that stood were reset, by either side.
  public var resets: Int?
  /// How many sockets of connections it still has.
  public var sockets: Int?

  /// Makes an expectation.
  public init(retransmitted: Int? = nil, resets: Int? = nil, sockets: Int? = nil) {
    self.retransmitted = retransmitted
    self.resets = resets
    self.sockets = sockets
  }
}
