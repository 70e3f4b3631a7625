import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// The servers that unmodified programs find in a lab, whatever name or address they call.
///
/// | port | service |
/// |---|---|
/// | 80, 8080 | HTTP/1.1 with persistent connections, and WebSocket |
/// | 7 | an echo, over TCP and UDP |
/// | 53 | a name server that knows every name; see ``HostNames`` |
///
/// `GET /drip` sends an endless stream with an event every 200 ms, and `GET /poll/N` responds after
/// N seconds. Every other request gets an immediate response. A WebSocket receives a text every
/// second, and an echo of its own messages.
public final class LabServers: Sendable {
  /// The address of the name server.
  public static let nameServer = "203.0.113.53"

  private static let httpPorts = [80, 8080]
  private static let echoPort = 7
  private static let namePort = 53

  /// The result of name lookups.
  public enum Names: Hashable, Sendable {
    /// Every name exists.
    case found
    /// The name server reports a failure.
    case failing
    /// Queries get no response.
    case silent
  }

  /// The maximum number of concurrent connections.
  ///
  /// Further connections are closed.
  private static let maximumConnectionCount = 4_096

  private let group: MultiThreadedEventLoopGroup
  /// The number of connections.
  ///
  /// Only the event loop may access it.
  private let connectionCount: NIOLoopBoundBox<Int>
  /// The result of name lookups.
  ///
  /// Only the event loop may access it.
  private let names: NIOLoopBoundBox<Names>
  /// The names that were looked up.
  ///
  /// Only the event loop may access them.
  private let hosts: NIOLoopBoundBox<HostNames>

  /// Starts to serve in the namespace of the calling thread, on all its addresses.
  ///
  /// - Parameters:
  ///   - taken: the ports of other servers.
  ///   - namesHaveIPv6: whether names also have an IPv6 address.
  /// - Throws: a system error if a server cannot listen.
  public init(besides taken: [UInt16] = [], namesHaveIPv6: Bool = true) throws {
    let isFree = { (port: Int) in !taken.contains { Int($0) == port } }
    // A thread starts in the namespace of the thread that creates it.
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    names = .makeBoxSendingValue(.found, eventLoop: group.next())
    connectionCount = .makeBoxSendingValue(0, eventLoop: group.next())
    hosts = .makeBoxSendingValue(HostNames(haveIPv6: namesHaveIPv6), eventLoop: group.next())
    for port in Self.httpPorts.filter(isFree) { try listen(port, Self.http) }
    if isFree(Self.echoPort) { try echo() }
    guard isFree(Self.namePort) else { return }
    try DatagramService(Self.namePort) { query in
      self.answer(to: Array(query.readableBytesView)).map { ByteBuffer(bytes: $0) }
    }.listen(group.next())
  }

  private func answer(to query: [UInt8]) -> [UInt8]? {
    NameAnswer.reply(to: query, from: "", longest: NameServer.longestDatagram) { question in
      switch names.value {
      case .found: .addresses(hosts.value.addresses(of: question))
      case .failing: .failure
      case .silent: .silence
      }
    }
  }

  /// The names that were looked up, in the order of their first lookup.
  ///
  /// Empty after ``close()``.
  public var knownNames: [HostNames.Host] {
    (try? group.next().submit { self.hosts.value.known }.wait()) ?? []
  }

  /// Changes the result of name lookups.
  ///
  /// The change has taken effect when this function returns.
  public func setNames(_ names: Names) {
    // After the event loop has ended, no query gets a response.
    try? group.next().submit { self.names.value = names }.wait()
  }

  private func echo() throws {
    try listen(Self.echoPort) { channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandlers([BackPressureHandler(), EchoHandler()])
      }
    }
    try DatagramService(Self.echoPort) { $0 }.listen(group.next())
  }

  /// Closes every connection and stops the thread.
  public func close() {
    // Everything that cannot be closed ends with its namespace.
    try? group.syncShutdownGracefully()
  }

  private func listen(
    _ port: Int, _ initialise: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
  ) throws {
    let count = connectionCount
    for family in ListeningFamily.allCases {
      _ = try ServerBootstrap(group: group)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .serverChannelOption(.backlog, value: 256)
        .serverChannelOption(family.option, value: family.value)
        .childChannelInitializer { channel in
          guard count.value < Self.maximumConnectionCount else {
            return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
          }
          count.value += 1
          channel.closeFuture.whenComplete { _ in count.value -= 1 }
          return initialise(channel)
        }
        .bind(host: family.everyAddress, port: port).wait()
    }
  }

  @Sendable private static func http(_ channel: any Channel) -> EventLoopFuture<Void> {
    let upgrader = NIOWebSocketServerUpgrader(
      maxFrameSize: 1 << 20,
      shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(HTTPHeaders()) },
      upgradePipelineHandler: { channel, _ in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(WebSocketHandler())
        }
      })
    return channel.eventLoop.makeCompletedFuture {
      let handler = HTTPHandler()
      let service = NIOLoopBound(handler, eventLoop: channel.eventLoop)
      try channel.pipeline.syncOperations.addHandler(BackPressureHandler())
      try channel.pipeline.syncOperations.configureHTTPServerPipeline(
        withServerUpgrade: (
          upgraders: [upgrader],
          completionHandler: { context in
            context.pipeline.syncOperations.removeHandler(service.value, promise: nil)
          }
        ), withErrorHandling: true)
      try channel.pipeline.syncOperations.addHandler(handler)
    }
  }
}

/// Echoes all received data.
private final class EchoHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    context.writeAndFlush(data, promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
