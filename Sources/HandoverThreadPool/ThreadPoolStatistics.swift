import HandoverCore

/// Counts of the threads and operations of a pool, all taken at one instant.
///
/// The sum `queued + running + completed + failed + cancelled + refused` is the number of
/// operations that were ever accepted.
public struct ThreadPoolStatistics: Hashable, Sendable {
  /// The number of threads, both busy and idle.
  ///
  /// It never exceeds the configured maximum. A thread counts from shortly before its start until
  /// it is about to end.
  public internal(set) var threads = 0
  /// The number of operations that wait for a thread, without running ones (U74).
  public internal(set) var queued = 0
  /// The number of operations that are running, each on its own thread.
  public internal(set) var running = 0
  /// The number of operations that ended without an error.
  public internal(set) var completed = 0
  /// The number of operations that ended with a thrown error.
  public internal(set) var failed = 0
  /// The number of operations that were canceled while they waited.
  public internal(set) var cancelled = 0
  /// The number of operations that were waiting at an immediate shutdown.
  public internal(set) var refused = 0

  init() {}

  init(_ counts: ThreadPoolCounts) {
    threads = counts.threads
    queued = counts.queued
    running = counts.running
    completed = counts.completed
    failed = counts.failed
    cancelled = counts.cancelled
    refused = counts.refused
  }

  /// The number of threads that run no operation.
  public var idleThreads: Int { threads - running }
}
