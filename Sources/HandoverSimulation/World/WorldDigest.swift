import HandoverBackend
import HandoverCore

/// The digest of the state that determines a world's future, under construction.
///
/// Calls, hosts, entries and paths are identified by their script indices, which never change.
/// Connections are identified by their rows, because rows decide the order of notifications. Of a
/// generation only its validity matters, and of a counter only the order.
struct WorldDigest {
  var value: StateDigest

  init(at now: Instant) {
    value = StateDigest(at: now)
  }

  mutating func combine(_ held: DeferredEvents, _ network: borrowing Network) {
    value.combine(UInt64(held.events.count) << 1 | (held.hasCallback ? 1 : 0))
    for event in held.events { combine(event, network) }
  }

  /// Adds the faults that have had an effect, 64 entries per word.
  mutating func combineEffects(_ hadEffect: some RandomAccessCollection<Bool>) {
    var (word, bit) = (0 as UInt64, 1 as UInt64)
    for hadEffect in hadEffect {
      if hadEffect { word |= bit }
      bit <<= 1
      guard bit == 0 else { continue }
      value.combine(word)
      (word, bit) = (0, 1)
    }
    value.combine(word)
  }

  mutating func combineHosts(_ network: borrowing Network) {
    // Here and below, fields are read one by one, because reading a whole row copies everything
    // that it references.
    for index in network.links.hosts.indices {
      value.combine(
        network.links.hosts[index].server.number << 8 | network.links.hosts[index].names.number << 1
          | (network.links.hosts[index].isBlackhole ? 1 : 0))
      combine(
        network.links.hosts[index].serverCause ?? .max,
        network.links.hosts[index].namesCause ?? .max)
      combine(
        network.links.hosts[index].blackholeCause ?? .max,
        UInt32(truncatingIfNeeded: network.links.hosts[index].unread.count))
      if let cause = network.links.hosts[index].answerCause {
        value.combine(1 << 40 | UInt64(cause))
      }
      for turn in network.links.hosts[index].refusalTurns { value.combine(turn) }
      for turn in network.links.hosts[index].addressTurns {
        value.combine(turn.at)
        combine(UInt32(truncatingIfNeeded: turn.position), turn.cause)
      }
      if !network.links.hosts[index].unread.isEmpty {
        for write in network.links.hosts[index].unread { combine(write, network) }
      }
      if !network.links.hosts[index].dueAnswers.isEmpty { combineAnswers(of: index, network) }
      value.combine(UInt64.max)
    }
  }

  private mutating func combineAnswers(of host: Int, _ network: borrowing Network) {
    var last = UInt32.max
    for call in network.links.hosts[host].dueAnswers.sorted()
    where call != last && (network.streams[call].beginIsDue || network.streams[call].answerIsDue) {
      value.combine(call)
      last = call
    }
  }

  mutating func combine(_ one: UInt32, _ other: UInt32) {
    value.combine(UInt64(one) << 32 | UInt64(other))
  }

  mutating func combineConnections(_ network: borrowing Network) {
    value.combine(UInt64(network.links.connections.count))
    for index in network.links.connections.indices {
      let phase = network.links.connections[index].phase
      guard phase != .gone else {
        value.combine(UInt64.max)
        continue
      }
      let path = Device.number(of: network.links.connections[index].path)
      value.combine(
        UInt64(network.links.connections[index].host) << 32 | path << 16 | UInt64(phase.rawValue))
      let end: UInt64 =
        switch network.links.connections[index].unnoticedEnd {
        case nil: 0
        case .sending: 1
        case .everything: 2
        }
      let address: UInt64 =
        network.links.connections[index].address == Connection.anyAddress
        ? 0 : UInt64(network.links.connections[index].address) + 1
      let flags: UInt64 =
        (network.links.connections[index].isRefused ? 1 << 48 : 0)
        | (network.links.connections[index].isDraining ? 1 << 49 : 0)
        | (network.links.connections[index].isKnown ? 1 << 50 : 0)
        | (network.links.connections[index].handshakeIsDue ? 2 : 0)
        | (network.links.connections[index].timeout != nil ? 1 : 0)
      let stall = UInt64(network.links.connections[index].stall.rawValue)
      value.combine(address << 32 | stall << 8 | end << 2 | flags)
      value.combine(UInt64(network.links.connections[index].bufferedBytes))
      if let left = network.links.connections[index].timeoutLeft { value.combine(left) }
      if let begin = network.links.connections[index].raceBegan { value.combine(begin) }
      // After an attempt, its addresses no longer matter.
      if phase == .resolving || phase == .connecting,
        let cause = network.links.connections[index].answerCause
      {
        value.combine(1 << 40 | UInt64(cause))
      }
      combine(
        UInt32(truncatingIfNeeded: network.links.connections[index].bufferedWrites.count),
        UInt32(truncatingIfNeeded: network.links.connections[index].inFlight.count))
      combineWithheldData(on: index, network)
    }
    if !network.unreportedLosses.isEmpty { combineUnreportedLosses(network) }
  }

