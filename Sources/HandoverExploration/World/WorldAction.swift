import HandoverCore
import HandoverSimulation

/// An action: one thing that can happen in a world.
///
/// An action names positions in the survey of the world. It therefore means the same in every world
/// with the same state.
package struct WorldAction: BitwiseCopyable, Hashable, Sendable {
  package enum Kind: UInt8, BitwiseCopyable, Hashable, Sendable {
    // User actions: hosts by number, kinds of call by index in `callKinds`, calls by position.
    case start, cancel, finish, send, disconnect, disconnectAll
    /// The flags change to those of a category.
    ///
    /// `flagsKeepingLink` keeps the previous network up, and `flagsWithoutCallback` loses the
    /// callback.
    case flags, flagsKeepingLink, flagsWithoutCallback
    /// The device changes to another network, or an interface that stayed up goes down.
    case path, linkDies
    /// The app changes its state; `subject` is the index among all app states.
    case app
    /// A callback is duplicated, callbacks are lost, or a callback is delivered.
    case callbackDoubled, callbacksOverrun, callbackReceived
    // Events of a host's server and connections.
    case silent, accept, close, reset, goaway, kill, stall, discard, resume
    // Events of a connection, which is given by its position.
    case nameFound, nameFailed, handshake, refused, received, timedOut, keepaliveDue
    // Events of a call, which is given by its position.
    case answerEnds, message, token, deadline
    /// An event that was held while the app was suspended is delivered.
    case releasedReceived
    // Timers of a host.
    case attemptDue, backoffOver, unusedDue
    /// The instant ends, for a client that remembers what was started in it.
    case instantOver
  }

  package var kind: Kind
  package var subject: UInt8
  package var detail: UInt8

  package init(_ kind: Kind, _ subject: Int = 0, _ detail: Int = 0) {
    self.kind = kind
    self.subject = UInt8(truncatingIfNeeded: subject)
    self.detail = UInt8(truncatingIfNeeded: detail)
  }
}

/// Lists the possible next actions of a world.
struct WorldAlphabet {
  let setup: WorldSetup
  private let kinds: [ExploredCallKind]
  private let monitors: Bool
  private let distinguishesNewCalls: Bool

  init(_ setup: WorldSetup) {
    self.setup = setup
    kinds = setup.client.callKinds
    monitors = setup.client.profile.policy.monitorsReachability
    distinguishesNewCalls = setup.client.distinguishesNewCalls
  }

  /// Lists every action; those that require less waiting come first.
  func list(_ seen: borrowing WorldSurvey, into actions: inout ContiguousArray<WorldAction>) {
    actions.removeAll(keepingCapacity: true)
    listUnfinished(seen, into: &actions)
    if seen.underWay <= setup.maximumPending {
      if seen.device.app.runs { listUser(seen, into: &actions) }
      listDevice(seen, into: &actions)
      for host in 0..<setup.client.hosts { listFaults(of: host, seen, into: &actions) }
    }
    listTime(seen, into: &actions)
  }

  // MARK: The user

  private func listUser(
    _ seen: borrowing WorldSurvey, into actions: inout ContiguousArray<WorldAction>
  ) {
    if seen.client.callCount < setup.client.calls {
      for host in 0..<setup.client.hosts {
        for kind in kinds.indices { actions.append(WorldAction(.start, host, kind)) }
      }
    }
    for position in 0..<seen.client.callCount {
      actions.append(WorldAction(.cancel, position))
      let call = seen.client.call(position)
      guard !call.requestIsComplete else { continue }
      actions.append(WorldAction(.finish, position))
      if call.queuedMessages == 0 { actions.append(WorldAction(.send, position)) }
    }
    var existing = 0
    for host in 0..<setup.client.hosts where seen.client.hosts[host].exists {
      existing += 1
      actions.append(WorldAction(.disconnect, host))
    }
    if existing > 1 { actions.append(WorldAction(.disconnectAll)) }
  }

  // MARK: The device and its monitor

  private func listDevice(
    _ seen: borrowing WorldSurvey, into actions: inout ContiguousArray<WorldAction>
  ) {
    let events = setup.events
    listFlags(seen, into: &actions)
    if events.contains(.hotspots), seen.device.category == .wifi {
      actions.append(WorldAction(.path, seen.device.path?.index == 0 ? 2 : 0))
    }
    if events.contains(.links) {
      for path in [0, 1] where seen.device.keptAlive.contains(PathIndex(UInt8(path))) {
        actions.append(WorldAction(.linkDies, path))
      }
    }
    for (position, app) in AppState.allCases.enumerated() where app != seen.device.app {
      switch app {
      case .foreground: actions.append(WorldAction(.app, position))
      case .background:
        if events.contains(.background) { actions.append(WorldAction(.app, position)) }
      case .backgroundRunning:
        if events.contains(.running) { actions.append(WorldAction(.app, position)) }
      }
    }
    guard monitors, events.contains(.monitor) else { return }
    if seen.canDouble { actions.append(WorldAction(.callbackDoubled)) }
    if !seen.callbacks.contains(WorldSurvey.freshRead) {
      actions.append(WorldAction(.callbacksOverrun))
    }
  }

