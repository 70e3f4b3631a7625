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

extension RemoteClient {
  /// What ``send(_:at:into:)`` was called before; whoever wrote a client renames the method.
  @available(*, deprecated, renamed: "send(_:at:into:)")
  public func tell(
    _ event: ClientCore.Event, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) throws(BackendError) {
    try send(event, at: now, into: &effects)
  }
}

extension RemoteTransport {
  /// What ``send(_:at:into:)`` was called before; whoever wrote a transport renames the method.
  @available(*, deprecated, renamed: "send(_:at:into:)")
  public func tell(
    _ fact: TransportFact, at now: Instant, into reports: inout [TransportReport]
  ) throws(BackendError) {
    try send(fact, at: now, into: &reports)
  }
}
