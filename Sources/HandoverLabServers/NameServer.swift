import NIOCore
import NIOPosix

/// A question to a name server.
public struct NameQuestion: Hashable, Sendable {
  /// The name, without a dot at its end.
  public var name: String
  /// What is asked for.
  public var kind: Kind
  /// The address from which it is asked, as usually written.
  public var asker: String

  /// What can be asked for.
  public enum Kind: Hashable, Sendable {
    /// Addresses of IPv4.
    case address
    /// Addresses of IPv6.
    case address6
    /// Something that no name in a lab has.
    case other
  }
}

/// The answer to a question.
public enum NameReply: Hashable, Sendable {
  /// The addresses of the kind that was asked for, perhaps none.
  case addresses([[UInt8]])
  /// There is no such name.
  case noSuchName
  /// The look-up fails.
  case failure
  /// Nobody answers.
  case silence
}

/// A name server, over UDP and TCP, that answers as it is told.
public final class NameServer: Sendable {
  /// Answers a question.
  public typealias Answer = @Sendable (NameQuestion) -> NameReply

  private let group: MultiThreadedEventLoopGroup
  private static let port = 53
  /// How long an answer in a datagram may be; one that does not fit is asked for again over TCP
  /// (RFC 1035, 4.2.1).
  static let longestDatagram = 512
  /// How many connections wait to be taken at most.
  private static let backlog: Int32 = 64

  /// Begins to serve in the namespace of the calling thread.
  ///
  /// - Parameters:
  ///   - addresses: where; those that the namespace does not have are left out.
  ///   - answer: answers; it must not block.
  /// - Throws: an error of the system's where it can listen nowhere.
  public init(at addresses: [String], _ answer: @escaping Answer) throws {
    // A thread begins in the namespace of the one that starts it.
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    do {
      for address in addresses { try listen(address, answer) }
    } catch {
      close()
      throw error
    }
  }

  /// Ends it.
  public func close() {
    // What fails to end does so with its namespace.
    try? group.syncShutdownGracefully()
  }

  private func listen(_ address: String, _ answer: @escaping Answer) throws {
    _ = try DatagramBootstrap(group: group)
      .channelOption(.socketOption(.so_reuseaddr), value: 1)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            DatagramHandler { query in
              NameAnswer.reply(
                to: Array(query.data.readableBytesView), from: query.remoteAddress.ipAddress ?? "",
                longest: Self.longestDatagram, answer
              ).map { ByteBuffer(bytes: $0) }
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
}

/// A message of DNS over TCP has its length before it (RFC 1035, 4.2.2).
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

/// Answers questions on a connection, one after the other.
private final class StreamNameHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let answer: NameServer.Answer

  init(_ answer: @escaping NameServer.Answer) {
    self.answer = answer
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let query = Array(Self.unwrapInboundIn(data).readableBytesView)
    let asker = context.remoteAddress?.ipAddress ?? ""
    guard
      let bytes = NameAnswer.reply(to: query, from: asker, longest: Int(UInt16.max), answer)
    else { return }
    var buffer = context.channel.allocator.buffer(capacity: 2 + bytes.count)
    buffer.writeInteger(UInt16(bytes.count))
    buffer.writeBytes(bytes)
    context.writeAndFlush(Self.wrapOutboundOut(buffer), promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
