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
    guard let task = queues.popTask(of: queue), let index = place(of: task.chain) else { return }
    chains[index].run(
      task, at: now, goingThrough: goingThrough, tellsSteps: configuration.tellsSteps, &reaction,
      &queues, into: &effects)
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
    var link = task.link
    var work = task.work
    while let place = place(of: link) {
      precondition(!links[place].isWorking, "one thing is done at a time")
      let isRequest = work.isRequest
      let step = tellsSteps ? work.step : nil
      let outcome = links[place].work(work, at: now)
      if case .dropped = outcome { return }
      if let step { effects.append(.took(id, link, step)) }
      if links[place].deadline != nil { hasDeadlines = true }
      switch consume outcome {
      case .decided(.response(let response)):
        let next = receiver(before: place)
        guard goingThrough, !isRequest, queues.isIdle(next.queue) else {
          return forwardBack(response, from: place, &queues, into: &effects)
        }
        (link, work) = (next.link, .response(response))
      case .decided(.request(let request)):
        guard goingThrough, isRequest, let next = receiver(behind: place),
          queues.isIdle(next.queue)
        else { return carryOut(.request(request), from: link, &queues, into: &effects) }
        (link, work) = (next.link, .request(request))
      case .decided(let decision):
        return carryOut(decision, from: link, &queues, into: &effects)
      case .several, .dropped:
        return carryOutDecisions(of: place, &queues, into: &effects)
      }
    }
    if link == .user {
      tellUser(work, into: &effects)
    } else if case .request(let request) = work, attempt == link.serial {
      runTransport(.request(request), &reaction, &queues, into: &effects)
    }
  }

  private mutating func carryOut(
    _ decision: consuming InterceptorManager.Outgoing, from link: LinkID,
    _ queues: inout ChainQueues, into effects: inout [ChainEffect]
  ) {
    var supply = LinkSupply()
    carryOut(decision, from: link, &supply, &queues, into: &effects)
  }

  /// Carries out everything that a link decided, and tells whether it left.
  private mutating func carryOutDecisions(
    of place: Int, _ queues: inout ChainQueues, into effects: inout [ChainEffect]
  ) {
    let link = links[place].id
    var supply = LinkSupply()
    while let decision = links[place].nextDecision() {
      carryOut(decision, from: link, &supply, &queues, into: &effects)
    }
    if links[place].isReleased { effects.append(.linkReleased(id, link)) }
  }
}
