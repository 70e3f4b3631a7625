import Dispatch
import Synchronization

@testable import HandoverThreadPool

/// A one-time event that threads can wait for.
final class Happening: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func happen() { semaphore.signal() }

  /// Waits until the event has happened; all waiting threads continue.
  ///
  /// - Returns: Whether the event has happened within a minute.
  @discardableResult
  func wait() -> Bool {
    guard semaphore.wait(timeout: .now() + .seconds(60)) == .success else { return false }
    semaphore.signal()
    return true
  }
}

/// A clock that a test advances.
final class PoolClock: Sendable {
  private let time = Mutex(Duration.zero)

  var now: Duration { time.withLock { $0 } }

  func advance(by duration: Duration) { time.withLock { $0 += duration } }
}

/// A list of values that operations append.
final class Notes<Value: Sendable>: Sendable {
  private let list = Mutex<[Value]>([])

  var all: [Value] { list.withLock { $0 } }

  func add(_ value: Value) { list.withLock { $0.append(value) } }
}

/// Returns whether a condition becomes true within a minute, and yields the processor in between.
func comesTrue(_ condition: () -> Bool) -> Bool {
  let deadline = monotonicTime() + .seconds(60)
  while !condition() {
    if monotonicTime() >= deadline { return false }
    SystemThread.yield()
  }
  return true
}

extension ThreadPool {
  /// Creates a pool for a test.
  convenience init(
    _ name: String, threads: Int, bound: Int? = nil
  ) throws(ThreadPoolError) {
    // On a busy machine a test may not run for longer than the usual idle time.
    try self.init(
      Configuration(
        name: name, threads: threads, idleTime: .seconds(3_600), maximumQueueLength: bound))
  }

  /// Makes a number of threads run something simultaneously, so that the pool has that many
  /// threads.
  func occupy(_ count: Int, until release: Happening) throws(ThreadPoolError) {
    for _ in 0..<count { try submit { release.wait() } }
    _ = comesTrue { statistics.running == count }
  }
}
