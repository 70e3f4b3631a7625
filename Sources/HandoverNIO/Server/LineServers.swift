import NIOCore
import NIOPosix

/// Servers with a line-based text protocol over plain TCP, for clients created from a template.
///
/// A client sends `start CALL KIND TAKES`, `send CALL`, `finish CALL` and `cancel CALL`. A server
/// sends `message CALL` and `end CALL`. `TAKES` is the time in microseconds from the complete
/// request to the end, or `null` if the call never ends. Streams contain a message every 200 ms.
///
/// - Important: All methods must be called on one thread, which blocks until the operation is
///   complete.
public final class LineServers {
  private let group: MultiThreadedEventLoopGroup
  private let hosts: NIOLoopBoundBox<[String: LineServer]>

  /// Creates an instance without any servers.
  public init() {
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    hosts = .makeBoxSendingValue([:], eventLoop: group.next())
  }

  /// The name that the servers report.
  public var name: String { "handover-line-servers" }

  /// The faults that the servers support.
  public var keywords: [String] { ["accept", "refuse", "close", "reset"] }

  /// Starts the server of a host, after a previous server of the same host has ended.
  ///
  /// - Returns: A description of the error, or `nil` if the server is listening.
  public func listen(to host: String, at address: String, port: Int) -> String? {
    onLoop { hosts, loop in
      let server = LineServer(at: address, port: port, on: loop)
      guard let previous = hosts.updateValue(server, forKey: host) else { return server.accept() }
      let bound = NIOLoopBound(server, eventLoop: loop)
      return previous.end().flatMap { bound.value.accept() }
    }
  }

  /// Injects a fault into the server of a host; has no effect if there is no such server.
  ///
  /// - Returns: A description of the error, or `nil` on success.
  public func play(_ fault: String, on host: String) -> String? {
    onLoop { hosts, loop in hosts[host]?.play(fault) ?? loop.makeSucceededVoidFuture() }
  }

  /// Stops all servers.
  public func close() {
    _ = onLoop { hosts, loop in
      let ends = hosts.values.map { $0.end() }
      hosts = [:]
      return .andAllComplete(ends, on: loop)
    }
  }

  /// Runs an operation on the event loop and waits until it is complete.
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

/// The server of one host, which runs on its event loop.
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

  func play(_ fault: String) -> EventLoopFuture<Void> {
    switch fault {
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

/// A decoder for lines of text without their terminators.
private struct LineDecoder: NIOSingleStepByteToMessageDecoder {
  typealias InboundOut = String

  /// The maximum length of a line in bytes.
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

/// The handler for the calls of one connection.
private final class LineHandler: ChannelInboundHandler {
  typealias InboundIn = String

  private var calls: [String: Call] = [:]

  private struct Call {
    /// The time from the complete request to the end, or `nil` if the call never ends.
    var takes: TimeAmount?
    var messages: RepeatedTask?
    var end: Scheduled<Void>?

    func stop() {
      messages?.cancel()
      end?.cancel()
    }
  }

  /// The maximum number of concurrent calls per connection; a connection that exceeds it is closed.
  private static let maximumCallCount = 65_536

  /// The interval between the messages of a stream.
  private static let rhythm = TimeAmount.milliseconds(200)

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let words = unwrapInboundIn(data).split(separator: " ").map(String.init)
    switch words.first {
    case "start" where words.count == 4:
      start(words[1], kind: words[2], takes: Int64(words[3]), on: context.channel)
    case "finish" where words.count == 2: requestIsWhole(words[1], on: context.channel)
    case "cancel" where words.count == 2: calls.removeValue(forKey: words[1])?.stop()
    // Messages are accepted without a response.
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
      // A message is dropped if the buffer is full, because a client that does not read must not
      // exhaust the memory.
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
