import HandoverMachines

/// Judges observations by the rules of the page <doc:TryingAProgram>.
public struct TryJudge: Sendable {
  /// How much longer than its own rhythm a program may be silent and count as unharmed.
  static let slack = Interval.seconds(1)
  /// How much longer it may be silent and count as recovering.
  static let recovery = Interval.seconds(5)
  /// How often application data must come without a change until a rhythm is known.
  static let leastPayloads = 3
  /// How long datagrams must go unanswered to count as outstanding, and how many.
  static let leastUnanswered = (span: Interval.seconds(3), count: 3)

  private let rhythm: ProgramRhythm

  /// Creates a judge for the program with this rhythm.
  public init(_ rhythm: ProgramRhythm) {
    self.rhythm = rhythm
  }

  /// Judges an observation of a move.
  public func verdict(on observation: TryObservation, _ traits: MoveTraits) -> TryVerdict {
    guard let moved = observation.moved else {
      var verdict = TryVerdict(observation)
      verdict.doubt = observation.programEnd == nil ? .neverMoved : .overBefore
      return verdict
    }
    let move = MoveFacts(observation, traits, moved: moved, rhythm)
    let stall = observation.stoodStill(from: moved)
    // A standstill makes a silence too long; one in the unmodified run hides a silence.
    let verdicts = [
      verdict(on: move, TryMeasure()),
      verdict(on: move, TryMeasure(pardon: stall)),
      verdict(on: move, TryMeasure(surcharge: rhythm.stoodStill)),
    ]
    var verdict = verdicts[0]
    if verdicts.contains(where: { $0.word != verdict.word }) {
      verdict.word = .inconclusive
      verdict.doubt = .stoodStill(max(stall, rhythm.stoodStill))
    }
    return verdict
  }

  private func verdict(on move: MoveFacts, _ measure: TryMeasure) -> TryVerdict {
    if !move.hasDataBefore { return move.verdict(.silentBefore) }
    if move.endedBefore { return move.verdict(.overBefore) }
    if move.meetsNothing { return move.verdict(.nothingMet) }
    let outcomes = move.endpoints.map { EndpointOutcome($0, move, measure) }
    let outcome = Self.decisive(outcomes)
    var verdict = move.verdict(outcome)
    verdict.notes += outcomes.compactMap(\.failover)
    if outcomes.count > 1 || outcome.word == .hangs { verdict.endpoint = outcome.facts.name }
    if move.failsUnusually {
      (verdict.word, verdict.doubt, verdict.isIncomplete) = (.givesUp, nil, false)
    }
    return verdict
  }

  /// The outcome on which the verdict on the program rests: the worst, then the longest silence.
  private static func decisive(_ outcomes: [EndpointOutcome]) -> EndpointOutcome {
    guard var worst = outcomes.first else { preconditionFailure("all connections are an endpoint") }
    for outcome in outcomes.dropFirst() where outcome.isWorse(than: worst) { worst = outcome }
    // Short connections that failed during the outage are a note if a longer one survived.
    let unharmed = outcomes.first { $0.word == .unharmed && $0.facts.hasSurvivor }
    guard worst.word == .recovers, worst.facts.isShortLived, var unharmed else { return worst }
    let others = outcomes.filter { $0.word == .recovers }
    guard others.allSatisfy(\.facts.isShortLived) else { return worst }
    let failed = others.reduce(0) { $0 + $1.facts.deadAttempts }
    unharmed.notes.append(.shortConnectionsFailed(count: failed))
    return unharmed
  }
}
