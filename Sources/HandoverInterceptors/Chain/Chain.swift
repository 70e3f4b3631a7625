import HandoverCore

/// The links of one call.
struct Chain: Hashable, Sendable {
  let id: ChainID
  private let factories: [AnyFactory]
  /// What makes the transport's end; nil where nothing does.
  let found: TransportRegistry.Found?
  let start: CallStart
  let userQueue: Int
  var links: [Link] = []
  var transport: TransportLink?
  var transportQueue: Int?
  /// Whether it was told that nothing can make the call; once is enough.
  var isKnownToFail = false
  /// Numbers the links and the attempts of the call.
  var serial: UInt32 = 0
  var hasDeadlines = false
  var userHasHeardEnd = false
  var isGone = false

  init(
    _ id: ChainID, _ start: CallStart, _ factories: [any InterceptorFactory],
    _ found: TransportRegistry.Found?, userQueue: Int
  ) {
    self.id = id
    self.start = start
    self.factories = factories.map(AnyFactory.init)
    self.found = found
    self.userQueue = userQueue
  }

  func factory(_ place: Int) -> (any InterceptorFactory)? {
    place < factories.count ? factories[place].factory : nil
  }

  var factoryCount: Int { factories.count }

  /// The place of a link that is still part of the chain.
  func place(of link: LinkID) -> Int? {
    let place = Int(link.place)
    guard place >= 0, place < links.count, links[place].id == link else { return nil }
    return place
  }

  mutating func nextSerial() -> UInt32 {
    serial += 1
    return serial
  }
}

// MARK: Making links

extension CallChains {
  /// Makes the link behind another, from the next factory that makes one, or the transport's end.
  mutating func makeNext(in index: Int, after link: LinkID, into effects: inout [ChainEffect]) {
    var factory = link == .user ? 0 : chains[index].links[Int(link.place)].factory + 1
    while let maker = chains[index].factory(factory) {
      if let interceptor = maker.makeInterceptor(for: chains[index].start) {
        append(interceptor, maker, factory, in: index, after: link, into: &effects)
        return
      }
      effects.append(.linkSkipped(chains[index].id, name: maker.name))
      factory += 1
    }
    makeTransport(in: index, into: &effects)
  }

  /// Makes every link, from last to first.
  mutating func makeAll(in index: Int, into effects: inout [ChainEffect]) {
    makeTransport(in: index, into: &effects)
    var made: [(any Interceptor, any InterceptorFactory, Int)] = []
    for place in (0..<chains[index].factoryCount).reversed() {
      guard let maker = chains[index].factory(place) else { continue }
      if let interceptor = maker.makeInterceptor(for: chains[index].start) {
        made.append((interceptor, maker, place))
      } else {
        effects.append(.linkSkipped(chains[index].id, name: maker.name))
      }
    }
    var before = LinkID.user
    for (interceptor, maker, place) in made.reversed() {
      append(interceptor, maker, place, in: index, after: before, into: &effects)
      before = chains[index].links[chains[index].links.count - 1].id
    }
  }

  private mutating func append(
    _ interceptor: any Interceptor, _ maker: any InterceptorFactory, _ factory: Int,
    in index: Int, after before: LinkID, into effects: inout [ChainEffect]
  ) {
    let id = LinkID(place: Int(before.place) + 1, serial: chains[index].nextSerial())
    var manager = InterceptorManager(name: maker.name)
    manager.setPreviousInterceptor(before)
    let (requests, responses) = makeQueues(maker.queues)
    chains[index].links.append(
      Link(
        id, interceptor, manager, factory: factory, requests: requests, responses: responses))
    if interceptor.nextDeadline != nil { chains[index].hasDeadlines = true }
    effects.append(.linkMade(chains[index].id, id, name: maker.name))
  }

