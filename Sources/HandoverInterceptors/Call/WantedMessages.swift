extension Int {
  /// A count of wanted messages with more of them: zero and less are ignored, and a count that
  /// means "all there will ever be" does not overflow (I36).
  func adding(wanted count: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(Swift.max(0, count))
    return overflow ? .max : sum
  }
}
