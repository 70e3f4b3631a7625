public import HandoverCore
public import HandoverTry

/// What became of a program at one move that it lived through once or several times.
public struct TryRow: Hashable, Sendable {
  /// The short name of the move.
  public var name: String
  /// The move, for people.
  public var title: String
  /// One verdict for each time.
  public var verdicts: [TryVerdict]
  /// The last thing that the program wrote before it ended; nil where it did not end.
  public var lastWords: String?
  /// What follows when the kernel gives up; nil where that was not tried.
  public var afterTimeout: TryVerdict?
  /// What happened when in the first run that had the worst word; nil where that is not drawn.
  public var timeline: TryTimeline?
  /// What files say is known of the program at this move.
  public var known: [KnownWord] = []

  /// That a program is known to come to a word at a move.
  public struct KnownWord: Hashable, Sendable {
    /// The word; nil stands for every one.
    public var word: TryWord?
    /// The file and the line that say so.
    public var place: String

    /// A known word.
    public init(word: TryWord?, place: String) {
      self.word = word
      self.place = place
    }
  }

  /// A row.
  public init(name: String, title: String, verdicts: [TryVerdict], lastWords: String? = nil) {
    self.name = name
    self.title = title
    self.verdicts = verdicts
    self.lastWords = lastWords
  }

  /// The words, the worst first, each once.
  var words: [TryWord] {
    TryWord.fromWorst.filter { word in verdicts.contains { $0.word == word } }
  }

  /// The word, or the words with how many times each came.
  var wordText: String {
    let words = words
    guard words.count > 1 else { return words.first?.rawValue ?? "-" }
    return words.map { word in "\(word.rawValue) \(verdicts.count { $0.word == word })" }
      .joined(separator: ", ")
  }

  /// The place of the verdict that reports show: the first with the worst word, or rather the
  /// first of them that is a failure.
  public var worstPlace: Int? {
    guard let word = words.first else { return nil }
    return verdicts.firstIndex { $0.word == word && $0.isFailure }
      ?? verdicts.firstIndex { $0.word == word }
  }
  var worst: TryVerdict? { worstPlace.map { verdicts[$0] } }

  /// Whether application data was missing for good in at least one run.
  var isBad: Bool { verdicts.contains(where: \.isFailure) }

  /// The row without the verdicts that are known.
  private var unknown: TryRow {
    var row = self
    row.verdicts.removeAll { verdict in
      known.contains { $0.word == nil || $0.word == verdict.word }
    }
    return row
  }

  /// Whether it is bad or beyond a limit.
  private func isWrong(_ gates: TryGates) -> Bool {
    isBad || !gates.complaints(about: self).isEmpty
  }

  /// Whether it is bad or beyond a limit, and that is not known.
  func fails(_ gates: TryGates) -> Bool { unknown.isWrong(gates) }

  /// Where it is known that the row is bad or beyond a limit; nil where it fails, or is neither.
  func excuse(_ gates: TryGates) -> String? {
    guard isWrong(gates), !fails(gates) else { return nil }
    return known.first { line in
      line.word == nil || verdicts.contains { $0.word == line.word }
    }?.place
  }

  /// What is known and did not come; nothing where there was no verdict.
  func mended(_ gates: TryGates) -> [KnownWord] {
    guard !isInconclusive else { return [] }
    return known.filter { line in
      guard let word = line.word else { return !isWrong(gates) }
      return !verdicts.contains { $0.word == word }
    }
  }

  /// Whether nothing at all could be said.
  var isInconclusive: Bool { verdicts.allSatisfy { $0.word == .inconclusive } }
}

/// Limits that a program is held to.
public struct TryGates: Hashable, Sendable {
  /// The longest time from the moment at which a new connection would work to the first application
  /// data.
  public var maxOutage: Interval?
  /// How many connections may be tried after the change.
  public var maxAttempts: Int?

  /// Limits; nil where there is none.
  public init(maxOutage: Interval? = nil, maxAttempts: Int? = nil) {
    self.maxOutage = maxOutage
    self.maxAttempts = maxAttempts
  }

  /// The limits that a row exceeds, in words; empty if it exceeds none.
  func complaints(about row: TryRow) -> [String] {
    let decided = row.verdicts.filter { $0.word != .inconclusive }
    return complaints(
      outages: decided.filter(isDecided).map(\.outageOfProgram), attempts: decided.map(\.attempts))
  }

