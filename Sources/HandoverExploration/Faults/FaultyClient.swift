package import HandoverCore

/// A client with injected bugs.
///
/// The bugs surround the state machines: they change events before a step, timers and tables
/// between steps, and effects after a step. A step with a bug takes surveys, because its speed does
/// not matter.
struct FaultyClient: ClientDecorator {
  /// The bugs with a name, in the order of their declaration.
  private(set) var defects: [Defect] = []
  /// A change of events or effects.
  var tampering = ClientTampering.none
  /// The calls that were started last, all at one instant; recorded only if they get lost (C10).
  private var newCalls: [CallID] = []
  private var newCallsStarted = Instant.zero
  /// The ended calls that will still be sent (#10302).
  private var lateSends: [LateSend] = []

  private struct LateSend: Hashable, Sendable {
    var call: CallID
    var host: Int
  }

  mutating func add(_ defect: Defect) {
    defects = Defect.allCases.filter { $0 == defect || defects.contains($0) }
  }

  private func has(_ defect: Defect) -> Bool { defects.contains(defect) }

  // MARK: Steps

  mutating func step(
    _ event: ClientCore.Event, of client: inout ClientCore, at now: Instant,
    into effects: inout EffectLog<ClientEffect>
  ) {
    var orders: [ClientEffect] = []
    for received in tampering.received(event, at: now) {
      orders +=
        defects.isEmpty
        ? client.effects(of: received, at: now) : stepDefectively(received, of: &client, at: now)
    }
    for order in tampering.given(orders, after: event) { effects.append(order) }
  }

  private mutating func stepDefectively(
    _ event: ClientCore.Event, of client: inout ClientCore, at now: Instant
  ) -> [ClientEffect] {
    var before = ClientSurvey()
    client.surveyInPlace(into: &before, at: now)
    var change: CategoryChange?
    var kept: (host: Int, backoff: Backoff)?
    var early: [ClientEffect] = []
    switch event {
    case .reachability(let fact):
      change = client.categoryChange(by: fact)
      if has(.ignoredRecovery), change == CategoryChange(from: .noNetwork, to: .wifi) {
        client.observeSilently(fact)
        return []
      }
    case .pool(.callStarted(let call, _, _)):
      noteStart(call, at: now)
    case .pool(.callCancelled(let call)):
      if has(.rearmedDestroyDelay), !client.isLive(call) {
        client.rearmUnused(after: call, at: now)
      }
    case .pool(.connected(let connection)):
      if let host = before.host(attemptedBy: connection), keepsBackoff(before.hosts[host].mean) {
        kept = (host, client.backoff(of: host))
      }
    case .pool(.timeElapsed):
      if has(.earlyTimers) { client.bringForward(before, from: now + .milliseconds(1), to: now) }
      early = missPings(before, of: &client, at: now)
    case .pool:
      break
    }
    if has(.thirdDraining) { forgetThirdDraining(before, of: &client, event, at: now) }
    var orders: [ClientEffect] = []
    client.hidingChannels(of: change == nil ? [] : survivors(before, client)) {
      orders = $0.effects(of: event, at: now)
    }
    if let kept { client.setBackoff(of: kept.host, to: kept.backoff) }
    for order in orders { follow(order, before, of: &client, at: now) }
    return early + changed(orders, before, after: event, isTransition: change != nil, at: now)
  }

  private mutating func noteStart(_ call: CallID, at now: Instant) {
    guard has(.lostCall) else { return }
    if newCallsStarted != now { newCalls = [] }
    newCallsStarted = now
    newCalls.append(call)
  }

  /// Whether a success wrongly keeps the present delay.
  private func keepsBackoff(_ mean: Interval) -> Bool {
    has(.keptBackoff) || has(.keptLongBackoff) && mean > .seconds(5)
  }

  /// Returns the hosts whose channels wrongly outlive a category change.
  ///
  /// The possible reasons are that their delay is the longest one, or that they reconnect while
  /// another of their connections drains.
  private func survivors(_ before: borrowing ClientSurvey, _ client: ClientCore) -> [Int] {
    var survivors: [Int] = []
    for host in 0..<before.hosts.count where before.hosts[host].exists {
      let seen = before.hosts[host]
      let isAtLongest = seen.mean >= client.backoffRules(of: host).maximum
      let isReconnecting = seen.state == .connecting && seen.connections.count > 1
      if has(.keptAtLongest) && isAtLongest || has(.keptWhileConnecting) && isReconnecting {
        survivors.append(host)
      }
    }
    return survivors
  }

  /// Wrongly forgets the third draining connection of each channel that the event destroys.
  private func forgetThirdDraining(
    _ before: borrowing ClientSurvey, of client: inout ClientCore, _ event: ClientCore.Event,
    at now: Instant
  ) {
    var trial = client
    for case .channelDestroyed(let channel, _) in trial.effects(of: event, at: now) {
      let host = Int(channel.endpoint.index)
      let draining = before.hosts[host].connections.filter {
        before.connections[$0].phase == .draining
      }
      if draining.count > 2 { client.forgetDraining(before.connections[draining[2]].id, of: host) }
    }
  }

