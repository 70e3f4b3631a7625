import HandoverCore
import HandoverTrace

/// The parts of a world's digest; a test leaves each out and must see it missed.
enum DigestPart: CaseIterable {
  case device, monitor, client, clientDeadlines, held, hosts, connections, streams, agenda,
    callbacks, turns, effects, chains, requests
}

// What a world's future hangs on.
//
// Calls, hosts, entries and paths are known by their indices in the script, which are the same for
// ever; connections by their rows, because rows decide who is told first. Of generations only
// whether they are current matters, of counters only the order.
extension World {
  /// The digest of everything that decides how the world goes on, until the next entry is played.
  ///
  /// Two worlds of one script and one profile with equal digests go on alike: the same entries at
  /// the same distances bring about the same records, but for the absolute time and the numbers
  /// that tell owners of a row apart. Where interceptors or requests are in use it is slower, by
  /// far, because their parts are looked up one by one.
  func digest(leavingOut omission: DigestPart? = nil) -> StateDigest {
    var digest = StateDigest(at: context.now)
    if omission != .device { combineDevice(into: &digest) }
    if omission != .monitor { monitor.combine(into: &digest) }
    if omission != .client {
      client.core.combine(into: &digest, leavesOutDeadlines: omission == .clientDeadlines)
    }
    if omission != .held {
      digest.combine(client.heldEvents.count)
      for event in client.heldEvents { combine(event, into: &digest) }
    }
    if omission != .hosts { combineHosts(into: &digest) }
    if omission != .connections { combineConnections(into: &digest) }
    if omission != .streams { combineStreams(into: &digest) }
    if omission != .agenda {
      combine(context.agenda, into: &digest)
      combine(context.periodic, into: &digest)
    }
    if omission != .callbacks { combine(context.callbacks, into: &digest) }
    if omission != .turns {
      digest.combine(context.turns != nil)
      if let turns = context.turns { digest.combine(reflecting: turns) }
    }
    if omission != .effects {
      combineEffects(into: &digest)
    }
    if hasChains, omission != .chains { digest.combine(reflecting: chains as Any) }
    if hasRequests, omission != .requests {
      digest.combine(reflecting: requests)
      context.collections.forEach { pool, due, _ in
        digest.combine(pool)
        digest.combine(due)
      }
    }
    return digest
  }

  /// Takes in which faults have had an effect, 64 entries in a word.
  private func combineEffects(into digest: inout StateDigest) {
    var (word, bit) = (0 as UInt64, 1 as UInt64)
    for index in context.faultsWithEffect.indices {
      if context.faultsWithEffect[index] { word |= bit }
      bit <<= 1
      guard bit == 0 else { continue }
      digest.combine(word)
      (word, bit) = (0, 1)
    }
    digest.combine(word)
  }

  private func combineDevice(into digest: inout StateDigest) {
    let device = context.device
    digest.combine(device.flags.rawValue)
    digest.combine(device.path.map { UInt64($0.index) } ?? .max)
    digest.combine(device.keptAlive.rawValue)
    digest.combine(device.app.rawValue)
  }

  private func combineHosts(into digest: inout StateDigest) {
    // Part by part, here and below: to take a row out of its table is to copy all it refers to.
    for index in network.links.hosts.indices {
      digest.combine(
        network.links.hosts[index].server.number << 8 | network.links.hosts[index].names.number << 1
          | (network.links.hosts[index].isBlackhole ? 1 : 0))
      combine(network.links.hosts[index].serverCause, into: &digest)
      combine(network.links.hosts[index].namesCause, into: &digest)
      combine(network.links.hosts[index].blackholeCause, into: &digest)
      digest.combine(network.links.hosts[index].unread.count)
      if !network.links.hosts[index].unread.isEmpty {
        for write in network.links.hosts[index].unread { combine(write, into: &digest) }
      }
      if !network.links.hosts[index].dueAnswers.isEmpty { combineAnswers(of: index, into: &digest) }
      digest.combine(UInt64.max)
    }
  }

  private func combineAnswers(of host: Int, into digest: inout StateDigest) {
    var last = UInt32.max
    for call in network.links.hosts[host].dueAnswers.sorted()
    where call != last && network.streams[call].answerIsDue {
      digest.combine(call)
      last = call
    }
  }

