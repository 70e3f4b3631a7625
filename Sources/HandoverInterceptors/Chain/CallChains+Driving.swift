import HandoverCore

// MARK: What drivers ask

extension CallChains {
  /// What a queue is for; nil where it was given back meanwhile.
  public func use(of queue: QueueID) -> QueueUse? {
    queues.isInUse(queue) ? queues.rows[queue.index].use : nil
  }

  /// The call whose task is the next of a queue.
  public func nextCall(on queue: QueueID) -> ChainID? {
    queues.isInUse(queue) ? queues.rows[queue.index].tasks.first?.chain : nil
  }

  /// Whether nothing more becomes of a call by itself; true where nobody knows it.
  ///
  /// No link works, waits for a time or for an answer, nothing is queued for the call, and its
  /// transport has no attempt under way. What the links owe then they owe for ever: see
  /// ``audit(_:)``.
  public func isSettled(_ id: ChainID) -> Bool {
    guard let index = position(of: id) else { return true }
    let chain = chains[index]
    guard chain.making != .underWay else { return false }
    let isTransportBusy = chain.transport?.isUnderWay ?? (chain.attempt != nil)
    return !isTransportBusy && !isFilled(chain.userQueue, for: id)
      && chain.transportQueue.map { isFilled($0, for: id) } != true
      && chain.links.allSatisfy {
        !$0.isWorking && $0.deadline == nil && $0.openQuestions == 0
          && !isFilled($0.requests, for: id)
          && !isFilled($0.responses, for: id)
      }
  }

  private func isFilled(_ queue: Int, for id: ChainID) -> Bool {
    queues.rows[queue].tasks.contains { $0.chain == id }
  }
}
