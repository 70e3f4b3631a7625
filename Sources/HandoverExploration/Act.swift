import HandoverMachines

/// One thing that happens to a client, named by hosts and places, so that it is the same act for
/// every client in the same state, whatever its rows and generations are.
package struct Act: BitwiseCopyable, Hashable, Sendable {
  package enum Kind: UInt8, BitwiseCopyable, Hashable, Sendable {
    /// A callback; the place is the category's raw value.
    case callback
    /// Callbacks were lost and the flags are read afresh; likewise.
    case reread
    /// A call starts; the place is the raw value of its ``CallKind``.
    case callStarted
    /// The token of a call that waits for one is there; the place is that among such calls.
    case tokenArrived
    /// The user cancels a call that waits for its token.
    case awaitingCancelled
    /// The deadline of such a call passes.
    case awaitingExpired
    /// What happens to a call of a host; the place is that among the host's.
    case callCancelled
    case callExpired
    case streamEnded
    case messageReceived
    case messageQueued
    case requestFinished
    /// What becomes of the attempt to connect.
    case connected
    case refused
    case nameFailed
    case attemptBroken
    /// What happens to a connection of a host; the place is that among the host's.
    case broken
    case draining
    case pongReceived
    case keepaliveExpired
    /// The user disconnects a host, or all.
    case disconnected
    case allDisconnected
    /// Time passes: the instant is over, or one thing falls due, whichever it is.
    case instantOver
    case backoffOver
    case attemptExpired
    case unusedExpired
  }

  package var kind: Kind
  package var host: UInt8
  package var place: UInt8

  @inline(__always)
  package init(_ kind: Kind, host: Int = 0, place: Int = 0) {
    self.kind = kind
    self.host = UInt8(clamping: host)
    self.place = UInt8(clamping: place)
  }
}

/// How a call starts.
package enum CallKind: UInt8, Hashable, Sendable {
  /// It waits for its channel.
  case waits
  /// It ends at once where its channel is in TRANSIENT_FAILURE.
  case failsFast
  /// It has a deadline.
  case hasDeadline
  /// It waits for its token, and then for its channel.
  case awaitsToken
  /// It sends messages until the user ends its requests.
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
  /// The kinds of call that start.
  var callKinds: [CallKind] {
    var kinds: [CallKind] = [.waits, .failsFast]
    if extras.contains(.deadlines) { kinds.append(.hasDeadline) }
    if extras.contains(.tokens) { kinds.append(.awaitsToken) }
    if extras.contains(.messages) { kinds.append(.sends) }
    return kinds
  }

  /// Lists everything that may happen next to a client.
  ///
  /// - Parameters:
  ///   - seen: the client.
  ///   - now: the instant.
  ///   - acts: is replaced.
  ///
  /// What a user does comes before time, so that of two ways of one length the one is found that
  /// waits for less: it can mostly be played in real time too.
  func list(
    _ seen: borrowing ClientSurvey, at now: Instant, into acts: inout Rows<Act>
  ) {
    acts.removeAll()
    if profile.policy.monitorsReachability {
      for category in [NetworkCategory.wifi, .cellular, .noNetwork] {
        acts.append(Act(.callback, place: Int(category.rawValue)))
        if extras.contains(.rereads) { acts.append(Act(.reread, place: Int(category.rawValue))) }
      }
    }
    if seen.calls.count + seen.awaitingTokens.count < calls {
      for host in 0..<hosts {
        for kind in callKinds {
          acts.append(Act(.callStarted, host: host, place: Int(kind.rawValue)))
        }
      }
    }
    for place in 0..<seen.awaitingTokens.count {
      acts.append(Act(.tokenArrived, place: place))
      acts.append(Act(.awaitingCancelled, place: place))
      if seen.awaitingTokens[place].deadline != .never {
        acts.append(Act(.awaitingExpired, place: place))
      }
    }
    var existing = 0
    for host in 0..<hosts where seen.hosts[host].exists {
      existing += 1
      listConnections(of: host, seen, into: &acts)
      listCalls(of: host, seen, into: &acts)
      acts.append(Act(.disconnected, host: host))
    }
    if existing > 1 { acts.append(Act(.allDisconnected)) }
    if !defects.isEmpty, defects.contains(Defects([.lostCall])), seen.hasJustStarted {
      acts.append(Act(.instantOver))
    }
    for host in 0..<hosts where seen.hosts[host].exists {
      if seen.hosts[host].attemptDue != .never { acts.append(Act(.attemptExpired, host: host)) }
      if seen.hosts[host].notBefore > now { acts.append(Act(.backoffOver, host: host)) }
      if seen.hosts[host].unusedDue != .never { acts.append(Act(.unusedExpired, host: host)) }
    }
  }

  private func listConnections(
    of host: Int, _ seen: borrowing ClientSurvey, into acts: inout Rows<Act>
  ) {
    let connections = seen.hosts[host].connections
    for index in connections {
      let place = index - connections.lowerBound
      switch seen.connections[index].phase {
      case .connecting:
        acts.append(Act(.connected, host: host))
        acts.append(Act(.refused, host: host))
        acts.append(Act(.nameFailed, host: host))
        acts.append(Act(.attemptBroken, host: host))
      case .established:
        acts.append(Act(.broken, host: host, place: place))
        acts.append(Act(.draining, host: host, place: place))
      case .draining:
        acts.append(Act(.broken, host: host, place: place))
      }
      if seen.connections[index].awaitsPong {
        acts.append(Act(.pongReceived, host: host, place: place))
      }
      if seen.connections[index].keepaliveDue != .never {
        acts.append(Act(.keepaliveExpired, host: host, place: place))
      }
    }
  }

  private func listCalls(
    of host: Int, _ seen: borrowing ClientSurvey, into acts: inout Rows<Act>
  ) {
    let calls = seen.hosts[host].calls
    for index in calls {
      let place = index - calls.lowerBound
      acts.append(Act(.callCancelled, host: host, place: place))
      let call = seen.calls[index]
      if call.connection >= 0 {
        acts.append(Act(.streamEnded, host: host, place: place))
        acts.append(Act(.messageReceived, host: host, place: place))
      }
      if call.deadline != .never { acts.append(Act(.callExpired, host: host, place: place)) }
      if extras.contains(.messages), !call.requestIsComplete {
        acts.append(Act(.messageQueued, host: host, place: place))
        acts.append(Act(.requestFinished, host: host, place: place))
      }
    }
  }
}

