/// What a client does with a ping whose answer was due while the client did not run.
public enum OverduePing: String, Hashable, Sendable, CaseIterable {
  /// It closes the connection as soon as it runs again.
  case close
  /// It waits for the answer once more, for the whole timeout.
  case waitAgain = "wait-again"
}

/// When a connection is pinged, and when an unanswered ping closes it (B6, B7).
public struct KeepaliveConfiguration: Hashable, Sendable {
  /// How long after the last thing read a ping is sent.
  public var time: Interval
  /// How long a ping may go unanswered.
  ///
  /// Default 20 s.
  public var timeout: Interval
  /// Whether a connection without calls is pinged too.
  ///
  /// Default no.
  public var withoutCalls: Bool
  /// What happens when the answer to a ping was due while the client did not run.
  ///
  /// Default ``OverduePing/close``.
  public var overduePing: OverduePing

  /// Makes a configuration.
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
