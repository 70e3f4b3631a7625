/// The reaction of a client to a ping whose answer was due while the client was suspended.
public enum OverduePing: String, Hashable, Sendable, CaseIterable {
  /// The client closes the connection as soon as it runs again.
  case close
  /// The client waits for the answer once more, for the whole timeout.
  case waitAgain = "wait-again"
}

/// When a client pings a connection, and when an unanswered ping closes it (B6, B7).
public struct KeepaliveConfiguration: Hashable, Sendable {
  /// The time without incoming data after which a ping is sent.
  public var time: Interval
  /// The timeout of a ping.
  ///
  /// The default is 20 s.
  public var timeout: Interval
  /// Whether connections without calls are pinged too.
  ///
  /// The default is `false`.
  public var withoutCalls: Bool
  /// The reaction to a ping whose answer was due while the client was suspended.
  ///
  /// The default is ``OverduePing/close``.
  public var overduePing: OverduePing

  /// Creates a configuration.
  public init(
    time: Interval, timeout: Interval = .seconds(20), withoutCalls: Bool = false,
    overduePing: OverduePing = .close
  ) {
    self.time = time
    self.timeout = timeout
    self.withoutCalls = withoutCalls
    self.overduePing = overduePing
  }
}
