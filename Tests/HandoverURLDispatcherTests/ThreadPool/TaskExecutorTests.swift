import Testing

@testable import HandoverThreadPool

@Suite("A thread pool as a task executor", .serialized, .timeLimit(.minutes(30)))
struct TaskExecutorTests {
  /// Whether the calling code runs on a thread of the pool.
  private static func isOn(_ pool: ThreadPool) -> Bool { pool.engine.isOwnThread }

  @Test("Each part of a task runs on the pool, and counts as an operation")
  func pieces() async throws {
    let pool = try ThreadPool("tasks", threads: 2)
    let isOnPool = await Task(executorPreference: pool) {
      let before = Self.isOn(pool)
      await Task.yield()
      return before && Self.isOn(pool)
    }.value
    #expect(isOnPool)
    #expect(pool.statistics.completed >= 2)
    #expect(!Self.isOn(pool))
  }

  @Test("A task on the pool may await the pool")
  func awaitingOneself() async throws {
    let pool = try ThreadPool("oneself", threads: 1)
    await Task(executorPreference: pool) {
      _ = try? await pool.submit {}.wait()
      await pool.waitForSubmitted()
    }.value
    #expect(pool.statistics.threads == 1)
  }

  @Test("A full queue does not block a task")
  func fullQueue() async throws {
    let pool = try ThreadPool("full", threads: 1, bound: 0)
    let release = Happening()
    try pool.submit { release.wait() }
    let task = Task(executorPreference: pool) { Self.isOn(pool) }
    release.happen()
    #expect(await task.value)
  }

  @Test(
    "After a shutdown tasks continue elsewhere",
    arguments: [.orderly, .immediate] as [ThreadPool.Shutdown])
  func shutdown(_ manner: ThreadPool.Shutdown) async throws {
    let pool = try ThreadPool("shut", threads: 1)
    pool.shutDown(manner)
    #expect(await Task(executorPreference: pool) { !Self.isOn(pool) }.value)
    await pool.waitForShutdown()
  }

  @Test("Tasks that wait for a thread during an immediate shutdown continue elsewhere")
  func waitingTasks() async throws {
    let pool = try ThreadPool("waiting", threads: 1)
    let release = Happening()
    try pool.occupy(1, until: release)
    let task = Task(executorPreference: pool) { !Self.isOn(pool) }
    while pool.statistics.queued + pool.statistics.running < 2 { await Task.yield() }
    pool.shutDown(.immediate)
    #expect(await task.value)
    release.happen()
    await pool.waitForShutdown()
    #expect(pool.statistics.refused == 1)
  }
}
