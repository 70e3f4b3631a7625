import HandoverBackend
import HandoverCore
import HandoverTrace
import NIOCore
import NIOPosix

/// One connection of the client, from the look-up of its host's name to its end.
final class LiveConnection {
  /// How far it has got.
  enum Phase: Hashable {
    /// The name is being looked up.
    case resolving
    /// TCP is being connected.
    case connecting
    /// The server has not said hello (B4).
    case handshaking
    /// The client may use it.
    case established
    /// Lost; the client has been told, or will be.
    case over
  }

  let id: ConnectionID
  let host: Int
  /// The path it was made on; nil where there was none.
  var path: PathIndex?
  var phase = Phase.resolving
  var channel: (any Channel)?
  /// The addresses that are tried for it, where its host has several.
  var race: LiveRace?
  /// The address that it is made to, by its place among those of its host; nil where it has none.
  var address: Int?
  var failure: ConnectionFailure?
  /// Whether nothing passes on it, as far as anybody has told.
  var isStalled = false
  /// Whether nobody on its way knows its flow any more: then it stays so.
  var isForgotten = false

  init(_ id: ConnectionID, host: Int, path: PathIndex?) {
    self.id = id
    self.host = host
    self.path = path
  }

  /// The local port, by which the kernel knows it; nil before it is connected.
  var localPort: UInt16? { channel?.localAddress?.port.map { UInt16(truncatingIfNeeded: $0) } }
  /// Whether TCP is connected.
  var isConnected: Bool { phase == .handshaking || phase == .established }
}

// Attempts, arrivals and losses.
extension LiveClient {
  func beginAttempt(_ id: ConnectionID, host: Int) {
    let path = route(to: host)
    let connection = LiveConnection(id, host: host, path: path)
    while connections.count <= id.index { connections.append(nil) }
    connections[Int(id.index)] = connection
    note(.attemptBegan(id, host: UInt32(host), path))
    meetFaults(of: host)
    guard path != nil else {
      // The kernel says the same; but it is asked for an address, and a name has none without a
      // network.
      lose(connection, .networkUnreachable)
      return
    }
    resolve(connection)
  }

  /// Looks the name up; there is no name server, what becomes of names is played.
  func resolve(_ connection: LiveConnection) {
    var fault = names[connection.host]
    if fault == .resolve, let path = route(to: connection.host) {
      fault = script.nameFault(of: connection.host, on: path) ?? .resolve
    }
    switch fault {
    case .resolve: connect(connection)
    case .fail: lose(connection, .nameResolutionFailed)
    case .hang: break
    }
  }

  /// The device has another way out, and the system asks there for the names that it waits for
  /// (B12).
  func askAgain() {
    guard script.hasNameFaultsOfNetworks else { return }
    for connection in open
    where connection.phase == .resolving && route(to: connection.host) != nil {
      resolve(connection)
    }
  }

  /// The name is known; the device may have moved since it was asked for.
  private func connect(_ connection: LiveConnection) {
    guard let path = route(to: connection.host) else {
      return lose(connection, .networkUnreachable)
    }
    if connection.path != path {
      connection.path = path
      note(.attemptMoved(connection.id, path))
    }
    connection.phase = .connecting
    meetFaults(on: path)
    guard script.hosts[connection.host].addresses.isEmpty else {
      return race(connection, on: path)
    }
    let address = network.address(of: connection.host)
    guard let remote = try? SocketAddress(ipAddress: address.address, port: Int(address.port))
    else { return lose(connection, .nameResolutionFailed) }
    let boundClient = NIOLoopBound(self, eventLoop: loop)
    let bound = NIOLoopBound(connection, eventLoop: loop)
    bootstrap(for: connection).connect(to: remote).whenComplete { result in
      let connection = bound.value
      switch result {
      case .success(let channel):
        connection.channel = channel
        guard connection.phase == .connecting else {
          channel.close(promise: nil)
          return
        }
        connection.phase = .handshaking
      case .failure(let error):
        boundClient.value.lose(connection, ConnectionFailure(connecting: error))
      }
    }
  }

