import HandoverCore
import Testing

@testable import HandoverTry

/// Builds frames as they appear on a device's interface.
struct FrameMaker {
  static func tcp(
    _ source: FlowEnd, _ destination: FlowEnd, sequence: UInt32, acknowledgement: UInt32 = 0,
    flags: UInt8, _ bytes: [UInt8] = [], padding: Int = 0, options: [UInt8] = []
  ) -> [UInt8] {
    let fill = [UInt8](repeating: 0, count: (4 - options.count % 4) % 4)
    let words = UInt8(5 + (options.count + fill.count) / 4)
    let header =
      word(source.port) + word(destination.port) + word(sequence)
      + word(acknowledgement) + [words << 4, flags] + [UInt8](repeating: 0, count: 6)
    return ethernet(6, source, destination, header + options + fill + bytes, padding: padding)
  }

  static func icmp(
    _ source: HostAddress, _ destination: HostAddress, _ content: [UInt8]
  ) -> [UInt8] {
    ethernet(
      1, FlowEnd(address: source, port: 0), FlowEnd(address: destination, port: 0), content,
      padding: 0)
  }

  static func udp(_ source: FlowEnd, _ destination: FlowEnd, _ bytes: [UInt8]) -> [UInt8] {
    let header = word(source.port) + word(destination.port) + [0, 0, 0, 0]
    return ethernet(17, source, destination, header + bytes, padding: 0)
  }

  private static func ethernet(
    _ kind: UInt8, _ source: FlowEnd, _ destination: FlowEnd, _ content: [UInt8], padding: Int
  ) -> [UInt8] {
    let length = UInt16(20 + content.count)
    return [UInt8](repeating: 2, count: 12) + [8, 0, 0x45, 0] + word(length) + [0, 0, 0x40, 0]
      + [64, kind, 0, 0] + source.address.bytes.suffix(4)
      + destination.address.bytes.suffix(4) + content
      + [UInt8](repeating: 0, count: padding)
  }

  private static func word(_ value: some FixedWidthInteger) -> [UInt8] {
    stride(from: value.bitWidth - 8, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: value >> $0)
    }
  }
}

@Suite("Packets are parsed from frames")
struct PacketTests {
  static let device = FlowEnd(address: 0x0A40_0202, port: 40_000)
  static let server = FlowEnd(address: 0xCB00_7101, port: 80)

  @Test("A segment has ports, numbers, flags and bytes")
  func segment() throws {
    let frame = FrameMaker.tcp(
      Self.device, Self.server, sequence: 7, acknowledgement: 9, flags: 0x18, [1, 2, 3])
    let packet = try #require(ObservedPacket(frame: frame[...]))
    #expect(packet.source == Self.device)
    #expect(packet.destination == Self.server)
    #expect(packet.length == 3)
    #expect(Array(packet.bytes) == [1, 2, 3])
    #expect(packet.tcp?.sequence == 7)
    #expect(packet.tcp?.acknowledgement == 9)
    #expect(packet.tcp?.acknowledges == true)
    #expect(packet.tcp?.synchronizes == false)
  }

  @Test("The padding of a short frame is ignored")
  func padding() throws {
    let frame = FrameMaker.tcp(Self.device, Self.server, sequence: 1, flags: 0x10, padding: 6)
    #expect(try #require(ObservedPacket(frame: frame[...])).length == 0)
  }

  @Test("A datagram is parsed")
  func datagram() throws {
    let frame = FrameMaker.udp(Self.device, Self.server, [1, 2])
    let packet = try #require(ObservedPacket(frame: frame[...]))
    #expect(packet.tcp == nil)
    #expect(packet.length == 2)
  }

  @Test("A frame that is truncated anywhere is refused or read, without a crash")
  func truncated() {
    let frame = FrameMaker.tcp(Self.device, Self.server, sequence: 1, flags: 0x18, [1, 2, 3])
    for count in frame.indices {
      let packet = ObservedPacket(frame: frame[..<count])
      #expect((packet == nil) == (count < 48), "\(count) bytes")
    }
  }

  @Test("An address is formatted in the usual notation")
  func text() {
    #expect(Self.server.description == "203.0.113.1:80")
  }
}

@Suite("Application data is distinguished from keepalive data")
struct PayloadScannerTests {
  /// Bytes of a server in pieces, and the pieces that contain application data.
  struct Sample: CustomTestStringConvertible {
    var name: String
    var pieces: [[UInt8]]
    var useful: [Bool]
    var testDescription: String { name }
  }

