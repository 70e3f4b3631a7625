import HandoverThreadPoolMachine

/// Somebody who waits for something of a pool to happen.
enum Waiter: Sendable {
  case thread(Gate)
  case task(CheckedContinuation<Void, Never>)
}

/// What a thread that waits sleeps before; it is opened once.
final class Gate: Sendable {
  let condition = Condition()
  // Whoever reads or writes it holds the engine's lock: PoolEngine is the only one to name it.
  nonisolated(unsafe) var isOpen = false
}

/// What can be waited for.
enum Awaited: Sendable {
  /// That an operation has ended.
  case operation(OperationRecord)
  /// That all operations with lower tickets have ended.
  case operations(before: Ticket)
  /// That the pool is shut down and no thread is left.
  case termination
}
