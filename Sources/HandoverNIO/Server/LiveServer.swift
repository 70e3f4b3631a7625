import HandoverBackend
import HandoverCore
import NIOCore
import NIOPosix

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Something that a server has read, identified by indices in the script.
enum ServerRead: Hashable, Sendable {
  case request(host: Int, call: UInt32, from: UInt16?)
  case message(host: Int, call: UInt32, from: UInt16?)
}

/// The server of one host: it listens, answers as each request specifies, and executes commands.
///
/// It runs on its event loop and must only be accessed there.
final class LiveServer {
  private let loop: any EventLoop
  private let host: Int
  /// The addresses that the server listens on.
  private let addresses: [LiveAddress]
  private let connectDelay: Interval
  private let report: @Sendable (ServerRead) -> Void
  private var fault: ServerFault
  private var listeners: [any Channel] = []
  private var connections: [ObjectIdentifier: ServerConnection] = [:]
  private var order: [ObjectIdentifier] = []

  /// Creates the server of a host.
  ///
  /// - Parameters:
  ///   - host: The index of the host in the script.
  ///   - script: The host as declared in the script.
  ///   - addresses: The addresses to listen on.
  ///   - connectDelay: The time from an accepted connection to the handshake.
  ///   - loop: The event loop of the server.
  ///   - report: Receives everything that the server reads.
  init(
    _ host: Int, _ script: ScriptHost, at addresses: [LiveAddress], connectDelay: Interval,
    on loop: any EventLoop, report: @escaping @Sendable (ServerRead) -> Void
  ) {
    self.loop = loop
    self.host = host
    self.addresses = addresses
    self.connectDelay = connectDelay
    self.report = report
    fault = script.server
  }

  var isSilent: Bool { fault == .silent }
  /// Whether due answers are deferred; messages of streams are not.
  private(set) var isHeld = false

  /// Defers due answers, or releases them.
  func hold(_ isHeld: Bool) {
    self.isHeld = isHeld
    for connection in inOrder { connection.sendDue() }
  }

  // MARK: Listening

  /// Starts listening, unless the server refuses connections; must run on its event loop, where the
  /// socket belongs.
  func begin() -> EventLoopFuture<Void> {
    fault == .refuse ? loop.makeSucceededVoidFuture() : listen()
  }

  private func listen() -> EventLoopFuture<Void> {
    guard listeners.isEmpty else { return loop.makeSucceededVoidFuture() }
    let bound = NIOLoopBound(self, eventLoop: loop)
    let all = addresses.map { address in
      ServerBootstrap(group: loop)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .serverChannelOption(.backlog, value: 1_024)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try bound.value.accept(channel)
          }
        }
        .bind(host: address.address, port: Int(address.port))
    }
    return EventLoopFuture.whenAllSucceed(all, on: loop).map { bound.value.listeners = $0 }
  }

  private func accept(_ channel: any Channel) throws {
    let connection = ServerConnection(channel, of: self)
    let identity = ObjectIdentifier(connection)
    connections[identity] = connection
    order.append(identity)
    let bound = NIOLoopBound(self, eventLoop: loop)
    channel.closeFuture.whenComplete { _ in
      bound.value.connections[identity] = nil
      bound.value.order.removeAll { $0 == identity }
    }
    try channel.pipeline.syncOperations.addHandlers([
      BackPressureHandler(),
      ByteToMessageHandler(FrameDecoder(), maximumBufferSize: 2 * Frame.maximumLength),
      ServerHandler(connection),
    ])
    let welcome = NIOLoopBound(connection, eventLoop: loop)
    loop.scheduleTask(in: TimeAmount(connectDelay)) { welcome.value.welcome() }
  }

  fileprivate func read(_ frame: Frame, from channel: any Channel) {
    let port = channel.remoteAddress?.port.map { UInt16(truncatingIfNeeded: $0) }
    switch frame {
    case .request(let call, _): report(.request(host: host, call: call, from: port))
    case .message(let call, _): report(.message(host: host, call: call, from: port))
    case .hello, .goaway, .finish, .reset, .end, .ping, .pong: break
    }
  }

  // MARK: Commands

  /// All connections, in the order in which they were accepted.
  private var inOrder: [ServerConnection] { order.compactMap { connections[$0] } }

  /// Executes a command, and returns a future that succeeds when it is complete.
  func command(_ fault: ServerFault) -> EventLoopFuture<Void> {
    switch fault {
    case .close:
      for connection in inOrder { connection.close() }
    case .reset:
      for connection in inOrder { connection.reset() }
    case .goaway:
      for connection in inOrder { connection.goAway() }
    case .silent, .refuse, .accept:
      self.fault = fault
      for connection in inOrder { connection.serverChanged() }
      return fault == .refuse ? stopListening() : listen()
    }
    return loop.makeSucceededVoidFuture()
  }

  /// Executes the server's part of a transport fault on all connections.
  func command(_ fault: ConnectionFault) {
    for connection in inOrder {
      switch fault {
      case .reset: connection.reset()
      case .fin: connection.close()
      case .halfClose: connection.channel.close(mode: .output, promise: nil)
      case .stallAcked: connection.discards = true
      case .resume: connection.discards = false
      case .stall, .blackholeConnect, .kill: break
      }
    }
  }

  /// Stops listening and closes all connections.
  func end() -> EventLoopFuture<Void> {
    for connection in inOrder { connection.channel.close(promise: nil) }
    return stopListening()
  }

  private func stopListening() -> EventLoopFuture<Void> {
    let closed = listeners.map { $0.close() }
    listeners = []
    return EventLoopFuture.andAllComplete(closed, on: loop)
  }
}

