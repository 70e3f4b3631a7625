import HandoverCore

/// Assigns instants to the actions of a sequence.
///
/// A timer fires at its due time; every other action happens a little later than the previous one.
struct ActionClock {
  /// The time between two actions, unless a timer is due earlier.
  static let pause = Interval.milliseconds(100)

  /// Whether calls that started at the present instant are different from others.
  ///
  /// If so, separate actions end each instant.
  let hasInstants: Bool
  /// The instant of the last action.
  private(set) var instant = Instant.zero

  init(_ setup: ExplorationSetup) {
    hasInstants = setup.distinguishesNewCalls
  }

  /// Advances the clock to an action.
  ///
  /// - Parameters:
  ///   - action: The next action.
  ///   - seen: The state of the client before the action.
  ///   - isFirst: Whether no action has happened yet.
  /// - Returns: Whether the action is possible; it is not if another timer is due before it.
  mutating func pass(to action: ClientAction, _ seen: borrowing ClientSurvey, isFirst: Bool) -> Bool
  {
    let (host, position) = (Int(action.host), Int(action.position))
    let due: Instant
    switch action.kind {
    case .attemptExpired: due = seen.hosts[host].attemptDue
    case .unusedExpired: due = seen.hosts[host].unusedDue
    case .backoffOver: due = seen.hosts[host].notBefore
    case .keepaliveExpired:
      due = seen.connections[seen.hosts[host].connections.lowerBound + position].keepaliveDue
    default:
      if isFirst || hasInstants && action.kind != .instantOver { return true }
      let next = nextDue(seen)
      let gap = Interval(microseconds: next.microseconds &- instant.microseconds)
      let half = Interval(microseconds: gap.microseconds / 2)
      instant = instant + (gap > Self.pause ? Self.pause : half)
      return true
    }
    guard nextDue(seen, besidesBackoff: true) >= due else { return false }
    instant = max(instant, due)
    return true
  }

  /// Fires the timers that are already due, because in real time they precede every other action.
  ///
  /// An action may arm a timer for the current instant or an earlier one. Examples are a backoff
  /// that ended before the name lookup failed (2017 network-transition doc), and the ping of a
  /// connection that was silent for long. Without times, such a timer is like any armed timer, and
  /// others may fire before it.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - seen: The state of the client; on return, the state after the timers fired.
  ///   - rules: Checks the resulting steps.
  ///   - log: Contains the effects of the action; receives those of the timers.
  func fireDueTimers(
    _ client: inout ClientCore, _ seen: inout ClientSurvey, _ rules: inout StepRules,
    into log: inout EffectLog<ClientEffect>
  ) {
    var before = ClientSurvey()
    var orders = EffectLog<ClientEffect>()
    while let action = overdue(seen) {
      swap(&before, &seen)
      orders.removeAll()
      client.perform(action, seen: before, at: instant, into: &orders)
      client.survey(into: &seen, at: instant)
      _ = rules.check(action, before, seen, orders, at: instant)
      for position in 0..<orders.count { log.append(orders[position]) }
    }
  }

  /// Returns the action of a timer that is due by now, or `nil` if there is none.
  private func overdue(_ seen: borrowing ClientSurvey) -> ClientAction? {
    for host in 0..<seen.hosts.count where seen.hosts[host].exists {
      if seen.hosts[host].attemptDue <= instant { return ClientAction(.attemptExpired, host: host) }
      if seen.hosts[host].unusedDue <= instant { return ClientAction(.unusedExpired, host: host) }
      let connections = seen.hosts[host].connections
      for index in connections where seen.connections[index].keepaliveDue <= instant {
        return ClientAction(.keepaliveExpired, host: host, position: index - connections.lowerBound)
      }
    }
    return nil
  }

  /// Advances the clock by an interval.
  mutating func pass(for interval: Interval) {
    instant = instant + interval
  }

  /// Returns the next instant at which the passing of time alone changes the client.
  func nextDue(_ seen: borrowing ClientSurvey, besidesBackoff: Bool = false) -> Instant {
    var next = Instant.never
    for position in 0..<seen.hosts.count {
      let host = seen.hosts[position]
      next = min(next, host.attemptDue, host.unusedDue)
      if !besidesBackoff, host.notBefore > instant { next = min(next, host.notBefore) }
    }
    for position in 0..<seen.connections.count {
      next = min(next, seen.connections[position].keepaliveDue)
    }
    return max(next, instant)
  }
}