  /// Adds the data that a connection withholds, which is usually empty.
  private mutating func combineWithheldData(on index: Int, _ network: borrowing Network) {
    if !network.links.connections[index].bufferedWrites.isEmpty {
      for write in network.links.connections[index].bufferedWrites { combine(write, network) }
    }
    if !network.links.connections[index].inFlight.isEmpty {
      for fact in network.links.connections[index].inFlight { combine(fact, network) }
    }
  }

  private mutating func combineUnreportedLosses(_ network: borrowing Network) {
    for loss in network.unreportedLosses where network.links.isReported(loss.connection) {
      value.combine(loss.connection.index)
      value.combine(loss.failure.rawValue)
    }
  }

  /// Adds the state of networks.
  ///
  /// The agenda covers the remaining linger times.
  mutating func combinePaths(_ paths: PathStates) {
    for state in paths.rows {
      value.combine(UInt64(state.obstacles.rawValue))
      combine(state.uplinkCause ?? .max, state.lossCause ?? .max)
    }
  }

  mutating func combineStreams(_ network: borrowing Network) {
    for index in network.streams.rows.indices {
      guard let call = network.streams.rows[index].call else { continue }
      let stream = network.streams.rows[index]
      combine(UInt32(truncatingIfNeeded: index), call.index)
      let phase: UInt64 =
        (stream.callHasEnded ? 1 : 0) | (stream.isOpen ? 2 : 0) | (stream.answerIsDue ? 4 : 0)
        | (stream.end != nil ? 8 : 0)
      let answer: UInt64 =
        (stream.message != nil ? 16 : 0) | (stream.isPoll ? 32 : 0) | (stream.beginIsDue ? 64 : 0)
        | (stream.isIgnored ? 128 : 0)
      // The row has 32 bits, and one bit shows whether it is current. One more bit shows that there
      // is no connection.
      let carrier =
        stream.connection.map {
          UInt64($0.index) << 1 | (network.links.isCurrent($0) ? 1 : 0)
        } ?? 1 << 33
      value.combine(carrier << 8 | phase | answer)
    }
  }

  // MARK: References

  /// Adds a connection by its row, and whether the row still belongs to it.
  private mutating func combine(_ connection: ConnectionID, _ network: borrowing Network) {
    value.combine(
      UInt64(connection.index) << 1 | (network.links.isCurrent(connection) ? 1 : 0))
  }

  mutating func combine(_ write: CarriedWrite, _ network: borrowing Network) {
    combine(write.connection, network)
    value.combine(write.call)
    switch write.write {
    case .request: value.combine(0)
    case .messages(let count, let bytes):
      value.combine(1)
      value.combine(UInt64(count) << 32 | UInt64(bytes))
    case .finish: value.combine(2)
    case .reset: value.combine(3)
    case .ping: value.combine(4)
    }
  }

  /// Adds a fact that reaches the client.
  mutating func combine(_ fact: NetworkFact, _ network: borrowing Network) {
    if let event = ChannelPool.Event(fact) { return combine(event, network) }
    // The start of a response. The request has the same row as its stream.
    if case .headers(let request) = fact { value.combine(UInt64(17) << 32 | UInt64(request.index)) }
  }

