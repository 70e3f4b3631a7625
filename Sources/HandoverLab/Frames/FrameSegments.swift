import HandoverLinux

/// The virtio header before a frame that the kernel has not completed.
///
/// Such a frame may be a large segment that represents many packets, and its checksum may be
/// partial.
struct SegmentHeader: Hashable {
  /// Whether the checksum is partial.
  var hasPartialChecksum: Bool
  /// The payload size of each packet in bytes, or 0 if the frame is a single packet.
  var segmentSize: Int

  init(_ frame: ArraySlice<UInt8>) {
    let start = frame.startIndex
    guard frame.count > PacketSocket.segmentHeaderLength else {
      (hasPartialChecksum, segmentSize) = (false, 0)
      return
    }
    hasPartialChecksum = frame[start] & 1 != 0
    // The kernel writes these numbers in host byte order.
    segmentSize = frame[start + 1] == 0 ? 0 : Int(frame[start + 4]) | Int(frame[start + 5]) << 8
  }
}

/// Converts the kernel's large segments to individual packets.
enum FrameSegments {
  private static let headerLength = PacketSocket.segmentHeaderLength

  /// Returns whether a frame represents several packets.
  static func holdsSeveralPackets(_ frame: ArraySlice<UInt8>) -> Bool {
    SegmentHeader(frame).segmentSize > 0
  }

  /// Returns the packets that a frame represents, each as a frame.
  ///
  /// - Parameters:
  ///   - frame: the frame.
  ///   - areWhole: whether to complete checksums. If false, partial checksums are left to the
  ///     receiving kernel.
  /// - Returns: the frames, or the frame itself if it is a single packet or unknown.
  static func split(_ frame: ArraySlice<UInt8>, areWhole: Bool) -> [[UInt8]] {
    let header = SegmentHeader(frame)
    guard let layout = FrameLayout(frame), let inner = layout.contentHeader(frame) else {
      return [Array(frame)]
    }
    let payload = layout.content + inner
    guard header.segmentSize > 0, layout.end - payload > header.segmentSize else {
      return [single(frame, layout, header, areWhole: areWhole)]
    }
    var packets: [[UInt8]] = []
    var start = payload
    while start < layout.end {
      let end = min(start + header.segmentSize, layout.end)
      var packet = Array(frame[..<payload])
      packet += frame[start..<end]
      finish(
        &packet, after: start - payload, number: packets.count, isLast: end == layout.end,
        keepsPartial: header.hasPartialChecksum && !areWhole)
      packets.append(packet)
      start = end
    }
    return packets
  }

  private static func single(
    _ frame: ArraySlice<UInt8>, _ layout: FrameLayout, _ header: SegmentHeader, areWhole: Bool
  ) -> [UInt8] {
    var packet = Array(frame)
    let offset = frame.startIndex
    if header.segmentSize > 0 { for index in 1..<6 { packet[index] = 0 } }
    guard areWhole, header.hasPartialChecksum else { return packet }
    for index in 0..<headerLength { packet[index] = 0 }
    guard let own = FrameLayout(packet[...]) else { return packet }
    packet.setChecksum(own, at: layout.checksum - offset)
    return packet
  }

  /// Writes the header fields that differ between the packets of a large segment.
  private static func finish(
    _ packet: inout [UInt8], after bytes: Int, number: Int, isLast: Bool, keepsPartial: Bool
  ) {
    let ip = headerLength + FrameLayout.linkHeader
    for index in 1..<6 { packet[index] = 0 }
    if packet[ip] >> 4 == 4 {
      packet.set(UInt16(truncatingIfNeeded: packet.count - ip), at: ip + 2)
      packet.set(packet[...].word(at: ip + 4) &+ UInt16(truncatingIfNeeded: number), at: ip + 4)
    } else {
      packet.set(UInt16(truncatingIfNeeded: packet.count - ip - 40), at: ip + 4)
    }
    guard let layout = FrameLayout(packet[...]) else { return }
    packet.setHeaderChecksum(layout)
    if layout.kind == FrameLayout.tcp {
      let sequence = packet[...].long(at: layout.content + 4)
      packet.set(long: sequence &+ UInt32(truncatingIfNeeded: bytes), at: layout.content + 4)
      // Only the last packet has FIN and PSH, and only the first one has CWR.
      if !isLast { packet[layout.content + 13] &= ~0x09 }
      if number > 0 { packet[layout.content + 13] &= ~0x80 }
    } else {
      packet.set(UInt16(truncatingIfNeeded: layout.end - layout.content), at: layout.content + 4)
    }
    if keepsPartial {
      packet.set(
        Checksum.folded(Checksum.pseudoHeader(packet[...], layout)), at: layout.checksum)
    } else {
      for index in 0..<headerLength { packet[index] = 0 }
      packet.setChecksum(layout, at: layout.checksum)
    }
  }

  /// Returns the fragments of an IPv4 packet that fit into an MTU.
  ///
  /// The packet must allow fragmentation.
  static func pieces(of frame: ArraySlice<UInt8>, mtu: Int) -> [[UInt8]] {
    let whole = split(frame, areWhole: true)
    return whole.flatMap { packet -> [[UInt8]] in
      guard let layout = FrameLayout(packet[...]), !layout.isIPv6, layout.length > mtu else {
        return [packet]
      }
      // All fragments except the last have a multiple of eight bytes.
      let room = (mtu - (layout.content - layout.ip)) / 8 * 8
      let before = Int(packet[...].word(at: layout.ip + 6) & 0x1FFF) * 8
      let isCut = packet[...].word(at: layout.ip + 6) & 0x2000 != 0
      return stride(from: layout.content, to: layout.end, by: room).map { start in
        let end = min(start + room, layout.end)
        var piece = Array(packet[..<layout.content]) + packet[start..<end]
        let position = UInt16(truncatingIfNeeded: (before + start - layout.content) / 8)
        piece.set(position | (isCut || end < layout.end ? 0x2000 : 0), at: layout.ip + 6)
        piece.set(UInt16(truncatingIfNeeded: piece.count - layout.ip), at: layout.ip + 2)
        if let own = FrameLayout(piece[...]) { piece.setHeaderChecksum(own) }
        return piece
      }
    }
  }
}
