public import HandoverCore

/// A limit with its tolerance of 5 %, because many programs have timeouts that equal a limit.
public struct TryLimit: Hashable, Sendable {
  private let limit: Interval

  /// Creates a limit.
  public init(_ limit: Interval) {
    self.limit = limit
  }

  private var tolerance: Int64 { limit.microseconds / 20 }

  /// Returns whether a time exceeds the limit by at most the tolerance.
  public func allows(_ time: Interval) -> Bool {
    time <= limit + Interval(microseconds: tolerance)
  }

  /// Returns whether a time differs from the limit by at most the tolerance.
  public func isNear(_ time: Interval) -> Bool {
    limit > .zero && allows(time) && time.microseconds >= limit.microseconds - tolerance
  }
}
