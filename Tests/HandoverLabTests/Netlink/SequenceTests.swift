import Glibc
import HandoverCore
import HandoverLinux
@testable import HandoverNetlink
import Synchronization
import Testing

/// The changes that a watcher reported, and a way to wait for them.
final class ObservedChanges: Sendable {
  private let changes = Mutex<[ReachabilityChange]>([])
  private let news: WakeupPipe

  init() throws { news = try WakeupPipe() }

  func note(_ reported: Result<ReachabilityChange, LinuxError>) {
    switch reported {
    case .success(let change): changes.withLock { $0.append(change) }
    case .failure(let error): Issue.record(error)
    }
    news.signal()
  }

  var all: [ReachabilityChange] { changes.withLock { $0 } }

  /// Waits until the latest change has a category.
  func wait(for category: NetworkCategory) throws {
    try wait { $0.category == category }
  }

  /// Waits until the latest reading satisfies a condition.
  func wait(until isWanted: (ReachabilityReading) -> Bool) throws {
    let end = monotonicMicroseconds() + 60_000_000
    while !(all.last.map { isWanted($0.reading) } ?? false) {
      let rest = end - monotonicMicroseconds()
      guard rest > 0 else {
        Issue.record("what is waited for does not come: \(all)")
        return
      }
      _ = try waitReadable([news.descriptor], atMost: rest)
      news.clear()
    }
  }
}

@Suite("Watching reachability", .enabled(if: namespacesAreMissing == nil), .serialized)
struct WatchingTests {
  let network: DeviceNetwork
  let probe: ReachabilityProbe
  let received: ObservedChanges

  init() throws {
    network = try DeviceNetwork()
    probe = try ReachabilityProbe(in: network.device.namespace)
    received = try ObservedChanges()
  }

  @Test("A connectivity monitor on top of the watcher notifies only of category changes")
  func monitor() throws {
    try network.join(.cellular)
    let watcher = try ReachabilityWatcher(probe) { [received] in received.note($0) }
    try received.wait(for: .cellular)
    try network.join(.wifi)
    try received.wait(for: .wifi)
    // A different gateway: a different network, and the same category.
    try network.device.addRoute(
      .init(to: .allAddresses(of: .v4), by: "wlan0", via: IPAddress(192, 168, 1, 9), metric: 1))
    try received.wait { $0.path?.gateway == IPAddress(192, 168, 1, 9) }
    try network.leave(.wifi)
    try received.wait(for: .cellular)
    try network.device.setLink("wwan0", dormant: true)
    try received.wait(for: .noNetwork)
    try network.leave(.cellular)
    try network.join(.wifi)
    try received.wait(for: .wifi)
    watcher.stop()
    var monitor = ConnectivityMonitor()
    let reported = received.all.compactMap { monitor.observe($0.event) }
    let path: [NetworkCategory] = [.cellular, .wifi, .cellular, .noNetwork, .wifi]
    #expect(reported == zip(path, path.dropFirst()).map { CategoryChange(from: $0, to: $1) })
    #expect(received.all.allSatisfy { $0.cause != .resynchronized })
  }

  /// `make bench` measures the latency.
  @Test(
    "Each change is reported because of an event, with its time, and nothing comes after the end")
  func changes() throws {
    try network.join(.wifi)
    let watcher = try ReachabilityWatcher(probe) { [received] in received.note($0) }
    try received.wait(for: .wifi)
    for _ in 0..<50 {
      let start = monotonicMicroseconds()
      try network.leave(.wifi)
      try received.wait(for: .noNetwork)
      let change = try #require(received.all.last)
      #expect(change.cause == .event)
      #expect(start <= change.seenAt && change.seenAt <= monotonicMicroseconds())
      try network.join(.wifi)
      try received.wait(for: .wifi)
    }
    watcher.stop()
    let count = received.all.count
    try network.leave(.wifi)
    #expect(received.all.count == count)
  }

  @Test("No change has a time before it happened, even if other events wake the watcher")
  func times() throws {
    try network.join(.wifi)
    let watcher = try ReachabilityWatcher(probe) { [received] in received.note($0) }
    try received.wait(for: .wifi)
    let namespace = network.device.namespace
    let isDone = Atomic(false)
    let unrelated = try OSThread.start {
      do {
        let controller = try NetworkController(in: namespace)
        let other = IPNetwork(IPAddress(127, 0, 0, 9), prefixLength: 8)
        while !isDone.load(ordering: .relaxed) {
          try controller.addAddress(other, to: "lo")
          try controller.removeAddress(other, from: "lo")
        }
      } catch {
        Issue.record(error)
      }
    }
    defer {
      isDone.store(true, ordering: .relaxed)
      unrelated.join()
      watcher.stop()
    }
    for _ in 0..<200 {
      let start = monotonicMicroseconds()
      try network.leave(.wifi)
      try received.wait(for: .noNetwork)
      #expect(try start <= #require(received.all.last).seenAt)
      try network.join(.wifi)
      try received.wait(for: .wifi)
    }
  }
}

