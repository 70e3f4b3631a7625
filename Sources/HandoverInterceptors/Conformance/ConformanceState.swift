import HandoverCore

/// An interceptor between the two sides that the test kit simulates.
struct ConformanceState: Hashable {
  private var interceptor: AnyInterceptor
  private var manager: InterceptorManager
  private let start: CallStart
  private var now = Instant.zero
  private var user = User()
  private var next = Next()
  private var questions: [String] = []

  /// The state of the simulated caller.
  private struct User: Hashable {
    var phase = RequestSendingPhase.initialized
    var wasCancelled = false
    var written = 0
    var asked = 0
    // The events that the caller received.
    var hasMetadata = false
    var delivered = 0
    /// The highest number of a delivered message.
    var lastDelivered = 0
    var confirmed = 0
    var end: StatusCode?
  }

  /// The state of the simulated next interceptor, in one attempt.
  private struct Next: Hashable {
    var phase = RequestSendingPhase.initialized
    var hasFlowControl = false
    var wasCancelled = false
    var wanted = 0
    var sent = 0
    /// The highest number of a sent message.
    var lastSent = 0
    // The events that the next interceptor sent.
    var hasMetadata = false
    var received = 0
    var confirmed = 0
    var end: StatusCode?

    /// Whether the next interceptor was started and has not closed.
    var isRunning: Bool { (phase == .started || phase == .halfClosed) && end == nil }
    /// Whether the close of the next interceptor is pending after a cancel.
    var isClosing: Bool { wasCancelled && end == nil }
    /// Whether the next interceptor may forward another message.
    var mayForwardMessage: Bool { !hasFlowControl || received < wanted }
  }

  init(_ interceptor: any Interceptor, name: String, start: CallStart) {
    self.interceptor = AnyInterceptor(interceptor)
    manager = InterceptorManager(name: name)
    manager.setPreviousInterceptor(.user)
    self.start = start
  }

  /// Returns the events that the neighbors and the environment may cause now.
  func allowedEvents(_ options: InterceptorConformance.Options) -> [ConformanceEvent] {
    guard !manager.isShutDown else { return [] }
    var events: [ConformanceEvent] = []
    if !manager.hasClosed, !user.wasCancelled {
      if user.phase == .initialized { events.append(.start) }
      if user.phase < .halfClosed, user.written < options.messages { events.append(.write) }
      if user.phase == .started { events.append(.finish) }
      if user.asked < options.messages { events.append(.receive) }
      events.append(.cancel)
    }
    var closes: [CallStatus] = []
    if next.isRunning {
      if !next.hasMetadata, next.received == 0 { events.append(.metadata) }
      if next.received < options.messages, next.mayForwardMessage { events.append(.message) }
      if next.confirmed < next.sent { events.append(.writeDone) }
      // A cancel may cross any close that was already in transit.
      closes = options.closes
    }
    let cancelled = CallClose.cancelled.status
    if next.isClosing, !closes.contains(cancelled) { closes.append(cancelled) }
    events += closes.map(ConformanceEvent.close)
    if !questions.isEmpty { events += [.answer, .noAnswer] }
    if interceptor.interceptor.nextDeadline != nil { events.append(.deadline) }
    return events
  }

  /// Applies an event.
  ///
  /// - Returns: the rule that the interceptor violated in response, or `nil` if there is no
  ///   violation.
  mutating func handle(
    _ event: ConformanceEvent, _ options: InterceptorConformance.Options
  ) -> InterceptorRule? {
    let work = work(of: event, options)
    if case .deadline = event { now = max(now, interceptor.interceptor.nextDeadline ?? now) }
    manager.now = now
    _ = interceptor.interceptor.handle(work, &manager)
    let outbox = manager.outbox
    manager.outbox.removeAll()
    for item in outbox {
      if let rule = check(at: item, options) { return rule }
    }
    return restingRule(options)
  }