  /// Takes in the entry that made something as it is; nil is none.
  private func combine(_ cause: UInt32?, into digest: inout StateDigest) {
    digest.combine(cause.map { UInt64($0) } ?? .max)
  }

  private func combineConnections(into digest: inout StateDigest) {
    digest.combine(network.links.connections.count)
    for index in network.links.connections.indices {
      let phase = network.links.connections[index].phase
      digest.combine(phase.rawValue)
      guard phase != .gone else { continue }
      digest.combine(
        UInt64(network.links.connections[index].host) << 8
          | UInt64(network.links.connections[index].stall.rawValue))
      digest.combine(network.links.connections[index].path.map { UInt64($0.index) } ?? .max)
      let end: UInt64 =
        switch network.links.connections[index].unnoticedEnd {
        case nil: 0
        case .sending: 1
        case .everything: 2
        }
      digest.combine(
        end << 2 | (network.links.connections[index].handshakeIsDue ? 2 : 0)
          | (network.links.connections[index].timeout != nil ? 1 : 0))
      digest.combine(network.links.connections[index].bufferedBytes)
      digest.combine(network.links.connections[index].bufferedWrites.count)
      digest.combine(network.links.connections[index].inFlight.count)
      combineUnderWay(on: index, into: &digest)
    }
  }

  /// Takes in what a connection holds back; mostly nothing.
  private func combineUnderWay(on index: Int, into digest: inout StateDigest) {
    if !network.links.connections[index].bufferedWrites.isEmpty {
      for write in network.links.connections[index].bufferedWrites { combine(write, into: &digest) }
    }
    if !network.links.connections[index].inFlight.isEmpty {
      for event in network.links.connections[index].inFlight { combine(event, into: &digest) }
    }
  }

  private func combineStreams(into digest: inout StateDigest) {
    for index in network.streams.rows.indices {
      guard let call = network.streams.rows[index].call else { continue }
      let stream = network.streams.rows[index]
      digest.combine(UInt64(UInt32(truncatingIfNeeded: index)) << 32 | UInt64(call.index))
      if let connection = stream.connection {
        combine(connection, into: &digest)
      } else {
        digest.combine(UInt64.max)
      }
      digest.combine(
        (stream.callHasEnded ? 1 : 0) | (stream.isOpen ? 2 : 0) | (stream.answerIsDue ? 4 : 0)
          | (stream.end != nil ? 8 : 0) | (stream.message != nil ? 16 : 0) as UInt64)
    }
  }

  // MARK: What refers to something

  /// A connection by its row, and whether the row is still its own.
  private func combine(_ connection: ConnectionID, into digest: inout StateDigest) {
    digest.combine(
      UInt64(connection.index) << 1 | (network.links.isCurrent(connection) ? 1 : 0))
  }

  private func combine(_ write: CarriedWrite, into digest: inout StateDigest) {
    combine(write.connection, into: &digest)
    digest.combine(write.call)
    switch write.write {
    case .request: digest.combine(0)
    case .messages(let count, let bytes):
      digest.combine(1)
      digest.combine(UInt64(count) << 32 | UInt64(bytes))
    case .finish: digest.combine(2)
    case .reset: digest.combine(3)
    case .ping: digest.combine(4)
    }
  }

