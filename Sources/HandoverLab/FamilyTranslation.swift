import HandoverLinux

/// The packet translation in the router of an IPv6-only network between IPv6 and the IPv4 network
/// behind it (NAT64, RFC 7915).
///
/// The translation needs no table, because the device's addresses in both families end in the same
/// byte and its ports do not change.
///
/// The translator runs next to the router. Translated packets are IPv4 between the translator and
/// the router.
struct FamilyTranslation: Hashable {
  private let network: AccessNetwork
  /// The device's Ethernet address, or empty if it is not known yet.
  private var device: [UInt8] = []

  private static let start = PacketSocket.segmentHeaderLength
  private static let link = FrameLayout.linkHeader
  private static let header4 = 20
  private static let header6 = 40
  /// The longest IPv6 packet on the link.
  private static let mtu: UInt16 = 1_500

  /// Creates the translation of a network.
  init(_ network: AccessNetwork) {
    self.network = network
  }

  // MARK: From the device

  /// Returns the frame that the router receives in place of a frame of the device.
  ///
  /// The frame does not change if its destination represents no IPv4 address. Returns `nil` if the
  /// router receives no frame.
  mutating func takeUp(_ frame: ArraySlice<UInt8>) -> [UInt8]? {
    guard frame.count > Self.start + Self.link else { return Array(frame) }
    device = Array(frame.dropFirst(Self.start + 6).prefix(6))
    guard let layout = FrameLayout(frame), layout.isIPv6,
      let far = translatedEnd(frame, at: layout.destination)
    else { return Array(frame) }
    let own = address4(like: frame[layout.destination - 1])
    return toIPv4(frame, layout, from: own, to: far)
  }

  /// Returns the IPv4 address that is embedded in a packet, or `nil` if there is another address.
  private func translatedEnd(_ frame: ArraySlice<UInt8>, at index: Int) -> [UInt8]? {
    let bytes = frame[index..<index + 16]
    guard bytes.starts(with: IPAddress.translationPrefix) else { return nil }
    return Array(bytes.suffix(4))
  }

  /// Returns the IPv4 address that the device has beyond the router.
  private func address4(like last: UInt8) -> [UInt8] {
    network.gateway.bytes.dropLast() + [last]
  }

  private func address6(like last: UInt8) -> [UInt8] {
    network.gateway6.bytes.dropLast() + [last]
  }

  private func toIPv4(
    _ frame: ArraySlice<UInt8>, _ layout: FrameLayout, from: [UInt8], to: [UInt8]
  ) -> [UInt8]? {
    var content = Array(frame[layout.content..<layout.end])
    var kind = layout.kind
    if kind == FrameLayout.icmp6 {
      guard let translated = message4(content, own: from) else { return nil }
      (kind, content) = (FrameLayout.icmp, translated)
    }
    guard [FrameLayout.tcp, FrameLayout.udp, FrameLayout.icmp].contains(kind) else { return nil }
    var packet = Self.header4(kind, length: content.count, from: from, to: to)
    packet[8] = frame[layout.ip + 7]
    return finished(frame, layout, [0x08, 0x00], packet + content, headerChange: -20)
  }

  private static func header4(
    _ kind: UInt8, length: Int, from: [UInt8], to: [UInt8]
  ) -> [UInt8] {
    var header: [UInt8] = [0x45, 0, 0, 0, 0, 0, 0x40, 0, 64, kind, 0, 0] + from + to
    header.set(UInt16(truncatingIfNeeded: header4 + length), at: 2)
    return header
  }

  // MARK: To the device

  /// The result for a frame of the router.
  enum Down: Hashable {
    /// The device receives this frame.
    case device([UInt8])
    /// The router receives this response.
    case router([UInt8])
    /// The frame is dropped.
    case vanishes
  }

  /// Processes a frame from the router.
  func takeDown(_ frame: ArraySlice<UInt8>) -> Down {
    if let answer = neighbour(frame) { return .router(answer) }
    guard let layout = FrameLayout(frame), !layout.isIPv6 else {
      // Other frames, such as ARP requests for other addresses, have no receiver, because the
      // device has no IPv4 address.
      let kind = frame.startIndex + Self.start + 12
      let isIPv6 = frame.endIndex >= kind + 2 && frame.word(at: kind) == 0x86DD
      return isIPv6 ? .device(Array(frame)) : .vanishes
    }
    let to = address6(like: frame[layout.destination + 3])
    let from = IPAddress.translationPrefix + frame[layout.source..<layout.destination]
    return toIPv6(frame, layout, from: from, to: to)
  }

