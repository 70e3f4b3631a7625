package import HandoverMachines

// What a dispatcher's future hangs on, as `ChannelPool` has it: no generations, and of counters
// only the order.
extension EndpointDispatcher {
  /// Takes in what decides the dispatcher's future.
  ///
  /// - Parameters:
  ///   - digest: takes it in.
  ///   - leavesOutStarts: whether it does not matter when requests were handed over, which only one
  ///     of the defects remembers (U85).
  package func combine(into digest: inout StateDigest, leavesOutStarts: Bool = false) {
    digest.combine(UInt64(configuration.limits.total) << 32 | UInt64(configuration.limits.long))
    digest.combine(isClosed)
    for index in 0..<endpoints.count {
      let endpoint = endpoints[index]
      digest.combine(UInt64(endpoint.heldByLong) << 32 | UInt64(endpoint.total))
      digest.combine(endpoint.hasBudget)
      digest.combine(endpoint.latestWait == digest.now)
    }
    requests.combine(into: &digest, leavesOutStarts: leavesOutStarts)
    deadlines.combine(into: &digest)
    digest.combine(sleepers.count)
    for endpoint in sleepers { digest.combine(endpoint) }
  }

  /// Takes in who somebody means by an identifier: a row, and whether it is still that request's.
  package func combine(_ request: RequestID, into digest: inout StateDigest) {
    digest.combine(UInt64(request.index) << 1 | (requests.isLive(request) ? 1 : 0))
  }
}

extension RequestTable {
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
    digest.combine(
      UInt64(row.kind.rawValue) << 24 | UInt64(row.phase.rawValue) << 16
        | UInt64(row.load.rawValue) << 8 | (row.isHeld ? 1 : 0))
    digest.combine(row.deadline)
    digest.combine(row.timer)
    if !leavesOutStarts { digest.combine(row.started) }
    digest.combine(row.timeout)
    digest.combine(row.pollInterval)
  }
}
