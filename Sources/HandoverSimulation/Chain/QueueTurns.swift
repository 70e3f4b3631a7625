import HandoverCore
import HandoverInterceptors

/// Whose turn it is among the queues of chains: in the order of their tasks, or in random order.
struct QueueTurns {
  /// Queues that have something to do; where turns are drawn, those that may have it newly.
  private var waiting = WaitingLine<QueueID>()
  /// All queues that have something to do, where turns are drawn.
  private var ready = RankedSet()
  /// Draws whose turn it is; nil where the turns are in the order of the tasks.
  private var random: SeededGenerator?

  init(_ configuration: RunConfiguration) {
    // A label of its own, so that no draw of the client moves.
    random =
      configuration.chain.isShuffled
      ? SeededGenerator(seed: configuration.seed).forked(label: 0x636861696e) : nil
  }

  /// A queue has got something to do.
  mutating func append(_ queue: QueueID) {
    waiting.append(queue)
  }

  /// The queue whose turn it is; nil where none has anything to do.
  mutating func next(of chains: inout CallChains) -> QueueID? {
    guard random != nil else { return waiting.popFirst() }
    while let queue = waiting.popFirst() { noteReadiness(at: queue.index, in: chains) }
    for position in chains.takeEmptiedQueues() { noteReadiness(at: position, in: chains) }
    guard ready.count > 0, let draw = random?.next(upToAndIncluding: UInt64(ready.count - 1)) else {
      return nil
    }
    return chains.readyQueue(at: ready.element(ranked: Int(draw)))
  }

  /// Whether the next task of a queue may go all the way: no other turn could come in between.
  var letThrough: Bool { random == nil && waiting.isEmpty }

  /// A queue has had its turn.
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
