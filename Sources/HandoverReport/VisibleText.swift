import HandoverCore
import HandoverScenario

/// Text for the lines of reports, with invisible characters spelled out.
package enum VisibleText {
  /// Returns text in which every invisible character is spelled out: `\u{1b}`, `\n`.
  static func of(_ text: String) -> String { SafeText.line(text) }

  /// Returns the beginning of a text that is longer than a number of Unicode scalars.
  static func clipped(_ text: String, to count: Int) -> String {
    // A character can consist of any number of scalars.
    let scalars = text.unicodeScalars.prefix(count)
    return scalars.endIndex < text.endIndex ? String(String.UnicodeScalarView(scalars)) + "…" : text
  }

  /// Wraps text to a width, between words; a word that is too long is split.
  static func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var length = 0
    for word in words(of: text, width: width) {
      var rest = word
      if length > 0, length + 1 + rest.count > width {
        lines.append(line)
        // Continuation lines are indented, so that they do not look like separate items.
        line = "  "
        length = 2
      } else if length > 0 {
        line += " "
        length += 1
      }
      while length + rest.count > width, width > 4 {
        let part = rest.prefix(width - length)
        lines.append(line + part)
        rest = rest.dropFirst(part.count)
        line = "  "
        length = 2
      }
      line += rest
      length += rest.count
    }
    lines.append(line)
    return lines
  }

  /// Returns the parts between which a line can be wrapped.
  ///
  /// A number stays with its unit. Code in backticks stays in one line if it fits.
  private static func words(of text: String, width: Int) -> [Substring] {
    var words: [Substring] = []
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let unit = word.prefix { $0.isLetter }
      if let number = words.last, number.last?.isNumber == true,
        ["us", "ms", "s", "min", "h"].contains(unit)
      {
        words[words.count - 1] = text[number.startIndex..<word.endIndex]
      } else if let code = words.last, code.count(where: { $0 == "`" }) % 2 == 1,
        code.count + 1 + word.count <= width - 2
      {
        words[words.count - 1] = text[code.startIndex..<word.endIndex]
      } else {
        words.append(word)
      }
    }
    return words
  }

  /// Returns text after a prefix, wrapped to lines with a hanging indent.
  static func hanging(_ lead: String, _ text: String, _ style: Style) -> [String] {
    style.broken(text, indent: lead.count).enumerated().map { position, line in
      // Continuation lines from the wrapping are already indented by two columns.
      position == 0 ? lead + line : spaces(lead.count) + line.drop { $0 == " " }
    }
  }

  /// Returns indented text, wrapped to the width, or in one line if the width is unknown.
  static func indented(_ text: String, by indent: Int, width: Int?) -> [String] {
    guard let width, indent + text.count > width else { return [spaces(indent) + text] }
    return wrapped(text, width: max(20, width - indent)).map { spaces(indent) + $0 }
  }

  /// Wraps the lines that are too long, and keeps their indents.
  static func fitted(_ text: String, width: Int?) -> String {
    guard width != nil else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      let indent = line.prefix { $0 == " " }.count
      return line.isEmpty
        ? [""] : indented(String(line.dropFirst(indent)), by: indent, width: width)
    }.joined(separator: "\n")
  }

  /// Returns a duration with nonbreaking spaces between numbers and their units.
  static func joined(units text: String) -> String {
    let words = text.split(separator: " ")
    return words.indices.map { index in
      let isNumber = words[index].last?.isNumber == true
      let isLast = index == words.count - 1
      return words[index] + (isLast ? "" : isNumber ? "\u{A0}" : " ")
    }.joined()
  }

  /// Returns text padded with spaces at its end.
  package static func padded(_ text: String, _ width: Int) -> String {
    text + spaces(width - text.count)
  }

  /// Returns text padded with spaces at its beginning.
  static func aligned(_ text: String, _ width: Int) -> String {
    spaces(width - text.count) + text
  }

  static func spaces(_ count: Int) -> String {
    String(repeating: " ", count: max(0, count))
  }
}
