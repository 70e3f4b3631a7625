import CLinux
import Glibc
import Synchronization

/// A thread of the system's own, for what belongs to a thread: its namespace.
///
/// Threads of a pool must never change their namespace, because nobody knows what runs on them
/// next; these are made for one piece of work and end with it. They work for the
/// ``GuardedThread`` that starts them, if it is one.
public final class OSThread: Sendable {
  private let work: @Sendable () -> Void
  private let identifier = Mutex<pthread_t?>(nil)

  private init(_ work: @escaping @Sendable () -> Void) {
    self.work = work
  }

  /// Starts a thread.
  ///
  /// - Throws: ``LinuxError`` where the system has no more threads.
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

  /// Waits for the end of the thread; the second time it comes back at once.
  public func join() {
    let identifier = identifier.withLock { identifier in
      defer { identifier = nil }
      return identifier
    }
    if let identifier { _ = pthread_join(identifier, nil) }
  }

  /// Gives the calling thread a name, for people who look at the process; of at most 15 bytes.
  public static func name(_ name: String) {
    _ = unsafe handover_name_thread(name)
  }

  /// Does a piece of work on a thread of its own and waits for it.
  public static func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws(LinuxError) -> Value
  ) throws(LinuxError) -> Value {
    try runAll(1) { (_) throws(LinuxError) in try body() }[0]
  }

  /// Does pieces of work at the same time, each on a thread of its own, and waits for all.
  ///
  /// The work is given the place of the piece, counted from 0.
  ///
  /// - Returns: what they made, in their order.
  /// - Throws: ``LinuxError`` of the first that failed, after all are done.
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
