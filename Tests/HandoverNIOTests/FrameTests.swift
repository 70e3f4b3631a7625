import NIOCore
import Testing

@testable import HandoverNIO

@Suite("Frames")
struct FrameTests {
  static let frames: [Frame] = [
    .hello, .goaway, .request(call: 7, .init(takes: 10_000, every: -1)),
    .message(call: 7, bytes: 0), .message(call: 7, bytes: 70_000), .finish(call: 7),
    .reset(call: 7), .end(call: .max), .ping, .pong,
  ]

  @Test("A written frame is read, however it is split")
  func roundTrip() throws {
    var all = ByteBuffer()
    for frame in Self.frames { frame.write(to: &all) }
    for size in [1, 2, 3, 5, 4_096, all.readableBytes] {
      var rest = all
      var arrived = ByteBuffer()
      var read: [Frame] = []
      while rest.readableBytes > 0 {
        guard var part = rest.readSlice(length: min(size, rest.readableBytes)) else { break }
        arrived.writeBuffer(&part)
        while let frame = try Frame.read(from: &arrived) { read.append(frame) }
        arrived.discardReadBytes()
      }
      #expect(read == Self.frames)
    }
  }

  @Test(
    "Invalid data is refused",
    arguments: [
      [0, 0, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 1, 99], [0, 0, 0, 2, 5, 1], [0xFF, 0, 0, 0, 1],
      [0, 0, 0, 5, 3, 0, 0, 0, 1],
    ] as [[UInt8]])
  func malformed(bytes: [UInt8]) {
    var buffer = ByteBuffer(bytes: bytes)
    #expect(throws: Frame.Malformed.self) { try Frame.read(from: &buffer) }
  }
}
