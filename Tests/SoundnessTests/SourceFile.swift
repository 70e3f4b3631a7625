/// A lexed Swift file for the checks.
struct SourceFile: Sendable {
  /// The path from the root of the package.
  let path: String
  /// The original lines.
  let lines: [Substring]
  /// The comments of each line, blank if there are none.
  let comments: [String]
  /// The code without comments and contents of strings.
  let tokens: [Token]
  /// Whether the lexer understood the whole text.
  let isUnderstood: Bool

  /// Lexes the text of a file.
  init(path: String, text: String) {
    let blanked = BlankedText(swift: text)
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    comments = blanked.comments.split(separator: 0x0A, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    tokens = Token.all(of: blanked.code)
    isUnderstood = blanked.endedInCode
  }

  /// The target whose sources contain the file, or `nil` outside Sources.
  var target: String? {
    let parts = path.split(separator: "/")
    return parts.count > 2 && parts[0] == "Sources" ? String(parts[1]) : nil
  }

  /// Returns the token at an index, or `nil` if the index is out of bounds.
  func token(_ index: Int) -> Token? {
    tokens.indices.contains(index) ? tokens[index] : nil
  }

  /// Returns the index of the token that closes the bracket at `open`, or `nil` if there is none.
  func closingBracket(of open: Int) -> Int? {
    guard let closing = ["(": ")", "[": "]", "{": "}"][tokens[open].text] else { return nil }
    let opening = tokens[open].text
    var depth = 0
    for index in open..<tokens.count {
      if tokens[index].text == opening { depth += 1 }
      if tokens[index].text == closing {
        depth -= 1
        if depth == 0 { return index }
      }
    }
    return nil
  }

  /// Whether the annotation is in a comment on the line, or in the comments and attributes directly
  /// above it.
  func isAnnotated(_ annotation: String, line: Int) -> Bool {
    func says(_ line: Int) -> Bool { comments[line - 1].contains(annotation) }
    if says(line) { return true }
    var above = line - 1
    while above >= 1 {
      let text = lines[above - 1].drop { $0 == " " }
      guard text.hasPrefix("//") || text.hasPrefix("@") else { return false }
      if says(above) { return true }
      above -= 1
    }
    return false
  }

  /// Creates a complaint about a line of this file.
  func complaint(line: Int, _ what: String, why: String, remedy: String) -> Complaint {
    Complaint(path: path, line: line, what: what, why: why, remedy: remedy)
  }
}

/// A problem at a place, with its reason and a remedy.
struct Complaint: Hashable, Sendable, CustomStringConvertible {
  var path: String
  var line: Int
  var what: String
  var why: String
  var remedy: String

  var description: String { "\(path):\(line): \(what): \(why); \(remedy)" }
}
