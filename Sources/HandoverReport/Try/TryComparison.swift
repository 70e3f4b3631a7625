import HandoverCore
import HandoverTry

/// The differences between two reports of `handover try`.
package struct TryComparison: Hashable, Sendable {
  private let before: TryReport
  private let after: TryReport

  /// Compares two reports.
  package init(from before: TryReport, to after: TryReport) {
    self.before = before
    self.after = after
  }

  private struct Pair {
    /// The direction of a change.
    enum Change {
      case worse
      case better
      /// The verdict differs, but the silence changed in the opposite direction.
      case mixed
      case same
      /// Only one of the two verdicts is conclusive.
      case undecided
    }

    var old: TryReport.Move
    var new: TryReport.Move

    /// The change of the verdict together with its silence.
    ///
    /// For example, UNHARMED with 14 s of silence to CUTS with 8.8 s is no regression: the worse
    /// verdict lost less time. Programs that fail are compared by their verdicts alone, because the
    /// watch sets their silence.
    var change: Change {
      guard old.outcome != new.outcome else { return .same }
      guard old.outcome != .inconclusive, new.outcome != .inconclusive else { return .undecided }
      let isWorse = new.outcome.rank < old.outcome.rank
      let (better, worse) = isWorse ? (old, new) : (new, old)
      let isOpposite = !worse.isMissing && worse.silence + Self.noise < better.silence
      return isOpposite ? .mixed : isWorse ? .worse : .better
    }

    var isWorseWithLessSilence: Bool { change == .mixed && new.outcome.rank < old.outcome.rank }
    var isBetterWithMoreSilence: Bool { change == .mixed && new.outcome.rank > old.outcome.rank }

    /// The maximum difference of the silence between equal runs.
    private static let noise = Interval.seconds(1)
  }

  private var pairs: [Pair] {
    after.moves.compactMap { new in
      before.moves.first { $0.name == new.name }.map { Pair(old: $0, new: new) }
    }
  }

  /// The network changes of the earlier report that the later report does not have.
  private var missing: [TryReport.Move] { Self.moves(of: before, missingIn: after) }

  /// Whether a network change has a worse verdict, or is missing.
  package var hasRegressed: Bool { pairs.contains { $0.change == .worse } || !missing.isEmpty }

  private static func moves(
    of report: TryReport, missingIn other: TryReport
  ) -> [TryReport.Move] {
    report.moves.filter { move in !other.moves.contains { $0.name == move.name } }
  }

  /// The comparison in lines, each with a line feed: the changes, and the longest silences.
  package var text: String { text(width: nil) }

  /// Returns the comparison with a maximum line width; a wider table becomes a list.
  ///
  /// - Parameter width: the number of columns, or `nil` if it is unknown.
  /// - Returns: the lines.
  package func text(width: Int?) -> String {
    let pairs = pairs
    var text = ""
    if before.command != after.command {
      text += "Different program: \(Self.name(before)) → \(Self.name(after))\n\n"
    }
    text += section("Worse", pairs.filter { $0.change == .worse })
    text += section("Better", pairs.filter { $0.change == .better })
    text += section("Worse verdict, less silence", pairs.filter { $0.isWorseWithLessSilence })
    text += section("Better verdict, more silence", pairs.filter { $0.isBetterWithMoreSilence })
    text += section("With and without a verdict", pairs.filter { $0.change == .undecided })
    var table = TextTable("longest silence", "before", "after", "recovers", "")
    for pair in pairs {
      table.add(
        pair.new.title, pair.old.silence.readable, pair.new.silence.readable,
        pair.old.recovers?.readable ?? "-", pair.new.recovers.map { "→ \($0.readable)" } ?? "→ -")
    }
    if !table.isEmpty { text += table.text(width: width) + "\n" }
    text += unpaired(after, others: before) + unpaired(before, others: after)
    return VisibleText.fitted(text + sum(pairs) + "\n", width: width)
  }

  private func section(_ title: String, _ pairs: [Pair]) -> String {
    guard !pairs.isEmpty else { return "" }
    return "\(title) (\(pairs.count))\n"
      + pairs.map { pair in
        let change = "\(pair.old.outcome.rawValue) → \(pair.new.outcome.rawValue)"
        return "  \(VisibleText.of(pair.new.title))  \(change)\n"
          + "      \(VisibleText.of(pair.new.evidence))\n"
      }.joined() + "\n"
  }

  private func unpaired(_ report: TryReport, others: TryReport) -> String {
    let moves = Self.moves(of: report, missingIn: others)
    guard !moves.isEmpty else { return "" }
    return "Only in \(VisibleText.of(report.file)) (\(moves.count))\n"
      + moves.map { "  \(VisibleText.of($0.title))  \($0.outcome.rawValue)\n" }.joined() + "\n"
  }

  private func sum(_ pairs: [Pair]) -> String {
    let worse = pairs.count { $0.change == .worse }
    let better = pairs.count { $0.change == .better }
    return "\(counted(pairs.count, "move")) in both: \(worse) worse, \(better) better, "
      + "\(missing.count) missing."
  }

  private static func name(_ report: TryReport) -> String {
    report.commandText
  }
}
