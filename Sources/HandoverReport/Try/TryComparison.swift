import HandoverCore
import HandoverTry

/// What is otherwise in one report of tries than in an earlier one.
public struct TryComparison: Hashable, Sendable {
  private let before: TryReport
  private let after: TryReport

  /// Compares two reports.
  public init(from before: TryReport, to after: TryReport) {
    self.before = before
    self.after = after
  }

  private struct Pair {
    var old: TryReport.Move
    var new: TryReport.Move
    /// Above zero where the word got worse; nil where one of the two is no verdict.
    var step: Int? {
      guard old.word != .inconclusive, new.word != .inconclusive else {
        return old.word == new.word ? 0 : nil
      }
      return old.word.harm - new.word.harm
    }
  }

  private var pairs: [Pair] {
    after.moves.compactMap { new in
      before.moves.first { $0.name == new.name }.map { Pair(old: $0, new: new) }
    }
  }

  /// Whether a move came to a worse word.
  public var gotWorse: Bool { pairs.contains { ($0.step ?? 0) > 0 } }

  /// The comparison in lines, each ended by a line feed: what changed, and the longest silences.
  public var text: String { text(width: nil) }

  /// The same where lines should have so many columns at most: a table that is wider is a list.
  ///
  /// - Parameter width: the columns of a line; nil where nobody says.
  /// - Returns: the lines.
  public func text(width: Int?) -> String {
    let pairs = pairs
    var text = ""
    if before.command != after.command {
      text += "The program is another one: \(Self.name(before)) → \(Self.name(after))\n\n"
    }
    text += section("Worse", pairs.filter { ($0.step ?? 0) > 0 })
    text += section("Better", pairs.filter { ($0.step ?? 0) < 0 })
    text += section("With and without a verdict", pairs.filter { $0.step == nil })
    var table = TextTable("longest silence", "before", "after", "recovers", "")
    for pair in pairs {
      table.add(
        pair.new.title, pair.old.silence.readable, pair.new.silence.readable,
        pair.old.recovers?.readable ?? "-", pair.new.recovers.map { "→ \($0.readable)" } ?? "→ -")
    }
    if !table.isEmpty { text += table.text(width: width) + "\n" }
    text += lonely(after, others: before) + lonely(before, others: after)
    return VisibleText.fitted(text + sum(pairs) + "\n", width: width)
  }

  private func section(_ title: String, _ pairs: [Pair]) -> String {
    guard !pairs.isEmpty else { return "" }
    return "\(title) (\(pairs.count))\n"
      + pairs.map { pair in
        let words = "\(pair.old.word.rawValue) → \(pair.new.word.rawValue)"
        return "  \(VisibleText.of(pair.new.title))  \(words)\n"
          + "      \(VisibleText.of(pair.new.evidence))\n"
      }.joined() + "\n"
  }

  private func lonely(_ report: TryReport, others: TryReport) -> String {
    let moves = report.moves.filter { move in !others.moves.contains { $0.name == move.name } }
    guard !moves.isEmpty else { return "" }
    return "Only in \(VisibleText.of(report.file)) (\(moves.count))\n"
      + moves.map { "  \(VisibleText.of($0.title))  \($0.word.rawValue)\n" }.joined() + "\n"
  }

  private func sum(_ pairs: [Pair]) -> String {
    let worse = pairs.count { ($0.step ?? 0) > 0 }
    let better = pairs.count { ($0.step ?? 0) < 0 }
    return "\(VisibleText.counted(pairs.count, "move")) in both: \(worse) worse, \(better) better."
  }

  private static func name(_ report: TryReport) -> String {
    report.commandText
  }
}

extension TryWord {
  /// The place among the words, the worst first.
  fileprivate var harm: Int { Self.fromWorst.firstIndex(of: self) ?? Self.fromWorst.count }
}
