/// The workers of an exploration, which may run concurrently.
///
/// Callers inject the implementation with threads. The result of an exploration does not depend on
/// the number of workers.
package protocol WorkerPool: Sendable {
  /// The number of workers, at least one.
  var count: Int { get }

  /// Runs the part of each worker, and waits until all parts are complete.
  ///
  /// - Parameter part: Called once with the index of each worker, counted from 0; calls may be
  ///   concurrent.
  func work(_ part: @Sendable (Int) -> Void)

  /// Called by a worker between two steps of its part; the implementation may delay the worker.
  func pause(_ worker: Int)
}

extension WorkerPool {
  package func pause(_ worker: Int) {}
}

/// A team of one worker, which runs on the calling thread.
package struct SingleWorker: WorkerPool {
  package init() {}

  package var count: Int { 1 }

  package func work(_ part: @Sendable (Int) -> Void) { part(0) }
}
