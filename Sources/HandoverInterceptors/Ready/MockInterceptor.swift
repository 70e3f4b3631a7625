public import HandoverCore

/// Answers calls of some paths in the place of a server: a test stub.
///
///     initialized → start, no path fits        → passing
///     initialized → start, a path fits         → waiting
///     waiting     → the delay is over          → answering → all was read → closed
///     waiting, answering → cancel              → closed: CANCELLED
///
/// Nothing behind a link that answers is ever made (I26). The first answer whose path fits is
/// taken, whatever is sent to it; each write is told done at once. The delay begins with the start.
public struct MockInterceptor: Interceptor {
  /// What calls of some paths are answered.
  public struct Answer: Hashable, Sendable {
    /// The paths.
    public var path: Glob
    /// What is said.
    public var response: CallResponse
    /// How long after the start it is said.
    public var delay: Interval

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - path: one method, such as `/a.Greeter/Hello`; all of a service, `/a.Greeter`; or a
    ///     pattern, `/a.*/Get*`.
    ///   - response: what is said.
    ///   - delay: how long after the start.
    public init(_ path: String, _ response: CallResponse, delay: Interval = .zero) {
      self.path = Glob(path)
      self.response = response
      self.delay = delay
    }
  }

  /// Makes the links that answer.
  public struct Factory: InterceptorFactory {
    /// The name of the links.
    public var name: String
    /// The answers; the first that fits counts.
    public var answers: [Answer]

    /// Makes a factory.
    public init(name: String = "mock", answers: [Answer]) {
      self.name = name
      self.answers = answers
    }

    /// Makes the link of a call.
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

  /// Answers now or later, or goes on.
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

  /// Told done by the link itself, or goes on.
  public mutating func write(_ message: Message, _ manager: inout InterceptorManager) {
    handle(.write(message), &manager)
  }

  /// Goes on where the link does not answer.
  public mutating func finish(_ manager: inout InterceptorManager) {
    handle(.finish, &manager)
  }

  /// Heeded by the link's own answer, or goes on.
  public mutating func receiveNextMessages(_ count: Int, _ manager: inout InterceptorManager) {
    handle(.receiveNextMessages(count), &manager)
  }

  /// Ends the call at once.
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
      heed(request, &response, &manager)
      phase = .waiting(until: until, response)
    case .answering(var response):
      heed(request, &response, &manager)
      response.deliver(&manager)
      phase = .answering(response)
    }
  }

  private func heed(
    _ request: ChainRequest, _ response: inout OwnResponse, _ manager: inout InterceptorManager
  ) {
    switch request {
    case .write: manager.forwardPreviousInterceptorDidWrite()
    case .receiveNextMessages(let count): response.allow(count)
    case .start, .finish, .cancel: break
    }
  }

  // MARK: Time

  /// The moment of the answer.
  public var nextDeadline: Instant? {
    guard case .waiting(let until, _) = phase else { return nil }
    return until
  }

  /// Answers.
  public mutating func timeElapsed(_ manager: inout InterceptorManager) {
    guard case .waiting(let until, var response) = phase, until <= manager.now else { return }
    response.deliver(&manager)
    phase = .answering(response)
  }
}
