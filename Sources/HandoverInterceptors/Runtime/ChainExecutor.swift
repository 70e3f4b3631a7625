public import Dispatch
import Synchronization

/// An executor that runs work items one at a time, in the order of submission.
public protocol ChainExecutor: Sendable {
  /// Submits a work item, and returns before it has run.
  func execute(_ work: @escaping @Sendable () -> Void)
}

/// A serial or concurrent executor of the application.
///
/// Every queue of a chain is a separate serial line over such an executor. Each line keeps its
/// order, and lines run in parallel if the executor allows it (L50, the alternative at its end).
public enum ExecutionPlace: Sendable {
  /// A dispatch queue, serial or concurrent.
  case dispatch(DispatchQueue)
  /// A task executor, serial or concurrent.
  case tasks(any TaskExecutor)

  /// Creates a serial line over this executor.
  public func makeSerialExecutor() -> any ChainExecutor {
    switch self {
    case .dispatch(let queue): SerialDispatchExecutor(over: queue)
    case .tasks(let executor): SerialTaskExecutor(over: executor)
    }
  }
}

/// A serial dispatch queue that runs on the threads of another queue (I12, I13).
public struct SerialDispatchExecutor: ChainExecutor {
  private let queue: DispatchQueue

  /// Creates a line over a queue.
  public init(over target: DispatchQueue) {
    queue = DispatchQueue(label: "handover.line", target: target)
  }

  /// Appends a work item to the line.
  public func execute(_ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
  }
}

/// A serial line over a task executor, which need not preserve order itself.
public final class SerialTaskExecutor: ChainExecutor {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    /// Whether a task is scheduled or running that will run the waiting items.
    var isRunning = false
  }

  private let executor: any TaskExecutor
  private let state = Mutex(State())

  /// Creates a line over a task executor.
  public init(over executor: any TaskExecutor) {
    self.executor = executor
  }

  /// Appends a work item to the line.
  public func execute(_ work: @escaping @Sendable () -> Void) {
    let isRunning = state.withLock { state in
      state.waiting.append(work)
      defer { state.isRunning = true }
      return state.isRunning
    }
    if !isRunning { schedule() }
  }

  /// Runs all waiting items in one task, and items that arrive meanwhile in another.
  ///
  /// Separate tasks prevent a busy line from keeping a thread away from other lines.
  private func schedule() {
    // The work belongs to the line and not to the caller, so the task is unstructured.
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
