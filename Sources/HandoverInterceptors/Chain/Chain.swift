import HandoverCore

/// The interceptors of one call.
struct Chain: Hashable, Sendable {
  let id: ChainID
  let plan: ChainPlan
  let userQueue: Int
  var links: [Link] = []
  /// The number of the transport attempt, or `nil` if the transport end does not exist.
  var attempt: UInt32?
  /// The transport end of the chain, or `nil` if it does not exist or is working.
  var transport: TransportLink?
  var transportQueue: Int?
  /// The manager that checks the caller's operations, as if the caller were an interceptor before
  /// the first (I17).
  private var user = InterceptorManager(name: "the user")
  /// The state of the creation of the first interceptors, which each operation of the caller checks
  /// (L27).
  var making = Making.due
  /// Whether the finding that nothing can start the call was reported; it is reported once.
  var isKnownToFail = false
  /// The last serial number given to an interceptor or an attempt of the call.
  var serial: UInt32 = 0
  var hasDeadlines = false
  var userReceivedEnd = false
  var isGone = false

  /// The state of the creation of the first interceptors.
  enum Making: Hashable, Sendable {
    /// The next operation creates them.
    case due
    /// Factories are in use outside of the table; operations wait.
    case underWay
    case done
  }

  init(_ id: ChainID, _ plan: ChainPlan, userQueue: Int) {
    self.id = id
    self.plan = plan
    self.userQueue = userQueue
  }

  /// Returns the position of an interceptor that is still part of the chain.
  func position(of link: LinkID) -> Int? {
    let position = Int(link.position)
    guard position >= 0, position < links.count, links[position].id == link else { return nil }
    return position
  }

  /// Returns whether anything follows an interceptor or the caller.
  func hasNext(after link: LinkID) -> Bool {
    Int(link.position) + 1 < links.count || attempt != nil
  }

  mutating func nextSerial() -> UInt32 {
    serial += 1
    return serial
  }
}

// MARK: Creating interceptors

extension Chain {
  /// Adds the first interceptors to the chain, and forwards the operations that waited for them.
  mutating func begin(
    with made: CreatedLinks, _ queues: inout ChainQueues, into effects: inout [ChainEffect]
  ) {
    append(made, after: .user, &queues, into: &effects)
    making = .done
    forwardRequests(&queues, into: &effects)
  }

  /// Adds interceptors to the chain after an interceptor or the caller.
  mutating func append(
    _ made: CreatedLinks, after link: LinkID, _ queues: inout ChainQueues,
    into effects: inout [ChainEffect]
  ) {
    for name in made.skipped { effects.append(.linkSkipped(id, name: name)) }
    if made.reachesTransport { makeTransport(&queues, into: &effects) }
    var before = link
    for link in made.links {
      before = append(link, after: before, &queues, into: &effects)
    }
  }

  private mutating func append(
    _ made: CreatedLinks.Made, after before: LinkID, _ queues: inout ChainQueues,
    into effects: inout [ChainEffect]
  ) -> LinkID {
    let link = LinkID(position: Int(before.position) + 1, serial: nextSerial())
    let (requests, responses) = queues.make(made.queues)
    links.append(
      Link(
        link, made, previous: before, requests: requests, responses: responses,
        closesOnCancel: plan.cancel == .close))
    if made.deadline != nil { hasDeadlines = true }
    effects.append(.linkMade(id, link, name: made.name))
    return link
  }

  private mutating func makeTransport(
    _ queues: inout ChainQueues, into effects: inout [ChainEffect]
  ) {
    let found = plan.found
    guard found.factory.makesTransports else { return }
    let attempt = nextSerial()
    self.attempt = attempt
    transport = TransportLink(
      attempt: attempt,
      transport: plan.start.options.transport ?? found.factory.identifier,
      reportsEveryWrite: plan.reportsEveryWrite)
    transportQueue = transportQueue ?? queues.make(.transport(id))
    effects.append(
      .transportMade(
        id, attempt: attempt, found.factory.identifier,
        isSubstitute: found.isSubstitute))
  }
}

// MARK: Forwarding

extension Chain {
  /// Carries out one decision of an interceptor.
  mutating func carryOut(
    _ decision: consuming InterceptorManager.Outgoing, from link: LinkID,
    _ supply: inout LinkProvider, _ queues: inout ChainQueues, into effects: inout [ChainEffect]
  ) {
    switch consume decision {
    case .request(let request):
      if !hasNext(after: link) { append(from: &supply, after: link, &queues, into: &effects) }
      forward(request, after: link, &queues, into: &effects)
    case .response(let response):
      forwardBack(response, from: Int(link.position), &queues, into: &effects)
    case .shutDown:
      break
    case .renewNext:
      discard(after: link, &queues, into: &effects)
      supply.renew()
      if plan.creation == .eager { append(from: &supply, after: link, &queues, into: &effects) }
    case .ask(let question):
      links[Int(link.position)].openQuestions += 1
      effects.append(.asked(id, link, question))
    case .note(let note):
      effects.append(.noted(id, link: links[Int(link.position)].name, note))
    case .finding(let kind):
      let name = links[Int(link.position)].name
      effects.append(.finding(id, ChainFinding(link: name, kind)))
    }
  }

  private mutating func append(
    from supply: inout LinkProvider, after link: LinkID, _ queues: inout ChainQueues,
    into effects: inout [ChainEffect]
  ) {
    let factory = links[Int(link.position)].factory
    guard let next = supply.next(plan, behind: factory) else { return }
    append(next, after: link, &queues, into: &effects)
  }

