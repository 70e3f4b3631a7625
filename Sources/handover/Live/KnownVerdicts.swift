import HandoverCore
import HandoverLab
import HandoverReport
import HandoverScenario
import HandoverTry

/// The verdicts that are expected of a program, as files list them.
struct KnownVerdicts {
  private let known: KnownFailures

  /// Returns a verdict as it appears in brackets, without spaces.
  private static func name(of outcome: TryOutcome) -> String {
    outcome.rawValue.replacing(" ", with: "-")
  }

  private static let names = TryOutcome.allCases.map(name)

  /// Reads all files.
  ///
  /// - Throws: ``ExitError`` if a file is invalid, after an error message.
  init(_ files: [String]) throws {
    known = KnownFailures(
      files,
      brackets: KnownFailures.Brackets(what: "verdict", code: .unknownKeyword, words: Self.names)
    )
    for complaint in known.complaints { printError(complaint) }
    guard known.complaints.isEmpty else { throw ExitError(.badInput) }
  }

  /// Adds the matching lines to each row.
  func apply(to result: inout TryResult) {
    for position in result.rows.indices {
      result.rows[position].known = known.lines(about: result.rows[position].name).flatMap { line in
        guard let glob = line.profile else {
          return [TryRow.KnownOutcome(outcome: nil, position: line.position)]
        }
        return TryOutcome.allCases.filter { glob.matches(Self.name(of: $0)) }.map {
          TryRow.KnownOutcome(outcome: $0, position: line.position)
        }
      }
    }
  }

  /// Warns about lines that match no network change.
  func warnOfUnmatched(among moves: [TryMove]) {
    let unmatched = known.unmatched(
      among: (TryMoves.names + moves.map(\.name)).map { ($0, Self.names) })
    known.warn(unmatched, "move", "list the names with `handover try --list-moves`")
  }
}
