/// One endpoint of a flow: an address and a port.
public struct FlowEnd: Hashable, Sendable, CustomStringConvertible {
  /// The address.
  public var address: HostAddress
  /// The port.
  public var port: UInt16

  /// Creates an endpoint from an address and a port.
  public init(address: HostAddress, port: UInt16) {
    self.address = address
    self.port = port
  }

  /// The endpoint in its usual notation, such as `192.0.2.1:80` or `[2001:db8::1]:80`.
  public var description: String {
    address.v4 == nil ? "[\(address)]:\(port)" : "\(address):\(port)"
  }
}

/// The two endpoints of a flow, which identify it.
///
/// The local port alone does not: a kernel uses the same port for connections to different servers.
public struct FlowEnds: Hashable, Sendable {
  /// The endpoint on the device.
  public var local: FlowEnd
  /// The endpoint on the server.
  public var remote: FlowEnd

  /// Creates a pair of endpoints.
  public init(local: FlowEnd, remote: FlowEnd) {
    self.local = local
    self.remote = remote
  }
}

/// The parts of a TCP or UDP packet, over IPv4 or IPv6, that a verdict needs.
public struct ObservedPacket: Hashable, Sendable {
  /// The parts of a TCP header that a verdict needs.
  public struct TCPHeader: Hashable, Sendable {
    /// The sequence number of the first byte.
    public var sequence: UInt32
    /// The next expected sequence number; valid only if `acknowledges` is set.
    public var acknowledgement: UInt32
    /// Whether the SYN flag is set.
    public var synchronizes = false
    /// Whether the ACK flag is set.
    public var acknowledges = false
    /// Whether the FIN flag is set.
    public var finishes = false
    /// Whether the RST flag is set.
    public var resets = false
    /// The MPTCP option of the segment, or `nil` if there is none.
    public var multipath: MultipathOption?
  }

  /// The source of the packet.
  public var source: FlowEnd
  /// The destination of the packet.
  public var destination: FlowEnd
  /// The TCP header, or `nil` for UDP.
  public var tcp: TCPHeader?
  /// The number of payload bytes.
  public var length: Int
  /// The captured payload bytes, which may be fewer than `length`.
  public var bytes: ArraySlice<UInt8>

  /// Creates a packet from an Ethernet frame.
  ///
  /// Returns `nil` if the frame contains no TCP or UDP packet, or ends before the ports.
  public init?(frame: ArraySlice<UInt8>) {
    var reader = FrameReader(frame)
    reader.skip(12)
    let envelope: Envelope?
    switch reader.word16() {
    case 0x0800: envelope = reader.version4()
    case 0x86DD: envelope = reader.version6()
    default: envelope = nil
    }
    guard let envelope, let sourcePort = reader.word16(), let destinationPort = reader.word16()
    else { return nil }
    source = FlowEnd(address: envelope.source, port: sourcePort)
    destination = FlowEnd(address: envelope.destination, port: destinationPort)
    let content: Int
    switch envelope.kind {
    case 6:
      guard let (header, length) = reader.tcpHeader() else { return nil }
      tcp = header
      content = length
    case 17: content = 8
    default: return nil
    }
    // A short frame is padded with bytes that belong to no packet.
    length = max(0, envelope.length - content)
    bytes = reader.bytes(from: envelope.start + content, count: length)
  }
}

/// The parts of an IP header that describe the segment or datagram in the packet.
struct Envelope {
  var source: HostAddress
  var destination: HostAddress
  /// The protocol number.
  var kind: UInt8
  /// The offset of the segment and its length.
  var start: Int
  var length: Int
}

/// A reader of big-endian numbers from a frame that may end anywhere.
struct FrameReader {
  private let frame: ArraySlice<UInt8>
  var offset: Int

  init(_ frame: ArraySlice<UInt8>) {
    self.frame = frame
    offset = frame.startIndex
  }

  mutating func skip(_ count: Int) { offset += count }

  mutating func byte() -> UInt8? {
    guard frame.indices.contains(offset) else { return nil }
    defer { offset += 1 }
    return frame[offset]
  }

  mutating func word16() -> UInt16? {
    guard let high = byte(), let low = byte() else { return nil }
    return UInt16(high) << 8 | UInt16(low)
  }

  mutating func word32() -> UInt32? {
    guard let high = word16(), let low = word16() else { return nil }
    return UInt32(high) << 16 | UInt32(low)
  }

  /// Reads an IPv4 header; the ports are the next bytes to read.
  mutating func version4() -> Envelope? {
    let start = offset
    guard let first = byte(), first >> 4 == 4 else { return nil }
    let headerLength = Int(first & 0xF) * 4
    skip(1)
    guard headerLength >= 20, let totalLength = word16() else { return nil }
    skip(2)
    // Fragments are rejected: only the first one contains the ports, and the lab sends none.
    guard let fragment = word16(), fragment & 0x3FFF == 0 else { return nil }
    skip(1)
    guard let kind = byte() else { return nil }
    skip(2)
    guard let source = address(4), let destination = address(4) else { return nil }
    offset = start + headerLength
    return Envelope(
      source: source, destination: destination, kind: kind, start: offset,
      length: Int(totalLength) - headerLength)
  }

  /// Reads an IPv6 header; a packet with extension headers is not supported.
  mutating func version6() -> Envelope? {
    guard let first = byte(), first >> 4 == 6 else { return nil }
    skip(3)
    guard let length = word16(), let kind = byte() else { return nil }
    skip(1)
    guard let source = address(16), let destination = address(16) else { return nil }
    return Envelope(
      source: source, destination: destination, kind: kind, start: offset, length: Int(length))
  }

  private mutating func address(_ count: Int) -> HostAddress? {
    let bytes = bytes(from: offset, count: count)
    offset += count
    return HostAddress(bytes)
  }

  /// Reads the rest of a TCP header whose ports have been read, and returns it with its length.
  mutating func tcpHeader() -> (ObservedPacket.TCPHeader, Int)? {
    guard let sequence = word32(), let acknowledgement = word32(), let words = byte(),
      let flags = byte(), words >> 4 >= 5
    else { return nil }
    var header = ObservedPacket.TCPHeader(
      sequence: sequence, acknowledgement: acknowledgement, synchronizes: flags & 2 != 0,
      acknowledges: flags & 16 != 0, finishes: flags & 1 != 0, resets: flags & 4 != 0)
    let length = Int(words >> 4) * 4
    // The window, the checksum and the urgent pointer precede the options.
    if length > 20 {
      header.multipath = MultipathOption(options: bytes(from: offset + 6, count: length - 20))
    }
    return (header, length)
  }

  func bytes(from start: Int, count: Int) -> ArraySlice<UInt8> {
    let first = min(start, frame.endIndex)
    return frame[first..<min(first + count, frame.endIndex)]
  }
}
