import HandoverBackend
import HandoverCore
import NIOCore

/// The way of reachability callbacks from the kernel to the monitor, and what is done to them.
struct LiveMonitor {
  /// What becomes of a callback.
  enum Fate: Hashable {
    case now
    case late(Interval, causes: [UInt32])
    case lost(causes: [UInt32])
  }

  /// The flags that the client heard last; nil before the first.
  private(set) var lastHeard: ReachabilityFlags?
  /// The faults that wait for the next callback, or the next of a network.
  var faults = CallbackFaults()
  /// Callbacks that are delayed.
  var underWay: [Scheduled<Void>] = []
  private var lastSettled: ReachabilityFlags?
  private var waiters: [(flags: ReachabilityFlags, promise: EventLoopPromise<Void>)] = []

  mutating func heard(_ flags: ReachabilityFlags) {
    lastHeard = flags
    lastSettled = flags
  }

  /// What becomes of a callback; a network is named where it is the reason.
  mutating func handle(_ flags: ReachabilityFlags, about path: PathIndex?) -> Fate {
    let misses = faults.takeMisses(about: path)
    guard misses.isEmpty else { return .lost(causes: misses.map(\.cause)) }
    let delays = faults.takeDelays(about: path)
    guard !delays.isEmpty else { return .now }
    return .late(delays.reduce(.zero) { $0 + $1.length }, causes: delays.map(\.cause))
  }

  /// A callback with these flags is delivered, or never will be.
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
    // Where the kernel tells nothing the play goes on all the same.
    loop.scheduleTask(in: limit) { promise.succeed() }
    return promise.futureResult
  }

  mutating func stopWaiting() {
    for waiter in waiters { waiter.promise.succeed() }
    waiters = []
  }
}
