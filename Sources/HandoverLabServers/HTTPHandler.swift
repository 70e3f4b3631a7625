import NIOCore
import NIOHTTP1

/// Answers requests of HTTP/1.1, one after the other.
final class HTTPHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// How far apart the events of a stream are.
  private static let period = TimeAmount.milliseconds(200)
  /// How long an answer may be held back, in seconds.
  private static let longestPoll = 600.0

  /// What a path asks for.
  enum Service: Equatable {
    /// An event each 200 ms without end.
    case drip
    /// An answer after some milliseconds.
    case poll(Int64)
    /// An answer at once.
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

  private var head: HTTPRequestHead?
  private var dripping: RepeatedTask?
  private var polling: Scheduled<Void>?
  private var count = 0

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch Self.unwrapInboundIn(data) {
    case .head(let head): self.head = head
    case .body: break
    case .end:
      guard let head else { return }
      self.head = nil
      serve(head, context)
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
    dripping?.cancel()
    polling?.cancel()
  }

  private func serve(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    switch Service(path: head.uri) {
    case .drip: drip(head, context)
    case .poll(let milliseconds):
      let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      polling = context.eventLoop.scheduleTask(in: .milliseconds(milliseconds)) {
        let (handler, context) = bound.value
        handler.answer(head, context)
      }
    case .answer: answer(head, context)
    }
  }

  private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    count += 1
    let body = ByteBuffer(string: "{\"ok\":true,\"n\":\(count)}\n")
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
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    dripping = context.eventLoop.scheduleRepeatedTask(
      initialDelay: .zero, delay: Self.period
    ) { _ in
      let (handler, context) = bound.value
      handler.count += 1
      let event = ByteBuffer(string: "data: \(handler.count)\n\n")
      // What cannot be sent now is not kept: a dead path must not fill the memory.
      guard context.channel.isWritable else { return }
      handler.write(.body(.byteBuffer(event)), context)
      context.flush()
    }
  }

  private func write(_ part: HTTPServerResponsePart, _ context: ChannelHandlerContext) {
    context.write(Self.wrapOutboundOut(part), promise: nil)
  }
}
