/// The handling of a long request that would exceed the long limit.
public enum LongLimitPolicy: Hashable, Sendable, BitwiseCopyable {
  /// The request call itself throws an error immediately (U25).
  case `throw`
  /// The request is refused and reported as a failed request (U26).
  case fail
  /// The request waits for a long slot (U27).
  case enqueue
  /// The request exceeds the limit and freezes, as the article on iOS URL connections describes.
  ///
  /// Slots that are reserved for short requests stay reserved. The request resumes when a long slot
  /// is free. Until then the dispatcher sends nothing, and the timeout ends the request with the
  /// error code of the OS (-1001).
  case ignore
  /// The request is passed to the OS as if there were no long limit, as later versions do.
  ///
  /// The request takes a slot that was reserved for short requests. If no slot is left, the request
  /// freezes, and the OS ends the request when its own timeout expires (-1001).
  case takeSpare
  /// The stream is replaced by a series of short requests.
  ///
  /// Each short request starts an interval after the answer to the previous one.
  case poll(every: Interval = .seconds(1))
}

/// The settings of a dispatcher.
public struct DispatcherConfiguration: Hashable, Sendable {
  /// The limits of each endpoint.
  public var limits: ConnectionLimits
  /// The policy for long requests at the long limit, unless a request specifies its own.
  public var policy: LongLimitPolicy
  /// Whether timeouts start when a request arrives instead of when it starts.
  ///
  /// The default is `false` (U41). Timeouts of synchronous requests always start on arrival,
  /// because a blocked thread cannot cancel its request (U87).
  public var chargesWaiting: Bool
  /// The defects of the original dispatcher to reproduce.
  public var defects: DispatcherDefects

  /// Creates the configuration of a dispatcher.
  public init(
    limits: ConnectionLimits, policy: LongLimitPolicy = .throw, chargesWaiting: Bool = false,
    defects: DispatcherDefects = []
  ) {
    self.limits = limits
    self.policy = policy
    self.chargesWaiting = chargesWaiting
    self.defects = defects
  }
}

/// The kind of a request, as its caller declares it; the dispatcher measures nothing (U17).
public enum RequestKind: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// A short request that blocks its caller until it has ended (U14).
  case synchronous
  /// A round trip of a few seconds (U15).
  case short
  /// A stream or another request that takes minutes; it also counts toward the long limit (U16).
  case long
  /// A request that the limits do not apply to, such as a WebSocket; it always starts.
  case exempt
}

/// The settings of an arriving request.
public struct RequestSettings: Hashable, Sendable, BitwiseCopyable {
  /// The kind of the request.
  public var kind: RequestKind
  /// The time until the first response for long and exempt requests, or until the end for others.
  ///
  /// The default is 60 s. Zero or a negative value means no timeout (U40, U42, U43).
  public var timeout: Interval
  /// The time at which the request ends in any phase, or ``Instant/never``.
  ///
  /// The deadline also applies while the request waits.
  public var deadline: Instant
  /// The policy at the long limit, or `nil` to use the policy of the dispatcher.
  public var policy: LongLimitPolicy?

  /// Creates the settings of a request.
  public init(
    _ kind: RequestKind, timeout: Interval = .seconds(60), deadline: Instant = .never,
    policy: LongLimitPolicy? = nil
  ) {
    self.kind = kind
    self.timeout = timeout
    self.deadline = deadline
    self.policy = policy
  }
}
