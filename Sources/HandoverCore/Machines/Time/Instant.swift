/// A point in time, in microseconds since the start of the run.
///
/// The driver provides instants: a simulation counts them, and a live run reads a monotonic clock
/// once per event. No code in this module reads a clock.
@frozen
public struct Instant: Hashable, Comparable, Sendable {
  /// The microseconds since the start of the run.
  public var microseconds: Int64

  /// Creates an instant from microseconds since the start of the run.
  @inlinable
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// The start of the run.
  @inlinable public static var zero: Instant { Instant(microseconds: 0) }

  /// An instant that is never reached.
  @inlinable public static var never: Instant { Instant(microseconds: .max) }

  /// Whether one instant is earlier than the other.
  @inlinable
  public static func < (left: Instant, right: Instant) -> Bool {
    left.microseconds < right.microseconds
  }

  /// Returns the instant `interval` later, or ``never`` if that is out of range.
  @inlinable
  public static func + (instant: Instant, interval: Interval) -> Instant {
    let sum = Interval(microseconds: instant.microseconds) + interval
    return Instant(microseconds: sum.microseconds)
  }

  /// Returns the time from `earlier` to this instant; the result saturates.
  @inlinable
  public func since(_ earlier: Instant) -> Interval {
    let (difference, overflow) = microseconds.subtractingReportingOverflow(earlier.microseconds)
    return overflow ? .maximum : Interval(microseconds: difference)
  }
}
