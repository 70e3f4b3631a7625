import HandoverCore
import HandoverSimulation

/// Checks each step of a world against the invariants of its profile.
///
/// The records of the step contain the events and effects of the client. ``StepRules`` checks them
/// in the same way as for a client without a world. The other checks are about what no client can
/// see: that every event of the network reaches it.
struct WorldRules: ~Copyable {
  private let receivesPathEvents: Bool
  private var rules: StepRules
  private var log = EffectLog<ClientEffect>(reserving: 64)

  init(_ setup: WorldSetup) {
    receivesPathEvents = setup.client.profile.transport.hasStreamEvents
    rules = StepRules(setup.client)
  }

  /// The initial mean delays.
  var initial: ExpectedDelays { rules.expected }

  /// Checks a step.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - before: The world before the action.
  ///   - after: The world after the action. Its mean delays and lost calls are updated from those
  ///     before the action.
  ///   - records: The records of the step.
  /// - Returns: The first violation, or `nil` if all invariants hold.
  mutating func check(
    _ action: WorldAction, _ before: borrowing WorldState, _ after: inout WorldState,
    _ records: ContiguousArray<TraceRecord>
  ) -> WorldViolation? {
    setBase(before)
    return checkStep(action, before, &after, records)
  }

  /// Records which objects are alive before one step or before several steps from the same state.
  mutating func setBase(_ before: borrowing WorldState) {
    rules.setBase(before.survey.client)
  }

  /// Checks a step from the state that was last passed to ``setBase(_:)``.
  mutating func checkStep(
    _ action: WorldAction, _ before: borrowing WorldState, _ after: inout WorldState,
    _ records: ContiguousArray<TraceRecord>
  ) -> WorldViolation? {
    log.removeAll()
    var clientEvent: ClientCore.Event?
    for record in records {
      switch record.body {
      case .event(let event): clientEvent = event
      case .effect(let effect): log.append(effect)
      case .world, .chain, .request: break
      }
    }
    rules.expected = before.expected
    if let action = clientAction(action, clientEvent, before.survey) {
      let violation = rules.checkStep(
        action, before.survey.client, after.survey.client, log, at: CanonicalForm.present)
      if let violation { return .client(violation) }
    } else if !log.isEmpty {
      return .actedWithoutEvent
    }
    after.expected = rules.expected
    after.lostCalls = Self.lostCalls(before, after.survey)
    return check(after)
  }

  // MARK: The client

  /// Returns the client's event as an action of the client alone, or `nil` if there is none.
  ///
  /// The result is also `nil` if the event is about an object that the client no longer knows.
  // long: a flat switch with one or two lines per event
  private func clientAction(
    _ action: WorldAction, _ event: ClientCore.Event?, _ before: borrowing WorldSurvey
  ) -> ClientAction? {
    func ofConnection(_ kind: ClientAction.Kind, _ id: ConnectionID) -> ClientAction? {
      guard let position = before.client.position(of: id) else { return nil }
      let host = before.client.connections[position].host
      return ClientAction(
        kind, host: host, position: position - before.client.hosts[host].connections.lowerBound)
    }
    func ofCall(_ kind: ClientAction.Kind, _ awaiting: ClientAction.Kind, _ id: CallID)
      -> ClientAction?
    {
      guard let position = before.client.position(of: id) else { return nil }
      guard position < before.client.calls.count else {
        return ClientAction(awaiting, position: position - before.client.calls.count)
      }
      let host = before.client.calls[position].host
      return ClientAction(
        kind, host: host, position: position - before.client.hosts[host].calls.lowerBound)
    }
    let subject = Int(action.subject)
    switch event {
    case nil:
      switch action.kind {
      case .backoffOver: return ClientAction(.backoffOver, host: subject)
      case .instantOver: return ClientAction(.instantOver)
      default: return nil
      }
    case .reachability(.callback(let flags)):
      return ClientAction(.callback, position: Int(NetworkCategory(flags).rawValue))
    case .reachability(.resynchronized(let flags)):
      return ClientAction(.reread, position: Int(NetworkCategory(flags).rawValue))
    case .reachability(.initialRead): return nil
    case .pool(.callStarted(_, let endpoint, _)):
      return ClientAction(.callStarted, host: Int(endpoint.index), position: Int(action.detail))
    case .pool(.tokenArrived(let id)): return ofCall(.tokenArrived, .tokenArrived, id)
    case .pool(.callCancelled(let id)): return ofCall(.callCancelled, .awaitingCancelled, id)
    case .pool(.streamEnded(let id, _)): return ofCall(.streamEnded, .streamEnded, id)
    case .pool(.messageReceived(let id)): return ofCall(.messageReceived, .messageReceived, id)
    case .pool(.messageQueued(let id, _)): return ofCall(.messageQueued, .messageQueued, id)
    case .pool(.requestFinished(let id)): return ofCall(.requestFinished, .requestFinished, id)
    case .pool(.connected(let id)): return ofConnection(.connected, id)
    case .pool(.connectFailed(let id, let failure)):
      return ofConnection(failure == .nameResolutionFailed ? .nameFailed : .refused, id)
    case .pool(.connectionBroken(let id, _)): return ofConnection(.broken, id)
    case .pool(.connectionDraining(let id)): return ofConnection(.draining, id)
    // For a client, both events mean that bytes were read from the connection.
    case .pool(.pongReceived(let id)), .pool(.dataReceived(let id)):
      return ofConnection(.pongReceived, id)
    case .pool(.disconnectRequested(let endpoint)):
      return ClientAction(.disconnected, host: Int(endpoint.index))
    case .pool(.disconnectAllRequested): return ClientAction(.allDisconnected)
    case .pool(.closed): return nil
    case .pool(.timeElapsed):
      switch action.kind {
      case .deadline:
        return ofCall(.callExpired, .awaitingExpired, before.client.call(subject).id)
      case .keepaliveDue:
        return ofConnection(.keepaliveExpired, before.client.connections[subject].id)
      case .attemptDue: return ClientAction(.attemptExpired, host: subject)
      case .unusedDue: return ClientAction(.unusedExpired, host: subject)
      default: return nil
      }
    }
  }

