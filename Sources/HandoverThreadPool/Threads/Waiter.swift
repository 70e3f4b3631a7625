import HandoverCore

/// A thread or task that waits for an event of a pool.
enum Waiter: Sendable {
  case thread(Gate)
  case task(CheckedContinuation<Void, Never>)
}

/// A gate at which a waiting thread sleeps until it is opened once.
final class Gate: Sendable {
  let condition = Condition()
  // All accesses hold the engine's lock; only PoolEngine uses this property.
  nonisolated(unsafe) var isOpen = false
}

/// An event of a pool that can be awaited.
enum Awaited: Sendable {
  /// An operation has ended.
  case operation(OperationRecord)
  /// All operations with lower tickets have ended.
  case operations(before: Ticket)
  /// The pool is shut down and has no threads left.
  case termination
}
