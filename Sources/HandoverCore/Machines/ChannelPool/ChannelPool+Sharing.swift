// Every public function that changes a pool calls `ownTables()` first; see ``Sharing``.
extension ChannelPool {
  /// Ensures that no other pool shares the tables.
  @inlinable
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
    // This must come last, because the other pool may then treat the shared tables as its own.
    sharing = Sharing()
  }
}
