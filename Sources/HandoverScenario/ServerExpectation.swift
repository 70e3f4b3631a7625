public import HandoverCore

/// The expected observations of a host's server, or of all servers.
///
/// Values that are `nil` are not checked.
public struct ServerExpectation: Hashable, Sendable {
  /// The total number of requests and messages that the servers read.
  public var received: Int?
  /// The number of established connections to the servers.
  public var accepted: Int?
  /// The number of requests that the servers read more than once.
  public var twice: Int?
  /// The address whose connections count, as an index into the host's addresses, or `nil` for all.
  public var address: Int?
  /// The path whose connections count, or `nil` for all paths.
  public var path: PathIndex?
  /// The time at which counting begins, or `nil` for the start of the run.
  public var since: Instant?

  /// Creates an expectation.
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

/// The maximum values of kernel counters on the device at the end of a run.
///
/// Values that are `nil` are not checked.
public struct KernelExpectation: Hashable, Sendable {
  /// The number of retransmitted TCP segments.
  public var retransmitted: Int?
  /// The number of established connections that either side reset.
  public var resets: Int?
  /// The number of connection sockets that still exist.
  public var sockets: Int?

  /// Creates an expectation.
  public init(retransmitted: Int? = nil, resets: Int? = nil, sockets: Int? = nil) {
    self.retransmitted = retransmitted
    self.resets = resets
    self.sockets = sockets
  }
}
