import Dispatch
public import HandoverCore
import Synchronization

/// Tells the time, and rings when a time has come.
public protocol ChainClock: Sendable {
  /// The present instant; it never goes back.
  var now: Instant { get }

  /// Makes an alarm that is not set.
  ///
  /// - Parameter ring: what the alarm does; it may be done once too often, but never too rarely.
  /// - Returns: the alarm, which is let go of with its client.
  func makeAlarm(_ ring: @escaping @Sendable () -> Void) -> any ChainAlarm
}

/// Rings once at a time that can be changed.
public protocol ChainAlarm: Sendable {
  /// Rings at this instant instead of the one before, at once where it has passed; nil never.
  func set(_ instant: Instant?)
}

/// The clock of the machine, counted from its making.
public struct DispatchChainClock: ChainClock {
  private let start = DispatchTime.now()

  /// Starts to count.
  public init() {}

  /// The time since the clock was made.
  public var now: Instant {
    let elapsed = DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds
    return Instant(microseconds: Int64(clamping: elapsed / 1_000))
  }

  /// Makes a timer.
  public func makeAlarm(_ ring: @escaping @Sendable () -> Void) -> any ChainAlarm {
    DispatchAlarm(start, ring)
  }
}

private final class DispatchAlarm: ChainAlarm {
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