  private func toIPv6(
    _ frame: ArraySlice<UInt8>, _ layout: FrameLayout, from: [UInt8], to: [UInt8]
  ) -> Down {
    guard !layout.isFragment else { return .vanishes }
    var content = Array(frame[layout.content..<layout.end])
    var kind = layout.kind
    if kind == FrameLayout.icmp {
      guard let translated = message6(content, from: from, to: to) else { return .vanishes }
      (kind, content) = (FrameLayout.icmp6, translated)
    }
    guard [FrameLayout.tcp, FrameLayout.udp, FrameLayout.icmp6].contains(kind) else {
      return .vanishes
    }
    if Self.header6 + content.count > Int(Self.mtu), !FrameSegments.holdsSeveralPackets(frame) {
      let answer = FrameAnswers.tooBig(
        frame, mtu: Self.mtu - UInt16(Self.header6 - Self.header4),
        from: network.router(isIPv6: false, toDevice: false))
      return answer.map { .router($0) } ?? .vanishes
    }
    var packet: [UInt8] = [0x60, 0, 0, 0, 0, 0, kind, frame[layout.ip + 8]] + from + to
    packet.set(UInt16(truncatingIfNeeded: content.count), at: 4)
    return .device(finished(frame, layout, [0x86, 0xDD], packet + content, headerChange: 20))
  }

  // MARK: Both directions

  /// Returns a frame with another packet in it.
  ///
  /// The checksums are correct, or left to the receiving kernel as in the original frame.
  private func finished(
    _ frame: ArraySlice<UInt8>, _ layout: FrameLayout, _ type: [UInt8], _ packet: [UInt8],
    headerChange: Int
  ) -> [UInt8] {
    let begin = frame.startIndex
    var other = Array(frame[begin..<begin + Self.start + Self.link - 2]) + type + packet
    let header = SegmentHeader(frame)
    if header.segmentSize > 0, layout.kind == FrameLayout.tcp {
      other[1] = other[1] & 0x80 | (headerChange > 0 ? 4 : 1)
    }
    if header.hasPartialChecksum || header.segmentSize > 0 {
      // The header length and the checksum start in the virtio header, in host byte order.
      for position in [2, 6] { Self.move(&other, at: position, by: headerChange) }
    }
    guard let own = FrameLayout(other[...]) else { return other }
    other.setHeaderChecksum(own)
    if header.hasPartialChecksum {
      other.set(Checksum.folded(Checksum.pseudoHeader(other[...], own)), at: own.checksum)
      return other
    }
    switch own.kind {
    case FrameLayout.icmp:
      other.setChecksum(own, at: own.content + 2, withPseudoHeader: false)
    case FrameLayout.icmp6: other.setChecksum(own, at: own.content + 2)
    default:
      // A datagram with fewer than 8 bytes has no room for a checksum.
      guard own.contentHeader(other[...]) != nil else { break }
      other.setChecksum(own, at: own.checksum)
    }
    return other
  }

  private static func move(_ frame: inout [UInt8], at position: Int, by change: Int) {
    let value = Int(frame[position]) | Int(frame[position + 1]) << 8
    guard value > 0 else { return }
    let moved = UInt16(truncatingIfNeeded: value + change)
    frame[position] = UInt8(truncatingIfNeeded: moved)
    frame[position + 1] = UInt8(moved >> 8)
  }

