/// Formats text of a file for messages: quoted, short and on one line.
package enum Excerpt {
  /// The maximum number of characters that are shown.
  static let maximumLength = 60

  /// Returns a text in quotes, truncated if it is long, with unprintable characters escaped.
  package static func quoted(_ text: String) -> String {
    var result = "\""
    var length = 0
    for scalar in text.unicodeScalars {
      guard length < maximumLength else {
        result += "..."
        break
      }
      length += 1
      if SafeText.isHidden(scalar) {
        result += scalarName(scalar.value)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Returns a list of names as prose: `a, b, or c`.
  package static func alternatives(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    let others = names.dropLast().joined(separator: ", ")
    return names.count == 2 ? "\(others) or \(last)" : "\(others), or \(last)"
  }

  /// Returns the code point notation of a character, such as `U+0007`.
  package static func scalarName(_ value: some BinaryInteger) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
