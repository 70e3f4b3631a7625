// The state that determines the dispatcher's future behavior, as for `ChannelPool`. The digest
// omits generations and uses only the order of counters.
extension EndpointDispatcher {
  /// Adds the state that determines the dispatcher's future behavior to a digest.
  ///
  /// - Parameters:
  ///   - digest: the digest to extend.
  ///   - leavesOutStarts: whether to omit the times at which requests were passed to the transport;
  ///     only defect U85 depends on them.
  package func combine(into digest: inout StateDigest, leavesOutStarts: Bool = false) {
    combineEndpoints(into: &digest)
    requests.combine(into: &digest, leavesOutStarts: leavesOutStarts)
    deadlines.combine(into: &digest)
    combineSleepers(into: &digest)
  }

  /// Adds the state that determines the dispatcher's future behavior, independent of request rows.
  ///
  /// Two dispatchers add the same values if they differ only in the rows of their requests. The
  /// order of arrival counts only for waiting requests; running requests are ordered only by their
  /// deadlines.
  ///
  /// - Parameters:
  ///   - digest: the digest to extend.
  ///   - leavesOutStarts: as in ``combine(into:leavesOutStarts:)``.
  ///   - others: a function that returns the caller's own state of the request in a row.
  package func combineUnnamedState(
    into digest: inout StateDigest, leavesOutStarts: Bool, and others: (UInt32) -> UInt64
  ) {
    combineEndpoints(into: &digest)
    for line in 0..<requests.lines.count { digest.combine(requests.lines[line].count) }
    for form in nameless(from: digest.now, leavesOutStarts: leavesOutStarts, and: others) {
      for word in form { digest.combine(word) }
    }
    combineSleepers(into: &digest)
  }

  private func combineEndpoints(into digest: inout StateDigest) {
    digest.combine(UInt64(configuration.limits.total) << 32 | UInt64(configuration.limits.long))
    digest.combine(isClosed)
    for index in 0..<endpoints.count {
      let endpoint = endpoints[index]
      digest.combine(UInt64(endpoint.heldByLong) << 32 | UInt64(endpoint.total))
      digest.combine(endpoint.hasBudget)
      digest.combine(endpoint.latestWait == digest.now)
    }
  }

  private func combineSleepers(into digest: inout StateDigest) {
    digest.combine(sleepers.count)
    for endpoint in sleepers { digest.combine(endpoint) }
  }

  /// Returns the requests as arrays of integers, in an order that does not depend on their rows.
  private func nameless(
    from now: Instant, leavesOutStarts: Bool, and others: (UInt32) -> UInt64
  ) -> [[UInt64]] {
    var turns: [(row: UInt32, turn: UInt64)] = []
    deadlines.forEach { turns.append(($0.row, UInt64(turns.count + 1))) }
    var waiting: [(arrival: UInt64, row: UInt32)] = []
    for index in 0..<requests.rows.count where requests.rows[index].waitsForSlot {
      waiting.append((requests.rows[index].arrival, UInt32(truncatingIfNeeded: index)))
    }
    waiting.sort { $0.arrival < $1.arrival }
    func since(_ instant: Instant) -> UInt64 {
      instant == .never ? .max : UInt64(bitPattern: instant.microseconds &- now.microseconds)
    }
    var forms: [[UInt64]] = []
    for index in 0..<requests.rows.count where requests.rows[index].phase != .free {
      let row = requests.rows[index]
      let name = UInt32(truncatingIfNeeded: index)
      let position = waiting.firstIndex { $0.row == name } ?? 0
      let traits =
        UInt64(row.kind.rawValue) << 24 | UInt64(row.phase.rawValue) << 16
        | UInt64(row.load.rawValue) << 8 | (row.isHeld ? 1 : 0)
      forms.append([
        UInt64(row.endpoint) << 32 | UInt64(row.line), traits, UInt64(position), others(name),
        since(row.deadline), since(row.timer), UInt64(bitPattern: row.timeout.microseconds),
        row.isPolling ? UInt64(bitPattern: row.pollInterval.microseconds) : 0,
        leavesOutStarts ? 0 : since(row.started),
        turns.first { $0.row == name }?.turn ?? 0,
      ])
    }
    return forms.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Adds the request that an identifier refers to: its row, and whether the request is still live.
  package func combine(_ request: RequestID, into digest: inout StateDigest) {
    digest.combine(UInt64(request.index) << 1 | (requests.isLive(request) ? 1 : 0))
  }
}

extension RequestRow {
  /// Whether the request waits in a line for a slot, so that the arrival order matters.
  fileprivate var waitsForSlot: Bool { phase == .waiting || phase == .frozen }
}

extension EndpointRequestTable {
  fileprivate func combine(into digest: inout StateDigest, leavesOutStarts: Bool) {
    digest.combine(rows.count)
    var free = nextID.index
    while free < rows.count {
      digest.combine(free)
      free = rows[Int(free)].next
    }
    var arrivals: [(arrival: UInt64, row: Int)] = []
    for index in 0..<rows.count where rows[index].phase != .free {
      combine(rows[index], into: &digest, leavesOutStarts: leavesOutStarts)
      arrivals.append((rows[index].arrival, index))
    }
    for (_, row) in arrivals.sorted(by: <) { digest.combine(row) }
    for index in 0..<lines.count {
      digest.combine(UInt64(lines[index].first) << 32 | UInt64(lines[index].last))
      digest.combine(lines[index].count)
    }
  }

  private func combine(
    _ row: RequestRow, into digest: inout StateDigest, leavesOutStarts: Bool
  ) {
    digest.combine(UInt64(row.endpoint) << 32 | UInt64(row.line))
    digest.combine(UInt64(row.next) << 32 | UInt64(row.previous))
    let state = UInt64(row.kind.rawValue) << 24 | UInt64(row.phase.rawValue) << 16
    digest.combine(state | UInt64(row.load.rawValue) << 8 | (row.isHeld ? 1 : 0))
    digest.combine(row.deadline)
    digest.combine(row.timer)
    if !leavesOutStarts { digest.combine(row.started) }
    digest.combine(row.timeout)
    digest.combine(row.pollInterval)
  }
}
