import HandoverLinux

/// A TCP segment in a frame, reduced to the fields that a middlebox needs.
struct FrameSegment: Hashable {
  let layout: FrameLayout
  let sourcePort: UInt16
  let destinationPort: UInt16
  let sequence: UInt32
  let acknowledgement: UInt32
  let flags: UInt8
  /// The length of the payload in bytes.
  let length: Int

  static let fin: UInt8 = 0x01
  static let syn: UInt8 = 0x02
  static let rst: UInt8 = 0x04
  static let ack: UInt8 = 0x10

  /// Reads a frame.
  ///
  /// Returns `nil` if the frame does not contain a complete TCP header.
  init?(_ frame: ArraySlice<UInt8>) {
    guard let layout = FrameLayout(frame), layout.kind == FrameLayout.tcp, !layout.isFragment,
      let header = layout.contentHeader(frame)
    else { return nil }
    self.layout = layout
    sourcePort = frame.word(at: layout.content)
    destinationPort = frame.word(at: layout.content + 2)
    sequence = frame.long(at: layout.content + 4)
    acknowledgement = frame.long(at: layout.content + 8)
    flags = frame[layout.content + 13]
    length = layout.end - layout.content - header
  }

  func has(_ flag: UInt8) -> Bool { flags & flag != 0 }

  /// Whether the segment begins a connection.
  var begins: Bool { has(Self.syn) && !has(Self.ack) }
  /// The sequence number after the last one that the segment uses.
  var next: UInt32 {
    sequence &+ UInt32(truncatingIfNeeded: length) &+ (has(Self.syn) ? 1 : 0)
      &+ (has(Self.fin) ? 1 : 0)
  }
}

/// Frames that a middlebox sends, on behalf of the receiver of a frame or of a router.
enum FrameAnswers {
  private static let start = PacketSocket.segmentHeaderLength
  private static let link = FrameLayout.linkHeader
  private static let lifetime: UInt8 = 64

  /// The contents of a response segment.
  struct Segment: Hashable {
    var sequence: UInt32
    var acknowledgement: UInt32
    var flags: UInt8
    var window: UInt16 = 0
    var payload: [UInt8] = []
  }

  /// Returns a segment to the sender of a frame, on behalf of its receiver, or `nil` if the frame
  /// is not a segment.
  static func segment(_ segment: Segment, to frame: ArraySlice<UInt8>) -> [UInt8]? {
    FrameSegment(frame).map { make(segment, like: frame, $0) }
  }

  private static func make(
    _ segment: Segment, like frame: ArraySlice<UInt8>, _ asked: FrameSegment
  ) -> [UInt8] {
    var content = [UInt8](repeating: 0, count: 20)
    content.set(asked.destinationPort, at: 0)
    content.set(asked.sourcePort, at: 2)
    content.set(long: segment.sequence, at: 4)
    content.set(long: segment.acknowledgement, at: 8)
    content[12] = 5 << 4
    content[13] = segment.flags
    content.set(segment.window, at: 14)
    content += segment.payload
    let layout = asked.layout
    return packet(
      FrameLayout.tcp, content, links: answered(links(of: frame)),
      from: Array(frame[layout.destination..<layout.destination + layout.addressLength]),
      to: Array(frame[layout.source..<layout.destination]))
  }

  /// Returns a reset for the sender of a frame, or `nil` if the frame is not a segment or is a
  /// reset itself.
  static func reset(answering frame: ArraySlice<UInt8>) -> [UInt8]? {
    guard let asked = FrameSegment(frame), !asked.has(FrameSegment.rst) else { return nil }
    let reset =
      asked.has(FrameSegment.ack)
      ? Segment(sequence: asked.acknowledgement, acknowledgement: 0, flags: FrameSegment.rst)
      : Segment(
        sequence: 0, acknowledgement: asked.next, flags: FrameSegment.rst | FrameSegment.ack)
    return segment(reset, to: frame)
  }