  /// Adds an event for the client.
  ///
  /// A call is added by its script index, with whether the index still belongs to it.
  private mutating func combine(_ event: ChannelPool.Event, _ network: borrowing Network) {
    func combine(_ number: Int, _ call: CallID) {
      value.combine(number)
      let index = network.streams.index(of: call)
      value.combine(index)
      value.combine(network.streams[index].call == call)
    }
    switch event {
    case .connected(let id):
      value.combine(1)
      self.combine(id, network)
    case .connectFailed(let id, let failure):
      value.combine(2)
      self.combine(id, network)
      value.combine(failure.rawValue)
    case .connectionBroken(let id, let failure):
      value.combine(3)
      self.combine(id, network)
      value.combine(failure.rawValue)
    case .connectionDraining(let id):
      value.combine(4)
      self.combine(id, network)
    case .pongReceived(let id):
      value.combine(5)
      self.combine(id, network)
    case .messageReceived(let call): combine(6, call)
    case .streamEnded(let call, let code):
      combine(7, call)
      value.combine(code.rawValue)
    case .callStarted(let call, let endpoint, let settings):
      combine(8, call)
      value.combine(endpoint.index)
      value.combine(settings.deadline)
      value.combine(settings.failsFast)
      value.combine(settings.awaitsToken)
      value.combine(settings.requestIsComplete)
    case .tokenArrived(let call): combine(9, call)
    case .messageQueued(let call, let bytes):
      combine(10, call)
      value.combine(bytes)
    case .requestFinished(let call): combine(11, call)
    case .callCancelled(let call): combine(12, call)
    case .disconnectRequested(let endpoint):
      value.combine(13)
      value.combine(endpoint.index)
    case .disconnectAllRequested: value.combine(14)
    case .timeElapsed: value.combine(15)
    case .closed: value.combine(16)
    case .dataReceived(let id):
      value.combine(17)
      self.combine(id, network)
    }
  }

  /// Adds the scheduled events, in order.
  ///
  /// Events that will certainly have no effect are omitted.
  mutating func combine(_ agenda: borrowing Agenda<ScheduledEvent>, of world: borrowing World) {
    agenda.forEach { event, due, phase in
      guard !Self.hasNoEffect(event, in: world) else { return }
      value.combine(due)
      value.combine(phase.rawValue)
      combine(event, world.network)
    }
    value.combine(UInt64.max)
  }

  /// Returns whether an event will certainly have no effect, because its connection is gone or its
  /// callback was lost.
  private static func hasNoEffect(_ event: ScheduledEvent, in world: borrowing World) -> Bool {
    switch event {
    case .callback, .news, .nameAnswer, .handshake, .tcpTimeout, .arrival, .writeArrives,
      .factArrives, .idleTimeout, .challengeArrives, .responseArrives, .validationTimer,
      .addressAnswers:
      world.isStale(event)
    case .answerBegins, .answerEnds, .answerMessage, .token, .chainAnswer, .freshRead, .heldEvent,
      .heldOrders, .transportTurn, .networkChange:
      false
    }
  }

  /// Adds an event of a connection.
  private mutating func combine(
    _ event: UInt64, _ id: ConnectionID, _ network: borrowing Network
  ) {
    value.combine(event)
    combine(id, network)
  }

  private mutating func combine(_ event: ScheduledEvent, _ network: borrowing Network) {
    switch event {
    case .callback(let flags, _):
      value.combine(1)
      value.combine(flags.rawValue)
    case .freshRead: value.combine(2)
    case .handshake(let id):
      combine(4, id, network)
    case .news(let id, let fact):
      combine(5, id, network)
      combine(fact, network)
    case .tcpTimeout(let id):
      combine(6, id, network)
    case .arrival(let id, let fact):
      combine(7, id, network)
      combine(fact, network)
    case .transportTurn: value.combine(9)
    case .heldEvent(let event):
      value.combine(10)
      combine(event, network)
    case .answerEnds(let call):
      value.combine(11)
      value.combine(call)
    case .answerMessage(let call):
      value.combine(12)
      value.combine(call)
    case .token(let call):
      value.combine(13)
      value.combine(call)
    case .chainAnswer(let question):
      value.combine(14)
      value.combine(question)
    case .heldOrders: value.combine(15)
    case .answerBegins(let request):
      value.combine(16)
      value.combine(request)
    case .networkChange(let change):
      value.combine(18)
      value.combine(
        UInt64(change.entry) << 32 | UInt64(change.path.index) << 8 | UInt64(change.kind.rawValue))
    case .writeArrives(let id):
      combine(21, id, network)
    case .factArrives(let id):
      combine(22, id, network)
    // These events have no effect if their validation is over.
    case .idleTimeout(let id):
      combine(23, id, network)
    case .challengeArrives(let id, _):
      combine(24, id, network)
    case .responseArrives(let id, _):
      combine(25, id, network)
    case .validationTimer(let id, _):
      combine(26, id, network)
    case .addressAnswers(let id, _):
      combine(27, id, network)
    case .nameAnswer(let id):
      combine(28, id, network)
    }
  }
}

extension ServerFault {
  fileprivate var number: UInt64 {
    switch self {
    case .close: 0
    case .reset: 1
    case .silent: 2
    case .goaway: 3
    case .refuse: 4
    case .accept: 5
    }
  }
}

extension DNSFault {
  fileprivate var number: UInt64 {
    switch self {
    case .fail: 0
    case .hang: 1
    case .resolve: 2
    }
  }
}
