public import HandoverCore

/// Something that happened to a request, or was said of one.
///
/// Requests, questions, hosts and pools are given by their places in the script, the platform's
/// connections by a number of their own.
@frozen
public enum RequestFact: Hashable, Sendable, BitwiseCopyable {
  /// The dispatcher answered a question.
  case answered(question: UInt32, Admission)
  /// A request held a slot when the question was answered; told in the order of taking them.
  case heldSlot(question: UInt32, request: UInt32)
  /// A request arrived, and this became of it; nil where no dispatcher says.
  case arrived(request: UInt32, Admission?)
  /// The user was told that the long limit holds the request back.
  case limitReached(request: UInt32)
  /// The next short request of a polled stream waits for a slot, at a place of its line.
  case waits(request: UInt32, position: UInt32)
  /// A request, or the next one of a polled stream, was handed to the platform.
  case handedOver(request: UInt32)
  /// No connection is left for the request.
  case froze(request: UInt32)
  /// A frozen request has a slot of its dispatcher.
  case thawed(request: UInt32)
  /// The platform opened a connection, on a path or on none.
  case connectionOpened(UInt32, host: UInt32, pool: UInt32, PathIndex?)
  /// Something became of a thread of the pool that runs the requests to a host.
  ///
  /// Threads are numbered in each pool from 1, in the order of their making.
  case thread(ThreadChange, UInt32, host: UInt32, pool: UInt32)
  /// A thread of its endpoint's pool took the request.
  case runsOn(request: UInt32, thread: UInt32)
  /// A connection carries the request from now on.
  case carried(request: UInt32, connection: UInt32)
  /// The headers of the response arrived.
  case responded(request: UInt32)
  /// A part of the response arrived.
  case received(request: UInt32)
  /// One of the short requests of a polled stream was answered.
  case pollAnswered(request: UInt32)
  /// The platform closed a connection.
  case connectionClosed(UInt32)
  /// A connection was lost.
  case connectionLost(UInt32)
  /// The slot of the request is free.
  case slotReleased(request: UInt32)
  /// The user was told how the request ended.
  case ended(request: UInt32, RequestEnd)
  /// The long limit of a pool's dispatcher changed.
  case longLimitChanged(pool: UInt32, UInt32)
  /// A pool's dispatcher was closed.
  case dispatcherClosed(pool: UInt32)

  /// The request that the fact is about; nil where it is about none.
  @inlinable
  public var request: UInt32? {
    switch self {
    case .heldSlot(_, let request), .arrived(let request, _), .limitReached(let request),
      .waits(let request, _), .handedOver(let request), .froze(let request),
      .thawed(let request), .carried(let request, _), .responded(let request),
      .received(let request), .runsOn(let request, _),
      .pollAnswered(let request), .slotReleased(let request), .ended(let request, _):
      request
    case .answered, .connectionOpened, .connectionClosed, .connectionLost, .longLimitChanged,
      .dispatcherClosed, .thread:
      nil
    }
  }
}

/// What becomes of a thread.
@frozen
public enum ThreadChange: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// It is made.
  case made
  /// It has nothing left to do, and waits.
  case rests
  /// The collector ends it, because it has been idle for long enough.
  case collected
  /// It ends with its pool.
  case ended
}
