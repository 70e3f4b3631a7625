/// A point in time, in microseconds since the run began.
///
/// Where it comes from is the driver's business: a simulation counts it, a live run reads a
/// monotonic clock once for each event. Nothing in this module ever reads a clock.
@frozen
public struct Instant: Hashable, Comparable, Sendable {
  /// Microseconds since the run began.
  public var microseconds: Int64

  /// Makes an instant from microseconds since the run began.
  @inlinable
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// The beginning of the run.
  @inlinable public static var zero: Instant { Instant(microseconds: 0) }

  /// An instant that is never reached.
  @inlinable public static var never: Instant { Instant(microseconds: .max) }

  /// Whether one instant is earlier than the other.
  @inlinable
  public static func < (left: Instant, right: Instant) -> Bool {
    left.microseconds < right.microseconds
  }

  /// The instant `interval` later; ``never`` where that is out of range.
  @inlinable
  public static func + (instant: Instant, interval: Interval) -> Instant {
    let sum = Interval(microseconds: instant.microseconds) + interval
    return Instant(microseconds: sum.microseconds)
  }

  /// The length of time from `earlier` to this instant, saturating.
  @inlinable
  public func since(_ earlier: Instant) -> Interval {
    let (difference, overflow) = microseconds.subtractingReportingOverflow(earlier.microseconds)
    return overflow ? .maximum : Interval(microseconds: difference)
  }
}
