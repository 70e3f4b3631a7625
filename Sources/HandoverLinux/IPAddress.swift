import Glibc

/// An IPv4 or IPv6 address.
public struct IPAddress: Hashable, Sendable, CustomStringConvertible {
  /// The family of an address.
  public enum Family: UInt8, Hashable, Sendable, CaseIterable {
    /// 32 bits.
    case v4
    /// 128 bits.
    case v6

    /// The number of the family in sockets.
    public var number: Int32 { self == .v4 ? AF_INET : AF_INET6 }
    /// How many bits an address has.
    public var bitCount: Int { self == .v4 ? 32 : 128 }
  }

  /// The family.
  public let family: Family
  /// The bytes, the most significant first: 4 or 16.
  public let bytes: [UInt8]

  /// Takes 4 or 16 bytes; nil for any other number of them.
  public init?(_ bytes: [UInt8]) {
    switch bytes.count {
    case 4: family = .v4
    case 16: family = .v6
    default: return nil
    }
    self.bytes = bytes
  }

  /// An IPv4 address.
  public init(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) {
    family = .v4
    bytes = [a, b, c, d]
  }

  /// Reads the usual text of an address, such as `192.0.2.1` or `2001:db8::1`.
  public init?(_ text: String) {
    let family: Family = text.contains(":") ? .v6 : .v4
    var bytes = [UInt8](repeating: 0, count: family.bitCount / 8)
    guard unsafe inet_pton(family.number, text, &bytes) == 1 else { return nil }
    self.family = family
    self.bytes = bytes
  }

  /// The IPv4 address that an IPv6 socket speaks to as `::ffff:192.0.2.1`; any other as it is.
  public var unmapped: IPAddress {
    let mark: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    guard bytes.count == 16, bytes.starts(with: mark) else { return self }
    return IPAddress(bytes[12], bytes[13], bytes[14], bytes[15])
  }

  /// The usual text.
  public var description: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard unsafe inet_ntop(family.number, bytes, &text, socklen_t(text.count)) != nil else {
      return ""
    }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// An address with the length of its network's prefix.
public struct IPNetwork: Hashable, Sendable, CustomStringConvertible {
  /// The address.
  public var address: IPAddress
  /// How many leading bits are the network's.
  public var prefixLength: Int

  /// Makes a network; the prefix is cut to what the family has.
  public init(_ address: IPAddress, prefixLength: Int) {
    self.address = address
    self.prefixLength = min(max(0, prefixLength), address.family.bitCount)
  }

  /// One address alone.
  public init(_ address: IPAddress) {
    self.init(address, prefixLength: address.family.bitCount)
  }

  /// Every address of a family: the destination of a default route.
  public static func everything(_ family: IPAddress.Family) -> IPNetwork {
    let zeros = [UInt8](repeating: 0, count: family.bitCount / 8)
    guard let address = IPAddress(zeros) else { preconditionFailure("a family has its length") }
    return IPNetwork(address, prefixLength: 0)
  }

  /// Whether an address is one of the network's.
  public func contains(_ other: IPAddress) -> Bool {
    guard other.family == address.family else { return false }
    return (0..<prefixLength).allSatisfy { bit in
      (other.bytes[bit / 8] ^ address.bytes[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
    }
  }

  /// The usual text, such as `192.0.2.0/24`.
  public var description: String { "\(address)/\(prefixLength)" }
}