  private mutating func makeTransport(in index: Int, into effects: inout [ChainEffect]) {
    guard let found = chains[index].found, found.factory.makesTransports else { return }
    let attempt = chains[index].nextSerial()
    chains[index].transport = TransportLink(
      attempt: attempt,
      transport: chains[index].start.options.transport ?? found.factory.identifier,
      tellsEveryWrite: configuration.tellsEveryWrite)
    chains[index].transportQueue = chains[index].transportQueue ?? makeQueue()
    effects.append(
      .transportMade(
        chains[index].id, attempt: attempt, found.factory.identifier,
        isSubstitute: found.isSubstitute))
  }

  private mutating func makeQueues(_ kind: InterceptorQueues) -> (Int, Int) {
    switch kind {
    case .own:
      let queue = makeQueue()
      return (queue, queue)
    case .separate, .concurrent:
      return (makeQueue(), makeQueue())
    case .shared(let name):
      let queue = sharedQueue(name)
      return (queue, queue)
    }
  }
}

// MARK: Forwarding

extension CallChains {
  mutating func carryOut(
    _ item: InterceptorManager.Outgoing, in index: Int, from link: LinkID,
    into effects: inout [ChainEffect]
  ) {
    let id = chains[index].id
    switch item {
    case .request(let request):
      forward(request, in: index, after: link, into: &effects)
    case .response(let response):
      forwardBack(response, in: index, from: Int(link.place), into: &effects)
    case .shutDown:
      break
    case .renewNext:
      renew(in: index, after: link, into: &effects)
    case .ask(let question):
      chains[index].links[Int(link.place)].openQuestions += 1
      effects.append(.asked(id, link, question))
    case .note(let note):
      effects.append(.noted(id, link: chains[index].links[Int(link.place)].name, note))
    case .finding(let kind):
      let name = chains[index].links[Int(link.place)].name
      effects.append(.finding(id, ChainFinding(link: name, kind)))
    }
  }

  /// Gives a request to the link behind another; the user is before the first.
  mutating func forward(
    _ request: ChainRequest, in index: Int, after link: LinkID, into effects: inout [ChainEffect]
  ) {
    let next = Int(link.place) + 1
    if next >= chains[index].links.count, chains[index].transport == nil {
      makeNext(in: index, after: link, into: &effects)
    }
    let id = chains[index].id
    if next < chains[index].links.count {
      let behind = chains[index].links[next]
      enqueue(.request(request), for: behind.id, of: id, on: behind.requests, into: &effects)
    } else if let transport = chains[index].transport, let queue = chains[index].transportQueue {
      let end = LinkID(place: next, serial: transport.attempt)
      enqueue(.request(request), for: end, of: id, on: queue, into: &effects)
    } else {
      endWithoutTransport(in: index, after: link, into: &effects)
    }
  }

  /// Nothing can make the call (I11): the original's user never hears of it, ours at once.
  private mutating func endWithoutTransport(
    in index: Int, after link: LinkID, into effects: inout [ChainEffect]
  ) {
    guard !chains[index].isKnownToFail else { return }
    chains[index].isKnownToFail = true
    let name = link == .user ? "the call" : chains[index].links[Int(link.place)].name
    effects.append(.finding(chains[index].id, ChainFinding(link: name, .nothingToStart)))
    forwardBack(
      .close(CallClose(CallStatus(CallEnd(.internalError, .noTransport)))), in: index,
      from: Int(link.place) + 1, into: &effects)
  }

  /// Gives a response to the link before a place.
  private mutating func forwardBack(
    _ response: ChainResponse, in index: Int, from place: Int, into effects: inout [ChainEffect]
  ) {
    let id = chains[index].id
    guard place > 0 else {
      return enqueue(
        .response(response), for: .user, of: id, on: chains[index].userQueue, into: &effects)
    }
    let before = chains[index].links[place - 1]
    enqueue(.response(response), for: before.id, of: id, on: before.responses, into: &effects)
  }

