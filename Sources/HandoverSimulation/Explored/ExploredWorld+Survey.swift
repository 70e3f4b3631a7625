import HandoverBackend
import HandoverCore

extension ExploredWorld {
  /// Writes the state that determines the world's future behavior into a survey.
  ///
  /// - Parameter survey: is replaced; its memory is reused.
  package mutating func survey(into survey: inout WorldSurvey) {
    world.client.calls.survey(into: &survey.client, at: now)
    survey.removeAll()
    survey.device = world.context.device
    let lastDelivered = world.monitor.lastDelivered.map { NetworkCategory($0) }
    survey.canDouble = lastDelivered == survey.client.category
    survey.holdsCallback = world.client.calls.held.hasCallback
    for host in 0..<hosts {
      survey.silent.append(world.network.links.hosts[host].server == .silent)
    }
    for position in 0..<survey.client.connections.count {
      surveyConnection(position, into: &survey)
    }
    forgetUnusedPaths(&survey)
    for position in 0..<survey.client.callCount { surveyCall(position, into: &survey) }
    for position in 0..<survey.connections.count { surveyWrites(of: position, into: &survey) }
    for host in 0..<hosts { surveyUnread(of: host, into: &survey) }
    for event in world.client.calls.held.events { add(event, .held, 0, into: &survey) }
    world.context.agenda.forEach { event, _, _ in add(event, into: &survey) }
    if survey.client.calls.count > 1 { survey.sortCalls() }
    if survey.client.awaitingTokens.count > 1 { survey.sortAwaiting() }
  }

  private func surveyConnection(_ position: Int, into survey: inout WorldSurvey) {
    let id = survey.client.connections[position].id
    var one = WorldSurvey.Connection()
    defer { survey.connections.append(one) }
    guard world.network.links.isCurrent(id) else {
      one.phase = .gone
      return
    }
    // Fields are read one by one, because reading a whole row copies everything that it references.
    let row = Int(id.index)
    one.phase = world.network.links.connections[row].phase
    guard one.phase.hasSocket else { return }
    one.path = world.network.links.connections[row].path
    one.stall = world.network.links.connections[row].stall
    one.isUnacknowledged = world.network.links.connections[row].timeout != nil
    one.handshakeIsDue = world.network.links.connections[row].handshakeIsDue
  }

  /// Removes paths that were kept alive but carry no connection, because they affect nothing.
  private func forgetUnusedPaths(_ survey: inout WorldSurvey) {
    guard survey.device.keptAlive != [] else { return }
    var used: PathSet = []
    for connection in survey.connections {
      if let path = connection.path { used.formUnion(PathSet(path)) }
    }
    survey.device = Device(
      flags: survey.device.flags, path: survey.device.path,
      keptAlive: survey.device.keptAlive.intersection(used), app: survey.device.app)
  }

  private func surveyCall(_ position: Int, into survey: inout WorldSurvey) {
    var one = WorldSurvey.Call()
    defer { survey.calls.append(one) }
    guard position < survey.client.calls.count else { return }
    // `failsFast` is evaluated only when the call gets its channel, so it no longer matters.
    survey.client.calls[position].failsFast = false
    let carrier = survey.client.calls[position].connection
    guard carrier >= 0, survey.connections[carrier].phase == .established else { return }
    let slot = world.network.streams.index(of: survey.client.calls[position].id)
    guard world.network.streams[slot].isOpen,
      world.network.streams[slot].connection == survey.client.connections[carrier].id
    else { return }
    one.isOpen = true
    one.answerIsDue = world.network.streams[slot].answerIsDue
  }

  private func surveyWrites(of position: Int, into survey: inout WorldSurvey) {
    // A server can end a connection before it has sent its SETTINGS.
    let phase = survey.connections[position].phase
    guard phase == .established || phase == .handshaking else { return }
    let row = Int(survey.client.connections[position].id.index)
    if !world.network.links.connections[row].bufferedWrites.isEmpty {
      for write in world.network.links.connections[row].bufferedWrites {
        note(write, .buffered, into: &survey)
      }
    }
    if !world.network.links.connections[row].inFlight.isEmpty {
      for fact in world.network.links.connections[row].inFlight {
        guard let event = ChannelPool.Event(fact) else { continue }
        add(event, .stalled, UInt8(truncatingIfNeeded: position), into: &survey)
      }
    }
  }

  private func surveyUnread(of host: Int, into survey: inout WorldSurvey) {
    guard !world.network.links.hosts[host].unread.isEmpty else { return }
    for write in world.network.links.hosts[host].unread
    where world.network.links.isEstablished(write.connection) {
      note(write, .unread, into: &survey)
    }
  }

  /// Records where a write is.
  ///
  /// Writes of ended calls are ignored. For messages, only the missing acknowledgment is recorded.
  private func note(
    _ write: CarriedWrite, _ carriage: WorldSurvey.Carriage, into survey: inout WorldSurvey
  ) {
    switch write.write {
    case .ping:
      guard let position = survey.client.position(of: write.connection) else { return }
      survey.connections[position].ping = carriage
    case .request, .finish:
      guard let id = world.network.streams[write.call].call,
        let position = survey.client.position(of: id), position < survey.client.calls.count
      else { return }
      if write.write == .request {
        survey.calls[position].request = carriage
      } else {
        survey.calls[position].finish = carriage
      }
    case .messages, .reset:
      break
    }
  }

