/// Reads JSON strictly by RFC 8259: what every reader understands alike, and nothing else.
public enum JSONReader {
  /// The longest text that is read, in bytes.
  public static let maximumByteCount = 16 * 1_024 * 1_024
  /// The error of a text that is longer than that; whoever knows need not read it.
  public static func tooLarge(byteCount: Int) -> JSONSyntaxError {
    JSONSyntaxError(
      problem: .fileTooLarge, offset: 0, position: TextPosition(line: 1, column: 1),
      message: "the file has \(byteCount) bytes, more than \(maximumByteCount)",
      hint: "split it into several scenarios")
  }

  /// How deep arrays and objects may stand in each other.
  public static let maximumDepth = 64

  /// Reads a text.
  ///
  /// Keys that occur twice are no syntax error: ``JSONDocument/duplicateKeys`` lists them.
  ///
  /// - Parameter bytes: the whole text in UTF-8, without a byte order mark.
  /// - Returns: the document.
  /// - Throws: the first place where the text is not JSON.
  public static func read(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONDocument {
    var parser = JSONParser(bytes: bytes)
    try parser.readDocument()
    return JSONDocument(
      bytes: bytes, nodes: parser.nodes, duplicateKeyNodes: parser.duplicateKeyNodes.sorted(),
      lines: parser.lines)
  }
}

/// The first place where a text is not JSON, and why.
public struct JSONSyntaxError: Error, Hashable, Sendable {
  /// What is wrong, as a stable name.
  public let problem: JSONProblem
  /// The place of the byte that is wrong; the end of the text where something is missing there.
  public let offset: Int
  /// The line and the column of that place.
  public let position: TextPosition
  /// What is wrong and why, in words.
  public let message: String
  /// What to do about it.
  public let hint: String
}

/// One pass over a text; fills the table of nodes.
struct JSONParser {
  let bytes: [UInt8]
  var position = 0
  var nodes: [JSONNode] = []
  var duplicateKeyNodes: [Int] = []
  var lines = TextLines()
  /// How many arrays and objects are not closed yet.
  private var depth = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
    // A key or a value has some five bytes; a table that grows is copied.
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
        .emptyFile, at: 0, "there is nothing in the file",
        "write one JSON object that begins with { and ends with }")
    }
    try readValue()
    skipSpace()
    guard position == bytes.count else {
      guard bytes[position] != 0, !beginsComment else { throw unexpected("the end of the file") }
      throw failure(
        .trailingText, "text follows the end of the JSON value",
        "a file holds one value; remove the rest, or a closing bracket too early")
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
          .missingColon, "there is no colon between key and value", "write : after the key")
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
        .tooDeep, "arrays and objects stand more than \(JSONReader.maximumDepth) deep",
        "a scenario needs less than ten levels; look for a bracket that is never closed")
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
      throw failure(
        .missingComma, "there is no comma between two values",
        "write a comma before this one, or \(bracket) where the list ends")
    }
    skipSpace()
    guard position < bytes.count, bytes[position] == closing else { return }
    throw failure(
      .trailingComma, at: comma, "a comma stands after the last value", "remove the comma")
  }

  private func startsValue(_ byte: UInt8) -> Bool {
    byte == .quote || byte == .openBrace || byte == .openBracket || byte == .minus || byte.isDigit
      || byte.isLetter
  }

  private func missingKey() -> JSONSyntaxError {
    guard position < bytes.count, startsValue(bytes[position]) || bytes[position] == .comma
    else { return unexpected("a key in double quotes") }
    return failure(
      .keyNotText, "a key must be a text in double quotes", "write the key as in \"id\": 1")
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
      .invalidLiteral, at: start, "\(Excerpt.quoted(text)) is no JSON value",
      "write true, false or null, or a text in double quotes")
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

  /// Mostly there is one space or none.
  @inline(__always)
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

  // Apart from the loop above, which stays short without it.
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

  /// The error of a place that has been passed.
  func failure(_ problem: JSONProblem, at offset: Int, _ message: String, _ hint: String)
    -> JSONSyntaxError
  {
    var cursor = TextCursor(bytes, lines)
    return JSONSyntaxError(
      problem: problem, offset: offset, position: cursor.position(at: offset), message: message,
      hint: hint)
  }

  /// The error of a place where neither what was wanted nor anything near it stands.
  func unexpected(_ wanted: String) -> JSONSyntaxError {
    guard position < bytes.count else { return truncated(wanted) }
    let byte = bytes[position]
    guard byte != 0 else {
      return failure(
        .nulByte, "a NUL byte stands here, where \(wanted) was expected",
        "save the file as UTF-8 text; NUL bytes come from UTF-16 or from a damaged file")
    }
    guard !beginsComment else {
      return failure(
        .jsonComment, "JSON has no comments", "write a member \"comment\": \"...\" instead")
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
        : "look for a quote or a bracket that is missing before this place")
  }

  private func truncated(_ wanted: String) -> JSONSyntaxError {
    // Arrays and objects have no end before they are closed.
    guard let start = nodes.last(where: { $0.end == $0.offset })?.offset else {
      return failure(
        .truncated, "the file ends where \(wanted) was expected", "complete the last value")
    }
    var cursor = TextCursor(bytes, lines)
    let begin = cursor.position(at: Int(start))
    let kind = bytes[Int(start)] == .openBrace ? "object" : "array"
    return failure(
      .truncated, "the file ends where \(wanted) was expected",
      "complete and close the \(kind) that begins at \(begin.line):\(begin.column)")
  }
}