  private mutating func work(
    of event: ConformanceEvent, _ options: InterceptorConformance.Options
  ) -> Work {
    switch event {
    case .start:
      user.phase = .started
      return .request(.start(start))
    case .write:
      user.written += 1
      return .request(.write(Message("request \(user.written)")))
    case .finish:
      user.phase = .halfClosed
      return .request(.finish)
    case .cancel:
      user.wasCancelled = true
      user.phase = .finished
      return .request(.cancel)
    case .receive:
      user.asked += 1
      return .request(.receiveNextMessages(1))
    case .metadata:
      next.hasMetadata = true
      return .response(.initialMetadata(["header": "1"]))
    case .message:
      next.received += 1
      return .response(.message(Message("answer \(next.received)")))
    case .close(let status):
      next.end = status.code
      return .response(.close(CallClose(status, trailers: status == .ok ? ["trailer": "1"] : nil)))
    case .writeDone:
      next.confirmed += 1
      return .response(.writeDone)
    case .answer:
      return .answer(options.answer, question: questions.removeFirst())
    case .noAnswer:
      return .answer(nil, question: questions.removeFirst())
    case .deadline:
      return .timeElapsed
    }
  }

  // MARK: Forwarded items

  private mutating func check(
    at item: InterceptorManager.Outgoing, _ options: InterceptorConformance.Options
  ) -> InterceptorRule? {
    switch item {
    case .request(let request): return check(at: request, options)
    case .response(let response): return check(at: response)
    case .renewNext: next = Next()
    case .ask(let question): questions.append(question)
    case .finding(let kind): return .manager(kind)
    case .shutDown: questions = []
    case .note: break
    }
    return nil
  }

  private mutating func check(
    at request: ChainRequest, _ options: InterceptorConformance.Options
  ) -> InterceptorRule? {
    switch request {
    case .start(let start):
      next.phase = .started
      next.hasFlowControl = start.options.flowControl
    case .write(let message):
      next.sent += 1
      return Self.isInOrder(message, of: "request", after: &next.lastSent) ? nil : .reordered
    case .finish:
      next.phase = .halfClosed
      // A message that was not sent before the finish can never be sent.
      let isHeld = user.phase == .halfClosed && next.sent < user.written
      if isHeld, !options.retainableSteps.contains(.write) { return .messageHeld }
    case .cancel:
      next.wasCancelled = true
    case .receiveNextMessages(let count):
      next.wanted = next.wanted.adding(wanted: count)
    }
    return nil
  }

  private mutating func check(at response: ChainResponse) -> InterceptorRule? {
    switch response {
    case .initialMetadata:
      user.hasMetadata = true
    case .message(let message):
      user.delivered += 1
      return Self.isInOrder(message, of: "answer", after: &user.lastDelivered) ? nil : .reordered
    case .writeDone:
      user.confirmed += 1
    case .close(let close):
      user.end = close.status.code
    case .rawMessage:
      break
    }
    return nil
  }

  /// Returns whether a message of the kit comes after the messages forwarded before it.
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

  // MARK: Obligations

  /// Returns the rule violated while the interceptor waits only for its neighbors, or `nil`.
  private func restingRule(_ options: InterceptorConformance.Options) -> InterceptorRule? {
    let isResting =
      questions.isEmpty && interceptor.interceptor.nextDeadline == nil && !next.isClosing
    guard isResting || manager.isShutDown else { return nil }
    // The close of an interceptor that this one cancelled need not end the call (I25).
    let isOver = user.wasCancelled || (next.end != nil && !next.wasCancelled)
    if isOver || manager.isShutDown, !manager.hasClosed { return .manager(.closeNotForwarded) }
    guard !manager.hasClosed else {
      return manager.isShutDown ? heldRule(options) : .manager(.notShutDown)
    }
    guard userWaits else { return nil }
    if next.isRunning, !next.mayForwardMessage { return .demandHeld }
    let shouldContinue = next.phase == .halfClosed && next.isRunning
    return user.phase == .halfClosed && !shouldContinue ? .callStuck : nil
  }

  /// Whether the caller waits for a message; with flow control it must have requested one.
  private var userWaits: Bool {
    !start.options.flowControl || user.asked > user.delivered
  }

  /// Returns the rule for an event that the caller should have received in a successful call, or
  /// `nil`.
  private func heldRule(_ options: InterceptorConformance.Options) -> InterceptorRule? {
    guard user.end == .ok, next.end == .ok, !next.wasCancelled else { return nil }
    let held: [(isHeld: Bool, ChainStep, InterceptorRule)] = [
      (next.hasMetadata && !user.hasMetadata, .metadata, .metadataHeld),
      (user.delivered < next.received, .message, .messageHeld),
      (user.confirmed < next.confirmed, .writeDone, .writeDoneHeld),
    ]
    return held.first { $0.isHeld && !options.retainableSteps.contains($0.1) }?.2
  }
}
