public import HandoverMachines

/// An order of the endpoint dispatcher.
///
/// Each request is refused or told of its end, exactly once; nothing follows either.
public enum DispatcherEffect: Hashable, Sendable, BitwiseCopyable {
  /// Hand the request to the transport.
  case start(RequestID)
  /// Send the next of the short requests that the stream is made of.
  case startPoll(RequestID)
  /// Hand the request to the platform, which has no connection left for it.
  ///
  /// Its time-out is the platform's alone. It may get a connection that becomes free later.
  case freeze(RequestID)
  /// The request is frozen beyond the long limit: nothing of it is sent before it thaws.
  ///
  /// Its time-out is the dispatcher's, and ends it as the platform's would (-1001).
  case hold(RequestID)
  /// A frozen request has a slot now; what was held is handed to the transport.
  case thaw(RequestID)
  /// The request waits, at a place of its line that is counted from 1.
  case wait(RequestID, position: UInt32)
  /// Let the user know that the long limit of the endpoint holds the request back.
  case limitReached(RequestID, EndpointID)
  /// Refuse the request.
  case refuse(RequestID, RequestRefusal)
  /// Make the stream of short requests, with an interval after each answer.
  case becomePolls(RequestID, every: Interval)
  /// Take back from the transport what was handed to it.
  case abandon(RequestID)
  /// The slot of the request is free, and its long count where it had one.
  ///
  /// It always precedes ``tell(_:_:)``, so that whoever is told can begin another request (U38).
  case slotReleased(RequestID)
  /// Tell the user how the request ended.
  case tell(RequestID, RequestEnd)
}

/// Why a request was refused.
public enum RequestRefusal: UInt8, Hashable, Sendable, BitwiseCopyable {
  /// It is held back by the long limit; the call itself throws (U25).
  case longLimitThrowing
  /// It is held back by the long limit; it fails like any other, asynchronously (U26).
  case longLimitFailing
  /// The dispatcher is closed.
  case closed
}

/// How a request ended.
public enum RequestEnd: Hashable, Sendable, BitwiseCopyable {
  /// The transport finished it, whatever the status of the response (U58).
  case finished
  /// The transport failed with a number of its own, passed on as it is (U59).
  case failed(code: Int32)
  /// The transport could not begin it (U81).
  case notStarted
  /// The connection was lost with its network.
  case connectionLost
  /// Its time-out passed while it ran; the local one, not the platform's (U44).
  case timedOut
  /// Its time-out or deadline passed while the local limit held it back.
  case queueTimeout
  /// Its deadline passed.
  case deadlineExceeded
  /// The user cancelled it (U46).
  case cancelled
  /// The dispatcher was closed (U65).
  case closed
}

/// What becomes of a request that arrives.
public enum Admission: Hashable, Sendable, BitwiseCopyable {
  /// It is handed to the transport at once.
  case startsNow
  /// It waits, at a place of its line that is counted from 1.
  case waits(position: UInt32)
  /// It is refused.
  case refused(RequestRefusal)
  /// It is handed to the platform and freezes there.
  case freezes
  /// It becomes short requests; the first waits at a place of its line, or 0 starts at once.
  case polls(position: UInt32)
}
