// The addresses that hosts can have in a lab, which consists of kernel namespaces.

extension ScriptHost {
  /// The addresses that the servers of the host must have.
  ///
  /// If the host lists addresses, these are returned. Otherwise the host's name may be an IPv6
  /// literal, which is then the only address. An IPv4 literal is replaced by an address of the lab,
  /// as a name is.
  package var ownAddresses: [AddressText] {
    if !addresses.isEmpty { return addresses.map(\.text) }
    guard let literal, literal.family == .ipv6 else { return [] }
    return [literal]
  }
}

extension AddressText {
  /// A range that no lab server can use: its leading bits, their number, and the reason.
  private typealias Range = (bytes: [UInt8], length: Int, reason: String)

  private static let ranges4: [Range] = [
    ([0], 8, "it is not the address of a host"),
    ([127], 8, "it is a loopback address"),
    ([169, 254], 16, "it is a link-local address"),
    ([224], 4, "it is a multicast address"),
    ([240], 4, "it is reserved"),
    ([192, 168], 16, networkRangeReason), ([10, 64], 16, networkRangeReason),
    ([172, 20], 16, networkRangeReason),
    ([198, 18], 15, labRangeReason),
  ]
  private static let ranges6: [Range] = [
    (zeros(12), 96, "it is not the address of a host, or it is a loopback address"),
    (zeros(10) + [0xFF, 0xFF], 96, "it is an IPv4-mapped address"),
    ([0xFE, 0x80], 10, "it is a link-local address"),
    ([0xFF], 8, "it is a multicast address"),
    (translationPrefix, 96, "it is an address that NAT64 networks use"),
    ([0x3F, 0xFF, 0x0F, 0xFF], 32, networkRangeReason),
  ]
  private static let networkRangeReason = "the networks of the lab use this range"
  private static let labRangeReason = "the lab uses this range"

  private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  /// The reason why no lab server can have the address, or `nil` if one can.
  package var obstacleInLabs: String? {
    let ranges = family == .ipv4 ? Self.ranges4 : Self.ranges6
    return ranges.first { begins(with: $0.bytes, $0.length) }?.reason
  }

  private func begins(with other: [UInt8], _ length: Int) -> Bool {
    let whole = length / 8
    guard bytes.starts(with: other.prefix(whole)) else { return false }
    let rest = length % 8
    guard rest > 0 else { return true }
    let mask = UInt8(truncatingIfNeeded: 0xFF << (8 - rest))
    return bytes[whole] & mask == other[whole] & mask
  }
}
