/// Makes arbitrary text safe to show in terminals and logs.
///
/// Names, IDs, hosts and messages come from files, file systems and backends. Their characters must
/// not move the cursor, set colors, change the writing direction, or break a line. They also must
/// not form a command for the program that reads the log, such as a CI runner.
package enum SafeText {
  /// Returns the text on one line, with invisible characters escaped, for example `\u{1b}` or `\n`.
  package static func line(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHidden) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isHidden(scalar) {
        result += spelt(scalar)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns the text with its line breaks, made safe by ``line(_:)`` and ``withoutCommands(_:)``.
  package static func lines(_ text: String) -> String {
    shown(text, keepsColor: false)
  }

  /// Returns a report made safe, with or without its colors.
  ///
  /// - Parameters:
  ///   - text: A report in which foreign text was already passed through ``line(_:)``.
  ///   - keepsColor: Whether to keep the sequences that set a color or a weight.
  /// - Returns: The text, in which all other invisible characters are escaped.
  package static func shown(_ text: String, keepsColor: Bool) -> String {
    guard text.unicodeScalars.contains(where: { isHidden($0) && $0 != "\n" }) else {
      return withoutCommands(text)
    }
    var result = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      if keepsColor, let sequence = color(at: rest) {
        result.unicodeScalars.append(contentsOf: sequence)
        rest = rest[sequence.endIndex...]
        continue
      }
      rest.removeFirst()
      if scalar == "\n" || !isHidden(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += spelt(scalar)
      }
    }
    return withoutCommands(result)
  }

  /// Returns a leading sequence that sets a color or a weight, such as `ESC [ 1 ; 31 m`, or `nil`.
  private static func color(
    at text: Substring.UnicodeScalarView
  ) -> Substring.UnicodeScalarView? {
    guard text.starts(with: "\u{1b}[".unicodeScalars) else { return nil }
    let parameters = text.dropFirst(2).prefix { ("0"..."9").contains($0) || $0 == ";" }
    guard parameters.endIndex < text.endIndex, text[parameters.endIndex] == "m" else { return nil }
    return text[...parameters.endIndex]
  }

  /// Returns the text without commands for CI runners.
  ///
  /// A command is a line that begins with `::` after optional white space, or a bracket after
  /// which ``bracketBeginsCommand(after:)`` returns `true`.
  package static func withoutCommands(_ text: String) -> String {
    guard mayContainCommand(text) else { return text }
    // As characters, a bracket and a combining mark after it would be one.
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { line in
      let begin = line.drop { $0.properties.isWhitespace || isHidden($0) }
      let isCommand = begin.starts(with: "::".unicodeScalars)
      return (isCommand ? "| " : "") + withoutBracketCommands(String(line))
    }.joined(separator: "\n")
  }

  /// Returns the text with a space before each bracket that begins a command.
  package static func withoutBracketCommands(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar == "[", bracketBeginsCommand(after: result.utf8) { result += " " }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  /// Returns whether an opening bracket after the text begins a command for a CI runner.
  ///
  /// The text ends with `##` and optional letters. For example, GitHub Actions executes
  /// `##[group]`, Azure Pipelines `##vso[task.complete]`, and TeamCity `##teamcity[...]`, anywhere
  /// in a line.
  package static func bracketBeginsCommand(
    after text: some BidirectionalCollection<UInt8>
  ) -> Bool {
    var rest = text[...]
    while rest.last?.isLetter == true { rest.removeLast() }
    return rest.suffix(2).elementsEqual("##".utf8)
  }

  /// Returns the escape of a scalar.
  package static func spelt(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(scalar.value, radix: 16))}"
    }
  }

  /// Returns whether the scalar is invisible, or changes how other characters are displayed.
  package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7f }
    return switch scalar.properties.generalCategory {
    // The format category contains the marks that change the writing direction.
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
      .unassigned:
      true
    default: false
    }
  }

  /// Returns whether the text could contain a command; a fast check that rejects nearly every text.
  package static func mayContainCommand(_ text: String) -> Bool {
    var before: UInt8 = 0
    for byte in text.utf8 {
      if byte == before, byte == UInt8(ascii: ":") || byte == UInt8(ascii: "#") { return true }
      before = byte
    }
    return false
  }
}
