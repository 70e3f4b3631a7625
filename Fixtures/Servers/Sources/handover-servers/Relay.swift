import NIOCore
import NIOPosix

/// Forwards the bytes of a connection to port 80 of this host, and back.
///
/// Each side is read only while the other is writable, so that little data is buffered here.
final class Relay: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private static let port = 80

  private var far: (any Channel)?
  private var waiting: [ByteBuffer] = []

  func handlerAdded(context: ChannelHandlerContext) {
    let near = context.channel
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    // Before the other connection exists, only data that was already read is buffered.
    near.setOption(.autoRead, value: false).whenFailure { _ in }
    ClientBootstrap(group: context.eventLoop)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(WayBack(near))
        }
      }
      .connect(host: "127.0.0.1", port: Self.port)
      .whenComplete { result in
        switch result {
        case .success(let channel): bound.value.begin(channel, near)
        case .failure: near.close(promise: nil)
        }
      }
  }

  private func begin(_ channel: any Channel, _ near: any Channel) {
    far = channel
    for bytes in waiting { channel.writeAndFlush(bytes, promise: nil) }
    waiting = []
    near.read(whileWritable: channel)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = Self.unwrapInboundIn(data)
    if let far { far.writeAndFlush(bytes, promise: nil) } else { waiting.append(bytes) }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if let far { context.channel.read(whileWritable: far) }
    context.fireChannelReadComplete()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    far?.read(whileWritable: context.channel)
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    far?.close(promise: nil)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}

/// The opposite direction of a relay.
private final class WayBack: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let near: any Channel

  init(_ near: any Channel) {
    self.near = near
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    near.writeAndFlush(Self.unwrapInboundIn(data), promise: nil)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    context.channel.read(whileWritable: near)
    context.fireChannelReadComplete()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    near.read(whileWritable: context.channel)
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    near.close(promise: nil)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}

extension Channel {
  /// Enables automatic reads while another channel is writable.
  fileprivate func read(whileWritable other: any Channel) {
    setOption(.autoRead, value: other.isWritable).whenFailure { _ in }
  }
}
