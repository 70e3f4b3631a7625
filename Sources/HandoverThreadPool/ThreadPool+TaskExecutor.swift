/// Makes a pool usable as a task executor: `Task(executorPreference: pool)` or
/// `withTaskExecutorPreference(pool)`.
///
/// Each part of a task between two suspensions counts as one operation.
extension ThreadPool: TaskExecutor {
  /// Runs a part of a task on a thread of the pool.
  ///
  /// A task cannot be rejected: if it never runs again, it is never released. Therefore the queue
  /// bound does not apply to tasks. Tasks run on the global concurrent executor instead if the pool
  /// is shut down or has no thread. The same applies to tasks that wait during an immediate
  /// shutdown.
  public func enqueue(_ job: consuming ExecutorJob) {
    let part = TaskPart(job, of: self)
    do throws(ThreadPoolError) {
      try engine.submit(.part(part), isBounded: false)
    } catch {
      part.runOutsidePool()
    }
  }
}
