/// A Swift text separated into code and comments, for textual checks.
///
/// Both texts have the length and the lines of the original; characters of the other part are
/// replaced by spaces. The quotes of a string stay in the code and its contents are removed, except
/// for interpolations, which are code.
struct BlankedText: Hashable, Sendable {
  /// The code without comments and without the contents of strings and regular expressions.
  var code: [UInt8]
  /// The comments alone, with their slashes.
  var comments: [UInt8]
  /// Whether the text ended in code.
  ///
  /// If not, the rest of the result is unreliable.
  var endedInCode: Bool

  /// Separates a Swift source text.
  init(swift text: String) {
    var lexer = Lexer(text)
    lexer.run()
    code = lexer.code
    comments = lexer.comments
    endedInCode = lexer.endedInCode
  }
}

/// Processes a Swift source in one pass.
///
/// The lexer knows strings but no grammar, which is enough for text that compiles.
private struct Lexer {
  /// A string literal that contains the current position.
  struct StringLiteral {
    var poundCount: Int
    var isMultiline: Bool
  }

  /// The current context: code at some depth of parentheses, or a string.
  enum Place {
    case code(parentheses: Int)
    case string(StringLiteral)
  }

  let input: [UInt8]
  var code: [UInt8]
  var comments: [UInt8]
  var position = 0
  var places: [Place] = [.code(parentheses: 0)]
  var endedInCode = true

  init(_ text: String) {
    input = Array(text.utf8)
    code = input.map { $0 == newline ? newline : space }
    comments = code
  }

  mutating func run() {
    while position < input.count {
      switch places[places.count - 1] {
      case .code(let parentheses): stepInCode(parentheses)
      case .string(let literal): stepInString(literal)
      }
    }
    if places.count != 1 { endedInCode = false }
  }

  /// Processes one token of code.
  private mutating func stepInCode(_ parentheses: Int) {
    let byte = input[position]
    if byte == slash, peek(1) == slash {
      while position < input.count, input[position] != newline { takeCommentBytes(1) }
    } else if byte == slash, peek(1) == star {
      takeBlockComment()
    } else if byte == quote || byte == pound, let literal = openingDelimiter() {
      places.append(.string(literal))
    } else if byte == slash, takeRegularExpression() {
      return
    } else if byte == openParenthesis {
      places[places.count - 1] = .code(parentheses: parentheses + 1)
      keep()
    } else if byte == closeParenthesis, parentheses == 0, places.count > 1 {
      places.removeLast()
      keep()
    } else if byte == closeParenthesis {
      places[places.count - 1] = .code(parentheses: parentheses - 1)
      keep()
    } else {
      keep()
    }
  }

  /// Processes one character, escape or end of a string.
  private mutating func stepInString(_ literal: StringLiteral) {
    let byte = input[position]
    if byte == backslash, hasPounds(literal.poundCount, at: position + 1) {
      position += 1 + literal.poundCount
      if peek(0) == openParenthesis {
        places.append(.code(parentheses: 0))
        keep()
      } else {
        position += 1
      }
    } else if byte == quote, isClosed(literal) {
      for _ in 0..<(literal.isMultiline ? 3 : 1) + literal.poundCount { keep() }
      places.removeLast()
    } else if byte == newline, !literal.isMultiline {
      // Such a text does not compile. Continuing in code loses one line, and the file is reported.
      endedInCode = false
      places.removeLast()
    } else {
      position += 1
    }
  }

  /// Returns the string that starts here, if there is one.
  ///
  /// Its delimiter is kept as code.
  private mutating func openingDelimiter() -> StringLiteral? {
    var pounds = 0
    while peek(pounds) == pound { pounds += 1 }
    guard peek(pounds) == quote else { return nil }
    let isMultiline =
      peek(pounds + 1) == quote && peek(pounds + 2) == quote
      && !(pounds > 0 && endsOnItsLine(from: position + pounds + 1, poundCount: pounds))
    for _ in 0..<pounds + (isMultiline ? 3 : 1) { keep() }
    return StringLiteral(poundCount: pounds, isMultiline: isMultiline)
  }

  /// Whether a string with pounds ends on its line: `#"""#` contains one quote.
  private func endsOnItsLine(from start: Int, poundCount: Int) -> Bool {
    var index = start
    while index < input.count, input[index] != newline {
      if input[index] == quote, hasPounds(poundCount, at: index + 1) { return true }
      index += 1
    }
    return false
  }

