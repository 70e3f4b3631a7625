package import HandoverCore
package import HandoverTry

/// The severity of a failure; a later case is worse.
///
/// A search reports the failure with the highest severity. No other code orders failures.
package enum SearchSeverity: Int, Comparable, Sendable, CaseIterable {
  /// A limit is exceeded.
  case exceedsLimit
  /// The program is not back yet, but still tries.
  case late
  /// The program ended, or stopped trying.
  case givesUp
  /// The program waits for something that never arrives.
  case hangs

  /// Returns the severity of a verdict, or `nil` if it is no failure.
  package init?(_ verdict: TryVerdict, exceedsLimit: Bool) {
    guard verdict.isFailure else {
      guard exceedsLimit else { return nil }
      self = .exceedsLimit
      return
    }
    switch verdict.outcome {
    case .hangs: self = .hangs
    case .givesUp: self = .givesUp
    default: self = .late
    }
  }

  package static func < (left: SearchSeverity, right: SearchSeverity) -> Bool {
    left.rawValue < right.rawValue
  }

  /// Returns whether a failure is worse than the worst one so far, if there is one.
  package func isWorse(than worst: SearchSeverity?) -> Bool {
    worst.map { self > $0 } ?? true
  }

  /// Returns how long a search draws timelines.
  ///
  /// After a failure, half of the time remains for shortening. Nothing is worse than a hang.
  ///
  /// - Parameters:
  ///   - time: The time of the whole search.
  ///   - worst: The severity of the worst failure so far, or `nil` if there is none.
  /// - Returns: The time from the start of the search.
  package static func drawingTime(of time: Interval, after worst: SearchSeverity?) -> Interval {
    switch worst {
    case nil: time
    case .hangs: .zero
    case .exceedsLimit, .late, .givesUp: Interval(microseconds: time.microseconds / 2)
    }
  }
}
