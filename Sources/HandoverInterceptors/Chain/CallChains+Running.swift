public import HandoverCore

// Drivers that run one thing at a time leave links where they are: nothing is lent out and put
// back, and a hop allocates nothing.
extension CallChains {
  /// Runs the next task of a queue, whole.
  public mutating func run(
    _ queue: QueueID, at now: Instant, into effects: inout [ChainEffect]
  ) {
    run(queue, at: now, goingThrough: false, into: &effects)
  }

  /// Runs the next task of a queue, and goes with its event through the links that only hand it on.
  ///
  /// For drivers that run tasks in the order of their arrival, when no other one waits: nothing
  /// could happen between two such hops, so that what is done and told is the same as if each were
  /// run by itself, but for the ``ChainEffect/queueFilled(_:)`` between them. The event keeps its
  /// direction, so that there are at most as many hops as there are links.
  public mutating func runThrough(
    _ queue: QueueID, at now: Instant, into effects: inout [ChainEffect]
  ) {
    run(queue, at: now, goingThrough: true, into: &effects)
  }

  @inline(__always)
  private mutating func run(
    _ queue: QueueID, at now: Instant, goingThrough: Bool, into effects: inout [ChainEffect]
  ) {
    guard let task = queues.popTask(of: queue), let index = position(of: task.chain) else { return }
    chains[index].run(
      task, at: now, goingThrough: goingThrough, tellsSteps: configuration.tellsSteps, &reaction,
      &queues, into: &effects)
    noteDeadlines(of: index)
  }
}

extension Chain {
  /// Runs a task, in one access to the chain; what comes too late is dropped.
  @inline(__always)
  fileprivate mutating func run(
    _ task: consuming ChainTask, at now: Instant, goingThrough: Bool, tellsSteps: Bool,
    _ reaction: inout TransportLink.Reaction, _ queues: inout ChainQueues,
    into effects: inout [ChainEffect]
  ) {
    guard var position = position(of: task.link) else {
      return runEnd(task.work, of: task.link, &reaction, &queues, into: &effects)
    }
    var work = task.work
    while position >= 0 && position < links.count {
      precondition(!links[position].isWorking, "one thing is done at a time")
      let isRequest = work.isRequest
      let step = tellsSteps ? work.step : nil
      let outcome = links[position].work(work, at: now, &hasDeadlines)
      if case .dropped = outcome { return }
      if let step { effects.append(.took(id, links[position].id, step)) }
      switch consume outcome {
      case .decided(.response(let response)):
        guard goingThrough, !isRequest, queues.isIdle(receiver(before: position).queue) else {
          return forwardBack(response, from: position, &queues, into: &effects)
        }
        position -= 1
        work = .response(response)
      case .decided(.request(let request)):
        guard goingThrough, isRequest, let next = receiver(behind: position),
          queues.isIdle(next.queue)
        else { return carryOut(.request(request), from: position, &queues, into: &effects) }
        position += 1
        work = .request(request)
      case .decided(let decision):
        return carryOut(decision, from: position, &queues, into: &effects)
      case .several, .dropped:
        return carryOutDecisions(of: position, &queues, into: &effects)
      }
    }
    let end = position < 0 ? .user : LinkID(position: position, serial: attempt ?? 0)
    runEnd(work, of: end, &reaction, &queues, into: &effects)
  }

  /// Runs a task of the user or of the transport's end; one of a link that is gone is dropped.
  private mutating func runEnd(
    _ work: borrowing Work, of link: LinkID, _ reaction: inout TransportLink.Reaction,
    _ queues: inout ChainQueues, into effects: inout [ChainEffect]
  ) {
    switch work {
    case .response(let response) where link == .user:
      notifyUser(response, into: &effects)
    case .request(let request) where attempt == link.serial:
      runTransport(.request(request), &reaction, &queues, into: &effects)
    case .response, .request, .answer, .timeElapsed:
      break
    }
  }

  private mutating func carryOut(
    _ decision: consuming InterceptorManager.Outgoing, from position: Int,
    _ queues: inout ChainQueues, into effects: inout [ChainEffect]
  ) {
    var supply = LinkSupply()
    carryOut(decision, from: links[position].id, &supply, &queues, into: &effects)
  }

  /// Carries out everything that a link decided, and tells whether it left.
  private mutating func carryOutDecisions(
    of position: Int, _ queues: inout ChainQueues, into effects: inout [ChainEffect]
  ) {
    let link = links[position].id
    var supply = LinkSupply()
    while let decision = links[position].nextDecision() {
      carryOut(decision, from: link, &supply, &queues, into: &effects)
    }
    if links[position].isReleased { effects.append(.linkReleased(id, link)) }
  }
}
