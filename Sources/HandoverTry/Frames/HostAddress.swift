/// An IPv6 address, or an IPv4 address in its IPv4-mapped IPv6 form.
public struct HostAddress: Hashable, Sendable, CustomStringConvertible, ExpressibleByIntegerLiteral
{
  /// The address in network byte order, the most significant bits first.
  public let bits: UInt128

  private static let mapped: UInt128 = 0xFFFF_0000_0000

  /// Creates an IPv4 address, the most significant byte first.
  public init(v4 bits: UInt32) {
    self.bits = Self.mapped | UInt128(bits)
  }

  private init(bits: UInt128) {
    self.bits = bits
  }

  /// Creates an address from its bytes, the most significant first.
  ///
  /// Returns `nil` if there are neither 4 nor 16 bytes.
  public init?(_ bytes: some Collection<UInt8>) {
    let bits = bytes.reduce(0 as UInt128) { $0 << 8 | UInt128($1) }
    switch bytes.count {
    case 4: self.init(v4: UInt32(truncatingIfNeeded: bits))
    case 16: self.init(bits: bits)
    default: return nil
    }
  }

  /// Creates an IPv4 address from a number.
  public init(integerLiteral value: UInt32) {
    self.init(v4: value)
  }

  /// The sixteen bytes of the address, the most significant first.
  public var bytes: [UInt8] {
    stride(from: 120, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> $0) }
  }

  /// The IPv4 address, or `nil` if this is an IPv6 address.
  public var v4: UInt32? {
    bits >> 32 == Self.mapped >> 32 ? UInt32(truncatingIfNeeded: bits) : nil
  }

  /// The address in its usual notation, such as `192.0.2.1` or `2001:db8::1`.
  public var description: String {
    if let v4 {
      return [24, 16, 8, 0].map { String(v4 >> UInt32($0) & 0xFF) }.joined(separator: ".")
    }
    let groups = stride(from: 112, through: 0, by: -16).map {
      UInt16(truncatingIfNeeded: bits >> $0)
    }
    let zeros = Self.longestZeros(groups)
    func text(_ range: Range<Int>) -> String {
      groups[range].map { String($0, radix: 16) }.joined(separator: ":")
    }
    return zeros.count < 2
      ? text(0..<8) : "\(text(0..<zeros.lowerBound))::\(text(zeros.upperBound..<8))"
  }

  private static func longestZeros(_ groups: [UInt16]) -> Range<Int> {
    var longest = 0..<0
    var start = 0
    for index in groups.indices {
      if groups[index] != 0 { start = index + 1 }
      if index + 1 - start > longest.count { longest = start..<index + 1 }
    }
    return longest
  }
}
