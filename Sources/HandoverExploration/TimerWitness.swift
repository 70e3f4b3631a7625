import HandoverMachines

/// A client with real instants that is asked whether it does what the zones say.
struct TimerWitness: ~Copyable {
  /// How long before the first timer the client stands.
  private static let ahead = Interval.milliseconds(1)

  // A fixed value comes first, as in ``SuccessorFinder``.
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

  /// Lets a timer fall due as a real one does.
  ///
  /// - Parameters:
  ///   - act: what has happened.
  ///   - finder: has let it happen as zones know it; is not changed.
  ///   - timers: those of the state before that zones know.
  ///   - instant: what is known of them then.
  ///   - timer: the place of the act's, from 1; 0 where zones do not know it.
  /// - Returns: what the client does otherwise; nil where it does the same, where another timer
  ///   must fall due together with this one, and for acts that no client wakes for.
  func check(
    _ act: Act, _ finder: inout SuccessorFinder, _ timers: borrowing Rows<ZoneTimer>,
    _ instant: borrowing Zone, _ timer: Int
  ) -> Breach? {
    guard act.isTimer else { return nil }
    // A backoff ends with the wait for it.
    let endsBackoff =
      act.kind == .attemptExpired && finder.base.value.hosts[Int(act.host)].state != .connecting
    for place in 1..<instant.size where place != timer && instant[place, 0] == 0 {
      guard endsBackoff, timers[place - 1].kind == .backoff,
        timers[place - 1].host == Int(act.host)
      else { return nil }
    }
    let due = CanonicalForm.present + Self.ahead
    restore(act, &finder, timers, instant, due)
    guard client.value.nextDeadline == due else { return .wokenWrongly }
    log.value.removeAll()
    client.value.step(
      .pool(.timeElapsed), at: Instant(microseconds: due.microseconds - 1), into: &log.value)
    guard log.value.isEmpty else { return .firedEarly }
    client.value.step(.pool(.timeElapsed), at: due, into: &log.value)
    guard log.value.count == finder.log.value.count else { return .firedOtherwise }
    for place in 0..<log.value.count where log.value[place] != finder.log.value[place] {
      return .firedOtherwise
    }
    client.value.surveyInPlace(into: &seen.value, at: due)
    bytes.value.removeAll()
    form.write(seen.value, finder.expected, at: due, into: &bytes.value)
    expected.value.removeAll()
    finder.writeForm(into: &expected.value)
    guard bytes.value.count == expected.value.count,
      bytes.value.isSame(from: 0, as: expected.value, from: 0, count: bytes.value.count)
    else { return .firedOtherwise }
    return nil
  }

  /// Gives a client the latest times that its timers may have.
  ///
  /// Of those that zones do not know, the act's is due now and the others come after all, the last
  /// one first.
  private func restore(
    _ act: Act, _ finder: inout SuccessorFinder, _ timers: borrowing Rows<ZoneTimer>,
    _ instant: borrowing Zone, _ due: Instant
  ) {
    seen.value.become(&finder.base.value)
    for place in 0..<timers.count {
      let left = Interval(microseconds: Int64(instant[place + 1, 0]))
      timers[place].set(due + left, of: &seen.value)
    }
    for place in 0..<seen.value.calls.count where seen.value.calls[place].deadline != .never {
      seen.value.calls[place].deadline = due + .seconds(1_000 - Int64(place))
    }
    for place in 0..<seen.value.awaitingTokens.count
    where seen.value.awaitingTokens[place].deadline != .never {
      seen.value.awaitingTokens[place].deadline = due + .seconds(900 - Int64(place))
    }
    for place in 0..<seen.value.connections.count
    where seen.value.connections[place].keepaliveDue != .never {
      seen.value.connections[place].keepaliveDue = due + .seconds(800 - Int64(place))
    }
    let (host, place) = (Int(act.host), Int(act.place))
    switch act.kind {
    case .callExpired:
      seen.value.calls[seen.value.hosts[host].calls.lowerBound + place].deadline = due
    case .awaitingExpired: seen.value.awaitingTokens[place].deadline = due
    case .keepaliveExpired:
      let first = seen.value.hosts[host].connections.lowerBound
      seen.value.connections[first + place].keepaliveDue = due
    default: break
    }
    client.value.restore(seen.value, at: CanonicalForm.present)
  }
}
