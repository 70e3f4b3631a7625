/// A duration in whole microseconds.
///
/// Arithmetic saturates at the ends of the range, so that no input can cause an overflow: a sum
/// beyond ``maximum`` is ``maximum``. Negative durations exist only as differences of instants.
@frozen
public struct Interval: Hashable, Comparable, Sendable {
  /// The duration in microseconds.
  public var microseconds: Int64

  /// Creates a duration from microseconds.
  @inlinable
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// The duration zero.
  @inlinable public static var zero: Interval { Interval(microseconds: 0) }

  /// The longest possible duration; in timeouts, it means "never".
  @inlinable public static var maximum: Interval { Interval(microseconds: .max) }

  /// Returns a duration of whole milliseconds.
  @inlinable
  public static func milliseconds(_ count: Int64) -> Interval {
    Interval(microseconds: saturating(count, times: 1_000))
  }

  /// Returns a duration of whole seconds.
  @inlinable
  public static func seconds(_ count: Int64) -> Interval {
    Interval(microseconds: saturating(count, times: 1_000_000))
  }

  /// Returns a duration of whole minutes.
  @inlinable
  public static func minutes(_ count: Int64) -> Interval {
    .seconds(saturating(count, times: 60))
  }

  /// Whether one duration is shorter than the other.
  @inlinable
  public static func < (left: Interval, right: Interval) -> Bool {
    left.microseconds < right.microseconds
  }

  /// Returns the sum; the result saturates.
  @inlinable
  public static func + (left: Interval, right: Interval) -> Interval {
    let (sum, overflow) = left.microseconds.addingReportingOverflow(right.microseconds)
    return Interval(microseconds: overflow ? (right.microseconds < 0 ? .min : .max) : sum)
  }

  /// Returns the duration multiplied by a ratio, rounded down; the result saturates.
  @inlinable
  public func scaled(by ratio: Ratio) -> Interval {
    let product = microseconds.multipliedFullWidth(by: ratio.numerator)
    // The high word must be smaller than the divisor, or else the quotient does not fit.
    guard product.high >= 0, product.high < ratio.denominator else { return .maximum }
    let quotient = ratio.denominator.magnitude.dividingFullWidth(
      (UInt64(product.high), product.low)
    ).quotient
    return Interval(microseconds: Int64(exactly: quotient) ?? .max)
  }

  @inlinable
  static func saturating(_ value: Int64, times factor: Int64) -> Int64 {
    let (product, overflow) = value.multipliedReportingOverflow(by: factor)
    return overflow ? (value < 0 ? .min : .max) : product
  }
}

/// A rate or probability as a fraction of integers, so that runs never depend on rounding.
@frozen
public struct Ratio: Hashable, Sendable {
  /// The numerator, at least zero.
  public let numerator: Int64
  /// The denominator, above zero.
  public let denominator: Int64

  /// Creates a fraction.
  ///
  /// - Precondition: `numerator` is at least zero, and `denominator` is above zero.
  @inlinable
  public init(_ numerator: Int64, outOf denominator: Int64) {
    precondition(numerator >= 0 && denominator > 0, "a ratio must not be negative")
    self.numerator = numerator
    self.denominator = denominator
  }
}

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
