public import Dispatch
import Synchronization

/// Runs pieces of work one at a time, in the order in which they came.
public protocol ChainExecutor: Sendable {
  /// Takes a piece of work, and returns before it is done.
  func execute(_ work: @escaping @Sendable () -> Void)
}

/// Where work is done; it may be done side by side there.
///
/// Every queue of a chain is a line of its own over such a place: order is kept on the line, and
/// lines run side by side as far as the place lets them (L50, the alternative at its end).
public enum ExecutionPlace: Sendable {
  /// A dispatch queue, serial or concurrent.
  case dispatch(DispatchQueue)
  /// A task executor, serial or concurrent.
  case tasks(any TaskExecutor)

  /// A new line over the place.
  public func makeLine() -> any ChainExecutor {
    switch self {
    case .dispatch(let queue): DispatchLine(over: queue)
    case .tasks(let executor): TaskLine(over: executor)
    }
  }
}

/// A serial dispatch queue whose work is done on the threads of another queue (I12, I13).
public struct DispatchLine: ChainExecutor {
  private let queue: DispatchQueue

  /// Makes a line over a queue.
  public init(over target: DispatchQueue) {
    queue = DispatchQueue(label: "handover.line", target: target)
  }

  /// Puts a piece of work at the end of the line.
  public func execute(_ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
  }
}

/// A line of work over a task executor, which need not keep any order itself.
public final class TaskLine: ChainExecutor {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    /// Whether a task is there that will do what waits.
    var isRunning = false
  }

  private let executor: any TaskExecutor
  private let state = Mutex(State())

  /// Makes a line over a task executor.
  public init(over executor: any TaskExecutor) {
    self.executor = executor
  }

  /// Puts a piece of work at the end of the line.
  public func execute(_ work: @escaping @Sendable () -> Void) {
    let isRunning = state.withLock { state in
      state.waiting.append(work)
      defer { state.isRunning = true }
      return state.isRunning
    }
    if !isRunning { schedule() }
  }

  /// Does all that waits, and then what came meanwhile by a task of its own, so that one busy line
  /// does not keep a thread from the others.
  private func schedule() {
    // The work belongs to the line and not to whoever asked for it, who goes on.
    _ = Task(executorPreference: executor) { [self] in
      for work in state.withLock({ takeAll(&$0) }) { work() }
      let isDone = state.withLock { state in
        state.isRunning = !state.waiting.isEmpty
        return !state.isRunning
      }
      if !isDone { schedule() }
    }
  }

  private func takeAll(_ state: inout State) -> [@Sendable () -> Void] {
    var all: [@Sendable () -> Void] = []
    swap(&all, &state.waiting)
    return all
  }
}
