import HandoverCore

/// A server on the loopback interface that handles every request in the same way.
struct LoopbackServer {
  enum Conduct {
    /// Answers each request.
    case answers
    /// Resets the connection of each request.
    case resets
    /// Reads and does not answer.
    case isSilent
  }

  private(set) var listener: LoopbackSocket?
  private(set) var connections: [LoopbackSocket] = []
  private(set) var acceptedCount = 0
  private(set) var requestCount = 0
  var conduct = Conduct.answers
  let port: UInt16

  init() throws {
    let listener = try LoopbackSocket.listening()
    port = try listener.port()
    self.listener = listener
  }

  /// Stops listening, so that connections are refused.
  mutating func stopListening() {
    listener?.close()
    listener = nil
  }

  var sockets: [LoopbackSocket] { (listener.map { [$0] } ?? []) + connections }

  /// Does everything that is possible without waiting.
  mutating func serve() throws {
    while let connection = try listener?.accepted() {
      connections.append(connection)
      acceptedCount += 1
    }
    for connection in connections {
      switch connection.receive() {
      case .bytes(let count):
        let requests = count / LiveLoop.requestLength
        requestCount += requests
        if conduct == .answers { try connection.send(requests) }
        if conduct == .resets { try connection.reset() }
      case .nothing:
        break
      case .end, .failed:
        connection.close()
      }
    }
    connections.removeAll { $0.descriptor < 0 }
  }
}

/// A minimal loop around the core: it passes events with real time from real sockets, and carries
/// out the effects.
struct LiveLoop {
  /// One step of the core: its time, event and effects.
  struct Step: Hashable {
    var now: Instant
    var event: ClientCore.Event
    var effects: [ClientEffect]
  }

  /// A connection of the client, and the calls whose answers it will bring, in order.
  private struct Carrier {
    var id: ConnectionID
    var socket: LoopbackSocket
    var isConnecting = true
    var calls: [CallID] = []
  }

  /// An error of the loop itself.
  struct Stuck: Error, Hashable {
    var turns: Int
  }

  static let longestRun = Interval.minutes(1)
  static let mostTurns = 2_000
  /// The size of a request in bytes; small enough to arrive in one piece.
  static let requestLength = 16

  let configuration: PoolConfiguration
  private(set) var core: ClientCore
  private(set) var steps: [Step] = []
  var server: LoopbackServer
  private let endpoint: EndpointID
  private let begun = System.monotonicMicroseconds()
  private var carriers: [Carrier] = []

  init(_ configuration: PoolConfiguration) throws {
    self.configuration = configuration
    server = try LoopbackServer()
    core = ClientCore(configuration)
    endpoint = core.register(Self.key)
  }

  private static let key = ChannelKey(host: HostName("server.example"), options: ChannelOptions())

  var now: Instant { Instant(microseconds: System.monotonicMicroseconds() - begun) }

  /// Returns how a call ended, or `nil` if it has not ended.
  func end(of call: CallID) -> CallEnd? {
    for step in steps {
      for case .endCall(call, let end) in step.effects { return end }
    }
    return nil
  }

  // MARK: Events and effects

  mutating func start(_ settings: CallSettings = CallSettings()) throws -> CallID {
    let call = core.nextCallID
    try send(.pool(.callStarted(call, endpoint, settings)))
    return call
  }

  /// Sends an event to the core, with a single clock reading, and carries out the effects.
  mutating func send(_ event: ClientCore.Event) throws {
    var effects = EffectLog<ClientEffect>()
    let now = now
    core.step(event, at: now, into: &effects)
    steps.append(Step(now: now, event: event, effects: effects.elements))
    for effect in effects.elements { try carryOut(effect) }
  }

  private mutating func carryOut(_ effect: ClientEffect) throws {
    switch effect {
    case .openConnection(let connection, _):
      let socket = try LoopbackSocket.connecting(to: server.port)
      carriers.append(Carrier(id: connection, socket: socket))
    case .startStream(let call, let connection):
      guard let index = carriers.firstIndex(where: { $0.id == connection }) else { return }
      carriers[index].calls.append(call)
      try carriers[index].socket.send(Self.requestLength)
    case .closeConnection(let connection):
      drop(connection)
    case .notify, .channelCreated, .channelMoved, .channelDestroyed, .callBound, .fetchToken,
      .sendMessages, .finishStream, .resetStream, .sendPing, .deliverMessage, .endCall:
      break
    }
  }

  private mutating func drop(_ connection: ConnectionID) {
    for carrier in carriers where carrier.id == connection { carrier.socket.close() }
    carriers.removeAll { $0.id == connection }
  }

  // MARK: The loop

  /// Runs the loop until a condition is true, with a limit on iterations and on time.
  mutating func run(until isReached: (LiveLoop) -> Bool) throws {
    let limit = now + Self.longestRun
    var turns = 0
    while !isReached(self) {
      guard turns < Self.mostTurns, now < limit else { throw Stuck(turns: turns) }
      turns += 1
      try turn(until: limit)
    }
  }

  private mutating func turn(until limit: Instant) throws {
    let wake = min(limit, core.nextDeadline ?? .never)
    let polled = carriers.map(\.id)
    let own = carriers.map { (socket: $0.socket, toWrite: $0.isConnecting) }
    let others = server.sockets.map { (socket: $0, toWrite: false) }
    let ready = try System.wait(for: own + others, atMost: max(.zero, wake.since(now)))
    if let deadline = core.nextDeadline, deadline <= now { try send(.pool(.timeElapsed)) }
    for (connection, isReady) in zip(polled, ready) where isReady {
      // A connection that was closed in the meantime is skipped.
      guard let index = carriers.firstIndex(where: { $0.id == connection }) else { continue }
      try attend(to: index)
    }
    try server.serve()
  }

  private mutating func attend(to index: Int) throws {
    let carrier = carriers[index]
    guard !carrier.isConnecting else {
      let error = try carrier.socket.connectError()
      guard error == 0 else {
        drop(carrier.id)
        return try send(.pool(.connectFailed(carrier.id, ConnectionFailure(error))))
      }
      carriers[index].isConnecting = false
      return try send(.pool(.connected(carrier.id)))
    }
    switch carrier.socket.receive() {
    case .bytes(let count):
      // The server answers with one byte for each request, in order.
      carriers[index].calls.removeFirst(count)
      for call in carrier.calls.prefix(count) { try send(.pool(.streamEnded(call, .ok))) }
    case .nothing:
      break
    case .end:
      drop(carrier.id)
      try send(.pool(.connectionBroken(carrier.id, .closed)))
    case .failed(let number):
      drop(carrier.id)
      try send(.pool(.connectionBroken(carrier.id, ConnectionFailure(number))))
    }
  }

  // MARK: The record

  /// Returns the steps of a new core that receives the same events at the same instants.
  func replayed() -> [Step] {
    var core = ClientCore(configuration)
    _ = core.register(Self.key)
    return steps.map { step in
      var effects = EffectLog<ClientEffect>()
      core.step(step.event, at: step.now, into: &effects)
      return Step(now: step.now, event: step.event, effects: effects.elements)
    }
  }
}
