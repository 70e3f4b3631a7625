/// A terminal as a picture: the typed commands and their output, in color.
///
/// The picture is an SVG without scripts or embedded fonts. Its animation runs once: a command is
/// typed, and then its output appears. Viewers that prefer reduced motion, or do not support
/// animation, show the final state immediately.
struct TerminalPicture {
  /// A typed command and the output of the program, with terminal escape sequences.
  struct Step {
    var command: String
    var output: String
  }

  var title: String
  var columns: Int
  var steps: [Step]

  /// The size of a character and the outer margin, in the picture's units.
  private static let (width, height, margin) = (8.0, 18.0, 16.0)
  private static let bar = 30.0

  var svg: String {
    var rows: [(runs: [Run], delay: Double)] = []
    var clock = 0.4
    for step in steps {
      rows.append(
        ([Run(text: "$ ", style: "dim"), Run(text: step.command, style: "typed")], clock))
      clock += 1
      for line in step.output.split(separator: "\n", omittingEmptySubsequences: false) {
        rows.append((Run.runs(of: line), clock))
        clock += 0.05
      }
      clock += 1.5
    }
    while rows.last?.runs.isEmpty == true { rows.removeLast() }
    let size = (
      Double(columns) * Self.width + 2 * Self.margin,
      Double(rows.count) * Self.height + Self.bar + 2 * Self.margin
    )
    let lines = rows.enumerated().compactMap { index, row in
      row.runs.isEmpty ? nil : Self.text(row.runs, row: index, delay: row.delay)
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(size.0)) \(number(size.1))" \
      width="\(number(size.0))" role="img" aria-label="\(escaped(title))">
      <title>\(escaped(title))</title>
      <style>
      text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;\
      fill:#d8dee9}
      .bold,.typed{font-weight:700;fill:#fff}.dim{fill:#94a0b3}.red{fill:#ff8f8f}\
      .green{fill:#8fdc9a}.yellow{fill:#f2d279}.cyan{fill:#7fd3e6}
      @media (prefers-reduced-motion:no-preference){text{animation:come .01s backwards}}
      @keyframes come{from{opacity:0}}
      </style>
      <rect width="100%" height="100%" rx="10" fill="#1b2028"/>
      <circle cx="20" cy="18" r="6" fill="#ff6159"/><circle cx="40" cy="18" r="6" fill="#ffbd2e"/>\
      <circle cx="60" cy="18" r="6" fill="#28c941"/>
      \(lines.joined(separator: "\n"))
      </svg>

      """
  }

  /// Returns one line.
  ///
  /// Each word has its own horizontal position. The columns stay aligned if a viewer uses another
  /// font or collapses spaces.
  private static func text(_ runs: [Run], row: Int, delay: Double) -> String {
    var column = 0
    var spans = ""
    for run in runs {
      let style = run.style.map { " class=\"\($0)\"" } ?? ""
      for word in run.text.split(separator: " ") {
        let start = run.text.distance(from: run.text.startIndex, to: word.startIndex)
        let x = number(margin + Double(column + start) * width)
        let length = number(Double(word.count) * width)
        spans += "<tspan x=\"\(x)\" textLength=\"\(length)\"\(style)>\(escaped(word))</tspan>"
      }
      column += run.text.count
    }
    let y = number(bar + margin + Double(row) * height + 13)
    return "<text y=\"\(y)\" style=\"animation-delay:\(number(delay))s\">\(spans)</text>"
  }

  /// Characters with one color.
  private struct Run {
    var text: String
    var style: String?

    /// Splits a line with terminal escape sequences into runs, and drops all escapes except colors.
    static func runs(of line: Substring) -> [Run] {
      var runs: [Run] = []
      var style: String?
      for (index, part) in line.split(separator: "\u{1B}", omittingEmptySubsequences: false)
        .enumerated()
      {
        var text = part
        if index > 0, let escape = part.prefixMatch(of: /\[([0-9;]*)m/) {
          style = name(escape.output.1.split(separator: ";").compactMap { Int($0) })
          text = part[escape.range.upperBound...]
        }
        if !text.isEmpty { runs.append(Run(text: String(text), style: style)) }
      }
      return runs
    }

    private static func name(_ codes: [Int]) -> String? {
      if codes.contains(31) { return "red" }
      if codes.contains(32) { return "green" }
      if codes.contains(33) { return "yellow" }
      if codes.contains(36) { return "cyan" }
      if codes.contains(2) { return "dim" }
      return codes.contains(1) ? "bold" : nil
    }
  }
}

/// Formats a number with at most two decimals.
private func number(_ value: Double) -> String {
  let hundredths = Int((value * 100).rounded())
  let (whole, part) = hundredths.quotientAndRemainder(dividingBy: 100)
  if part == 0 { return String(whole) }
  return part.isMultiple(of: 10)
    ? "\(whole).\(part / 10)" : "\(whole).\(part < 10 ? "0" : "")\(part)"
}

/// Escapes the characters that XML reserves.
func escaped(_ text: some Collection<Character>) -> String {
  String(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(
    "\"", with: "&quot;")
}
