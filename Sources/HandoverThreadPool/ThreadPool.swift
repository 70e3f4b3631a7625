import HandoverThreadPoolMachine

/// A pool of threads that are made when they are needed and end when they are not.
///
/// There are never more threads than the pool was given. Operations begin in the order in which
/// they were submitted, each on a thread of its own. An operation takes an idle thread where there
/// is one; else a new one is made, up to the number; else it waits in the queue. Threads that have
/// been idle for a while are collected.
///
/// ```swift
/// let pool = try ThreadPool(ThreadPool.Configuration(name: "Images", threads: 4))
/// let operation = try pool.submit { try decode(image) }
/// let outcome = await operation.wait()
/// ```
///
/// Operations may block: that is what threads of one's own are for. A pool that nobody holds any
/// more is shut down in an orderly manner; neither operations nor threads hold it.
///
/// All of it may be used by any thread at any time, by the pool's own threads too, but for the
/// calls that block until something has happened: on the pool's own threads they throw
/// ``ThreadPoolError/Code/wouldDeadlock``.
public final class ThreadPool: Sendable {
  let engine: PoolEngine

  /// Makes a pool; no thread is made yet (U66).
  ///
  /// - Throws: ``ThreadPoolError/Code/invalidConfiguration`` where a value is out of its range.
  public convenience init(_ configuration: Configuration) throws(ThreadPoolError) {
    try self.init(configuration, time: .system)
  }

  /// Makes a pool whose time is told by somebody, who calls `timePassed` when it has.
  package convenience init(
    _ configuration: Configuration, now: @escaping @Sendable () -> Duration
  ) throws(ThreadPoolError) {
    try self.init(configuration, time: .told(now))
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
        threads: configuration.threads, queueBound: configuration.queueBound,
        idleTime: configuration.idleTime.bounded,
        collectionPeriod: configuration.collectionPeriod.bounded),
      time: time)
  }

  deinit { engine.shutDown(.orderly) }

  /// Collects the idle threads whose time has come, in a pool that is told the time.
  package func timePassed() { engine.collect() }

  /// The name of the pool.
  public var name: String { engine.name }

  /// What the pool has and has done at this instant.
  public var numbers: ThreadPoolNumbers { engine.numbers }

  /// Lets a thread of the pool run an operation.
  ///
  /// It never blocks and runs nothing itself. The operation may be run before it returns.
  ///
  /// - Parameter operation: what to run; an error that it throws is told by its outcome.
  /// - Returns: the operation, to be waited for or cancelled; it may be dropped.
  /// - Throws: ``ThreadPoolError/Code/full`` where as many operations wait as may,
  ///   ``ThreadPoolError/Code/shutDown`` from the shutdown on, ``ThreadPoolError/Code/noThread``
  ///   where the pool has no thread and the system gives it none.
  @discardableResult
  public func submit(
    _ operation: @escaping @Sendable () throws -> Void
  ) throws(ThreadPoolError) -> ThreadPoolOperation {
    try engine.submit(.body(operation), isBounded: true)
  }

  /// Blocks the calling thread until all operations that were accepted before the call have ended.
  ///
  /// It comes back however many operations are submitted meanwhile: they are not waited for. So an
  /// idle pool is not what it promises, unless nobody submits. Any number of threads may wait.
  ///
  /// - Parameter timeout: how long to wait at most; nil for as long as it takes.
  /// - Throws: ``ThreadPoolError/Code/wouldDeadlock`` on a thread of this pool;
  ///   ``ThreadPoolError/Code/timedOut``.
  @available(*, noasync, message: "It blocks the thread; await it instead.")
  public func waitForSubmitted(timeout: Duration? = nil) throws(ThreadPoolError) {
    try engine.block(until: engine.allSubmitted, timeout: timeout)
  }

  /// Waits until all operations that were accepted before the call have ended, without blocking a
  /// thread.
  ///
  /// It promises what the blocking one does, and may be awaited on the pool itself. Cancelling the
  /// task that awaits changes nothing.
  public func waitForSubmitted() async {
    await engine.suspend(until: engine.allSubmitted)
  }

  /// Accepts no more operations and lets the threads end when they have nothing left to do.
  ///
  /// It returns at once. A second call changes nothing, except that an orderly shutdown may be
  /// followed by an immediate one.
  public func shutDown(_ manner: Shutdown = .orderly) { engine.shutDown(manner) }

  /// Blocks the calling thread until the pool is shut down and its last thread has nothing left to
  /// do but to end.
  ///
  /// It shuts down nothing by itself.
  ///
  /// - Parameter timeout: how long to wait at most; nil for as long as it takes.
  /// - Throws: ``ThreadPoolError/Code/wouldDeadlock`` on a thread of this pool;
  ///   ``ThreadPoolError/Code/timedOut``.
  @available(*, noasync, message: "It blocks the thread; await it instead.")
  public func waitForShutdown(timeout: Duration? = nil) throws(ThreadPoolError) {
    try engine.block(until: .termination, timeout: timeout)
  }

  /// Waits until the pool is shut down and its last thread has nothing left to do but to end,
  /// without blocking a thread.
  ///
  /// A task that runs on the pool goes on elsewhere then, see ``ThreadPool/enqueue(_:)``.
  public func waitForShutdown() async { await engine.suspend(until: .termination) }
}
