import NIOCore
import NIOHPACK
import NIOHTTP2

/// Answers a stream of HTTP/2: `/drip`, `/poll/N`, an echo for gRPC, and immediate answers for the
/// rest.
///
/// The echo returns gRPC messages unchanged, so that it works for unary and streaming calls of any
/// type.
final class StreamHandler: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame.FramePayload
  typealias OutboundOut = HTTP2Frame.FramePayload

  private static let period = TimeAmount.milliseconds(200)

  private var isEcho = false
  private var dripping: RepeatedTask?
  private var answering: Scheduled<Void>?
  private var count = 0

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch Self.unwrapInboundIn(data) {
    case .headers(let headers):
      begin(headers.headers, context)
      if headers.endStream { end(context) }
    case .data(let data):
      guard isEcho else { return }
      if case .byteBuffer(let bytes) = data.data { send(bytes, context) }
      if data.endStream { end(context) }
    default: break
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    stop()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    stop()
    context.close(promise: nil)
  }

  private func stop() {
    dripping?.cancel()
    answering?.cancel()
  }

  private func begin(_ request: HPACKHeaders, _ context: ChannelHandlerContext) {
    let type = request.first(name: "content-type") ?? ""
    isEcho = type.hasPrefix("application/grpc")
    let parts = (request.first(name: ":path") ?? "/").prefix { $0 != "?" }.split(separator: "/")
    if isEcho {
      head(type, context)
    } else if parts.first == "drip" || parts.first == "stream" {
      head("text/event-stream", context)
      drip(context)
    } else if parts.first == "poll", let seconds = parts.dropFirst().first.flatMap({ Double($0) }),
      (0...600).contains(seconds)
    {
      answer(after: .milliseconds(Int64(seconds * 1_000)), context)
    } else {
      answer(after: .zero, context)
    }
  }

  private func head(_ type: String, _ context: ChannelHandlerContext) {
    let headers: HPACKHeaders = [":status": "200", "content-type": type]
    context.writeAndFlush(Self.wrapOutboundOut(.headers(.init(headers: headers))), promise: nil)
  }

  private func drip(_ context: ChannelHandlerContext) {
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    dripping = context.eventLoop.scheduleRepeatedTask(
      initialDelay: .zero, delay: Self.period
    ) { _ in
      let (handler, context) = bound.value
      handler.count += 1
      guard context.channel.isWritable else { return }
      handler.send(ByteBuffer(string: "data: \(handler.count)\n\n"), context)
    }
  }

  private func answer(after delay: TimeAmount, _ context: ChannelHandlerContext) {
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    answering = context.eventLoop.scheduleTask(in: delay) {
      let (handler, context) = bound.value
      handler.head("application/json", context)
      handler.send(ByteBuffer(string: "{\"ok\":true}\n"), context, isLast: true)
    }
  }

  private func send(
    _ bytes: ByteBuffer, _ context: ChannelHandlerContext, isLast: Bool = false
  ) {
    let data = HTTP2Frame.FramePayload.Data(data: .byteBuffer(bytes), endStream: isLast)
    context.writeAndFlush(Self.wrapOutboundOut(.data(data)), promise: nil)
  }

  /// Ends an echo when the client ends its data.
  private func end(_ context: ChannelHandlerContext) {
    guard isEcho else { return }
    let trailers: HPACKHeaders = ["grpc-status": "0"]
    context.writeAndFlush(
      Self.wrapOutboundOut(.headers(.init(headers: trailers, endStream: true))), promise: nil)
  }
}
