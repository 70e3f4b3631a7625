package import HandoverCore
package import HandoverTry

/// The result of a program at one network change, which it experienced once or several times.
package struct TryRow: Hashable, Sendable {
  /// The short name of the network change.
  package var name: String
  /// The description of the network change.
  package var title: String
  /// The verdict of each run.
  package var verdicts: [TryVerdict]
  /// The last output of the program before it ended, or `nil` if it did not end.
  package var lastOutput: String?
  /// The verdict after the kernel gives up, or `nil` if this was not tested.
  package var afterTimeout: TryVerdict?
  /// The timeline of the first run with the worst verdict, or `nil` if it is not drawn.
  package var timeline: TryTimeline?
  /// The known verdicts of the program at this network change, as listed in files.
  package var known: [KnownOutcome] = []

  /// A known verdict of a program at a network change.
  package struct KnownOutcome: Hashable, Sendable {
    /// The verdict, or `nil` for any verdict.
    package var outcome: TryOutcome?
    /// The file and the line of the entry.
    package var position: String

    /// Creates a known verdict.
    package init(outcome: TryOutcome?, position: String) {
      self.outcome = outcome
      self.position = position
    }
  }

  /// Creates a result.
  package init(name: String, title: String, verdicts: [TryVerdict], lastOutput: String? = nil) {
    self.name = name
    self.title = title
    self.verdicts = verdicts
    self.lastOutput = lastOutput
  }

  /// The different verdicts, worst first.
  var outcomes: [TryOutcome] {
    TryOutcome.fromWorst.filter { outcome in verdicts.contains { $0.outcome == outcome } }
  }

  /// The verdict, or the different verdicts with their numbers of runs.
  var outcomeText: String {
    let outcomes = outcomes
    guard outcomes.count > 1 else { return outcomes.first?.rawValue ?? "-" }
    return outcomes.map { outcome in
      "\(outcome.rawValue) \(verdicts.count { $0.outcome == outcome })"
    }
    .joined(separator: ", ")
  }

  /// The index of the verdict that reports show.
  ///
  /// It is the first failure with the worst verdict, or else the first run with the worst verdict.
  package var worstIndex: Int? {
    guard let outcome = outcomes.first else { return nil }
    return verdicts.firstIndex { $0.outcome == outcome && $0.isFailure }
      ?? verdicts.firstIndex { $0.outcome == outcome }
  }
  var worst: TryVerdict? { worstIndex.map { verdicts[$0] } }

  /// Whether application data did not recover in at least one run.
  var isBad: Bool { verdicts.contains(where: \.isFailure) }

  /// The row without the known verdicts.
  private var unknown: TryRow {
    var row = self
    row.verdicts.removeAll { verdict in
      known.contains { $0.outcome == nil || $0.outcome == verdict.outcome }
    }
    return row
  }

  /// Returns whether the program fails or exceeds a limit.
  private func isWrong(_ gates: TryGates) -> Bool {
    isBad || !gates.complaints(about: self).isEmpty
  }

  /// Returns whether the program fails or exceeds a limit, and this is not a known failure.
  func fails(_ gates: TryGates) -> Bool { unknown.isWrong(gates) }

  /// Returns the location of the entry for a known failure, or `nil` if there is no known failure.
  ///
  /// The result is also `nil` if the row fails in other ways.
  func knownLocation(_ gates: TryGates) -> String? {
    guard isWrong(gates), !fails(gates) else { return nil }
    return known.first { line in
      line.outcome == nil || verdicts.contains { $0.outcome == line.outcome }
    }?.position
  }

  /// Returns the known verdicts that did not occur, or an empty array if all runs were
  /// inconclusive.
  func fixed(_ gates: TryGates) -> [KnownOutcome] {
    guard !isInconclusive else { return [] }
    return known.filter { line in
      guard let outcome = line.outcome else { return !isWrong(gates) }
      return !verdicts.contains { $0.outcome == outcome }
    }
  }

  /// Whether all runs were inconclusive.
  var isInconclusive: Bool { verdicts.allSatisfy { $0.outcome == .inconclusive } }
}

