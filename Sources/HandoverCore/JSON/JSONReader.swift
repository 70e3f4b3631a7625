/// A strict JSON parser (RFC 8259), which accepts only what all parsers interpret identically.
public enum JSONReader {
  /// The maximum length of a text in bytes.
  public static let maximumByteCount = 16 * 1_024 * 1_024
  /// Returns the error for a text that is too long, for callers that know the size before reading.
  public static func tooLarge(byteCount: Int) -> JSONSyntaxError {
    JSONSyntaxError(
      problem: .fileTooLarge, offset: 0, position: TextPosition(line: 1, column: 1),
      message: "the file has \(byteCount) bytes, more than \(maximumByteCount)",
      hint: "split the file into several scenarios")
  }

  /// The maximum nesting depth of arrays and objects.
  public static let maximumDepth = 64

  /// Parses a text.
  ///
  /// Duplicate keys are not a syntax error; see ``JSONDocument/duplicateKeys``.
  ///
  /// - Parameter bytes: The whole text in UTF-8, without a byte order mark.
  /// - Returns: The document.
  /// - Throws: The first syntax error.
  public static func read(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONDocument {
    var parser = JSONParser(bytes: bytes)
    try parser.readDocument()
    return JSONDocument(
      bytes: bytes, nodes: parser.nodes, duplicateKeyNodes: parser.duplicateKeyNodes.sorted(),
      lines: parser.lines)
  }
}

/// The first syntax error of a text.
public struct JSONSyntaxError: Error, Hashable, Sendable {
  /// The problem, as a stable name.
  public let problem: JSONProblem
  /// The offset of the invalid byte, or of the end of the text if something is missing there.
  public let offset: Int
  /// The line and column of that offset.
  public let position: TextPosition
  /// A description of the problem and its reason.
  public let message: String
  /// An instruction for fixing the problem.
  public let hint: String
}

/// A single pass over a text, which fills the table of nodes.
struct JSONParser {
  let bytes: [UInt8]
  var position = 0
  var nodes: [JSONNode] = []
  var duplicateKeyNodes: [Int] = []
  var lines = TextLines()
  /// The number of arrays and objects that are still open.
  private var depth = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
    // A key or value has about five bytes. Reserving space avoids copies when the table grows.
    nodes.reserveCapacity(min(bytes.count / 4, 1 << 20))
  }

  mutating func readDocument() throws(JSONSyntaxError) {
    guard bytes.count <= JSONReader.maximumByteCount else {
      throw JSONReader.tooLarge(byteCount: bytes.count)
    }
    try refuseByteOrderMark()
    skipSpace()
    guard position < bytes.count else {
      throw failure(
        .emptyFile, at: 0, "the file is empty",
        "write one JSON object that begins with { and ends with }")
    }
    try readValue()
    skipSpace()
    guard position == bytes.count else {
      guard bytes[position] != 0, !beginsComment else { throw unexpected("the end of the file") }
      throw failure(
        .trailingText, "text follows the end of the JSON value",
        "remove the rest, or a closing bracket that is too early: a file contains one value")
    }
  }

  private func refuseByteOrderMark() throws(JSONSyntaxError) {
    let marks: [(bytes: [UInt8], encoding: String)] = [
      ([0xEF, 0xBB, 0xBF], "UTF-8"), ([0xFF, 0xFE], "UTF-16"), ([0xFE, 0xFF], "UTF-16"),
    ]
    for mark in marks where bytes.starts(with: mark.bytes) {
      throw failure(
        .byteOrderMark, at: 0, "the file begins with a byte order mark of \(mark.encoding)",
        "save the file as UTF-8 without a byte order mark")
    }
  }

  private mutating func readValue() throws(JSONSyntaxError) {
    guard position < bytes.count else { throw unexpected("a value") }
    switch bytes[position] {
    case .openBrace: try readObject()
    case .openBracket: try readArray()
    case .quote: try readText()
    case .minus, .plus, .dot, UInt8(ascii: "0")...UInt8(ascii: "9"): try readNumber()
    case let byte where byte.isLetter: try readLiteral()
    default: throw unexpected("a value")
    }
  }

  private mutating func readArray() throws(JSONSyntaxError) {
    let node = try begin(.array)
    skipSpace()
    guard !consume(.closeBracket) else { return end(node) }
    while true {
      try readValue()
      skipSpace()
      if consume(.closeBracket) { return end(node) }
      try readComma(before: .closeBracket)
    }
  }

  private mutating func readObject() throws(JSONSyntaxError) {
    let node = try begin(.object)
    var memberCount = 0
    skipSpace()
    guard !consume(.closeBrace) else { return end(node) }
    while true {
      guard position < bytes.count, bytes[position] == .quote else { throw missingKey() }
      try readText()
      skipSpace()
      guard consume(.colon) else {
        guard position < bytes.count, bytes[position] != 0, !beginsComment else {
          throw unexpected("a colon")
        }
        throw failure(
          .missingColon, "a colon is missing between key and value", "write : after the key")
      }
      skipSpace()
      try readValue()
      memberCount += 1
      skipSpace()
      if consume(.closeBrace) {
        end(node)
        return findDuplicateKeys(ofObject: node, memberCount: memberCount)
      }
      try readComma(before: .closeBrace)
    }
  }

  private mutating func begin(_ kind: JSONKind) throws(JSONSyntaxError) -> Int {
    guard depth < JSONReader.maximumDepth else {
      throw failure(
        .tooDeep, "arrays and objects are nested more than \(JSONReader.maximumDepth) levels deep",
        "close open brackets; a scenario needs fewer than ten levels")
    }
    depth += 1
    let node = append(kind, from: position, to: position)
    position += 1
    return node
  }