@Suite("Reachability as a sequence", .enabled(if: namespacesAreMissing == nil))
struct SequenceTests {
  @Test("The sequence starts with the current state, and continues with every change")
  func changes() async throws {
    let network = try DeviceNetwork()
    try network.join(.cellular)
    var changes = NetlinkReachability(in: network.device.namespace).makeAsyncIterator()
    let first = try #require(try await changes.next())
    #expect(first.cause == .initial && first.reading.category == .cellular)
    try network.join(.wifi)
    let second = try #require(try await changes.next())
    #expect(second.reading.category == .wifi && second.seenAt > first.seenAt)
  }

  @Test("The sequence fails once if the kernel cannot be queried")
  func failure() async throws {
    let mailbox = ChangeMailbox()
    mailbox.put(.success(Self.change(.wifi, .initial)))
    mailbox.put(.failure(LinuxError(call: "recv", errno: EBADF)))
    #expect(await mailbox.take() == .success(Self.change(.wifi, .initial)))
    #expect(await mailbox.take() == .failure(LinuxError(call: "recv", errno: EBADF)))
    #expect(await mailbox.take() == .success(nil))
  }

  @Test("A slow reader gets the latest reading and the number of missed ones")
  func slowness() async {
    let mailbox = ChangeMailbox()
    mailbox.put(.success(Self.change(.noNetwork, .initial)))
    mailbox.put(.success(Self.change(.wifi, .event)))
    // The first element keeps its cause, so that a monitor can use it as the initial read.
    var expected = Self.change(.wifi, .initial)
    expected.skippedCount = 1
    #expect(await mailbox.take() == .success(expected))
    for category in [NetworkCategory.cellular, .noNetwork, .wifi] {
      mailbox.put(.success(Self.change(category, .event)))
    }
    expected = Self.change(.wifi, .resynchronized)
    expected.skippedCount = 2
    #expect(await mailbox.take() == .success(expected))
    mailbox.close()
    #expect(await mailbox.take() == .success(nil))
  }

  private static func change(
    _ category: NetworkCategory, _ cause: ReachabilityChange.Cause
  ) -> ReachabilityChange {
    let flags: ReachabilityFlags =
      switch category {
      case .wifi: .reachable
      case .cellular: [.reachable, .isWWAN]
      case .noNetwork, .unknown: []
      }
    return ReachabilityChange(ReachabilityReading(flags: flags), cause, seenAt: 0)
  }

  @Test(
    "A cancelled task and a dropped iterator leave neither a thread nor a descriptor"
  )
  func leaks() async {
    // A separate process, because other tests have threads too.
    await #expect(processExitsWith: .success) {
      let namespace = try NetworkNamespace(name: "device")
      try await watchOnce(namespace)
      let before = heldResources()
      for _ in 0..<20 { try await watchOnce(namespace) }
      let after = heldResources()
      #expect(after.descriptors == before.descriptors)
      // Tasks may have been given another thread of the pool.
      #expect(after.threads < before.threads + 10)
    }
  }
}

/// Watches once in a task that is cancelled, and once with an iterator that is dropped.
private func watchOnce(_ namespace: NetworkNamespace) async throws {
  let (first, hasBegun) = AsyncStream<Void>.makeStream()
  let task = Task {
    for try await _ in NetlinkReachability(in: namespace) { hasBegun.yield() }
  }
  for await _ in first { break }
  task.cancel()
  try await task.value
  for try await _ in NetlinkReachability(in: namespace) { break }
}

/// Returns the number of threads and descriptors of this process.
private func heldResources() -> (threads: Int, descriptors: Int) {
  func count(_ path: String) -> Int {
    guard let directory = unsafe opendir(path) else { return -1 }
    defer { _ = unsafe closedir(directory) }
    var count = 0
    while unsafe readdir(directory) != nil { count += 1 }
    return count
  }
  return (count("/proc/self/task"), count("/proc/self/fd"))
}
