import HandoverJSON
import HandoverScenario

/// Texts as XML 1.0 can hold them.
enum XMLText {
  /// The text inside an element.
  ///
  /// What XML forbids, and what an editor would not show, is spelt out as in other reports.
  static func content(_ text: String) -> String {
    escaped(text, isAttribute: false)
  }

  /// ` name="value"`.
  static func attribute(_ name: String, _ value: String) -> String {
    " \(name)=\"\(escaped(value, isAttribute: true))\""
  }

  private static func escaped(_ text: String, isAttribute: Bool) -> String {
    var result = ""
    var isLineStart = !isAttribute
    for (index, scalar) in zip(text.unicodeScalars.indices, text.unicodeScalars) {
      let isCommand = startsCommand(text.unicodeScalars, at: index, isLineStart: isLineStart)
      isLineStart =
        !isAttribute && (scalar == "\n" || isLineStart && scalar.properties.isWhitespace)
      switch scalar {
      case _ where isCommand: result += "&#\(scalar.value);"
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"" where isAttribute: result += "&quot;"
      case "'" where isAttribute: result += "&apos;"
      // A reader would make a space of them, or a line feed of a carriage return.
      case "\r": result += "&#13;"
      case "\n" where isAttribute: result += "&#10;"
      case "\t" where isAttribute: result += "&#9;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      default:
        if isUnfit(scalar) {
          result += SafeText.spelt(scalar)
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }

  /// Whether a runner of workflows would find a command here, if it reads the document in its log.
  ///
  /// That is `::` at the start of a line, and `##[` anywhere. A character reference hides a command
  /// from the runner only.
  private static func startsCommand(
    _ text: String.UnicodeScalarView, at index: String.Index, isLineStart: Bool
  ) -> Bool {
    switch text[index] {
    case ":": isLineStart && text[index...].starts(with: "::".unicodeScalars)
    case "[": text[..<index].suffix(2).elementsEqual("##".unicodeScalars)
    default: false
    }
  }

  /// Whether XML 1.0 forbids the character or advises against it, or whoever looks at the text
  /// would see it otherwise than it is.
  private static func isUnfit(_ scalar: Unicode.Scalar) -> Bool {
    SafeText.isHidden(scalar) || (0xfdd0...0xfdef).contains(scalar.value)
      || scalar.value & 0xfffe == 0xfffe
  }
}
