import HandoverJSON
import HandoverScenario

/// Texts of reports on their lines: what is not seen is spelt out, and columns are kept.
enum VisibleText {
  /// The text with every character spelt out that is not seen: `\u{1b}`, `\n`.
  static func of(_ text: String) -> String { SafeText.line(text) }

  /// The text in lines of a width, broken between words; a longer word is broken inside.
  static func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var length = 0
    for word in words(of: text) {
      var rest = word
      if length > 0, length + 1 + rest.count > width {
        lines.append(line)
        // What goes on is set in, so that nobody takes it for a thing of its own.
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

  /// The words between which a line may end; a number stays with its unit.
  private static func words(of text: String) -> [Substring] {
    var words: [Substring] = []
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let unit = word.prefix { $0.isLetter }
      if let number = words.last, number.last?.isNumber == true,
        ["us", "ms", "s", "min", "h"].contains(unit)
      {
        words[words.count - 1] = text[number.startIndex..<word.endIndex]
      } else {
        words.append(word)
      }
    }
    return words
  }

  /// A text behind what leads it, in lines that begin below each other.
  static func hanging(_ lead: String, _ text: String, _ style: Style) -> [String] {
    style.broken(text, indent: lead.count).enumerated().map { place, line in
      // Lines that go on are set in by two already.
      place == 0 ? lead + line : spaces(lead.count) + line.drop { $0 == " " }
    }
  }

  /// The text set in, in lines of a width; in one line where nobody says how wide.
  static func indented(_ text: String, by indent: Int, width: Int?) -> [String] {
    guard let width, indent + text.count > width else { return [spaces(indent) + text] }
    return wrapped(text, width: max(20, width - indent)).map { spaces(indent) + $0 }
  }

  /// Lines with those broken between words that are too long, and set in as they were.
  static func fitted(_ text: String, width: Int?) -> String {
    guard width != nil else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      let indent = line.prefix { $0 == " " }.count
      return line.isEmpty
        ? [""] : indented(String(line.dropFirst(indent)), by: indent, width: width)
    }.joined(separator: "\n")
  }

  /// A length in words, in which no line ends between a number and its unit.
  static func joined(units text: String) -> String {
    let words = text.split(separator: " ")
    return words.indices.map { index in
      let isNumber = words[index].last?.isNumber == true
      let isLast = index == words.count - 1
      return words[index] + (isLast ? "" : isNumber ? "\u{A0}" : " ")
    }.joined()
  }

  /// The text with spaces after it up to a width.
  static func padded(_ text: String, _ width: Int) -> String {
    text + spaces(width - text.count)
  }

  /// The text with spaces before it up to a width.
  static func aligned(_ text: String, _ width: Int) -> String {
    spaces(width - text.count) + text
  }

  static func spaces(_ count: Int) -> String {
    String(repeating: " ", count: max(0, count))
  }

  /// A number and its noun: `1 case`, `2 cases`.
  static func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
  }
}
