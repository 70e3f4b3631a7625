import HandoverBackend
import HandoverCore

extension ExploredWorld {
  /// Restores the world from a survey, and reuses the memory of its tables.
  ///
  /// - Parameter survey: the state to restore. Its identifiers are those that the client assigns
  ///   when it is restored from the survey.
  package mutating func restore(_ survey: borrowing WorldSurvey) {
    forget()
    world.context.now = now
    world.context.steps = 0
    world.context.looks = 0
    world.context.agenda.removeAll()
    world.context.device = survey.device
    world.client.calls.restore(survey.client, at: now)
    restoreHosts(survey)
    restoreConnections(survey)
    restoreCalls(survey)
    restoreFacts(survey)
    restoreCallbacks(survey)
  }

  private mutating func restoreHosts(_ survey: borrowing WorldSurvey) {
    for host in 0..<hosts {
      world.network.links.hosts[host].server = survey.silent[host] ? .silent : .accept
      // The result of a lookup is an action that the exploration chooses when the lookup ends.
      world.network.links.hosts[host].names = .hang
      world.network.links.hosts[host].established = 0
      world.network.links.hosts[host].disturbed = 0
      world.network.links.hosts[host].unread.empty()
      world.network.links.hosts[host].dueAnswers.empty()
    }
    world.network.links.unhealthy = 0
  }

  private mutating func restoreConnections(_ survey: borrowing WorldSurvey) {
    handshakes.fill(nil, count: survey.connections.count)
    world.network.links.forgetConnections()
    for position in 0..<survey.connections.count {
      let one = survey.connections[position]
      let host = UInt32(truncatingIfNeeded: survey.client.connections[position].host)
      let id = survey.client.connections[position].id
      world.network.links.put(id, to: host, on: one.path)
      world.network.links.change(position) {
        $0.phase = one.phase
        $0.stall = one.stall
        $0.handshakeIsDue = one.handshakeIsDue
        $0.isKnown = survey.client.connections[position].phase != .connecting
        // The built-in client puts no call on a draining connection, whatever the reason for
        // draining.
        $0.isDraining = survey.client.connections[position].phase == .draining
      }
      if one.isUnacknowledged {
        world.network.links.connections[position].timeout = world.context.schedule(
          .tcpTimeout(id), after: world.context.configuration.tcpTimeout)
      }
      if one.handshakeIsScheduled {
        handshakes[position] = world.context.schedule(.handshake(id))
      }
      switch one.ping {
      case .none: break
      case .buffered, .unread: carry(.ping, .max, on: position, one.ping, survey)
      }
    }
  }

  private mutating func restoreCalls(_ survey: borrowing WorldSurvey) {
    world.network.streams.open(count: world.context.script.calls.count, world.network.traits)
    tokens.fill(nil, count: survey.calls.count)
    for position in 0..<survey.calls.count {
      let one = survey.calls[position]
      let known = survey.client.call(position)
      let slot = UInt32(truncatingIfNeeded: slot(position))
      world.network.streams.introduce(slot, as: known.id, &world.network.links, &world.context)
      if one.tokenIsScheduled { tokens[position] = world.context.schedule(.token(slot)) }
      guard known.connection >= 0 else { continue }
      if one.isOpen {
        let connection = survey.client.connections[known.connection].id
        world.network.streams.link(slot, to: connection, &world.network.links)
        world.network.streams[slot].isOpen = true
        world.network.streams[slot].answerIsDue = one.answerIsDue
        if one.answerIsScheduled {
          world.network.streams[slot].end = world.context.schedule(.answerEnds(slot))
        }
        if one.answerIsDue {
          world.network.links.hosts[known.host].dueAnswers.append(slot)
        }
      }
      carry(.request, slot, on: known.connection, one.request, survey)
      carry(.finish, slot, on: known.connection, one.finish, survey)
    }
  }

  /// Places a pending write at the position that the survey records.
  private mutating func carry(
    _ write: Write, _ slot: UInt32, on connection: Int, _ carriage: WorldSurvey.Carriage,
    _ survey: borrowing WorldSurvey
  ) {
    guard carriage != .none else { return }
    let written = CarriedWrite(
      connection: survey.client.connections[connection].id, call: slot, write: write)
    if carriage == .buffered {
      world.network.links.connections[connection].bufferedWrites.append(written)
    } else {
      let host = survey.client.connections[connection].host
      world.network.links.hosts[host].unread.append(written)
    }
  }

  private mutating func restoreFacts(_ survey: borrowing WorldSurvey) {
    facts.removeAll(keepingCapacity: true)
    for position in 0..<survey.facts.count {
      let fact = survey.facts[position]
      guard let reported = self.fact(fact, survey) else { continue }
      let owner = Int(fact.owner)
      var event = ScheduledEvent.heldOrders
      var handle: Agenda<ScheduledEvent>.Handle?
      switch fact.queue {
      case .arriving:
        let id = survey.client.connections[owner].id
        event =
          survey.connections[owner].phase == .dead ? .news(id, reported) : .arrival(id, reported)
        handle = world.context.schedule(event)
      case .stalled:
        world.network.links.connections[owner].inFlight.append(reported)
      case .held:
        if let reported = heldEvent(reported, fact, survey) {
          _ = world.client.calls.held.hold(.pool(reported))
        }
      case .released:
        if let reported = heldEvent(reported, fact, survey) {
          event = .heldEvent(reported)
          handle = world.context.schedule(event)
        }
      }
      facts.append((event, handle))
    }
    if survey.holdsCallback {
      _ = world.client.calls.held.hold(.reachability(.callback(world.context.device.flags)))
    }
  }

