import HandoverCore
import HandoverTrace

/// The digest of what a world's future hangs on, as it is made.
///
/// Calls, hosts, entries and paths are known by their indices in the script, which are the same for
/// ever; connections by their rows, because rows decide who is told first. Of generations only
/// whether they are current matters, of counters only the order.
struct WorldDigest {
  private let network: Network
  var value: StateDigest

  init(of network: Network, at now: Instant) {
    self.network = network
    value = StateDigest(at: now)
  }

  mutating func combine(_ events: ContiguousArray<ChannelPool.Event>) {
    value.combine(events.count)
    for event in events { combine(event) }
  }

  mutating func combine(_ device: Device) {
    value.combine(device.flags.rawValue)
    value.combine(optional: device.path) { $0.combine($1.index) }
    value.combine(device.keptAlive.rawValue)
    value.combine(device.app.rawValue)
  }

  mutating func combineHosts() {
    for host in network.links.hosts {
      value.combine(host.server.rawValue)
      value.combine(host.names.rawValue)
      value.combine(host.isBlackhole)
      for cause in [host.serverCause, host.namesCause, host.blackholeCause] {
        value.combine(optional: cause) { $0.combine($1) }
      }
      value.combine(host.unread.count)
      for write in host.unread { combine(write) }
      var last = UInt32.max
      for call in host.dueAnswers.sorted()
      where call != last
        && (network.streams[call].beginIsDue || network.streams[call].answerIsDue)
      {
        value.combine(call)
        last = call
      }
      value.combine(UInt64.max)
    }
  }

  mutating func combineConnections() {
    value.combine(network.links.connections.count)
    for connection in network.links.connections {
      value.combine(connection.phase.rawValue)
      guard connection.phase != .gone else { continue }
      value.combine(connection.host)
      value.combine(optional: connection.path) { $0.combine($1.index) }
      value.combine(connection.stall.rawValue)
      value.combine(optional: connection.unnoticedEnd) { $0.combine($1 == .everything) }
      value.combine(connection.bufferedBytes)
      value.combine(connection.bufferedWrites.count)
      for write in connection.bufferedWrites { combine(write) }
      value.combine(connection.inFlight.count)
      for fact in connection.inFlight { combine(fact) }
      value.combine(connection.handshakeIsDue)
      value.combine(connection.timeout != nil)
    }
    for loss in network.untoldLosses where network.links.isTold(loss.connection) {
      value.combine(loss.connection.index)
      value.combine(loss.failure.rawValue)
    }
  }

  mutating func combineStreams() {
    for (index, stream) in network.streams.rows.enumerated() {
      guard let call = stream.call else { continue }
      value.combine(index)
      value.combine(call.index)
      value.combine(stream.callHasEnded)
      value.combine(stream.connection != nil)
      if let connection = stream.connection { combine(connection) }
      value.combine(stream.isOpen)
      value.combine(stream.isPoll)
      value.combine(stream.beginIsDue)
      value.combine(stream.answerIsDue)
      value.combine(stream.end != nil)
      value.combine(stream.message != nil)
    }
  }

  // MARK: What refers to something

  /// A connection by its row, and whether the row is still its own.
  private mutating func combine(_ connection: ConnectionID) {
    value.combine(connection.index)
    value.combine(network.links.isCurrent(connection))
  }

  private mutating func combine(_ write: CarriedWrite) {
    combine(write.connection)
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

  /// What reaches the client.
  private mutating func combine(_ fact: NetworkFact) {
    if let event = ChannelPool.Event(fact) { return combine(event) }
    // The begin of an answer, which is of the request that has the row of its stream.
    if case .headers(let request) = fact { value.combine(UInt64(17) << 32 | UInt64(request.index)) }
  }

  /// An event for the client; a call by its index in the script, and whether it is still that call.
  private mutating func combine(_ event: ChannelPool.Event) {
    func combine(_ number: Int, _ call: CallID) {
      value.combine(number)
      let index = network.streams.index(of: call)
      value.combine(index)
      value.combine(network.streams[index].call == call)
    }
    switch event {
    case .connected(let id):
      value.combine(1)
      self.combine(id)
    case .connectFailed(let id, let failure):
      value.combine(2)
      self.combine(id)
      value.combine(failure.rawValue)
    case .connectionBroken(let id, let failure):
      value.combine(3)
      self.combine(id)
      value.combine(failure.rawValue)
    case .connectionDraining(let id):
      value.combine(4)
      self.combine(id)
    case .pongReceived(let id):
      value.combine(5)
      self.combine(id)
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
    }
  }

  /// What is still to happen, in its order; what will do nothing, whatever happens first, is left
  /// out.
  mutating func combine(_ agenda: borrowing Agenda<ScheduledEvent>, of world: borrowing World) {
    agenda.forEach { event, due, phase in
      guard !Self.willDoNothing(event, in: world) else { return }
      value.combine(due)
      value.combine(phase.rawValue)
      combine(event)
    }
    value.combine(UInt64.max)
  }

  /// Whether an event will do nothing for ever: it is about a connection that is gone, or about a
  /// callback that was lost.
  private static func willDoNothing(_ event: ScheduledEvent, in world: borrowing World) -> Bool {
    switch event {
    case .callback, .news, .handshake, .tcpTimeout, .arrival: world.isStale(event)
    case .answerBegins, .answerEnds, .answerMessage, .token, .chainAnswer, .freshRead, .heldEvent,
      .heldOrders, .transportTurn:
      false
    }
  }

  private mutating func combine(_ event: ScheduledEvent) {
    switch event {
    case .callback(let flags, _):
      value.combine(1)
      value.combine(flags.rawValue)
    case .freshRead: value.combine(2)
    case .handshake(let id):
      value.combine(4)
      combine(id)
    case .news(let id, let fact):
      value.combine(5)
      combine(id)
      combine(fact)
    case .tcpTimeout(let id):
      value.combine(6)
      combine(id)
    case .arrival(let id, let fact):
      value.combine(7)
      combine(id)
      combine(fact)
    case .transportTurn: value.combine(9)
    case .heldEvent(let event):
      value.combine(10)
      combine(event)
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
    }
  }
}
