import HandoverCore

/// A timed run of the built-in client: its events and effects, for comparison with another client.
struct ReferencePath {
  /// An event and the resulting effects, with the identifiers of ``Renaming``.
  struct Step {
    var at: Instant
    /// The event for the client, or `nil` if only time passed.
    var event: ClientCore.Event?
    var effects: [ClientEffect]
  }

  private let setup: ExplorationSetup
  private let form: CanonicalForm
  private var core: ClientCore
  private var rules: StepRules
  private var clock: ActionClock
  private var calls: [CallID] = []
  private var connections = OpenedConnections()
  let initialRead: NetworkCategory
  private(set) var actions: [ClientAction] = []
  private(set) var steps: [Step] = []
  /// The calls that were started, with their hosts, kinds and deadlines.
  private(set) var started: [Started] = []

  struct Started {
    var host: Int
    var kind: ExploredCallKind
    var at: Instant
    /// The deadline, or `nil` if it is after the end of the run.
    var deadline: Instant?
  }

  init(_ setup: ExplorationSetup, _ read: NetworkCategory) {
    self.setup = setup
    form = CanonicalForm(setup)
    core = setup.makeClient()
    rules = StepRules(setup)
    clock = ActionClock(setup)
    initialRead = read
    var log = EffectLog<ClientEffect>()
    core.stepDecorated(
      .reachability(.initialRead(ClientCore.flags(of: read))), at: .zero, into: &log)
  }

  var now: Instant { clock.instant }

  // MARK: Actions

  /// Returns the possible next actions.
  func nextActions() -> [ClientAction] {
    var seen = ClientSurvey()
    core.survey(into: &seen, at: now)
    var list = Rows<ClientAction>()
    setup.list(seen, at: now, into: &list)
    var actions: [ClientAction] = []
    for position in 0..<list.count where canHappen(list[position], seen) {
      actions.append(list[position])
    }
    return actions
  }

  private func canHappen(_ action: ClientAction, _ seen: borrowing ClientSurvey) -> Bool {
    switch action.kind {
    case .attemptBroken:
      // For a remote client, an attempt can only fail; only an established connection can break.
      return false
    case .backoffOver:
      // A call that waits for the backoff wakes the client at that instant.
      let host = seen.hosts[Int(action.host)]
      guard host.attemptDue > host.notBefore else { return false }
    default:
      break
    }
    var clock = clock
    return clock.pass(to: action, seen, isFirst: actions.isEmpty)
  }

  /// Performs an action.
  ///
  /// - Returns: Whether the action is possible in real time.
  mutating func perform(_ action: ClientAction) -> Bool {
    var seen = ClientSurvey()
    core.survey(into: &seen, at: now)
    guard clock.pass(to: action, seen, isFirst: actions.isEmpty) else { return false }
    core.survey(into: &seen, at: now)
    note(action, seen)
    let event = core.event(of: action, seen, at: now)
    var log = EffectLog<ClientEffect>()
    core.perform(action, seen: seen, at: now, into: &log)
    var after = ClientSurvey()
    core.survey(into: &after, at: now)
    _ = rules.check(action, seen, after, log, at: now)
    clock.fireDueTimers(&core, &after, &rules, into: &log)
    actions.append(action)
    // The event must be renamed before its effects.
    let renamed = event.map { renaming($0) }
    steps.append(Step(at: now, event: renamed, effects: effects(log)))
    return true
  }

  /// Returns the effects of closing the client now.
  func closing() -> Step {
    var copy = self
    var log = EffectLog<ClientEffect>()
    copy.core.stepDecorated(.pool(.closed), at: now, into: &log)
    return Step(at: now, event: .pool(.closed), effects: copy.effects(log))
  }

  private mutating func note(_ action: ClientAction, _ seen: borrowing ClientSurvey) {
    switch action.kind {
    case .callStarted:
      calls.append(core.nextCallID)
      started.append(
        Started(
          host: Int(action.host), kind: ExploredCallKind(rawValue: action.position) ?? .waits,
          at: now))
    case .callExpired:
      let id = seen.calls[seen.hosts[Int(action.host)].calls.lowerBound + Int(action.position)].id
      if let call = calls.lastIndex(of: id) { started[call].deadline = now }
    case .awaitingExpired:
      let id = seen.awaitingTokens[Int(action.position)].id
      if let call = calls.lastIndex(of: id) { started[call].deadline = now }
    default:
      break
    }
  }

  private var renaming: Renaming {
    Renaming(
      call: { [calls] id in
        CallID(index: UInt32(truncatingIfNeeded: calls.lastIndex(of: id) ?? -1), generation: 0)
      },
      connection: { [connections] in connections.name($0) })
  }

  private mutating func effects(_ log: borrowing EffectLog<ClientEffect>) -> [ClientEffect] {
    var effects: [ClientEffect] = []
    for position in 0..<log.count { connections.note(log[position]) }
    let renaming = renaming
    for position in 0..<log.count { effects.append(renaming(log[position])) }
    return effects
  }

  // MARK: State

  /// Returns bytes that are equal for all runs after which the client behaves identically.
  ///
  /// The bytes include the order in which its timers will fire.
  func bytes() -> [UInt8] {
    var seen = ClientSurvey()
    core.survey(into: &seen, at: now)
    var bytes = FormBytes()
    form.write(seen, rules.expected, at: now, into: &bytes)
    return (0..<bytes.count).map { bytes[$0] } + timerOrder(seen)
  }

  /// Whether the client does nothing as time passes.
  var hasNoTimer: Bool {
    var seen = ClientSurvey()
    core.survey(into: &seen, at: now)
    for position in 0..<seen.calls.count where seen.calls[position].deadline != .never {
      return false
    }
    for position in 0..<seen.awaitingTokens.count
    where seen.awaitingTokens[position].deadline != .never { return false }
    return clock.nextDue(seen, besidesBackoff: true) == .never
  }

  /// Returns the order of the armed timers; timers that are due at the same time share a position.
  func timerOrder() -> [UInt8] {
    var seen = ClientSurvey()
    core.survey(into: &seen, at: now)
    return timerOrder(seen)
  }

  private func timerOrder(_ seen: borrowing ClientSurvey) -> [UInt8] {
    var timers: [(due: Instant, name: UInt8)] = []
    for host in 0..<seen.hosts.count where seen.hosts[host].exists {
      let one = seen.hosts[host]
      let name = UInt8(truncatingIfNeeded: host) << 4
      if one.attemptDue != .never { timers.append((one.attemptDue, name | 1)) }
      if one.unusedDue != .never { timers.append((one.unusedDue, name | 2)) }
      if one.notBefore > now { timers.append((one.notBefore, name | 3)) }
      for position in one.connections where seen.connections[position].keepaliveDue != .never {
        let number = UInt8(truncatingIfNeeded: 4 + position - one.connections.lowerBound)
        timers.append((seen.connections[position].keepaliveDue, name | number))
      }
    }
    timers.sort { ($0.due, $0.name) < ($1.due, $1.name) }
    var bytes: [UInt8] = []
    for (position, timer) in timers.enumerated() {
      if position > 0, timers[position - 1].due != timer.due { bytes.append(0) }
      bytes.append(timer.name)
    }
    return bytes
  }
}
