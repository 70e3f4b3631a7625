import HandoverCore

/// A link at work: taken out of its chain together with one task.
public struct LinkRun: Sendable {
  /// The call.
  public let chain: ChainID
  /// The link.
  public let link: LinkID
  /// The queue that the work came from.
  public let queue: QueueID
  let work: Work
  let plan: ChainPlan
  /// The place of the link's factory among those of the call.
  let factory: Int
  /// Whether anything is behind the link.
  let hasNext: Bool
  var interceptor: any Interceptor
  var manager: InterceptorManager
  /// What the link waits for after the work.
  var deadline: Instant?
  /// The links that its requests need, in the order of the requests.
  var made: [MadeLinks] = []

  /// Lets the interceptor do the work, and the factories make the links that it needs then; nothing
  /// else of the chain is touched.
  public mutating func run() {
    deadline = interceptor.handle(work, &manager)
    made = plan.makeLinks(for: manager.outbox, of: factory, hasNext: hasNext)
  }
}

extension Work {
  /// Whether it goes towards the transport.
  var isRequest: Bool {
    switch self {
    case .request: true
    case .response, .answer, .timeElapsed: false
    }
  }

  /// Whether it tells that a deadline has passed.
  var isTimeElapsed: Bool {
    switch self {
    case .timeElapsed: true
    case .request, .response, .answer: false
    }
  }

  /// The word for it in scenarios, traces and reports.
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
  /// Does a piece of work.
  ///
  /// - Returns: what the interceptor waits for now; asked here, where it need not be copied.
  mutating func handle(_ work: borrowing Work, _ manager: inout InterceptorManager) -> Instant? {
    switch work {
    case .request(.start(let start)): self.start(start, &manager)
    case .request(.write(let message)): write(message, &manager)
    case .request(.finish): finish(&manager)
    case .request(.cancel):
      manager.hasHeardEnd = true
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

/// A link in the table of its chain.
struct Link: Hashable, Sendable {
  let id: LinkID
  let name: String
  /// The place of its factory among those of the call.
  let factory: Int
  /// The queue for requests, and the one for responses, answers and time.
  let requests: Int
  let responses: Int
  /// Nil while it works, and for ever once it has left.
  private var interceptor: AnyInterceptor?
  private(set) var manager: InterceptorManager
  private(set) var isWorking = false
  /// Whether it has left the chain.
  private(set) var isReleased = false
  private(set) var deadline: Instant?
  /// Whether its deadline has passed, and it was not yet told.
  private var isDue = false
  /// How many of its questions have no answer yet.
  var openQuestions = 0

  init(
    _ id: LinkID, _ made: MadeLinks.Made, previous: LinkID, requests: Int, responses: Int,
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

  /// Lends the interceptor out for one piece of work; nil where it has left.
  mutating func takeOut(for work: Work, at now: Instant) -> AnyInterceptor? {
    guard !isReleased else { return nil }
    if work.isTimeElapsed { isDue = false }
    isWorking = true
    manager.now = now
    var lent: AnyInterceptor?
    swap(&lent, &interceptor)
    return lent
  }

  /// What came of a piece of work.
  enum Outcome {
    /// Nothing was done: the link has left before.
    case dropped
    /// The link decided one thing, and stays.
    case decided(InterceptorManager.Outgoing)
    /// What the link decided lies in its outbox; it may have left.
    case several
  }

  /// Lets the interceptor do one piece of work where it is.
  ///
  /// - Parameters:
  ///   - work: what it is told.
  ///   - now: the instant.
  ///   - hasDeadlines: becomes true where it waits for a time then.
  /// - Returns: what came of it.
  @inline(__always)
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

  /// Takes what it decided first and nobody has carried out yet.
  @inline(__always)
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

  /// Its deadline has passed: it has none until it was told.
  mutating func deadlinePassed() {
    deadline = nil
    isDue = true
  }

  /// What the link owes where nothing is under way: a close, or to leave.
  var obligation: ChainFinding? {
    guard !isReleased, deadline == nil, !isDue, openQuestions == 0 else { return nil }
    if manager.hasClosed { return ChainFinding(link: name, .notShutDown) }
    return manager.owesClose ? ChainFinding(link: name, .closeNotForwarded) : nil
  }
}
