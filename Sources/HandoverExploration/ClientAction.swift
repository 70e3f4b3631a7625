import HandoverCore

/// An action: one thing that can happen to a client.
///
/// An action names hosts and positions instead of identifiers. It therefore means the same for
/// every client in the same canonical state, whatever rows and generations that client uses.
package struct ClientAction: BitwiseCopyable, Hashable, Sendable {
  package enum Kind: UInt8, BitwiseCopyable, Hashable, Sendable {
    /// A reachability callback; `position` is the raw value of the category.
    case callback
    /// Callbacks were lost and the client rereads the flags; `position` is the raw value of the
    /// category.
    case reread
    /// A call starts; `position` is the raw value of its ``ExploredCallKind``.
    case callStarted
    /// The token of a call arrives; `position` is the position among the calls that wait for a
    /// token.
    case tokenArrived
    /// The user cancels a call that waits for its token.
    case awaitingCancelled
    /// The deadline of a call that waits for its token passes.
    case awaitingExpired
    /// Something happens to a call of a host; `position` is the position among the host's calls.
    case callCancelled
    case callExpired
    case streamEnded
    case messageReceived
    case messageQueued
    case requestFinished
    /// The connection attempt of a host succeeds or fails.
    case connected
    case refused
    case nameFailed
    case attemptBroken
    /// Something happens to a connection; `position` is the position among the host's connections.
    case broken
    case draining
    case pongReceived
    case keepaliveExpired
    /// The user disconnects one host or all hosts.
    case disconnected
    case allDisconnected
    /// Time passes until the instant ends or until one timer fires.
    case instantOver
    case backoffOver
    case attemptExpired
    case unusedExpired
  }

  package var kind: Kind
  package var host: UInt8
  package var position: UInt8

  package init(_ kind: Kind, host: Int = 0, position: Int = 0) {
    self.kind = kind
    self.host = UInt8(clamping: host)
    self.position = UInt8(clamping: position)
  }
}

/// The way in which a call starts.
package enum ExploredCallKind: UInt8, Hashable, Sendable {
  /// The call waits until its channel is ready.
  case waits
  /// The call fails immediately if its channel is in TRANSIENT_FAILURE.
  case failsFast
  /// The call has a deadline.
  case hasDeadline
  /// The call waits for its token first, and then for its channel.
  case awaitsToken
  /// The call sends messages until the user finishes its request.
  case sends

  func settings(at now: Instant) -> CallSettings {
    switch self {
    case .waits: CallSettings()
    case .failsFast: CallSettings(failsFast: true)
    case .hasDeadline: CallSettings(deadline: now + CanonicalForm.far)
    case .awaitsToken: CallSettings(awaitsToken: true)
    case .sends: CallSettings(requestIsComplete: false)
    }
  }
}

extension ExplorationSetup {
  /// The kinds of call that the exploration starts.
  var callKinds: [ExploredCallKind] {
    var kinds: [ExploredCallKind] = [.waits, .failsFast]
    if extras.contains(.deadlines) { kinds.append(.hasDeadline) }
    if extras.contains(.tokens) { kinds.append(.awaitsToken) }
    if extras.contains(.messages) { kinds.append(.sends) }
    return kinds
  }

