import DequeModule
public import HandoverCore

// Drivers that run one thing at a time leave links where they are: nothing is lent out and put
// back, and a hop allocates nothing.
extension CallChains {
  /// Runs the next task of a queue, whole.
  public mutating func run(
    _ queue: QueueID, at now: Instant, into effects: inout [ChainEffect]
  ) {
    let place = queue.index
    guard queues[place].generation == queue.generation,
      let task = queues[place].tasks.popFirst(), let index = self.place(of: task.chain)
    else { return }
    guard task.link != LinkID.user else {
      return tellUser(task.work, in: index, into: &effects)
    }
    switch chains[index].work(task.link, task.work, at: now, into: &decisions) {
    case .absent:
      guard case .transport = queues[place].use else { return }
      queues[place].tasks.prepend(task)
      guard var run = beginTransport(queue) else { return }
      run.run()
      complete(run, into: &effects)
    case .late:
      return
    case .done(let hop):
      if configuration.tellsSteps { effects.append(.took(task.chain, task.link, task.work.step)) }
      forward(hop, of: task.chain, task.link, in: index, into: &effects)
    }
  }

  /// Forwards what a link decided; almost always it is one thing, and the neighbours are there.
  private mutating func forward(
    _ hop: Hop, of chain: ChainID, _ link: LinkID, in index: Int,
    into effects: inout [ChainEffect]
  ) {
    if decisions.count == 1, !hop.hasLeft, let decision = decisions.popLast() {
      switch decision {
      case .response(let response):
        return enqueue(
          .response(response), for: hop.previous, of: chain, on: hop.previousQueue,
          into: &effects)
      case .request(let request) where hop.nextQueue >= 0:
        return enqueue(
          .request(request), for: hop.next, of: chain, on: hop.nextQueue, into: &effects)
      case .request, .shutDown, .renewNext, .ask, .note, .finding:
        decisions.append(decision)
      }
    }
    var made = chains[index].linksNeeded(by: decisions, of: Int(link.place))[...]
    for place in decisions.indices {
      carryOut(decisions[place], in: index, from: link, &made, into: &effects)
    }
    while !decisions.isEmpty { decisions.removeLast() }
    if hop.hasLeft { effects.append(.linkReleased(chain, link)) }
  }
}

/// What became of a task that was given to a chain.
private enum HopOutcome {
  /// The chain has no such link any more.
  case absent
  /// The link has left.
  case late
  /// The link did its work.
  case done(Hop)
}

/// The neighbours of a link that has done its work.
private struct Hop {
  var previous: LinkID
  var previousQueue: Int
  var next: LinkID
  /// Less than zero where nothing is behind the link.
  var nextQueue: Int
  var hasLeft: Bool
}

extension Chain {
  /// Lets a link do one piece of work where it is; all in one access to the chain.
  fileprivate mutating func work(
    _ id: LinkID, _ work: Work, at now: Instant,
    into decisions: inout ContiguousArray<InterceptorManager.Outgoing>
  ) -> HopOutcome {
    let place = Int(id.place)
    guard place >= 0, place < links.count, links[place].id == id else { return .absent }
    precondition(!links[place].isWorking, "one thing is done at a time")
    guard links[place].work(work, at: now, into: &decisions) else { return .late }
    if links[place].deadline != nil { hasDeadlines = true }
    var hop = Hop(
      previous: .user, previousQueue: userQueue, next: .user, nextQueue: -1,
      hasLeft: links[place].isReleased)
    if place > 0 {
      (hop.previous, hop.previousQueue) = (links[place - 1].id, links[place - 1].responses)
    }
    if place + 1 < links.count {
      (hop.next, hop.nextQueue) = (links[place + 1].id, links[place + 1].requests)
    } else if let attempt, let transportQueue {
      (hop.next, hop.nextQueue) = (LinkID(place: place + 1, serial: attempt), transportQueue)
    }
    return .done(hop)
  }

  /// The links that decisions need, in their order.
  fileprivate func linksNeeded(
    by decisions: ContiguousArray<InterceptorManager.Outgoing>, of link: Int
  ) -> [MadeLinks] {
    plan.makeLinks(
      for: decisions, of: links[link].factory,
      hasNext: hasNext(after: links[link].id))
  }
}
