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

  /// Makes a configuration.
  public init(time: Interval, timeout: Interval = .seconds(20), withoutCalls: Bool = false) {
    self.time = time
    self.timeout = timeout
    self.withoutCalls = withoutCalls
  }
}
