import Glibc
import Synchronization

/// A dedicated system thread, for work that changes per-thread state such as the network namespace.
///
/// Threads of a pool must never change their namespace, because unrelated work runs on them later.
/// A thread of this type runs one piece of work and then ends. If a ``GuardedThread`` starts it, it
/// becomes a helper of that thread.
public final class OSThread: Sendable {
  private let thread: SystemThread

  private init(_ thread: SystemThread) {
    self.thread = thread
  }

  /// Starts a thread.
  ///
  /// - Throws: ``LinuxError`` if the system cannot create another thread.
  public static func start(
    _ work: @escaping @Sendable () -> Void
  ) throws(LinuxError) -> OSThread {
    let adopt = GuardedThread.makeThreadAdopter()
    let thread = try SystemThread.start {
      adopt()
      work()
    }
    return OSThread(thread)
  }

  /// Waits for the thread to end; a second call returns immediately.
  public func join() { thread.join() }

  /// Sets the name of the calling thread (at most 15 bytes), which debuggers and `ps` display.
  public static func name(_ name: String) { SystemThread.setName(name) }

  /// Runs a closure on a new thread and waits for it.
  public static func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws(LinuxError) -> Value
  ) throws(LinuxError) -> Value {
    try runAll(1) { (_) throws(LinuxError) in try body() }[0]
  }

  /// Runs a closure several times in parallel, each on a new thread, and waits for all.
  ///
  /// The closure receives its index, counted from 0.
  ///
  /// - Returns: The results in index order.
  /// - Throws: The ``LinuxError`` of the first failure by index, after all threads have ended.
  public static func runAll<Value: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) throws(LinuxError) -> Value
  ) throws(LinuxError) -> [Value] {
    let outcomes = (0..<count).map { _ in Outcome<Value>() }
    var threads: [OSThread] = []
    defer { for thread in threads { thread.join() } }
    for (index, outcome) in outcomes.enumerated() {
      let thread = try start {
        do throws(LinuxError) {
          let value = try body(index)
          outcome.result.withLock { $0 = .success(value) }
        } catch {
          outcome.result.withLock { $0 = .failure(error) }
        }
      }
      threads.append(thread)
    }
    for thread in threads { thread.join() }
    var values: [Value] = []
    for outcome in outcomes {
      guard let result = outcome.result.withLock({ $0 }) else {
        preconditionFailure("the thread ended without a result")
      }
      values.append(try result.get())
    }
    return values
  }

  private final class Outcome<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, LinuxError>?>(nil)
  }
}
