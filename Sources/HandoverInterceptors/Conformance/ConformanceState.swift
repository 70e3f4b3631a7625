import HandoverCore

/// Something that an interceptor's neighbours or the world do to it.
enum ConformanceEvent: Hashable, Sendable {
  case start
  case write
  case finish
  case cancel
  case receive
  case metadata
  case message
  case closeOK
  case closeUnavailable
  case writeDone
  case answer
  case noAnswer
  case deadline

  func text(_ options: InterceptorConformance.Options) -> String {
    switch self {
    case .start: "the user starts the call"
    case .write: "the user writes a message"
    case .finish: "the user finishes the requests"
    case .cancel: "the user cancels"
    case .receive: "the user asks for one more message"
    case .metadata: "the next link forwards initial metadata"
    case .message: "the next link forwards a message"
    case .closeOK: "the next link closes OK"
    case .closeUnavailable: "the next link closes UNAVAILABLE"
    case .writeDone: "the next link tells that a message was sent"
    case .answer: "the question is answered with \"\(options.answer)\""
    case .noAnswer: "the question finds no answer"
    case .deadline: "the deadline passes"
    }
  }
}

/// An interceptor between the two sides that the kit plays.
struct ConformanceState: Hashable {
  private var interceptor: AnyInterceptor
  private var manager: InterceptorManager
  private let start: CallStart
  private var now = Instant.zero
  // The user's side.
  private var user = RequestPhase.initialized
  private var written = 0
  private var wasCancelled = false
  /// Which of the messages received were forwarded to the user, by number, the last one.
  private var lastDelivered = 0
  private var delivered = 0
  private var endedOK = false
  // The next link's side, one attempt.
  private var next = RequestPhase.initialized
  private var nextWasCancelled = false
  private var nextClosed = false
  private var hasMetadata = false
  private var received = 0
  private var sent = 0
  private var lastSent = 0
  private var confirmed = 0
  private var questions: [String] = []

  init(_ interceptor: any Interceptor, name: String, start: CallStart) {
    self.interceptor = AnyInterceptor(interceptor)
    manager = InterceptorManager(name: name)
    manager.setPreviousInterceptor(.user)
    self.start = start
  }

  /// What the neighbours and the world may do now.
  func allowedEvents(_ options: InterceptorConformance.Options) -> [ConformanceEvent] {
    guard !manager.isShutDown else { return [] }
    var events: [ConformanceEvent] = []
    if !manager.hasClosed, !wasCancelled {
      if user == .initialized { events.append(.start) }
      if user < .halfClosed, written < options.messages { events.append(.write) }
      if user == .started { events.append(.finish) }
      events += [.cancel, .receive]
    }
    if (next == .started || next == .halfClosed) && !nextClosed {
      if !hasMetadata, received == 0 { events.append(.metadata) }
      if received < options.messages { events.append(.message) }
      if confirmed < sent { events.append(.writeDone) }
      events += [.closeOK, .closeUnavailable]
    }
    if !questions.isEmpty { events += [.answer, .noAnswer] }
    if interceptor.interceptor.nextDeadline != nil { events.append(.deadline) }
    return events
  }

  /// Lets an event happen.
  ///
  /// - Returns: the rule that the interceptor broke over it; nil where it did well.
  mutating func take(
    _ event: ConformanceEvent, _ options: InterceptorConformance.Options
  ) -> InterceptorRule? {
    let work = work(of: event, options)
    if case .deadline = event { now = max(now, interceptor.interceptor.nextDeadline ?? now) }
    manager.now = now
    _ = interceptor.interceptor.take(work, &manager)
    let outbox = manager.outbox
    manager.outbox.removeAll()
    for item in outbox {
      if let rule = look(at: item) { return rule }
    }
    return restingRule(options)
  }

