import HandoverCore

/// Checks each step of a client against the invariants, and tracks the mean delay that the failures
/// allow.
///
/// A run checks the same invariants (``RuleIdentifier``) on the effects of the client. This type
/// checks them on the client's state, which contains more: the armed timers and the live objects.
/// Durations are checked when timers are armed, and so hold whenever the timers fire.
struct StepRules {
  private let policy: ClientPolicy
  private let backoff: BackoffConfiguration
  private let keepalive: KeepaliveConfiguration?
  /// The mean delay of each host.
  var expected: ExpectedDelays

  /// The objects that are alive before a step, one bit per row.
  private var before = Alive()
  /// The objects that are alive at the present point of the step.
  private var alive = Alive()
  private var violation: Violation?

  private struct Alive {
    var calls: UInt64 = 0
    /// The calls that wait for their tokens; a subset of `calls`.
    var awaiting: UInt64 = 0
    var connections: UInt64 = 0
    var channels: UInt64 = 0
  }

  init(_ setup: ExplorationSetup) {
    let configuration = setup.configuration
    policy = configuration.policy
    backoff = configuration.backoff
    keepalive = configuration.keepalive
    expected = ExpectedDelays(configuration.backoff.firstDelay)
  }

  /// Checks a step.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - before: The state of the client before the step.
  ///   - after: The state of the client after the step.
  ///   - log: The effects of the step.
  ///   - now: The instant of the step.
  /// - Returns: The first violation, or `nil` if all invariants hold.
  mutating func check(
    _ action: ClientAction, _ before: borrowing ClientSurvey, _ after: borrowing ClientSurvey,
    _ log: borrowing EffectLog<ClientEffect>, at now: Instant
  ) -> Violation? {
    setBase(before)
    return checkStep(action, before, after, log, at: now)
  }

  /// Records which objects are alive before one step or before several steps from the same state.
  mutating func setBase(_ before: borrowing ClientSurvey) {
    var channels: UInt64 = 0
    for host in 0..<before.hosts.count where before.hosts[host].exists {
      channels |= Self.bit(host)
    }
    self.before = Alive(
      calls: before.callRows | before.awaitingRows, awaiting: before.awaitingRows,
      connections: before.connectionRows, channels: channels)
  }

  /// Checks a step from the state that was last passed to ``setBase(_:)``.
  mutating func checkStep(
    _ action: ClientAction, _ before: borrowing ClientSurvey, _ after: borrowing ClientSurvey,
    _ log: borrowing EffectLog<ClientEffect>, at now: Instant
  ) -> Violation? {
    violation = nil
    alive = self.before
    let isTransition = action.isCallback && action.position != before.category.rawValue
    apply(action, before, log)
    let begun = alive.calls
    if !log.isEmpty { handleAll(log, action, before, after, isTransition: isTransition, at: now) }
    if isTransition {
      checkTransition(
        before, bound: self.before.calls & ~self.before.awaiting, ended: begun & ~alive.calls)
    }
    checkState(before, after, at: now)
    return violation
  }

  private mutating func broke(_ violation: Violation) {
    if self.violation == nil { self.violation = violation }
  }

  // MARK: The step

  private mutating func apply(
    _ action: ClientAction, _ before: borrowing ClientSurvey,
    _ log: borrowing EffectLog<ClientEffect>
  ) {
    let host = Int(action.host)
    switch action.kind {
    case .callback, .reread:
      if action.category == before.category {
        if !log.isEmpty { broke(.sameCategoryActed) }
      } else if log.isEmpty {
        broke(.categoryNotReported(action.category))
      } else if case .notify(let change) = log[0], change.to == action.category {
      } else {
        broke(.categoryNotReported(action.category))
      }
    case .callStarted:
      // The first effect that names the call contains its row.
      break
    case .refused, .nameFailed, .attemptBroken, .broken:
      let position = before.hosts[host].connections.lowerBound + Int(action.position)
      alive.connections &= ~Self.bit(before.connections[position].id.index)
    case .connected:
      // A success resets the delay (D6).
      expected[host] = backoff.firstDelay
    default:
      break
    }
  }

