import HandoverThreadPoolMachine

/// What a thread pool has and has done, all of one instant.
///
/// `queued + running + completed + failed + cancelled + refused` is the number of operations that
/// were ever accepted.
public struct ThreadPoolNumbers: Hashable, Sendable {
  /// The threads there are: those that run an operation and those that are idle.
  ///
  /// Never more than the pool was given. A thread counts from before it is started until it has
  /// nothing left to do but to end.
  public internal(set) var threads = 0
  /// The operations that wait for a thread; those that run do not count (U74).
  public internal(set) var queued = 0
  /// The operations that run, each on a thread of its own.
  public internal(set) var running = 0
  /// The operations that have ended without an error.
  public internal(set) var completed = 0
  /// The operations that have ended by throwing an error.
  public internal(set) var failed = 0
  /// The operations that were withdrawn while they waited.
  public internal(set) var cancelled = 0
  /// The operations that waited when the pool was shut down immediately.
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

  /// The threads that run no operation.
  public var idleThreads: Int { threads - running }
}
