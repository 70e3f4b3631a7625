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
    guard let link = chains[index].place(of: task.link) else {
      guard case .transport = queues[place].use else { return }
      queues[place].tasks.prepend(task)
      guard var run = beginTransport(queue) else { return }
      run.run()
      return complete(run, into: &effects)
    }
    precondition(!chains[index].links[link].isWorking, "one thing is done at a time")
    guard chains[index].work(link, task.work, at: now, into: &decisions) else { return }
    if configuration.tellsSteps { effects.append(.took(task.chain, task.link, task.work.step)) }
    finishWork(of: link, task.link, in: index, into: &effects)
  }

  /// Forwards what a link decided.
  private mutating func finishWork(
    of link: Int, _ id: LinkID, in index: Int, into effects: inout [ChainEffect]
  ) {
    var made = chains[index].linksNeeded(by: decisions, of: link)[...]
    // Almost always a link decides one thing.
    for place in decisions.indices {
      carryOut(decisions[place], in: index, from: id, &made, into: &effects)
    }
    while !decisions.isEmpty { decisions.removeLast() }
    let hasLeft = chains[index].settleDeadline(of: link)
    if hasLeft { effects.append(.linkReleased(chains[index].id, id)) }
  }
}

extension Chain {
  /// Lets a link do one piece of work where it is.
  ///
  /// - Returns: whether it did; false where it has left.
  fileprivate mutating func work(
    _ link: Int, _ work: Work, at now: Instant,
    into decisions: inout ContiguousArray<InterceptorManager.Outgoing>
  ) -> Bool {
    links[link].work(work, at: now, into: &decisions)
  }

  /// The links that decisions need; almost always what is behind a link is there already.
  @inline(__always)
  fileprivate func linksNeeded(
    by decisions: ContiguousArray<InterceptorManager.Outgoing>, of link: Int
  ) -> [MadeLinks] {
    let hasNext = link + 1 < links.count || attempt != nil
    if hasNext, decisions.count == 1 {
      switch decisions[0] {
      case .request, .response: return []
      case .shutDown, .renewNext, .ask, .note, .finding: break
      }
    }
    return plan.makeLinks(for: decisions, of: links[link].factory, hasNext: hasNext)
  }

  /// Keeps whether any link waits for a time.
  ///
  /// - Returns: whether the link has left.
  @inline(__always)
  fileprivate mutating func settleDeadline(of link: Int) -> Bool {
    if links[link].deadline != nil { hasDeadlines = true }
    return links[link].isReleased
  }
}
