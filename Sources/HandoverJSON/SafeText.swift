/// Texts as terminals and logs can show them, whatever is in them.
///
/// Names, ids, hosts and messages come from files, file systems and backends. A character among
/// them must not move the cursor, colour the screen, turn the direction of writing, break a line,
/// or begin a command to whoever runs this and reads its log.
package enum SafeText {
  /// The text on one line, with every character spelt out that is not seen: `\u{1b}`, `\n`.
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

  /// The text in its lines, each as ``line(_:)`` and ``withoutCommands(_:)`` make it.
  package static func lines(_ text: String) -> String {
    shown(text, keepsColour: false)
  }

  /// The same for a report that may be coloured.
  ///
  /// - Parameters:
  ///   - text: a report, in which texts of others have already gone through ``line(_:)``.
  ///   - keepsColour: whether the sequences that set a colour or a weight stay as they are.
  /// - Returns: the text, in which nothing else is hidden.
  package static func shown(_ text: String, keepsColour: Bool) -> String {
    guard text.unicodeScalars.contains(where: { isHidden($0) && $0 != "\n" }) else {
      return withoutCommands(text)
    }
    var result = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      if keepsColour, let sequence = colour(at: rest) {
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

  /// The sequence at the beginning of a text that sets a colour or a weight: `ESC [ 1 ; 31 m`.
  private static func colour(
    at text: Substring.UnicodeScalarView
  ) -> Substring.UnicodeScalarView? {
    guard text.starts(with: "\u{1b}[".unicodeScalars) else { return nil }
    let parameters = text.dropFirst(2).prefix { ("0"..."9").contains($0) || $0 == ";" }
    guard parameters.endIndex < text.endIndex, text[parameters.endIndex] == "m" else { return nil }
    return text[...parameters.endIndex]
  }

  /// The text with nothing in it that a runner of workflows would take for a command to itself: a
  /// line that begins with `::`, whatever space there is before it, or `##[` anywhere.
  package static func withoutCommands(_ text: String) -> String {
    guard mayHoldCommand(text) else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let begin = line.unicodeScalars.drop { $0.properties.isWhitespace || isHidden($0) }
      let whole = begin.starts(with: "::".unicodeScalars) ? "| " + line : String(line)
      return whole.split(separator: "##[", omittingEmptySubsequences: false)
        .joined(separator: "## [")
    }.joined(separator: "\n")
  }

  /// The scalar as an escape.
  package static func spelt(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(scalar.value, radix: 16))}"
    }
  }

  /// Whether nothing is seen of the scalar, or it changes how others are seen.
  package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7f }
    return switch scalar.properties.generalCategory {
    // Formats hold the marks that turn the direction of writing.
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
      .unassigned:
      true
    default: false
    }
  }

  /// Whether such commands could be in it; false of nearly every text.
  package static func mayHoldCommand(_ text: String) -> Bool {
    var before: UInt8 = 0
    for byte in text.utf8 {
      if byte == before, byte == UInt8(ascii: ":") || byte == UInt8(ascii: "#") { return true }
      before = byte
    }
    return false
  }
}
