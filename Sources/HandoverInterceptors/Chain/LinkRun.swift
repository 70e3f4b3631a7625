import HandoverCore

/// An interceptor at work, taken out of its chain together with one task.
public struct LinkRun: Sendable {
  /// The call.
  public let chain: ChainID
  /// The interceptor.
  public let link: LinkID
  /// The queue of the task.
  public let queue: QueueID
  let work: Work
  let plan: ChainPlan
  /// The index of the interceptor's factory among those of the call.
  let factory: Int
  /// Whether anything follows the interceptor.
  let hasNext: Bool
  var interceptor: any Interceptor
  var manager: InterceptorManager
  /// The deadline of the interceptor after the work.
  var deadline: Instant?
  /// The interceptors that its requests require, in the order of the requests.
  var made: [CreatedLinks] = []

  /// Runs the task and creates the interceptors that it requires, without access to the chain.
  public mutating func run() {
    deadline = interceptor.handle(work, &manager)
    made = plan.makeLinks(for: manager.outbox, of: factory, hasNext: hasNext)
  }
}

extension Work {
  /// Whether the work moves toward the transport.
  var isRequest: Bool {
    switch self {
    case .request: true
    case .response, .answer, .timeElapsed: false
    }
  }

  /// Whether the work is the expiry of a deadline.
  var isTimeElapsed: Bool {
    switch self {
    case .timeElapsed: true
    case .request, .response, .answer: false
    }
  }

  /// The keyword of the work in scenarios, traces and reports.
  var step: ChainStep {
    switch self {
    case .request(let request): request.step
    case .response(let response): response.step
    case .answer: .answer
    case .timeElapsed: .deadline
    }
  }
}

extension Interceptor {
  /// Handles one piece of work.
  ///
  /// - Returns: the next deadline of the interceptor; read here, where the interceptor is not
  ///   copied.
  mutating func handle(_ work: borrowing Work, _ manager: inout InterceptorManager) -> Instant? {
    switch work {
    case .request(.start(let start)): self.start(start, &manager)
    case .request(.write(let message)): write(message, &manager)
    case .request(.finish): finish(&manager)
    case .request(.cancel):
      manager.hasReceivedEnd = true
      cancel(&manager)
    case .request(.receiveNextMessages(let count)): receiveNextMessages(count, &manager)
    case .response(.initialMetadata(let metadata)): didReceiveInitialMetadata(metadata, &manager)
    case .response(.message(let message)): didReceiveData(message, &manager)
    case .response(.rawMessage(let bytes)): didReceiveRawMessage(bytes, &manager)
    case .response(.close(let close)):
      manager.nextClosed()
      didClose(close, &manager)
    case .response(.writeDone): didWriteData(&manager)
    case .answer(let answer, let question): didReceiveAnswer(answer, to: question, &manager)
    case .timeElapsed: timeElapsed(&manager)
    }
    return nextDeadline
  }
}

/// An interceptor in the table of its chain.
struct Link: Hashable, Sendable {
  let id: LinkID
  let name: String
  /// The index of its factory among those of the call.
  let factory: Int
  /// The queue for requests, and the queue for responses, answers and deadlines.
  let requests: Int
  let responses: Int
  /// The interceptor, or `nil` while it works and after it has left.
  private var interceptor: AnyInterceptor?
  private(set) var manager: InterceptorManager
  private(set) var isWorking = false
  /// Whether the interceptor has left the chain.
  private(set) var isReleased = false
  private(set) var deadline: Instant?
  /// Whether the deadline has expired and the interceptor was not notified yet.
  private var isDue = false
  /// The number of the interceptor's unanswered questions.
  var openQuestions = 0

  init(
    _ id: LinkID, _ made: CreatedLinks.Made, previous: LinkID, requests: Int, responses: Int,
    closesOnCancel: Bool
  ) {
    self.id = id
    name = made.name
    factory = made.factory
    self.requests = requests
    self.responses = responses
    interceptor = AnyInterceptor(made.interceptor)
    manager = InterceptorManager(name: made.name, closesOnCancel: closesOnCancel)
    manager.setPreviousInterceptor(previous)
    deadline = made.deadline
  }

  /// Takes the interceptor out for one piece of work, or returns `nil` if it has left.
  mutating func takeOut(for work: Work, at now: Instant) -> AnyInterceptor? {
    guard !isReleased else { return nil }
    if work.isTimeElapsed { isDue = false }
    isWorking = true
    manager.now = now
    var taken: AnyInterceptor?
    swap(&taken, &interceptor)
    return taken
  }

  /// The outcome of one piece of work.
  enum Outcome {
    /// The work was dropped because the interceptor had left.
    case dropped
    /// The interceptor made one decision and stays in the chain.
    case decided(InterceptorManager.Outgoing)
    /// The decisions are in the outbox; the interceptor may have left.
    case several
  }

  /// Runs one piece of work with the interceptor in place.
  ///
  /// - Parameters:
  ///   - work: the work.
  ///   - now: the current instant.
  ///   - hasDeadlines: set to `true` if the interceptor has a deadline afterward.
  /// - Returns: the outcome.
  mutating func work(
    _ work: borrowing Work, at now: Instant, _ hasDeadlines: inout Bool
  ) -> Outcome {
    guard !isReleased else { return .dropped }
    if work.isTimeElapsed { isDue = false }
    manager.now = now
    let waitsUntil = interceptor?.interceptor.handle(work, &manager) ?? nil
    guard !manager.isShutDown else {
      isReleased = true
      interceptor = nil
      deadline = nil
      return .several
    }
    deadline = isDue ? nil : waitsUntil
    if waitsUntil != nil { hasDeadlines = true }
    guard let decision = manager.outbox.popOnly() else { return .several }
    return .decided(decision)
  }

  /// Removes and returns the first decision that was not carried out yet.
  mutating func nextDecision() -> InterceptorManager.Outgoing? { manager.outbox.popFirst() }

  mutating func putBack(_ run: borrowing LinkRun) {
    isWorking = false
    manager = run.manager
    guard !manager.isShutDown else {
      isReleased = true
      deadline = nil
      return
    }
    deadline = isDue ? nil : run.deadline
    interceptor = AnyInterceptor(run.interceptor)
  }

  /// Records the expiry of the deadline; there is no other deadline until the interceptor is
  /// notified.
  mutating func deadlinePassed() {
    deadline = nil
    isDue = true
  }

  /// The unmet obligation of an idle interceptor: to close, or to leave the chain.
  var obligation: ChainFinding? {
    guard !isReleased, deadline == nil, !isDue, openQuestions == 0 else { return nil }
    if manager.hasClosed { return ChainFinding(link: name, .notShutDown) }
    return manager.owesClose ? ChainFinding(link: name, .closeNotForwarded) : nil
  }
}
