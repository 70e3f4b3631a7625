import NIOCore
import NIOWebSocket

/// Sends a text every second, and echoes every message.
final class WebSocketHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private var ticking: RepeatedTask?
  private var count = 0

  func handlerAdded(context: ChannelHandlerContext) {
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    ticking = context.eventLoop.scheduleRepeatedTask(
      initialDelay: .zero, delay: .seconds(1)
    ) { _ in
      let (handler, context) = bound.value
      handler.count += 1
      guard context.channel.isWritable else { return }
      handler.send(.text, ByteBuffer(string: "tick \(handler.count)"), context)
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) { ticking?.cancel() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = Self.unwrapInboundIn(data)
    switch frame.opcode {
    case .text, .binary, .continuation:
      send(frame.opcode, frame.unmaskedData, context, isLast: frame.fin)
    case .ping: send(.pong, frame.unmaskedData, context)
    case .connectionClose:
      ticking?.cancel()
      send(.connectionClose, frame.unmaskedData, context)
      context.close(promise: nil)
    default: break
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    ticking?.cancel()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  private func send(
    _ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext,
    isLast: Bool = true
  ) {
    let frame = WebSocketFrame(fin: isLast, opcode: opcode, data: data)
    context.writeAndFlush(Self.wrapOutboundOut(frame), promise: nil)
  }
}
