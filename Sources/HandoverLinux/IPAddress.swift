import Glibc

/// An IPv4 or IPv6 address.
public struct IPAddress: Hashable, Sendable, CustomStringConvertible {
  /// The family of an address.
  public enum Family: UInt8, Hashable, Sendable, CaseIterable {
    /// 32 bits.
    case v4
    /// 128 bits.
    case v6

    /// The address family constant (`AF_…`) of the socket API.
    public var number: Int32 { self == .v4 ? AF_INET : AF_INET6 }
    /// The number of bits of an address.
    public var bitCount: Int { self == .v4 ? 32 : 128 }
  }

  /// The family.
  public let family: Family
  /// The 4 or 16 bytes in network byte order.
  public let bytes: [UInt8]

  /// Creates an address from 4 or 16 bytes, or returns `nil` for any other length.
  public init?(_ bytes: [UInt8]) {
    switch bytes.count {
    case 4: family = .v4
    case 16: family = .v6
    default: return nil
    }
    self.bytes = bytes
  }

  /// Creates an IPv4 address from its four bytes.
  public init(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) {
    family = .v4
    bytes = [a, b, c, d]
  }

  /// Parses the text form of an address, such as `192.0.2.1` or `2001:db8::1`.
  public init?(_ text: String) {
    let family: Family = text.contains(":") ? .v6 : .v4
    guard let bytes = SystemText.addressBytes(text, of: family) else { return nil }
    self.family = family
    self.bytes = bytes
  }

  /// The IPv4 address if this is an IPv4-mapped IPv6 address (`::ffff:192.0.2.1`), or else the
  /// address itself.
  public var unmapped: IPAddress {
    let mark: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    guard bytes.count == 16, bytes.starts(with: mark) else { return self }
    return IPAddress(bytes[12], bytes[13], bytes[14], bytes[15])
  }

  /// The text form.
  public var description: String { SystemText.address(bytes, of: family) }
}

/// An address with a network prefix length.
public struct IPNetwork: Hashable, Sendable, CustomStringConvertible {
  /// The address.
  public var address: IPAddress
  /// The number of leading bits that identify the network.
  public var prefixLength: Int

  /// Creates a network, and clamps the prefix length to the number of bits of the family.
  public init(_ address: IPAddress, prefixLength: Int) {
    self.address = address
    self.prefixLength = min(max(0, prefixLength), address.family.bitCount)
  }

  /// Creates a network that consists of one address.
  public init(_ address: IPAddress) {
    self.init(address, prefixLength: address.family.bitCount)
  }

  /// Returns the network of every address of a family, which is the destination of a default route.
  public static func allAddresses(of family: IPAddress.Family) -> IPNetwork {
    let zeros = [UInt8](repeating: 0, count: family.bitCount / 8)
    guard let address = IPAddress(zeros) else {
      preconditionFailure("the address has the wrong length for its family")
    }
    return IPNetwork(address, prefixLength: 0)
  }

  /// Returns whether an address belongs to the network.
  public func contains(_ other: IPAddress) -> Bool {
    guard other.family == address.family else { return false }
    return (0..<prefixLength).allSatisfy { bit in
      let mask: UInt8 = 0x80 >> (bit % 8)
      return other.bytes[bit / 8] & mask == address.bytes[bit / 8] & mask
    }
  }

  /// The text form, such as `192.0.2.0/24`.
  public var description: String { "\(address)/\(prefixLength)" }
}
