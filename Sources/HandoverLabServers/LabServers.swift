import HandoverCore
public import HandoverTry
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Synchronization

/// The servers that unmodified programs find in a lab, whatever name or address they call.
///
/// | port | service |
/// |---|---|
/// | 80, 8080 | HTTP/1.1 with persistent connections, and WebSocket |
/// | 443, 8443 | TLS for any host, with HTTP/2, or else with what port 80 serves |
/// | 50051 | HTTP/2 and gRPC without TLS |
/// | 7 | an echo, over TCP and UDP |
/// | 53 | a name server that knows every name; see ``HostNames`` |
///
/// `GET /drip` sends an endless stream with an event every 200 ms, and `GET /poll/N` responds after
/// N seconds. Every other request gets an immediate response. A WebSocket receives a text every
/// second, and an echo of its own messages. Events, texts and responses to polls have numbers.
public final class LabServers: Sendable {
  /// The address of the name server.
  public static let nameServer = "203.0.113.53"

  private static let httpPorts = [80, 8080]
  private static let securePorts = [443, 8443]
  private static let http2Port = 50_051
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
  /// The maximum number of bytes that one connection receives before the others have their turn.
  ///
  /// A connection that floods a server must not delay the others much.
  private static let turnLength = 8_192
  /// The numbers of unsent bytes at which a connection is not read any more, and is read again.
  static let unsentLimits = ChannelOptions.Types.WriteBufferWaterMark(low: 8_192, high: 16_384)

  private let group: MultiThreadedEventLoopGroup
  /// The event loop of all connections.
  private let connectionLoop: any EventLoop
  /// The event loop of names and datagrams, which connections cannot delay.
  private let datagramLoop: any EventLoop
  /// The number of connections.
  ///
  /// Only the loop of connections may access it.
  private let connectionCount: NIOLoopBoundBox<Int>
  /// The result of name lookups.
  ///
  /// Only the loop of datagrams may access it.
  private let names: NIOLoopBoundBox<Names>
  /// The names that were looked up.
  ///
  /// Only the loop of datagrams may access them.
  private let hosts: NIOLoopBoundBox<HostNames>
  private let log = Mutex(ServerLog())
  private let keyLog = Mutex<(@Sendable ([UInt8]) -> Void)?>(nil)
  private let board = MessageBoard()