  // MARK: The world

  /// Returns the calls that may have lost data.
  ///
  /// These are the previously lost calls, and those whose connections now discard their data.
  private static func lostCalls(
    _ before: borrowing WorldState, _ after: borrowing WorldSurvey
  ) -> UInt8 {
    var lost: UInt8 = 0
    for position in 0..<after.client.calls.count {
      let call = after.client.calls[position]
      var isLost =
        call.connection >= 0 && after.connections[call.connection].stall.contains(.discarded)
      if before.lostCalls != 0, let former = before.survey.client.position(of: call.id),
        before.lostCalls & 1 << UInt8(former) != 0
      {
        isLost = true
      }
      if isLost { lost |= 1 << UInt8(position) }
    }
    return lost
  }

  private func check(_ state: borrowing WorldState) -> WorldViolation? {
    for position in 0..<state.survey.connections.count {
      if let violation = checkConnection(position, state) { return violation }
    }
    for position in 0..<state.survey.calls.count {
      if let violation = checkCall(position, state) { return violation }
    }
    return nil
  }

  private func checkConnection(_ position: Int, _ state: borrowing WorldState) -> WorldViolation? {
    let host = state.survey.client.connections[position].host
    switch state.survey.connections[position].phase {
    case .gone:
      return .unknownConnection
    case .dead:
      guard Self.reports(.attemptFailed, .connectionLost, of: position, state) else {
        return .lossNotReported(host: host)
      }
    case .established:
      guard
        state.survey.client.connections[position].phase != .connecting
          || Self.reports(.connected, .connected, of: position, state)
      else { return .connectionNotReported(host: host) }
    case .resolving, .connecting, .handshaking:
      break
    }
    if receivesPathEvents, state.survey.connections[position].stall.contains(.pathLeft) {
      return .deafStream(host: host)
    }
    return nil
  }

  private func checkCall(_ position: Int, _ state: borrowing WorldState) -> WorldViolation? {
    let call = state.survey.client.call(position)
    let one = state.survey.calls[position]
    guard position < state.survey.client.calls.count else {
      return one.tokenIsScheduled || Self.reports(.token, .token, of: position, state)
        ? nil : .tokenLost
    }
    guard call.connection >= 0, state.survey.connections[call.connection].phase == .established,
      state.lostCalls & 1 << UInt8(position) == 0
    else { return nil }
    if Self.reports(.ended, .ended, of: position, state)
      || Self.reports(.connectionLost, .connectionLost, of: call.connection, state)
      || one.request != .none
    {
      return nil
    }
    let isAnswered =
      !call.requestIsComplete || one.finish != .none || one.answerIsScheduled || one.answerIsDue
    return one.isOpen && isAnswered ? nil : .answerLost
  }

  /// Whether an event of one of two kinds is on its way to the client.
  private static func reports(
    _ kind: WorldSurvey.Fact.Kind, _ other: WorldSurvey.Fact.Kind, of subject: Int,
    _ state: borrowing WorldState
  ) -> Bool {
    for position in 0..<state.survey.facts.count {
      let fact = state.survey.facts[position]
      if fact.kind == kind || fact.kind == other, Int(fact.subject) == subject { return true }
    }
    return false
  }
}
