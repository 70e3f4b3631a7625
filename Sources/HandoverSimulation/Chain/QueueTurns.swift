import HandoverCore
import HandoverInterceptors

/// Selects which queue of the chains runs next: in the order of their tasks, or at random.
struct QueueTurns {
  /// The queues that have tasks or, in random order, the queues that may have gained tasks.
  private var waiting = WaitingLine<QueueID>()
  /// All queues that have tasks.
  ///
  /// Used only in random order.
  private var ready = RankedSet()
  /// The generator that selects the next queue, or `nil` if queues run in the order of their tasks.
  private var random: SeededGenerator?

  init(_ configuration: RunConfiguration) {
    // A separate label, so that these random numbers do not change those of the client.
    random =
      configuration.chain.isShuffled
      ? SeededGenerator(seed: configuration.seed).forked(label: 0x636861696e) : nil
  }

  /// Records that a queue has gained a task.
  mutating func append(_ queue: QueueID) {
    waiting.append(queue)
  }

  /// Returns the queue that runs next, or `nil` if no queue has a task.
  mutating func next(of chains: inout CallChains) -> QueueID? {
    guard random != nil else { return waiting.popFirst() }
    while let queue = waiting.popFirst() { noteReadiness(at: queue.index, in: chains) }
    for position in chains.takeEmptiedQueues() { noteReadiness(at: position, in: chains) }
    guard ready.count > 0, let draw = random?.next(upToAndIncluding: UInt64(ready.count - 1)) else {
      return nil
    }
    return chains.readyQueue(at: ready.element(ranked: Int(draw)))
  }

  /// Whether an event may pass through several interceptors in one step, because no other queue
  /// could run in between.
  var letThrough: Bool { random == nil && waiting.isEmpty }

  /// Records that a queue has run.
  mutating func noteTurn(of queue: QueueID, in chains: borrowing CallChains) {
    if random != nil { noteReadiness(at: queue.index, in: chains) }
  }

  private mutating func noteReadiness(at position: Int, in chains: borrowing CallChains) {
    if chains.readyQueue(at: position) == nil {
      ready.remove(position)
    } else {
      ready.insert(position)
    }
  }
}