  /// Whether a verdict shows if the longest outage was exceeded.
  ///
  /// A program that still tries when the watch ends may come back within a limit that is longer.
  private func isDecided(_ verdict: TryVerdict) -> Bool {
    guard let maxOutage, verdict.word == .late, verdict.isIncomplete else { return true }
    return verdict.watched >= maxOutage
  }

  /// The limits that some changes exceed, in words; empty if they exceed none.
  ///
  /// - Parameters:
  ///   - outages: the time of each until application data came; nil if none came.
  ///   - attempts: the number of connections that each tried.
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

  /// A note if the longest outage of a row is at the limit; nil otherwise.
  func note(on row: TryRow) -> String? {
    guard let maxOutage, let worst = row.verdicts.compactMap(\.outageOfProgram).max(),
      TryLimit(maxOutage).isNear(worst)
    else { return nil }
    return "an outage of \(worst.readable), at the limit of \(maxOutage.readable)"
  }
}

/// What became of a program at all moves that it was tried with.
public struct TryResult: Hashable, Sendable {
  /// The program and its arguments.
  public var command: [String]
  /// The same on one line, as a shell takes it.
  var commandText: String { RunDescription.shellQuoted(command) }
  /// How it behaves where nothing happens; nil where that was not seen.
  public var rhythm: ProgramRhythm?
  /// The moves.
  public var rows: [TryRow]
  /// What the program is held to.
  public var gates: TryGates
  /// The last lines that it wrote where nothing happened.
  public var output: String
  /// What happened when where nothing was done; nil where that is not drawn.
  public var stillTimeline: TryTimeline?
  /// What saw it; nil where that is not told.
  public var harness: Harness?

  /// A result.
  public init(
    command: [String], rhythm: ProgramRhythm?, rows: [TryRow], gates: TryGates, output: String
  ) {
    self.command = command
    self.rhythm = rhythm
    self.rows = rows
    self.gates = gates
    self.output = output
  }

  /// The names of the moves at which the program hangs with something sent, not acknowledged.
  public var namesOfSenders: [String] {
    rows.filter { row in
      row.verdicts.contains { verdict in
        verdict.word == .hangs
          && verdict.demands.contains { if case .unacknowledged = $0 { true } else { false } }
      }
    }.map(\.name)
  }
  /// Whether every move came to a verdict that is not INCONCLUSIVE, or at least one did.
  public var isDecided: Bool { !rows.allSatisfy(\.isInconclusive) }
  /// Whether the program fails at a move or exceeds a limit, and that is not known.
  public var isBad: Bool { rows.contains { $0.fails(gates) } }

  /// What was known and did not come, a sentence for each.
  var mended: [String] {
    rows.flatMap { row in
      row.mended(gates).map { line in
        let word = line.word?.rawValue ?? "bad"
        return "\(line.place): \(row.title) is not \(word) any more, but \(row.wordText);"
          + " take the line out"
      }
    }
  }

  /// All of it in one sentence.
  var sum: String {
    let known = rows.filter { $0.excuse(gates) != nil }.map(\.title)
    let rest = known.isEmpty ? "" : " Known: \(known.joined(separator: ", "))."
    return unknownSum + rest
  }

  private var unknownSum: String {
    let failing = rows.filter { $0.fails(gates) }
    let over = failing.count { !$0.isBad }
    var parts: [String] = []
    for (word, title) in [
      (TryWord.hangs, TryWord.hangs.rawValue), (.givesUp, TryWord.givesUp.rawValue),
      (.late, "LATE, not back"),
    ] {
      let moves = failing.filter { $0.isBad && $0.words.first == word }.map(\.title)
      if !moves.isEmpty { parts.append("\(title): \(moves.joined(separator: ", "))") }
    }
    if over > 0 { parts.append("over the limit: \(over) of \(rows.count) moves") }
    guard parts.isEmpty else { return parts.joined(separator: "; ") + "." }
    if rows.contains(where: { $0.excuse(gates) != nil }) { return "Nothing new is wrong." }
    guard isDecided else { return "No move came to a verdict." }
    let open = rows.count { $0.isInconclusive }
    let rest = open == 0 ? "" : " \(open) of \(rows.count) came to no verdict."
    return "The program came back after every move.\(rest)"
  }
}
