import HandoverJSON

/// Texts as a page can hold them, whatever is in them.
///
/// What is not seen is spelt out first, so that no mark turns the direction of the page's writing.
enum HTMLText {
  /// The text inside an element, or between the quotation marks of an attribute.
  static func of(_ text: String) -> String {
    let visible = VisibleText.of(text)
    guard visible.utf8.contains(where: isSpecial) || SafeText.mayHoldCommand(visible) else {
      return visible
    }
    var result = ""
    // A line of the page may begin with the text.
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
      case "[" where result.hasSuffix("##"): result += "&#91;"
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

  /// JSON that can stand in a script element: nothing in it ends the element or begins a comment.
  ///
  /// Outside of texts JSON has no `<`, so each can be written as an escape.
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