  /// Replaces the handling of pings and of their timeouts.
  private func missPings(
    _ before: borrowing ClientSurvey, of client: inout ClientCore, at now: Instant
  ) -> [ClientEffect] {
    var effects = EffectLog<ClientEffect>()
    for position in 0..<before.connections.count
    where before.connections[position].keepaliveDue <= now {
      let connection = before.connections[position]
      if !connection.awaitsPong {
        if has(.unpingedDraining), connection.phase == .draining {
          client.disarmKeepalive(of: connection.id)
        }
      } else if has(.drainedByKeepalive) {
        client.disarmKeepalive(of: connection.id)
        client.drain(connection.id, into: &effects)
      } else if has(.keptByKeepalive) {
        client.disarmKeepalive(of: connection.id)
        effects.append(.closeConnection(connection.id))
      }
    }
    return effects.elements
  }

  /// Changes the client after an effect.
  private func follow(
    _ order: ClientEffect, _ before: borrowing ClientSurvey, of client: inout ClientCore,
    at now: Instant
  ) {
    switch order {
    case .callBound(_, let channel, _):
      let host = Int(channel.endpoint.index)
      if has(.keptUnusedDelay), before.hosts[host].unusedDue != .never {
        client.armUnused(host, due: before.hosts[host].unusedDue)
      }
    case .channelMoved(let channel, from: .connecting, to: .transientFailure):
      let host = Int(channel.endpoint.index)
      if has(.wrappedBackoff), client.backoff(of: host).mean > .seconds(30) {
        client.resetBackoff(of: host)
      }
    case .startStream(_, let connection), .sendMessages(_, let connection, _, _),
      .finishStream(_, let connection):
      if has(.pingsPutOff) { _ = client.effects(of: .pool(.dataReceived(connection)), at: now) }
    default:
      break
    }
  }

  // MARK: Effects

  /// Returns the effects that replace those of the state machines.
  private mutating func changed(
    _ orders: [ClientEffect], _ before: borrowing ClientSurvey, after event: ClientCore.Event,
    isTransition: Bool, at now: Instant
  ) -> [ClientEffect] {
    var changed: [ClientEffect] = []
    for order in orders {
      switch order {
      case .resetStream(let call, _):
        // A call that is not notified, or not cancelled, is not reset either.
        if isTransition, isLost(call, at: now) || has(.lateSend) { continue }
      case .endCall(let call, let end):
        let isReset = if case .resetStream(call, _) = changed.last { true } else { false }
        if isTransition {
          lose(call, end, before, isReset: isReset, into: &changed, at: now)
          continue
        }
        if has(.cancelledByDisconnect), event.isDisconnect {
          if before.carrier(of: call) != nil { changed.append(.endCall(call, .cancelledByMistake)) }
          continue
        }
      case .closeConnection(let connection):
        if has(.doubleEnd), case .endCall(let call, _) = changed.last,
          before.carrier(of: call) == connection, before.isDraining(connection)
        {
          changed.append(.endCall(call, .disconnected))
        }
      default:
        break
      }
      changed.append(order)
      if case .channelMoved(let channel, _, .ready) = order,
        case .pool(.connected(let connection)) = event
      {
        sendLate(Int(channel.endpoint.index), on: connection, into: &changed)
      }
    }
    return changed
  }

  /// Ends a call at a category change.
  private mutating func lose(
    _ call: CallID, _ end: CallEnd, _ before: borrowing ClientSurvey, isReset: Bool,
    into effects: inout [ClientEffect], at now: Instant
  ) {
    if isLost(call, at: now) { return }
    // A call that was reset was notified before the pool.
    if has(.overtakenByCancel), before.carrier(of: call) != nil, !isReset {
      effects.append(.endCall(call, .cancelledByMistake))
      return
    }
    if has(.lateSend), let host = before.host(of: call) {
      lateSends.append(LateSend(call: call, host: host))
    }
    effects.append(.endCall(call, end))
  }

  /// Whether a call misses a category change because it started at the same instant (C10).
  private func isLost(_ call: CallID, at now: Instant) -> Bool {
    newCallsStarted == now && newCalls.contains(call)
  }

  /// Sends failed calls when their network returns, as the original client does (#10302).
  private mutating func sendLate(
    _ host: Int, on connection: ConnectionID, into effects: inout [ClientEffect]
  ) {
    for late in lateSends where late.host == host {
      effects.append(.startStream(late.call, connection))
    }
    lateSends.removeAll { $0.host == host }
  }

  // MARK: State

  var distinguishesNewCalls: Bool { has(.lostCall) }

  mutating func endInstant() { newCalls = [] }

  func annotate(_ survey: inout ClientSurvey, at now: Instant) {
    for late in lateSends { survey.hosts[late.host].lateSends += 1 }
    guard newCallsStarted == now else { return }
    for position in 0..<survey.calls.count where newCalls.contains(survey.calls[position].id) {
      survey.calls[position].isJustStarted = true
    }
  }