/// A connection of a server.
final class ServerConnection {
  let channel: any Channel
  private let server: LiveServer
  /// Whether received data is acknowledged but discarded, as by a proxy.
  var discards = false
  /// Whether GOAWAY was sent, and whether the client has read it since.
  private var goAwayIsSent = false
  private var isDraining = false
  /// The calls that began after the client had read GOAWAY.
  private var ignored: Set<UInt32> = []  // lookup only
  private var settingsAreDue = false
  private var streams: [UInt32: Stream] = [:]

  /// The maximum number of concurrent calls per connection; a connection that exceeds it is closed.
  private static let maximumStreamCount = 65_536

  private struct Stream {
    var answer: Frame.Answer
    var end: Scheduled<Void>?
    var endIsDue = false
    var messages: RepeatedTask?

    func cancel() {
      end?.cancel()
      messages?.cancel()
    }
  }

  init(_ channel: any Channel, of server: LiveServer) {
    self.channel = channel
    self.server = server
  }

  private var answers: Bool { !discards && !server.isSilent }
  private var sendsDueData: Bool { answers && !server.isHeld }

  fileprivate func welcome() {
    guard sendsDueData else {
      settingsAreDue = true
      return
    }
    channel.send([.hello])
  }

  /// Applies the server's state: a silent server does not read, and a server that is no longer
  /// silent sends everything due.
  fileprivate func serverChanged() {
    channel.setOption(.autoRead, value: !server.isSilent).whenFailure { _ in }
    sendDue()
  }

  fileprivate func sendDue() {
    guard sendsDueData else { return }
    if settingsAreDue {
      settingsAreDue = false
      welcome()
    }
    for call in streams.keys.sorted() where streams[call]?.endIsDue == true { end(call) }
  }

  /// Announces that the server accepts no new calls on the connection.
  ///
  /// The ping marks the instant at which the client reads the announcement. Calls that began before
  /// are served, and later ones are ignored (RFC 9113, section 6.8).
  fileprivate func goAway() {
    goAwayIsSent = true
    channel.send([.goaway, .ping])
  }

  /// Returns whether the server ignores a frame because its call began after GOAWAY.
  private func ignores(_ frame: Frame) -> Bool {
    switch frame {
    case .request(let call, _):
      if isDraining { ignored.insert(call) }
      return isDraining
    case .message(let call, _), .finish(let call), .reset(let call):
      return ignored.contains(call)
    case .hello, .goaway, .end, .ping, .pong: return false
    }
  }

  fileprivate func read(_ frame: Frame) {
    if case .pong = frame { isDraining = goAwayIsSent }
    guard !discards, !ignores(frame) else { return }
    server.read(frame, from: channel)
    switch frame {
    case .request(let call, let answer): begin(call, answer)
    case .finish(let call): finish(call)
    case .reset(let call): streams.removeValue(forKey: call)?.cancel()
    case .ping: channel.send([.pong])
    case .message, .hello, .goaway, .end, .pong: break
    }
  }

  private func begin(_ call: UInt32, _ answer: Frame.Answer) {
    guard streams[call] != nil || streams.count < Self.maximumStreamCount else { return close() }
    var stream = Stream(answer: answer)
    if answer.every >= 0 {
      let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
      // A period of zero would keep the event loop busy forever.
      let period = TimeAmount.microseconds(max(1_000, answer.every))
      stream.messages = channel.eventLoop.scheduleRepeatedTask(
        initialDelay: period, delay: period
      ) { _ in bound.value.sendMessage(call) }
    }
    streams[call] = stream
  }

  private func sendMessage(_ call: UInt32) {
    // A message is dropped if the buffer is full, because a client that does not read must not
    // exhaust the memory.
    guard answers, streams[call] != nil, channel.isWritable else { return }
    channel.send([.message(call: call, bytes: 1)])
  }

  private func finish(_ call: UInt32) {
    guard let stream = streams[call], stream.answer.takes >= 0 else { return }
    let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
    streams[call]?.end = channel.eventLoop.scheduleTask(
      in: .microseconds(stream.answer.takes)
    ) { bound.value.end(call) }
  }

  private func end(_ call: UInt32) {
    guard streams[call] != nil else { return }
    guard sendsDueData else {
      streams[call]?.endIsDue = true
      return
    }
    streams.removeValue(forKey: call)?.cancel()
    channel.send([.end(call: call)])
  }

  fileprivate func isOver() {
    for stream in streams.values { stream.cancel() }
    streams = [:]
  }

  fileprivate func close() { channel.close(promise: nil) }

  fileprivate func reset() { channel.reset() }
}

extension Channel {
  /// Closes the connection immediately with a TCP reset.
  func reset() {
    guard let options = self as? any SocketOptionProvider else {
      close(promise: nil)
      return
    }
    options.setSoLinger(linger(l_onoff: 1, l_linger: 0))
      .whenComplete { _ in self.close(promise: nil) }
  }
}

/// The handler that passes frames to their connection.
private final class ServerHandler: ChannelInboundHandler {
  typealias InboundIn = Frame
  private let connection: ServerConnection

  init(_ connection: ServerConnection) {
    self.connection = connection
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    connection.read(unwrapInboundIn(data))
  }

  func channelInactive(context: ChannelHandlerContext) { connection.isOver() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