  static let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
  static let ping: [UInt8] = [0, 0, 8, 6, 0, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 8)
  static let data: [UInt8] = [0, 0, 2, 0, 0, 0, 0, 0, 1, 1, 2]
  static let switching = Array(
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n".utf8)

  static let samples: [Sample] = [
    Sample(name: "plain", pieces: [Array("220 hello".utf8), [1]], useful: [true, true]),
    Sample(
      name: "HTTP/2 frames", pieces: [settings, ping, data, ping + data],
      useful: [false, false, true, true]),
    Sample(
      name: "a frame of HTTP/2 in pieces",
      pieces: [settings, Array(data.prefix(9)), Array(data.suffix(2)), ping],
      useful: [false, true, true, false]),
    Sample(
      name: "WebSocket", pieces: [switching, [0x8A, 0], [0x81, 1, 65], [0x89, 0]],
      useful: [false, false, true, false]),
    Sample(
      name: "a long message of WebSocket",
      pieces: [switching, [0x82, 126, 1, 0], [UInt8](repeating: 0, count: 256), [0x8A, 0]],
      useful: [false, true, true, false]),
  ]

  @Test("The pieces with application data are found", arguments: samples)
  func pieces(_ sample: Sample) {
    var scanner = PayloadScanner()
    for (piece, isUseful) in zip(sample.pieces, sample.useful) {
      let taken = scanner.scan(piece[...], length: piece.count)
      #expect(taken == isUseful, "\(piece)")
    }
  }

  /// Returns a TLS record.
  static func record(_ kind: UInt8, _ count: Int) -> [UInt8] {
    [kind, 3, 3, 0, UInt8(count)] + [UInt8](repeating: 7, count: count)
  }

  @Test(
    "In TLS 1.3 only application records count, and only after a request", arguments: [1, 3, 100])
  func tls(_ step: Int) {
    var scanner = PayloadScanner()
    func receives(_ bytes: [UInt8]) -> Bool {
      var isUseful = false
      for start in stride(from: 0, to: bytes.count, by: step) {
        let piece = bytes[start..<min(start + step, bytes.count)]
        if scanner.scan(piece, length: piece.count) { isUseful = true }
      }
      return isUseful
    }
    scanner.scanFromClient(Self.record(22, 40)[...])
    #expect(!receives(Self.record(22, 40) + Self.record(20, 1) + Self.record(23, 60)) || step < 2)
    scanner.scanFromClient((Self.record(20, 1) + Self.record(23, 30))[...])
    #expect(!receives(Self.record(23, 20)))
    scanner.scanFromClient(Self.record(23, 30)[...])
    #expect(receives(Self.record(23, 20)))
    #expect(!receives(Self.record(21, 2)))
  }

  @Test("In TLS 1.2 the end of the handshake is not a request")
  func oldTLS() {
    var client = TLSRecords()
    for kind in [22, 22, 20, 22] as [UInt8] { client.append(Self.record(kind, 40)[...]) }
    #expect(!client.hasAsked)
    client.append(Self.record(23, 9)[...])
    #expect(client.hasAsked)
  }

  @Test("Bytes that were not captured count")
  func notCaptured() {
    var scanner = PayloadScanner()
    let taken = [
      scanner.scan(Self.settings[...], length: 9),
      scanner.scan(Self.data.prefix(4), length: 1_000),
      scanner.scan(Self.ping[...], length: Self.ping.count),
    ]
    #expect(taken == [false, true, true])
  }
}

@Suite("Addresses of both families")
struct HostAddressTests {
  static let texts: [(bytes: [UInt8], text: String)] = [
    ([203, 0, 113, 1], "203.0.113.1"),
    ([0x20, 1, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1], "2001:db8::1"),
    ([0x20, 1, 0x0D, 0xB8, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2], "2001:db8:3::2"),
    ([UInt8](repeating: 0, count: 16), "::"),
    ([0xFE, 0x80, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5], "fe80:0:1::5"),
    ([0, 1, 0, 2, 0, 3, 0, 0, 0, 5, 0, 6, 0, 7, 0, 8], "1:2:3:0:5:6:7:8"),
    ([0, 1] + [UInt8](repeating: 0, count: 14), "1::"),
  ]

  @Test("An address is formatted in the usual notation, and keeps its bytes", arguments: texts)
  func text(_ bytes: [UInt8], _ text: String) throws {
    let address = try #require(HostAddress(bytes))
    #expect(address.description == text)
    #expect(Array(address.bytes.suffix(bytes.count)) == bytes)
    #expect((address.v4 != nil) == (bytes.count == 4))
  }

  @Test("Other lengths are not addresses")
  func lengths() {
    #expect(HostAddress([1, 2, 3]) == nil)
    #expect(HostAddress([UInt8](repeating: 0, count: 17)) == nil)
  }

  /// A TCP segment over IPv6.
  static let frame: [UInt8] =
    [UInt8](repeating: 2, count: 12) + [0x86, 0xDD, 0x60, 0, 0, 0, 0, 23, 6, 64]
    + [0x20, 1, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [2]
    + [0x20, 1, 0x0D, 0xB8, 1, 0x13] + [UInt8](repeating: 0, count: 9) + [0x10]
    + [0x9C, 0x40, 0, 80, 0, 0, 0, 7, 0, 0, 0, 9, 0x50, 0x18, 0, 0, 0, 0, 0, 0, 1, 2, 3, 0xFF]

  @Test("A segment over IPv6 is parsed, and refused if it is truncated before its numbers")
  func segment() throws {
    let packet = try #require(ObservedPacket(frame: Self.frame[...]))
    #expect(packet.source.description == "[2001:db8::2]:40000")
    #expect(packet.destination.description == "[2001:db8:113::10]:80")
    #expect(packet.tcp?.sequence == 7)
    #expect(packet.length == 3)
    #expect(Array(packet.bytes) == [1, 2, 3])
    for count in Self.frame.indices {
      let packet = ObservedPacket(frame: Self.frame[..<count])
      #expect((packet == nil) == (count < 68), "\(count) bytes")
    }
    var fragment = Self.frame
    fragment[20] = 44
    #expect(ObservedPacket(frame: fragment[...]) == nil)
  }
}
