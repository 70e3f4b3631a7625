import HandoverMachines

/// The instants of acts on a way through time: what is due comes when it is due, and everything
/// else a little later than what was before it.
struct ActClock {
  /// The time between two acts, where nothing falls due before.
  static let pause = Interval.milliseconds(100)

  /// Whether a client is explored that remembers what was started in an instant, so that instants
  /// end by acts of their own.
  let hasInstants: Bool
  /// The instant of the last act.
  private(set) var instant = Instant.zero

  init(_ setup: ExplorationSetup) {
    hasInstants = setup.defects.contains(Defects([.lostCall]))
  }

  /// Lets time pass to an act.
  ///
  /// - Parameters:
  ///   - act: what will happen.
  ///   - seen: the client before it.
  ///   - isFirst: whether nothing has happened before.
  /// - Returns: whether it can happen: another timer may fall due before.
  mutating func pass(to act: Act, _ seen: borrowing ClientSurvey, isFirst: Bool) -> Bool {
    let (host, place) = (Int(act.host), Int(act.place))
    let due: Instant
    switch act.kind {
    case .attemptExpired: due = seen.hosts[host].attemptDue
    case .unusedExpired: due = seen.hosts[host].unusedDue
    case .backoffOver: due = seen.hosts[host].notBefore
    case .keepaliveExpired:
      due = seen.connections[seen.hosts[host].connections.lowerBound + place].keepaliveDue
    default:
      if isFirst || hasInstants && act.kind != .instantOver { return true }
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

  /// Lets a client do what is due already: in time it comes before anything else.
  ///
  /// An act may arm a timer for its own instant or for one that is over: the backoff that has run
  /// out before a name is not found (the 2017 document), the ping of a connection that was silent
  /// for long. Without times such a timer is like any that is armed, and others may fire before it.
  ///
  /// - Parameters:
  ///   - client: does it.
  ///   - seen: the client before and after it.
  ///   - rules: see what comes of it.
  ///   - log: has the orders of the act, and takes those that follow.
  func settle(
    _ client: inout ClientCore, _ seen: inout ClientSurvey, _ rules: inout StepRules,
    into log: inout EffectLog<ClientEffect>
  ) {
    var before = ClientSurvey()
    var orders = EffectLog<ClientEffect>()
    while let act = overdue(seen) {
      swap(&before, &seen)
      orders.removeAll()
      client.perform(act, seen: before, at: instant, into: &orders)
      client.survey(into: &seen, at: instant)
      _ = rules.check(act, before, seen, orders, at: instant)
      for place in 0..<orders.count { log.append(orders[place]) }
    }
  }

  /// The act of a timer that is due by now; nil where there is none.
  private func overdue(_ seen: borrowing ClientSurvey) -> Act? {
    for host in 0..<seen.hosts.count where seen.hosts[host].exists {
      if seen.hosts[host].attemptDue <= instant { return Act(.attemptExpired, host: host) }
      if seen.hosts[host].unusedDue <= instant { return Act(.unusedExpired, host: host) }
      let connections = seen.hosts[host].connections
      for index in connections where seen.connections[index].keepaliveDue <= instant {
        return Act(.keepaliveExpired, host: host, place: index - connections.lowerBound)
      }
    }
    return nil
  }

  /// Lets time pass to a later instant.
  mutating func pass(for interval: Interval) {
    instant = instant + interval
  }

  /// The next instant at which time alone changes something.
  func nextDue(_ seen: borrowing ClientSurvey, besidesBackoff: Bool = false) -> Instant {
    var next = Instant.never
    for place in 0..<seen.hosts.count {
      let host = seen.hosts[place]
      next = min(next, host.attemptDue, host.unusedDue)
      if !besidesBackoff, host.notBefore > instant { next = min(next, host.notBefore) }
    }
    for place in 0..<seen.connections.count {
      next = min(next, seen.connections[place].keepaliveDue)
    }
    return max(next, instant)
  }
}
