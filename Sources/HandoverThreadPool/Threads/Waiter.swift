import HandoverCore

/// A thread or task that waits for an event of a pool.
enum Waiter: Sendable {
  case thread(Condition)
  case task(CheckedContinuation<Void, Never>)
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
