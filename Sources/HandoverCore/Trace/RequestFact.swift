/// An event of a request, or an answer to a query about requests.
///
/// Requests, admission queries, hosts and pools are identified by their positions in the script.
/// The connections of the OS have numbers that exist only in the trace.
@frozen
public enum RequestFact: Hashable, Sendable, BitwiseCopyable {
  /// The dispatcher answered an admission query.
  case answered(question: UInt32, Admission)
  /// A request held a slot when the query was answered; these facts follow the order in which the
  /// slots were taken.
  case heldSlot(question: UInt32, request: UInt32)
  /// A request arrived with this admission; the admission is `nil` if no dispatcher reports it.
  case arrived(request: UInt32, Admission?)
  /// The caller was notified that the long limit delays the request.
  case limitReached(request: UInt32)
  /// The next short request of a polled stream waits for a slot at this position in its line.
  case waits(request: UInt32, position: UInt32)
  /// A request, or the next short request of a polled stream, was passed to the OS.
  case handedOver(request: UInt32)
  /// No connection is left for the request, so the OS never starts it.
  case froze(request: UInt32)
  /// A frozen request now has a slot of its dispatcher.
  case thawed(request: UInt32)
  /// The OS opened a connection on a network, or without a network.
  case connectionOpened(UInt32, host: UInt32, pool: UInt32, PathIndex?)
  /// The state of a thread changed in the pool that runs the requests to a host.
  ///
  /// Each pool numbers its threads from 1 in the order of their creation.
  case thread(ThreadChange, UInt32, host: UInt32, pool: UInt32)
  /// A thread of its endpoint's pool took the request.
  case runsOn(request: UInt32, thread: UInt32)
  /// A connection now carries the request.
  case carried(request: UInt32, connection: UInt32)
  /// The request failed on a lost connection of a pool, and is sent over another connection.
  case retried(request: UInt32, connection: UInt32)
  /// The headers of the response arrived.
  case responded(request: UInt32)
  /// A part of the response arrived.
  case received(request: UInt32)
  /// A short request of a polled stream was answered.
  case pollAnswered(request: UInt32)
  /// The OS closed a connection.
  case connectionClosed(UInt32)
  /// A connection was lost.
  case connectionLost(UInt32)
  /// The slot of the request was released.
  case slotReleased(request: UInt32)
  /// The caller was notified how the request ended.
  case ended(request: UInt32, RequestEnd)
  /// The long limit of a pool's dispatcher changed.
  case longLimitChanged(pool: UInt32, UInt32)
  /// A pool's dispatcher was closed.
  case dispatcherClosed(pool: UInt32)

  /// The request that the fact is about, or `nil` if it is about no request.
  @inlinable
  public var request: UInt32? {
    switch self {
    case .heldSlot(_, let request), .arrived(let request, _), .limitReached(let request),
      .waits(let request, _), .handedOver(let request), .froze(let request),
      .thawed(let request), .carried(let request, _), .retried(let request, _),
      .responded(let request),
      .received(let request), .runsOn(let request, _),
      .pollAnswered(let request), .slotReleased(let request), .ended(let request, _):
      request
    case .answered, .connectionOpened, .connectionClosed, .connectionLost, .longLimitChanged,
      .dispatcherClosed, .thread:
      nil
    }
  }
}

/// A change in the state of a thread.
@frozen
public enum ThreadChange: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// The thread was created.
  case made
  /// The thread has no work and waits.
  case rests
  /// The collector ended the thread because its idle time reached the limit.
  case collected
  /// The thread ended because its pool was closed.
  case ended
}