  /// Returns a router's error message for a packet that is too long for the next link.
  ///
  /// Returns `nil` if the frame is not a packet or is an ICMP message itself.
  static func tooBig(
    _ frame: ArraySlice<UInt8>, mtu: UInt16, from router: IPAddress
  ) -> [UInt8]? {
    guard let layout = FrameLayout(frame), !layout.isFragment else { return nil }
    let sender = Array(frame[layout.source..<layout.destination])
    guard router.bytes.count == sender.count, layout.kind != FrameLayout.icmp,
      layout.kind != FrameLayout.icmp6
    else { return nil }
    var content: [UInt8] = layout.isIPv6 ? [2, 0, 0, 0, 0, 0] : [3, 4, 0, 0, 0, 0]
    content += [UInt8(mtu >> 8), UInt8(truncatingIfNeeded: mtu)]
    // For IPv4, the header and eight more bytes (RFC 792); for IPv6, as much as fits into 1,280
    // bytes.
    content += frame[layout.ip..<layout.end].prefix(
      layout.isIPv6 ? 1_232 : layout.content - layout.ip + 8)
    return packet(
      layout.isIPv6 ? FrameLayout.icmp6 : FrameLayout.icmp, content,
      links: answered(links(of: frame)), from: router.bytes, to: sender)
  }

  /// Returns a host's error message for a datagram to a closed port, or `nil` if the frame is not a
  /// datagram.
  static func unreachable(answering frame: ArraySlice<UInt8>) -> [UInt8]? {
    guard let asked = FrameLayout(frame), asked.kind == FrameLayout.udp, !asked.isFragment,
      let whole = FrameSegments.split(frame, areWhole: true).first,
      let layout = FrameLayout(whole[...])
    else { return nil }
    var content: [UInt8] = layout.isIPv6 ? [1, 4, 0, 0, 0, 0, 0, 0] : [3, 3, 0, 0, 0, 0, 0, 0]
    content += whole[layout.ip..<layout.end].prefix(
      layout.isIPv6 ? 1_232 : layout.content - layout.ip + 8)
    return packet(
      layout.isIPv6 ? FrameLayout.icmp6 : FrameLayout.icmp, content,
      links: answered(links(of: frame)),
      from: Array(whole[layout.destination..<layout.destination + layout.addressLength]),
      to: Array(whole[layout.source..<layout.destination]))
  }

  /// Returns both Ethernet addresses of a frame.
  private static func links(of frame: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    frame.dropFirst(start).prefix(12)
  }

  private static func answered(_ links: ArraySlice<UInt8>) -> [UInt8] {
    Array(links.suffix(6) + links.prefix(6))
  }

  private static func packet(
    _ kind: UInt8, _ content: [UInt8], links: [UInt8], from: [UInt8], to: [UInt8]
  ) -> [UInt8] {
    var frame = [UInt8](repeating: 0, count: start) + links
    if from.count == 4 {
      frame += [0x08, 0x00, 0x45, 0, 0, 0, 0, 0, 0x40, 0, lifetime, kind, 0, 0] + from + to
      frame.set(UInt16(truncatingIfNeeded: 20 + content.count), at: start + link + 2)
    } else {
      frame += [0x86, 0xDD, 0x60, 0, 0, 0, 0, 0, kind, lifetime] + from + to
      frame.set(UInt16(truncatingIfNeeded: content.count), at: start + link + 4)
    }
    frame += content
    guard let layout = FrameLayout(frame[...]) else { return frame }
    frame.setHeaderChecksum(layout)
    switch kind {
    case FrameLayout.tcp: frame.setChecksum(layout, at: layout.checksum)
    case FrameLayout.icmp6: frame.setChecksum(layout, at: layout.content + 2)
    default: frame.setChecksum(layout, at: layout.content + 2, withPseudoHeader: false)
    }
    return frame
  }
}
