import HandoverCore

/// A pool of threads that are started on demand and end when they are no longer needed.
///
/// The pool never has more threads than its configured maximum. Operations begin in the order in
/// which they were submitted, each on its own thread. An operation uses an idle thread if there is
/// one. Otherwise the pool starts a new thread, up to the maximum, or the operation waits in the
/// queue. The pool collects (ends) threads that have been idle for some time.
///
/// ```swift
/// let pool = try ThreadPool(ThreadPool.Configuration(name: "Images", threads: 4))
/// let operation = try pool.submit { try decode(image) }
/// let outcome = await operation.wait()
/// ```
///
/// Operations may block, which is the main purpose of a separate pool. When the pool is destroyed,
/// it shuts down in an orderly manner; neither operations nor threads retain it.
///
/// All methods may be called from any thread at any time, including the pool's own threads. The
/// exception is methods that block until an event occurs: on the pool's own threads they throw
/// ``ThreadPoolError/Code/wouldDeadlock``.
public final class ThreadPool: Sendable {
  let engine: PoolEngine

  /// Creates a pool without any threads (U66).
  ///
  /// - Throws: ``ThreadPoolError/Code/invalidConfiguration`` if a value is out of range.
  public convenience init(_ configuration: Configuration) throws(ThreadPoolError) {
    try self.init(configuration, time: .system)
  }

  /// Creates a pool with an external clock, whose owner must call `timePassed` when time has
  /// passed.
  package convenience init(
    _ configuration: Configuration, now: @escaping @Sendable () -> Duration
  ) throws(ThreadPoolError) {
    try self.init(configuration, time: .manual(now))
  }

  private init(
    _ configuration: Configuration, time: PoolEngine.TimeSource
  ) throws(ThreadPoolError) {
    if let mistake = configuration.mistake {
      throw ThreadPoolError(.invalidConfiguration, of: configuration.name, mistake)
    }
    engine = PoolEngine(
      name: configuration.name,
      limits: ThreadPoolMachine.Limits(
        threads: configuration.threads, maximumQueueLength: configuration.maximumQueueLength,
        idleTime: configuration.idleTime.bounded,
        collectionPeriod: configuration.collectionPeriod.bounded),
      time: time)
  }

  deinit { engine.shutDown(.orderly) }

  /// Collects the threads that have been idle for long enough, in a pool with an external clock.
  package func timePassed() { engine.collect() }

  /// The name of the pool.
  public var name: String { engine.name }

  /// The current counts of the pool's threads and operations.
  public var statistics: ThreadPoolStatistics { engine.numbers }

  /// Runs an operation on a thread of the pool.
  ///
  /// The method never blocks and never runs the operation itself. The operation may run before the
  /// method returns.
  ///
  /// - Parameter operation: The closure to run; an error that it throws becomes its outcome.
  /// - Returns: A handle to wait for or cancel the operation, which may be discarded.
  /// - Throws: ``ThreadPoolError/Code/full`` if the queue is full,
  ///   ``ThreadPoolError/Code/shutDown`` after a shutdown, or ``ThreadPoolError/Code/noThread`` if
  ///   the pool has no thread and the system cannot start one.
  @discardableResult
  public func submit(
    _ operation: @escaping @Sendable () throws -> Void
  ) throws(ThreadPoolError) -> ThreadPoolOperation {
    try engine.submit(.body(operation), isBounded: true)
  }

  /// Blocks the calling thread until all operations accepted before the call have ended.
  ///
  /// Operations that are submitted during the wait are not waited for, so the pool is not
  /// necessarily idle afterward. Any number of threads may wait.
  ///
  /// - Parameter timeout: The maximum waiting time, or `nil` for no limit.
  /// - Throws: ``ThreadPoolError/Code/wouldDeadlock`` on a thread of this pool;
  ///   ``ThreadPoolError/Code/timedOut``.
  @available(*, noasync, message: "It blocks the thread; await it instead.")
  public func waitForSubmitted(timeout: Duration? = nil) throws(ThreadPoolError) {
    try engine.block(until: engine.allSubmitted, timeout: timeout)
  }

  /// Waits without blocking a thread until all operations accepted before the call have ended.
  ///
  /// It has the same guarantees as the blocking variant, and may be awaited on the pool itself.
  /// Canceling the awaiting task has no effect.
  public func waitForSubmitted() async {
    await engine.suspend(until: engine.allSubmitted)
  }

  /// Stops accepting operations, and ends the threads when they have no more work.
  ///
  /// The method returns immediately. A second call has no effect, except that an immediate shutdown
  /// may follow an orderly one.
  public func shutDown(_ manner: Shutdown = .orderly) { engine.shutDown(manner) }

  /// Blocks the calling thread until the pool is shut down and its last thread is about to end.
  ///
  /// The method does not shut the pool down.
  ///
  /// - Parameter timeout: The maximum waiting time, or `nil` for no limit.
  /// - Throws: ``ThreadPoolError/Code/wouldDeadlock`` on a thread of this pool;
  ///   ``ThreadPoolError/Code/timedOut``.
  @available(*, noasync, message: "It blocks the thread; await it instead.")
  public func waitForShutdown(timeout: Duration? = nil) throws(ThreadPoolError) {
    try engine.block(until: .termination, timeout: timeout)
  }

  /// Waits without blocking a thread until the pool is shut down and its last thread is about to
  /// end.
  ///
  /// A task that runs on the pool continues on another executor afterward; see
  /// ``ThreadPool/enqueue(_:)``.
  public func waitForShutdown() async { await engine.suspend(until: .termination) }
}
