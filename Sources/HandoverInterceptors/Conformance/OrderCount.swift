extension UInt64 {
  /// A number of orders with more of them; the largest number stands for as many or more.
  func adding(orders: UInt64) -> UInt64 {
    let (sum, overflows) = addingReportingOverflow(orders)
    return overflows ? .max : sum
  }
}
