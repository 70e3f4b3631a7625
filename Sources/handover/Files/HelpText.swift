/// The layout of help and messages on narrow terminals.
enum HelpText {
  /// The width for which the texts of commands are written, which is also their maximum width.
  static let writtenWidth = 80

  /// Returns the help of a command, reflowed to a width.
  ///
  /// The part up to the usage comes from the help for `writtenWidth`; the rest comes from the help
  /// for the narrow width.
  ///
  /// - Parameters:
  ///   - whole: The help for ``writtenWidth``.
  ///   - narrow: The help for the width.
  ///   - width: The number of columns.
  /// - Returns: The help, or `narrow` if the texts do not have the expected form.
  static func narrowed(_ whole: String, and narrow: String, to width: Int) -> String {
    guard whole.hasPrefix(overview), let end = narrow.firstRange(of: usage),
      let wholeEnd = whole.firstRange(of: usage)
    else { return narrow }
    let rest = narrow[end.lowerBound...].split(separator: "\n", omittingEmptySubsequences: false)
    return filled(String(whole[..<wholeEnd.lowerBound]), to: width)
      + rest.flatMap { example($0, to: width) }.joined(separator: "\n")
  }

  private static let overview = "OVERVIEW: "
  private static let usage = "\nUSAGE: "

  /// Returns lines for people, with long lines broken between words.
  ///
  /// A command to be copied stays in one line, and so does a diagnostic that editors parse.
  ///
  /// - Parameters:
  ///   - text: The lines.
  ///   - width: The number of columns, or `nil` if it is unknown, in which case no line is broken.
  /// - Returns: The lines; continuation lines have two more columns of indentation, or begin below
  ///   the last column of a row.
  static func fitted(_ text: String, to width: Int?) -> String {
    guard let width = width.map({ max(leastWidth, $0) }) else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      let margin = String(line.prefix { $0 == " " })
      let reported = line.dropFirst(margin.count)
      if line.count <= width || reported.contains(/^(?!Error:)\S+:\s(?:error|warning):\s/) {
        return [String(line)]
      }
      if reported.hasPrefix("handover ") {
        return reported.contains("   ") ? example(line, to: width) : [String(line)]
      }
      if let lead = leadingColumns(of: line, to: width) {
        let further = String(repeating: " ", count: lead.count)
        return wrapped(
          pieces(of: line[lead.endIndex...]), to: width, first: String(lead), further: further)
      }
      return wrapped(pieces(of: reported), to: width, first: margin, further: margin + "  ")
    }.joined(separator: "\n")
  }

  /// Returns the part of a row in front of its last column, such as a time, with the gap behind it.
  ///
  /// - Parameters:
  ///   - line: The row.
  ///   - width: The number of columns.
  /// - Returns: The part, or `nil` if there is none or if it is wider than half of the width.
  private static func leadingColumns(of line: Substring, to width: Int) -> Substring? {
    guard let gap = line.matches(of: /[^\ ]\ {2,}/).last else { return nil }
    let lead = line[..<gap.range.upperBound]
    return lead.count <= width / 2 ? lead : nil
  }

  /// The minimum width of a line.
  private static let leastWidth = 40

  /// Returns the words of a line, between which it may be broken; code in backticks is one word.
  private static func pieces(of line: Substring) -> [Substring] {
    line.matches(of: /(`[^`]*`|[^ `])+|`/).map { line[$0.range] }
  }

  /// Reflows paragraphs, and indents the continuation lines of examples.
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
        // A line that introduces a list is not joined with the next one.
        if line.hasSuffix(":") { flush() }
      }
    }
    flush()
    return lines.joined(separator: "\n")
  }

  /// Returns a line, or a command with its remark below it if both do not fit.
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
