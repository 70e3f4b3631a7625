import CLinux
import Glibc
import Synchronization

/// A dedicated system thread, for work that changes per-thread state such as the network namespace.
///
/// Threads of a pool must never change their namespace, because unrelated work runs on them later.
/// A thread of this type runs one piece of work and then ends. If a ``GuardedThread`` starts it, it
/// becomes a helper of that thread.
public final class OSThread: Sendable {
  private let work: @Sendable () -> Void
  private let identifier = Mutex<pthread_t?>(nil)

  private init(_ work: @escaping @Sendable () -> Void) {
    self.work = work
  }

  /// Starts a thread.
  ///
  /// - Throws: ``LinuxError`` if the system cannot create another thread.
  public static func start(
    _ work: @escaping @Sendable () -> Void
  ) throws(LinuxError) -> OSThread {
    let adopt = GuardedThread.adoption()
    let thread = OSThread {
      adopt()
      work()
    }
    var identifier = pthread_t()
    let box = unsafe Unmanaged.passRetained(thread)
    let result = unsafe pthread_create(
      &identifier, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<OSThread>.fromOpaque(argument).takeRetainedValue().work()
        return nil
      }, box.toOpaque())
    guard result == 0 else {
      unsafe box.release()
      throw LinuxError(call: "pthread_create", errno: result)
    }
    thread.identifier.withLock { $0 = identifier }
    return thread
  }

  /// Waits for the thread to end; a second call returns immediately.
  public func join() {
    let identifier = identifier.withLock { identifier in
      defer { identifier = nil }
      return identifier
    }
    if let identifier { _ = pthread_join(identifier, nil) }
  }

  /// Sets the name of the calling thread (at most 15 bytes), which debuggers and `ps` display.
  public static func name(_ name: String) {
    _ = unsafe handover_name_thread(name)
  }

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
        preconditionFailure("a thread that was joined has done its work")
      }
      values.append(try result.get())
    }
    return values
  }

  private final class Outcome<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, LinuxError>?>(nil)
  }
}