  /// Returns the response to the router's ARP request for an IPv4 address of the device, or `nil`
  /// if the frame is no such request.
  ///
  /// The device itself does not have the address, so it cannot respond.
  private func neighbour(_ frame: ArraySlice<UInt8>) -> [UInt8]? {
    let frame = frame.dropFirst(Self.start)
    let begin = frame.startIndex
    guard !device.isEmpty, frame.count >= Self.link + 28, frame.word(at: begin + 12) == 0x0806,
      frame.word(at: begin + 20) == 1
    else { return nil }
    let asked = frame[(begin + 38)..<(begin + 42)]
    // The request may be for any address that the device has or had: its own ones and those that
    // the router assigns.
    guard asked.starts(with: network.gateway.bytes.dropLast()),
      asked.last != network.gateway.bytes.last
    else { return nil }
    let sender = frame[(begin + 22)..<(begin + 28)]
    var response = [UInt8](repeating: 0, count: Self.start)
    response += sender
    response += device
    response += frame[(begin + 12)..<(begin + 20)]
    response += [0, 2]
    response += device
    response += asked
    response += sender
    response += frame[(begin + 28)..<(begin + 32)]
    return response
  }
}

// MARK: - ICMP

extension FamilyTranslation {
  /// Returns the ICMP message of the other family for a message, or `nil` if there is none (RFC
  /// 7915, 4.2 and 5.2).
  private func message4(_ content: [UInt8], own: [UInt8]) -> [UInt8]? {
    guard content.count >= 8 else { return nil }
    var message = content
    switch (content[0], content[1]) {
    case (128, _): message[0] = 8
    case (129, _): message[0] = 0
    case (1, 4): message.replaceSubrange(0..<2, with: [3, 3])
    case (1, 1): message.replaceSubrange(0..<2, with: [3, 10])
    case (1, _): message.replaceSubrange(0..<2, with: [3, 1])
    case (2, _):
      let mtu = message[...].long(at: 4)
      message = [3, 4, 0, 0, 0, 0, 0, 0] + content.dropFirst(8)
      message.set(UInt16(clamping: max(28, Int64(mtu) - 20)), at: 6)
    case (3, let code): message.replaceSubrange(0..<2, with: [11, code])
    default: return nil
    }
    guard message[0] != 8, message[0] != 0 else { return message }
    // The embedded packet was addressed to the device.
    let inner = Array(content.dropFirst(8))
    guard inner.count >= 48, inner[0] >> 4 == 6,
      inner[8..<24].starts(with: IPAddress.translationPrefix)
    else { return nil }
    let kind = inner[6] == FrameLayout.icmp6 ? FrameLayout.icmp : inner[6]
    var header = Self.header4(
      kind, length: Int(inner[...].word(at: 4)), from: Array(inner[20..<24]),
      to: own)
    header.set(~Checksum.folded(Checksum.sum(header[...])), at: 10)
    return message.prefix(8) + header + inner.dropFirst(40)
  }

  private func message6(_ content: [UInt8], from: [UInt8], to: [UInt8]) -> [UInt8]? {
    guard content.count >= 8 else { return nil }
    var message = content
    switch (content[0], content[1]) {
    case (8, _): message[0] = 128
    case (0, _): message[0] = 129
    case (3, 3): message.replaceSubrange(0..<2, with: [1, 4])
    case (3, 9), (3, 10), (3, 13): message.replaceSubrange(0..<2, with: [1, 1])
    case (3, 4):
      let mtu = UInt32(message[...].word(at: 6))
      message = [2, 0, 0, 0, 0, 0, 0, 0] + content.dropFirst(8)
      message.set(long: max(1_280, mtu + 20), at: 4)
    case (3, _): message.replaceSubrange(0..<2, with: [1, 0])
    case (11, let code): message.replaceSubrange(0..<2, with: [3, code])
    default: return nil
    }
    guard message[0] < 128 else { return message }
    // The embedded packet was sent by the device.
    let inner = Array(content.dropFirst(8))
    guard inner.count >= 28, inner[0] >> 4 == 4 else { return nil }
    let length = Int(inner[0] & 0x0F) * 4
    guard length >= 20, inner.count >= length else { return nil }
    let kind = inner[9] == FrameLayout.icmp ? FrameLayout.icmp6 : inner[9]
    var header: [UInt8] = [0x60, 0, 0, 0, 0, 0, kind, inner[8]] + to
    header += IPAddress.translationPrefix + inner[16..<20]
    header.set(
      UInt16(truncatingIfNeeded: max(0, Int(inner[...].word(at: 2)) - length)), at: 4)
    return message.prefix(8) + header + inner.dropFirst(length)
  }
}