  /// Handles all effects in one function, because each call passes many arguments.
  private mutating func handleAll(
    _ log: borrowing EffectLog<ClientEffect>, _ action: ClientAction,
    _ before: borrowing ClientSurvey,
    _ after: borrowing ClientSurvey, isTransition: Bool, at now: Instant
  ) {
    for index in 0..<log.count {
      handle(log[index], action, before, after, isTransition: isTransition, at: now)
    }
  }

  // long: a flat switch with a few lines per effect
  private mutating func handle(
    _ effect: ClientEffect, _ action: ClientAction, _ before: borrowing ClientSurvey,
    _ after: borrowing ClientSurvey,
    isTransition: Bool, at now: Instant
  ) {
    switch effect {
    case .callBound(let id, _, _), .fetchToken(let id):
      alive.calls |= Self.bit(id.index)
    case .endCall(let id, let end):
      handleEnd(of: id, end, action, before, isTransition: isTransition)
    case .startStream(let id, let connection), .sendMessages(let id, let connection, _, _),
      .finishStream(let id, let connection), .resetStream(let id, let connection):
      if !isAlive(id, before) { broke(.sentAfterEnd(id)) }
      if !isOpen(connection) { broke(.deadConnection(connection)) }
    case .deliverMessage(let id):
      if !isAlive(id, before) { broke(.deliveredAfterEnd(id)) }
    case .sendPing(let connection):
      if !isOpen(connection) { broke(.deadConnection(connection)) }
      checkPing(on: connection, after, at: now)
    case .openConnection(let id, let channel):
      if isOpen(id) { broke(.deadConnection(id)) }
      alive.connections |= Self.bit(id.index)
      checkAttempt(of: Int(channel.endpoint.index), after, at: now)
    case .closeConnection(let id):
      if !isOpen(id) { broke(.deadConnection(id)) }
      alive.connections &= ~Self.bit(id.index)
    case .channelCreated(let id):
      let host = Int(id.endpoint.index)
      if alive.channels & Self.bit(host) != 0 { broke(.channelsDisagree(host: host)) }
      alive.channels |= Self.bit(host)
      expected[host] = backoff.firstDelay
    case .channelDestroyed(let id, let reason):
      let host = Int(id.endpoint.index)
      if alive.channels & Self.bit(host) == 0 { broke(.channelsDisagree(host: host)) }
      alive.channels &= ~Self.bit(host)
      if reason == .unused, !before.hosts[host].calls.isEmpty {
        broke(.usedChannelDestroyed(host: host))
      }
    case .channelMoved(let id, let from, let to):
      let host = Int(id.endpoint.index)
      if !from.canMove(to: to) { broke(.illegalMove(host: host, from: from, to: to)) }
      guard from == .connecting, to == .transientFailure else { return }
      expected[host] = min(expected[host].scaled(by: backoff.multiplier), backoff.maximum)
    case .notify:
      if !isTransition { broke(.sameCategoryActed) }
    }
  }

  private mutating func handleEnd(
    of id: CallID, _ end: CallEnd, _ action: ClientAction, _ before: borrowing ClientSurvey,
    isTransition: Bool
  ) {
    // A call that ends immediately has no effect before its end.
    if action.kind == .callStarted, end == .notCreated { return }
    guard isAlive(id, before) else { return broke(.endedAgain(id)) }
    alive.calls &= ~Self.bit(id.index)
    if isTransition, end != .connectivityLost {
      broke(.endedWrongly(id, end, expected: .connectivityLost))
    }
    if action.kind == .disconnected || action.kind == .allDisconnected, end != .disconnected {
      broke(.endedWrongly(id, end, expected: .disconnected))
    }
    if end == .deadlineExceeded, action.kind != .callExpired, action.kind != .awaitingExpired {
      broke(.endedEarly(id))
    }
  }

  private mutating func checkAttempt(of host: Int, _ after: borrowing ClientSurvey, at now: Instant)
  {
    let delay = expected[host]
    let one = after.hosts[host]
    if !one.hasWaiting { broke(.attemptWithoutCalls(host: host)) }
    let seen = Interval(microseconds: one.notBefore.microseconds - now.microseconds)
    if seen != delay { broke(.wrongDelay(host: host, seen: seen, expected: delay)) }
    let wait = max(delay, backoff.minimumConnectTimeout)
    if one.attemptDue != now + wait {
      let seen = Interval(microseconds: one.attemptDue.microseconds &- now.microseconds)
      broke(.wrongAttemptTime(host: host, seen: seen, expected: wait))
    }
  }

