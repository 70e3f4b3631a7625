import HandoverCore

// MARK: Queries for drivers

extension CallChains {
  /// Returns the use of a queue, or `nil` if the queue has been released.
  public func use(of queue: QueueID) -> QueueUse? {
    queues.isInUse(queue) ? queues.rows[queue.index].use : nil
  }

  /// Returns the call whose task is next in a queue.
  public func nextCall(on queue: QueueID) -> ChainID? {
    queues.isInUse(queue) ? queues.rows[queue.index].tasks.first?.chain : nil
  }

  /// Returns whether a call makes no further progress without an external event; true for an
  /// unknown call.
  ///
  /// In a settled call no interceptor works or waits for a deadline or an answer. No task is
  /// queued, and the transport has no attempt in progress. Obligations that the interceptors have
  /// then are never met; see ``audit(_:)``.
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