  /// An event for the client; a call by its index in the script, and whether it is still that call.
  private func combine(_ event: ChannelPool.Event, into digest: inout StateDigest) {
    func combine(_ number: Int, _ call: CallID) {
      digest.combine(number)
      let index = network.streams.index(of: call)
      digest.combine(index)
      digest.combine(network.streams[index].call == call)
    }
    switch event {
    case .connected(let id):
      digest.combine(1)
      self.combine(id, into: &digest)
    case .connectFailed(let id, let failure):
      digest.combine(2)
      self.combine(id, into: &digest)
      digest.combine(failure.rawValue)
    case .connectionBroken(let id, let failure):
      digest.combine(3)
      self.combine(id, into: &digest)
      digest.combine(failure.rawValue)
    case .connectionDraining(let id):
      digest.combine(4)
      self.combine(id, into: &digest)
    case .pongReceived(let id):
      digest.combine(5)
      self.combine(id, into: &digest)
    case .messageReceived(let call): combine(6, call)
    case .streamEnded(let call, let code):
      combine(7, call)
      digest.combine(code.rawValue)
    case .callStarted(let call, let endpoint, let settings):
      combine(8, call)
      digest.combine(endpoint.index)
      digest.combine(settings.deadline)
      digest.combine(settings.failsFast)
      digest.combine(settings.awaitsToken)
      digest.combine(settings.requestIsComplete)
    case .tokenArrived(let call): combine(9, call)
    case .messageQueued(let call, let bytes):
      combine(10, call)
      digest.combine(bytes)
    case .requestFinished(let call): combine(11, call)
    case .callCancelled(let call): combine(12, call)
    case .disconnectRequested(let endpoint):
      digest.combine(13)
      digest.combine(endpoint.index)
    case .disconnectAllRequested: digest.combine(14)
    case .timeElapsed: digest.combine(15)
    case .closed: digest.combine(16)
    }
  }

  /// What is still to happen, in its order; what will do nothing, whatever happens first, is left
  /// out.
  private func combine(
    _ agenda: borrowing Agenda<ScheduledEvent>, into digest: inout StateDigest
  ) {
    agenda.forEach { event, due, phase in
      guard !willDoNothing(event) else { return }
      digest.combine(due)
      digest.combine(phase.rawValue)
      combine(event, into: &digest)
    }
    digest.combine(UInt64.max)
  }

  /// Whether an event will do nothing for ever: it is about a connection that is gone, or about a
  /// callback that was lost.
  private func willDoNothing(_ event: ScheduledEvent) -> Bool {
    switch event {
    case .callback, .failure, .loss, .reported, .handshake, .tcpTimeout, .arrival: isStale(event)
    case .answerEnds, .answerMessage, .token, .chainAnswer, .request, .freshRead, .heldEvent,
      .heldOrders, .transportTurn:
      false
    }
  }

  private func combine(_ event: ScheduledEvent, into digest: inout StateDigest) {
    switch event {
    case .callback(let flags, _):
      digest.combine(1)
      digest.combine(flags.rawValue)
    case .freshRead: digest.combine(2)
    case .failure(let id, let failure):
      digest.combine(3)
      combine(id, into: &digest)
      digest.combine(failure.rawValue)
    case .handshake(let id):
      digest.combine(4)
      combine(id, into: &digest)
    case .loss(let id, let failure):
      digest.combine(5)
      combine(id, into: &digest)
      digest.combine(failure.rawValue)
    case .tcpTimeout(let id):
      digest.combine(6)
      combine(id, into: &digest)
    case .arrival(let id, let event):
      digest.combine(7)
      combine(id, into: &digest)
      combine(event, into: &digest)
    case .reported(let id, let event):
      digest.combine(8)
      combine(id, into: &digest)
      combine(event, into: &digest)
    case .transportTurn: digest.combine(9)
    case .heldEvent(let event):
      digest.combine(10)
      combine(event, into: &digest)
    case .answerEnds(let call):
      digest.combine(11)
      digest.combine(call)
    case .answerMessage(let call):
      digest.combine(12)
      digest.combine(call)
    case .token(let call):
      digest.combine(13)
      digest.combine(call)
    case .chainAnswer(let question):
      digest.combine(14)
      digest.combine(question)
    case .heldOrders: digest.combine(15)
    case .request(let event):
      digest.combine(16)
      digest.combine(reflecting: event)
    }
  }
}

extension MonitorPipe {
  /// Takes in what decides the pipe's future: not how many overruns there were.
  func combine(into digest: inout StateDigest) {
    digest.combine(underWay)
    digest.combine(lastDelivered.map { UInt64($0.rawValue) } ?? .max)
    digest.combine(lastHeard.rawValue)
    digest.combine(missNext.map { UInt64($0) } ?? .max)
    digest.combine(delayNext != nil)
    if let delayNext {
      digest.combine(delayNext.length)
      digest.combine(delayNext.cause)
    }
    digest.combine(callbackIsHeld)
  }
}

extension ServerWord {
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

extension NamesWord {
  fileprivate var number: UInt64 {
    switch self {
    case .fail: 0
    case .hang: 1
    case .resolve: 2
    }
  }
}
