extension EndpointDispatcher {
  /// When something next happens of itself that matters, before a limit; the limit where nothing
  /// does.
  ///
  /// Time-outs and deadlines of requests always matter. Unlike ``nextDeadline`` it can leave out
  /// the rests of polled streams, which may go on for ever.
  ///
  /// - Parameters:
  ///   - limit: what nobody wants to know is at this instant or later.
  ///   - restMatters: whether the end of a request's rest between two polls matters.
  public func nextDeadline(
    before limit: Instant, restMatters: (RequestID) -> Bool
  ) -> Instant {
    deadlines.earliest(before: limit) { entry in
      let row = requests[entry.row]
      guard row.phase == .resting, entry.due < row.deadline, !restMatters(requests.id(entry.row))
      else { return entry.due }
      return row.deadline
    }
  }

  /// When the next of the short requests that a stream is made of is due; nil where it does not
  /// rest between two of them.
  public func nextPoll(of request: RequestID) -> Instant? {
    guard requests.isLive(request), requests[request.index].phase == .resting else { return nil }
    return requests[request.index].timer
  }
}
