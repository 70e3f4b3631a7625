/// Counts of the threads and operations of a pool, all taken at one instant.
@usableFromInline
package struct ThreadPoolCounts: Hashable, Sendable {
  /// The number of threads, counted from shortly before their start until they have no more work.
  @usableFromInline package internal(set) var threads = 0
  /// The number of operations that wait for a thread.
  @usableFromInline package internal(set) var queued = 0
  /// The number of running operations.
  @usableFromInline package internal(set) var running = 0
  /// The number of operations that ended without an error.
  @usableFromInline package internal(set) var completed = 0
  /// The number of operations that ended with an error.
  @usableFromInline package internal(set) var failed = 0
  /// The number of canceled operations.
  @usableFromInline package internal(set) var cancelled = 0
  /// The number of operations that an immediate shutdown has refused.
  @usableFromInline package internal(set) var refused = 0

  /// Creates counts that are all zero.
  package init() {}
}

/// The manner in which a pool shuts down.
@usableFromInline
package enum ThreadPoolShutdown: Hashable, Sendable {
  /// All accepted operations run to their end.
  case orderly
  /// Running operations run to their end, and waiting operations are refused.
  case immediate
}
