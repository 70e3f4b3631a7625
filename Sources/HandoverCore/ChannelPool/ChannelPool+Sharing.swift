// A pool is a value, and its tables ask nobody whether they are shared: the pool asks once for each
// step, for all of them. Whatever changes a pool from outside begins with `ownTables()`.
extension ChannelPool {
  /// What is referred to as often as there are copies of a pool that share their tables; it says
  /// nothing of the pool, so that all are equal.
  @usableFromInline
  final class Sharing: Hashable, Sendable {
    @usableFromInline
    static func == (left: Sharing, right: Sharing) -> Bool { true }

    @usableFromInline
    func hash(into hasher: inout Hasher) {}
  }

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
