public import HandoverMachines

extension EndpointDispatcher {
  /// When something next happens of itself that matters, before a limit.
  ///
  /// Time-outs and deadlines of requests always matter, and so does the rest of a polled stream
  /// whose next poll will not get a slot. Unlike ``nextDeadline`` it can leave out other rests,
  /// which may go on for ever.
  ///
  /// - Parameters:
  ///   - limit: what nobody wants to know is at this instant or later.
  ///   - restMatters: whether the end of a request's rest matters where a slot comes to it.
  /// - Returns: the instant; the limit where nothing does.
  public func nextDeadline(
    before limit: Instant, restMatters: (RequestID) -> Bool
  ) -> Instant {
    // Streams of one endpoint stand side by side more often than not.
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

  /// Whether a slot is free for polls, or will be because a poll holds it.
  private func takesPolls(_ endpoint: UInt32) -> Bool {
    guard !hasFreeSlot(endpoint) else { return true }
    var holder = requests.line(.holders, on: endpoint).first
    while holder != noRow, !requests[holder].isPolling { holder = requests[holder].next }
    return holder != noRow
  }
}
