extension Int {
  /// Returns the sum of two counts of requested messages (I36).
  ///
  /// Negative counts are ignored. The sum does not overflow, because callers may request `Int.max`
  /// messages to mean "all".
  func adding(wanted count: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(Swift.max(0, count))
    return overflow ? .max : sum
  }
}
