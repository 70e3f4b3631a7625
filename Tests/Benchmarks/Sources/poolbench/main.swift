import Dispatch
import Glibc
import HandoverThreadPool
import NIOPosix

// poolbench ours|nio|dispatch COUNT: runs empty operations on 4 threads and prints one line in the
// format of all peers. The time is wall-clock time, because the time that a pool sleeps counts too.
//
// One thread submits. The clock stops when all operations have ended, as each pool reports it. The
// threads of Handover's pool and of NIO's pool exist before the clock starts, and a Dispatch queue
// already has some threads at that time.

let threadCount = 4

/// A barrier for the threads of a pool: each thread waits for all others.
final class Meeting: Sendable {
  private let group = DispatchGroup()

  init(_ count: Int) {
    for _ in 0..<count { group.enter() }
  }

  func come() {
    group.leave()
    group.wait()
  }
}

func wallClock() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Runs something on every thread simultaneously, and returns when all threads have arrived.
func meet(_ submit: (@escaping @Sendable () -> Void) throws -> Void) rethrows {
  let meeting = Meeting(threadCount + 1)
  for _ in 0..<threadCount { try submit { meeting.come() } }
  meeting.come()
}

func measureOurs(_ count: Int) throws -> UInt64 {
  let pool = try ThreadPool(ThreadPool.Configuration(name: "bench", threads: threadCount))
  try meet { try pool.submit($0) }
  let begin = wallClock()
  for _ in 0..<count { try pool.submit {} }
  try pool.waitForSubmitted()
  let spent = wallClock() - begin
  precondition(pool.statistics.completed == count + threadCount)
  return spent
}

func measureNIO(_ count: Int) throws -> UInt64 {
  let pool = NIOThreadPool(numberOfThreads: threadCount)
  pool.start()
  meet { work in pool.submit { _ in work() } }
  let begin = wallClock()
  for _ in 0..<count { pool.submit { _ in } }
  // The queue is first in, first out, so when all threads have arrived, everything before has
  // ended.
  meet { work in pool.submit { _ in work() } }
  let spent = wallClock() - begin
  try pool.syncShutdownGracefully()
  return spent
}

/// Measures a concurrent queue.
///
/// The width of a queue cannot be set. On two processors Dispatch uses two threads for it.
func measureDispatch(_ count: Int) -> UInt64 {
  let queue = DispatchQueue(label: "bench", attributes: .concurrent)
  queue.sync(flags: .barrier) {}
  let begin = wallClock()
  for _ in 0..<count { queue.async {} }
  queue.sync(flags: .barrier) {}
  return wallClock() - begin
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let count = Int(arguments[2]), count > 0 else {
  print("usage: poolbench ours|nio|dispatch COUNT")
  exit(2)
}
let spent: UInt64
switch arguments[1] {
case "ours": spent = try measureOurs(count)
case "nio": spent = try measureNIO(count)
case "dispatch": spent = measureDispatch(count)
default: exit(2)
}
let tenths = spent * 10 / UInt64(count)
print("\(arguments[1]) pool \(count) ns/op \(tenths / 10).\(tenths % 10) ops \(count) chk \(count)")
