import Dispatch
import Synchronization

@testable import HandoverThreadPool

/// Something that happens once and that threads can wait for.
final class Happening: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func happen() { semaphore.signal() }

  /// Waits until it has happened; everybody who waits goes on.
  ///
  /// - Returns: whether it has happened within a minute.
  @discardableResult
  func wait() -> Bool {
    guard semaphore.wait(timeout: .now() + .seconds(60)) == .success else { return false }
    semaphore.signal()
    return true
  }
}

/// A clock that is turned by hand.
final class ManualClock: Sendable {
  private let time = Mutex(Duration.zero)

  var now: Duration { time.withLock { $0 } }

  func advance(by duration: Duration) { time.withLock { $0 += duration } }
}

/// What operations note, in the order in which they do.
final class Notes<Value: Sendable>: Sendable {
  private let list = Mutex<[Value]>([])

  var all: [Value] { list.withLock { $0 } }

  func add(_ value: Value) { list.withLock { $0.append(value) } }
}

/// Whether something comes true within a minute; others get the processor meanwhile.
func comesTrue(_ condition: () -> Bool) -> Bool {
  let deadline = monotonicTime() + .seconds(60)
  while !condition() {
    if monotonicTime() >= deadline { return false }
    SystemThread.yield()
  }
  return true
}

extension ThreadPool {
  /// A pool for a test.
  convenience init(
    _ name: String, threads: Int, bound: Int? = nil
  ) throws(ThreadPoolError) {
    try self.init(Configuration(name: name, threads: threads, queueBound: bound))
  }

  /// Lets each of some threads run something at the same time, so that there are as many.
  func occupy(_ count: Int, until release: Happening) throws(ThreadPoolError) {
    for _ in 0..<count { try submit { release.wait() } }
    _ = comesTrue { numbers.running == count }
  }
}
