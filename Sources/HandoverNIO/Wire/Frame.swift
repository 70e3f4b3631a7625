import NIOCore

/// A frame of the protocol between client and server.
///
/// The protocol is a custom framing and not HTTP/2. The tests concern the behavior of TCP
/// connections and of the calls on them, for which a stream needs only a number, a beginning and an
/// end. The additional features of HTTP/2 would only add a layer between the kernel and the
/// verdict.
enum Frame: Hashable, Sendable {
  /// The server is ready, like SETTINGS in HTTP/2 (B4).
  case hello
  /// The server accepts no new calls on the connection.
  case goaway
  /// A call begins; the frame specifies its answer.
  case request(call: UInt32, Answer)
  /// A message of a call with this length, in either direction.
  case message(call: UInt32, bytes: UInt32)
  /// The request of a call is complete.
  case finish(call: UInt32)
  /// The client does not need the answer any more.
  case reset(call: UInt32)
  /// The server has ended the call successfully.
  case end(call: UInt32)
  /// A request for a pong.
  case ping
  /// The answer to a ping.
  case pong

  /// The answer of the server to a call.
  struct Answer: Hashable, Sendable {
    /// The time in microseconds from the complete request to the end, or a negative value for no
    /// end.
    var takes: Int64
    /// The interval between messages in microseconds, or a negative value for no messages.
    var every: Int64
  }

  /// The maximum length of a frame in bytes; a longer frame closes the connection.
  static let maximumLength = 1 << 20

  private enum Kind: UInt8 {
    case hello = 1
    case goaway, request, message, finish, reset, end, ping, pong
  }

  private var kind: Kind {
    switch self {
    case .hello: .hello
    case .goaway: .goaway
    case .request: .request
    case .message: .message
    case .finish: .finish
    case .reset: .reset
    case .end: .end
    case .ping: .ping
    case .pong: .pong
    }
  }

  /// Writes the frame: its length (without the length field), its kind, its call and its fields.
  func write(to buffer: inout ByteBuffer) {
    let lengthPosition = buffer.writerIndex
    buffer.writeInteger(UInt32(0))
    buffer.writeInteger(kind.rawValue)
    switch self {
    case .hello, .goaway, .ping, .pong: break
    case .finish(let call), .reset(let call), .end(let call): buffer.writeInteger(call)
    case .request(let call, let answer):
      buffer.writeInteger(call)
      buffer.writeInteger(answer.takes)
      buffer.writeInteger(answer.every)
    case .message(let call, let bytes):
      buffer.writeInteger(call)
      buffer.writeRepeatingByte(0x2E, count: min(Int(bytes), Self.maximumLength - 64))
    }
    let length = buffer.writerIndex - lengthPosition - MemoryLayout<UInt32>.size
    buffer.setInteger(UInt32(length), at: lengthPosition)
  }

  /// Reads a frame, or returns `nil` if it is not complete yet.
  ///
  /// - Throws: ``Malformed`` if the bytes are not a valid frame.
  static func read(from buffer: inout ByteBuffer) throws(Malformed) -> Frame? {
    let start = buffer.readerIndex
    guard let length = buffer.getInteger(at: start, as: UInt32.self) else { return nil }
    guard length >= 1, length <= maximumLength else { throw Malformed() }
    buffer.moveReaderIndex(forwardBy: MemoryLayout<UInt32>.size)
    guard var body = buffer.readSlice(length: Int(length)) else {
      buffer.moveReaderIndex(to: start)
      return nil
    }
    guard let number = body.readInteger(as: UInt8.self), let kind = Kind(rawValue: number) else {
      throw Malformed()
    }
    return try frame(kind, &body)
  }

  private static func frame(_ kind: Kind, _ body: inout ByteBuffer) throws(Malformed) -> Frame {
    switch kind {
    case .hello: return .hello
    case .goaway: return .goaway
    case .ping: return .ping
    case .pong: return .pong
    case .request, .message, .finish, .reset, .end: break
    }
    guard let call = body.readInteger(as: UInt32.self) else { throw Malformed() }
    switch kind {
    case .finish: return .finish(call: call)
    case .reset: return .reset(call: call)
    case .end: return .end(call: call)
    case .message: return .message(call: call, bytes: UInt32(body.readableBytes))
    case .request:
      guard let takes = body.readInteger(as: Int64.self),
        let every = body.readInteger(as: Int64.self)
      else { throw Malformed() }
      return .request(call: call, Answer(takes: takes, every: every))
    case .hello, .goaway, .ping, .pong: throw Malformed()
    }
  }

  /// An error for bytes that are not a valid frame.
  struct Malformed: Error, Hashable {}
}

/// A decoder for frames.
struct FrameDecoder: NIOSingleStepByteToMessageDecoder {
  typealias InboundOut = Frame

  mutating func decode(buffer: inout ByteBuffer) throws -> Frame? {
    try Frame.read(from: &buffer)
  }

  mutating func decodeLast(buffer: inout ByteBuffer, seenEOF: Bool) throws -> Frame? {
    try Frame.read(from: &buffer)
  }
}

extension Channel {
  /// Writes frames with a single write; frames are lost if the connection is closed.
  func send(_ frames: [Frame], promise: EventLoopPromise<Void>? = nil) {
    var buffer = allocator.buffer(capacity: 64)
    for frame in frames { frame.write(to: &buffer) }
    writeAndFlush(buffer, promise: promise)
  }
}