  private mutating func end(_ node: Int) {
    depth -= 1
    let next = UInt32(truncatingIfNeeded: nodes.count)
    nodes[node].close(at: UInt32(truncatingIfNeeded: position), next: next)
  }

  private mutating func readComma(before closing: UInt8) throws(JSONSyntaxError) {
    let comma = position
    guard consume(.comma) else {
      let bracket = Character(Unicode.Scalar(closing))
      guard position < bytes.count, startsValue(bytes[position]) else {
        throw unexpected("a comma or \(bracket)")
      }
      let (part, whole) = closing == .closeBrace ? ("key", "object") : ("value", "array")
      throw failure(
        .missingComma, "a comma is missing between two values",
        "write a comma before this \(part), or \(bracket) at the end of the \(whole)")
    }
    skipSpace()
    guard position < bytes.count, bytes[position] == closing else { return }
    throw failure(
      .trailingComma, at: comma, "there is a comma after the last value", "remove the comma")
  }

  private func startsValue(_ byte: UInt8) -> Bool {
    byte == .quote || byte == .openBrace || byte == .openBracket || byte == .minus || byte.isDigit
      || byte.isLetter
  }

  private func missingKey() -> JSONSyntaxError {
    guard position < bytes.count, startsValue(bytes[position]) || bytes[position] == .comma
    else { return unexpected("a key in double quotes") }
    return failure(
      .keyNotText, "a key must be a string in double quotes", "write the key as in \"id\": 1")
  }

  private mutating func readLiteral() throws(JSONSyntaxError) {
    let start = position
    while position < bytes.count, bytes[position].isLetter || bytes[position].isDigit {
      position += 1
    }
    let word = bytes[start..<position]
    for (literal, kind) in Self.literals where word.elementsEqual(literal.utf8) {
      append(kind, from: start, to: position)
      return
    }
    if position == bytes.count,
      Self.literals.contains(where: { $0.text.utf8.starts(with: word) })
    {
      throw unexpected("the rest of the word")
    }
    let text = String(decoding: word, as: UTF8.self)
    throw failure(
      .invalidLiteral, at: start, "\(Excerpt.quoted(text)) is not a JSON value",
      "write true, false, null, or a string in double quotes")
  }

  private static let literals: [(text: String, kind: JSONKind)] = [
    ("true", .true), ("false", .false), ("null", .null),
  ]

  @discardableResult
  mutating func append(_ kind: JSONKind, isPlainText: Bool = false, from start: Int, to end: Int)
    -> Int
  {
    let node = nodes.count
    nodes.append(
      JSONNode(
        offset: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
        next: UInt32(truncatingIfNeeded: node + 1), kind: kind, isPlainText: isPlainText))
    return node
  }

  /// Skips white space, with a fast path for the common case of at most one space.
  private mutating func skipSpace() {
    if position < bytes.count, bytes[position] == .space { position += 1 }
    if position < bytes.count, bytes[position] <= .space { skipMoreSpace() }
  }

  @inline(never)
  private mutating func skipMoreSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case .space, 0x0D, 0x09: position += 1
      case .lineFeed: beginLine()
      default: return
      }
    }
  }

  // Separate from the loop above to keep the loop short.
  @inline(never)
  private mutating func beginLine() {
    position += 1
    lines.starts.append(UInt32(truncatingIfNeeded: position))
  }

  mutating func consume(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private var beginsComment: Bool {
    bytes[position] == .slash || bytes[position] == UInt8(ascii: "#")
  }

  func failure(_ problem: JSONProblem, _ message: String, _ hint: String) -> JSONSyntaxError {
    failure(problem, at: position, message, hint)
  }

  /// Returns the error at an offset that the parser has already passed.
  func failure(_ problem: JSONProblem, at offset: Int, _ message: String, _ hint: String)
    -> JSONSyntaxError
  {
    var cursor = TextCursor(bytes, lines)
    return JSONSyntaxError(
      problem: problem, offset: offset, position: cursor.position(at: offset), message: message,
      hint: hint)
  }

  /// Returns the error for an unexpected character, or for the end of the text.
  func unexpected(_ wanted: String) -> JSONSyntaxError {
    guard position < bytes.count else { return truncated(wanted) }
    let byte = bytes[position]
    guard byte != 0 else {
      return failure(
        .nulByte, "found a NUL byte, expected \(wanted)",
        "save the file as UTF-8; a file in UTF-16 or a damaged file contains NUL bytes")
    }
    guard !beginsComment else {
      return failure(
        .jsonComment, "JSON does not allow comments", "write a key \"comment\": \"...\" instead")
    }
    guard let length = UTF8Sequence.length(in: bytes, at: position) else {
      return failure(
        .invalidUTF8, "the bytes here are not UTF-8", "save the file as UTF-8")
    }
    let text = String(decoding: bytes[position..<position + length], as: UTF8.self)
    return failure(
      .unexpectedCharacter, "expected \(wanted), found \(Excerpt.quoted(text))",
      ["'", "\u{201c}", "\u{201d}", "\u{201e}", "\u{2018}", "\u{2019}", "`"].contains(text)
        ? "use straight double quotes: \""
        : "add the quote or bracket that is missing before this place")
  }

  private func truncated(_ wanted: String) -> JSONSyntaxError {
    // Nodes of open arrays and objects have no end yet.
    guard let start = nodes.last(where: { $0.end == $0.offset })?.offset else {
      return failure(
        .truncated, "the file ends, expected \(wanted)", "complete the last value")
    }
    var cursor = TextCursor(bytes, lines)
    let begin = cursor.position(at: Int(start))
    let kind = bytes[Int(start)] == .openBrace ? "object" : "array"
    return failure(
      .truncated, "the file ends, expected \(wanted)",
      "complete and close the \(kind) that begins at \(begin.line):\(begin.column)")
  }
}
