public import HandoverMachines

/// A limit with its tolerance of 5 %, because many programs have timeouts that equal a limit.
public struct TryLimit: Hashable, Sendable {
  private let limit: Interval

  /// Creates a limit.
  public init(_ limit: Interval) {
    self.limit = limit
  }

  private var tolerance: Int64 { limit.microseconds / 20 }

  /// Whether a time is below the limit, or above it by the tolerance at most.
  public func allows(_ time: Interval) -> Bool {
    time <= limit + Interval(microseconds: tolerance)
  }

  /// Whether a time differs from the limit by the tolerance at most.
  public func isNear(_ time: Interval) -> Bool {
    limit > .zero && allows(time) && time.microseconds >= limit.microseconds - tolerance
  }
}
