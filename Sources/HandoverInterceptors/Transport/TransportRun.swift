import HandoverCore

/// The transport end of a chain at work, taken out of its chain with one request or event.
///
/// Drivers can run it outside of their lock, because it calls the user's marshaller.
public struct TransportRun: Sendable {
  /// The call.
  public let chain: ChainID
  /// The queue of the request, or `nil` for an event.
  let queue: QueueID?
  let work: TransportWork
  /// Whether a call was in progress before the work.
  let wasUnderWay: Bool
  var end: TransportLink
  var reaction = TransportLink.Reaction()

  init(_ chain: ChainID, _ queue: QueueID?, _ work: TransportWork, _ end: TransportLink) {
    self.chain = chain
    self.queue = queue
    self.work = work
    self.end = end
    wasUnderWay = end.isUnderWay
  }

  /// Runs the work in the transport end, without access to the chain.
  public mutating func run() {
    end.handle(work, into: &reaction)
  }
}

/// Work for the transport end.
enum TransportWork: Hashable, Sendable {
  case request(ChainRequest)
  case event(TransportEvent)
}

extension CallChains {
  /// Takes the next request of a transport's queue, together with the transport end of the chain.
  ///
  /// Drivers that run marshallers outside of their lock use this function instead of
  /// ``begin(_:at:into:)`` for queues whose use is ``QueueUse/transport(_:)``.
  ///
  /// - Precondition: no other run of the transport end of the call is in progress.
  /// - Returns: the work to run, or `nil` if the request came too late.
  public mutating func beginTransport(_ queue: QueueID) -> TransportRun? {
    guard let task = queues.popTask(of: queue), let index = position(of: task.chain),
      case .request(let request) = task.work,
      chains[index].attempt == task.link.serial
    else { return nil }
    queues.rows[queue.index].isBusy = true
    return beginTransport(.request(request), in: index, queue)
  }

  /// Takes the transport end of the chain for an event of the transport.
  ///
  /// Drivers that run marshallers outside of their lock use this function instead of
  /// ``transport(_:of:attempt:into:)``.
  ///
  /// - Precondition: no other run of the transport end of the call is in progress.
  /// - Returns: the work to run, or `nil` if the event came too late.
  public mutating func beginTransport(
    _ event: TransportEvent, of id: ChainID, attempt: UInt32
  ) -> TransportRun? {
    guard let index = position(of: id), chains[index].attempt == attempt else { return nil }
    return beginTransport(.event(event), in: index, nil)
  }

  private mutating func beginTransport(
    _ work: TransportWork, in index: Int, _ queue: QueueID?
  ) -> TransportRun {
    guard let end = chains[index].transport.take() else {
      preconditionFailure(TransportLink.alreadyInUse)
    }
    return TransportRun(chains[index].id, queue, work, end)
  }

  /// Puts the transport end back, and carries out its decisions.
  public mutating func complete(_ run: consuming TransportRun, into effects: inout [ChainEffect]) {
    if let queue = run.queue { queues.ended(queue) }
    let attempt = run.end.attempt
    guard let index = position(of: run.chain), chains[index].attempt == attempt else {
      // The attempt was abandoned in the meantime. Its decisions have no receiver, but the
      // transport must be notified.
      if run.wasUnderWay { effects.append(.transport(run.chain, attempt: attempt, .cancel)) }
      return
    }
    chains[index].transport = run.end
    chains[index].carryOut(&run.reaction, &queues, into: &effects)
  }
}
