public import HandoverCore
public import HandoverTrace

extension BackendSession {
  /// What ``runUntilIdle(through:into:)`` was called before.
  @available(*, deprecated, renamed: "runUntilIdle(through:into:)")
  public func settle(
    through limit: Instant, into trace: inout Trace
  ) throws(BackendError) -> Instant {
    try runUntilIdle(through: limit, into: &trace)
  }
}

extension RemoteDeadlines {
  /// What ``nonPeriodic`` was called before.
  @available(*, deprecated, renamed: "nonPeriodic")
  public var pressing: Instant? {
    get { nonPeriodic }
    set { nonPeriodic = newValue }
  }

  /// Makes deadlines; none without any.
  @available(*, deprecated, renamed: "init(next:nonPeriodic:keepalive:)")
  public init(next: Instant? = nil, pressing: Instant?, keepalive: Instant? = nil) {
    self.init(next: next, nonPeriodic: pressing, keepalive: keepalive)
  }
}

extension TransportDeadlines {
  /// What ``nonPeriodic`` was called before.
  @available(*, deprecated, renamed: "nonPeriodic")
  public var pressing: Instant? {
    get { nonPeriodic }
    set { nonPeriodic = newValue }
  }

  /// Makes deadlines; none without any.
  @available(*, deprecated, renamed: "init(next:nonPeriodic:answersPings:)")
  public init(next: Instant? = nil, pressing: Instant?, answersPings: Bool = true) {
    self.init(next: next, nonPeriodic: pressing, answersPings: answersPings)
  }
}

extension RealTime.Options {
  /// What ``maxDuration`` was called before.
  @available(*, deprecated, renamed: "maxDuration")
  public var longest: Interval {
    get { maxDuration }
    set { maxDuration = newValue }
  }
}
