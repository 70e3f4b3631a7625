extension EndpointDispatcher {
  /// Returns the time of the next relevant deadline before a limit.
  ///
  /// Timeouts and deadlines of requests are always relevant. The pause of a polled stream is
  /// relevant if its next poll will not get a slot. Unlike ``nextDeadline``, this function can skip
  /// other pauses, which may repeat forever.
  ///
  /// - Parameters:
  ///   - limit: the instant from which deadlines are ignored.
  ///   - restMatters: whether the end of a request's pause is relevant if its poll gets a slot.
  /// - Returns: the time of the deadline, or `limit` if there is none.
  public func nextDeadline(
    before limit: Instant, restMatters: (RequestID) -> Bool
  ) -> Instant {
    // Consecutive entries usually belong to the same endpoint, so the last result is cached.
    var known: (endpoint: UInt32, takesPolls: Bool)?
    return deadlines.earliest(before: limit) { entry in
      let row = requests[entry.row]
      guard row.phase == .resting, entry.due < row.deadline else { return entry.due }
      if known?.endpoint != row.endpoint { known = (row.endpoint, takesPolls(row.endpoint)) }
      guard known?.takesPolls == true, !restMatters(requests.id(entry.row)) else {
        return entry.due
      }
      return row.deadline
    }
  }

  /// Returns whether a slot is free for polls, or a poll holds a slot that it will release.
  private func takesPolls(_ endpoint: UInt32) -> Bool {
    guard !hasFreeSlot(endpoint) else { return true }
    var holder = requests.line(.holders, on: endpoint).first
    while holder != noRow, !requests[holder].isPolling { holder = requests[holder].next }
    return holder != noRow
  }
}