/// The limits of a program.
package struct TryGates: Hashable, Sendable {
  /// The longest allowed time until application data arrives.
  ///
  /// It is measured from the moment at which a new connection would work.
  package var maxOutage: Interval?
  /// The maximum number of connection attempts after the change.
  package var maxAttempts: Int?

  /// The longest allowed time from the change to the program's first sign that it noticed.
  package var maxNotice: Interval?

  /// The maximum number of lost messages.
  package var maxLost: Int?
  /// The maximum number of messages that are received again.
  package var maxDuplicates: Int?

  /// Creates limits; `nil` disables a limit.
  package init(maxOutage: Interval? = nil, maxAttempts: Int? = nil, maxNotice: Interval? = nil) {
    self.maxOutage = maxOutage
    self.maxAttempts = maxAttempts
    self.maxNotice = maxNotice
  }

  /// Returns the limits that a row exceeds, as text; empty if it exceeds none.
  func complaints(about row: TryRow) -> [String] {
    let decided = row.verdicts.filter { $0.outcome != .inconclusive }
    return complaints(
      outages: decided.filter(isDecided).map(\.outageOfProgram), attempts: decided.map(\.attempts))
      + [
        noticeComplaint(decided),
        Self.complaint(decided.map(\.messages.lost), maxLost, "lost"),
        Self.complaint(decided.map(\.messages.duplicates), maxDuplicates, "received again"),
      ].compactMap(\.self)
  }

  /// Returns the sentence about a limit on messages that is exceeded or cannot be checked.
  private static func complaint(_ counts: [Int?], _ limit: Int?, _ what: String) -> String? {
    guard let limit, !counts.isEmpty else { return nil }
    guard !counts.contains(nil) else {
      return "messages \(what) cannot be counted; the limit is \(limit)"
    }
    guard let worst = counts.compactMap(\.self).max(), worst > limit else { return nil }
    return "\(counted(worst, "message")) \(what), over \(limit)"
  }

  /// Returns the sentence about a program that noticed too late, or `nil` if it did not.
  ///
  /// A program whose old connection continues has nothing to notice.
  private func noticeComplaint(_ verdicts: [TryVerdict]) -> String? {
    guard let maxNotice else { return nil }
    if verdicts.contains(where: { $0.isFailure && $0.noticeLeg == nil }) {
      return "did not notice the change; the limit is \(maxNotice.readable)"
    }
    guard let worst = verdicts.compactMap(\.noticeLeg).max(), !TryLimit(maxNotice).allows(worst)
    else { return nil }
    return "noticed the change after \(worst.readable), over \(maxNotice.readable)"
  }

  /// Returns whether a verdict shows if the longest outage was exceeded.
  ///
  /// A program that still tries when the watch ends may come back within a limit that is longer.
  private func isDecided(_ verdict: TryVerdict) -> Bool {
    guard let maxOutage, verdict.outcome == .late, verdict.isIncomplete else { return true }
    return verdict.watched >= maxOutage
  }

  /// Returns the limits that some changes exceed, as text; empty if they exceed none.
  ///
  /// - Parameters:
  ///   - outages: the times until application data arrived, with `nil` if none arrived.
  ///   - attempts: the numbers of connection attempts.
  /// - Returns: the sentences.
  func complaints(outages: [Interval?], attempts: [Int]) -> [String] {
    var complaints: [String] = []
    if let maxOutage {
      if outages.contains(where: { $0 == nil }) {
        complaints.append("data did not come back; the limit is \(maxOutage.readable)")
      } else if let worst = outages.compactMap({ $0 }).max(), !TryLimit(maxOutage).allows(worst) {
        complaints.append("an outage of \(worst.readable), over \(maxOutage.readable)")
      }
    }
    if let maxAttempts, let most = attempts.max(), most > maxAttempts {
      complaints.append("\(TryVerdict.connections(most)), over \(maxAttempts)")
    }
    return complaints
  }

  /// Returns a note for each of the longest times of a row that is at its limit.
  func notes(on row: TryRow) -> [String] {
    [
      Self.note(row.verdicts.compactMap(\.outageOfProgram).max(), maxOutage).map {
        "an outage of \($0)"
      },
      Self.note(row.verdicts.compactMap(\.noticeLeg).max(), maxNotice).map {
        "noticed the change after \($0)"
      },
    ].compactMap(\.self)
  }

  /// Returns a phrase for a time that is at its limit, or `nil` if it is not.
  private static func note(_ time: Interval?, _ limit: Interval?) -> String? {
    guard let limit, let time, TryLimit(limit).isNear(time) else { return nil }
    return "\(time.readable), at the limit of \(limit.readable)"
  }
}

