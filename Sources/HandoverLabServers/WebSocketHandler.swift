import NIOCore
import NIOWebSocket

/// Sends a numbered text every second, and echoes every message.
final class WebSocketHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private let board: MessageBoard
  private let name: String
  private var ticker: MessageTicker?

  /// Creates a handler for a client that requested a host and a path.
  init(_ board: MessageBoard, _ name: String) {
    self.board = board
    self.name = name
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let ticker = MessageTicker(
      board.subscribe(to: name, each: .seconds(1)), isReady: { context.channel.isWritable },
      send: { number in self.send(.text, ByteBuffer(string: "tick \(number)"), context) },
      note: { context.triggerUserOutboundEvent($0, promise: nil) })
    self.ticker = ticker
    // The client learns immediately that it is subscribed, although the next tick may be later.
    ticker.start(on: context.eventLoop) { self.send(.text, ByteBuffer(string: "welcome"), context) }
  }

  func handlerRemoved(context: ChannelHandlerContext) { stop() }

  private func stop() {
    ticker?.stop()
    ticker = nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = Self.unwrapInboundIn(data)
    switch frame.opcode {
    case .text, .binary, .continuation:
      send(frame.opcode, frame.unmaskedData, context, isLast: frame.fin)
    case .ping: send(.pong, frame.unmaskedData, context)
    case .connectionClose:
      stop()
      send(.connectionClose, frame.unmaskedData, context)
      context.close(promise: nil)
    default: break
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    stop()
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
