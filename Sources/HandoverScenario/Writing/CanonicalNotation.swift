import HandoverCore

/// The canonical notation of numbers: exact, without an exponent or redundant zeros.
enum CanonicalNumber {
  /// Returns the canonical number, or `nil` if the value is not an integer number of thousandths.
  ///
  /// - Precondition: the value is a number.
  static func text(_ value: JSONValue) -> String? {
    if case .success(let number) = value.integer { return String(number) }
    guard case .success(let thousandths) = value.thousandths else { return nil }
    let sign = thousandths < 0 ? "-" : ""
    return sign + decimal(thousandths.magnitude, outOf: 1_000)
  }

  /// Returns `count / size` with at most three decimals.
  ///
  /// - Precondition: `size` is a multiple of 1000, or 1, and three decimals represent the result
  ///   exactly.
  static func decimal(_ count: UInt128, outOf size: UInt128) -> String {
    let (whole, rest) = count.quotientAndRemainder(dividingBy: size)
    guard rest > 0 else { return String(whole) }
    var digits = String(rest / (size / 1_000))
    digits = String(repeating: "0", count: 3 - digits.count) + digits
    while digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits)"
  }
}

extension TimeNotation {
  /// Returns a time in canonical notation, or `nil` if the string is not a time.
  ///
  /// Up to seconds, the canonical unit is the largest one that represents the time exactly with
  /// three decimals: `1000ms` becomes `1s`, and `0.5s` becomes `500ms`. Minutes and hours are kept
  /// as written, so that `60s` and `1min` are both canonical. A `+` is kept.
  static func canonical(_ text: String) -> String? {
    guard case .success(let time) = parse(text) else { return nil }
    let sign = time.isRelative ? "+" : ""
    let count = UInt128(time.interval.microseconds.magnitude)
    guard count > 0 else { return sign + "0s" }
    for unit in [Unit.hours, .minutes] where text.hasSuffix(unit.rawValue) {
      return sign + CanonicalNumber.decimal(count, outOf: UInt128(unit.microseconds))
        + unit.rawValue
    }
    for unit in [Unit.seconds, .milliseconds] {
      let size = UInt128(unit.microseconds)
      if count >= size, count % (size / 1_000) == 0 {
        return sign + CanonicalNumber.decimal(count, outOf: size) + unit.rawValue
      }
    }
    return sign + String(count) + Unit.microseconds.rawValue
  }
}
