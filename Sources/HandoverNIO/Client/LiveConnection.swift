import HandoverBackend
import HandoverCore
import NIOCore
import NIOPosix

/// A connection of the client, from the lookup of its host's name to its end.
final class LiveConnection {
  /// The phase of a connection.
  enum Phase: Hashable {
    /// The name lookup is in progress.
    case resolving
    /// The TCP connection is being established.
    case connecting
    /// The server has not sent its handshake yet (B4).
    case handshaking
    /// The client may use the connection.
    case established
    /// The connection is lost; the client was notified or will be.
    case over
  }

  let id: ConnectionID
  let host: Int
  /// The path that the connection uses, or `nil` if there was none.
  var path: PathIndex?
  var phase = Phase.resolving
  var channel: (any Channel)?
  /// The answer of the name server that is under way.
  var nameAnswer: Scheduled<Void>?
  /// The entry that last changed the addresses of the name before its lookup, or `nil`.
  var answerCause: UInt32?
  /// The race between the addresses of the host, or `nil` if the host has only one.
  var race: LiveRace?
  /// The index of the connected address among those of the host, or `nil` if the host has none.
  var address: Int?
  var failure: ConnectionFailure?
  /// Whether the connection has stalled, as far as events have reported.
  var isStalled = false
  /// Whether all routers have lost the state of the flow, so that the connection stays stalled.
  var isForgotten = false

  init(_ id: ConnectionID, host: Int, path: PathIndex?) {
    self.id = id
    self.host = host
    self.path = path
  }

  /// The local port, which identifies the connection in the kernel, or `nil` before it is
  /// connected.
  var localPort: UInt16? { channel?.localAddress?.port.map { UInt16(truncatingIfNeeded: $0) } }
  /// The TCP connection as the kernel lists it, or `nil` before it has a path and a local port.
  var flow: LiveFlow? {
    guard let localPort, let path else { return nil }
    return LiveFlow(localPort: localPort, host: host, path: path)
  }
  /// Whether TCP is connected.
  var isConnected: Bool { phase == .handshaking || phase == .established }
}

// Attempts, received frames and losses.
extension LiveClient {
  func beginAttempt(_ id: ConnectionID, host: Int) {
    let path = route(to: host)
    let connection = LiveConnection(id, host: host, path: path)
    while connections.count <= id.index { connections.append(nil) }
    connections[Int(id.index)] = connection
    note(.attemptBegan(id, host: UInt32(host), path))
    applyFaults(of: host)
    guard path != nil else {
      // The kernel would report the same error, but it needs an address, and without a network no
      // name can be resolved.
      lose(connection, .networkUnreachable)
      return
    }
    resolve(connection)
  }

  /// Resolves the name; without a name server, the script determines the result and its time.
  func resolve(_ connection: LiveConnection) {
    connection.nameAnswer?.cancel()
    var fault = names[connection.host]
    var time = Interval.zero
    if fault == .resolve, let path = route(to: connection.host) {
      fault = script.nameFault(of: connection.host, on: path) ?? .resolve
      time = script.lookupTime(of: connection.host, on: path)
    }
    switch fault {
    case .resolve:
      connection.answerCause = answerCauses[connection.host]
      guard time > .zero else { return connect(connection) }
      let boundClient = NIOLoopBound(self, eventLoop: loop)
      let bound = NIOLoopBound(connection, eventLoop: loop)
      connection.nameAnswer = loop.scheduleTask(in: TimeAmount(time)) {
        guard bound.value.phase == .resolving else { return }
        boundClient.value.connect(bound.value)
      }
    case .fail: lose(connection, .nameResolutionFailed)
    case .hang: break
    }
  }

  /// Changes the addresses that lookups of a host's name return from now on.
  func changeAnswer(of host: Int, cause: UInt32) {
    answerCauses[host] = script.answerCause(
      for: host, after: cause, previous: answerCauses[host])
  }

  /// Cancels the answers of name servers, because the device sleeps.
  func loseAnswers() {
    for connection in open { connection.nameAnswer?.cancel() }
  }

  /// Repeats pending name lookups after waking or over the new default route (B12).
  func askAgain() {
    guard script.lookupsDependOnNetwork else { return }
    for connection in open
    where connection.phase == .resolving && route(to: connection.host) != nil {
      resolve(connection)
    }
  }

