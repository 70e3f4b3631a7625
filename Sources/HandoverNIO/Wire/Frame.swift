import NIOCore

/// What client and server say to each other.
///
/// A framing of the project's own, not HTTP/2: what is under test is what becomes of TCP
/// connections and of the calls on them, and for that a stream needs a number, a beginning and an
/// end. Everything that HTTP/2 adds would only stand between the kernel and the verdict.
enum Frame: Hashable, Sendable {
  /// The server is ready: what SETTINGS are to HTTP/2 (B4).
  case hello
  /// The server takes no new calls on the connection.
  case goaway
  /// A call begins; how it shall be answered stands in it.
  case request(call: UInt32, Answer)
  /// A message of a call, in either direction, of so many bytes.
  case message(call: UInt32, bytes: UInt32)
  /// The requests of a call are complete.
  case finish(call: UInt32)
  /// The client has no use for the answer any more.
  case reset(call: UInt32)
  /// The server ended the call well.
  case end(call: UInt32)
  /// Asks for a pong.
  case ping
  /// Answers a ping.
  case pong

  /// How the server answers a call.
  struct Answer: Hashable, Sendable {
    /// How long after the complete request the answer ends, in microseconds; negative never.
    var takes: Int64
    /// How often a message is sent, in microseconds; negative never.
    var every: Int64
  }

  /// The longest frame, in bytes; a longer one breaks the connection.
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

  /// Writes the frame: its length without the field itself, its kind, its call, what goes with it.
  func write(to buffer: inout ByteBuffer) {
    let lengthPlace = buffer.writerIndex
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
    let length = buffer.writerIndex - lengthPlace - MemoryLayout<UInt32>.size
    buffer.setInteger(UInt32(length), at: lengthPlace)
  }

  /// Reads a frame; nil where it is not complete yet.
  ///
  /// - Throws: ``Malformed`` where no frame begins like this.
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

  /// The bytes are no frame.
  struct Malformed: Error, Hashable {}
}

/// Cuts what arrives into frames.
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
  /// Writes frames in one go; what cannot be written any more is lost with its connection.
  func send(_ frames: [Frame], promise: EventLoopPromise<Void>? = nil) {
    var buffer = allocator.buffer(capacity: 64)
    for frame in frames { frame.write(to: &buffer) }
    writeAndFlush(buffer, promise: promise)
  }
}
