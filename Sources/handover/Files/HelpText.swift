/// Help, and lines for people, on terminals that are narrower than they were written for.
enum HelpText {
  /// The width that texts of commands are written for; they are never wider.
  static let writtenWidth = 80

  /// The help of a command, with its text filled to a width: what was made for `writtenWidth` up to
  /// the usage, and from there what was made for the width.
  ///
  /// - Parameters:
  ///   - whole: the help as made for ``writtenWidth``.
  ///   - narrow: the same as made for the width.
  ///   - width: how many columns there are.
  /// - Returns: the help; `narrow` where the texts have no such form.
  static func narrowed(_ whole: String, beside narrow: String, to width: Int) -> String {
    guard whole.hasPrefix(overview), let end = narrow.firstRange(of: usage),
      let wholeEnd = whole.firstRange(of: usage)
    else { return narrow }
    let rest = narrow[end.lowerBound...].split(separator: "\n", omittingEmptySubsequences: false)
    return filled(String(whole[..<wholeEnd.lowerBound]), to: width)
      + rest.flatMap { example($0, to: width) }.joined(separator: "\n")
  }

  private static let overview = "OVERVIEW: "
  private static let usage = "\nUSAGE: "

  /// Lines for people, those that are too long broken between words.
  ///
  /// A command to be copied stays in one piece, and so does what editors find a place in a file by.
  ///
  /// - Parameters:
  ///   - text: the lines.
  ///   - width: how many columns there are; nil where nobody says, and nothing is broken.
  /// - Returns: the lines; what goes on is set in by two more than the line began.
  static func fitted(_ text: String, to width: Int?) -> String {
    guard let width = width.map({ max(leastWidth, $0) }) else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      let margin = String(line.prefix { $0 == " " })
      let told = line.dropFirst(margin.count)
      if line.count <= width || told.contains(/^(?!Error:)\S+:\s(?:error|warning):\s/) {
        return [String(line)]
      }
      if told.hasPrefix("handover ") {
        return told.contains("   ") ? example(line, to: width) : [String(line)]
      }
      return wrapped(pieces(of: told), to: width, first: margin, further: margin + "  ")
    }.joined(separator: "\n")
  }

  /// Narrower than that no line is made.
  private static let leastWidth = 40

  /// The words of a line, between which it may be broken; code between backticks is one of them.
  private static func pieces(of line: Substring) -> [Substring] {
    line.matches(of: /(`[^`]*`|[^ `])+|`/).map { line[$0.range] }
  }

  /// Paragraphs anew, and examples with a margin behind which they go on.
  static func filled(_ text: String, to width: Int) -> String {
    var lines: [String] = []
    var paragraph: [Substring] = []
    func flush() {
      if !paragraph.isEmpty { lines += wrapped(paragraph, to: width, first: "", further: "") }
      paragraph = []
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty {
        flush()
        lines.append("")
      } else if line.hasPrefix("  ") {
        flush()
        lines += example(line, to: width)
      } else {
        paragraph += line.split(separator: " ")
        // What introduces a list stands alone.
        if line.hasSuffix(":") { flush() }
      }
    }
    flush()
    return lines.joined(separator: "\n")
  }

  /// A line: a command, and below it what stood behind a gap, where both do not fit.
  private static func example(_ line: Substring, to width: Int) -> [String] {
    guard line.count > width else { return [String(line)] }
    let margin = String(line.prefix { $0 == " " })
    let parts = line.dropFirst(margin.count)
    let gap = parts.firstRange(of: "   ")
    let command = parts[..<(gap?.lowerBound ?? parts.endIndex)]
    let remark = gap.map { parts[$0.upperBound...].split(separator: " ") } ?? []
    let further = margin + "    "
    return wrapped(command.split(separator: " "), to: width, first: margin, further: further)
      + (remark.isEmpty ? [] : wrapped(remark, to: width, first: further, further: further))
  }

  private static func wrapped(
    _ words: [Substring], to width: Int, first: String, further: String
  ) -> [String] {
    var lines: [String] = []
    var line = first
    var isBegun = false
    for word in words {
      if isBegun, line.count + 1 + word.count > width {
        lines.append(line)
        (line, isBegun) = (further, false)
      }
      line += (isBegun ? " " : "") + word
      isBegun = true
    }
    return lines + [line]
  }
}