  private func listFlags(
    _ seen: borrowing WorldSurvey, into actions: inout ContiguousArray<WorldAction>
  ) {
    for category in [NetworkCategory.wifi, .cellular, .noNetwork] {
      let isSame = category == seen.device.category
      // Without a monitor, a callback with unchanged flags has no receiver.
      if isSame, !monitors { continue }
      let raw = Int(category.rawValue)
      actions.append(WorldAction(.flags, raw))
      if setup.events.contains(.links), !isSame, category != .noNetwork,
        let path = seen.device.path, path.index < 2
      {
        actions.append(WorldAction(.flagsKeepingLink, raw))
      }
      if setup.events.contains(.monitor), monitors, !isSame {
        actions.append(WorldAction(.flagsWithoutCallback, raw))
      }
    }
  }

  // MARK: Hosts

  private func listFaults(
    of host: Int, _ seen: borrowing WorldSurvey, into actions: inout ContiguousArray<WorldAction>
  ) {
    let events = setup.events
    var (isOpen, isFree, isHeld, isDiscarding) = (false, false, false, false)
    for position in 0..<seen.connections.count where seen.client.connections[position].host == host
    {
      switch seen.connections[position].phase {
      case .established, .handshaking:
        isOpen = true
        if !seen.connections[position].stall.contains(.held) { isFree = true }
        if !seen.connections[position].stall.contains(.discarded) { isDiscarding = true }
      case .gone, .resolving, .connecting, .dead:
        break
      }
      if !seen.connections[position].stall.isDisjoint(with: [.held, .discarded]) { isHeld = true }
    }
    if events.contains(.silence) {
      actions.append(WorldAction(seen.silent[host] ? .accept : .silent, host))
    }
    if isHeld { actions.append(WorldAction(.resume, host)) }
    guard isOpen else { return }
    if events.contains(.ends) {
      for kind in [WorldAction.Kind.close, .reset, .goaway, .kill] {
        actions.append(WorldAction(kind, host))
      }
    }
    if events.contains(.stalls), isFree { actions.append(WorldAction(.stall, host)) }
    if events.contains(.discards), isDiscarding { actions.append(WorldAction(.discard, host)) }
  }

  // MARK: Pending events

  private func listUnfinished(
    _ seen: borrowing WorldSurvey, into actions: inout ContiguousArray<WorldAction>
  ) {
    for position in 0..<seen.callbacks.count
    where position == 0 || setup.events.contains(.monitor) {
      actions.append(WorldAction(.callbackReceived, position))
    }
    var last: (queue: WorldSurvey.Queue, owner: UInt8)?
    for position in 0..<seen.facts.count {
      let fact = seen.facts[position]
      if let last, last == (fact.queue, fact.owner) { continue }
      last = (fact.queue, fact.owner)
      switch fact.queue {
      case .arriving: actions.append(WorldAction(.received, position))
      case .released: actions.append(WorldAction(.releasedReceived, position))
      case .stalled, .held: break
      }
    }
    for position in 0..<seen.connections.count {
      let one = seen.connections[position]
      if one.phase == .resolving {
        let host = seen.client.connections[position].host
        actions.append(WorldAction(.nameFound, host))
        actions.append(WorldAction(.nameFailed, host))
      }
      // A handshake without effect is omitted. It happens later, when the server reads and nothing
      // stalls the connection.
      let hasNoEffect =
        one.phase == .handshaking
        && (seen.silent[seen.client.connections[position].host] || !one.stall.isEmpty)
      if one.handshakeIsScheduled, !hasNoEffect {
        actions.append(WorldAction(.handshake, position))
        if one.phase == .connecting, one.stall.isEmpty,
          !seen.silent[seen.client.connections[position].host]
        {
          actions.append(WorldAction(.refused, position))
        }
      }
    }
    listAnswers(seen, into: &actions)
  }

  private func listAnswers(
    _ seen: borrowing WorldSurvey, into actions: inout ContiguousArray<WorldAction>
  ) {
    for position in 0..<seen.calls.count {
      let one = seen.calls[position]
      if one.answerIsScheduled { actions.append(WorldAction(.answerEnds, position)) }
      if one.tokenIsScheduled { actions.append(WorldAction(.token, position)) }
      if one.isOpen, setup.client.extras.contains(.keepalive),
        !seen.silent[seen.client.call(position).host],
        !seen.facts.contains(where: { $0.kind == .message && Int($0.subject) == position })
      {
        actions.append(WorldAction(.message, position))
      }
    }
  }

  // MARK: Time