/// The results of a program at all network changes of a test.
package struct TryResult: Hashable, Sendable {
  /// The program and its arguments.
  package var command: [String]
  /// The program and its arguments as a shell command.
  var commandText: String { RunDescription.shellQuoted(command) }
  /// The behavior of the program without a network change, or `nil` if it was not observed.
  package var rhythm: ProgramRhythm?
  /// The results at the network changes.
  package var rows: [TryRow]
  /// The limits of the program.
  package var gates: TryGates
  /// The last lines of the program's output without a network change.
  package var output: String
  /// The timeline of the run without a network change, or `nil` if it is not drawn.
  package var baselineTimeline: TryTimeline?
  /// The program that made the observations, or `nil` if it is not shown.
  package var harness: Harness?
  /// The identifier that all parts of a CI run share, or `nil` if there is none.
  package var runID: String?
  /// The wall-clock times at which the command began and ended, since 1970, or zero if unknown.
  package var began = Instant.zero
  package var ended = Instant.zero
  /// Whether a signal ended the command before all network changes were made.
  package var wasInterrupted = false

  /// Creates a result.
  package init(
    command: [String], rhythm: ProgramRhythm?, rows: [TryRow], gates: TryGates, output: String
  ) {
    self.command = command
    self.rhythm = rhythm
    self.rows = rows
    self.gates = gates
    self.output = output
  }

  /// The names of the network changes at which the program hangs with unacknowledged data.
  package var namesOfSenders: [String] {
    rows.filter { row in
      row.verdicts.contains { verdict in
        verdict.outcome == .hangs
          && verdict.pendingWork.contains {
            if case .unacknowledged = $0 { true } else { false }
          }
      }
    }.map(\.name)
  }
  /// Whether at least one network change has a conclusive verdict.
  package var isDecided: Bool { !rows.allSatisfy(\.isInconclusive) }
  /// Whether the program fails or exceeds a limit, and this is not a known failure.
  package var isBad: Bool { rows.contains { $0.fails(gates) } }

  /// Sentences about the known verdicts that did not occur.
  var fixed: [String] {
    rows.flatMap { row in
      row.fixed(gates).map { line in
        let outcome = line.outcome?.rawValue ?? "bad"
        return "\(line.position): \(row.title) is now \(row.outcomeText), not \(outcome);"
          + " remove the line"
      }
    }
  }

  /// The summary in short sentences.
  var sum: String {
    let known = rows.filter { $0.knownLocation(gates) != nil }.map(\.title)
    let rest = known.isEmpty ? "" : " Known: \(known.joined(separator: ", "))."
    return (wasInterrupted ? "Interrupted. " : "") + unknownSum + rest
  }

  private var unknownSum: String {
    let failing = rows.filter { $0.fails(gates) }
    let over = failing.count { !$0.isBad }
    var parts: [String] = []
    for (outcome, title) in [
      (TryOutcome.hangs, TryOutcome.hangs.rawValue), (.givesUp, TryOutcome.givesUp.rawValue),
      (.late, "LATE, not back"),
    ] {
      let moves = failing.filter { $0.isBad && $0.outcomes.first == outcome }.map(\.title)
      if !moves.isEmpty { parts.append("\(title): \(moves.joined(separator: ", "))") }
    }
    if over > 0 { parts.append("over the limit: \(over) of \(rows.count) moves") }
    guard parts.isEmpty else { return parts.joined(separator: "; ") + "." }
    if rows.contains(where: { $0.knownLocation(gates) != nil }) { return "No new problems." }
    guard isDecided else { return "No move has a verdict." }
    let open = rows.count { $0.isInconclusive }
    let rest = open == 0 ? "" : " \(open) of \(rows.count) have no verdict."
    // Moves that did not finish have no row.
    return "The program recovered after every move\(wasInterrupted ? " that finished" : "").\(rest)"
  }
}
