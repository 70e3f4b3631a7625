import NIOCore
import NIOHTTP1

/// Responds to HTTP/1.1 requests, one after the other.
final class HTTPHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// The interval between the events of a stream.
  static let period = TimeAmount.milliseconds(200)
  /// The maximum delay of a response, in seconds.
  private static let longestPoll = 600.0

  /// The service that a path selects.
  enum Service: Equatable {
    /// An endless stream with an event every 200 ms.
    case drip
    /// A response after a number of milliseconds.
    case poll(Int64)
    /// An immediate response.
    case answer

    init(path: String) {
      let parts = path.prefix { $0 != "?" }.split(separator: "/")
      switch parts.first {
      case "drip", "stream": self = .drip
      case "poll":
        let seconds = parts.dropFirst().first.flatMap { Double($0) } ?? 0
        guard seconds.isFinite, seconds > 0 else { fallthrough }
        self = .poll(Int64(min(seconds, HTTPHandler.longestPoll) * 1_000))
      default: self = .answer
      }
    }
  }

  private let board: MessageBoard
  private var head: HTTPRequestHead?
  private var ticker: MessageTicker?
  private var polling: Scheduled<Void>?
  private var count = 0

  init(_ board: MessageBoard) {
    self.board = board
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch Self.unwrapInboundIn(data) {
    case .head(let head): self.head = head
    case .body: break
    case .end:
      guard let head else { return }
      self.head = nil
      if Self.stopsParser(head) { renewParser(context) }
      serve(head, context)
    }
  }

  /// Returns whether the parser ignores everything after a request, because it expects another
  /// protocol.
  private static func stopsParser(_ head: HTTPRequestHead) -> Bool {
    head.headers.contains(name: "Upgrade")
      && head.headers[canonicalForm: "Connection"].contains { $0.lowercased() == "upgrade" }
  }

  /// Replaces the parser after a request for a protocol that the server does not support.
  ///
  /// For example, the client of the Java library offers HTTP/2 in its first request, and sends
  /// further requests on the connection if the server ignores the offer. The client waits for the
  /// response first, because it does not know the protocol before.
  private func renewParser(_ context: ChannelHandlerContext) {
    typealias Parser = ByteToMessageHandler<HTTPRequestDecoder>
    let pipeline = context.pipeline.syncOperations
    guard let old = try? pipeline.handler(type: Parser.self) else { return }
    let new = Parser(HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes))
    do {
      try pipeline.addHandler(new, position: .after(old))
      pipeline.removeHandler(old, promise: nil)
    } catch {
      context.close(promise: nil)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    stop()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { stop() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  private func stop() {
    ticker?.stop()
    ticker = nil
    polling?.cancel()
  }

  private func serve(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    board.recordRequest("\(head.method.rawValue) \(MessageBoard.name(of: head))")
    switch Service(path: head.uri) {
    case .drip where head.method != .HEAD: drip(head, context)
    case .poll(let milliseconds):
      let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      polling = context.eventLoop.scheduleTask(in: .milliseconds(milliseconds)) {
        let (handler, context) = bound.value
        let (number, topic) = handler.board.answer(MessageBoard.name(of: head))
        handler.answer(head, number, context)
        guard let topic else { return }
        context.triggerUserOutboundEvent(ServiceNote.sent(number, topic: topic), promise: nil)
      }
    case .drip, .answer:
      count += 1
      answer(head, count, context)
    }
  }

  private func answer(_ head: HTTPRequestHead, _ number: Int, _ context: ChannelHandlerContext) {
    let body = ByteBuffer(string: "{\"ok\":true,\"n\":\(number)}\n")
    var headers = HTTPHeaders()
    headers.add(name: "Content-Type", value: "application/json")
    headers.add(name: "Content-Length", value: String(body.readableBytes))
    if !head.isKeepAlive { headers.add(name: "Connection", value: "close") }
    write(.head(.init(version: head.version, status: .ok, headers: headers)), context)
    if head.method != .HEAD { write(.body(.byteBuffer(body)), context) }
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    context.writeAndFlush(Self.wrapOutboundOut(.end(nil))).whenComplete { _ in
      if !head.isKeepAlive { bound.value.close(promise: nil) }
    }
  }

  private func drip(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let headers: HTTPHeaders = ["Content-Type": "text/event-stream", "Cache-Control": "no-store"]
    write(.head(.init(version: head.version, status: .ok, headers: headers)), context)
    stop()
    let received = head.headers.first(name: "Last-Event-ID").flatMap { Int($0) }
    let ticker = MessageTicker(
      board.subscribe(to: MessageBoard.name(of: head), each: Self.period, after: received),
      isReady: { context.channel.isWritable },
      send: { self.writeAndFlush(Self.event($0), context) },
      note: { context.triggerUserOutboundEvent($0, promise: nil) })
    self.ticker = ticker
    ticker.start(on: context.eventLoop) { self.writeAndFlush(Self.greeting, context) }
  }

  /// Returns an event with a number, in the format of server-sent events.
  static func event(_ number: Int) -> ByteBuffer {
    ByteBuffer(string: "id: \(number)\ndata: \(number)\n\n")
  }

  /// A comment that tells a client immediately that it is subscribed.
  static let greeting = ByteBuffer(string: ": welcome\n\n")

  private func writeAndFlush(_ body: ByteBuffer, _ context: ChannelHandlerContext) {
    write(.body(.byteBuffer(body)), context)
    context.flush()
  }

  private func write(_ part: HTTPServerResponsePart, _ context: ChannelHandlerContext) {
    context.write(Self.wrapOutboundOut(part), promise: nil)
  }
}
