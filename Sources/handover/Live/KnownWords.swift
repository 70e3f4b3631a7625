#if os(Linux)
  import HandoverCore
  import HandoverLab
  import HandoverReport
  import HandoverScenario
  import HandoverTry

  /// The words that a program is known to come to, as files say.
  struct KnownWords {
    private let known: KnownFailures

    /// A word as it stands in brackets, where no space can.
    private static func spelt(_ word: TryWord) -> String {
      word.rawValue.replacing(" ", with: "-")
    }

    private static let words = TryWord.allCases.map(spelt)

    /// Reads all files.
    ///
    /// - Throws: ``Leave`` where something is wrong with them, after it was told.
    init(_ files: [String]) throws {
      known = KnownFailures(
        files, brackets: KnownFailures.Brackets(what: "word", code: .unknownWord, words: Self.words)
      )
      for complaint in known.complaints { printError(complaint) }
      guard known.complaints.isEmpty else { throw Leave(.badInput) }
    }

    /// Notes in each row what is known of it.
    func apply(to result: inout TryResult) {
      for place in result.rows.indices {
        result.rows[place].known = known.lines(about: result.rows[place].name).flatMap { line in
          guard let glob = line.profile else {
            return [TryRow.KnownWord(word: nil, place: line.place)]
          }
          return TryWord.allCases.filter { glob.matches(Self.spelt($0)) }.map {
            TryRow.KnownWord(word: $0, place: line.place)
          }
        }
      }
    }

    /// Warns of lines about moves that there are not.
    func warnOfUnmatched(among moves: [TryMove]) {
      let unmatched = known.unmatched(
        among: (TryMove.all + moves).map { ($0.name, Self.words) })
      known.warn(unmatched, "move", "look at the names with `handover try --help`")
    }
  }
#endif
