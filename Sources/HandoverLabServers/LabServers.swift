import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// The servers that unmodified programs find in a lab, whatever name or address they call.
///
/// | port | what answers |
/// |---|---|
/// | 80, 8080 | HTTP/1.1 with connections that stay open, and WebSocket |
/// | 7 | an echo, over TCP and UDP |
/// | 53 | a name server that knows every name; see ``HostNames`` |
///
/// `GET /drip` sends an event each 200 ms without end, `GET /poll/N` answers after N seconds, every
/// other request is answered at once. A WebSocket gets a text each second, and its own messages
/// back.
public final class LabServers: Sendable {
  /// The address of the name server.
  public static let nameServer = "203.0.113.53"

  private static let httpPorts = [80, 8080]
  private static let echoPort = 7
  private static let namePort = 53

  /// What becomes of look-ups.
  public enum Names: Hashable, Sendable {
    /// Every name is found.
    case found
    /// The name server says that it failed.
    case failing
    /// Nobody answers.
    case silent
  }

  /// How many connections there can be at the same time; the next one is closed.
  private static let maximumConnectionCount = 4_096

  private let group: MultiThreadedEventLoopGroup
  /// How many connections there are; belongs to the one loop there is.
  private let connectionCount: NIOLoopBoundBox<Int>
  /// Belongs to the one loop there is.
  private let names: NIOLoopBoundBox<Names>
  /// Belongs to the one loop there is.
  private let hosts: NIOLoopBoundBox<HostNames>

  /// Begins to serve in the namespace of the calling thread, on every address it has.
  ///
  /// - Parameters:
  ///   - taken: ports that others serve on.
  ///   - namesHaveIPv6: whether names stand for an address of IPv6, too.
  /// - Throws: an error of the system's where something cannot listen.
  public init(besides taken: [UInt16] = [], namesHaveIPv6: Bool = true) throws {
    let isFree = { (port: Int) in !taken.contains { Int($0) == port } }
    // A thread begins in the namespace of the one that starts it.
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

  /// The names that were looked up, in the order of their first look-up; none after ``close()``.
  public var knownNames: [HostNames.Host] {
    (try? group.next().submit { self.hosts.value.known }.wait()) ?? []
  }

  /// Lets look-ups end otherwise once this has come back.
  public func setNames(_ names: Names) {
    // A loop that has ended answers nobody any more.
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

  /// Ends every connection and the thread.
  public func close() {
    // What fails to end does so with its namespace.
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

/// Sends everything back.
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
