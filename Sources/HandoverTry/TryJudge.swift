import HandoverCore

/// A checker that gives verdicts on observations by the rules of the page <doc:TryingAProgram>.
public struct TryJudge: Sendable {
  /// The excess of silence over the program's rhythm up to which the program is unharmed.
  static let slack = Interval.seconds(1)
  /// The excess of silence over the program's rhythm up to which the program recovers.
  static let recovery = Interval.seconds(5)
  /// The number of arrivals of application data that are needed to determine a rhythm.
  static let leastPayloads = 3
  /// The minimum time and number of unanswered datagrams that count as outstanding.
  static let leastUnanswered = (span: Interval.seconds(3), count: 3)

  private let rhythm: ProgramRhythm

  /// Creates a checker for the program with this rhythm.
  public init(_ rhythm: ProgramRhythm) {
    self.rhythm = rhythm
  }

  /// Returns the verdict on an observation of a network change.
  public func verdict(on observation: TryObservation, _ traits: MoveTraits) -> TryVerdict {
    guard let moved = observation.moved else {
      var verdict = TryVerdict(observation)
      verdict.inconclusiveReason =
        observation.programEnd == nil ? .networkUnchanged : .endedBeforeChange
      return verdict
    }
    let move = MoveFacts(observation, traits, moved: moved, rhythm)
    let stall = observation.pausedTime(from: moved)
    // A pause of the machine prolongs a silence; a pause in the unmodified run hides one.
    let verdicts = [
      verdict(on: move, TryMeasure()),
      verdict(on: move, TryMeasure(deduction: stall)),
      verdict(on: move, TryMeasure(addition: rhythm.pausedTime)),
    ]
    var verdict = verdicts[0]
    if verdicts.contains(where: { $0.outcome != verdict.outcome }) {
      verdict.outcome = .inconclusive
      verdict.inconclusiveReason = .machinePaused(max(stall, rhythm.pausedTime))
    }
    return verdict
  }

  /// Returns whether no endpoint is silent for longer than usual at the end of an observation.
  func carriesData(_ observation: TryObservation, _ traits: MoveTraits) -> Bool {
    guard let moved = observation.moved else { return false }
    let move = MoveFacts(observation, traits, moved: moved, rhythm)
    return move.endpoints.allSatisfy { !$0.hasFrequentData || $0.lastExcess <= Self.slack }
  }

  private func verdict(on move: MoveFacts, _ measure: TryMeasure) -> TryVerdict {
    if !move.hasDataBefore { return move.verdict(.silentBefore) }
    if move.endedBefore { return move.verdict(.endedBeforeChange) }
    if move.affectsNothing { return move.verdict(.noAffectedConnection) }
    let outcomes = move.endpoints.map { EndpointOutcome($0, move, measure) }
    let outcome = Self.decisive(outcomes)
    var verdict = move.verdict(outcome)
    verdict.notes += outcomes.compactMap(\.failover)
    if outcomes.count > 1 || outcome.kind == .hangs { verdict.endpoint = outcome.facts.name }
    if move.failsUnusually {
      (verdict.outcome, verdict.inconclusiveReason, verdict.isIncomplete) = (.givesUp, nil, false)
    }
    return verdict
  }

  /// Returns the outcome that decides the program's verdict: the worst one.
  ///
  /// Among equally bad outcomes, it is the one with the longest excess of silence.
  private static func decisive(_ outcomes: [EndpointOutcome]) -> EndpointOutcome {
    guard var worst = outcomes.first else {
      preconditionFailure("the endpoint of all connections is missing")
    }
    for outcome in outcomes.dropFirst() where outcome.isWorse(than: worst) { worst = outcome }
    // If a longer connection survived, short ones that failed during the outage are only a note.
    let unharmed = outcomes.first { $0.kind == .unharmed && $0.facts.hasSurvivor }
    guard worst.kind == .recovers, worst.facts.isShortLived, var unharmed else { return worst }
    let others = outcomes.filter { $0.kind == .recovers }
    guard others.allSatisfy(\.facts.isShortLived) else { return worst }
    let failed = others.reduce(0) { $0 + $1.facts.deadAttempts }
    unharmed.notes.append(.shortConnectionsFailed(count: failed))
    return unharmed
  }
}
