import HandoverBackend
import HandoverCore
import HandoverTrace

/// The way of reachability callbacks from the platform to the monitor, and what can go wrong on it.
struct MonitorPipe: Hashable, Sendable {
  /// How often everything under way was lost; what was sent before the last time never arrives.
  private var overruns: UInt32 = 0
  /// How many callbacks are under way.
  private(set) var underWay = 0
  /// The flags of the last one delivered; nil before the first.
  private(set) var lastDelivered: ReachabilityFlags?
  /// The category the monitor heard of last.
  private(set) var lastHeard = NetworkCategory.unknown
  /// The faults that wait for the next callback, or for the next of a network.
  private(set) var faults = CallbackFaults()

  /// The monitor reads the flags as the run begins; nil where it cannot.
  mutating func readInitially(_ flags: ReachabilityFlags?) {
    lastHeard = flags.map(NetworkCategory.init) ?? .unknown
  }

  /// Stands where so many callbacks are under way, and none was ever lost.
  mutating func restore(underWay count: Int, lastDelivered flags: ReachabilityFlags?) {
    self = MonitorPipe()
    underWay = count
    lastDelivered = flags
  }

  /// Forgets which flags were delivered last, so that they do not come again.
  mutating func forgetDelivered() { lastDelivered = nil }

  /// The platform reports flags; where nobody watches them nothing is sent (S10).
  ///
  /// A path names the network whose change is the reason; nil has no such reason.
  mutating func platformReports(
    _ flags: ReachabilityFlags, about path: PathIndex? = nil, _ context: inout Context
  ) {
    guard context.profile.policy.monitorsReachability else { return }
    let misses = faults.takeMisses(about: path)
    guard misses.isEmpty else {
      for miss in misses { context.markEffect(of: miss.cause) }
      return context.record(.callbackLost)
    }
    var delay = context.configuration.monitorLatency
    for late in faults.takeDelays(about: path) {
      context.markEffect(of: late.cause)
      delay = delay + late.length
    }
    sendCallback(flags, after: delay, &context)
  }

  mutating func sendCallback(
    _ flags: ReachabilityFlags, after delay: Interval, _ context: inout Context
  ) {
    underWay += 1
    context.scheduleCallback(.callback(flags, overruns: overruns), after: delay)
  }

  /// Whether a callback was lost on its way.
  @inline(__always)
  func isLost(sentAfter overruns: UInt32) -> Bool { overruns != self.overruns }

  // Whoever only looks at the context is given it to change all the same: it would be copied.

  /// A callback arrives, unless it was lost.
  ///
  /// - Returns: what the monitor hears.
  mutating func callbackArrives(
    _ flags: ReachabilityFlags, sentAfter overruns: UInt32, _ context: inout Context
  ) -> ClientCore.Event? {
    guard !isLost(sentAfter: overruns) else { return nil }
    underWay -= 1
    if context.device.app.runs {
      lastDelivered = flags
      lastHeard = NetworkCategory(flags)
    }
    return .reachability(.callback(flags))
  }

  /// The flags are read afresh after an overrun.
  ///
  /// - Returns: what the monitor hears.
  mutating func readAfresh(_ context: inout Context) -> ClientCore.Event {
    if context.device.app.runs { lastHeard = context.device.category }
    return .reachability(.resynchronised(context.device.flags))
  }

  /// A fault of the timeline.
  mutating func tamper(
    _ word: MonitorWord, by delay: Interval, of path: PathIndex?, cause: UInt32,
    _ context: inout Context
  ) {
    guard context.profile.policy.monitorsReachability else { return }
    switch word {
    case .duplicate:
      guard let flags = lastDelivered else { return }
      context.markEffect(of: cause)
      sendCallback(flags, after: .zero, &context)
    case .delay:
      faults.delayNext(of: path, by: delay, cause: cause)
    case .miss:
      faults.missNext(of: path, cause: cause)
    case .overrun:
      overrun(cause: cause, &context)
    }
  }

  private mutating func overrun(cause: UInt32, _ context: inout Context) {
    if underWay > 0 || context.device.category != lastHeard { context.markEffect(of: cause) }
    if underWay > 0 { context.record(.callbackLost) }
    overruns += 1
    underWay = 0
    context.scheduleCallback(.freshRead, after: .zero)
  }
}
