import HandoverCore

/// The comparison of times with limits.
struct TryMeasure {
  /// The time to subtract from an excess, because the machine was paused for that long.
  var deduction = Interval.zero
  /// The time to add to an excess, because the machine was paused during the unmodified run.
  var addition = Interval.zero

  /// Returns an excess after both corrections.
  func corrected(_ excess: Interval) -> Interval {
    Interval(
      microseconds: max(
        0, excess.microseconds - deduction.microseconds + addition.microseconds))
  }

  /// Returns whether an excess is within a limit, with the tolerance in favor of the program.
  func isWithin(_ excess: Interval, _ limit: Interval) -> Bool {
    TryLimit(limit).allows(corrected(excess))
  }
}

/// The outcome of a network change for one endpoint.
struct EndpointOutcome {
  let facts: EndpointFacts
  var kind: TryOutcome
  var inconclusiveReason: InconclusiveReason?
  /// Whether application data is still missing at the end of the observation.
  var isIncomplete = false
  /// The limit of UNHARMED that applies, or `nil` if none does.
  var limit: Interval?
  var notes: [TryNote] = []
  /// The instant at which application data came back for good.
  var recovered: Instant?

  init(_ facts: EndpointFacts, _ move: MoveFacts, _ measure: TryMeasure) {
    self.facts = facts
    kind = .inconclusive
    // If data came once and then stopped for good, the endpoint did not recover.
    let stopped = facts.hasFrequentData && !measure.isWithin(facts.lastExcess, TryJudge.recovery)
    recovered = stopped ? nil : facts.recovered
    if recovered == nil {
      judgeMissing(move)
    } else {
      judgeRecovered(move, measure)
      addNotes()
    }
  }

  /// Determines the verdict if application data did not come back.
  private mutating func judgeMissing(_ move: MoveFacts) {
    let lived = move.observation.lastLife.since(min(move.restored, move.observation.lastLife))
    let isLongSilent =
      facts.hasFrequentData && lived > facts.rhythm.longestGap + TryJudge.recovery
    if move.observation.programEnd != nil {
      let isUsual = move.endsAnyway && !isLongSilent
      (kind, inconclusiveReason) = isUsual ? (.inconclusive, .endsAnyway) : (.givesUp, nil)
    } else if !facts.pendingWork.isEmpty {
      kind = .hangs
    } else if facts.hasFrequentData {
      kind = facts.attempts.isEmpty ? .givesUp : .late
      isIncomplete = kind == .late
    } else {
      inconclusiveReason = facts.deadConnections.isEmpty ? .dataTooRare : .nothingOutstanding
    }
  }

  /// Determines the verdict if application data came back.
  private mutating func judgeRecovered(_ move: MoveFacts, _ measure: TryMeasure) {
    let loses = facts.losesConnections
    let cuts = move.couldContinue && (facts.endsConnections || facts.abandonsConnection)
    if facts.isDegraded {
      (kind, isIncomplete) = (.late, true)
      if cuts { notes.append(facts.abandonsConnection ? .abandons : .cuts) }
      return
    }
    if cuts {
      kind = .cuts
      if facts.abandonsConnection { notes.append(.abandons) }
      return
    }
    let survives = !loses && facts.hasSurvivor
    guard survives || facts.rhythm.isKnown else {
      inconclusiveReason = .dataTooRare
      return
    }
    if survives {
      limit = max(move.outage, TryJudge.slack)
    } else if !loses, facts.deadAttempts == 0 {
      limit = TryJudge.slack
    }
    if let limit, measure.isWithin(facts.excess, limit) {
      kind = .unharmed
      noteLimit(limit)
    } else {
      kind = measure.isWithin(facts.excess, TryJudge.recovery) ? .recovers : .late
      noteLimit(TryJudge.recovery)
    }
  }

  private mutating func noteLimit(_ limit: Interval) {
    if TryLimit(limit).isNear(facts.excess) { notes.append(.atLimit(limit)) }
  }

