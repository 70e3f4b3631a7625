import HandoverCore
import NIOCore

/// A clock that measures the time since the beginning of a run with the kernel's monotonic clock.
struct LiveClock: Hashable, Sendable {
  private let begun: NIODeadline

  /// Creates a clock that starts now.
  init() {
    begun = .now()
  }

  /// The time since the beginning of the run.
  var now: Instant {
    Instant(microseconds: (NIODeadline.now() - begun).nanoseconds / 1_000)
  }

  /// Returns the deadline of an instant of the run for the timers of an event loop.
  func deadline(_ instant: Instant) -> NIODeadline {
    guard instant != .never else { return .distantFuture }
    return begun + .microseconds(instant.microseconds)
  }
}

extension TimeAmount {
  init(_ interval: Interval) {
    self = .microseconds(interval.microseconds)
  }
}
