// Whatever changes a pool from outside begins with `ownTables()`; see ``Sharing``.
extension ChannelPool {
  /// Makes sure that no other pool shares the tables.
  @inlinable
  @inline(__always)
  mutating func ownTables() {
    if !isKnownUniquelyReferenced(&sharing) { detachTables() }
  }

  @usableFromInline
  mutating func detachTables() {
    calls.rows.detach()
    endpoints.detach()
    connections.rows.detach()
    callDeadlines.detach()
    attemptDeadlines.detach()
    unusedDeadlines.detach()
    keepaliveDeadlines.detach()
    // Comes last: from now on the other pool may take the shared tables for its own.
    sharing = Sharing()
  }
}
