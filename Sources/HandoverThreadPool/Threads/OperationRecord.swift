import HandoverThreadPoolMachine

/// An operation in the pool: what it is, while it waits, and what has become of it.
///
/// It does not know its pool: a count of references that all threads keep would cost them more than
/// everything else they do for an operation.
final class OperationRecord: Sendable {
  /// What there is to run.
  @safe
  enum Work: Sendable {
    case body(@Sendable () throws -> Void)
    // The task that the job is a piece of holds its executor.
    case job(UnownedJob, UnownedTaskExecutor)
  }

  /// What changes.
  struct State {
    var ticket = Ticket()
    /// Nil once the operation runs or has ended.
    var work: Work?
    var outcome: ThreadPoolOperation.Outcome?
    var waiters: [Waiter] = []
  }

  // Whoever reads or writes it holds the engine's lock: PoolEngine is the only one to name it.
  @exclusivity(unchecked) nonisolated(unsafe) var state: State

  init(_ work: Work) {
    unsafe state = State(work: work)
  }
}
