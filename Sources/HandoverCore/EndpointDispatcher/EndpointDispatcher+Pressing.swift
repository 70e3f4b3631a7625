extension EndpointDispatcher {
  /// The earliest time-out or deadline of a request; nil where none has one.
  ///
  /// Unlike ``nextDeadline`` it leaves out the rests of polled streams, which go on for ever. It is
  /// a walk over all requests, for those who want to know whether anything will still end.
  public var nextDeadlineOfRequests: Instant? {
    var earliest = Instant.never
    for index in 0..<rowCount {
      let request = UInt32(truncatingIfNeeded: index)
      guard requests.isLive(request) else { continue }
      let row = requests[request]
      let timer = row.phase == .resting ? .never : row.timer
      earliest = min(earliest, timer, isDeaf(request) ? .never : row.deadline)
    }
    return earliest == .never ? nil : earliest
  }

  /// When the next of the short requests that a stream is made of is due; nil where it does not
  /// rest between two of them.
  public func nextPoll(of request: RequestID) -> Instant? {
    guard requests.isLive(request), requests[request.index].phase == .resting else { return nil }
    return requests[request.index].timer
  }
}
