import HandoverCore

/// The links of one call.
struct Chain: Hashable, Sendable {
  let id: ChainID
  let plan: ChainPlan
  let userQueue: Int
  var links: [Link] = []
  /// The transport's attempt; nil where its end of the chain is not made.
  var attempt: UInt32?
  /// The transport's end; nil while it works, too.
  var transport: TransportLink?
  var transportQueue: Int?
  /// Whether it was told that nothing can make the call; once is enough.
  var isKnownToFail = false
  /// Numbers the links and the attempts of the call.
  var serial: UInt32 = 0
  var hasDeadlines = false
  var userHasHeardEnd = false
  var isGone = false

  init(_ id: ChainID, _ plan: ChainPlan, userQueue: Int) {
    self.id = id
    self.plan = plan
    self.userQueue = userQueue
  }

  /// The place of a link that is still part of the chain.
  @inline(__always)
  func place(of link: LinkID) -> Int? {
    let place = Int(link.place)
    guard place >= 0, place < links.count, links[place].id == link else { return nil }
    return place
  }

  /// Whether anything is behind a link, or behind the user.
  @inline(__always)
  func hasNext(after link: LinkID) -> Bool {
    Int(link.place) + 1 < links.count || attempt != nil
  }

  mutating func nextSerial() -> UInt32 {
    serial += 1
    return serial
  }
}

// MARK: Making links

extension CallChains {
  /// Makes what factories made part of the chain, behind a link or the user.
  mutating func append(
    _ made: MadeLinks, in index: Int, after link: LinkID, into effects: inout [ChainEffect]
  ) {
    for name in made.skipped { effects.append(.linkSkipped(chains[index].id, name: name)) }
    if made.reachesTransport { makeTransport(in: index, into: &effects) }
    var before = link
    for link in made.links {
      before = append(link, in: index, after: before, into: &effects)
    }
  }

  private mutating func append(
    _ made: MadeLinks.Made, in index: Int, after before: LinkID, into effects: inout [ChainEffect]
  ) -> LinkID {
    let id = LinkID(place: Int(before.place) + 1, serial: chains[index].nextSerial())
    let (requests, responses) = makeQueues(made.queues)
    chains[index].links.append(
      Link(id, made, previous: before, requests: requests, responses: responses))
    if made.deadline != nil { chains[index].hasDeadlines = true }
    effects.append(.linkMade(chains[index].id, id, name: made.name))
    return id
  }

  private mutating func makeTransport(in index: Int, into effects: inout [ChainEffect]) {
    guard let found = chains[index].plan.found, found.factory.makesTransports else { return }
    let attempt = chains[index].nextSerial()
    chains[index].attempt = attempt
    chains[index].transport = TransportLink(
      attempt: attempt,
      transport: chains[index].plan.start.options.transport ?? found.factory.identifier,
      tellsEveryWrite: configuration.tellsEveryWrite)
    chains[index].transportQueue =
      chains[index].transportQueue ?? makeQueue(.transport(chains[index].id))
    effects.append(
      .transportMade(
        chains[index].id, attempt: attempt, found.factory.identifier,
        isSubstitute: found.isSubstitute))
  }

  private mutating func makeQueues(_ kind: InterceptorQueues) -> (Int, Int) {
    switch kind {
    case .own:
      let queue = makeQueue(.link)
      return (queue, queue)
    case .separate:
      return (makeQueue(.link), makeQueue(.link))
    case .concurrent(let name):
      return (makeQueue(.concurrent(name)), makeQueue(.concurrent(name)))
    case .shared(let name):
      let queue = sharedQueue(name)
      return (queue, queue)
    }
  }
}

// MARK: Forwarding

extension CallChains {
  /// Carries out what a link decided, with the links that were made for it meanwhile.
  mutating func carryOut(
    _ item: InterceptorManager.Outgoing, in index: Int, from link: LinkID,
    _ made: inout ArraySlice<MadeLinks>, into effects: inout [ChainEffect]
  ) {
    let id = chains[index].id
    switch item {
    case .request(let request):
      if !chains[index].hasNext(after: link), let next = made.popFirst() {
        append(next, in: index, after: link, into: &effects)
      }
      forward(request, in: index, after: link, into: &effects)
    case .response(let response):
      forwardBack(response, in: index, from: Int(link.place), into: &effects)
    case .shutDown:
      break
    case .renewNext:
      discard(in: index, after: link, into: &effects)
      if chains[index].plan.creation == .eager, let all = made.popFirst() {
        append(all, in: index, after: link, into: &effects)
      }
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
    let id = chains[index].id
    if next < chains[index].links.count {
      enqueue(
        .request(request), for: chains[index].links[next].id, of: id,
        on: chains[index].links[next].requests, into: &effects)
    } else if let attempt = chains[index].attempt, let queue = chains[index].transportQueue {
      let end = LinkID(place: next, serial: attempt)
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
    enqueue(
      .response(response), for: chains[index].links[place - 1].id, of: id,
      on: chains[index].links[place - 1].responses, into: &effects)
  }

  /// The links behind one are discarded; its next request makes them anew.
  private mutating func discard(
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
    chains[index].attempt = nil
    chains[index].transport = nil
    chains[index].isKnownToFail = false
    chains[index].links[kept - 1].beginAttempt()
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

  mutating func makeQueue(_ use: QueueUse) -> Int {
    if let free = freeQueues.popLast() {
      queues[free].use = use
      return free
    }
    queues.append(TaskQueue(use: use))
    return queues.count - 1
  }

  /// The queue that all links share whose factories name it.
  mutating func sharedQueue(_ name: String) -> Int {
    if let known = sharedQueues[name] { return known }
    let queue = makeQueue(.shared(name))
    sharedQueues[name] = queue
    return queue
  }

  /// Gives queues back; what still waits on them was for nobody.
  ///
  /// One that is busy is given back too: what its run completes is of an older generation.
  mutating func free(_ one: Int, _ other: Int) {
    for queue in one == other ? [one] : [one, other] where !queues[queue].use.isShared {
      queues[queue] = TaskQueue(
        generation: queues[queue].generation &+ 1, use: queues[queue].use)
      freeQueues.append(queue)
    }
  }
}