  /// Starts to serve in the namespace of the calling thread, on all its addresses.
  ///
  /// - Parameters:
  ///   - authority: the issuer of the TLS certificates.
  ///   - taken: the ports of other servers.
  ///   - namesHaveIPv6: whether names also have an IPv6 address.
  /// - Throws: a system error if a server cannot listen.
  public init(
    _ authority: Authority, besides taken: [UInt16] = [], namesHaveIPv6: Bool = true
  ) throws {
    let isFree = { (port: Int) in !taken.contains { Int($0) == port } }
    // A thread starts in the namespace of the thread that creates it.
    group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    (connectionLoop, datagramLoop) = (group.next(), group.next())
    connectionCount = .makeBoxSendingValue(0, eventLoop: connectionLoop)
    names = .makeBoxSendingValue(.found, eventLoop: datagramLoop)
    hosts = .makeBoxSendingValue(
      HostNames(areReachableOverIPv6: namesHaveIPv6), eventLoop: datagramLoop)
    for port in Self.httpPorts.filter(isFree) { try listen(port) { self.http($0) } }
    for port in Self.securePorts.filter(isFree) {
      try listen(port) { channel in
        channel.eventLoop.makeCompletedFuture { try self.secure(channel, authority) }
      }
    }
    if isFree(Self.http2Port) {
      try listen(Self.http2Port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers([
            MessageCounter(self.board.recorder(of: channel)), BackPressureHandler(),
            HTTP2Handler(self.board),
          ])
        }
      }
    }
    if isFree(Self.echoPort) { try echo() }
    guard isFree(Self.namePort) else { return }
    try DatagramService(Self.namePort) { query in
      self.answer(to: Array(query.readableBytesView)).map { ByteBuffer(bytes: $0) }
    }.listen(datagramLoop)
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
    (try? datagramLoop.submit { self.hosts.value.known }.wait()) ?? []
  }

  /// The application data that was sent over TLS.
  public var sentData: ServerLog { log.withLock { $0 } }

  /// The numbered messages that were sent.
  public var sentMessages: MessageLog { board.log }

  /// The first requests to the HTTP servers, each with the monotonic time in microseconds.
  public var requests: [(at: Int64, text: String)] {
    board.requests.map { (Int64($0.at.uptimeNanoseconds / 1_000), $0.text) }
  }

  /// Passes the keys of all later TLS connections to a function, as lines of a key log.
  ///
  /// The function receives the keys of a connection before it carries encrypted data.
  public func logKeys(to log: @escaping @Sendable ([UInt8]) -> Void) {
    keyLog.withLock { $0 = log }
  }

  /// Changes the result of name lookups.
  ///
  /// The change has taken effect when this function returns.
  public func setNames(_ names: Names) {
    // After the event loop has ended, no query gets a response.
    try? datagramLoop.submit { self.names.value = names }.wait()
  }

  private func echo() throws {
    try listen(Self.echoPort) { channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandlers([BackPressureHandler(), EchoHandler()])
      }
    }
    try DatagramService(Self.echoPort) { $0 }.listen(datagramLoop)
  }

  /// Closes every connection and stops the threads.
  public func close() {
    // Everything that cannot be closed ends with its namespace.
    try? group.syncShutdownGracefully()
  }

  private func listen(
    _ port: Int, _ initialise: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
  ) throws {
    let count = connectionCount
    for family in ListeningFamily.allCases {
      _ = try ServerBootstrap(group: connectionLoop)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .serverChannelOption(.backlog, value: 256)
        .serverChannelOption(family.option, value: family.value)
        .childChannelOption(.maxMessagesPerRead, value: 1)
        .childChannelOption(
          .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.turnLength)
        )
        .childChannelOption(.writeBufferWaterMark, value: Self.unsentLimits)
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

  private func http(_ channel: any Channel) -> EventLoopFuture<Void> {
    let board = board
    let upgrader = NIOWebSocketServerUpgrader(
      maxFrameSize: 1 << 20,
      shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(HTTPHeaders()) },
      upgradePipelineHandler: { channel, head in
        channel.eventLoop.makeCompletedFuture {
          let name = MessageBoard.name(of: head)
          board.recordRequest("WebSocket \(name)")
          let handler = WebSocketHandler(board, name)
          try channel.pipeline.syncOperations.addHandler(handler)
        }
      })
    return channel.eventLoop.makeCompletedFuture {
      let handler = HTTPHandler(board)
      let service = NIOLoopBound(handler, eventLoop: channel.eventLoop)
      try channel.pipeline.syncOperations.addHandlers([
        MessageCounter(board.recorder(of: channel)), BackPressureHandler(),
      ])
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

extension LabServers {
  /// Adds TLS to a connection, and after the handshake HTTP/2 or a relay.
  private func secure(_ channel: any Channel, _ authority: Authority) throws {
    guard let server = channel.localAddress,
      let ends = FlowEnds(near: channel.remoteAddress, far: server)
    else { throw ChannelError.unknownLocalAddress }
    let position = log.withLock { $0.open(ends) }
    let handler = TLSHandler(
      try TLSConnection(authority, address: server.hostBytes), board.recorder(of: channel)
    ) { span in
      if let position { self.log.withLock { $0.add(span, to: position) } }
    } logKeys: { keys in
      self.keyLog.withLock { $0 }?(keys)
    } start: { version, channel in
      switch version {
      case .http1: try Relay.start(channel)
      case .http2: try channel.pipeline.syncOperations.addHandler(HTTP2Handler(self.board))
      }
    }
    try channel.pipeline.syncOperations.addHandlers([BackPressureHandler(), handler])
  }
}

extension SocketAddress {
  /// The 4 or 16 bytes of the host's address.
  fileprivate var hostBytes: [UInt8] { ipAddress.flatMap(AddressText.init)?.bytes ?? [] }

  fileprivate var flowEnd: FlowEnd? {
    guard let address = HostAddress(hostBytes), let port = port.map(UInt16.init) else { return nil }
    return FlowEnd(address: address, port: port)
  }
}

extension FlowEnds {
  /// Returns the endpoints of a connection, or `nil` if one of them is unknown.
  init?(near: SocketAddress?, far: SocketAddress?) {
    guard let local = near?.flowEnd, let remote = far?.flowEnd else { return nil }
    self.init(local: local, remote: remote)
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
