/// Text of a file as a message may show it: in quotes, short, and on one line.
package enum Excerpt {
  /// How many characters of a text are shown.
  static let maximumLength = 60

  /// A text in quotes; long ones are cut, and what does not print is written as an escape.
  package static func quoted(_ text: String) -> String {
    var result = "\""
    var length = 0
    for scalar in text.unicodeScalars {
      guard length < maximumLength else {
        result += "..."
        break
      }
      length += 1
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned,
        .surrogate:
        result += scalarName(scalar.value)
      default:
        result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// A list of names in words: `a, b, or c`.
  package static func alternatives(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    let others = names.dropLast().joined(separator: ", ")
    return names.count == 2 ? "\(others) or \(last)" : "\(others), or \(last)"
  }

  /// A character by its number, such as `U+0007`.
  package static func scalarName(_ value: some BinaryInteger) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
