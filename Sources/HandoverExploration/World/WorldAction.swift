import HandoverCore
import HandoverSimulation

/// An action: one thing that can happen in a world.
///
/// An action names positions in the survey of the world. It therefore means the same in every world
/// with the same state.
package struct WorldAction: BitwiseCopyable, Hashable, Sendable {
  package enum Kind: UInt8, BitwiseCopyable, Hashable, Sendable {
    // User actions: hosts by number, kinds of call by raw value, calls by position.
    case start, cancel, finish, send, disconnect, disconnectAll
    /// The flags change to those of a category.
    ///
    /// `flagsKeepingLink` keeps the previous network up, and `flagsUnheard` loses the callback.
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
  func list(_ seen: borrowing WorldSurvey, into acts: inout ContiguousArray<WorldAction>) {
    acts.removeAll(keepingCapacity: true)
    listUnfinished(seen, into: &acts)
    if seen.underWay <= setup.maximumPending {
      if seen.device.app.runs { listUser(seen, into: &acts) }
      listDevice(seen, into: &acts)
      for host in 0..<setup.client.hosts { listFaults(of: host, seen, into: &acts) }
    }
    listTime(seen, into: &acts)
  }

  // MARK: The user

  private func listUser(
    _ seen: borrowing WorldSurvey, into acts: inout ContiguousArray<WorldAction>
  ) {
    if seen.client.callCount < setup.client.calls {
      for host in 0..<setup.client.hosts {
        for kind in kinds.indices { acts.append(WorldAction(.start, host, kind)) }
      }
    }
    for position in 0..<seen.client.callCount {
      acts.append(WorldAction(.cancel, position))
      let call = seen.client.call(position)
      guard !call.requestIsComplete else { continue }
      acts.append(WorldAction(.finish, position))
      if call.queuedMessages == 0 { acts.append(WorldAction(.send, position)) }
    }
    var existing = 0
    for host in 0..<setup.client.hosts where seen.client.hosts[host].exists {
      existing += 1
      acts.append(WorldAction(.disconnect, host))
    }
    if existing > 1 { acts.append(WorldAction(.disconnectAll)) }
  }

  // MARK: The device and its monitor

  private func listDevice(
    _ seen: borrowing WorldSurvey, into acts: inout ContiguousArray<WorldAction>
  ) {
    let events = setup.events
    listFlags(seen, into: &acts)
    if events.contains(.hotspots), seen.device.category == .wifi {
      acts.append(WorldAction(.path, seen.device.path?.index == 0 ? 2 : 0))
    }
    if events.contains(.links) {
      for path in [0, 1] where seen.device.keptAlive.contains(PathIndex(UInt8(path))) {
        acts.append(WorldAction(.linkDies, path))
      }
    }
    for (position, app) in AppState.allCases.enumerated() where app != seen.device.app {
      switch app {
      case .foreground: acts.append(WorldAction(.app, position))
      case .background:
        if events.contains(.background) { acts.append(WorldAction(.app, position)) }
      case .backgroundRunning:
        if events.contains(.running) { acts.append(WorldAction(.app, position)) }
      }
    }
    guard monitors, events.contains(.monitor) else { return }
    if seen.canDouble { acts.append(WorldAction(.callbackDoubled)) }
    if !seen.callbacks.contains(WorldSurvey.freshRead) {
      acts.append(WorldAction(.callbacksOverrun))
    }
  }

  private func listFlags(
    _ seen: borrowing WorldSurvey, into acts: inout ContiguousArray<WorldAction>
  ) {
    for category in [NetworkCategory.wifi, .cellular, .noNetwork] {
      let isSame = category == seen.device.category
      // Without a monitor, a callback with unchanged flags has no receiver.
      if isSame, !monitors { continue }
      let raw = Int(category.rawValue)
      acts.append(WorldAction(.flags, raw))
      if setup.events.contains(.links), !isSame, category != .noNetwork,
        let path = seen.device.path, path.index < 2
      {
        acts.append(WorldAction(.flagsKeepingLink, raw))
      }
      if setup.events.contains(.monitor), monitors, !isSame {
        acts.append(WorldAction(.flagsWithoutCallback, raw))
      }
    }
  }

  // MARK: Hosts

  private func listFaults(
    of host: Int, _ seen: borrowing WorldSurvey, into acts: inout ContiguousArray<WorldAction>
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
      acts.append(WorldAction(seen.silent[host] ? .accept : .silent, host))
    }
    if isHeld { acts.append(WorldAction(.resume, host)) }
    guard isOpen else { return }
    if events.contains(.ends) {
      for kind in [WorldAction.Kind.close, .reset, .goaway, .kill] {
        acts.append(WorldAction(kind, host))
      }
    }
    if events.contains(.stalls), isFree { acts.append(WorldAction(.stall, host)) }
    if events.contains(.discards), isDiscarding { acts.append(WorldAction(.discard, host)) }
  }

  // MARK: Pending events

  private func listUnfinished(
    _ seen: borrowing WorldSurvey, into acts: inout ContiguousArray<WorldAction>
  ) {
    for position in 0..<seen.callbacks.count
    where position == 0 || setup.events.contains(.monitor) {
      acts.append(WorldAction(.callbackReceived, position))
    }
    var last: (queue: WorldSurvey.Queue, owner: UInt8)?
    for position in 0..<seen.facts.count {
      let fact = seen.facts[position]
      if let last, last == (fact.queue, fact.owner) { continue }
      last = (fact.queue, fact.owner)
      switch fact.queue {
      case .arriving: acts.append(WorldAction(.received, position))
      case .released: acts.append(WorldAction(.releasedReceived, position))
      case .stalled, .held: break
      }
    }
    for position in 0..<seen.connections.count {
      let one = seen.connections[position]
      if one.phase == .resolving {
        let host = seen.client.connections[position].host
        acts.append(WorldAction(.nameFound, host))
        acts.append(WorldAction(.nameFailed, host))
      }
      // A handshake without effect is omitted. It happens later, when the server reads and nothing
      // stalls the connection.
      let hasNoEffect =
        one.phase == .handshaking
        && (seen.silent[seen.client.connections[position].host] || !one.stall.isEmpty)
      if one.handshakeIsScheduled, !hasNoEffect {
        acts.append(WorldAction(.handshake, position))
        if one.phase == .connecting, one.stall.isEmpty,
          !seen.silent[seen.client.connections[position].host]
        {
          acts.append(WorldAction(.refused, position))
        }
      }
    }
    listAnswers(seen, into: &acts)
  }

  private func listAnswers(
    _ seen: borrowing WorldSurvey, into acts: inout ContiguousArray<WorldAction>
  ) {
    for position in 0..<seen.calls.count {
      let one = seen.calls[position]
      if one.answerIsScheduled { acts.append(WorldAction(.answerEnds, position)) }
      if one.tokenIsScheduled { acts.append(WorldAction(.token, position)) }
      if one.isOpen, setup.client.extras.contains(.keepalive),
        !seen.silent[seen.client.call(position).host],
        !seen.facts.contains(where: { $0.kind == .message && Int($0.subject) == position })
      {
        acts.append(WorldAction(.message, position))
      }
    }
  }

  // MARK: Time

  private func listTime(
    _ seen: borrowing WorldSurvey, into acts: inout ContiguousArray<WorldAction>
  ) {
    if distinguishesNewCalls, seen.client.hasJustStarted { acts.append(WorldAction(.instantOver)) }
    for position in 0..<seen.connections.count where seen.connections[position].isUnacknowledged {
      acts.append(WorldAction(.timedOut, position))
    }
    for host in 0..<setup.client.hosts
    where seen.client.hosts[host].exists
      && seen.client.hosts[host].notBefore > CanonicalForm.present
    {
      acts.append(WorldAction(.backoffOver, host))
    }
    // A suspended client's timers do not run.
    guard seen.device.app.runs else { return }
    for position in 0..<seen.client.callCount where seen.client.call(position).deadline != .never {
      acts.append(WorldAction(.deadline, position))
    }
    for position in 0..<seen.connections.count
    where seen.client.connections[position].keepaliveDue != .never && !receivesPong(position, seen)
    {
      acts.append(WorldAction(.keepaliveDue, position))
    }
    for host in 0..<setup.client.hosts where seen.client.hosts[host].exists {
      if seen.client.hosts[host].attemptDue != .never {
        acts.append(WorldAction(.attemptDue, host))
      }
      if seen.client.hosts[host].unusedDue != .never { acts.append(WorldAction(.unusedDue, host)) }
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
  ///   - act: The action.
  ///   - seen: The world before the action, from which this one was restored.
  // long: a flat switch with one or two lines per action
  mutating func perform(_ act: WorldAction, seen: borrowing WorldSurvey) {
    let (subject, detail) = (Int(act.subject), Int(act.detail))
    let present = CanonicalForm.present
    switch act.kind {
    case .start: start(host: subject, kind: detail)
    case .cancel: cancel(seen.client.call(subject).id)
    case .finish: finish(seen.client.call(subject).id)
    case .send: send(seen.client.call(subject).id)
    case .disconnect: perform(.disconnect(.one(subject)))
    case .disconnectAll: perform(.disconnect(.all))
    case .flags: setFlags(act)
    case .flagsKeepingLink:
      setFlags(act, up: seen.device.path.map { PathSet($0) } ?? [])
    case .flagsWithoutCallback:
      perform(.monitor(.miss, by: .zero))
      setFlags(act)
    case .path: perform(.path(PathIndex(act.subject)))
    case .linkDies:
      perform(
        .flags(
          seen.device.flags, path: seen.device.path, linksUp: [],
          linksDown: PathSet(PathIndex(act.subject))))
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
      perform(.names(subject, act.kind == .nameFound ? .resolve : .fail))
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

  private mutating func setFlags(_ act: WorldAction, up: PathSet = []) {
    perform(
      .flags(Act.flags(Int(act.subject)), path: nil, linksUp: up, linksDown: []))
  }
}