  /// Lists every action that is possible next.
  ///
  /// User actions precede timers. Of two paths of equal length, the exploration therefore finds the
  /// one that waits for fewer timers. Such a path can usually be replayed in real time too.
  ///
  /// - Parameters:
  ///   - seen: The state of the client.
  ///   - now: The current instant.
  ///   - actions: Receives the actions; its previous content is discarded.
  func list(
    _ seen: borrowing ClientSurvey, at now: Instant, into actions: inout Rows<ClientAction>
  ) {
    actions.removeAll()
    if profile.policy.monitorsReachability {
      for category in [NetworkCategory.wifi, .cellular, .noNetwork] {
        actions.append(ClientAction(.callback, position: Int(category.rawValue)))
        if extras.contains(.rereads) {
          actions.append(ClientAction(.reread, position: Int(category.rawValue)))
        }
      }
    }
    if seen.calls.count + seen.awaitingTokens.count < calls {
      for host in 0..<hosts {
        for kind in callKinds {
          actions.append(ClientAction(.callStarted, host: host, position: Int(kind.rawValue)))
        }
      }
    }
    for position in 0..<seen.awaitingTokens.count {
      actions.append(ClientAction(.tokenArrived, position: position))
      actions.append(ClientAction(.awaitingCancelled, position: position))
      if seen.awaitingTokens[position].deadline != .never {
        actions.append(ClientAction(.awaitingExpired, position: position))
      }
    }
    var existing = 0
    for host in 0..<hosts where seen.hosts[host].exists {
      existing += 1
      listConnections(of: host, seen, into: &actions)
      listCalls(of: host, seen, into: &actions)
      actions.append(ClientAction(.disconnected, host: host))
    }
    if existing > 1 { actions.append(ClientAction(.allDisconnected)) }
    if distinguishesNewCalls, seen.hasJustStarted {
      actions.append(ClientAction(.instantOver))
    }
    for host in 0..<hosts where seen.hosts[host].exists {
      if seen.hosts[host].attemptDue != .never {
        actions.append(ClientAction(.attemptExpired, host: host))
      }
      if seen.hosts[host].notBefore > now { actions.append(ClientAction(.backoffOver, host: host)) }
      if seen.hosts[host].unusedDue != .never {
        actions.append(ClientAction(.unusedExpired, host: host))
      }
    }
  }

  private func listConnections(
    of host: Int, _ seen: borrowing ClientSurvey, into actions: inout Rows<ClientAction>
  ) {
    let connections = seen.hosts[host].connections
    for index in connections {
      let position = index - connections.lowerBound
      switch seen.connections[index].phase {
      case .connecting:
        actions.append(ClientAction(.connected, host: host))
        actions.append(ClientAction(.refused, host: host))
        actions.append(ClientAction(.nameFailed, host: host))
        actions.append(ClientAction(.attemptBroken, host: host))
      case .established:
        actions.append(ClientAction(.broken, host: host, position: position))
        actions.append(ClientAction(.draining, host: host, position: position))
      case .draining:
        actions.append(ClientAction(.broken, host: host, position: position))
      }
      if seen.connections[index].awaitsPong {
        actions.append(ClientAction(.pongReceived, host: host, position: position))
      }
      if seen.connections[index].keepaliveDue != .never {
        actions.append(ClientAction(.keepaliveExpired, host: host, position: position))
      }
    }
  }

  private func listCalls(
    of host: Int, _ seen: borrowing ClientSurvey, into actions: inout Rows<ClientAction>
  ) {
    let calls = seen.hosts[host].calls
    for index in calls {
      let position = index - calls.lowerBound
      actions.append(ClientAction(.callCancelled, host: host, position: position))
      let call = seen.calls[index]
      if call.connection >= 0 {
        actions.append(ClientAction(.streamEnded, host: host, position: position))
        actions.append(ClientAction(.messageReceived, host: host, position: position))
      }
      if call.deadline != .never {
        actions.append(ClientAction(.callExpired, host: host, position: position))
      }
      if extras.contains(.messages), !call.requestIsComplete {
        actions.append(ClientAction(.messageQueued, host: host, position: position))
        actions.append(ClientAction(.requestFinished, host: host, position: position))
      }
    }
  }
}

extension ClientCore {
  /// Performs an action.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - seen: The state of the client before the action, with the client's own identifiers.
  ///   - now: The current instant.
  ///   - log: Receives the resulting effects.
  mutating func perform(
    _ action: ClientAction, seen: borrowing ClientSurvey, at now: Instant,
    into log: inout EffectLog<ClientEffect>
  ) {
    guard let event = happen(action, seen, at: now) else { return }
    stepDecorated(event, at: now, into: &log)
  }

  /// Returns the event of an action, after advancing time if the action is a timer.
  ///
  /// - Returns: The event for the client, or `nil` if the client needs none.
  mutating func happen(
    _ action: ClientAction, _ seen: borrowing ClientSurvey, at now: Instant
  ) -> ClientCore.Event? {
    if let event = event(of: action, seen, at: now) { return event }
    return pass(action, seen, at: now) ? .pool(.timeElapsed) : nil
  }

