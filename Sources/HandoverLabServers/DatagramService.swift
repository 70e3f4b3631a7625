import NIOCore
import NIOPosix

/// Responds to datagrams at any address, from the address to which they were sent.
///
/// A socket that listens on every address sends from an address that the kernel chooses, and a
/// client that used another address rejects the response. Therefore each address that receives a
/// datagram gets its own socket.
struct DatagramService: Sendable {
  /// A closure that returns the response to a datagram, or `nil` if there is none.
  typealias Answer = @Sendable (ByteBuffer) -> ByteBuffer?

  /// The maximum number of addresses.
  ///
  /// Further addresses do not respond.
  fileprivate static let maximumAddressCount = 4_096

  private let port: Int
  private let answer: Answer

  /// Creates a service on a port.
  init(_ port: Int, _ answer: @escaping Answer) {
    self.port = port
    self.answer = answer
  }

  /// Starts to listen in the namespace of the calling thread.
  func listen(_ loop: any EventLoop) throws {
    for family in ListeningFamily.allCases {
      _ = try bootstrap(loop, family)
        .channelOption(.receivePacketInfo, value: true)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(
              AnyAddressHandler(answer) { address in
                answering(address, channel.eventLoop, family)
              })
          }
        }
        .bind(host: family.everyAddress, port: port).wait()
    }
  }

  private func bootstrap(_ loop: any EventLoop, _ family: ListeningFamily) -> DatagramBootstrap {
    DatagramBootstrap(group: loop)
      .channelOption(.socketOption(.so_reuseaddr), value: 1)
      .channelOption(family.option, value: family.value)
  }

  /// Creates a socket that responds to the datagrams for one address.
  private func answering(
    _ address: SocketAddress, _ loop: any EventLoop, _ family: ListeningFamily
  ) -> EventLoopFuture<any Channel> {
    bootstrap(loop, family)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            DatagramHandler { query in
              answer(query.data).map { ($0, .zero) }
            })
        }
      }
      .bind(to: address)
  }
}

/// Responds to the datagrams for the single address of its socket.
final class DatagramHandler: ChannelInboundHandler {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>
  typealias OutboundOut = AddressedEnvelope<ByteBuffer>

  /// Returns the response to a datagram and its delay, or `nil` if there is none.
  typealias Answer = (AddressedEnvelope<ByteBuffer>) -> (data: ByteBuffer, delay: TimeAmount)?

  private let answer: Answer
  private let held = HeldAnswers()

  init(_ answer: @escaping Answer) {
    self.answer = answer
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let query = Self.unwrapInboundIn(data)
    // A response that cannot be sent now is lost, as datagrams are.
    guard context.channel.isWritable, let (bytes, delay) = answer(query) else { return }
    let reply = AddressedEnvelope(remoteAddress: query.remoteAddress, data: bytes)
    held.send(Self.wrapOutboundOut(reply), after: delay, in: context)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // The service continues after an error with a single datagram.
  }
}

/// Sends the answers of a handler, each after its delay.
final class HeldAnswers {
  /// The maximum number of held answers; further ones are lost, so that the memory is bounded.
  static let capacity = 1_000

  private var count = 0

  func send(_ answer: NIOAny, after delay: TimeAmount, in context: ChannelHandlerContext) {
    guard delay > .zero else { return context.writeAndFlush(answer, promise: nil) }
    guard count < Self.capacity else { return }
    count += 1
    let bound = NIOLoopBound((self, context, answer), eventLoop: context.eventLoop)
    context.eventLoop.scheduleTask(in: delay) {
      let (answers, context, answer) = bound.value
      answers.count -= 1
      guard context.channel.isActive else { return }
      context.writeAndFlush(answer, promise: nil)
    }
  }
}

/// Handles datagrams for addresses that have no socket yet.
private final class AnyAddressHandler: ChannelInboundHandler {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>

  private let answer: DatagramService.Answer
  private let bind: (SocketAddress) -> EventLoopFuture<any Channel>
  private var channels: [SocketAddress: EventLoopFuture<any Channel>] = [:]

  init(
    _ answer: @escaping DatagramService.Answer,
    bind: @escaping (SocketAddress) -> EventLoopFuture<any Channel>
  ) {
    self.answer = answer
    self.bind = bind
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let query = Self.unwrapInboundIn(data)
    guard var asked = query.metadata?.packetInfo?.destinationAddress,
      let bytes = answer(query.data), let port = context.localAddress?.port
    else { return }
    asked.port = port
    let reply = AddressedEnvelope(remoteAddress: query.remoteAddress, data: bytes)
    channel(of: asked)?.whenSuccess { channel in
      if channel.isWritable { channel.writeAndFlush(reply, promise: nil) }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // The service continues after an error with a single datagram.
  }

  private func channel(of address: SocketAddress) -> EventLoopFuture<any Channel>? {
    if let known = channels[address] { return known }
    guard channels.count < DatagramService.maximumAddressCount else { return nil }
    let channel = bind(address)
    channels[address] = channel
    return channel
  }
}
