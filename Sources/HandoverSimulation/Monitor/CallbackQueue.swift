import HandoverBackend
import HandoverCore

/// The path of reachability callbacks from iOS to the monitor, with its possible faults.
struct CallbackQueue: Hashable, Sendable {
  /// The number of overruns.
  ///
  /// Each overrun loses all callbacks that were sent before it.
  private var overruns: UInt32 = 0
  /// The number of callbacks in transit.
  private(set) var underWay = 0
  /// The flags of the last delivered callback, or `nil` before the first.
  private(set) var lastDelivered: ReachabilityFlags?
  /// The category of which the monitor was last notified.
  private(set) var lastReceived = NetworkCategory.unknown
  /// The faults that wait for the next callback, or for the next callback about one network.
  private(set) var faults = CallbackFaults()

  /// Records the flags that the monitor reads when the run begins; `nil` if it cannot read them.
  mutating func readInitially(_ flags: ReachabilityFlags?) {
    lastReceived = flags.map(NetworkCategory.init) ?? .unknown
  }

  /// Restores a state with `count` callbacks in transit and no overruns.
  mutating func restore(underWay count: Int, lastDelivered flags: ReachabilityFlags?) {
    self = CallbackQueue()
    underWay = count
    lastDelivered = flags
  }

  /// Forgets the last delivered flags, so that they cannot be duplicated.
  mutating func forgetDelivered() { lastDelivered = nil }

  /// Sends a callback with the flags.
  ///
  /// Sends nothing if the profile does not monitor reachability (S10).
  ///
  /// `path` names the network whose change is the reason, or is `nil` if there is no such network.
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

  /// Returns whether a callback was lost in transit.
  func isLost(sentAfter overruns: UInt32) -> Bool { overruns != self.overruns }

  // The context is passed `inout` although it is only read, because it would be copied otherwise.

  /// Delivers a callback, unless it was lost.
  ///
  /// - Returns: the event for the monitor, or `nil` if the callback was lost.
  mutating func callbackArrives(
    _ flags: ReachabilityFlags, sentAfter overruns: UInt32, _ context: inout Context
  ) -> ClientCore.Event? {
    guard !isLost(sentAfter: overruns) else { return nil }
    underWay -= 1
    if context.device.app.runs {
      lastDelivered = flags
      lastReceived = NetworkCategory(flags)
    }
    return .reachability(.callback(flags))
  }

  /// Reads the current flags after an overrun.
  ///
  /// - Returns: the event for the monitor.
  mutating func readAgain(_ context: inout Context) -> ClientCore.Event {
    if context.device.app.runs { lastReceived = context.device.category }
    return .reachability(.resynchronized(context.device.flags))
  }

  /// Applies a monitor fault of the timeline.
  mutating func tamper(
    _ fault: MonitorFault, by delay: Interval, of path: PathIndex?, cause: UInt32,
    _ context: inout Context
  ) {
    guard context.profile.policy.monitorsReachability else { return }
    switch fault {
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
    if underWay > 0 || context.device.category != lastReceived { context.markEffect(of: cause) }
    if underWay > 0 { context.record(.callbackLost) }
    overruns += 1
    underWay = 0
    context.scheduleCallback(.freshRead, after: .zero)
  }
}
