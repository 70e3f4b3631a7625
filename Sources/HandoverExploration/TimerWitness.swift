import HandoverCore

/// A client with real instants, which checks that timers fire as the zone exploration assumes.
struct TimerWitness: ~Copyable {
  /// How long before the first timer the client starts.
  private static let ahead = Interval.milliseconds(1)

  // The fixed value comes first, as in ``SuccessorFinder``.
  private let client: Fixed<ClientCore>
  private let form: CanonicalForm
  private let seen = Fixed(ClientSurvey())
  private let log = Fixed(EffectLog<ClientEffect>(reserving: 64))
  private let bytes = Fixed(FormBytes())
  private let expected = Fixed(FormBytes())

  init(_ setup: ExplorationSetup) {
    form = CanonicalForm(setup)
    client = Fixed(setup.makeClient())
  }

  /// Fires a timer as a real timer would.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - finder: The finder that has performed the action in the zone; not changed.
  ///   - timers: The timers of the previous state that zones track.
  ///   - instant: The bounds of these timers at the instant of the action.
  ///   - timer: The position of the action's timer, counted from 1, or 0 if zones do not track it.
  /// - Returns: The violation if the client behaves differently. The result is `nil` if it behaves
  ///   identically, if another timer must fire at the same instant, or if the action is no timer.
  func check(
    _ action: ClientAction, _ finder: inout SuccessorFinder, _ timers: borrowing Rows<ZoneTimer>,
    _ instant: borrowing Zone, _ timer: Int
  ) -> Violation? {
    guard action.isTimer else { return nil }
    // A backoff ends together with the wait for it.
    let endsBackoff =
      action.kind == .attemptExpired
      && finder.base.value.hosts[Int(action.host)].state != .connecting
    for position in 1..<instant.size where position != timer && instant[position, 0] == 0 {
      guard endsBackoff, timers[position - 1].kind == .backoff,
        timers[position - 1].host == Int(action.host)
      else { return nil }
    }
    let due = CanonicalForm.present + Self.ahead
    restore(action, &finder, timers, instant, due)
    guard client.value.nextDeadline == due else { return .wrongWakeup }
    log.value.removeAll()
    client.value.stepDecorated(
      .pool(.timeElapsed), at: Instant(microseconds: due.microseconds - 1), into: &log.value)
    guard log.value.isEmpty else { return .firedEarly }
    client.value.stepDecorated(.pool(.timeElapsed), at: due, into: &log.value)
    guard log.value.count == finder.log.value.count else { return .firedDifferently }
    for position in 0..<log.value.count where log.value[position] != finder.log.value[position] {
      return .firedDifferently
    }
    client.value.surveyInPlace(into: &seen.value, at: due)
    bytes.value.removeAll()
    form.write(seen.value, finder.expected, at: due, into: &bytes.value)
    expected.value.removeAll()
    finder.writeForm(into: &expected.value)
    guard bytes.value.count == expected.value.count,
      bytes.value.isSame(from: 0, as: expected.value, from: 0, count: bytes.value.count)
    else { return .firedDifferently }
    return nil
  }

  /// Restores a client whose timers have the latest possible due times.
  ///
  /// Among the timers that zones do not track, the action's timer is due now. The others are due
  /// after all tracked timers, in reverse order.
  private func restore(
    _ action: ClientAction, _ finder: inout SuccessorFinder, _ timers: borrowing Rows<ZoneTimer>,
    _ instant: borrowing Zone, _ due: Instant
  ) {
    seen.value.assign(from: &finder.base.value)
    for position in 0..<timers.count {
      let left = Interval(microseconds: Int64(instant[position + 1, 0]))
      timers[position].set(due + left, of: &seen.value)
    }
    for position in 0..<seen.value.calls.count where seen.value.calls[position].deadline != .never {
      seen.value.calls[position].deadline = due + .seconds(1_000 - Int64(position))
    }
    for position in 0..<seen.value.awaitingTokens.count
    where seen.value.awaitingTokens[position].deadline != .never {
      seen.value.awaitingTokens[position].deadline = due + .seconds(900 - Int64(position))
    }
    for position in 0..<seen.value.connections.count
    where seen.value.connections[position].keepaliveDue != .never {
      seen.value.connections[position].keepaliveDue = due + .seconds(800 - Int64(position))
    }
    let (host, position) = (Int(action.host), Int(action.position))
    switch action.kind {
    case .callExpired:
      seen.value.calls[seen.value.hosts[host].calls.lowerBound + position].deadline = due
    case .awaitingExpired: seen.value.awaitingTokens[position].deadline = due
    case .keepaliveExpired:
      let first = seen.value.hosts[host].connections.lowerBound
      seen.value.connections[first + position].keepaliveDue = due
    default: break
    }
    client.value.restore(seen.value, at: CanonicalForm.present)
  }
}