  /// The receiver of a forwarded request or response, and the queue in which it waits.
  typealias Receiver = (link: LinkID, queue: Int)

  /// Returns the receiver of requests from a position: an interceptor or the transport end.
  ///
  /// The result is `nil` if neither exists.
  func receiver(behind position: Int) -> Receiver? {
    let next = position + 1
    if next < links.count { return (links[next].id, links[next].requests) }
    guard let attempt, let transportQueue else { return nil }
    return (LinkID(position: next, serial: attempt), transportQueue)
  }

  /// Returns the receiver of responses from a position; the caller comes before the first
  /// interceptor.
  func receiver(before position: Int) -> Receiver {
    position == 0 ? (.user, userQueue) : (links[position - 1].id, links[position - 1].responses)
  }

  /// Handles an operation of the caller.
  ///
  /// An illegal operation is dropped and reported as a violation by the caller (I17, I27).
  mutating func ask(
    _ request: ChainRequest, _ queues: inout ChainQueues, into effects: inout [ChainEffect]
  ) {
    user.forwardNextInterceptor(request)
    switch making {
    case .done: forwardRequests(&queues, into: &effects)
    case .underWay: break
    case .due: begin(with: plan.makeLinks(from: 0), &queues, into: &effects)
    }
  }

  private mutating func forwardRequests(
    _ queues: inout ChainQueues, into effects: inout [ChainEffect]
  ) {
    while let decision = user.outbox.popFirst() {
      switch decision {
      case .request(let request):
        forward(request, after: .user, &queues, into: &effects)
      case .finding(let kind):
        effects.append(.finding(id, ChainFinding(link: user.name, kind)))
      case .response, .shutDown, .renewNext, .ask, .note:
        preconditionFailure("the manager of the user can only forward requests")
      }
    }
  }

  /// Forwards a request to the interceptor after another one, or after the caller.
  mutating func forward(
    _ request: consuming ChainRequest, after link: LinkID, _ queues: inout ChainQueues,
    into effects: inout [ChainEffect]
  ) {
    guard let next = receiver(behind: Int(link.position)) else {
      return endWithoutTransport(after: link, &queues, into: &effects)
    }
    queues.append(
      ChainTask(chain: id, link: next.link, work: .request(consume request)), to: next.queue,
      into: &effects)
  }

  /// Ends a call that nothing can start (I11).
  ///
  /// In the original implementation the caller is never notified; here it is notified immediately.
  private mutating func endWithoutTransport(
    after link: LinkID, _ queues: inout ChainQueues, into effects: inout [ChainEffect]
  ) {
    guard !isKnownToFail else { return }
    isKnownToFail = true
    let name = link == .user ? "the call" : links[Int(link.position)].name
    effects.append(.finding(id, ChainFinding(link: name, .nothingToStart)))
    forwardBack(
      .close(CallClose(CallStatus(CallEnd(.internalError, .noTransport)))),
      from: Int(link.position) + 1, &queues, into: &effects)
  }

  /// Forwards a response to the interceptor before a position.
  func forwardBack(
    _ response: consuming ChainResponse, from position: Int, _ queues: inout ChainQueues,
    into effects: inout [ChainEffect]
  ) {
    let next = receiver(before: position)
    queues.append(
      ChainTask(chain: id, link: next.link, work: .response(consume response)), to: next.queue,
      into: &effects)
  }

  /// Discards the interceptors after another one, whose next request creates new ones.
  private mutating func discard(
    after link: LinkID, _ queues: inout ChainQueues, into effects: inout [ChainEffect]
  ) {
    let kept = Int(link.position) + 1
    for position in kept..<links.count {
      let gone = links[position]
      if !gone.isReleased { effects.append(.linkReleased(id, gone.id)) }
      queues.free(gone.requests, gone.responses)
    }
    links.removeLast(links.count - kept)
    // An interceptor may close before the transport does, and its cancel may be among the discarded
    // tasks.
    if let transport = transport, transport.isUnderWay {
      effects.append(
        .transport(id, attempt: transport.attempt, TransportOrder.cancel))
    }
    attempt = nil
    transport = nil
    isKnownToFail = false
  }
}

// MARK: Both ends

extension Chain {
  /// Passes an event to the caller, unless the caller has received the end.
  mutating func notifyUser(_ response: ChainResponse, into effects: inout [ChainEffect]) {
    guard !userReceivedEnd else { return }
    if case .close = response {
      userReceivedEnd = true
      user.nextClosed()
    }
    effects.append(.user(id, response))
  }

  /// Passes work to the transport end, which must exist.
  mutating func runTransport(
    _ work: TransportWork, _ reaction: inout TransportLink.Reaction, _ queues: inout ChainQueues,
    into effects: inout [ChainEffect]
  ) {
    let isDone: Void? = transport?.handle(work, into: &reaction)
    precondition(isDone != nil, TransportLink.alreadyInUse)
    carryOut(&reaction, &queues, into: &effects)
  }

  /// Carries out the decisions of the transport end, and empties the reaction.
  mutating func carryOut(
    _ reaction: inout TransportLink.Reaction, _ queues: inout ChainQueues,
    into effects: inout [ChainEffect]
  ) {
    guard let attempt else { return }
    if let finding = reaction.finding {
      effects.append(.finding(id, ChainFinding(link: links.last?.name ?? user.name, finding)))
      reaction.finding = nil
    }
    while let response = reaction.responses.popFirst() {
      forwardBack(response, from: links.count, &queues, into: &effects)
    }
    while let order = reaction.orders.popFirst() {
      effects.append(.transport(id, attempt: attempt, order))
    }
  }
}
