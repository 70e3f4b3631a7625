public import HandoverMachines

/// What becomes of a long request that would exceed the long limit.
public enum LongLimitPolicy: Hashable, Sendable, BitwiseCopyable {
  /// The caller is refused at once, by an error of the call itself (U25).
  case `throw`
  /// The caller is refused like a request that failed (U26).
  case fail
  /// The request waits for a long slot (U27).
  case enqueue
  /// The request goes beyond the limit all the same, and freezes, as the article has it.
  ///
  /// What is kept for short requests stays theirs. It lives when a long slot is free; until then
  /// nothing of it is sent, and its time-out ends it as a platform does (-1001).
  case ignore
  /// The request is handed over as if there were no long limit, as later versions do.
  ///
  /// It takes a slot that was kept for short requests. Where none is left it freezes, and the
  /// platform ends it in its own time (-1001).
  case takeSpare
  /// The stream is made of short requests.
  ///
  /// The next one begins an interval after the answer to the one before.
  case poll(every: Interval = .seconds(1))
}

/// The settings of a dispatcher.
public struct DispatcherConfiguration: Hashable, Sendable {
  /// The limits of each endpoint.
  public var limits: ConnectionLimits
  /// What becomes of a long request at the long limit, where it does not say itself.
  public var policy: LongLimitPolicy
  /// Whether time-outs begin with the arrival of a request rather than with its start.
  ///
  /// Default no (U41). Those of synchronous requests always do: a thread that is blocked cannot
  /// cancel its request (U87).
  public var chargesWaiting: Bool
  /// Defects of the original to reproduce.
  public var defects: DispatcherDefects

  /// Makes settings.
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

/// What a request is, as its caller declares it; nothing is measured (U17).
public enum RequestKind: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// A short one that blocks its caller until it has ended (U14).
  case synchronous
  /// A round trip of a few seconds (U15).
  case short
  /// A stream, or whatever else takes minutes; counted against the long limit too (U16).
  case long
  /// One that the platform's limit does not concern, such as a WebSocket; it always starts.
  case exempt
}

/// What a request brings along when it arrives.
public struct RequestSettings: Hashable, Sendable, BitwiseCopyable {
  /// What it is.
  public var kind: RequestKind
  /// How long it may take: a long or exempt one to its first response, others to their end.
  ///
  /// Default 60 s; zero or less means as long as it takes (U40, U42, U43).
  public var timeout: Interval
  /// When it ends wherever it stands, in the queue too; ``Instant/never`` where it does not.
  public var deadline: Instant
  /// What becomes of it at the long limit; nil for the dispatcher's own policy.
  public var policy: LongLimitPolicy?

  /// Makes settings.
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