extension ClientCore {
  /// Lets an act happen.
  ///
  /// - Parameters:
  ///   - act: what happens.
  ///   - seen: the client before it, whose identifiers are the client's own.
  ///   - now: the instant.
  ///   - log: takes the orders that follow.
  @inline(__always)
  mutating func perform(
    _ act: Act, seen: borrowing ClientSurvey, at now: Instant,
    into log: inout EffectLog<ClientEffect>
  ) {
    guard let event = happen(act, seen, at: now) else { return }
    stepTampered(event, at: now, into: &log)
  }

  /// The event of an act, for which time may have to pass before.
  ///
  /// - Returns: what the client has to be told.
  @inline(__always)
  mutating func happen(
    _ act: Act, _ seen: borrowing ClientSurvey, at now: Instant
  ) -> ClientCore.Event? {
    if let event = event(of: act, seen, at: now) { return event }
    return pass(act, seen, at: now) ? .pool(.timeElapsed) : nil
  }

  /// The event of an act; nil for one that is a matter of time.
  @inline(__always)
  func event(
    of act: Act, _ seen: borrowing ClientSurvey, at now: Instant
  ) -> ClientCore.Event? {
    Self.event(of: act, seen, next: nextCallID, at: now)
  }

  @inline(__always)
  private static func event(
    of act: Act, _ seen: borrowing ClientSurvey, next: CallID, at now: Instant
  ) -> ClientCore.Event? {
    let (host, place) = (Int(act.host), Int(act.place))
    var call: CallID { seen.calls[seen.hosts[host].calls.lowerBound + place].id }
    var connection: ConnectionID {
      seen.connections[seen.hosts[host].connections.lowerBound + place].id
    }
    switch act.kind {
    case .callback: return .reachability(.callback(Act.flags(place)))
    case .reread: return .reachability(.resynchronised(Act.flags(place)))
    case .callStarted:
      let kind = CallKind(rawValue: act.place) ?? .waits
      let endpoint = EndpointID(index: UInt32(act.host))
      return .pool(.callStarted(next, endpoint, kind.settings(at: now)))
    case .tokenArrived: return .pool(.tokenArrived(seen.awaitingTokens[place].id))
    case .awaitingCancelled: return .pool(.callCancelled(seen.awaitingTokens[place].id))
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
    case .disconnected: return .pool(.disconnectRequested(EndpointID(index: UInt32(act.host))))
    case .allDisconnected: return .pool(.disconnectAllRequested)
    case .awaitingExpired, .callExpired, .keepaliveExpired, .instantOver, .backoffOver,
      .attemptExpired, .unusedExpired:
      return nil
    }
  }

  /// Lets time pass to what an act is about.
  ///
  /// - Returns: whether the client has to be told.
  private mutating func pass(_ act: Act, _ seen: borrowing ClientSurvey, at now: Instant) -> Bool {
    let (host, place) = (Int(act.host), Int(act.place))
    switch act.kind {
    case .awaitingExpired: expire(seen.awaitingTokens[place].id, at: now)
    case .callExpired:
      expire(seen.calls[seen.hosts[host].calls.lowerBound + place].id, at: now)
    case .keepaliveExpired:
      let index = seen.hosts[host].connections.lowerBound + place
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

extension Act {
  /// The flags of a category by its raw value.
  static func flags(_ category: Int) -> ReachabilityFlags {
    NetworkCategory(rawValue: UInt8(clamping: category)).flatMap(ClientCore.flags) ?? []
  }

  /// The category of a callback.
  var category: NetworkCategory { NetworkCategory(rawValue: place) ?? .unknown }

  /// Whether the act is a timer that falls due, for which a client wakes.
  var isTimer: Bool {
    switch kind {
    case .awaitingExpired, .callExpired, .keepaliveExpired, .attemptExpired, .unusedExpired: true
    default: false
    }
  }

  /// Whether the act is the deadline of a call, which is told when the call starts.
  var isDeadline: Bool { kind == .awaitingExpired || kind == .callExpired }

  /// Whether the act is one of the monitor.
  var isCallback: Bool {
    @inline(__always) get { kind == .callback || kind == .reread }
  }
}
