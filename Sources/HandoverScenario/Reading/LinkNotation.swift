/// The notation of shares and rates in scenarios and commands, such as `"1.5%"` and `"10Mbit"`.
public enum LinkNotation {
  /// Parses a share such as `1%` or `0.25%` as parts per million.
  ///
  /// Returns `nil` if the string is not a share or is above 100 %.
  public static func share(_ text: String) -> UInt32? {
    guard text.hasSuffix("%"), let value = number(text.dropLast(), decimals: 4),
      value <= 1_000_000
    else { return nil }
    return UInt32(value)
  }

  /// Parses a rate such as `500kbit`, `2.5Mbit` or `1Gbit` as bits per second.
  ///
  /// Returns `nil` if the string is not a rate.
  public static func rate(_ text: String) -> Int64? {
    for (suffix, size) in [("kbit", 1_000), ("Mbit", 1_000_000), ("Gbit", 1_000_000_000)]
      as [(String, Int64)] where text.hasSuffix(suffix)
    {
      guard let value = number(text.dropLast(suffix.count), decimals: 3) else { return nil }
      return value > 0 ? value * (size / 1_000) : nil
    }
    return nil
  }

  /// Returns the notation of a share in parts per million.
  static func text(share: UInt32) -> String {
    let digits = String(share % 10_000)
    var rest = String(repeating: "0", count: 4 - digits.count) + digits
    while rest.last == "0" { rest.removeLast() }
    return "\(share / 10_000)" + (rest.isEmpty ? "" : ".\(rest)") + "%"
  }

  /// Returns the notation of a rate in bits per second.
  static func text(rate: Int64) -> String {
    let rate = UInt128(rate)
    for (suffix, size) in [("Gbit", 1_000_000_000), ("Mbit", 1_000_000)] as [(String, UInt128)]
    where rate >= size && rate % (size / 1_000) == 0 {
      return CanonicalNumber.decimal(rate, outOf: size) + suffix
    }
    return CanonicalNumber.decimal(rate, outOf: 1_000) + "kbit"
  }

  /// Returns a number in units of its smallest decimal, or `nil` if it is invalid or too large.
  private static func number(_ text: Substring, decimals: Int) -> Int64? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ (1...7).contains($0.utf8.count) }),
      parts.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 } })
    else { return nil }
    let rest = parts.count == 2 ? String(parts[1]) : ""
    guard rest.utf8.count <= decimals else { return nil }
    return Int64(parts[0] + rest + String(repeating: "0", count: decimals - rest.utf8.count))
  }
}
