public import HandoverCore

/// An access token, and until when it is good.
public struct AccessToken: Hashable, Sendable {
  /// The token as it is sent.
  public var text: String
  /// When it is good no longer; nil where nobody said.
  public var expires: Instant?

  /// Makes a token.
  public init(_ text: String, expires: Instant? = nil) {
    self.text = text
    self.expires = expires
  }

  /// Reads what the world answers to `token`: the token alone, or with a lifetime in whole seconds,
  /// such as `TOKEN;expires=30s`; nil where it is neither.
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

  /// Whether the token may still be sent.
  public func isGood(at now: Instant) -> Bool {
    expires.map { now < $0 } ?? true
  }
}

/// Gives every call an access token, and renews one that the server refuses.
///
/// The calls of a factory share the token. A call that has none asks the world `token`, and holds
/// everything back until the answer; see ``AccessToken/init(answer:at:)`` for what it may be.
/// Nothing was started below such a call, so no transition can fail it (C6).
///
///     initialized → start, with a good token  → started
///     initialized → start                     → waiting
///     waiting     → a token                   → started
///     waiting     → no token                  → closed: UNAUTHENTICATED
///     started     → the first UNAUTHENTICATED → started, where another call has a newer token
///     started     → the first UNAUTHENTICATED → waiting, where the call may begin anew
///     started     → any other close           → closed
///     any state   → cancel                    → closed: CANCELLED
///
/// Limits: a call begins anew only while nothing of its answer went on and its requests are within
/// the buffer's limits. Calls that wait at the same time each ask for themselves. The time that a
/// call waits is not part of its timeout, which begins with the start of the next link.
public struct TokenInterceptor: Interceptor {
  /// Makes the links that hold the token.
  public struct Factory: InterceptorFactory {
    /// The name of the links.
    public var name: String
    /// The token that all calls share; nil until one was given.
    public let token: SharedState<AccessToken?>
    /// How much of a call is kept to begin it anew.
    public var limits: BufferLimits

    /// Makes a factory, with a token of its own or one that others share.
    public init(
      name: String = "token", token: SharedState<AccessToken?> = SharedState(nil),
      limits: BufferLimits = BufferLimits()
    ) {
      self.name = name
      self.token = token
      self.limits = limits
    }

    /// What one call learns, all know.
    public var sharesState: Bool { true }

    /// Makes the link of a call.
    public func makeInterceptor(for call: CallStart) -> (any Interceptor)? {
      TokenInterceptor(shared: token, replay: Replay(limits))
    }
  }

  /// What the world is asked.
  public static let question = "token"

  private enum Phase: Hashable {
    case initialized
    /// For the first token, or, after the server's refusal, for the next.
    case waiting(refusal: CallClose?)
    case started(AccessToken)
  }

  private let shared: SharedState<AccessToken?>
  private var replay: Replay
  private var phase = Phase.initialized
  private var hasBegunAnew = false

  init(shared: SharedState<AccessToken?>, replay: Replay) {
    self.shared = shared
    self.replay = replay
  }

  // MARK: Requests

  /// Starts with the shared token, or asks for one.
  public mutating func start(_ start: CallStart, _ manager: inout InterceptorManager) {
    replay.handle(.start(start), &manager)
    guard phase == .initialized else { return }
    proceed(with: goodToken(at: manager.now), refusal: nil, &manager)
  }

  /// Goes on once there is a token.
  public mutating func write(_ message: Message, _ manager: inout InterceptorManager) {
    replay.handle(.write(message), &manager)
  }

  /// Goes on once there is a token.
  public mutating func finish(_ manager: inout InterceptorManager) {
    replay.handle(.finish, &manager)
  }

  /// Goes on once there is a token.
  public mutating func receiveNextMessages(_ count: Int, _ manager: inout InterceptorManager) {
    replay.handle(.receiveNextMessages(count), &manager)
  }

  /// Ends the call at once, also while it waits.
  public mutating func cancel(_ manager: inout InterceptorManager) {
    replay.cancel(&manager)
  }

  // MARK: Responses

  /// Withheld until it is sure that the server took the token.
  public mutating func didReceiveInitialMetadata(
    _ metadata: Metadata?, _ manager: inout InterceptorManager
  ) {
    replay.handle(headers: metadata, &manager)
  }

  /// Goes on; from now on the call is not begun anew.
  public mutating func didReceiveData(_ message: Message, _ manager: inout InterceptorManager) {
    replay.handle(message, &manager)
  }

  /// Goes on, once for each write.
  public mutating func didWriteData(_ manager: inout InterceptorManager) {
    replay.handleWriteDone(&manager)
  }

  /// Begins anew with another token where the server refused this one; else the call is over.
  public mutating func didClose(_ close: CallClose, _ manager: inout InterceptorManager) {
    guard case .started(let used) = phase, close.status.code == .unauthenticated, !hasBegunAnew,
      !replay.isCommitted
    else { return replay.close(close, &manager) }
    replay.attemptEnded()
    hasBegunAnew = true
    // Another call may have renewed the token meanwhile; that one is not thrown away.
    shared.withValue { if $0 == used { $0 = nil } }
    proceed(with: goodToken(at: manager.now), refusal: close, &manager)
  }

  /// Starts with the token that was asked for; without one the call is over.
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
    guard let token = shared.withValue({ $0 }), token.isGood(at: now) else { return nil }
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
      replay.beginAnew(&manager) { $0.accessToken = token.text }
    }
  }
}