  /// Returns the event of an action, or `nil` if the action only advances time.
  func event(
    of action: ClientAction, _ seen: borrowing ClientSurvey, at now: Instant
  ) -> ClientCore.Event? {
    Self.event(of: action, seen, next: nextCallID, at: now)
  }

  private static func event(
    of action: ClientAction, _ seen: borrowing ClientSurvey, next: CallID, at now: Instant
  ) -> ClientCore.Event? {
    let (host, position) = (Int(action.host), Int(action.position))
    var call: CallID { seen.calls[seen.hosts[host].calls.lowerBound + position].id }
    var connection: ConnectionID {
      seen.connections[seen.hosts[host].connections.lowerBound + position].id
    }
    switch action.kind {
    case .callback: return .reachability(.callback(ClientAction.flags(position)))
    case .reread: return .reachability(.resynchronized(ClientAction.flags(position)))
    case .callStarted:
      let kind = ExploredCallKind(rawValue: action.position) ?? .waits
      let endpoint = EndpointID(index: UInt32(action.host))
      return .pool(.callStarted(next, endpoint, kind.settings(at: now)))
    case .tokenArrived: return .pool(.tokenArrived(seen.awaitingTokens[position].id))
    case .awaitingCancelled: return .pool(.callCancelled(seen.awaitingTokens[position].id))
    case .callCancelled: return .pool(.callCancelled(call))
    case .streamEnded: return .pool(.streamEnded(call, .ok))
    case .messageReceived: return .pool(.messageReceived(call))
    case .messageQueued: return .pool(.messageQueued(call, bytes: 1))
    case .requestFinished: return .pool(.requestFinished(call))
    case .connected: return .pool(.connected(connection))
    case .refused: return .pool(.connectFailed(connection, .refused))
    case .nameFailed: return .pool(.connectFailed(connection, .nameResolutionFailed))
    case .attemptBroken, .broken: return .pool(.connectionBroken(connection, .reset))
    case .draining: return .pool(.connectionDraining(connection))
    case .pongReceived: return .pool(.pongReceived(connection))
    case .disconnected: return .pool(.disconnectRequested(EndpointID(index: UInt32(action.host))))
    case .allDisconnected: return .pool(.disconnectAllRequested)
    case .awaitingExpired, .callExpired, .keepaliveExpired, .instantOver, .backoffOver,
      .attemptExpired, .unusedExpired:
      return nil
    }
  }

  /// Advances time to the timer of an action.
  ///
  /// - Returns: Whether the client needs a `timeElapsed` event.
  private mutating func pass(
    _ action: ClientAction, _ seen: borrowing ClientSurvey, at now: Instant
  ) -> Bool {
    let (host, position) = (Int(action.host), Int(action.position))
    switch action.kind {
    case .awaitingExpired: expire(seen.awaitingTokens[position].id, at: now)
    case .callExpired:
      expire(seen.calls[seen.hosts[host].calls.lowerBound + position].id, at: now)
    case .keepaliveExpired:
      let index = seen.hosts[host].connections.lowerBound + position
      expireKeepalive(of: seen.connections[index].id, at: now)
    case .attemptExpired: expireAttempt(of: host, at: now)
    case .unusedExpired: expireUnused(host, at: now)
    case .instantOver:
      endInstant()
      return false
    case .backoffOver:
      endBackoff(of: host, at: now)
      return false
    default:
      return false
    }
    return true
  }
}

extension ClientAction {
  /// Returns the flags of a category that is given by its raw value.
  static func flags(_ category: Int) -> ReachabilityFlags {
    NetworkCategory(rawValue: UInt8(clamping: category)).flatMap(ClientCore.flags) ?? []
  }

  /// The category of a callback.
  var category: NetworkCategory { NetworkCategory(rawValue: position) ?? .unknown }

  /// Whether the action is a timer for which the client wakes up.
  var isTimer: Bool {
    switch kind {
    case .awaitingExpired, .callExpired, .keepaliveExpired, .attemptExpired, .unusedExpired: true
    default: false
    }
  }

  /// Whether the action is the deadline of a call, which the user sets when the call starts.
  var isDeadline: Bool { kind == .awaitingExpired || kind == .callExpired }

  /// Whether the action is a callback or a reread of the flags.
  var isCallback: Bool { kind == .callback || kind == .reread }
}
