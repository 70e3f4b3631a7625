/// A pool can be where tasks run: `Task(executorPreference: pool)`,
/// `withTaskExecutorPreference(pool)`.
///
/// Each piece of a task between two suspensions is an operation and is counted as one.
extension ThreadPool: TaskExecutor {
  /// Lets a thread of the pool run a piece of a task.
  ///
  /// A task cannot be told that there is no room, and one that is never run again is never
  /// released. So the bound of the queue does not count for tasks, and where the pool is shut down
  /// or has no thread they run on the global concurrent executor; so do those that wait when the
  /// pool is shut down immediately.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    do throws(ThreadPoolError) {
      try unsafe engine.submit(.job(job, asUnownedTaskExecutor()), isBounded: false)
    } catch {
      globalConcurrentExecutor.enqueue(job)
    }
  }
}
