import HandoverCore
import NIOCore

/// Time since the beginning of a run, by the kernel's monotonic clock.
struct LiveClock: Hashable, Sendable {
  private let begun: NIODeadline

  /// A clock that starts now.
  init() {
    begun = .now()
  }

  /// How long the run has gone on.
  var now: Instant {
    Instant(microseconds: (NIODeadline.now() - begun).nanoseconds / 1_000)
  }

  /// When an instant of the run is, for the timers of an event loop.
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
