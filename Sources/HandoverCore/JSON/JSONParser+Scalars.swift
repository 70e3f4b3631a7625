extension JSONParser {
  mutating func readText() throws(JSONSyntaxError) {
    let start = position
    var isPlain = true
    position += 1
    while true {
      // This is the hot path for nearly every byte of a file.
      let plain = Self.plainCharacters(bytes.span.extracting(position...))
      position += plain
      guard position < bytes.count else { throw unexpected("the closing quote of a string") }
      let byte = bytes[position]
      if byte == .quote {
        position += 1
        append(.text, isPlainText: isPlain, from: start, to: position)
        return
      } else if byte == .backslash {
        isPlain = false
        try skipEscape()
      } else if byte < 0x20 {
        throw controlCharacter(byte)
      } else if let length = UTF8Sequence.length(in: bytes, at: position) {
        position += length
        lines.isASCII = false
      } else {
        throw unexpected("a character")
      }
    }
  }

  /// Returns the number of leading ASCII characters that need no special handling in a string.
  private static func plainCharacters(_ text: Span<UInt8>) -> Int {
    var count = 0
    while count < text.count {
      let byte = text[count]
      guard byte >= 0x20, byte < 0x80, byte != .quote, byte != .backslash else { break }
      count += 1
    }
    return count
  }

  private func controlCharacter(_ byte: UInt8) -> JSONSyntaxError {
    switch byte {
    case 0:
      unexpected("a character")
    case .lineFeed, 0x0D:
      failure(
        .controlCharacter, "a string contains a line break",
        "close the string with a double quote, or write the line break as \\n")
    default:
      failure(
        .controlCharacter, "a string contains the control character \(Excerpt.scalarName(byte))",
        "write it as an escape, such as \\t, or remove it")
    }
  }

  private mutating func skipEscape() throws(JSONSyntaxError) {
    guard position + 1 < bytes.count else {
      position += 1
      throw unexpected("the rest of an escape")
    }
    guard bytes[position + 1] == UInt8(ascii: "u") else {
      guard JSONEscapes.byte(named: bytes[position + 1]) != nil else {
        throw failure(
          .invalidEscape, "unknown escape sequence",
          "write \\\\ for a backslash; the escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX")
      }
      position += 2
      return
    }
    let unit = try hexadecimalUnit(at: position)
    guard JSONEscapes.isHighSurrogate(unit) else {
      guard !JSONEscapes.isLowSurrogate(unit) else { throw loneSurrogate }
      position += 6
      return
    }
    let second = position + 6
    guard second + 1 < bytes.count, bytes[second] == .backslash,
      bytes[second + 1] == UInt8(ascii: "u")
    else { throw loneSurrogate }
    guard JSONEscapes.isLowSurrogate(try hexadecimalUnit(at: second)) else { throw loneSurrogate }
    position += 12
  }

  /// Returns the code unit of the escape that begins at an offset.
  private mutating func hexadecimalUnit(at escape: Int) throws(JSONSyntaxError) -> UInt32 {
    if let unit = JSONEscapes.codeUnit(bytes[...], at: escape + 2) { return unit }
    position = escape
    // Only digits can be truncated; any other character is invalid by itself.
    if escape + 6 > bytes.count, bytes[(escape + 2)...].allSatisfy(\.isHexadecimalDigit) {
      position = bytes.count
      throw unexpected("the rest of an escape")
    }
    throw failure(
      .invalidEscape, "\\u needs four hexadecimal digits", "write it as in \\u00e9")
  }

  private var loneSurrogate: JSONSyntaxError {
    failure(
      .loneSurrogate, "the escape is one half of a surrogate pair, which is not a character",
      "write the character itself, or both halves, as in \\ud83d\\ude00")
  }

  mutating func readNumber() throws(JSONSyntaxError) {
    let start = position
    _ = consume(.minus)
    guard position < bytes.count else { throw unexpected("a digit") }
    guard bytes[position].isDigit else { throw invalidNumber(start, "a digit must come first") }
    if consume(UInt8(ascii: "0")) {
      guard position == bytes.count || !bytes[position].isDigit else {
        throw invalidNumber(start, "a number has no leading zeros")
      }
    }
    skipDigits()
    if consume(.dot) {
      guard position < bytes.count else { throw unexpected("a digit") }
      guard skipDigits() else { throw invalidNumber(start, "a digit must follow the point") }
    }
    if consume(UInt8(ascii: "e")) || consume(UInt8(ascii: "E")) {
      _ = consume(.minus) || consume(.plus)
      guard position < bytes.count else { throw unexpected("a digit") }
      guard skipDigits() else { throw invalidNumber(start, "the exponent needs a digit") }
    }
    if position < bytes.count {
      let byte = bytes[position]
      guard !byte.isLetter, byte != .dot, byte != .plus, byte != .minus else {
        throw invalidNumber(start, "a number ends with a digit")
      }
    }
    append(.number, from: start, to: position)
  }

  @discardableResult
  private mutating func skipDigits() -> Bool {
    let start = position
    while position < bytes.count, bytes[position].isDigit { position += 1 }
    return position > start
  }

  private func invalidNumber(_ start: Int, _ reason: String) -> JSONSyntaxError {
    failure(
      .invalidNumber, at: start, "invalid JSON number: \(reason)",
      "write decimal digits as in 10, -1 or 0.5; a time is a string, as in \"250ms\"")
  }
}

// MARK: - Duplicate keys

extension JSONParser {
  /// Finds the duplicate keys of an object that has just ended.
  mutating func findDuplicateKeys(ofObject object: Int, memberCount: Int) {
    guard memberCount > 8 else { return compareKeys(ofObject: object) }
    var keys: [Int] = []
    keys.reserveCapacity(memberCount)
    var key = object + 1
    for _ in 0..<memberCount {
      keys.append(key)
      key = nextKey(after: key)
    }
    // Sorting makes equal keys neighbors, in text order.
    let sorted = keys.map { (node: $0, text: keyText($0)) }.sorted { left, right in
      if left.text.elementsEqual(right.text) { return left.node < right.node }
      return left.text.lexicographicallyPrecedes(right.text)
    }
    for (earlier, later) in zip(sorted, sorted.dropFirst())
    where earlier.text.elementsEqual(later.text) {
      duplicateKeyNodes.append(later.node)
    }
  }

  /// Compares each key of an object with the preceding ones.
  ///
  /// For a few keys this is the fastest method, and it needs no memory.
  private mutating func compareKeys(ofObject object: Int) {
    var later = nextKey(after: object + 1)
    while later < nodes.count {
      var earlier = object + 1
      while earlier < later, !haveSameText(earlier, later) { earlier = nextKey(after: earlier) }
      if earlier < later { duplicateKeyNodes.append(later) }
      later = nextKey(after: later)
    }
  }

  private func nextKey(after key: Int) -> Int { Int(nodes[key + 1].next) }

  private func haveSameText(_ left: Int, _ right: Int) -> Bool {
    let (first, second) = (nodes[left], nodes[right])
    if first.isPlainText, second.isPlainText, first.end - first.offset != second.end - second.offset
    {
      return false
    }
    return keyText(left).elementsEqual(keyText(right))
  }

  private func keyText(_ node: Int) -> ArraySlice<UInt8> {
    nodes[node].text(in: bytes)
  }
}
