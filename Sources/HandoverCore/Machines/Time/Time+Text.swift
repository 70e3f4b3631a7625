extension Interval {
  /// The duration in the format of scenarios, in the largest unit that is exact: `250ms`, `1.5s`.
  public var text: String {
    let units: [(Int64, String)] = [
      (3_600_000_000, "h"), (60_000_000, "min"), (1_000_000, "s"), (1_000, "ms"),
    ]
    guard microseconds != 0 else { return "0s" }
    for (size, name) in units where microseconds.magnitude >= size.magnitude {
      // At most three decimals are used, and none that would be rounded.
      if size == 3_600_000_000 || size == 60_000_000 {
        if microseconds % size == 0 { return "\(microseconds / size)\(name)" }
      } else if (microseconds % size) % (size / 1_000) == 0 {
        return Self.decimal(microseconds, size) + name
      }
    }
    return "\(microseconds)us"
  }

  private static func decimal(_ value: Int64, _ size: Int64) -> String {
    let whole = value / size
    let thousandths = (value % size).magnitude / (size / 1_000).magnitude
    guard thousandths != 0 else { return "\(whole)" }
    var digits = String(thousandths)
    while digits.count < 3 { digits = "0" + digits }
    while digits.last == "0" { digits.removeLast() }
    let sign = value < 0 && whole == 0 ? "-" : ""
    return "\(sign)\(whole).\(digits)"
  }
}

extension Instant {
  /// The instant in the format of scenarios: the time since the start of the run.
  public var text: String { Interval(microseconds: microseconds).text }
}
