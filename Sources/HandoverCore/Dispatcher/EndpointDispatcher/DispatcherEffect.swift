/// An effect of the endpoint dispatcher.
///
/// For each request the dispatcher emits exactly one ``refuse(_:_:)`` or ``notify(_:_:)``, and
/// nothing after it.
public enum DispatcherEffect: Hashable, Sendable, BitwiseCopyable {
  /// Pass the request to the transport.
  case start(RequestID)
  /// Send the next short request of a polled stream.
  case startPoll(RequestID)
  /// Pass the request to the OS, which has no free connection for it.
  ///
  /// Only the timeout of the OS applies. The request may get a connection that becomes free later.
  case freeze(RequestID)
  /// The request is frozen beyond the long limit; nothing is sent until the request thaws.
  ///
  /// The dispatcher's timeout applies and ends the request with the error code of the OS (-1001).
  case hold(RequestID)
  /// A frozen request now has a slot; a held request is passed to the transport.
  case thaw(RequestID)
  /// The request waits at a 1-based position in its line.
  case wait(RequestID, position: UInt32)
  /// Notify the caller that the long limit of the endpoint delays the request.
  case limitReached(RequestID, EndpointID)
  /// Refuse the request.
  case refuse(RequestID, RequestRefusal)
  /// Replace the stream by short requests, with an interval after each answer.
  case replaceByPolls(RequestID, every: Interval)
  /// Cancel the request at the transport.
  case abandon(RequestID)
  /// The request released its slot, including its long count if it had one.
  ///
  /// This effect always precedes ``notify(_:_:)``, so that the notified caller can start another
  /// request (U38).
  case slotReleased(RequestID)
  /// Notify the caller how the request ended.
  case notify(RequestID, RequestEnd)
}

/// The reason why a request was refused.
public enum RequestRefusal: UInt8, Hashable, Sendable, BitwiseCopyable {
  /// The long limit rejects the request, and the call itself throws (U25).
  case longLimitThrowing
  /// The long limit rejects the request, which then fails asynchronously like any other (U26).
  case longLimitFailing
  /// The dispatcher is closed.
  case closed
}

/// The way a request ended.
public enum RequestEnd: Hashable, Sendable, BitwiseCopyable {
  /// The transport completed the request, whatever the status of the response (U58).
  case finished
  /// The transport failed with its own error code, which is passed on unchanged (U59).
  case failed(code: Int32)
  /// The transport could not start the request (U81).
  case notStarted
  /// The connection was lost because its network was lost.
  case connectionLost
  /// The dispatcher's timeout, not that of the OS, expired while the request ran (U44).
  case timedOut
  /// The timeout or the deadline expired while the local limit delayed the request, or the next
  /// poll of a stream.
  case queueTimeout
  /// The deadline passed.
  case deadlineExceeded
  /// The caller cancelled the request (U46).
  case cancelled
  /// The dispatcher was closed (U65).
  case closed
}

/// The outcome of the admission of an arriving request.
public enum Admission: Hashable, Sendable, BitwiseCopyable {
  /// The request is passed to the transport immediately.
  case startsNow
  /// The request waits at a 1-based position in its line.
  case waits(position: UInt32)
  /// The request is refused.
  case refused(RequestRefusal)
  /// The request is passed to the OS and freezes there.
  case freezes
  /// The request becomes short requests; the first waits at a position, or starts immediately at 0.
  case polls(position: UInt32)
}
