import HandoverCore

/// The transport's end of a chain at work: taken out of its chain together with one request or one
/// event, because it makes bytes of messages by the user's marshaller.
public struct TransportRun: Sendable {
  /// The call.
  public let chain: ChainID
  /// The queue that the request came from; nil of an event.
  let queue: QueueID?
  let work: TransportWork
  /// Whether there was a call to cancel before.
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

  /// Lets the transport's end do the work; nothing else of the chain is touched.
  public mutating func run() {
    end.handle(work, into: &reaction)
  }
}

/// What the transport's end is told.
enum TransportWork: Hashable, Sendable {
  case request(ChainRequest)
  case event(TransportEvent)
}

extension CallChains {
  /// Takes the next request of a transport's queue, and with it the end of the chain.
  ///
  /// For drivers that run marshallers outside of their lock; it is a substitute for
  /// ``begin(_:at:into:)``, for queues whose use is ``QueueUse/transport(_:)``.
  ///
  /// - Precondition: no other run of the transport's end of the call is under way.
  /// - Returns: the work to run; nil where it came too late.
  public mutating func beginTransport(_ queue: QueueID) -> TransportRun? {
    guard let task = queues.popTask(of: queue), let index = position(of: task.chain),
      case .request(let request) = task.work,
      chains[index].attempt == task.link.serial
    else { return nil }
    queues.rows[queue.index].isBusy = true
    return beginTransport(.request(request), in: index, queue)
  }

  /// Takes the end of the chain that an event of the transport is for.
  ///
  /// For drivers that run marshallers outside of their lock, in place of
  /// ``transport(_:of:attempt:into:)``.
  ///
  /// - Precondition: no other run of the transport's end of the call is under way.
  /// - Returns: the work to run; nil where it came too late.
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
      preconditionFailure(TransportLink.doesOneThing)
    }
    return TransportRun(chains[index].id, queue, work, end)
  }

  /// Puts the transport's end back, and carries out what it decided.
  public mutating func complete(_ run: consuming TransportRun, into effects: inout [ChainEffect]) {
    if let queue = run.queue { queues.ended(queue) }
    let attempt = run.end.attempt
    guard let index = position(of: run.chain), chains[index].attempt == attempt else {
      // It was given up meanwhile; what it wanted is for nobody, but the transport must hear it.
      if run.wasUnderWay { effects.append(.transport(run.chain, attempt: attempt, .cancel)) }
      return
    }
    chains[index].transport = run.end
    chains[index].carryOut(&run.reaction, &queues, into: &effects)
  }
}
