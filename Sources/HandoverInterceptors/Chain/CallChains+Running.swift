public import HandoverCore

// Drivers that run one task at a time leave interceptors in place. No interceptor is taken out and
// put back, so a hop allocates nothing.
extension CallChains {
  /// Runs the next task of a queue to completion.
  public mutating func run(
    _ queue: QueueID, at now: Instant, into effects: inout [ChainEffect]
  ) {
    run(queue, at: now, goingThrough: false, into: &effects)
  }

  /// Runs the next task of a queue, and passes its event through interceptors that only forward it.
  ///
  /// Use this function in drivers that run tasks in arrival order, when no other task waits.
  /// Nothing could happen between two such hops. The effects are therefore the same as for separate
  /// runs, except that ``ChainEffect/queueFilled(_:)`` between the hops is omitted. The event keeps
  /// its direction, so the number of hops is at most the number of interceptors.
  public mutating func runThrough(
    _ queue: QueueID, at now: Instant, into effects: inout [ChainEffect]
  ) {
    run(queue, at: now, goingThrough: true, into: &effects)
  }

  private mutating func run(
    _ queue: QueueID, at now: Instant, goingThrough: Bool, into effects: inout [ChainEffect]
  ) {
    guard let task = queues.popTask(of: queue), let index = position(of: task.chain) else { return }
    chains[index].run(
      task, at: now, goingThrough: goingThrough, reportsSteps: configuration.reportsSteps,
      &reaction, &queues, into: &effects)
    noteDeadlines(of: index)
  }
}

extension Chain {
  /// Runs a task in one access to the chain; drops a task that comes too late.
  fileprivate mutating func run(
    _ task: consuming ChainTask, at now: Instant, goingThrough: Bool, reportsSteps: Bool,
    _ reaction: inout TransportLink.Reaction, _ queues: inout ChainQueues,
    into effects: inout [ChainEffect]
  ) {
    guard var position = position(of: task.link) else {
      return runEnd(task.work, of: task.link, &reaction, &queues, into: &effects)
    }
    var work = task.work
    while position >= 0 && position < links.count {
      precondition(!links[position].isWorking, "the interceptor is already working")
      let isRequest = work.isRequest
      let step = reportsSteps ? work.step : nil
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

  /// Runs a task of the caller or of the transport end; drops a task of a removed interceptor.
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
    var supply = LinkProvider()
    carryOut(decision, from: links[position].id, &supply, &queues, into: &effects)
  }

  /// Carries out all decisions of an interceptor, and reports if it left the chain.
  private mutating func carryOutDecisions(
    of position: Int, _ queues: inout ChainQueues, into effects: inout [ChainEffect]
  ) {
    let link = links[position].id
    var supply = LinkProvider()
    while let decision = links[position].nextDecision() {
      carryOut(decision, from: link, &supply, &queues, into: &effects)
    }
    if links[position].isReleased { effects.append(.linkReleased(id, link)) }
  }
}
