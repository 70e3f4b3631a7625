import HandoverCore
import HandoverTry

// The verdicts as text for users.
extension TryResult {
  /// The table, with the summary on the last line.
  package var text: String { text() }

  /// Returns the table, with the summary on the last line.
  ///
  /// - Parameters:
  ///   - style: the style, which determines whether verdicts have colors.
  ///   - width: the number of columns, or `nil` to leave the lines unwrapped, so that each row is
  ///     one line.
  /// - Returns: the lines, each with a line feed.
  package func text(style: Style = .plain, width: Int? = nil) -> String {
    let made = harness.map { style.paint($0.text, .dim) + "\n" } ?? ""
    let head = made + commandText + "\n\n"
    func broken(_ text: String) -> [String] {
      width.map { VisibleText.wrapped(text, width: max(20, $0)) } ?? [text]
    }
    let marks =
      fixed.flatMap(broken).map { $0 + "\n" }.joined() + (fixed.isEmpty ? "" : "\n")
    let paint = isBad ? Style.Paint.boldRed : isDecided ? .green : .yellow
    return head + table(style, width) + "\n" + written + marks
      + broken(sum).map { style.paint($0, paint) + "\n" }.joined()
  }

  private func table(_ style: Style, _ width: Int?) -> String {
    guard let width else {
      var table = TextTable(Self.titles + [""])
      for line in lines { table.add(line.cells + [line.evidence]) }
      return table.lines { row, column, text in
        column == 1 && row > 0 ? style.paint(text, lines[row - 1].paint) : text
      }.map { $0 + "\n" }.joined()
    }
    var table = TextTable(Self.titles)
    for line in lines { table.add(line.cells) }
    guard table.lines().allSatisfy({ $0.count <= width }) else { return stacked(style, width) }
    let drawn = table.lines { row, column, text in
      column == 1 && row > 0 ? style.paint(text, lines[row - 1].paint) : text
    }
    let evidence = lines.map { Self.set($0.evidence, width, style) }
    return zip(drawn, [""] + evidence).map { $0 + "\n" + $1 }.joined()
  }

  /// Returns each network change with its figures below it, for pages that are too narrow for a
  /// table.
  private func stacked(_ style: Style, _ width: Int) -> String {
    lines.map { line in
      let figures = zip(Self.titles, line.cells).dropFirst(2).filter { $1 != "-" }
        .map { "\($0) \($1)" }.joined(separator: ", ")
      let verdict = line.cells[1] == "-" ? "" : style.paint(line.cells[1], line.paint)
      return VisibleText.wrapped("  " + line.cells[0], width: width).map { $0 + "\n" }.joined()
        + (verdict.isEmpty ? "" : "    \(verdict)\n")
        + Self.set(figures, width, style) + Self.set(line.evidence, width, style)
    }.joined()
  }

  /// Returns indented text.
  private static func set(_ text: String, _ width: Int, _ style: Style) -> String {
    guard !text.isEmpty else { return "" }
    return VisibleText.wrapped(VisibleText.of(text), width: max(20, width - 4))
      .map { "    " + style.paint($0, .dim) + "\n" }.joined()
  }

  private static let titles = ["", "verdict", "notices", "recovers", "silence", "attempts"]

  private struct Line {
    var cells: [String]
    var evidence: String
    var paint: Style.Paint
  }

  private var lines: [Line] {
    let still = rhythm.map { rhythm in
      let silence = rhythm.payloadCount == 0 ? "-" : Self.text(rhythm.longestGap)
      return Line(
        cells: ["no change", "-", "-", "-", silence, "-"], evidence: rhythm.phrase, paint: .dim)
    }
    return (still.map { [$0] } ?? [])
      + rows.compactMap { row in
        guard let worst = row.worst else { return nil }
        return Line(
          cells: [
            row.title, row.outcomeText, Self.text(worst.notices), Self.text(worst.recovers),
            worst.silence == .zero ? "-" : Self.text(worst.silence), String(worst.attempts),
          ], evidence: evidence(of: row), paint: worst.outcome.paint)
      }
  }

  private static func text(_ interval: Interval?) -> String { interval?.readable ?? "-" }

  /// Returns the evidence in one sentence, with exceeded limits and whether the failure is known.
  package func evidence(of row: TryRow) -> String {
    let text = row.worst?.evidence ?? ""
    let last = row.lastOutput.map { ": \"\($0)\"" } ?? ""
    let later = row.afterTimeout.map {
      "with a short TCP timeout: \($0.outcome.rawValue), \($0.evidence)"
    }
    let known = row.knownLocation(gates).map { "known (\($0))" }
    return
      ([text + last] + [later].compactMap(\.self) + gates.complaints(about: row)
      + gates.notes(on: row) + [known].compactMap(\.self)).joined(separator: "; ")
  }

  /// The output of the program, if nothing else explains why there is no verdict.
  private var written: String {
    guard !isDecided, !output.isEmpty else { return "" }
    let lines = output.split(separator: "\n").suffix(8).map { "  " + VisibleText.of(String($0)) }
    return "It wrote:\n" + lines.joined(separator: "\n") + "\n\n"
  }
}

extension TryOutcome {
  fileprivate var paint: Style.Paint {
    switch self {
    case .hangs, .givesUp: .boldRed
    case .late, .cuts: .yellow
    case .recovers, .unharmed: .green
    case .inconclusive: .magenta
    }
  }
}
