public import HandoverCore

/// Repeats a call that ended UNAVAILABLE before any part of its answer arrived.
///
///     initialized → start                             → running
///     running     → a retryable close, nothing delivered, the call may be repeated → waiting
///     waiting     → the backoff is over               → running, all requests sent again
///     running     → a message                         → committed: everything is forwarded
///     running     → the requests exceed the limits    → committed
///     running     → any other close                   → closed
///     waiting     → cancel                            → closed: CANCELLED
///
/// An attempt begins only after the previous one closed. Two attempts therefore never exist at the
/// same time, and nothing is sent for a call whose end was forwarded. Headers are withheld until
/// the first message or the final close. If a retry could not begin within the call's timeout, the
/// call closes immediately with the close of its last attempt.
///
/// Limits: a call that sends more than the buffer limits is committed to its attempt. Messages are
/// sent again unchanged, and the server may receive them twice. Therefore only idempotent calls are
/// repeated, unless the policy allows it for all calls.
public struct RetryInterceptor: Interceptor {
  /// The conditions for repeating a call.
  public struct Policy: Hashable, Sendable {
    /// The status codes after which a call is repeated.
    public var codes: [StatusCode]
    /// The calls that are repeated.
    ///
    /// The default is ``RepeatableCalls/idempotent``, because the interceptor cannot know whether
    /// the server has processed a request whose connection was lost (RFC 9110, section 9.2.2).
    public var calls: RepeatableCalls
    /// The maximum number of attempts, including the first.
    public var attempts: Int
    /// The backoff between the end of one attempt and the start of the next.
    public var backoff: BackoffConfiguration
    /// The limits of the requests that are buffered for another attempt.
    public var limits: BufferLimits

    /// Creates a policy; by default an idempotent call that ends UNAVAILABLE has up to three
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

  /// Creates retry interceptors.
  public struct Factory: InterceptorFactory {
    /// The name of the interceptors.
    public var name: String
    /// The conditions for repeating a call.
    public var policy: Policy
    /// The seeds for the jitter of each call, so that calls that failed together retry at different
    /// times.
    private let generator: SharedState<SeededGenerator>

    /// Creates a factory; equal seeds produce equal jitter.
    public init(name: String = "retry", policy: Policy = Policy(), seed: UInt64 = 0) {
      self.name = name
      self.policy = policy
      generator = SharedState(SeededGenerator(seed: seed))
    }

    /// Creates the interceptor of a call.
    public func makeInterceptor(for call: CallStart) -> (any Interceptor)? {
      RetryInterceptor(policy, seed: generator.withValue { $0.next() })
    }
  }

  private enum Phase: Hashable {
    case initialized
    case running
    /// The time of the next attempt, and the close of the last one, used if there is no next
    /// attempt.
    case waiting(until: Instant, last: CallClose)
  }

  private let policy: Policy
  private var backoff: Backoff
  private var replay: Replay
  private var phase = Phase.initialized
  private var attempts = 1
  /// Whether the policy allows the call to be repeated.
  private var isRepeatable = false
  /// The time at which the call's own timeout expires.
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

  /// Forwards the message, and buffers it for another attempt.
  public mutating func write(_ message: Message, _ manager: inout InterceptorManager) {
    replay.handle(.write(message), &manager)
  }

  /// Forwards the end of the messages, and buffers it for another attempt.
  public mutating func finish(_ manager: inout InterceptorManager) {
    replay.handle(.finish, &manager)
  }

  /// Forwards the request, and buffers it for another attempt.
  public mutating func receiveNextMessages(_ count: Int, _ manager: inout InterceptorManager) {
    replay.handle(.receiveNextMessages(count), &manager)
  }

  /// Ends the call immediately, even between two attempts.
  public mutating func cancel(_ manager: inout InterceptorManager) {
    replay.cancel(&manager)
  }

  // MARK: Responses

  /// Withholds the headers until the call can no longer be repeated.
  public mutating func didReceiveInitialMetadata(
    _ metadata: Metadata?, _ manager: inout InterceptorManager
  ) {
    replay.handle(headers: metadata, &manager)
  }

  /// Forwards the message; from now on the call is not repeated.
  public mutating func didReceiveData(_ message: Message, _ manager: inout InterceptorManager) {
    replay.handle(message, &manager)
  }

  /// Forwards the notification once for each write.
  public mutating func didWriteData(_ manager: inout InterceptorManager) {
    replay.handleWriteDone(&manager)
  }

  /// Waits for another attempt if one is allowed, or closes the call.
  public mutating func didClose(_ close: CallClose, _ manager: inout InterceptorManager) {
    guard isRepeatable, policy.codes.contains(close.status.code), attempts < policy.attempts,
      !replay.isCommitted
    else { return replay.close(close, &manager) }
    let next = manager.now + backoff.nextDelay(using: policy.backoff)
    guard next < timeoutAt else { return replay.close(close, &manager) }
    backoff.recordFailure(using: policy.backoff)
    replay.attemptEnded()
    phase = .waiting(until: next, last: close)
  }

  // MARK: Time

  /// The start of the next attempt.
  public var nextDeadline: Instant? {
    guard case .waiting(let until, _) = phase else { return nil }
    return until
  }

  /// Starts the next attempt with the remaining part of the call's timeout.
  public mutating func timeElapsed(_ manager: inout InterceptorManager) {
    guard case .waiting(let until, let last) = phase, until <= manager.now else { return }
    guard manager.now < timeoutAt else { return replay.close(last, &manager) }
    phase = .running
    attempts += 1
    let left = timeoutAt.since(manager.now)
    replay.restart(&manager) { if $0.timeout != nil { $0.timeout = left } }
  }
}
