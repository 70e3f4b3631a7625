/// One end of a flow: an address and a port.
public struct FlowEnd: Hashable, Sendable, CustomStringConvertible {
  /// The address.
  public var address: HostAddress
  /// The port.
  public var port: UInt16

  /// An address and a port.
  public init(address: HostAddress, port: UInt16) {
    self.address = address
    self.port = port
  }

  /// The usual text, such as `192.0.2.1:80` or `[2001:db8::1]:80`.
  public var description: String {
    address.v4 == nil ? "[\(address)]:\(port)" : "\(address):\(port)"
  }
}

/// A packet of TCP or UDP over IPv4 or IPv6, as far as a verdict needs it.
public struct ObservedPacket: Hashable, Sendable {
  /// What TCP says besides the bytes.
  public struct TCPHeader: Hashable, Sendable {
    /// The number of the first byte.
    public var sequence: UInt32
    /// The number of the next byte that is waited for; only where `acknowledges`.
    public var acknowledgement: UInt32
    /// A connection begins.
    public var synchronises = false
    /// The acknowledgement counts.
    public var acknowledges = false
    /// Nothing more will be sent.
    public var finishes = false
    /// The connection is reset.
    public var resets = false
    /// What the segment shows of a connection of Multipath TCP; nil if it shows nothing.
    public var multipath: MultipathOption?
  }

  /// Where it comes from.
  public var source: FlowEnd
  /// Where it goes to.
  public var destination: FlowEnd
  /// What TCP says; nil for UDP.
  public var tcp: TCPHeader?
  /// How many bytes it carries.
  public var length: Int
  /// The bytes it carries, as many as were captured.
  public var bytes: ArraySlice<UInt8>

  /// Reads a frame of Ethernet; nil where it is something else, or cut before its ports.
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
    // A short frame is filled up with bytes that are nobody's.
    length = max(0, envelope.length - content)
    bytes = reader.bytes(from: envelope.start + content, count: length)
  }
}

/// What a packet of IP says of the segment or datagram that it carries.
struct Envelope {
  var source: HostAddress
  var destination: HostAddress
  /// The number of the protocol.
  var kind: UInt8
  /// Where the segment begins, and how long it is.
  var start: Int
  var length: Int
}

/// Reads numbers of the network's byte order out of a frame that may end anywhere.
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

  /// The header of a packet of IPv4; what is read next are the ports.
  mutating func version4() -> Envelope? {
    let start = offset
    guard let first = byte(), first >> 4 == 4 else { return nil }
    let headerLength = Int(first & 0xF) * 4
    skip(1)
    guard headerLength >= 20, let totalLength = word16() else { return nil }
    skip(2)
    // What comes in pieces has its ports in the first one only, which none of ours is.
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

  /// The header of a packet of IPv6; one with headers of other kinds behind it is none of ours.
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

  /// The rest of a header of TCP whose ports have been read, and its length.
  mutating func tcpHeader() -> (ObservedPacket.TCPHeader, Int)? {
    guard let sequence = word32(), let acknowledgement = word32(), let words = byte(),
      let flags = byte(), words >> 4 >= 5
    else { return nil }
    var header = ObservedPacket.TCPHeader(
      sequence: sequence, acknowledgement: acknowledgement, synchronises: flags & 2 != 0,
      acknowledges: flags & 16 != 0, finishes: flags & 1 != 0, resets: flags & 4 != 0)
    let length = Int(words >> 4) * 4
    // The window, the checksum and the urgent pointer come before the options.
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
