// The digest covers everything that affects the future behavior of a pool.
//
// Generations are left out: they distinguish the successive owners of one row, and no code compares
// the generations of two rows. The order of the free rows is included. It determines the rows of
// later calls and connections, and the rows determine the order of notifications.
extension ChannelPool {
  /// Combines everything that affects the future behavior of the pool.
  ///
  /// A test leaves out the deadlines to check that the omission is detected.
  package func combine(into digest: inout StateDigest, leavesOutDeadlines: Bool = false) {
    for index in 0..<endpoints.count { combine(endpoints[index], into: &digest) }
    for index in 0..<calls.rows.count where calls.rows[index].phase == .awaitingToken {
      digest.combine(index)
    }
    digest.combine(UInt64.max)
    var free = calls.nextID.index
    while free < calls.rows.count {
      digest.combine(free)
      free = calls.rows[Int(free)].next
    }
    digest.combine(calls.rows.count)
    for index in 0..<calls.rows.count where calls.rows[index].phase != .free {
      combine(calls.rows[index], into: &digest)
    }
    connections.combine(into: &digest)
    if !leavesOutDeadlines {
      callDeadlines.combine(into: &digest)
      attemptDeadlines.combine(into: &digest)
      unusedDeadlines.combine(into: &digest)
      keepaliveDeadlines.combine(into: &digest)
      combineTies(into: &digest)
    }
    digest.combine(observerGenerator != nil)
    if let observerGenerator { digest.combine(observerGenerator.state) }
  }

  private func combine(_ endpoint: Endpoint, into digest: inout StateDigest) {
    digest.combine(endpoint.state.rawValue)
    digest.combine(UInt64(endpoint.connection) << 32 | UInt64(endpoint.draining))
    digest.combine(UInt64(endpoint.firstCall) << 32 | UInt64(endpoint.waitingCount))
    endpoint.backoff.combine(into: &digest)
    digest.combine(notBefore: endpoint.notBefore)
  }

  private func combine(_ call: CallRow, into digest: inout StateDigest) {
    digest.combine(UInt64(call.endpoint) << 32 | UInt64(call.next))
    digest.combine(UInt64(call.connection) << 32 | UInt64(call.queuedMessages))
    let flags: UInt64 = (call.failsFast ? 2 : 0) | (call.isFinished ? 1 : 0)
    digest.combine(UInt64(call.queuedBytes) << 16 | UInt64(call.phase.rawValue) << 2 | flags)
  }

  /// Combines which kind of deadline comes first if several kinds are due together: the one that
  /// was armed first.
  private func combineTies(into digest: inout StateDigest) {
    callDeadlines.combineTies(1, with: attemptDeadlines, into: &digest)
    callDeadlines.combineTies(2, with: unusedDeadlines, into: &digest)
    callDeadlines.combineTies(3, with: keepaliveDeadlines, into: &digest)
    attemptDeadlines.combineTies(4, with: unusedDeadlines, into: &digest)
    attemptDeadlines.combineTies(5, with: keepaliveDeadlines, into: &digest)
    unusedDeadlines.combineTies(6, with: keepaliveDeadlines, into: &digest)
  }
}

extension ClientCore {
  /// Combines everything that affects the future behavior of the client; see ``ChannelPool``.
  package func combine(into digest: inout StateDigest, leavesOutDeadlines: Bool = false) {
    digest.combine(monitor.category.rawValue)
    channels.combine(into: &digest, leavesOutDeadlines: leavesOutDeadlines)
    decoration?.decorator.combine(into: &digest, of: self)
  }
}

extension Backoff {
  func combine(into digest: inout StateDigest) {
    digest.combine(mean)
    digest.combine(isFirst)
    digest.combine(generator.state)
  }
}

extension ConnectionTable {
  func combine(into digest: inout StateDigest) {
    digest.combine(rows.count)
    var free = firstFree
    while free != noRow {
      digest.combine(free)
      free = rows[Int(free)].next
    }
    digest.combine(noRow)
    for index in 0..<rows.count where rows[index].phase != .free {
      let row = rows[index]
      digest.combine(UInt64(row.endpoint) << 32 | UInt64(row.next))
      digest.combine(UInt64(row.callCount) << 32 | UInt64(row.pingsWithoutData))
      digest.combine(
        UInt64(row.phase.rawValue) << 2 | (row.awaitsPong ? 2 : 0) | (row.hasKeepalive ? 1 : 0))
      // Only a connection with keepalive uses the time of the last read.
      digest.combine(row.hasKeepalive ? row.lastRead : digest.now)
    }
  }
}

extension DeadlineQueue {
  /// Combines the armed deadlines, in the order in which they are due.
  package func combine(into digest: inout StateDigest) {
    forEach { entry in
      digest.combine(entry.row)
      digest.combine(entry.due)
    }
    digest.combine(UInt64.max)
  }
  /// Combines the relative order of deadlines in two queues that are due together; usually there
  /// are none.
  func combineTies(
    _ kinds: UInt64, with other: DeadlineQueue, into digest: inout StateDigest
  ) {
    guard earliest != .never, other.earliest != .never, mayTie(with: other) else { return }
    combineOrder(kinds, with: other, into: &digest)
  }

  private func mayTie(with other: DeadlineQueue) -> Bool {
    guard heap.count == 0, other.heap.count == 0 else { return true }
    var (own, others) = (head, other.head)
    while own != noRow, others != noRow {
      let (due, otherDue) = (positions[Int(own)].due, other.positions[Int(others)].due)
      if due == otherDue { return true }
      if due < otherDue {
        own = positions[Int(own)].next
      } else {
        others = other.positions[Int(others)].next
      }
    }
    return false
  }

  private func combineOrder(
    _ kinds: UInt64, with other: DeadlineQueue, into digest: inout StateDigest
  ) {
    var armed: [(entry: Entry, isOwn: Bool)] = []
    forEach { armed.append(($0, true)) }
    other.forEach { armed.append(($0, false)) }
    armed.sort { $0.entry.precedes($1.entry) }
    for (one, next) in zip(armed, armed.dropFirst())
    where one.entry.due == next.entry.due && one.isOwn != next.isOwn {
      digest.combine(kinds << 1 | (one.isOwn ? 1 : 0))
      digest.combine(UInt64(one.entry.row) << 32 | UInt64(next.entry.row))
    }
  }
}
