import NIOCore
import NIOPosix

/// A query to a name server.
public struct NameQuestion: Hashable, Sendable {
  /// The name, without a trailing dot.
  public var name: String
  /// The requested record type.
  public var kind: Kind
  /// The client's address in text form.
  public var client: String

  /// A record type.
  public enum Kind: Hashable, Sendable {
    /// IPv4 addresses.
    case address
    /// IPv6 addresses.
    case address6
    /// A type for which no name in a lab has records.
    case other
  }
}

/// The answer to a query.
public enum NameReply: Hashable, Sendable {
  /// The addresses of the requested type, which may be empty.
  case addresses([[UInt8]])
  /// The name does not exist.
  case noSuchName
  /// The lookup fails.
  case failure
  /// The query gets no answer.
  case silence
}

/// A name server over UDP and TCP, which gets its answers from a closure.
public final class NameServer: Sendable {
  /// A closure that answers a query, after a delay.
  public typealias Answer = @Sendable (NameQuestion) -> (reply: NameReply, delay: Duration)

  private let group: MultiThreadedEventLoopGroup
  private static let port = 53
  /// The maximum length of an answer in a datagram.
  ///
  /// A client repeats its query over TCP if the answer does not fit (RFC 1035, 4.2.1).
  static let longestDatagram = 512
  /// The maximum number of connections that wait to be accepted.
  private static let backlog: Int32 = 64

  /// Starts to serve in the namespace of the calling thread.
  ///
  /// - Parameters:
  ///   - addresses: the addresses to listen at. Addresses that the namespace does not have are
  ///     skipped.
  ///   - answer: answers queries; it must not block.
  /// - Throws: a system error if the server cannot listen at any address.
  public init(at addresses: [String], _ answer: @escaping Answer) throws {
    // A thread starts in the namespace of the thread that creates it.
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    do {
      for address in addresses { try listen(address, answer) }
    } catch {
      close()
      throw error
    }
  }

  /// Stops the name server.
  public func close() {
    // Everything that cannot be closed ends with its namespace.
    try? group.syncShutdownGracefully()
  }

  private func listen(_ address: String, _ answer: @escaping Answer) throws {
    _ = try DatagramBootstrap(group: group)
      .channelOption(.socketOption(.so_reuseaddr), value: 1)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            DatagramHandler { query in
              Self.reply(
                to: query.data, from: query.remoteAddress, longest: Self.longestDatagram, answer)
            })
        }
      }
      .bind(host: address, port: Self.port).wait()
    _ = try ServerBootstrap(group: group)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelOption(.backlog, value: Self.backlog)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers([
            BackPressureHandler(), ByteToMessageHandler(NameMessageDecoder()),
            StreamNameHandler(answer),
          ])
        }
      }
      .bind(host: address, port: Self.port).wait()
  }

  /// Returns the answer to a query and its delay, or `nil` if there is none.
  fileprivate static func reply(
    to query: ByteBuffer, from client: SocketAddress?, longest: Int, _ answer: Answer
  ) -> (data: ByteBuffer, delay: TimeAmount)? {
    var delay = Duration.zero
    let bytes = NameAnswer.reply(
      to: Array(query.readableBytesView), from: client?.ipAddress ?? "", longest: longest
    ) { question in
      let answer = answer(question)
      delay = answer.delay
      return answer.reply
    }
    return bytes.map { (ByteBuffer(bytes: $0), TimeAmount(delay)) }
  }
}

/// Decodes DNS messages over TCP, which have a length prefix (RFC 1035, 4.2.2).
struct NameMessageDecoder: ByteToMessageDecoder {
  typealias InboundOut = ByteBuffer

  mutating func decode(
    context: ChannelHandlerContext, buffer: inout ByteBuffer
  ) -> DecodingState {
    guard let message = buffer.readLengthPrefixedSlice(as: UInt16.self) else {
      return .needMoreData
    }
    context.fireChannelRead(Self.wrapInboundOut(message))
    return .continue
  }
}

/// Answers the queries of a connection, one after the other.
private final class StreamNameHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let answer: NameServer.Answer
  private let held = HeldAnswers()

  init(_ answer: @escaping NameServer.Answer) {
    self.answer = answer
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard
      let (message, delay) = NameServer.reply(
        to: Self.unwrapInboundIn(data), from: context.remoteAddress, longest: Int(UInt16.max),
        answer)
    else { return }
    var buffer = context.channel.allocator.buffer(capacity: 2 + message.readableBytes)
    buffer.writeInteger(UInt16(message.readableBytes))
    buffer.writeImmutableBuffer(message)
    held.send(Self.wrapOutboundOut(buffer), after: delay, in: context)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
