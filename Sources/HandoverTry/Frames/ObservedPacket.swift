/// One end of a flow: an IPv4 address and a port.
public struct FlowEnd: Hashable, Sendable, CustomStringConvertible {
  /// The address, the most significant byte first.
  public var address: UInt32
  /// The port.
  public var port: UInt16

  /// An address and a port.
  public init(address: UInt32, port: UInt16) {
    self.address = address
    self.port = port
  }

  /// The usual text, such as `192.0.2.1:80`.
  public var description: String {
    let bytes = [24, 16, 8, 0].map { String(address >> UInt32($0) & 0xFF) }
    return bytes.joined(separator: ".") + ":\(port)"
  }
}

/// A packet of TCP or UDP over IPv4, as far as a verdict needs it.
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
    guard reader.word16() == 0x0800 else { return nil }
    self.init(packet: &reader)
  }

  private init?(packet reader: inout FrameReader) {
    let start = reader.offset
    guard let first = reader.byte(), first >> 4 == 4 else { return nil }
    let headerLength = Int(first & 0xF) * 4
    reader.skip(1)
    guard headerLength >= 20, let totalLength = reader.word16() else { return nil }
    reader.skip(2)
    // What comes in pieces has its ports in the first one only, which none of ours is.
    guard let fragment = reader.word16(), fragment & 0x3FFF == 0 else { return nil }
    reader.skip(1)
    guard let kind = reader.byte() else { return nil }
    reader.skip(2)
    guard let source = reader.word32(), let destination = reader.word32() else { return nil }
    reader.offset = start + headerLength
    guard let sourcePort = reader.word16(), let destinationPort = reader.word16() else {
      return nil
    }
    self.source = FlowEnd(address: source, port: sourcePort)
    self.destination = FlowEnd(address: destination, port: destinationPort)
    let content: Int
    switch kind {
    case 6:
      guard let (header, length) = reader.tcpHeader() else { return nil }
      tcp = header
      content = headerLength + length
    case 17:
      content = headerLength + 8
    default: return nil
    }
    // A short frame is filled up with bytes that are nobody's.
    length = max(0, Int(totalLength) - content)
    bytes = reader.bytes(from: start + content, count: length)
  }
}

/// Reads numbers of the network's byte order out of a frame that may end anywhere.
private struct FrameReader {
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

  /// The rest of a header of TCP whose ports have been read, and its length.
  mutating func tcpHeader() -> (ObservedPacket.TCPHeader, Int)? {
    guard let sequence = word32(), let acknowledgement = word32(), let words = byte(),
      let flags = byte(), words >> 4 >= 5
    else { return nil }
    let header = ObservedPacket.TCPHeader(
      sequence: sequence, acknowledgement: acknowledgement, synchronises: flags & 2 != 0,
      acknowledges: flags & 16 != 0, finishes: flags & 1 != 0, resets: flags & 4 != 0)
    return (header, Int(words >> 4) * 4)
  }

  func bytes(from start: Int, count: Int) -> ArraySlice<UInt8> {
    let first = min(start, frame.endIndex)
    return frame[first..<min(first + count, frame.endIndex)]
  }
}
