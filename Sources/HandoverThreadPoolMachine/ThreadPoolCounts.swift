/// What a thread pool has and has done, all of one instant.
@usableFromInline
package struct ThreadPoolCounts: Hashable, Sendable {
  /// The threads there are, from before one is started until it has nothing left to do.
  @usableFromInline package internal(set) var threads = 0
  /// The operations that wait for a thread.
  @usableFromInline package internal(set) var queued = 0
  /// The operations that run.
  @usableFromInline package internal(set) var running = 0
  /// The operations that have ended without an error.
  @usableFromInline package internal(set) var completed = 0
  /// The operations that have ended with an error.
  @usableFromInline package internal(set) var failed = 0
  /// The operations that were withdrawn.
  @usableFromInline package internal(set) var cancelled = 0
  /// The operations that were refused by an immediate shutdown.
  @usableFromInline package internal(set) var refused = 0

  /// Counts nothing.
  package init() {}
}

/// How a pool comes to its end.
@usableFromInline
package enum ThreadPoolShutdown: Hashable, Sendable {
  /// What was accepted is run to the end.
  case orderly
  /// What runs is run to the end, and what waits is refused.
  case immediate
}
