import HandoverLinux

/// The positions of the parts of an IP packet in a frame: virtio header, Ethernet header, and the
/// packet.
struct FrameLayout: Hashable {
  /// Whether the packet is an IPv6 packet.
  var isIPv6: Bool
  /// The frame indices of the IP header and of the header after it.
  var ip: Int
  var content: Int
  /// The end of the packet, which may be before the end of the frame.
  var end: Int
  /// The protocol number of the packet's content.
  var kind: UInt8
  /// Whether the packet is a fragment.
  var isFragment = false
  /// Whether the packet must not be fragmented.
  var mustNotBeFragmented = true

  static let tcp: UInt8 = 6
  static let udp: UInt8 = 17
  static let icmp: UInt8 = 1
  static let icmp6: UInt8 = 58
  /// The length of an Ethernet header.
  static let linkHeader = 14
  private static let shortestHeader4 = 20
  private static let header6 = 40

  /// Reads a frame.
  ///
  /// Returns `nil` if the frame does not contain a complete IP header.
  init?(_ frame: ArraySlice<UInt8>) {
    let link = frame.startIndex + PacketSocket.segmentHeaderLength
    ip = link + Self.linkHeader
    guard frame.endIndex >= ip + Self.shortestHeader4 else { return nil }
    switch frame.word(at: link + 12) {
    case 0x0800:
      let first = frame[ip]
      content = ip + Int(first & 0x0F) * 4
      guard first >> 4 == 4, content >= ip + Self.shortestHeader4 else { return nil }
      isIPv6 = false
      kind = frame[ip + 9]
      let pieces = frame.word(at: ip + 6)
      mustNotBeFragmented = pieces & 0x4000 != 0
      isFragment = pieces & 0x3FFF != 0
      end = ip + Int(frame.word(at: ip + 2))
    case 0x86DD:
      guard frame[ip] >> 4 == 6, frame.endIndex >= ip + Self.header6 else { return nil }
      isIPv6 = true
      kind = frame[ip + 6]
      content = ip + Self.header6
      end = content + Int(frame.word(at: ip + 4))
    default: return nil
    }
    guard content <= end, end <= frame.endIndex else { return nil }
  }

  /// The length of the packet.
  var length: Int { end - ip }
  /// The positions of the addresses, and the length of each.
  var source: Int { isIPv6 ? ip + 8 : ip + 12 }
  var addressLength: Int { isIPv6 ? 16 : 4 }
  var destination: Int { source + addressLength }

  /// Returns the length of the TCP or UDP header, or `nil` if it is truncated or the protocol is
  /// another one.
  func contentHeader(_ frame: ArraySlice<UInt8>) -> Int? {
    switch kind {
    case Self.tcp:
      guard end >= content + 20 else { return nil }
      let length = Int(frame[content + 12] >> 4) * 4
      return length >= 20 && content + length <= end ? length : nil
    case Self.udp: return end >= content + 8 ? 8 : nil
    default: return nil
    }
  }

  /// The position of the TCP or UDP checksum.
  var checksum: Int { kind == Self.tcp ? content + 16 : content + 6 }

  /// Returns whether the packet is an ICMPv6 packet of neighbor discovery, without which no host
  /// finds another.
  func isDiscovery(_ frame: ArraySlice<UInt8>) -> Bool {
    isIPv6 && kind == Self.icmp6 && content < end && (133...137).contains(frame[content])
  }

  /// Returns whether a frame belongs to neighbor discovery, in either family.
  static func isDiscovery(_ frame: ArraySlice<UInt8>) -> Bool {
    let kind = frame.startIndex + PacketSocket.segmentHeaderLength + 12
    guard frame.endIndex >= kind + 2 else { return false }
    if frame.word(at: kind) == 0x0806 { return true }
    return frame.word(at: kind) == 0x86DD && FrameLayout(frame)?.isDiscovery(frame) == true
  }
}

/// Internet checksums: one's complement sums of 16-bit words.
enum Checksum {
  /// Returns a sum with its carry added back.
  static func folded(_ sum: UInt64) -> UInt16 {
    var sum = sum
    while sum > 0xFFFF { sum = (sum & 0xFFFF) + (sum >> 16) }
    return UInt16(sum)
  }

  /// Returns the sum of bytes.
  ///
  /// A single last byte is the high half of a word.
  static func sum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    var sum: UInt64 = 0
    var index = bytes.startIndex
    while index + 1 < bytes.endIndex {
      sum += UInt64(bytes[index]) << 8 | UInt64(bytes[index + 1])
      index += 2
    }
    if index < bytes.endIndex { sum += UInt64(bytes[index]) << 8 }
    return sum
  }

  /// Returns a checksum after one of its words has changed.
  ///
  /// - Parameters:
  ///   - checksum: the old checksum.
  ///   - old: the old word.
  ///   - new: the new word.
  ///   - isPartial: whether the checksum is only the sum of a pseudo header, to be completed later.
  /// - Returns: the new checksum.
  static func changed(
    _ checksum: UInt16, from old: UInt16, to new: UInt16, isPartial: Bool
  ) -> UInt16 {
    if isPartial { return folded(UInt64(checksum) + UInt64(~old) + UInt64(new)) }
    return ~folded(UInt64(~checksum) + UInt64(~old) + UInt64(new))
  }

  /// Returns the sum of the pseudo header of a packet's content.
  static func pseudoHeader(_ frame: ArraySlice<UInt8>, _ layout: FrameLayout) -> UInt64 {
    sum(frame[layout.source..<layout.source + 2 * layout.addressLength]) + UInt64(layout.kind)
      + UInt64(layout.end - layout.content)
  }
}

extension ArraySlice<UInt8> {
  /// Returns a two-byte word in network byte order.
  func word(at index: Int) -> UInt16 { UInt16(self[index]) << 8 | UInt16(self[index + 1]) }

  /// Returns a four-byte word in network byte order.
  func long(at index: Int) -> UInt32 {
    UInt32(word(at: index)) << 16 | UInt32(word(at: index + 2))
  }
}

extension [UInt8] {
  /// Writes a two-byte word in network byte order.
  mutating func set(_ word: UInt16, at index: Int) {
    self[index] = UInt8(word >> 8)
    self[index + 1] = UInt8(truncatingIfNeeded: word)
  }

  /// Writes a four-byte word in network byte order.
  mutating func set(long: UInt32, at index: Int) {
    set(UInt16(long >> 16), at: index)
    set(UInt16(truncatingIfNeeded: long), at: index + 2)
  }

  /// Writes the checksum of an IPv4 header.
  mutating func setHeaderChecksum(_ layout: FrameLayout) {
    guard !layout.isIPv6 else { return }
    set(0, at: layout.ip + 10)
    set(~Checksum.folded(Checksum.sum(self[layout.ip..<layout.content])), at: layout.ip + 10)
  }

  /// Writes the checksum of a packet's content at an index.
  mutating func setChecksum(_ layout: FrameLayout, at index: Int, withPseudoHeader: Bool = true) {
    set(0, at: index)
    let pseudo = withPseudoHeader ? Checksum.pseudoHeader(self[...], layout) : 0
    let sum = ~Checksum.folded(pseudo + Checksum.sum(self[layout.content..<layout.end]))
    set(layout.kind == FrameLayout.udp && sum == 0 ? 0xFFFF : sum, at: index)
  }
}
