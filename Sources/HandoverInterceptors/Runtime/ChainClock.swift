import Dispatch
public import HandoverCore
import Synchronization

/// A source of time with timers.
public protocol ChainClock: Sendable {
  /// The current instant, which never goes back.
  var now: Instant { get }

  /// Creates a timer that is not set.
  ///
  /// - Parameter fire: The action of the timer. The clock may call it once too often, but must
  ///   never omit a call.
  /// - Returns: The timer, which the client releases when it is destroyed.
  func makeTimer(_ fire: @escaping @Sendable () -> Void) -> any ChainTimer
}

/// A timer that fires once, at an instant that can be changed.
public protocol ChainTimer: Sendable {
  /// Replaces the timer's instant; the timer fires immediately if it has passed, and never if it is
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
  public func makeTimer(_ fire: @escaping @Sendable () -> Void) -> any ChainTimer {
    DispatchChainTimer(start, fire)
  }
}

private final class DispatchChainTimer: ChainTimer {
  private let start: DispatchTime
  private let timer: Mutex<any DispatchSourceTimer>

  init(_ start: DispatchTime, _ fire: @escaping @Sendable () -> Void) {
    self.start = start
    let timer = DispatchSource.makeTimerSource()
    timer.setEventHandler(handler: fire)
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
