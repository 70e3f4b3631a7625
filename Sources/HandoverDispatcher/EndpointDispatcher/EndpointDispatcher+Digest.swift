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

  /// Takes in what decides the dispatcher's future but for the names of requests: two dispatchers
  /// of which one is the other with its requests in other rows take in the same.
  ///
  /// Of requests that run nobody asks any more who arrived first, so that they have no order but
  /// that in which their time will be up.
  ///
  /// - Parameters:
  ///   - digest: takes it in.
  ///   - leavesOutStarts: as in ``combine(into:leavesOutStarts:)``.
  ///   - others: what somebody else knows of the request in a row.
  package func combineNameless(
    into digest: inout StateDigest, leavesOutStarts: Bool, and others: (UInt32) -> UInt64
  ) {
    digest.combine(UInt64(configuration.limits.total) << 32 | UInt64(configuration.limits.long))
    for index in 0..<endpoints.count {
      let endpoint = endpoints[index]
      digest.combine(UInt64(endpoint.heldByLong) << 32 | UInt64(endpoint.total))
      digest.combine(endpoint.hasBudget)
      digest.combine(endpoint.latestWait == digest.now)
    }
    for line in 0..<requests.lines.count { digest.combine(requests.lines[line].count) }
    for form in nameless(from: digest.now, leavesOutStarts: leavesOutStarts, and: others) {
      for word in form { digest.combine(word) }
    }
    digest.combine(sleepers.count)
    for endpoint in sleepers { digest.combine(endpoint) }
  }

  /// The requests as words, in an order that does not hang on their rows.
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
      let place = waiting.firstIndex { $0.row == name } ?? 0
      let traits =
        UInt64(row.kind.rawValue) << 24 | UInt64(row.phase.rawValue) << 16
        | UInt64(row.load.rawValue) << 8 | (row.isHeld ? 1 : 0)
      forms.append([
        UInt64(row.endpoint) << 32 | UInt64(row.line), traits, UInt64(place), others(name),
        since(row.deadline), since(row.timer), UInt64(bitPattern: row.timeout.microseconds),
        row.isPolling ? UInt64(bitPattern: row.pollInterval.microseconds) : 0,
        leavesOutStarts ? 0 : since(row.started),
        turns.first { $0.row == name }?.turn ?? 0,
      ])
    }
    return forms.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Takes in who somebody means by an identifier: a row, and whether it is still that request's.
  package func combine(_ request: RequestID, into digest: inout StateDigest) {
    digest.combine(UInt64(request.index) << 1 | (requests.isLive(request) ? 1 : 0))
  }
}

extension RequestRow {
  /// Whether it stands in a line for a slot, where it matters who arrived first.
  fileprivate var waitsForSlot: Bool { phase == .waiting || phase == .frozen }
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