  /// Returns the event that the application receives.
  ///
  /// A token does not come from the network.
  private func heldEvent(
    _ reported: NetworkFact, _ fact: WorldSurvey.Fact, _ survey: borrowing WorldSurvey
  ) -> ChannelPool.Event? {
    fact.kind == .token
      ? .tokenArrived(survey.client.call(Int(fact.subject)).id) : ChannelPool.Event(reported)
  }

  private func fact(_ fact: WorldSurvey.Fact, _ survey: borrowing WorldSurvey) -> NetworkFact? {
    let subject = Int(fact.subject)
    var connection: ConnectionID { survey.client.connections[subject].id }
    var call: CallID { survey.client.call(subject).id }
    let failure = ConnectionFailure(rawValue: fact.detail) ?? .reset
    return switch fact.kind {
    case .connected: .connected(connection)
    case .attemptFailed: .attemptFailed(connection, failure)
    case .connectionLost: .connectionLost(connection, failure)
    case .draining: .draining(connection)
    case .pong: .pong(connection)
    case .message, .token: .message(call)
    case .ended: .ended(call, StatusCode(rawValue: fact.detail) ?? .ok)
    }
  }

  private mutating func restoreCallbacks(_ survey: borrowing WorldSurvey) {
    callbacks.removeAll(keepingCapacity: true)
    var underWay = 0
    for position in 0..<survey.callbacks.count {
      let raw = survey.callbacks[position]
      var event = ScheduledEvent.freshRead
      if raw != WorldSurvey.freshRead {
        underWay += 1
        let category = NetworkCategory(rawValue: raw) ?? .noNetwork
        event = .callback(ClientCore.flags(of: category) ?? [], overruns: 0)
      }
      callbacks.append(
        (event, world.context.agenda.schedule(event, at: world.context.now, .callback)))
    }
    world.monitor.restore(
      underWay: underWay,
      lastDelivered: survey.canDouble ? ClientCore.flags(of: survey.client.category) : nil)
  }

  // MARK: A world with a history

  /// Collects all pending events, so that they can happen out of order, in a world that was not
  /// restored from a survey.
  ///
  /// - Parameter survey: the current state of the world.
  package mutating func takeUp(_ survey: borrowing WorldSurvey) {
    // As in a restored world, a callback that cannot be duplicated now can never be duplicated.
    if !survey.canDouble { world.monitor.forgetDelivered() }
    var items: [(event: ScheduledEvent, due: Instant, phase: Phase)] = []
    world.context.agenda.forEach { items.append(($0, $1, $2)) }
    world.context.agenda.removeAll()
    handshakes.fill(nil, count: survey.connections.count)
    tokens.fill(nil, count: survey.calls.count)
    callbacks.removeAll()
    facts.removeAll()
    for _ in survey.facts { facts.append((.heldOrders, nil)) }
    for item in items {
      let handle = world.context.agenda.schedule(item.event, at: item.due, item.phase)
      takeUp(item.event, handle, survey)
    }
  }

  private mutating func takeUp(
    _ event: ScheduledEvent, _ handle: Agenda<ScheduledEvent>.Handle,
    _ survey: borrowing WorldSurvey
  ) {
    switch event {
    case .callback(_, let overruns):
      if !world.monitor.isLost(sentAfter: overruns) { callbacks.append((event, handle)) }
    case .freshRead:
      callbacks.append((event, handle))
    case .handshake(let id):
      if let position = survey.client.position(of: id), handshakes[position] == nil {
        handshakes[position] = handle
      }
    case .tcpTimeout(let id):
      if world.network.links.isCurrent(id) {
        world.network.links.connections[Int(id.index)].timeout = handle
      }
    case .nameAnswer(let id):
      if world.network.links.isCurrent(id) {
        world.network.links.connections[Int(id.index)].nameAnswer = handle
      }
    case .answerEnds(let slot):
      world.network.streams[slot].end = handle
    case .token(let slot):
      if let id = world.network.streams[slot].call, let position = survey.client.position(of: id) {
        tokens[position] = handle
      }
    case .news(_, let fact), .arrival(_, let fact):
      if let reported = ChannelPool.Event(fact) {
        takeUp(event, reported, .arriving, handle, survey)
      }
    case .heldEvent(let reported):
      takeUp(event, reported, .released, handle, survey)
    case .transportTurn, .answerBegins, .answerMessage, .chainAnswer, .heldOrders,
      .networkChange, .writeArrives, .factArrives, .idleTimeout,
      .challengeArrives, .responseArrives, .validationTimer, .addressAnswers:
      break
    }
  }

  private mutating func takeUp(
    _ event: ScheduledEvent, _ reported: ChannelPool.Event, _ queue: WorldSurvey.Queue,
    _ handle: Agenda<ScheduledEvent>.Handle, _ survey: borrowing WorldSurvey
  ) {
    for position in survey.facts.indices where facts[position].handle == nil {
      let fact = survey.facts[position]
      guard fact.queue == queue, WorldSurvey.Fact.Kind(reported) == fact.kind else { continue }
      let subject = Int(fact.subject)
      let isMeant =
        switch reported {
        case .connected(let id), .connectFailed(let id, _), .connectionBroken(let id, _),
          .connectionDraining(let id), .pongReceived(let id), .dataReceived(let id):
          survey.client.position(of: id) == subject
        case .messageReceived(let id), .streamEnded(let id, _), .tokenArrived(let id):
          survey.client.position(of: id) == subject
        default: false
        }
      guard isMeant else { continue }
      facts[position] = (event, handle)
      return
    }
  }
}
