import HandoverLinux

@testable import HandoverLab

/// Frames of the link emulator, as kernels hand them over.
struct TestFrame {
  var isIPv6 = false
  var kind = FrameLayout.tcp
  var from: (last: UInt8, port: UInt16) = (2, 40_000)
  var to: (last: UInt8, port: UInt16) = (1, 443)
  var isFromDevice = true
  var flags: UInt8 = 0x10
  var sequence: UInt32 = 100
  var acknowledgement: UInt32 = 500
  var payload: [UInt8] = []
  /// The number of bytes in each packet of a large segment; 0 means a single packet.
  var segmentSize: UInt16 = 0
  var isPartial = false
  var mustNotBeFragmented = true

  static let deviceMAC: [UInt8] = [2, 0, 0, 0, 0, 1]
  static let routerMAC: [UInt8] = [2, 0, 0, 0, 0, 2]

  private func address(ofDevice: Bool, _ last: UInt8) -> [UInt8] {
    if isIPv6 {
      return [0x20, 1, 0x0D, 0xB8, 0, ofDevice ? 1 : 0x13] + [UInt8](repeating: 0, count: 9)
        + [last]
    }
    return (ofDevice ? [192, 168, 1] : [203, 0, 113]) + [last]
  }

  /// The bytes of the frame.
  var bytes: [UInt8] {
    var header = [UInt8](repeating: 0, count: PacketSocket.segmentHeaderLength)
    if isPartial { header[0] = 1 }
    if segmentSize > 0 {
      header[1] = kind == FrameLayout.udp ? 5 : isIPv6 ? 4 : 1
      header[4] = UInt8(truncatingIfNeeded: segmentSize)
      header[5] = UInt8(segmentSize >> 8)
    }
    let links =
      isFromDevice ? Self.routerMAC + Self.deviceMAC : Self.deviceMAC + Self.routerMAC
    var content = [UInt8](repeating: 0, count: kind == FrameLayout.tcp ? 20 : 8)
    content.set(from.port, at: 0)
    content.set(to.port, at: 2)
    if kind == FrameLayout.tcp {
      content.set(long: sequence, at: 4)
      content.set(long: acknowledgement, at: 8)
      content[12] = 5 << 4
      content[13] = flags
      content.set(1_000, at: 14)
    } else {
      content.set(UInt16(8 + payload.count), at: 4)
    }
    content += payload
    let addresses =
      address(ofDevice: isFromDevice, from.last) + address(ofDevice: !isFromDevice, to.last)
    var frame = header + links + ip(content.count) + addresses + content
    guard let layout = FrameLayout(frame[...]) else { return frame }
    frame.setHeaderChecksum(layout)
    if isPartial {
      frame.set(Checksum.folded(Checksum.pseudoHeader(frame[...], layout)), at: layout.checksum)
    } else {
      frame.setChecksum(layout, at: layout.checksum)
    }
    return frame
  }

  private func ip(_ length: Int) -> [UInt8] {
    if isIPv6 {
      return [0x86, 0xDD, 0x60, 0, 0, 0, UInt8(length >> 8), UInt8(length & 0xFF), kind, 64]
    }
    let total = length + 20
    return [0x08, 0x00, 0x45, 0, UInt8(total >> 8), UInt8(total & 0xFF), 0, 7]
      + [mustNotBeFragmented ? 0x40 : 0, 0, 64, kind, 0, 0]
  }

  /// Returns the problem with the checksums of a frame, or `nil` if there is none.
  static func complaint(about frame: [UInt8]) -> String? {
    guard let layout = FrameLayout(frame[...]) else { return "no packet" }
    if !layout.isIPv6,
      Checksum.folded(Checksum.sum(frame[layout.ip..<layout.content])) != 0xFFFF
    {
      return "checksum of the header"
    }
    guard layout.kind != FrameLayout.icmp, !layout.isFragment else { return nil }
    let content = Checksum.sum(frame[layout.content..<layout.end])
    let isPartial = SegmentHeader(frame[...]).hasPartialChecksum
    let pseudo = Checksum.pseudoHeader(frame[...], layout)
    if isPartial {
      return frame[...].word(at: layout.checksum) == Checksum.folded(pseudo)
        ? nil : "sum of the pseudo header"
    }
    return Checksum.folded(pseudo + content) == 0xFFFF ? nil : "checksum of the content"
  }
}
