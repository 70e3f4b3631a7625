import Dispatch
import Testing

@testable import HandoverThreadPool

@Suite("Waiting for a thread pool", .serialized)
struct ThreadPoolWaitingTests {
  @Test("U75: A wait for an operation returns when it has ended")
  func waitingForOne() throws {
    let pool = try ThreadPool("one", threads: 1)
    let notes = Notes<Int>()
    try pool.submit { notes.add(1) }.wait()
    #expect(notes.all == [1])
  }

  @Test("U75: A wait for all operations returns in each waiting thread")
  func severalWaiters() throws {
    let pool = try ThreadPool("several", threads: 2)
    let release = Happening()
    try pool.occupy(2, until: release)
    let group = DispatchGroup()
    let notes = Notes<Int>()
    for _ in 0..<4 {
      group.enter()
      _ = SystemThread.start(ThreadName(pool: "waiter", number: 1)) {
        try? pool.waitForSubmitted()
        notes.add(pool.statistics.completed)
        group.leave()
      }
    }
    #expect(notes.all == [])
    release.happen()
    group.wait()
    #expect(notes.all == [2, 2, 2, 2])
  }

  @Test("U75: A wait for all operations returns although the queue is refilled repeatedly")
  func refilled() throws {
    let pool = try ThreadPool("refilled", threads: 2)
    let isOver = Notes<Bool>()
    @Sendable func refill() {
      guard isOver.all.isEmpty else { return }
      _ = try? pool.submit { refill() }
    }
    for _ in 0..<4 { refill() }
    for _ in 0..<100 { try pool.waitForSubmitted(timeout: .seconds(60)) }
    #expect(pool.statistics.queued + pool.statistics.running > 0)
    isOver.add(true)
    try pool.waitForSubmitted()
  }

  @Test(
    "U75: Tasks can await an operation, all operations and the shutdown", .timeLimit(.minutes(30)))
  func awaiting() async throws {
    let pool = try ThreadPool("awaiting", threads: 2)
    let release = Happening()
    let operation = try pool.submit { release.wait() }
    async let outcome = operation.wait()
    async let all: Void = pool.waitForSubmitted()
    async let shutdown: Void = pool.waitForShutdown()
    release.happen()
    guard case .completed = await outcome else {
      Issue.record("it completes")
      return
    }
    await all
    pool.shutDown()
    await shutdown
    #expect(pool.statistics.threads == 0)
    // An ended operation can be awaited too.
    await operation.wait()
    await pool.waitForSubmitted()
    await pool.waitForShutdown()
  }

  @Test("U85: A wait for an operation that ended long ago returns immediately")
  func waitingTooLate() throws {
    let pool = try ThreadPool("late", threads: 1)
    let operation = try pool.submit {}
    _ = comesTrue { operation.outcome != nil }
    try operation.wait(timeout: .zero)
    try pool.waitForSubmitted(timeout: .zero)
    pool.shutDown()
    try pool.waitForShutdown()
    try pool.waitForShutdown(timeout: .zero)
  }

  @Test("U87: A wait on a pool's own thread is refused, because it would wait for itself")
  func ownThread() throws {
    let pool = try ThreadPool("own", threads: 2)
    let ended = try pool.submit {}
    try ended.wait()
    let codes = Notes<ThreadPoolError.Code>()
    @Sendable func attempt(_ wait: () throws -> Void) {
      do { try wait() } catch let error as ThreadPoolError { codes.add(error.code) } catch {}
    }
    try pool.submit {
      // Even if the operation has ended already, so that the mistake is found the first time.
      attempt { try ended.wait() }
      attempt { try pool.waitForSubmitted() }
      attempt { try pool.waitForShutdown() }
    }.wait()
    #expect(codes.all == [.wouldDeadlock, .wouldDeadlock, .wouldDeadlock])
  }

  @Test("U87: A thread of another pool may wait")
  func otherThread() throws {
    let one = try ThreadPool("one", threads: 1)
    let other = try ThreadPool("other", threads: 1)
    let operation = try one.submit { try other.submit {}.wait() }
    guard case .completed = try operation.wait() else {
      Issue.record("it may wait")
      return
    }
  }

  @Test(
    "U83, U87: A wait ends at its timeout, and immediately if no time is left",
    arguments: [.seconds(-1), .zero, .milliseconds(1)] as [Duration])
  func timeout(_ timeout: Duration) throws {
    let pool = try ThreadPool("timeout", threads: 1)
    let release = Happening()
    let operation = try pool.submit { release.wait() }
    func error(_ wait: () throws -> Void) -> ThreadPoolError.Code? {
      #expect(throws: ThreadPoolError.self) { try wait() }?.code
    }
    #expect(error { try operation.wait(timeout: timeout) } == .timedOut)
    #expect(error { try pool.waitForSubmitted(timeout: timeout) } == .timedOut)
    #expect(error { try pool.waitForShutdown(timeout: timeout) } == .timedOut)
    release.happen()
    try operation.wait(timeout: .seconds(Int64.max))
  }
}
