public import HandoverCore
public import HandoverTrace

extension BackendSession {
  /// The former name of ``runUntilIdle(through:into:)``.
  @available(*, deprecated, renamed: "runUntilIdle(through:into:)")
  public func settle(
    through limit: Instant, into trace: inout Trace
  ) throws(BackendError) -> Instant {
    try runUntilIdle(through: limit, into: &trace)
  }
}

extension RemoteDeadlines {
  /// The former name of ``nonPeriodic``.
  @available(*, deprecated, renamed: "nonPeriodic")
  public var pressing: Instant? {
    get { nonPeriodic }
    set { nonPeriodic = newValue }
  }

  /// Creates deadlines; by default there are none.
  @available(*, deprecated, renamed: "init(next:nonPeriodic:keepalive:)")
  public init(next: Instant? = nil, pressing: Instant?, keepalive: Instant? = nil) {
    self.init(next: next, nonPeriodic: pressing, keepalive: keepalive)
  }
}

extension TransportDeadlines {
  /// The former name of ``nonPeriodic``.
  @available(*, deprecated, renamed: "nonPeriodic")
  public var pressing: Instant? {
    get { nonPeriodic }
    set { nonPeriodic = newValue }
  }

  /// Creates deadlines; by default there are none.
  @available(*, deprecated, renamed: "init(next:nonPeriodic:answersPings:)")
  public init(next: Instant? = nil, pressing: Instant?, answersPings: Bool = true) {
    self.init(next: next, nonPeriodic: pressing, answersPings: answersPings)
  }
}

extension RealTime.Options {
  /// The former name of ``maxDuration``.
  @available(*, deprecated, renamed: "maxDuration")
  public var longest: Interval {
    get { maxDuration }
    set { maxDuration = newValue }
  }
}

extension RemoteClient {
  /// The former name of ``send(_:at:into:)``; implementations of this protocol rename the method.
  @available(*, deprecated, renamed: "send(_:at:into:)")
  public func tell(
    _ event: ClientCore.Event, at now: Instant, into effects: inout EffectLog<ClientEffect>
  ) throws(BackendError) {
    try send(event, at: now, into: &effects)
  }
}

extension RemoteTransport {
  /// The former name of ``send(_:at:into:)``; implementations of this protocol rename the method.
  @available(*, deprecated, renamed: "send(_:at:into:)")
  public func tell(
    _ fact: TransportFact, at now: Instant, into reports: inout [TransportReport]
  ) throws(BackendError) {
    try send(fact, at: now, into: &reports)
  }
}