  private func listTime(
    _ seen: borrowing WorldSurvey, into actions: inout ContiguousArray<WorldAction>
  ) {
    if distinguishesNewCalls, seen.client.hasJustStarted {
      actions.append(WorldAction(.instantOver))
    }
    for position in 0..<seen.connections.count where seen.connections[position].isUnacknowledged {
      actions.append(WorldAction(.timedOut, position))
    }
    for host in 0..<setup.client.hosts
    where seen.client.hosts[host].exists
      && seen.client.hosts[host].notBefore > CanonicalForm.present
    {
      actions.append(WorldAction(.backoffOver, host))
    }
    // A suspended client's timers do not run.
    guard seen.device.app.runs else { return }
    for position in 0..<seen.client.callCount where seen.client.call(position).deadline != .never {
      actions.append(WorldAction(.deadline, position))
    }
    for position in 0..<seen.connections.count
    where seen.client.connections[position].keepaliveDue != .never && !receivesPong(position, seen)
    {
      actions.append(WorldAction(.keepaliveDue, position))
    }
    for host in 0..<setup.client.hosts where seen.client.hosts[host].exists {
      if seen.client.hosts[host].attemptDue != .never {
        actions.append(WorldAction(.attemptDue, host))
      }
      if seen.client.hosts[host].unusedDue != .never {
        actions.append(WorldAction(.unusedDue, host))
      }
    }
  }
}

extension WorldAlphabet {
  /// Whether a pong is about to reach the client.
  ///
  /// The next ping and the ping timeout are seconds later than that.
  private func receivesPong(_ position: Int, _ seen: borrowing WorldSurvey) -> Bool {
    for fact in seen.facts where fact.kind == .pong && Int(fact.subject) == position {
      switch fact.queue {
      case .arriving, .released: return true
      case .stalled, .held: continue
      }
    }
    return false
  }
}

extension ExploredWorld {
  /// Performs an action.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - seen: The world before the action, from which this one was restored.
  // long: a flat switch with one or two lines per action
  mutating func perform(_ action: WorldAction, seen: borrowing WorldSurvey) {
    let (subject, detail) = (Int(action.subject), Int(action.detail))
    let present = CanonicalForm.present
    switch action.kind {
    case .start: start(host: subject, kind: detail)
    case .cancel: cancel(seen.client.call(subject).id)
    case .finish: finish(seen.client.call(subject).id)
    case .send: send(seen.client.call(subject).id)
    case .disconnect: perform(.disconnect(.one(subject)))
    case .disconnectAll: perform(.disconnect(.all))
    case .flags: setFlags(action)
    case .flagsKeepingLink:
      setFlags(action, up: seen.device.path.map { PathSet($0) } ?? [])
    case .flagsWithoutCallback:
      perform(.monitor(.miss, by: .zero))
      setFlags(action)
    case .path: perform(.path(PathIndex(action.subject)))
    case .linkDies:
      perform(
        .flags(
          seen.device.flags, path: seen.device.path, linksUp: [],
          linksDown: PathSet(PathIndex(action.subject))))
    case .app: perform(.app(AppState.allCases[subject]))
    case .callbackDoubled: perform(.monitor(.duplicate, by: .zero))
    case .callbacksOverrun: perform(.monitor(.overrun, by: .zero))
    case .callbackReceived: receiveCallback(subject)
    case .silent: perform(.server(subject, .silent))
    case .accept: perform(.server(subject, .accept))
    case .close: perform(.server(subject, .close))
    case .reset: perform(.server(subject, .reset))
    case .goaway: perform(.server(subject, .goaway))
    case .kill: perform(.transport(.one(subject), .kill))
    case .stall: perform(.transport(.one(subject), .stall))
    case .discard: perform(.transport(.one(subject), .stallAcked))
    case .resume: perform(.transport(.one(subject), .resume))
    case .nameFound, .nameFailed:
      perform(.names(subject, action.kind == .nameFound ? .resolve : .fail))
      perform(.names(subject, .hang))
    case .handshake: finishHandshake(seen.client.connections[subject].id, subject)
    case .refused:
      let host = seen.client.connections[subject].host
      perform(.server(host, .refuse))
      finishHandshake(seen.client.connections[subject].id, subject)
      perform(.server(host, .accept))
    case .received, .releasedReceived: receiveFact(subject)
    case .timedOut: timeOut(seen.client.connections[subject].id)
    case .answerEnds: endAnswer(seen.client.call(subject).id)
    case .message: sendMessage(seen.client.call(subject).id)
    case .token: deliverToken(seen.client.call(subject).id, subject)
    case .deadline:
      let id = seen.client.call(subject).id
      elapse { $0.expire(id, at: present) }
    case .keepaliveDue:
      let id = seen.client.connections[subject].id
      elapse { $0.expireKeepalive(of: id, at: present) }
    case .attemptDue: elapse { $0.expireAttempt(of: subject, at: present) }
    case .unusedDue: elapse { $0.expireUnused(subject, at: present) }
    case .backoffOver: pass { $0.endBackoff(of: subject, at: present) }
    case .instantOver: pass { $0.endInstant() }
    }
  }

  private mutating func setFlags(_ action: WorldAction, up: PathSet = []) {
    perform(
      .flags(ClientAction.flags(Int(action.subject)), path: nil, linksUp: up, linksDown: []))
  }
}
