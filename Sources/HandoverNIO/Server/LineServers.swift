import NIOCore
import NIOPosix

/// Servers that speak lines of text over plain TCP, for clients that are begun from a template.
///
/// A client says `start CALL KIND TAKES`, `send CALL`, `finish CALL` and `cancel CALL`, a server
/// `message CALL` and `end CALL`. `TAKES` is in microseconds from the whole request to the end, or
/// `null` where the call never ends. Streams have a message each 200 ms.
///
/// - Important: All calls come from one thread, which waits until what it asks for is done.
public final class LineServers {
  private let group: MultiThreadedEventLoopGroup
  private let hosts: NIOLoopBoundBox<[String: LineServer]>

  /// Makes servers for no host yet.
  public init() {
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    hosts = .makeBoxSendingValue([:], eventLoop: group.next())
  }

  /// The name that they give themselves.
  public var name: String { "handover-line-servers" }

  /// The words of faults that they know.
  public var words: [String] { ["accept", "refuse", "close", "reset"] }

  /// Forgets the hosts before, and listens for one more.
  ///
  /// - Returns: why it cannot, in words; nil where it listens.
  public func listen(to host: String, at address: String, port: Int) -> String? {
    onLoop { hosts, loop in
      let server = LineServer(at: address, port: port, on: loop)
      hosts[host] = server
      return server.accept()
    }
  }

  /// Plays a word on the server of a host; one that is not there is left alone.
  ///
  /// - Returns: why it cannot, in words; nil where it is done.
  public func play(_ word: String, on host: String) -> String? {
    onLoop { hosts, loop in hosts[host]?.play(word) ?? loop.makeSucceededVoidFuture() }
  }

  /// Ends everything.
  public func close() {
    _ = onLoop { hosts, loop in
      let ends = hosts.values.map { $0.end() }
      hosts = [:]
      return .andAllComplete(ends, on: loop)
    }
  }

  /// Does something on the loop, and waits until it is done.
  private func onLoop(
    _ body: @escaping @Sendable (inout [String: LineServer], any EventLoop) -> EventLoopFuture<Void>
  ) -> String? {
    let loop = group.next()
    let hosts = hosts
    do {
      try loop.flatSubmit { body(&hosts.value, loop) }.wait()
      return nil
    } catch {
      return "\(error)"
    }
  }
}

/// The server of one host; lives on its event loop.
private final class LineServer {
  private let loop: any EventLoop
  private let address: String
  private let port: Int
  private var listener: (any Channel)?
  private var connections: [ObjectIdentifier: any Channel] = [:]

  init(at address: String, port: Int, on loop: any EventLoop) {
    self.loop = loop
    self.address = address
    self.port = port
  }

  func play(_ word: String) -> EventLoopFuture<Void> {
    switch word {
    case "accept": return accept()
    case "refuse":
      defer { listener = nil }
      return listener?.close() ?? loop.makeSucceededVoidFuture()
    case "reset":
      for connection in connections.values { connection.reset() }
    default:
      for connection in connections.values { connection.close(promise: nil) }
    }
    return loop.makeSucceededVoidFuture()
  }

  func accept() -> EventLoopFuture<Void> {
    guard listener == nil else { return loop.makeSucceededVoidFuture() }
    let bound = NIOLoopBound(self, eventLoop: loop)
    return ServerBootstrap(group: loop)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try bound.value.welcome(channel) }
      }
      .bind(host: address, port: port)
      .map { bound.value.listener = $0 }
  }

  private func welcome(_ channel: any Channel) throws {
    let identity = ObjectIdentifier(channel)
    connections[identity] = channel
    let bound = NIOLoopBound(self, eventLoop: loop)
    channel.closeFuture.whenComplete { _ in bound.value.connections[identity] = nil }
    try channel.pipeline.syncOperations.addHandlers([
      BackPressureHandler(),
      ByteToMessageHandler(LineDecoder(), maximumBufferSize: LineDecoder.maximumLength),
      LineHandler(),
    ])
  }

  func end() -> EventLoopFuture<Void> {
    for connection in connections.values { connection.close(promise: nil) }
    return play("refuse")
  }
}

/// Lines of text, without their ends.
private struct LineDecoder: NIOSingleStepByteToMessageDecoder {
  typealias InboundOut = String

  /// How many bytes a line may have.
  static let maximumLength = 65_536

  func decode(buffer: inout ByteBuffer) -> String? {
    guard let end = buffer.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let line = buffer.readString(length: end - buffer.readerIndex)
    buffer.moveReaderIndex(forwardBy: 1)
    return line
  }

  func decodeLast(buffer: inout ByteBuffer, seenEOF: Bool) -> String? {
    decode(buffer: &buffer)
  }
}

/// The calls of one connection.
private final class LineHandler: ChannelInboundHandler {
  typealias InboundIn = String

  private var calls: [String: Call] = [:]

  private struct Call {
    /// How long it takes from the whole request to the end; nil where it never ends.
    var takes: TimeAmount?
    var messages: RepeatedTask?
    var end: Scheduled<Void>?

    func stop() {
      messages?.cancel()
      end?.cancel()
    }
  }

  /// How many calls a connection carries at the same time; one with more is closed.
  private static let maximumCallCount = 65_536

  /// How often a stream has a message.
  private static let rhythm = TimeAmount.milliseconds(200)

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let words = unwrapInboundIn(data).split(separator: " ").map(String.init)
    switch words.first {
    case "start" where words.count == 4:
      start(words[1], kind: words[2], takes: Int64(words[3]), on: context.channel)
    case "finish" where words.count == 2: requestIsWhole(words[1], on: context.channel)
    case "cancel" where words.count == 2: calls.removeValue(forKey: words[1])?.stop()
    // A message is read, and nothing follows from it.
    default: break
    }
  }

  private func start(_ id: String, kind: String, takes: Int64?, on channel: any Channel) {
    guard calls[id] != nil || calls.count < Self.maximumCallCount else {
      return channel.close(promise: nil)
    }
    calls[id]?.stop()
    calls[id] = Call(takes: takes.map(TimeAmount.microseconds))
    let sendsMany = kind == "bidi" || kind == "streaming"
    if sendsMany { stream(id, on: channel) }
    let isWhole = kind == "unary" || kind == "streaming"
    if isWhole { requestIsWhole(id, on: channel) }
  }

  private func stream(_ id: String, on channel: any Channel) {
    calls[id]?.messages = channel.eventLoop.scheduleRepeatedTask(
      initialDelay: Self.rhythm, delay: Self.rhythm
    ) { _ in
      // A message that finds no room is lost: a client that does not read must not fill the memory.
      if channel.isWritable { Self.say("message \(id)", on: channel) }
    }
  }

  private func requestIsWhole(_ id: String, on channel: any Channel) {
    guard let call = calls[id], call.end == nil, let takes = call.takes else { return }
    let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
    calls[id]?.end = channel.eventLoop.scheduleTask(in: takes) {
      bound.value.calls.removeValue(forKey: id)?.stop()
      Self.say("end \(id)", on: channel)
    }
  }

  private static func say(_ line: String, on channel: any Channel) {
    channel.writeAndFlush(ByteBuffer(string: line + "\n"), promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    for call in calls.values { call.stop() }
    calls = [:]
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
