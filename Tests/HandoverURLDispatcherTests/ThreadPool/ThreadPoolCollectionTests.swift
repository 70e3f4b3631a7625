import Testing

@testable import HandoverThreadPool

#if os(Linux)
  import Glibc
#endif

@Suite("Growth and shrinking of a thread pool", .serialized)
struct ThreadPoolCollectionTests {
  /// Returns a pool with some idle threads, and its clock.
  private func idlePool(
    _ name: String, threads: Int
  ) throws(ThreadPoolError) -> (pool: ThreadPool, clock: PoolClock) {
    let clock = PoolClock()
    let pool = try ThreadPool(
      ThreadPool.Configuration(name: name, threads: threads), now: { clock.now })
    let release = Happening()
    try pool.occupy(threads, until: release)
    release.happen()
    try waitUntilAsleep(pool)
    return (pool, clock)
  }

  /// Waits until all threads of a pool are asleep, so that the clock does not advance earlier.
  private func waitUntilAsleep(_ pool: ThreadPool) throws(ThreadPoolError) {
    try pool.waitForSubmitted()
    #expect(comesTrue { pool.engine.sleepingThreads == pool.statistics.threads })
  }

  @Test(
    "U70: After 15 s without work all threads have ended, and a new operation creates a new one")
  func collection() throws {
    let (pool, clock) = try idlePool("shrinking", threads: 3)
    clock.advance(by: .seconds(14))
    pool.timePassed()
    #expect(pool.statistics.threads == 3)
    clock.advance(by: .seconds(1))
    pool.timePassed()
    #expect(comesTrue { pool.statistics.threads == 0 })
    try pool.submit {}.wait()
    #expect(pool.statistics.threads == 1)
  }

  @Test("U70: Idle threads are reused before that time")
  func reuse() throws {
    let (pool, clock) = try idlePool("reuse", threads: 2)
    clock.advance(by: .seconds(9))
    try pool.submit {}.wait()
    try waitUntilAsleep(pool)
    clock.advance(by: .seconds(6))
    pool.timePassed()
    #expect(comesTrue { pool.statistics.threads == 1 })
    clock.advance(by: .seconds(15))
    pool.timePassed()
    #expect(comesTrue { pool.statistics.threads == 0 })
  }

  @Test("U71, U77: An operation every second does not keep threads that it does not need")
  func steadyWork() throws {
    let (pool, clock) = try idlePool("steady", threads: 4)
    for _ in 0..<15 {
      clock.advance(by: .seconds(1))
      pool.timePassed()
      // A thread that is about to end takes new work instead, so the test lets such threads end
      // first.
      try waitUntilAsleep(pool)
      try pool.submit {}.wait()
      try waitUntilAsleep(pool)
    }
    #expect(comesTrue { pool.statistics.threads == 1 })
  }

  @Test("U77: Each pool collects its own threads")
  func pools() throws {
    let (one, clock) = try idlePool("one", threads: 2)
    let (other, _) = try idlePool("other", threads: 2)
    clock.advance(by: .seconds(15))
    one.timePassed()
    other.timePassed()
    #expect(comesTrue { one.statistics.threads == 0 })
    #expect(other.statistics.threads == 2)
  }

  @Test("U70: With the system's clock, threads are collected automatically")
  func systemClock() throws {
    let pool = try ThreadPool(
      ThreadPool.Configuration(
        name: "system", threads: 3, idleTime: .milliseconds(1), collectionPeriod: .milliseconds(2)))
    let release = Happening()
    try pool.occupy(3, until: release)
    release.happen()
    #expect(comesTrue { pool.statistics.threads == 0 })
    try pool.submit {}.wait()
    #expect(comesTrue { pool.statistics.threads == 0 })
  }

  @Test("Idle times and periods of any length are accepted")
  func longTimes() throws {
    let always = Duration.seconds(Int64.max)
    let pool = try ThreadPool(
      ThreadPool.Configuration(
        name: "always", threads: 1, idleTime: always, collectionPeriod: always))
    try pool.submit {}.wait(timeout: always)
    try waitUntilAsleep(pool)
    try pool.submit {}.wait(timeout: always)
  }

  #if os(Linux)
    @Test("U67, U72, U78: The system has the reported threads, with their names, and no others")
    func systemThreads() throws {
      let (pool, clock) = try idlePool("A very long name", threads: 3)
      let names = ["A very long n 1", "A very long n 2", "A very long n 3"]
      #expect(comesTrue { threadNames("A very long n").sorted() == names })
      clock.advance(by: .seconds(15))
      pool.timePassed()
      // No thread waits before it ends.
      #expect(comesTrue { threadNames("A very long n").isEmpty })
    }

    /// Returns the names of this process's threads that start with a prefix.
    private func threadNames(_ prefix: String) -> [String] {
      guard let directory = unsafe opendir("/proc/self/task") else { return [] }
      defer { unsafe closedir(directory) }
      var names: [String] = []
      while let entry = unsafe readdir(directory) {
        let task = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
          unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        // A thread may end before its name is read.
        let file = unsafe open("/proc/self/task/\(task)/comm", O_RDONLY)
        guard file >= 0 else { continue }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = unsafe read(file, &bytes, bytes.count)
        guard count > 0 else { continue }
        names.append(String(decoding: bytes.prefix(count - 1), as: UTF8.self))
      }
      return names.filter { $0.hasPrefix(prefix) }
    }
  #endif

  @Test(
    "U67: The system's thread name is the number of the thread and the start of the pool's name",
    arguments: [
      ("Images", 1, "Images 1"), ("Images of the sea", 12, "Images of th 12"),
      ("Übergrößenträger", 3, "Übergrößen 3"), ("ééééééé", 10, "éééééé 10"),
    ])
  func names(pool: String, number: Int, name: String) {
    #expect(ThreadName(pool: pool, number: number).text == name)
    #expect(name.utf8.count <= 15)
  }
}