  // MARK: Events in transit

  private func add(_ event: ScheduledEvent, into survey: inout WorldSurvey) {
    switch event {
    case .callback(let flags, let overruns):
      guard !world.monitor.isLost(sentAfter: overruns) else { return }
      survey.callbacks.append(NetworkCategory(flags).rawValue)
    case .freshRead:
      survey.callbacks.append(WorldSurvey.freshRead)
    case .handshake(let id):
      guard let position = survey.client.position(of: id),
        survey.connections[position].phase == .connecting
          || survey.connections[position].phase == .handshaking
      else { return }
      survey.connections[position].handshakeIsScheduled = true
    case .news(let id, let fact):
      arrive(fact, on: id, in: .dead, into: &survey)
    case .arrival(let id, let fact):
      arrive(fact, on: id, in: .established, into: &survey)
    case .answerEnds(let slot):
      guard let id = world.network.streams[slot].call,
        let position = survey.client.position(of: id),
        survey.calls[position].isOpen
      else { return }
      survey.calls[position].answerIsScheduled = true
    case .token(let slot):
      guard let id = world.network.streams[slot].call,
        let position = survey.client.position(of: id),
        position >= survey.client.calls.count
      else { return }
      survey.calls[position].tokenIsScheduled = true
    case .heldEvent(let event):
      add(event, .released, 0, into: &survey)
    case .nameAnswer, .tcpTimeout, .transportTurn, .answerBegins, .answerMessage, .chainAnswer,
      .heldOrders, .networkChange, .writeArrives, .factArrives, .idleTimeout,
      .challengeArrives, .responseArrives, .validationTimer, .addressAnswers:
      break
    }
  }

  private func arrive(
    _ fact: NetworkFact, on id: ConnectionID, in phase: LinkPhase, into survey: inout WorldSurvey
  ) {
    guard let event = ChannelPool.Event(fact), let position = survey.client.position(of: id),
      survey.connections[position].phase == phase
    else { return }
    add(event, .arriving, UInt8(truncatingIfNeeded: position), into: &survey)
  }

  /// Adds an event that is in transit to the client, if the client still knows its subject.
  private func add(
    _ event: ChannelPool.Event, _ queue: WorldSurvey.Queue, _ owner: UInt8,
    into survey: inout WorldSurvey
  ) {
    guard let kind = WorldSurvey.Fact.Kind(event) else { return }
    let subject: Int?
    var detail: UInt8 = 0
    switch event {
    case .connected(let id), .pongReceived(let id), .dataReceived(let id):
      subject = survey.client.position(of: id)
    case .connectionDraining(let id):
      subject = survey.client.position(of: id).flatMap {
        survey.client.connections[$0].phase == .draining ? nil : $0
      }
    case .connectFailed(let id, let failure):
      // The client distinguishes only unknown names from other failures. The text that its user
      // reads is not part of the state.
      subject = survey.client.position(of: id)
      let isNameFailure = failure == .nameResolutionFailed
      detail = (isNameFailure ? failure : ConnectionFailure.refused).rawValue
    case .connectionBroken(let id, _):
      subject = survey.client.position(of: id)
      detail = ConnectionFailure.reset.rawValue
    case .messageReceived(let id), .tokenArrived(let id):
      subject = survey.client.position(of: id)
    case .streamEnded(let id, let code):
      subject = survey.client.position(of: id)
      detail = UInt8(truncatingIfNeeded: code.rawValue)
    default:
      subject = nil
    }
    guard let subject else { return }
    let fact = WorldSurvey.Fact(
      queue: queue, kind: kind, owner: owner, subject: UInt8(truncatingIfNeeded: subject),
      detail: detail)
    // Only the first announcement that a server accepts no new calls has an effect. Events in
    // transit on a stalled connection cannot overtake those that stalled earlier.
    if kind == .draining, queue == .arriving || queue == .stalled,
      let position = survey.facts.firstIndex(where: {
        $0.kind == .draining && $0.subject == fact.subject
          && ($0.queue == .arriving || $0.queue == .stalled)
      })
    {
      if queue == .arriving || survey.facts[position].queue == .stalled { return }
      survey.removeFact(at: position)
    }
    // A repeated fact has no effect, and neither has a fact that follows the end of its connection.
    for position in 0..<survey.facts.count where survey.facts[position].queue == queue {
      let other = survey.facts[position]
      if other == fact, kind == .draining || kind == .message { return }
      if other.kind == .connectionLost, isOver(fact, after: other, in: survey) { return }
    }
    survey.append(fact)
  }

  /// Returns whether a fact is about a connection that an earlier fact has ended.
  private func isOver(
    _ fact: WorldSurvey.Fact, after end: WorldSurvey.Fact, in survey: borrowing WorldSurvey
  ) -> Bool {
    switch fact.kind {
    case .connected, .attemptFailed, .connectionLost, .draining, .pong:
      return fact.subject == end.subject
    case .message, .ended:
      let call = survey.client.call(Int(fact.subject))
      return call.connection == Int(end.subject)
    case .token:
      return false
    }
  }
}
