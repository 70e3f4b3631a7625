/// An operation that a thread pool has accepted: what it may be waited for and cancelled by.
///
/// It may be dropped; the operation is run all the same. Holding it keeps nothing else alive: what
/// the operation captured is released when it has run, before its outcome is told.
public struct ThreadPoolOperation: Sendable {
  /// How an operation has ended.
  public enum Outcome: Sendable {
    /// It was run, and threw no error.
    case completed
    /// It was run, and threw this error; the thread goes on with the next (U69).
    case failed(any Error)
    /// It was cancelled while it waited, and never ran.
    case cancelled
    /// The pool was shut down immediately while it waited, and it never ran (U73).
    case refused
  }

  let engine: PoolEngine
  let record: OperationRecord

  /// How it has ended; nil while it waits or runs.
  public var outcome: Outcome? { engine.outcome(of: record) }

  /// Withdraws the operation, if it still waits for a thread.
  ///
  /// An operation that runs goes on; one that has ended stays as it is (U47, U48).
  ///
  /// - Returns: whether it was withdrawn by this call, so that it will never run.
  @discardableResult
  public func cancel() -> Bool { engine.cancel(record) }

  /// Blocks the calling thread until the operation has ended, however it ends (U75).
  ///
  /// - Parameter timeout: how long to wait at most; nil for as long as it takes. With zero it only
  ///   looks.
  /// - Returns: how it has ended.
  /// - Throws: ``ThreadPoolError/Code/wouldDeadlock`` on a thread of the same pool, whether the
  ///   operation has ended or not; ``ThreadPoolError/Code/timedOut``.
  @available(*, noasync, message: "It blocks the thread; await the outcome instead.")
  @discardableResult
  public func wait(timeout: Duration? = nil) throws(ThreadPoolError) -> Outcome {
    try engine.wait(for: record, timeout: timeout)
  }

  /// Waits until the operation has ended, however it ends, without blocking a thread.
  ///
  /// It may be awaited on the pool itself. Cancelling the task that awaits changes nothing.
  ///
  /// - Returns: how it has ended.
  @discardableResult
  public func wait() async -> Outcome { await engine.wait(for: record) }
}
