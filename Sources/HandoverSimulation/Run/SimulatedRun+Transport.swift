import HandoverBackend
import HandoverCore
import HandoverTrace

/// When a transport elsewhere has its turn, as the agendas have it.
struct TransportTurns: Hashable, Sendable {
  /// A turn on an agenda.
  struct Turn: Hashable, Sendable {
    var at: Instant
    var handle: Agenda<Happening>.Handle
  }

  /// The one before which the run is not over.
  var pressing: Turn?
  /// An earlier one that is merely periodic.
  var periodic: Turn?
}

// A transport elsewhere, in the place of the simulated network and its servers. Of the connections
// only what the client knows of them is kept here.
extension SimulatedRun {
  mutating func open(_ transport: any RemoteTransport) {
    failure = nil
    transportTurns = TransportTurns()
    do throws(BackendError) {
      try transport.open(script, profile: profile)
    } catch {
      failure = error
    }
    arrangeTurns(transport.deadlines)
  }

  /// Tells the transport of a fact; its reports about connections reach the client in the turn of
  /// the transports, as the simulated network's do.
  ///
  /// Never inlined, because the orders that lead here are: a run without such a transport would
  /// pay for it.
  @inline(never)
  mutating func tellTransport(_ fact: TransportFact) {
    guard failure == nil, let transport else { return }
    reports.removeAll(keepingCapacity: true)
    do throws(BackendError) {
      try transport.tell(fact, at: now, into: &reports)
    } catch {
      failure = error
      return
    }
    for report in reports { take(report) }
    arrangeTurns(transport.deadlines)
  }

  @inline(never)
  mutating func tellTransport(_ write: Write, of call: CallID?, to connection: ConnectionID) {
    let place = call.map { self.place(of: $0) } ?? UInt32.max
    switch write {
    case .request:
      let asked = script.calls[Int(place)]
      streams[Int(place)].connection = connection
      tellTransport(
        .send(
          connection, call: place,
          ServerAnswer(kind: asked.kind, takes: asked.takes, every: asked.every)))
    case .messages(let count, let bytes):
      tellTransport(.sendMessages(connection, call: place, count: count, bytes: bytes))
    case .finish: tellTransport(.finish(connection, call: place))
    case .reset: tellTransport(.reset(connection, call: place))
    case .ping: tellTransport(.ping(connection))
    }
  }

  private mutating func take(_ report: TransportReport) {
    switch report {
    case .connected(let id): schedule(.connected(id), of: id)
    case .connectFailed(let id, let failure): schedule(.connectFailed(id, failure), of: id)
    case .broken(let id, let failure): schedule(.connectionBroken(id, failure), of: id)
    case .draining(let id): schedule(.connectionDraining(id), of: id)
    case .pong(let id): schedule(.pongReceived(id), of: id)
    case .message(let call):
      guard let id = streams[Int(call)].call else { return }
      schedule(.messageReceived(id), of: streams[Int(call)].connection)
    case .ended(let call, let code):
      guard let id = streams[Int(call)].call else { return }
      schedule(.streamEnded(id, code), of: streams[Int(call)].connection)
    case .moved(let id): trace.append(.world(.attemptMoved(id, device.path)), at: now)
    case .stalled(let id): trace.append(.world(.connectionStalled(id)), at: now)
    case .resumed(let id): trace.append(.world(.connectionResumed(id)), at: now)
    case .sendBufferFull(let id): trace.append(.world(.sendBufferFull(id)), at: now)
    case .readRequest(let call):
      let host = UInt32(truncatingIfNeeded: serverHost(call))
      trace.append(.world(.serverReadRequest(host: host, call: call)), at: now)
    case .readMessages(let call, let count):
      let host = UInt32(truncatingIfNeeded: serverHost(call))
      trace.append(.world(.serverReadMessages(host: host, call: call, count: count)), at: now)
    case .tookEffect(let entry): markEffect(of: entry)
    }
  }

  private mutating func schedule(_ event: ChannelPool.Event, of connection: ConnectionID?) {
    guard let connection else { return }
    agenda.schedule(.reported(connection, event), at: now, .transport)
  }

  /// A report reaches the client, unless it has closed the connection since.
  mutating func reported(_ event: ChannelPool.Event, of connection: ConnectionID) {
    guard isTold(connection) else { return }
    switch event {
    case .connected:
      change(Int(connection.index)) { $0.phase = .established }
    case .connectFailed, .connectionBroken:
      change(Int(connection.index)) { $0.phase = .dead }
    case .connectionDraining, .pongReceived, .messageReceived, .streamEnded, .callStarted,
      .tokenArrived, .messageQueued, .requestFinished, .callCancelled, .disconnectRequested,
      .disconnectAllRequested, .timeElapsed, .closed:
      break
    }
    tell(.pool(event))
  }

  // MARK: Time

  mutating func takeTransportTurn() {
    // What has come is not on the agenda any more.
    if let turn = transportTurns.pressing, turn.at <= now { transportTurns.pressing = nil }
    if let turn = transportTurns.periodic, turn.at <= now { transportTurns.periodic = nil }
    tellTransport(.timeElapsed)
  }

  private mutating func arrangeTurns(_ deadlines: TransportDeadlines) {
    let pressing = deadlines.pressing.map { max(now, $0) }
    if transportTurns.pressing?.at != pressing {
      if let old = transportTurns.pressing { agenda.cancel(old.handle) }
      transportTurns.pressing = pressing.map {
        TransportTurns.Turn(at: $0, handle: agenda.schedule(.transportTurn, at: $0, .transport))
      }
    }
    // The pressing one comes to both agendas' ends.
    var later = deadlines.next.map { max(now, $0) }
    if let pressing, let due = later, due >= pressing { later = nil }
    if transportTurns.periodic?.at != later {
      if let old = transportTurns.periodic { periodic.cancel(old.handle) }
      transportTurns.periodic = later.map {
        TransportTurns.Turn(at: $0, handle: periodic.schedule(.transportTurn, at: $0, .transport))
      }
    }
  }
}