  /// Connects after the name was resolved; the device may have moved since the lookup began.
  private func connect(_ connection: LiveConnection) {
    guard let path = route(to: connection.host) else {
      return lose(connection, .networkUnreachable)
    }
    if connection.path != path {
      connection.path = path
      note(.attemptMoved(connection.id, path))
    }
    connection.phase = .connecting
    applyFaults(on: path)
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

  /// Creates the bootstrap for the sockets of a connection.
  func bootstrap(for connection: LiveConnection) -> ClientBootstrap {
    let boundClient = NIOLoopBound(self, eventLoop: loop)
    let bound = NIOLoopBound(connection, eventLoop: loop)
    let bootstrap = ClientBootstrap(group: loop)
      // The client enforces its own time limit for attempts.
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
    let name = NIOBSDSocket.Option(rawValue: 18)  // TCP_USER_TIMEOUT
    return bootstrap.channelOption(
      ChannelOptions.Types.SocketOption(level: .tcp, name: name), value: limit)
  }

  /// TCP_USER_TIMEOUT in milliseconds, or `nil` to use the kernel's number of retransmissions.
  private var userTimeout: Int? {
    let limit = script.configuration.tcpTimeout
    guard limit != RunConfiguration().tcpTimeout, !RealTime.countedTimeouts.contains(limit)
    else { return nil }
    return Int(limit.microseconds / 1_000)
  }

  // MARK: Received frames

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

  /// Delivers an event of a call that was read from a connection.
  ///
  /// If the call has already ended, only the connection's keepalive counts these bytes.
  private func read(
    _ event: ChannelPool.Event, of index: UInt32, on connection: LiveConnection
  ) {
    let isLate = script.mayPing && hasEnded(index)
    deliver(.pool(event))
    if isLate { deliver(.pool(.dataReceived(connection.id))) }
  }

  // MARK: Losses

  /// Ends a connection with a failure, and notifies the client unless the client has closed it.
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

  // MARK: Events of the server

  func serverRead(_ read: ServerRead) {
    switch read {
    case .request(let host, let call, let port):
      recordReadConnection(to: host, from: port)
      note(.serverReadRequest(host: UInt32(host), call: call))
    case .message(let host, let call, let port):
      recordReadConnection(to: host, from: port)
      note(.serverReadMessages(host: UInt32(host), call: call, count: 1))
    }
  }

  /// Records the connection from which the server has read, which is identified by its port.
  ///
  /// If a router has translated the port, the connection cannot be identified.
  private func recordReadConnection(to host: Int, from port: UInt16?) {
    guard script.configuration.recordsConnections, let port,
      let connection = open.first(where: { $0.host == host && $0.localPort == port })
    else { return }
    note(.cameOver(connection.id))
  }
}

/// The last handler in the pipeline, which passes received frames to the client.
private final class ClientHandler: ChannelInboundHandler {
  typealias InboundIn = Frame
  private let connection: LiveConnection
  private let client: LiveClient

  init(_ connection: LiveConnection, of client: LiveClient) {
    self.connection = connection
    self.client = client
  }

  /// Returns whether the socket won the race and belongs to the connection.
  private func belongsToConnection(_ context: ChannelHandlerContext) -> Bool {
    connection.channel === context.channel
  }

  func channelActive(context: ChannelHandlerContext) {
    if connection.channel == nil { connection.channel = context.channel }
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if belongsToConnection(context) { client.read(unwrapInboundIn(data), on: connection) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if belongsToConnection(context) { connection.failure = ConnectionFailure(established: error) }
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    guard belongsToConnection(context) else { return }
    client.lose(connection, connection.failure ?? .closed)
  }
}

extension ConnectionFailure {
  /// Creates the failure of a connection attempt from an error.
  init(connecting error: any Error) {
    switch Self.number(error) {
    case ECONNREFUSED: self = .refused
    case ETIMEDOUT: self = .connectTimedOut
    case ECONNRESET: self = .reset
    case ECONNABORTED: self = .aborted
    default: self = .networkUnreachable
    }
  }

  /// Creates the failure of an established connection from an error.
  init(established error: any Error) {
    switch Self.number(error) {
    case ECONNABORTED: self = .aborted
    case ECONNRESET, EPIPE: self = .reset
    // The kernel reports its last soft error, if there was one, when it gives up.
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
