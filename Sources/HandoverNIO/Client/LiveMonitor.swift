import HandoverBackend
import HandoverCore
import NIOCore

/// The path of reachability callbacks from the kernel to the monitor, with the injected faults.
struct LiveMonitor {
  /// The treatment of a callback.
  enum Fate: Hashable {
    case now
    case late(Interval, causes: [UInt32])
    case lost(causes: [UInt32])
  }

  /// The flags that the client received last, or `nil` before the first callback.
  private(set) var lastReceived: ReachabilityFlags?
  /// The faults that wait for the next callback, or for the next one about a network.
  var faults = CallbackFaults()
  /// The delayed callbacks.
  var underWay: [Scheduled<Void>] = []
  private var lastSettled: ReachabilityFlags?
  private var waiters: [(flags: ReachabilityFlags, promise: EventLoopPromise<Void>)] = []

  mutating func received(_ flags: ReachabilityFlags) {
    lastReceived = flags
    lastSettled = flags
  }

  /// Determines the treatment of a callback; `path` is the network that caused it, if there is one.
  mutating func handle(_ flags: ReachabilityFlags, about path: PathIndex?) -> Fate {
    let misses = faults.takeMisses(about: path)
    guard misses.isEmpty else { return .lost(causes: misses.map(\.cause)) }
    let delays = faults.takeDelays(about: path)
    guard !delays.isEmpty else { return .now }
    return .late(delays.reduce(.zero) { $0 + $1.length }, causes: delays.map(\.cause))
  }

  /// Completes the futures that wait for a callback with these flags, which was delivered or lost.
  mutating func settle(_ flags: ReachabilityFlags) {
    lastSettled = flags
    for waiter in waiters where waiter.flags == flags { waiter.promise.succeed() }
    waiters.removeAll { $0.flags == flags }
  }

  mutating func whenSettled(
    _ flags: ReachabilityFlags, within limit: TimeAmount, on loop: any EventLoop
  ) -> EventLoopFuture<Void> {
    guard lastSettled != flags else { return loop.makeSucceededVoidFuture() }
    let promise = loop.makePromise(of: Void.self)
    waiters.append((flags, promise))
    // If the kernel reports nothing, the run continues after the time limit.
    loop.scheduleTask(in: limit) { promise.succeed() }
    return promise.futureResult
  }

  mutating func stopWaiting() {
    for waiter in waiters { waiter.promise.succeed() }
    waiters = []
  }
}
