import HandoverLinux

/// What stands before a frame that the kernel has not finished: it may be a large segment that
/// stands for many packets, and its checksum may be nothing but a beginning (the virtio header).
struct SegmentHeader: Hashable {
  /// Whether the checksum is to be completed.
  var hasPartialChecksum: Bool
  /// How many bytes each packet carries; 0 where the frame is one packet.
  var segmentSize: Int

  init(_ frame: ArraySlice<UInt8>) {
    let start = frame.startIndex
    guard frame.count > PacketSocket.segmentHeaderLength else {
      (hasPartialChecksum, segmentSize) = (false, 0)
      return
    }
    hasPartialChecksum = frame[start] & 1 != 0
    // The kernel writes its numbers in its own order.
    segmentSize = frame[start + 1] == 0 ? 0 : Int(frame[start + 4]) | Int(frame[start + 5]) << 8
  }
}

/// Makes real packets of the frames that a kernel hands over.
enum FrameSegments {
  private static let headerLength = PacketSocket.segmentHeaderLength

  /// Whether a frame stands for several packets.
  static func isSeveral(_ frame: ArraySlice<UInt8>) -> Bool {
    SegmentHeader(frame).segmentSize > 0
  }

  /// The packets that a frame stands for, each as a frame.
  ///
  /// - Parameters:
  ///   - frame: the frame.
  ///   - areWhole: whether checksums are completed; else they are left to the kernel that takes
  ///     them, where it was so before.
  /// - Returns: the frames; the frame itself where it is one packet, or nothing that is known.
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

  /// Writes into a packet of a large segment what is its own.
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
      // The end and the push are those of the last, and the window was reduced before the first.
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

  /// The pieces of an IPv4 packet none of which is longer than an MTU; the packet must not be one
  /// that stays whole.
  static func pieces(of frame: ArraySlice<UInt8>, mtu: Int) -> [[UInt8]] {
    let whole = split(frame, areWhole: true)
    return whole.flatMap { packet -> [[UInt8]] in
      guard let layout = FrameLayout(packet[...]), !layout.isIPv6, layout.length > mtu else {
        return [packet]
      }
      // All but the last are so many times eight bytes.
      let room = (mtu - (layout.content - layout.ip)) / 8 * 8
      let before = Int(packet[...].word(at: layout.ip + 6) & 0x1FFF) * 8
      let isCut = packet[...].word(at: layout.ip + 6) & 0x2000 != 0
      return stride(from: layout.content, to: layout.end, by: room).map { start in
        let end = min(start + room, layout.end)
        var piece = Array(packet[..<layout.content]) + packet[start..<end]
        let place = UInt16(truncatingIfNeeded: (before + start - layout.content) / 8)
        piece.set(place | (isCut || end < layout.end ? 0x2000 : 0), at: layout.ip + 6)
        piece.set(UInt16(truncatingIfNeeded: piece.count - layout.ip), at: layout.ip + 2)
        if let own = FrameLayout(piece[...]) { piece.setHeaderChecksum(own) }
        return piece
      }
    }
  }
}
