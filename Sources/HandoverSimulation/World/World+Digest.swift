import HandoverBackend
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
      digest.combine(client.held.hasCallback)
      digest.combine(client.held.events.count)
      for event in client.held.events { combine(event, into: &digest) }
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
      digest.combine(optional: context.turns) { $0.combine(reflecting: $1) }
    }
    if omission != .effects {
      for hadEffect in context.faultsWithEffect { digest.combine(hadEffect) }
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

  private func combineDevice(into digest: inout StateDigest) {
    let device = context.device
    digest.combine(device.flags.rawValue)
    digest.combine(optional: device.path) { $0.combine($1.index) }
    digest.combine(device.keptAlive.rawValue)
    digest.combine(device.app.rawValue)
  }

  private func combineHosts(into digest: inout StateDigest) {
    for host in network.links.hosts {
      digest.combine(host.server.rawValue)
      digest.combine(host.names.rawValue)
      digest.combine(host.isBlackhole)
      for cause in [host.serverCause, host.namesCause, host.blackholeCause] {
        digest.combine(optional: cause) { $0.combine($1) }
      }
      digest.combine(host.unread.count)
      for write in host.unread { combine(write, into: &digest) }
      var last = UInt32.max
      for call in host.dueAnswers.sorted()
      where call != last && network.streams[call].answerIsDue {
        digest.combine(call)
        last = call
      }
      digest.combine(UInt64.max)
    }
  }

  private func combineConnections(into digest: inout StateDigest) {
    digest.combine(network.links.connections.count)
    for connection in network.links.connections {
      digest.combine(connection.phase.rawValue)
      guard connection.phase != .gone else { continue }
      digest.combine(connection.host)
      digest.combine(optional: connection.path) { $0.combine($1.index) }
      digest.combine(connection.stall.rawValue)
      digest.combine(optional: connection.unnoticedEnd) { $0.combine($1 == .everything) }
      digest.combine(connection.bufferedBytes)
      digest.combine(connection.bufferedWrites.count)
      for write in connection.bufferedWrites { combine(write, into: &digest) }
      digest.combine(connection.inFlight.count)
      for event in connection.inFlight { combine(event, into: &digest) }
      digest.combine(connection.handshakeIsDue)
      digest.combine(connection.timeout != nil)
    }
  }

  private func combineStreams(into digest: inout StateDigest) {
    for (index, stream) in network.streams.rows.enumerated() {
      guard let call = stream.call else { continue }
      digest.combine(index)
      digest.combine(call.index)
      digest.combine(stream.callHasEnded)
      digest.combine(optional: stream.connection) { combine($1, into: &$0) }
      digest.combine(stream.isOpen)
      digest.combine(stream.answerIsDue)
      digest.combine(stream.end != nil)
      digest.combine(stream.message != nil)
    }
  }

  // MARK: What refers to something

  /// A connection by its row, and whether the row is still its own.
  private func combine(_ connection: ConnectionID, into digest: inout StateDigest) {
    digest.combine(connection.index)
    digest.combine(network.links.isCurrent(connection))
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
    digest.combine(optional: lastDelivered) { $0.combine($1.rawValue) }
    digest.combine(lastHeard.rawValue)
    digest.combine(optional: missNext) { $0.combine($1) }
    digest.combine(optional: delayNext) {
      $0.combine($1.length)
      $0.combine($1.cause)
    }
  }
}
