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
    for scalar in text.unicodeScalars {
      switch scalar {
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

  /// Whether XML 1.0 forbids the character or advises against it, or whoever looks at the text
  /// would see it otherwise than it is.
  private static func isUnfit(_ scalar: Unicode.Scalar) -> Bool {
    SafeText.isHidden(scalar) || (0xfdd0...0xfdef).contains(scalar.value)
      || scalar.value & 0xfffe == 0xfffe
  }
}
