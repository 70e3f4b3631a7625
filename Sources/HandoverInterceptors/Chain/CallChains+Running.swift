public import HandoverCore

// Drivers that run one thing at a time leave links where they are: nothing is lent out and put
// back, and a hop allocates nothing.
extension CallChains {
  /// Runs the next task of a queue, whole.
  public mutating func run(
    _ queue: QueueID, at now: Instant, into effects: inout [ChainEffect]
  ) {
    guard let task = queues.popTask(of: queue), let index = place(of: task.chain) else { return }
    chains[index].run(
      task, at: now, tellsSteps: configuration.tellsSteps, &reaction, &queues, into: &effects)
  }
}

extension Chain {
  /// Runs a task, in one access to the chain; what comes too late is dropped.
  @inline(__always)
  fileprivate mutating func run(
    _ task: borrowing ChainTask, at now: Instant, tellsSteps: Bool,
    _ reaction: inout TransportLink.Reaction, _ queues: inout ChainQueues,
    into effects: inout [ChainEffect]
  ) {
    if let place = place(of: task.link) {
      run(task, on: place, at: now, tellsSteps: tellsSteps, &queues, into: &effects)
    } else if task.link == .user {
      tellUser(task.work, into: &effects)
    } else if case .request(let request) = task.work, attempt == task.link.serial {
      runTransport(.request(request), &reaction, &queues, into: &effects)
    }
  }

  /// Lets a link do its work where it is, and carries out what it decides; one that has left does
  /// nothing.
  @inline(__always)
  private mutating func run(
    _ task: borrowing ChainTask, on place: Int, at now: Instant, tellsSteps: Bool,
    _ queues: inout ChainQueues, into effects: inout [ChainEffect]
  ) {
    precondition(!links[place].isWorking, "one thing is done at a time")
    guard links[place].work(task.work, at: now) else { return }
    if links[place].deadline != nil { hasDeadlines = true }
    if tellsSteps { effects.append(.took(id, task.link, task.work.step)) }
    var supply = LinkSupply()
    while let decision = links[place].nextDecision() {
      carryOut(decision, from: task.link, &supply, &queues, into: &effects)
    }
    if links[place].isReleased { effects.append(.linkReleased(id, task.link)) }
  }
}
