import HandoverLinux

/// The addresses to which the device sends datagrams, so that responses come from the same
/// addresses.
///
/// A server that is bound to every address sends from the address that the kernel chooses: the
/// servers' end of an uplink, to which no program sends. A connected socket of the device rejects
/// such a response. The lab replaces this source address with the address to which the device sent
/// its last datagram.
struct QueriedAddresses: Hashable {
  /// The address to which the device sent, by the device's endpoint and the server's port.
  private var addresses: [[UInt8]: [UInt8]] = [:]  // lookup only

  /// The maximum number of known endpoints of the device.
  ///
  /// Responses to any other endpoint keep their source address.
  private static let maximumCount = 65_536

  /// Creates a record without datagrams.
  init() {}

  /// Records a frame that the router receives from the device.
  mutating func note(_ frame: ArraySlice<UInt8>) {
    guard let layout = Self.layout(frame) else { return }
    let key = Self.key(
      frame, device: layout.source, length: layout.addressLength, port: layout.content,
      serverPort: layout.content + 2)
    guard addresses.count < Self.maximumCount || addresses[key] != nil else { return }
    addresses[key] = Array(
      frame[layout.destination..<layout.destination + layout.addressLength])
  }

  /// Returns the frame that replaces a frame of the router, or `nil` if the frame does not change.
  func answer(_ frame: ArraySlice<UInt8>, on network: AccessNetwork) -> [UInt8]? {
    guard let layout = Self.layout(frame) else { return nil }
    let own = layout.isIPv6 ? network.uplinkOfServers6 : network.uplinkOfServers
    guard frame[layout.source..<layout.destination].elementsEqual(own.bytes) else { return nil }
    let key = Self.key(
      frame, device: layout.destination, length: layout.addressLength, port: layout.content + 2,
      serverPort: layout.content)
    return addresses[key].map { Self.from($0, frame, layout) }  // lookup only
  }

  private static func layout(_ frame: ArraySlice<UInt8>) -> FrameLayout? {
    guard let layout = FrameLayout(frame), layout.kind == FrameLayout.udp, !layout.isFragment,
      layout.contentHeader(frame) != nil
    else { return nil }
    return layout
  }

  private static func key(
    _ frame: ArraySlice<UInt8>, device: Int, length: Int, port: Int, serverPort: Int
  ) -> [UInt8] {
    var key = Array(frame[device..<device + length])
    key += frame[port..<port + 2]
    key += frame[serverPort..<serverPort + 2]
    return key
  }

  /// Returns a datagram with another source address.
  private static func from(
    _ address: [UInt8], _ frame: ArraySlice<UInt8>, _ layout: FrameLayout
  ) -> [UInt8] {
    let isPartial = SegmentHeader(frame).hasPartialChecksum
    let shift = frame.startIndex
    var bytes = Array(frame)
    var checksum = frame.word(at: layout.checksum)
    let hasNone = checksum == 0 && !isPartial
    for position in stride(from: 0, to: address.count, by: 2) {
      let new = UInt16(address[position]) << 8 | UInt16(address[position + 1])
      checksum = Checksum.changed(
        checksum, from: frame.word(at: layout.source + position), to: new, isPartial: isPartial)
      bytes.set(new, at: layout.source - shift + position)
    }
    if let whole = FrameLayout(bytes[...]) { bytes.setHeaderChecksum(whole) }
    if !hasNone { bytes.set(checksum, at: layout.checksum - shift) }
    return bytes
  }
}
