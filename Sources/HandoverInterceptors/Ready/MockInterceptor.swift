public import HandoverCore

/// Answers calls with matching paths in place of a server, as a test stub.
///
///     initialized → start, no path matches     → passing
///     initialized → start, a path matches      → waiting
///     waiting     → the delay is over          → answering → all was read → closed
///     waiting, answering → cancel              → closed: CANCELLED
///
/// Nothing after an interceptor that answers is created (I26). The first answer with a matching
/// path is used, whatever the caller sends; each write is reported as done immediately. The delay
/// begins with the start.
public struct MockInterceptor: Interceptor {
  /// The answer to calls with matching paths.
  public struct Answer: Hashable, Sendable {
    /// The pattern of the paths.
    public var path: Glob
    /// The response.
    public var response: CallResponse
    /// The time from the start of the call to the response.
    public var delay: Interval

    /// Creates an answer.
    ///
    /// - Parameters:
    ///   - path: one method, such as `/a.Greeter/Hello`; all methods of a service, such as
    ///     `/a.Greeter`; or a pattern, such as `/a.*/Get*`.
    ///   - response: the response.
    ///   - delay: the time from the start of the call to the response.
    public init(_ path: String, _ response: CallResponse, delay: Interval = .zero) {
      self.path = Glob(path)
      self.response = response
      self.delay = delay
    }
  }

  /// Creates mock interceptors.
  public struct Factory: InterceptorFactory {
    /// The name of the interceptors.
    public var name: String
    /// The answers; the first one that matches is used.
    public var answers: [Answer]

    /// Creates a factory.
    public init(name: String = "mock", answers: [Answer]) {
      self.name = name
      self.answers = answers
    }

    /// Creates the interceptor of a call.
    public func makeInterceptor(for call: CallStart) -> (any Interceptor)? {
      MockInterceptor(answers)
    }
  }

  private enum Phase: Hashable {
    case initialized
    case passing
    case waiting(until: Instant, OwnResponse)
    case answering(OwnResponse)
  }

  private let answers: [Answer]
  private var phase = Phase.initialized
  private var held = RequestBuffer()

  init(_ answers: [Answer]) {
    self.answers = answers
  }

  // MARK: Requests

  /// Answers the call now or after the delay, or forwards it.
  public mutating func start(_ start: CallStart, _ manager: inout InterceptorManager) {
    guard phase == .initialized else { return handle(.start(start), &manager) }
    guard let answer = answers.first(where: { $0.path.matches(start.request.path) }) else {
      phase = .passing
      held.append(.start(start))
      for request in held.requests { manager.forwardNextInterceptor(request) }
      held = RequestBuffer()
      return
    }
    for _ in held.messages { manager.forwardPreviousInterceptorDidWrite() }
    let response = OwnResponse(
      answer.response, hasFlowControl: start.options.flowControl, wanted: held.wantedMessages)
    phase = .waiting(until: manager.now + answer.delay, response)
    timeElapsed(&manager)
  }

  /// Reports the message as done, or forwards it.
  public mutating func write(_ message: Message, _ manager: inout InterceptorManager) {
    handle(.write(message), &manager)
  }

  /// Forwards the end of the messages unless the interceptor answers the call.
  public mutating func finish(_ manager: inout InterceptorManager) {
    handle(.finish, &manager)
  }

  /// Applies the request to the interceptor's own response, or forwards the request.
  public mutating func receiveNextMessages(_ count: Int, _ manager: inout InterceptorManager) {
    handle(.receiveNextMessages(count), &manager)
  }

  /// Ends the call immediately.
  public mutating func cancel(_ manager: inout InterceptorManager) {
    if phase == .passing { manager.cancelNextInterceptor() }
    manager.closeCancelled()
  }

  private mutating func handle(_ request: ChainRequest, _ manager: inout InterceptorManager) {
    switch phase {
    case .initialized:
      held.append(request)
    case .passing:
      manager.forwardNextInterceptor(request)
    case .waiting(let until, var response):
      applyScript(request, &response, &manager)
      phase = .waiting(until: until, response)
    case .answering(var response):
      applyScript(request, &response, &manager)
      response.deliver(&manager)
      phase = .answering(response)
    }
  }

  private func applyScript(
    _ request: ChainRequest, _ response: inout OwnResponse, _ manager: inout InterceptorManager
  ) {
    switch request {
    case .write: manager.forwardPreviousInterceptorDidWrite()
    case .receiveNextMessages(let count): response.allow(count)
    case .start, .finish, .cancel: break
    }
  }

  // MARK: Time

  /// The time of the response.
  public var nextDeadline: Instant? {
    guard case .waiting(let until, _) = phase else { return nil }
    return until
  }

  /// Delivers the response.
  public mutating func timeElapsed(_ manager: inout InterceptorManager) {
    guard case .waiting(let until, var response) = phase, until <= manager.now else { return }
    response.deliver(&manager)
    phase = .answering(response)
  }
}
