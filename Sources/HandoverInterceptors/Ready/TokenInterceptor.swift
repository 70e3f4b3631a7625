public import HandoverCore

/// An access token, and the time at which it expires.
public struct AccessToken: Hashable, Sendable {
  /// The token as it is sent.
  public var text: String
  /// The time at which the token expires, or `nil` if it is unknown.
  public var expires: Instant?

  /// Creates a token.
  public init(_ text: String, expires: Instant? = nil) {
    self.text = text
    self.expires = expires
  }

  /// Parses the answer to the question `token`, or returns `nil` if the answer is invalid.
  ///
  /// The answer is the token, optionally with a lifetime in whole seconds, such as
  /// `TOKEN;expires=30s`.
  public init?(answer: String, at now: Instant) {
    let parts = answer.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
    guard let text = parts.first, !text.isEmpty else { return nil }
    self.init(String(text))
    guard parts.count == 2 else { return }
    let prefix = "expires="
    guard parts[1].hasPrefix(prefix), parts[1].hasSuffix("s"),
      let seconds = Int64(parts[1].dropFirst(prefix.count).dropLast()), seconds >= 0
    else { return nil }
    expires = now + .seconds(seconds)
  }

  /// Returns whether the token has not expired.
  public func isValid(at now: Instant) -> Bool {
    expires.map { now < $0 } ?? true
  }
}

/// Adds an access token to every call, and renews a token that the server rejects.
///
/// The calls of a factory share the token. A call without a token asks the environment the question
/// `token`, and holds everything back until the answer arrives; see
/// ``AccessToken/init(answer:at:)`` for its format. Nothing after such an interceptor has started,
/// so no network change can fail the call (C6).
///
///     initialized → start, with a valid token → started
///     initialized → start                     → waiting
///     waiting     → a token                   → started
///     waiting     → no token                  → closed: UNAUTHENTICATED
///     started     → the first UNAUTHENTICATED → started, if another call has a newer token
///     started     → the first UNAUTHENTICATED → waiting, if the call may be repeated
///     started     → any other close           → closed
///     any state   → cancel                    → closed: CANCELLED
///
/// Limits: a call is repeated only if no part of its answer has been forwarded and its requests are
/// within the buffer limits. Calls that wait at the same time each ask separately. The waiting time
/// is not part of a call's timeout, which begins with the start of the next interceptor.
public struct TokenInterceptor: Interceptor {
  /// Creates token interceptors.
  public struct Factory: InterceptorFactory {
    /// The name of the interceptors.
    public var name: String
    /// The token that all calls share, or `nil` until one is available.
    public let token: SharedState<AccessToken?>
    /// The limits of the requests that are buffered to repeat a call.
    public var limits: BufferLimits

    /// Creates a factory with a new token or with a token that other factories share.
    public init(
      name: String = "token", token: SharedState<AccessToken?> = SharedState(nil),
      limits: BufferLimits = BufferLimits()
    ) {
      self.name = name
      self.token = token
      self.limits = limits
    }

    /// `true`, because all calls share the token.
    public var sharesState: Bool { true }

    /// Creates the interceptor of a call.
    public func makeInterceptor(for call: CallStart) -> (any Interceptor)? {
      TokenInterceptor(shared: token, replay: Replay(limits))
    }
  }

  /// The question that the interceptor asks the environment.
  public static let question = "token"

  private enum Phase: Hashable {
    case initialized
    /// Waiting for the first token, or for the next one after the server rejected the first.
    case waiting(refusal: CallClose?)
    case started(AccessToken)
  }

  private let shared: SharedState<AccessToken?>
  private var replay: Replay
  private var phase = Phase.initialized
  private var hasRestarted = false

  init(shared: SharedState<AccessToken?>, replay: Replay) {
    self.shared = shared
    self.replay = replay
  }

  // MARK: Requests

  /// Starts the call with the shared token, or asks for a token.
  public mutating func start(_ start: CallStart, _ manager: inout InterceptorManager) {
    replay.handle(.start(start), &manager)
    guard phase == .initialized else { return }
    proceed(with: goodToken(at: manager.now), refusal: nil, &manager)
  }

  /// Forwards the message as soon as there is a token.
  public mutating func write(_ message: Message, _ manager: inout InterceptorManager) {
    replay.handle(.write(message), &manager)
  }

  /// Forwards the end of the messages as soon as there is a token.
  public mutating func finish(_ manager: inout InterceptorManager) {
    replay.handle(.finish, &manager)
  }

  /// Forwards the request as soon as there is a token.
  public mutating func receiveNextMessages(_ count: Int, _ manager: inout InterceptorManager) {
    replay.handle(.receiveNextMessages(count), &manager)
  }

  /// Ends the call immediately, even while it waits.
  public mutating func cancel(_ manager: inout InterceptorManager) {
    replay.cancel(&manager)
  }

  // MARK: Responses

  /// Withholds the headers until the server has certainly accepted the token.
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

  /// Repeats the call with another token if the server rejected this one, or closes the call.
  public mutating func didClose(_ close: CallClose, _ manager: inout InterceptorManager) {
    guard case .started(let used) = phase, close.status.code == .unauthenticated, !hasRestarted,
      !replay.isCommitted
    else { return replay.close(close, &manager) }
    replay.attemptEnded()
    hasRestarted = true
    // Another call may have renewed the token; the renewed token is kept.
    shared.withValue { if $0 == used { $0 = nil } }
    proceed(with: goodToken(at: manager.now), refusal: close, &manager)
  }

  /// Starts the call with the received token, or closes the call if there is none.
  public mutating func didReceiveAnswer(
    _ answer: String?, to question: String, _ manager: inout InterceptorManager
  ) {
    guard case .waiting(let refusal) = phase, question == Self.question else { return }
    guard let answer, let token = AccessToken(answer: answer, at: manager.now) else {
      let close = refusal ?? CallClose(CallStatus(.unauthenticated, "there is no access token"))
      return replay.close(close, &manager)
    }
    shared.withValue { $0 = token }
    proceed(with: token, refusal: refusal, &manager)
  }

  // MARK: The token

  private func goodToken(at now: Instant) -> AccessToken? {
    guard let token = shared.withValue({ $0 }), token.isValid(at: now) else { return nil }
    return token
  }

  private mutating func proceed(
    with token: AccessToken?, refusal: CallClose?, _ manager: inout InterceptorManager
  ) {
    guard let token else {
      phase = .waiting(refusal: refusal)
      return manager.ask(Self.question)
    }
    phase = .started(token)
    if refusal == nil {
      replay.begin(&manager) { $0.accessToken = token.text }
    } else {
      replay.restart(&manager) { $0.accessToken = token.text }
    }
  }
}
