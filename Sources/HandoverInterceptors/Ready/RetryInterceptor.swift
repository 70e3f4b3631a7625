public import HandoverCore

/// Makes a call again that ended UNAVAILABLE before anything of its answer came.
///
///     initialized → start                                → running
///     running     → a close to retry, nothing delivered, a call that may be repeated → waiting
///     waiting     → the backoff is over                  → running, all requests sent again
///     running     → a message                            → committed: everything goes through
///     running     → more was asked than the limits allow → committed
///     running     → any other close                      → closed
///     waiting     → cancel                               → closed: CANCELLED
///
/// An attempt begins only after the one before it closed, so two never live at once, and nothing is
/// sent for a call whose end went on. Headers are withheld until the first message or the final
/// close. A retry that could not begin within the call's timeout is not waited for: the call closes
/// as its last attempt did.
///
/// Limits: a call that keeps sending beyond the buffer's limits is committed to its attempt.
/// Messages are sent again as they are, and the server may see them twice. Therefore only
/// idempotent calls are repeated, unless the policy allows it for all calls.
public struct RetryInterceptor: Interceptor {
  /// When calls are made again.
  public struct Policy: Hashable, Sendable {
    /// The codes that are worth another attempt.
    public var codes: [StatusCode]
    /// The calls that are repeated.
    ///
    /// Default ``RepeatableCalls/idempotent``: the interceptor cannot know whether the server has
    /// processed a request whose connection was lost (RFC 9110, section 9.2.2).
    public var calls: RepeatableCalls
    /// How many attempts there may be, the first included.
    public var attempts: Int
    /// How long to wait between the end of one attempt and the start of the next.
    public var backoff: BackoffConfiguration
    /// How much of a call is kept to make it again.
    public var limits: BufferLimits

    /// Makes a policy; without arguments, an idempotent call that ends UNAVAILABLE has three
    /// attempts.
    public init(
      codes: [StatusCode] = [.unavailable], calls: RepeatableCalls = .idempotent,
      attempts: Int = 3, backoff: BackoffConfiguration = BackoffConfiguration(),
      limits: BufferLimits = BufferLimits()
    ) {
      self.codes = codes
      self.calls = calls
      self.attempts = attempts
      self.backoff = backoff
      self.limits = limits
    }
  }

  /// Makes the links that retry.
  public struct Factory: InterceptorFactory {
    /// The name of the links.
    public var name: String
    /// When calls are made again.
    public var policy: Policy
    /// Seeds the jitter of each call, so that calls which failed together come back apart.
    private let generator: SharedState<SeededGenerator>

    /// Makes a factory; one seed gives one sequence of jitters.
    public init(name: String = "retry", policy: Policy = Policy(), seed: UInt64 = 0) {
      self.name = name
      self.policy = policy
      generator = SharedState(SeededGenerator(seed: seed))
    }

    /// Makes the link of a call.
    public func makeInterceptor(for call: CallStart) -> (any Interceptor)? {
      RetryInterceptor(policy, seed: generator.withValue { $0.next() })
    }
  }

  private enum Phase: Hashable {
    case initialized
    case running
    /// Until the next attempt; the close of the last one, should there be none.
    case waiting(until: Instant, last: CallClose)
  }

  private let policy: Policy
  private var backoff: Backoff
  private var replay: Replay
  private var phase = Phase.initialized
  private var attempts = 1
  /// Whether the policy allows that the call is repeated.
  private var isRepeatable = false
  /// When the call's own timeout is over.
  private var timeoutAt = Instant.never

  init(_ policy: Policy, seed: UInt64) {
    self.policy = policy
    backoff = Backoff(policy.backoff, generator: SeededGenerator(seed: seed))
    replay = Replay(policy.limits)
  }

  // MARK: Requests

  /// Starts the first attempt.
  public mutating func start(_ start: CallStart, _ manager: inout InterceptorManager) {
    replay.handle(.start(start), &manager)
    guard phase == .initialized else { return }
    phase = .running
    isRepeatable = policy.calls.includes(start.request.safety)
    if let timeout = start.options.timeout { timeoutAt = manager.now + timeout }
    replay.begin(&manager)
  }

  /// Goes on, and is kept for another attempt.
  public mutating func write(_ message: Message, _ manager: inout InterceptorManager) {
    replay.handle(.write(message), &manager)
  }

  /// Goes on, and is kept for another attempt.
  public mutating func finish(_ manager: inout InterceptorManager) {
    replay.handle(.finish, &manager)
  }

  /// Goes on, and is kept for another attempt.
  public mutating func receiveNextMessages(_ count: Int, _ manager: inout InterceptorManager) {
    replay.handle(.receiveNextMessages(count), &manager)
  }

  /// Ends the call at once, also between two attempts.
  public mutating func cancel(_ manager: inout InterceptorManager) {
    replay.cancel(&manager)
  }

  // MARK: Responses

  /// Withheld until the attempt cannot be made again.
  public mutating func didReceiveInitialMetadata(
    _ metadata: Metadata?, _ manager: inout InterceptorManager
  ) {
    replay.handle(headers: metadata, &manager)
  }

  /// Goes on; from now on the call is not made again.
  public mutating func didReceiveData(_ message: Message, _ manager: inout InterceptorManager) {
    replay.handle(message, &manager)
  }

  /// Goes on, once for each write.
  public mutating func didWriteData(_ manager: inout InterceptorManager) {
    replay.handleWriteDone(&manager)
  }

  /// Waits for another attempt where there may be one; else the call is over.
  public mutating func didClose(_ close: CallClose, _ manager: inout InterceptorManager) {
    guard isRepeatable, policy.codes.contains(close.status.code), attempts < policy.attempts,
      !replay.isCommitted
    else { return replay.close(close, &manager) }
    let next = manager.now + backoff.delay(policy.backoff)
    guard next < timeoutAt else { return replay.close(close, &manager) }
    backoff.attemptFailed(policy.backoff)
    replay.attemptEnded()
    phase = .waiting(until: next, last: close)
  }

  // MARK: Time

  /// The start of the next attempt.
  public var nextDeadline: Instant? {
    guard case .waiting(let until, _) = phase else { return nil }
    return until
  }

  /// Starts the next attempt, with what is left of the call's timeout.
  public mutating func timeElapsed(_ manager: inout InterceptorManager) {
    guard case .waiting(let until, let last) = phase, until <= manager.now else { return }
    guard manager.now < timeoutAt else { return replay.close(last, &manager) }
    phase = .running
    attempts += 1
    let left = timeoutAt.since(manager.now)
    replay.beginAnew(&manager) { if $0.timeout != nil { $0.timeout = left } }
  }
}