  private func isClosed(_ literal: StringLiteral) -> Bool {
    if literal.isMultiline {
      guard peek(1) == quote, peek(2) == quote else { return false }
    }
    return hasPounds(literal.poundCount, at: position + (literal.isMultiline ? 3 : 1))
  }

  /// Processes `/…/` and `#/…/#` if an expression can start here; division and operators stay code.
  private mutating func takeRegularExpression() -> Bool {
    let pounds = position > 0 && input[position - 1] == pound ? 1 : 0
    if pounds == 0 {
      guard let next = peek(1), next != space, next != closeParenthesis, next != newline else {
        return false
      }
      var before = position - 1
      while before >= 0, input[before] == space { before -= 1 }
      guard before < 0 || regularExpressionPredecessors.contains(input[before]) else {
        return false
      }
    }
    var end = position + 1
    while end < input.count, input[end] != newline || pounds > 0 {
      if input[end] == backslash {
        end += 2
      } else if input[end] == slash, hasPounds(pounds, at: end + 1) {
        keep()
        position = end
        keep()
        return true
      } else {
        end += 1
      }
    }
    return false
  }

  private mutating func takeBlockComment() {
    var depth = 0
    repeat {
      if peek(0) == slash, peek(1) == star {
        depth += 1
        takeCommentBytes(2)
      } else if peek(0) == star, peek(1) == slash {
        depth -= 1
        takeCommentBytes(2)
      } else {
        takeCommentBytes(1)
      }
    } while depth > 0 && position < input.count
    if depth > 0 { endedInCode = false }
  }

  private mutating func takeCommentBytes(_ count: Int) {
    for _ in 0..<count where position < input.count {
      comments[position] = input[position]
      position += 1
    }
  }

  private mutating func keep() {
    guard position < input.count else { return }
    code[position] = input[position]
    position += 1
  }

  private func peek(_ distance: Int) -> UInt8? {
    position + distance < input.count ? input[position + distance] : nil
  }

  private func hasPounds(_ count: Int, at start: Int) -> Bool {
    start + count <= input.count && (0..<count).allSatisfy { input[start + $0] == pound }
  }
}

/// A word, a number or another single character of separated code.
struct Token: Hashable, Sendable {
  var text: String
  /// The line, counted from 1.
  var line: Int
  /// Whether the word is in backticks and therefore not a keyword.
  var isQuoted = false
  var isWord: Bool
  /// Whether white space, a comment or the start of the file is directly before it.
  var followsSpace: Bool

  /// Returns the tokens of separated code, in order.
  static func all(of code: [UInt8]) -> [Token] {
    var tokens: [Token] = []
    var line = 1
    var position = 0
    var followsSpace = true
    while position < code.count {
      let byte = code[position]
      if isWordByte(byte) {
        let start = position
        while position < code.count, isWordByte(code[position]) { position += 1 }
        tokens.append(
          Token(
            text: String(decoding: code[start..<position], as: UTF8.self), line: line,
            isQuoted: start > 0 && code[start - 1] == backtick, isWord: true,
            followsSpace: followsSpace))
        followsSpace = false
      } else {
        let isSpace = byte == space || byte == newline || byte == 0x09 || byte == 0x0D
        if !isSpace, byte != backtick {
          tokens.append(
            Token(
              text: characters[Int(byte)], line: line, isWord: false, followsSpace: followsSpace))
        }
        if byte == newline { line += 1 }
        followsSpace = isSpace
        position += 1
      }
    }
    return tokens
  }

  /// Whether the token is the given word as a keyword.
  func isKeyword(_ keyword: String) -> Bool {
    isWord && !isQuoted && text == keyword
  }
}

private let characters = (0..<128).map { String(UnicodeScalar(UInt8($0))) }

/// Whether a byte is a letter, a digit, an underscore, or a part of a non-ASCII character.
private func isWordByte(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x80...0xFF: true
  default: false
  }
}

private let newline = UInt8(ascii: "\n")
private let space = UInt8(ascii: " ")
private let slash = UInt8(ascii: "/")
private let star = UInt8(ascii: "*")
private let quote = UInt8(ascii: "\"")
private let pound = UInt8(ascii: "#")
private let backslash = UInt8(ascii: "\\")
private let backtick = UInt8(ascii: "`")
private let openParenthesis = UInt8(ascii: "(")
private let closeParenthesis = UInt8(ascii: ")")
private let regularExpressionPredecessors = Array("=(,:[{;&|!?\n".utf8)
