/// A handle to wait for or cancel an operation that a thread pool has accepted.
///
/// The operation runs even if the handle is discarded. The handle keeps nothing else alive: values
/// that the operation captured are released after its run, before its outcome is available.
public struct ThreadPoolOperation: Sendable {
  /// The outcome of an operation.
  public enum Outcome: Sendable {
    /// The operation ran without an error.
    case completed
    /// The operation threw this error; its thread continues with the next operation (U69).
    case failed(any Error)
    /// The operation was canceled while it waited, and never ran.
    case cancelled
    /// The pool was shut down immediately while the operation waited, and the operation never ran
    /// (U73).
    case refused
  }

  let engine: PoolEngine
  let record: OperationRecord

  /// The outcome, or `nil` while the operation waits or runs.
  public var outcome: Outcome? { engine.outcome(of: record) }

  /// Cancels the operation if it still waits for a thread.
  ///
  /// An operation that is running or has ended is not affected (U47, U48).
  ///
  /// - Returns: Whether this call canceled the operation, so that it will never run.
  @discardableResult
  public func cancel() -> Bool { engine.cancel(record) }

  /// Blocks the calling thread until the operation has ended with any outcome (U75).
  ///
  /// - Parameter timeout: The maximum waiting time, or `nil` for no limit; zero only checks.
  /// - Returns: The outcome.
  /// - Throws: ``ThreadPoolError/Code/wouldDeadlock`` on a thread of the same pool, even if the
  ///   operation has ended; ``ThreadPoolError/Code/timedOut``.
  @available(*, noasync, message: "It blocks the thread; await the outcome instead.")
  @discardableResult
  public func wait(timeout: Duration? = nil) throws(ThreadPoolError) -> Outcome {
    try engine.wait(for: record, timeout: timeout)
  }

  /// Waits without blocking a thread until the operation has ended with any outcome.
  ///
  /// The method may be awaited on the pool itself. Canceling the awaiting task has no effect.
  ///
  /// - Returns: The outcome.
  @discardableResult
  public func wait() async -> Outcome { await engine.wait(for: record) }
}