  private mutating func work(
    of event: ConformanceEvent, _ options: InterceptorConformance.Options
  ) -> Work {
    switch event {
    case .start:
      user = .started
      return .request(.start(start))
    case .write:
      written += 1
      return .request(.write(Message("request \(written)")))
    case .finish:
      user = .halfClosed
      return .request(.finish)
    case .cancel:
      wasCancelled = true
      user = .finished
      return .request(.cancel)
    case .receive:
      return .request(.receiveNextMessages(1))
    case .metadata:
      hasMetadata = true
      return .response(.initialMetadata(["header": "1"]))
    case .message:
      received += 1
      return .response(.message(Message("answer \(received)")))
    case .closeOK:
      nextClosed = true
      return .response(.close(CallClose(.ok, trailers: ["trailer": "1"])))
    case .closeUnavailable:
      nextClosed = true
      return .response(.close(CallClose(.connectivityLost)))
    case .writeDone:
      confirmed += 1
      return .response(.writeDone)
    case .answer:
      return .answer(options.answer, question: questions.removeFirst())
    case .noAnswer:
      return .answer(nil, question: questions.removeFirst())
    case .deadline:
      return .timeElapsed
    }
  }

  // MARK: What it forwards

  private mutating func look(at item: InterceptorManager.Outgoing) -> InterceptorRule? {
    switch item {
    case .request(let request): return look(at: request)
    case .response(let response): return look(at: response)
    case .renewNext: beginAttempt()
    case .ask(let question): questions.append(question)
    case .finding(let kind): return .manager(kind)
    case .shutDown: questions = []
    case .note: break
    }
    return nil
  }

  private mutating func look(at request: ChainRequest) -> InterceptorRule? {
    switch request {
    case .start:
      next = .started
    case .write(let message):
      sent += 1
      return Self.isInOrder(message, of: "request", after: &lastSent) ? nil : .reordered
    case .finish:
      next = .halfClosed
      // What was not sent by now never will be.
      if user == .halfClosed, sent < written { return .messageHeld }
    case .cancel:
      nextWasCancelled = true
    case .receiveNextMessages:
      break
    }
    return nil
  }

  private mutating func look(at response: ChainResponse) -> InterceptorRule? {
    switch response {
    case .message(let message):
      delivered += 1
      return Self.isInOrder(message, of: "answer", after: &lastDelivered) ? nil : .reordered
    case .close(let close):
      endedOK = close.status.code == .ok
    case .initialMetadata, .rawMessage, .writeDone:
      break
    }
    return nil
  }

  /// Whether a message that the kit made comes after those forwarded before it.
  private static func isInOrder(
    _ message: Message, of kind: String, after last: inout Int
  ) -> Bool {
    guard let bytes = message.bytes else { return true }
    let words = bytes.split(separator: UInt8(ascii: " "))
    guard words.count == 2, words[0].elementsEqual(kind.utf8), words[1].count == 1 else {
      return true
    }
    let number = Int(words[1][words[1].startIndex]) - Int(UInt8(ascii: "0"))
    defer { last = max(last, number) }
    return number > last
  }

  private mutating func beginAttempt() {
    next = .initialized
    nextWasCancelled = false
    nextClosed = false
    hasMetadata = false
    received = 0
    sent = 0
    lastSent = 0
    confirmed = 0
  }

  // MARK: What it owes

  /// What must be true where the interceptor waits for nothing.
  private func restingRule(_ options: InterceptorConformance.Options) -> InterceptorRule? {
    guard questions.isEmpty, interceptor.interceptor.nextDeadline == nil || manager.isShutDown
    else { return nil }
    let isOver = wasCancelled || nextClosed
    if isOver || manager.isShutDown, !manager.hasClosed { return .manager(.closeNotForwarded) }
    if manager.hasClosed {
      guard manager.isShutDown else { return .manager(.notShutDown) }
      let isComplete = delivered >= received || options.mayDropMessages
      return endedOK && nextClosed && !isComplete ? .messageHeld : nil
    }
    guard user == .halfClosed else { return nil }
    if next == .initialized { return .callStuck }
    return next == .halfClosed ? nil : .callStuck
  }
}
