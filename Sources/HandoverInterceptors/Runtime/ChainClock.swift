import Dispatch
public import HandoverCore
import Synchronization

/// A source of time with alarms.
public protocol ChainClock: Sendable {
  /// The current instant, which never goes back.
  var now: Instant { get }

  /// Creates an alarm that is not set.
  ///
  /// - Parameter ring: The action of the alarm. The clock may call it once too often, but must
  ///   never omit a call.
  /// - Returns: The alarm, which the client releases when it is destroyed.
  func makeAlarm(_ ring: @escaping @Sendable () -> Void) -> any ChainTimer
}

/// An alarm that rings once, at an instant that can be changed.
public protocol ChainTimer: Sendable {
  /// Replaces the alarm's instant; the alarm rings immediately if it has passed, and never if it is
  /// `nil`.
  func set(_ instant: Instant?)
}

/// The clock of the machine, which starts at zero.
public struct DispatchChainClock: ChainClock {
  private let start = DispatchTime.now()

  /// Creates a clock and starts it.
  public init() {}

  /// The time since the clock was created.
  public var now: Instant {
    let elapsed = DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds
    return Instant(microseconds: Int64(clamping: elapsed / 1_000))
  }

  /// Creates a timer.
  public func makeAlarm(_ ring: @escaping @Sendable () -> Void) -> any ChainTimer {
    DispatchAlarm(start, ring)
  }
}

private final class DispatchAlarm: ChainTimer {
  private let start: DispatchTime
  private let timer: Mutex<any DispatchSourceTimer>

  init(_ start: DispatchTime, _ ring: @escaping @Sendable () -> Void) {
    self.start = start
    let timer = DispatchSource.makeTimerSource()
    timer.setEventHandler(handler: ring)
    timer.schedule(deadline: .distantFuture)
    timer.activate()
    self.timer = Mutex(timer)
  }

  deinit {
    timer.withLock { $0.cancel() }
  }

  func set(_ instant: Instant?) {
    let deadline: DispatchTime =
      if let instant { start + .microseconds(Int(clamping: instant.microseconds)) } else {
        .distantFuture
      }
    timer.withLock { $0.schedule(deadline: deadline) }
  }
}
