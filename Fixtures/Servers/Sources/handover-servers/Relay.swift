import NIOCore
import NIOPosix

/// Passes the bytes of a connection on to port 80 of this host, and back.
final class Relay: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private static let port = 80

  private var far: (any Channel)?
  private var waiting: [ByteBuffer] = []

  func handlerAdded(context: ChannelHandlerContext) {
    let near = context.channel
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    ClientBootstrap(group: context.eventLoop)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(WayBack(near))
        }
      }
      .connect(host: "127.0.0.1", port: Self.port)
      .whenComplete { result in
        switch result {
        case .success(let channel): bound.value.begin(channel)
        case .failure: near.close(promise: nil)
        }
      }
  }

  private func begin(_ channel: any Channel) {
    far = channel
    for bytes in waiting { channel.writeAndFlush(bytes, promise: nil) }
    waiting = []
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = Self.unwrapInboundIn(data)
    if let far { far.writeAndFlush(bytes, promise: nil) } else { waiting.append(bytes) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    far?.close(promise: nil)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}

/// What comes back.
private final class WayBack: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let near: any Channel

  init(_ near: any Channel) {
    self.near = near
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    near.writeAndFlush(Self.unwrapInboundIn(data), promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    near.close(promise: nil)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
