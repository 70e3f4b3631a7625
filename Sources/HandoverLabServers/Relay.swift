import HandoverTry
import NIOCore
import NIOPosix

/// Forwards the bytes of a connection to another one, including the end of its direction.
///
/// A connection is read only while the other one is writable, so that little data is buffered here.
final class Relay: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private static let port = 80

  private var partner: (any Channel)?
  /// Data that arrives before the partner is connected.
  private var waiting: [ByteBuffer] = []
  private var hasEnded = false

  private init(_ partner: (any Channel)?) {
    self.partner = partner
  }

  /// Connects to port 80 of this host, and forwards the bytes of a connection there and back.
  static func start(_ near: any Channel) throws {
    let relay = Relay(nil)
    let server = try SocketAddress(ipAddress: "127.0.0.1", port: port)
    try near.pipeline.syncOperations.addHandler(relay)
    for option in [near.setOption(.allowRemoteHalfClosure, value: true), near.stopReading()] {
      option.whenFailure { _ in near.close(promise: nil) }
    }
    let bound = NIOLoopBound(relay, eventLoop: near.eventLoop)
    ClientBootstrap(group: near.eventLoop)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .channelOption(.maxMessagesPerRead, value: 1)
      .channelOption(.writeBufferWaterMark, value: LabServers.unsentLimits)
      .channelInitializer { far in
        far.eventLoop.makeCompletedFuture {
          try far.pipeline.syncOperations.addHandler(Relay(near))
        }
      }
      // A resolver would answer on another thread, even after the event loop has ended.
      .connect(to: server)
      .whenComplete { result in
        switch result {
        case .success(let far): bound.value.begin(near, far)
        case .failure: near.close(promise: nil)
        }
      }
  }

  private func begin(_ near: any Channel, _ far: any Channel) {
    guard near.isActive else { return far.close(promise: nil) }
    partner = far
    if let ends = FlowEnds(near: far.localAddress, far: far.remoteAddress) {
      near.triggerUserOutboundEvent(ServiceNote.relayed(ends), promise: nil)
    }
    for bytes in waiting { far.writeAndFlush(bytes, promise: nil) }
    waiting = []
    if hasEnded { far.endOutput() }
    near.read(whileWritable: far)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = Self.unwrapInboundIn(data)
    if let partner { partner.writeAndFlush(bytes, promise: nil) } else { waiting.append(bytes) }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if let partner { context.channel.read(whileWritable: partner) }
    context.fireChannelReadComplete()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    partner?.read(whileWritable: context.channel)
    context.fireChannelWritabilityChanged()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event as? ChannelEvent == .inputClosed {
      hasEnded = true
      partner?.endOutput()
    }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    partner?.closeAfterWrites()
    partner = nil
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

  fileprivate func stopReading() -> EventLoopFuture<Void> { setOption(.autoRead, value: false) }

  /// Closes the channel after everything that was written; a slow peer still reads all of it.
  fileprivate func closeAfterWrites() {
    writeAndFlush(ByteBuffer()).whenComplete { _ in self.close(promise: nil) }
  }

  /// Ends this side's direction after everything that was written.
  fileprivate func endOutput() {
    writeAndFlush(ByteBuffer()).whenComplete { _ in self.close(mode: .output, promise: nil) }
  }
}
