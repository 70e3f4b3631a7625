/// Shares and rates as scenarios and commands write them: `"1.5%"`, `"10Mbit"`.
public enum LinkNotation {
  /// How many of a million a text such as `1%` or `0.25%` means; nil where it means none, or more
  /// than all.
  public static func share(_ text: String) -> UInt32? {
    guard text.hasSuffix("%"), let value = number(text.dropLast(), decimals: 4),
      value <= 1_000_000
    else { return nil }
    return UInt32(value)
  }

  /// How many bits in a second a text such as `500kbit`, `2.5Mbit` or `1Gbit` means; nil where it
  /// means none.
  public static func rate(_ text: String) -> Int64? {
    for (suffix, size) in [("kbit", 1_000), ("Mbit", 1_000_000), ("Gbit", 1_000_000_000)]
      as [(String, Int64)] where text.hasSuffix(suffix)
    {
      guard let value = number(text.dropLast(suffix.count), decimals: 3) else { return nil }
      return value > 0 ? value * (size / 1_000) : nil
    }
    return nil
  }

  /// A number as so many times its smallest decimal; nil where a text is none, or too great.
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
