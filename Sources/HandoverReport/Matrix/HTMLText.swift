import HandoverCore

/// Escapes text for an HTML page.
///
/// Invisible characters are spelled out first, so that no direction mark affects the rest of the
/// page.
enum HTMLText {
  /// Returns text for the inside of an element or of a quoted attribute.
  static func of(_ text: String) -> String {
    let visible = VisibleText.of(text)
    guard visible.utf8.contains(where: isSpecial) || SafeText.mayContainCommand(visible) else {
      return visible
    }
    var result = ""
    // The text can be at the beginning of a line of the page.
    var rest = visible.unicodeScalars[...]
    let indent = rest.prefix { $0.properties.isWhitespace }
    rest = rest[indent.endIndex...]
    result.unicodeScalars.append(contentsOf: indent)
    if rest.starts(with: "::".unicodeScalars) {
      result += "&#58;"
      rest.removeFirst()
    }
    for scalar in rest {
      switch scalar {
      case "[" where SafeText.bracketBeginsCommand(after: result.utf8): result += "&#91;"
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns JSON for a script element, in which no text ends the element or begins a comment.
  ///
  /// JSON contains `<` only in strings, so each `<` can be replaced by an escape.
  static func embedded(json bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for byte in bytes {
      if byte == UInt8(ascii: "<") {
        result += Array(#"\u003c"#.utf8)
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
      UInt8(ascii: "'"):
      true
    default: false
    }
  }
}