  private mutating func addNotes() {
    if kind == .unharmed, facts.hasSurvivor, facts.deadAttempts > 0 {
      notes.append(.shortConnectionsFailed(count: facts.deadAttempts))
    }
    if let rates = facts.rates, rates.after * 2 < rates.before || rates.after * 2 > rates.before * 3
    {
      notes.append(.rate(before: rates.before, after: rates.after))
    }
  }

  /// The note on the server that replaced this server.
  var failover: TryNote? {
    guard let endpoint = facts.endpoint, let replacement = facts.replacement else { return nil }
    return .failover(from: endpoint, to: replacement)
  }

  /// Returns whether the program's verdict is based on this outcome rather than on another one.
  func isWorse(than other: EndpointOutcome) -> Bool {
    if kind.rank != other.kind.rank { return kind.rank < other.kind.rank }
    if isIncomplete != other.isIncomplete { return isIncomplete }
    return facts.excess > other.facts.excess
  }
}

extension MoveFacts {
  /// Returns an inconclusive verdict with the evidence; `doubt` is the reason if it is the final
  /// verdict.
  func verdict(_ inconclusiveReason: InconclusiveReason?) -> TryVerdict {
    var verdict = TryVerdict(observation)
    verdict.inconclusiveReason = inconclusiveReason
    verdict.outage = outage
    verdict.notices = notices
    verdict.attempts = tried.count + unframedAttempts
    verdict.deadAttempts = tried.count { !$0.isAnswered }
    verdict.unframedAttempts = unframedAttempts
    verdict.watched = observation.end.since(restored)
    verdict.endsAfter = observation.programEnd.flatMap { $0.at < moved ? nil : $0.at.since(moved) }
    verdict.messages = observation.messageCounts(hasDataAfter).comparable(with: rhythm.messages)
    verdict.notes = observation.rejectedDatagrams.map {
      .rejected(count: $0.count, from: $0.ends.remote)
    }
    return verdict
  }

  /// Returns the verdict that is based on an outcome.
  func verdict(_ outcome: EndpointOutcome) -> TryVerdict {
    let facts = outcome.facts
    var verdict = verdict(outcome.inconclusiveReason)
    verdict.outcome = outcome.kind
    verdict.isIncomplete = outcome.isIncomplete
    verdict.limit = outcome.kind == .unharmed ? outcome.limit : nil
    verdict.recovers = outcome.recovered?.since(moved)
    verdict.legs = legs(of: facts, until: outcome.recovered)
    verdict.silence = facts.silence
    verdict.excess = facts.excess
    verdict.sinceLastAttempt = facts.attempts.max().map { observation.end.since($0) }
    verdict.pendingWork = outcome.recovered == nil ? facts.pendingWork : []
    verdict.deadConnection = facts.deadConnections.first?.flows.first { $0.isHeld }?.flow
    verdict.options = verdict.deadConnection.flatMap { dead in
      observation.held.first { $0.ends == dead.ends }?.options
    }
    let dead = connections.count(where: isLeftDead)
    let left: [TryNote] =
      dead > 0 && outcome.recovered != nil ? [.keepsDeadConnection(count: dead)] : []
    verdict.notes = outcome.notes + left + messageNotes(verdict.messages) + verdict.notes
    if outcome.recovered == nil { verdict.notes += icmpNotes }
    return verdict
  }

  private func messageNotes(_ messages: MessageCounts) -> [TryNote] {
    var notes: [TryNote] = []
    if let lost = messages.lost, lost > 0 { notes.append(.lost(count: lost)) }
    if let count = messages.duplicates, count > 0 { notes.append(.duplicates(count: count)) }
    // The count of a program that always subscribes again depends on the time of its run.
    if let count = messages.subscriptions, let usual = rhythm.messages.subscriptions,
      count > usual, rhythm.releasedCount == 0
    {
      notes.append(.subscriptions(count: count))
    }
    return notes
  }

  private var icmpNotes: [TryNote] {
    let errors = observation.icmpErrors.filter { $0.at >= moved }
    guard let first = errors.first else { return [] }
    return [.icmp(phrase: first.phrase, count: errors.count)]
  }
}
