extension UInt64 {
  /// Returns the sum of two numbers of orders; the largest number means that number or more.
  func adding(orders: UInt64) -> UInt64 {
    let (sum, overflows) = addingReportingOverflow(orders)
    return overflows ? .max : sum
  }
}
