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
