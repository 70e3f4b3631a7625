/// An ICMP error about a TCP or UDP packet, over IPv4 or IPv6.
public struct ObservedError: Hashable, Sendable {
  /// The destination of the error, which is the sender of the packet.
  public var destination: HostAddress
  /// The transport protocol of the packet.
  public var transport: Flow.Transport
  /// The sender of the packet.
  public var packetSource: FlowEnd
  /// The destination of the packet.
  public var packetDestination: FlowEnd
  /// The meaning of the error, such as `port unreachable`.
  public var phrase: String

  private static let icmp: UInt8 = 1
  private static let icmp6: UInt8 = 58

  /// Creates an error from an Ethernet frame.
  ///
  /// Returns `nil` if the frame contains no ICMP error, or ends before the ports of the packet.
  public init?(frame: ArraySlice<UInt8>) {
    var reader = FrameReader(frame)
    reader.skip(12)
    let kind = reader.word16()
    guard let outer = kind == 0x0800 ? reader.version4() : reader.version6(),
      outer.kind == (kind == 0x0800 ? Self.icmp : Self.icmp6),
      let type = reader.byte(), let code = reader.byte(),
      let phrase = outer.kind == Self.icmp ? Self.phrase(type, code) : Self.phraseV6(type, code)
    else { return nil }
    // Skip the checksum and four bytes whose meaning depends on the type.
    reader.skip(6)
    guard let inner = kind == 0x0800 ? reader.version4() : reader.version6(),
      let sourcePort = reader.word16(), let destinationPort = reader.word16()
    else { return nil }
    switch inner.kind {
    case 6: transport = .tcp
    case 17: transport = .udp
    default: return nil
    }
    destination = outer.destination
    packetSource = FlowEnd(address: inner.source, port: sourcePort)
    packetDestination = FlowEnd(address: inner.destination, port: destinationPort)
    self.phrase = phrase
  }

  private static func phrase(_ type: UInt8, _ code: UInt8) -> String? {
    switch (type, code) {
    case (3, 0): "network unreachable"
    case (3, 1): "host unreachable"
    case (3, 3): "port unreachable"
    case (3, 4): "packet too big"
    case (3, 9), (3, 10), (3, 13): "prohibited"
    case (3, _): "destination unreachable"
    case (11, _): "time exceeded"
    default: nil
    }
  }

  private static func phraseV6(_ type: UInt8, _ code: UInt8) -> String? {
    switch (type, code) {
    case (1, 0): "network unreachable"
    case (1, 1): "prohibited"
    case (1, 3): "host unreachable"
    case (1, 4): "port unreachable"
    case (1, _): "destination unreachable"
    case (2, _): "packet too big"
    case (3, _): "time exceeded"
    default: nil
    }
  }
}