  /// What makes sockets of a connection.
  func bootstrap(for connection: LiveConnection) -> ClientBootstrap {
    let boundClient = NIOLoopBound(self, eventLoop: loop)
    let bound = NIOLoopBound(connection, eventLoop: loop)
    let bootstrap = ClientBootstrap(group: loop)
      // The client has a limit of its own for attempts.
      .connectTimeout(.hours(24))
      .channelInitializer { channel in
        bound.value.race?.add(channel)
        return channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers([
            ByteToMessageHandler(FrameDecoder(), maximumBufferSize: 2 * Frame.maximumLength),
            ClientHandler(bound.value, of: boundClient.value),
          ])
        }
      }
    guard let limit = userTimeout else { return bootstrap }
    return bootstrap.channelOption(
      ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: 18)), value: limit)
  }

  /// TCP_USER_TIMEOUT in milliseconds; nil leaves it to the kernel's count of retransmissions.
  private var userTimeout: Int? {
    let limit = script.configuration.tcpTimeout
    guard limit != RunConfiguration().tcpTimeout, !RealTime.countedTimeouts.contains(limit)
    else { return nil }
    return Int(limit.microseconds / 1_000)
  }

  // MARK: Arrivals

  fileprivate func read(_ frame: Frame, on connection: LiveConnection) {
    switch frame {
    case .hello:
      guard connection.phase == .handshaking || connection.phase == .connecting else { return }
      connection.phase = .established
      if let address = connection.address {
        note(
          .addressAnswered(
            connection.id, host: UInt32(connection.host), address: UInt32(address)))
      }
      deliver(.pool(.connected(connection.id)))
    case .goaway:
      deliver(.pool(.connectionDraining(connection.id)))
    case .message(let index, _):
      if let call = call(at: index) { read(.messageReceived(call), of: index, on: connection) }
    case .end(let index):
      if let call = call(at: index) { read(.streamEnded(call, .ok), of: index, on: connection) }
    case .pong:
      deliver(.pool(.pongReceived(connection.id)))
    case .ping:
      connection.channel?.send([.pong])
    case .request, .finish, .reset:
      break
    }
  }

  /// Reads something of a call.
  ///
  /// If the call has ended, only the keepalive of the connection counts these bytes.
  private func read(
    _ event: ChannelPool.Event, of index: UInt32, on connection: LiveConnection
  ) {
    let isLate = script.mayPing && hasEnded(index)
    deliver(.pool(event))
    if isLate { deliver(.pool(.dataReceived(connection.id))) }
  }

  // MARK: Losses

  /// The connection is lost; the client is told, unless it has closed it.
  func lose(_ connection: LiveConnection, _ failure: ConnectionFailure) {
    guard connection.phase != .over else { return }
    let wasEstablished = connection.phase == .established
    connection.phase = .over
    connection.race?.end()
    connection.channel?.close(promise: nil)
    deliver(
      .pool(
        wasEstablished
          ? .connectionBroken(connection.id, failure) : .connectFailed(connection.id, failure)))
    forget(connection)
  }

  private func forget(_ connection: LiveConnection) {
    if live(connection.id) === connection { connections[Int(connection.id.index)] = nil }
  }

  func closedByClient(_ id: ConnectionID) {
    guard let connection = live(id) else { return }
    connection.phase = .over
    connection.race?.end()
    connection.channel?.close(promise: nil)
    forget(connection)
  }

  // MARK: The server's news

  func serverRead(_ read: ServerRead) {
    switch read {
    case .request(let host, let call, let port):
      noteWay(to: host, from: port)
      note(.serverReadRequest(host: UInt32(host), call: call))
    case .message(let host, let call, let port):
      noteWay(to: host, from: port)
      note(.serverReadMessages(host: UInt32(host), call: call, count: 1))
    }
  }

  /// Tells which connection the server has read from, by the port that it sees; behind a router
  /// that gave it another it stays untold.
  private func noteWay(to host: Int, from port: UInt16?) {
    guard script.configuration.tellsWays, let port,
      let connection = open.first(where: { $0.host == host && $0.localPort == port })
    else { return }
    note(.cameOver(connection.id))
  }
}

/// Hands what arrives to the client; the last one in the pipeline.
private final class ClientHandler: ChannelInboundHandler {
  typealias InboundIn = Frame
  private let connection: LiveConnection
  private let client: LiveClient

  init(_ connection: LiveConnection, of client: LiveClient) {
    self.connection = connection
    self.client = client
  }

  /// Whether the socket is the connection's: of several that were tried one has won.
  private func isOfConnection(_ context: ChannelHandlerContext) -> Bool {
    connection.channel === context.channel
  }

  func channelActive(context: ChannelHandlerContext) {
    if connection.channel == nil { connection.channel = context.channel }
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isOfConnection(context) { client.read(unwrapInboundIn(data), on: connection) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if isOfConnection(context) { connection.failure = ConnectionFailure(established: error) }
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    guard isOfConnection(context) else { return }
    client.lose(connection, connection.failure ?? .closed)
  }
}

extension ConnectionFailure {
  /// Why an attempt to connect failed.
  init(connecting error: any Error) {
    switch Self.number(error) {
    case ECONNREFUSED: self = .refused
    case ETIMEDOUT: self = .connectTimedOut
    case ECONNRESET: self = .reset
    case ECONNABORTED: self = .aborted
    default: self = .networkUnreachable
    }
  }

  /// Why an established connection broke.
  init(established error: any Error) {
    switch Self.number(error) {
    case ECONNABORTED: self = .aborted
    case ECONNRESET, EPIPE: self = .reset
    // The kernel gives up with the last soft error it met, if there was one.
    case ETIMEDOUT, EHOSTUNREACH, ENETUNREACH: self = .timedOut
    default: self = .closed
    }
  }

  private static func number(_ error: any Error) -> CInt? {
    if let error = error as? IOError { return error.errnoCode }
    if let error = error as? NIOConnectionError {
      return error.connectionErrors.lazy.compactMap { number($0.error) }.first
    }
    if let error = error as? ChannelError, case .connectTimeout = error { return ETIMEDOUT }
    return nil
  }
}
