import Dispatch
import Synchronization
import Testing

@testable import HandoverThreadPool

@Suite("A thread pool with real threads", .serialized)
struct ThreadPoolTests {
  struct Mishap: Error, Equatable {
    var number: Int
  }

  @Test(
    "U66: A pool without a name, without threads or with an invalid number is an error",
    arguments: [
      ThreadPool.Configuration(name: "", threads: 4),
      ThreadPool.Configuration(name: "a", threads: 0),
      ThreadPool.Configuration(name: "a", threads: -1),
      ThreadPool.Configuration(name: "a", threads: 1_025),
      ThreadPool.Configuration(name: "a", threads: 1, idleTime: .seconds(-1)),
      ThreadPool.Configuration(name: "a", threads: 1, collectionPeriod: .zero),
      ThreadPool.Configuration(name: "a", threads: 1, maximumQueueLength: -1),
    ])
  func badConfiguration(_ configuration: ThreadPool.Configuration) {
    let error = #expect(throws: ThreadPoolError.self) { try ThreadPool(configuration) }
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.poolName == configuration.name)
  }

  @Test("U66, U67: Only the name and the number of threads are required")
  func defaults() throws {
    let configuration = ThreadPool.Configuration(name: "a", threads: 4)
    #expect(configuration.idleTime == .seconds(10))
    #expect(configuration.collectionPeriod == .seconds(15))
    #expect(configuration.maximumQueueLength == nil)
    #expect(try ThreadPool(configuration).statistics == ThreadPoolStatistics())
  }

  @Test("U67: A hundred operations run on four threads, on all four and never on more")
  func hundredOperations() throws {
    let pool = try ThreadPool("hundred", threads: 4)
    let release = Happening()
    try pool.occupy(4, until: release)
    let most = Mutex((now: 0, most: 0))
    for _ in 0..<100 {
      try pool.submit {
        most.withLock {
          $0.now += 1
          $0.most = max($0.most, $0.now)
        }
        SystemThread.yield()
        most.withLock { $0.now -= 1 }
      }
    }
    #expect(pool.statistics.threads == 4)
    #expect(pool.statistics.queued == 100)
    release.happen()
    try pool.waitForSubmitted()
    #expect(pool.statistics.completed == 104)
    #expect(pool.statistics.threads == 4)
    #expect(most.withLock { (1...4).contains($0.most) })
  }

  @Test("U67: With a limit, a submission to a full queue returns an error and never blocks")
  func full() throws {
    let pool = try ThreadPool("full", threads: 1, bound: 1)
    let release = Happening()
    try pool.occupy(1, until: release)
    let last = try pool.submit {}
    let error = #expect(throws: ThreadPoolError.self) { try pool.submit {} }
    #expect(error?.code == .full)
    release.happen()
    try last.wait()
    try pool.submit {}.wait()
  }

  @Test("Operations start in the order of submission")
  func order() throws {
    let pool = try ThreadPool("order", threads: 1)
    let notes = Notes<Int>()
    for number in 0..<1_000 { try pool.submit { notes.add(number) } }
    try pool.waitForSubmitted()
    #expect(notes.all == Array(0..<1_000))
  }

  @Test("U68: Operations in quick succession run simultaneously, each on a separate thread")
  func quickSuccession() throws {
    let pool = try ThreadPool("quick", threads: 4)
    for _ in 0..<100 {
      let all = DispatchGroup()
      for _ in 0..<4 { all.enter() }
      for _ in 0..<4 {
        // Each waits for the others: with one thread too few they would never end.
        try pool.submit {
          all.leave()
          all.wait()
        }
      }
      try pool.waitForSubmitted(timeout: .seconds(60))
    }
    #expect(pool.statistics.threads == 4)
  }

  @Test("U69: An error that an operation throws is reported, and its thread continues")
  func failure() throws {
    let pool = try ThreadPool("failure", threads: 1)
    let threads = Notes<SystemThread.ID>()
    let operation = try pool.submit {
      threads.add(SystemThread.current)
      throw Mishap(number: 7)
    }
    try pool.submit { threads.add(SystemThread.current) }.wait()
    guard case .failed(let error) = try operation.wait() else {
      Issue.record("it has failed")
      return
    }
    #expect(error as? Mishap == Mishap(number: 7))
    #expect(Set(threads.all).count == 1)
    #expect(pool.statistics.failed == 1)
    #expect(pool.statistics.completed == 1)
  }

  @Test("U73: Operations accepted before an orderly shutdown run, and no more are accepted")
  func orderly() throws {
    let pool = try ThreadPool("orderly", threads: 2)
    let release = Happening()
    try pool.occupy(2, until: release)
    for _ in 0..<10 { try pool.submit {} }
    pool.shutDown()
    pool.shutDown()
    let error = #expect(throws: ThreadPoolError.self) { try pool.submit {} }
    #expect(error?.code == .shutDown)
    #expect(error?.poolName == "orderly")
    release.happen()
    try pool.waitForShutdown()
    #expect(pool.statistics.completed == 12)
    #expect(pool.statistics.threads == 0)
    try pool.waitForSubmitted()
  }

  @Test("U73: At an immediate shutdown running operations finish, and waiting ones are refused")
  func immediate() throws {
    let pool = try ThreadPool("immediate", threads: 1)
    let release = Happening()
    let running = try pool.submit { release.wait() }
    _ = comesTrue { pool.statistics.running == 1 }
    let waiting = try pool.submit {}
    pool.shutDown(.immediate)
    guard case .refused = try waiting.wait() else {
      Issue.record("it never runs")
      return
    }
    #expect(running.outcome == nil)
    release.happen()
    guard case .completed = try running.wait() else {
      Issue.record("it runs to the end")
      return
    }
    try pool.waitForShutdown()
    pool.shutDown(.immediate)
    #expect(pool.statistics.refused == 1)
    #expect(pool.statistics.threads == 0)
  }

  @Test("U74: The counters describe one instant")
  func numbers() throws {
    let pool = try ThreadPool("numbers", threads: 2)
    let release = Happening()
    try pool.occupy(2, until: release)
    try pool.submit {}
    let cancelled = try pool.submit {}
    cancelled.cancel()
    var expected = ThreadPoolStatistics()
    expected.threads = 2
    expected.running = 2
    expected.queued = 1
    expected.cancelled = 1
    #expect(pool.statistics == expected)
    release.happen()
    try pool.waitForSubmitted()
    #expect(pool.statistics.idleThreads == 2)
  }

  @Test("U76: An operation captures what it needs, including nil")
  func arguments() throws {
    let pool = try ThreadPool("arguments", threads: 1)
    let notes = Notes<String?>()
    for argument in [nil, "a", nil] { try pool.submit { notes.add(argument) } }
    try pool.waitForSubmitted()
    #expect(notes.all == [nil, "a", nil])
  }

  @Test("U79: A pool wakes only its own threads, however many pools there are")
  func manyPools() throws {
    let busy = try ThreadPool("busy", threads: 1)
    let release = Happening()
    try busy.occupy(1, until: release)
    let waiting = try busy.submit {}
    let other = try ThreadPool("other", threads: 1)
    for _ in 0..<1_000 { try other.submit {}.wait(timeout: .seconds(60)) }
    #expect(waiting.outcome == nil)
    release.happen()
    try waiting.wait(timeout: .seconds(60))
  }

  @Test("U80: No wakeup is lost between the check and falling asleep")
  func wakeUps() throws {
    let pool = try ThreadPool("wake-ups", threads: 3)
    let group = DispatchGroup()
    let failures = Notes<ThreadPoolError>()
    for _ in 0..<4 {
      group.enter()
      _ = SystemThread.start(ThreadName(pool: "submitter", number: 1)) {
        do throws(ThreadPoolError) {
          for _ in 0..<5_000 { try pool.submit {}.wait(timeout: .seconds(60)) }
        } catch {
          failures.add(error)
        }
        group.leave()
      }
    }
    group.wait()
    #expect(failures.all == [])
    #expect(pool.statistics.completed == 20_000)
    #expect(pool.statistics.threads <= 3)
  }

  @Test("U82: A waiting operation can be cancelled and never runs")
  func cancelling() throws {
    let pool = try ThreadPool("cancelling", threads: 1)
    let release = Happening()
    let notes = Notes<Int>()
    let running = try pool.submit { release.wait() }
    _ = comesTrue { pool.statistics.running == 1 }
    let waiting = try pool.submit { notes.add(1) }
    try pool.submit { notes.add(2) }
    #expect(!running.cancel())
    #expect(waiting.cancel())
    #expect(!waiting.cancel())
    guard case .cancelled = try waiting.wait() else {
      Issue.record("it was cancelled")
      return
    }
    release.happen()
    try pool.waitForSubmitted()
    #expect(notes.all == [2])
    #expect(pool.statistics.cancelled == 1)
    #expect(!running.cancel())
  }

  @Test("U84: What an operation captured and threw is released, by idle threads too")
  func nothingIsKept() throws {
    final class Payload: Error {}
    let pool = try ThreadPool("payloads", threads: 1)
    weak var captured: Payload?
    weak var thrown: Payload?
    weak var cancelled: Payload?
    let handle: ThreadPoolOperation
    do {
      let payload = Payload()
      captured = payload
      handle = try pool.submit { withExtendedLifetime(payload) {} }
    }
    try handle.wait()
    #expect(captured == nil)
    do {
      let payload = Payload()
      thrown = payload
      try pool.submit { throw payload }
    }
    try pool.waitForSubmitted()
    #expect(comesTrue { thrown == nil })
    let release = Happening()
    try pool.occupy(1, until: release)
    do {
      let payload = Payload()
      cancelled = payload
      try pool.submit { withExtendedLifetime(payload) {} }.cancel()
    }
    #expect(cancelled == nil)
    release.happen()
  }

  @Test("A deinitializer may use the pool while its object is released")
  func deinitialisersUseThePool() throws {
    final class Payload: Error {
      let pool: ThreadPool

      init(_ pool: ThreadPool) { self.pool = pool }

      deinit { _ = try? pool.submit {} }
    }
    let pool = try ThreadPool("deinit", threads: 1)
    try pool.submit { [payload = Payload(pool)] in withExtendedLifetime(payload) {} }
    try pool.submit { throw Payload(pool) }
    let release = Happening()
    try pool.submit { release.wait() }
    try pool.submit { [payload = Payload(pool)] in withExtendedLifetime(payload) {} }.cancel()
    release.happen()
    #expect(comesTrue { pool.statistics.completed == 5 })
    #expect(pool.statistics.failed == 1)
    #expect(pool.statistics.cancelled == 1)
  }

  @Test("A pool without references runs what was accepted, and its threads end")
  func forgotten() throws {
    let notes = Notes<Int>()
    weak var engine: PoolEngine?
    do {
      let pool = try ThreadPool("forgotten", threads: 2)
      engine = pool.engine
      for number in 0..<100 { try pool.submit { notes.add(number) } }
    }
    #expect(comesTrue { engine == nil })
    #expect(notes.all.count == 100)
  }
}
