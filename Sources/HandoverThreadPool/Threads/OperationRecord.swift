import HandoverCore

/// The record of an operation in the pool: its work while it waits, and its outcome afterward.
///
/// The record has no reference to its pool. A reference count that all threads update would cost
/// more than all their other work for an operation.
final class OperationRecord: Sendable {
  /// The work of an operation.
  @safe
  enum Work: Sendable {
    case body(@Sendable () throws -> Void)
    // The job's task retains the executor.
    case job(UnownedJob, UnownedTaskExecutor)
  }

  /// The mutable state.
  struct State {
    var ticket = Ticket()
    /// The work, or `nil` once the operation runs or has ended.
    var work: Work?
    var outcome: ThreadPoolOperation.Outcome?
    var waiters: [Waiter] = []
  }

  // All accesses hold the engine's lock; only PoolEngine uses this property.
  @exclusivity(unchecked) nonisolated(unsafe) var state: State

  init(_ work: Work) {
    unsafe state = State(work: work)
  }
}
