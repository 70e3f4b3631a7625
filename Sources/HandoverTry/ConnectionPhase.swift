package import HandoverCore

/// The phase of a program's newest connection at one instant.
package enum ConnectionPhase: String, Hashable, Sendable, CaseIterable {
  /// The program has no connection.
  case none = "no connection"
  /// A connection is being opened.
  case connecting
  /// The connection is open, and no application data has arrived on it yet.
  case open
  /// Application data arrives at the usual intervals.
  case carrying
  /// Application data has been missing for longer than usual.
  case silent
}

extension TryObservation {
  /// Returns the phase of the newest connection at an instant.
  ///
  /// - Parameters:
  ///   - instant: The instant.
  ///   - rhythm: The rhythm of the program without a network change.
  /// - Returns: The phase.
  package func phase(at instant: Instant, _ rhythm: ProgramRhythm) -> ConnectionPhase {
    let open = seenFlows.filter { seen in
      seen.flow.opened <= instant && seen.released.map { $0 > instant } ?? true
    }
    guard let newest = open.max(by: { $0.flow.opened < $1.flow.opened }) else { return .none }
    guard let established = newest.flow.established, established <= instant else {
      return .connecting
    }
    guard let last = newest.payload.last(where: { $0 <= instant }) else { return .open }
    return instant.since(last) <= rhythm.longestGap + Self.tolerance ? .carrying : .silent
  }

  /// The delay of application data that is still usual.
  private static var tolerance: Interval { .milliseconds(100) }
}

extension TryJudge {
  /// The time after the recovery from which on a verdict does not change.
  ///
  /// Rates are compared over at least 5 s.
  private static let settling = Interval.milliseconds(5_200)

  /// Returns whether a longer observation would not make the verdict worse.
  ///
  /// The program has recovered and its data still arrives, or it has ended.
  package func isSettled(_ observation: TryObservation, _ traits: MoveTraits) -> Bool {
    guard let moved = observation.moved else { return false }
    let verdict = verdict(on: observation, traits)
    if observation.programEnd != nil { return true }
    guard !verdict.isFailure, verdict.outcome != .inconclusive, let recovers = verdict.recovers
    else {
      return false
    }
    let start = max(moved + recovers, observation.restored ?? moved)
    return observation.end.since(min(start, observation.end)) >= Self.settling
      && carriesData(observation, traits)
  }
}
