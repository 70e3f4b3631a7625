import HandoverCore
import HandoverTrace

/// The way of reachability callbacks from the platform to the monitor, and what can go wrong on it.
struct MonitorPipe: Hashable, Sendable {
  /// A callback that was sent.
  struct Callback: Hashable, Sendable {
    var flags: ReachabilityFlags
    var isLost = false
  }

  /// All callbacks sent, in order.
  var sent: ContiguousArray<Callback> = []
  /// Those under way.
  var underWay = 0
  /// The flags of the last one delivered; nil before the first.
  var lastDelivered: ReachabilityFlags?
  /// The category the monitor heard of last.
  var lastHeard = NetworkCategory.unknown
  /// The faults that wait for the next callback.
  var missNext: UInt32?
  var delayNext: (by: Interval, cause: UInt32)? {
    get { delayCause.map { (delayLength, $0) } }
    set {
      delayCause = newValue?.cause
      delayLength = newValue?.by ?? .zero
    }
  }
  private var delayCause: UInt32?
  private var delayLength = Interval.zero
  /// Whether a callback waits for the application to run.
  var callbackIsHeld = false

  /// Forgets everything; the room is kept.
  mutating func removeAll() {
    sent.removeAll(keepingCapacity: true)
    let room = sent
    self = MonitorPipe()
    sent = room
  }
}

extension SimulatedRun {
  /// The platform reports flags; where nobody watches them nothing is sent (S10).
  mutating func platformReports(_ flags: ReachabilityFlags) {
    guard profile.policy.monitorsReachability else { return }
    if let cause = monitor.missNext {
      monitor.missNext = nil
      markEffect(of: cause)
      trace.append(.world(.callbackLost), at: now)
      return
    }
    var delay = configuration.monitorLatency
    if let late = monitor.delayNext {
      monitor.delayNext = nil
      markEffect(of: late.cause)
      delay = delay + late.by
    }
    sendCallback(flags, after: delay)
  }

  mutating func sendCallback(_ flags: ReachabilityFlags, after delay: Interval) {
    let place = UInt32(truncatingIfNeeded: monitor.sent.count)
    monitor.sent.append(MonitorPipe.Callback(flags: flags))
    monitor.underWay += 1
    scheduleCallback(.callback(place), at: now + delay)
  }

  mutating func callbackArrives(_ place: UInt32) {
    let callback = monitor.sent[Int(place)]
    guard !callback.isLost else { return }
    monitor.underWay -= 1
    if device.app.runs {
      monitor.lastDelivered = callback.flags
      monitor.lastHeard = NetworkCategory(callback.flags)
    }
    tell(.reachability(.callback(callback.flags)))
  }

  /// The flags are read afresh after an overrun.
  mutating func readAfresh() {
    if device.app.runs { monitor.lastHeard = device.category }
    tell(.reachability(.resynchronised(device.flags)))
  }

  mutating func tamper(_ word: MonitorWord, by delay: Interval, cause: UInt32) {
    guard profile.policy.monitorsReachability else { return }
    switch word {
    case .duplicate:
      guard let flags = monitor.lastDelivered else { return }
      markEffect(of: cause)
      sendCallback(flags, after: .zero)
    case .delay:
      monitor.delayNext = (delay, cause)
    case .miss:
      monitor.missNext = cause
    case .overrun:
      overrun(cause: cause)
    }
  }

  private mutating func overrun(cause: UInt32) {
    if monitor.underWay > 0 || device.category != monitor.lastHeard { markEffect(of: cause) }
    for place in monitor.sent.indices where !monitor.sent[place].isLost {
      monitor.sent[place].isLost = true
    }
    if monitor.underWay > 0 { trace.append(.world(.callbackLost), at: now) }
    monitor.underWay = 0
    scheduleCallback(.freshRead, at: now)
  }
}