  mutating func restore(_ survey: borrowing ClientSurvey, at now: Instant) {
    newCalls = []
    newCallsStarted = now
    lateSends = []
    // A restored client numbers its calls in the order of the survey.
    for position in 0..<survey.calls.count where survey.calls[position].isJustStarted {
      newCalls.append(CallID(index: UInt32(truncatingIfNeeded: position), generation: 0))
    }
    for host in 0..<survey.hosts.count {
      // The identifier of the call is unknown, because the call has ended.
      let ended = CallID(index: .max - 1, generation: 0)
      for _ in 0..<survey.hosts[host].lateSends {
        lateSends.append(LateSend(call: ended, host: host))
      }
    }
  }

  func combine(into digest: inout StateDigest, of client: ClientCore) {
    digest.combine(newCallsStarted == digest.now)
    for call in newCalls where newCallsStarted == digest.now {
      digest.combine(call.index)
      digest.combine(client.isLive(call))
    }
    digest.combine(lateSends.count)
    for late in lateSends {
      digest.combine(UInt64(late.call.index) << 32 | UInt64(late.host))
      digest.combine(client.isLive(late.call))
    }
  }
}

extension PoolConfiguration {
  /// Changes the injected bugs of the client.
  mutating func inject(_ change: (inout FaultyClient) -> Void) {
    var client = decoration?.decorator as? FaultyClient ?? FaultyClient()
    change(&client)
    decoration = ClientDecoration(client)
  }

  /// Injects a bug by name.
  package mutating func inject(_ defect: Defect) {
    switch defect {
    case .truncatedDestroyDelay:
      policy.unusedChannelLifetime = policy.unusedChannelLifetime.map {
        Interval(microseconds: $0.microseconds / 1_000_000 * 1_000_000)
      }
    case .endlessBackoff: backoff.maximum = .maximum
    default: inject { $0.add(defect) }
    }
  }
}

extension CallEnd {
  /// The end of the calls that a bug cancels instead of failing them.
  fileprivate static let cancelledByMistake = CallEnd(.cancelled, .channelDisconnected)
}

extension ClientCore.Event {
  fileprivate var isDisconnect: Bool {
    switch self {
    case .pool(.disconnectRequested), .pool(.disconnectAllRequested): true
    default: false
    }
  }
}

extension ClientCore {
  /// Handles one event and returns the resulting effects.
  fileprivate mutating func effects(of event: Event, at now: Instant) -> [ClientEffect] {
    var effects = EffectLog<ClientEffect>()
    step(event, at: now, into: &effects)
    return effects.elements
  }

  /// Makes all timers due at an instant that are due by a later one, in the order in which they
  /// are due.
  fileprivate mutating func bringForward(
    _ seen: borrowing ClientSurvey, from last: Instant, to now: Instant
  ) {
    var timers: [(due: Instant, expire: (inout ClientCore) -> Void)] = []
    for host in 0..<seen.hosts.count {
      timers.append((seen.hosts[host].attemptDue, { $0.expireAttempt(of: host, at: now) }))
      timers.append((seen.hosts[host].unusedDue, { $0.expireUnused(host, at: now) }))
    }
    for position in 0..<seen.connections.count {
      let id = seen.connections[position].id
      timers.append(
        (seen.connections[position].keepaliveDue, { $0.expireKeepalive(of: id, at: now) }))
    }
    for position in 0..<seen.calls.count {
      let id = seen.calls[position].id
      timers.append((seen.calls[position].deadline, { $0.expire(id, at: now) }))
    }
    for position in 0..<seen.awaitingTokens.count {
      let id = seen.awaitingTokens[position].id
      timers.append((seen.awaitingTokens[position].deadline, { $0.expire(id, at: now) }))
    }
    for timer in timers.sorted(by: { $0.due < $1.due }) where timer.due > now && timer.due <= last {
      timer.expire(&self)
    }
  }
}

extension ClientSurvey {
  /// The index of a call, or `nil` if it is not bound to a channel.
  private func position(of call: CallID) -> Int? {
    for position in 0..<calls.count where calls[position].id == call { return position }
    return nil
  }

  fileprivate func host(of call: CallID) -> Int? { position(of: call).map { calls[$0].host } }

  /// The connection that carries a call, or `nil` if there is none.
  fileprivate func carrier(of call: CallID) -> ConnectionID? {
    guard let position = position(of: call), calls[position].connection >= 0 else { return nil }
    return connections[calls[position].connection].id
  }

  /// The host to which a connection is being opened, or `nil` if it is not.
  fileprivate func host(attemptedBy connection: ConnectionID) -> Int? {
    for position in 0..<connections.count
    where connections[position].id == connection && connections[position].phase == .connecting {
      return connections[position].host
    }
    return nil
  }

  fileprivate func isDraining(_ connection: ConnectionID) -> Bool {
    for position in 0..<connections.count where connections[position].id == connection {
      return connections[position].phase == .draining
    }
    return false
  }
}