  /// Checks that the client waits for the answer to a ping as long as the settings require (B7).
  private mutating func checkPing(
    on connection: ConnectionID, _ after: borrowing ClientSurvey, at now: Instant
  ) {
    guard let wait = keepalive?.timeout else { return }
    for position in 0..<after.connections.count where after.connections[position].id == connection {
      let due = after.connections[position].keepaliveDue
      guard due != now + wait else { return }
      let seen = Interval(microseconds: due.microseconds &- now.microseconds)
      broke(.wrongPingTime(seen: seen, expected: wait))
    }
  }

  // MARK: After the step

  private mutating func checkTransition(
    _ before: borrowing ClientSurvey, bound: UInt64, ended: UInt64
  ) {
    if alive.channels != 0 { broke(.channelKept(host: alive.channels.trailingZeroBitCount)) }
    if alive.connections != 0 {
      for position in 0..<before.connections.count where isOpen(before.connections[position].id) {
        broke(.connectionKept(before.connections[position].id))
      }
    }
    for position in 0..<before.calls.count
    where (bound & ~ended) & Self.bit(before.calls[position].id.index) != 0 {
      broke(.callKept(before.calls[position].id))
    }
  }

  private mutating func checkState(
    _ before: borrowing ClientSurvey, _ after: borrowing ClientSurvey, at now: Instant
  ) {
    let held = after.callRows | after.awaitingRows
    if held != alive.calls
      || after.callsInUse != after.calls.count &+ after.awaitingTokens.count
    {
      broke(.callsDisagree)
    }
    if after.connectionRows != alive.connections
      || after.connectionsInUse != after.connections.count
    {
      broke(.connectionsDisagree)
    }
    for host in 0..<after.hosts.count {
      let exists = after.hosts[host].exists
      if exists != (alive.channels & Self.bit(host) != 0) {
        broke(.channelsDisagree(host: host))
      }
      if exists { checkHost(host, before, after, at: now) }
    }
  }

  private mutating func checkHost(
    _ host: Int, _ before: borrowing ClientSurvey, _ after: borrowing ClientSurvey, at now: Instant
  ) {
    switch after.hosts[host].state {
    case .ready:
      if after.hosts[host].hasWaiting { broke(.waitsForNothing(host: host)) }
    case .idle, .transientFailure:
      if after.hosts[host].hasWaiting, after.hosts[host].attemptDue == .never {
        broke(.waitsForNothing(host: host))
      }
    case .connecting:
      if after.hosts[host].attemptDue == .never { broke(.attemptWithoutEnd(host: host)) }
    case .shutdown:
      break
    }
    guard let lifetime = policy.unusedChannelLifetime, after.hosts[host].hasNoCalls else { return }
    let due = after.hosts[host].unusedDue
    guard due != .never else { return broke(.unusedForever(host: host)) }
    let wasUnused = before.hosts[host].exists && before.hosts[host].hasNoCalls
    if !wasUnused, due != now + lifetime {
      let seen = Interval(microseconds: due.microseconds &- now.microseconds)
      broke(.wrongUnusedDelay(host: host, seen: seen, expected: lifetime))
    }
  }

  // MARK: Rows

  /// Whether a call has not ended, and is not the previous owner of its row.
  ///
  /// This function and the next one are `mutating` although they only read, because a large value
  /// that is only read would be copied first.
  private mutating func isAlive(_ call: CallID, _ before: borrowing ClientSurvey) -> Bool {
    guard call.index < 64, alive.calls & Self.bit(call.index) != 0 else { return false }
    for position in 0..<before.calls.count where before.calls[position].id.index == call.index {
      return before.calls[position].id == call
    }
    for position in 0..<before.awaitingTokens.count
    where before.awaitingTokens[position].id.index == call.index {
      return before.awaitingTokens[position].id == call
    }
    return true
  }

  private mutating func isOpen(_ connection: ConnectionID) -> Bool {
    connection.index < 64 && alive.connections & Self.bit(connection.index) != 0
  }

  private static func bit(_ row: some BinaryInteger) -> UInt64 {
    ClientSurvey.bit(UInt32(truncatingIfNeeded: row))
  }
}
