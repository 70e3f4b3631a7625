import HandoverCore
import HandoverScenario

/// Escapes text for XML 1.0.
enum XMLText {
  /// Returns text for the inside of an element.
  ///
  /// Characters that XML forbids or that an editor would not show are spelled out, as in other
  /// reports.
  static func content(_ text: String) -> String {
    escaped(text, isAttribute: false)
  }

  /// Returns an attribute: ` name="value"`.
  static func attribute(_ name: String, _ value: String) -> String {
    " \(name)=\"\(escaped(value, isAttribute: true))\""
  }

  private static func escaped(_ text: String, isAttribute: Bool) -> String {
    var result = ""
    var isLineStart = !isAttribute
    for (index, scalar) in zip(text.unicodeScalars.indices, text.unicodeScalars) {
      // A workflow runner would interpret these texts as commands in its log. A character
      // reference hides them from the runner only.
      let isCommand =
        switch scalar {
        case ":": isLineStart && text.unicodeScalars[index...].starts(with: "::".unicodeScalars)
        case "[": SafeText.bracketBeginsCommand(after: result.utf8)
        default: false
        }
      isLineStart =
        !isAttribute && (scalar == "\n" || isLineStart && scalar.properties.isWhitespace)
      switch scalar {
      case _ where isCommand: result += "&#\(scalar.value);"
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"" where isAttribute: result += "&quot;"
      case "'" where isAttribute: result += "&apos;"
      // Otherwise a reader would change them to spaces, or a carriage return to a line feed.
      case "\r": result += "&#13;"
      case "\n" where isAttribute: result += "&#10;"
      case "\t" where isAttribute: result += "&#9;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      default:
        if isInvalidInXML(scalar) {
          result += SafeText.spelt(scalar)
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }

  /// Returns whether a character is unsuitable for XML.
  ///
  /// XML 1.0 forbids it or advises against it, or an editor would display it differently.
  private static func isInvalidInXML(_ scalar: Unicode.Scalar) -> Bool {
    SafeText.isHidden(scalar) || (0xfdd0...0xfdef).contains(scalar.value)
      || scalar.value & 0xfffe == 0xfffe
  }
}