  /// The links behind one are discarded; its next request makes them anew.
  private mutating func renew(
    in index: Int, after link: LinkID, into effects: inout [ChainEffect]
  ) {
    let kept = Int(link.place) + 1
    for place in kept..<chains[index].links.count {
      let gone = chains[index].links[place]
      if !gone.isReleased { effects.append(.linkReleased(chains[index].id, gone.id)) }
      free(gone.requests, gone.responses)
    }
    chains[index].links.removeLast(chains[index].links.count - kept)
    // A link may have closed before the transport, and its cancel may be among what was discarded.
    if let transport = chains[index].transport, transport.isUnderWay {
      effects.append(
        .transport(chains[index].id, attempt: transport.attempt, TransportOrder.cancel))
    }
    chains[index].transport = nil
    chains[index].isKnownToFail = false
    chains[index].links[kept - 1].beginAttempt()
    if configuration.creation == .eager { makeNextAll(in: index, into: &effects) }
  }

  private mutating func makeNextAll(in index: Int, into effects: inout [ChainEffect]) {
    while chains[index].transport == nil, let last = chains[index].links.last {
      let count = chains[index].links.count
      makeNext(in: index, after: last.id, into: &effects)
      if chains[index].links.count == count { return }
    }
  }
}

// MARK: Both ends

extension CallChains {
  /// Tells the user something; after the end nothing.
  mutating func tellUser(_ work: Work, in index: Int, into effects: inout [ChainEffect]) {
    guard case .response(let response) = work, !chains[index].userHasHeardEnd else { return }
    if case .close = response { chains[index].userHasHeardEnd = true }
    effects.append(.user(chains[index].id, response))
  }

  /// Gives a request to the transport's end, unless its attempt was given up.
  mutating func tellTransport(
    _ task: ChainTask, in index: Int, into effects: inout [ChainEffect]
  ) {
    guard case .request(let request) = task.work,
      let attempt = chains[index].transport?.attempt, attempt == task.link.serial
    else { return }
    var reaction = TransportLink.Reaction()
    chains[index].transport?.take(request, into: &reaction)
    carryOut(reaction, in: index, attempt: attempt, into: &effects)
  }

  mutating func carryOut(
    _ reaction: TransportLink.Reaction, in index: Int, attempt: UInt32,
    into effects: inout [ChainEffect]
  ) {
    if let finding = reaction.finding {
      let name = chains[index].links.last?.name ?? "the user"
      effects.append(.finding(chains[index].id, ChainFinding(link: name, finding)))
    }
    let end = chains[index].links.count
    for response in reaction.responses {
      forwardBack(response, in: index, from: end, into: &effects)
    }
    for order in reaction.orders {
      effects.append(.transport(chains[index].id, attempt: attempt, order))
    }
  }
}

// MARK: Tasks

extension CallChains {
  mutating func enqueue(
    _ work: Work, for link: LinkID, of chain: ChainID, on queue: Int,
    into effects: inout [ChainEffect]
  ) {
    queues[queue].tasks.append(ChainTask(chain: chain, link: link, work: work))
    effects.append(.queueFilled(self.queue(at: queue)))
  }

  mutating func makeQueue() -> Int {
    if let free = freeQueues.popLast() { return free }
    queues.append(TaskQueue())
    return queues.count - 1
  }

  /// The queue that all links share whose factories name it.
  mutating func sharedQueue(_ name: String) -> Int {
    if let known = sharedQueues[name] { return known }
    let queue = makeQueue()
    queues[queue].isShared = true
    sharedQueues[name] = queue
    return queue
  }

  /// Gives queues back; what still waits on them was for nobody.
  ///
  /// One that is busy is given back too: what its run completes is of an older generation.
  mutating func free(_ one: Int, _ other: Int) {
    for queue in one == other ? [one] : [one, other] where !queues[queue].isShared {
      queues[queue] = TaskQueue(generation: queues[queue].generation &+ 1)
      freeQueues.append(queue)
    }
  }
}
