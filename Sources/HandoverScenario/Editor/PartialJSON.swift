import HandoverCore

/// The recognizable parts of a JSON text that may be incomplete or invalid.
///
/// An editor requires the structure around its cursor while the text is not yet JSON. The scan
/// never fails: it skips everything that it does not recognize.
struct PartialJSON: Sendable {
  /// A value, or a key without a value.
  struct Node: Sendable {
    /// The kind; numbers, literals and unknown words are `.null`.
    var kind: JSONKind
    /// The offsets of the value; for a missing value, those between the key and the next token.
    var range: Range<Int>
    /// The offsets of the key, with its quotes.
    var key: Range<Int>?
    /// The array or object that contains the value.
    var parent: Int?
    /// The members or elements.
    var children: [Int] = []
    /// Whether a colon follows the key.
    var hasColon = false
    /// Whether there is a value.
    var hasValue = true
    /// Whether the closing quote or bracket is present.
    var isClosed = true
  }

  /// The part of a text in which a cursor is.
  enum Location: Hashable, Sendable {
    /// A key of the object with this index, or the position at which a key can begin.
    case key(Range<Int>, of: Int, member: Int?)
    /// A value, or the position at which a value can begin: an element, or the value of a member.
    case value(Range<Int>, of: Int, member: Int?)
  }

  let bytes: [UInt8]
  private(set) var nodes: [Node] = []
  private var open: [Int] = []
  private var key: Range<Int>?
  private var colon: Int?

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var position = 0
    while position < bytes.count {
      let start = position
      switch bytes[position] {
      case .space, 0x09, 0x0D, .lineFeed:
        position += 1
      case .openBrace, .openBracket:
        // A deeper text is invalid anyway.
        guard open.count < JSONReader.maximumDepth else {
          endMember(at: position)
          return
        }
        position += 1
        // Only one value is at the top.
        guard !open.isEmpty || nodes.isEmpty else { return }
        let kind: JSONKind = bytes[start] == .openBrace ? .object : .array
        add(kind, start..<bytes.count, isClosed: false)
        open.append(nodes.count - 1)
      case .closeBrace, .closeBracket:
        endMember(at: position)
        position += 1
        close(bytes[start] == .closeBrace ? .object : .array, at: position)
        if open.isEmpty { return }
      case .colon:
        if key != nil { colon = colon ?? position }
        position += 1
      case .comma:
        endMember(at: position)
        position += 1
      case .quote:
        let isClosed = Self.skipText(bytes, &position)
        addWord(.text, start..<position, isClosed: isClosed)
      default:
        while position < bytes.count, !Self.endsWord(bytes[position]) { position += 1 }
        addWord(.null, start..<position, isClosed: false)
      }
    }
    endMember(at: bytes.count)
  }

  /// Skips a string; returns whether its closing quote is present.
  private static func skipText(_ bytes: [UInt8], _ position: inout Int) -> Bool {
    position += 1
    while position < bytes.count {
      switch bytes[position] {
      case .quote:
        position += 1
        return true
      case .backslash:
        position = min(bytes.count, position + 2)
      case .lineFeed, 0x0D:
        // A string ends with its line, so that a missing quote does not hide the other lines.
        return false
      default:
        position += 1
      }
    }
    return false
  }

  private static func endsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case .space, 0x09, 0x0D, .lineFeed, .comma, .colon, .quote, .openBrace, .closeBrace,
      .openBracket, .closeBracket:
      true
    default: false
    }
  }

  private mutating func addWord(_ kind: JSONKind, _ range: Range<Int>, isClosed: Bool) {
    guard let parent = open.last else { return }
    guard nodes[parent].kind == .object, colon == nil else {
      return add(kind, range, isClosed: isClosed)
    }
    endMember(at: range.lowerBound)
    key = range
  }

  private mutating func add(_ kind: JSONKind, _ range: Range<Int>, isClosed: Bool) {
    append(
      Node(
        kind: kind, range: range, key: key, parent: open.last, hasColon: colon != nil,
        isClosed: isClosed))
  }

  /// Adds a key without a value.
  private mutating func endMember(at position: Int) {
    guard let key else { return }
    append(
      Node(
        kind: .null, range: (colon.map { $0 + 1 } ?? key.upperBound)..<position, key: key,
        parent: open.last, hasColon: colon != nil, hasValue: false, isClosed: false))
  }

  private mutating func append(_ node: Node) {
    if let parent = node.parent { nodes[parent].children.append(nodes.count) }
    nodes.append(node)
    (key, colon) = (nil, nil)
  }

  /// Closes the nearest open array or object of a kind, and everything in it.
  private mutating func close(_ kind: JSONKind, at end: Int) {
    guard let innermost = open.lastIndex(where: { nodes[$0].kind == kind }) else { return }
    for index in open[innermost...] { nodes[index].range = nodes[index].range.lowerBound..<end }
    nodes[open[innermost]].isClosed = true
    open.removeSubrange(innermost...)
  }
}

// MARK: - Looking things up

extension PartialJSON {
  /// Returns the content of a key or of a string, without quotes.
  func text(_ range: Range<Int>) -> String {
    let token = bytes[range]
    guard token.first == .quote else { return String(decoding: token, as: UTF8.self) }
    if token.contains(.backslash), let text = try? JSONReader.read(Array(token)).root.text {
      return text
    }
    let rest = token.dropFirst()
    return String(decoding: rest.last == .quote ? rest.dropLast() : rest, as: UTF8.self)
  }

  /// Returns the key of a member.
  func keyText(_ node: Int) -> String? { nodes[node].key.map(text) }

  /// Returns the value of a string, or `nil` for other values.
  func textValue(_ node: Int) -> String? {
    nodes[node].kind == .text ? text(nodes[node].range) : nil
  }

  /// Returns the member of an object with a key.
  func member(_ key: String, of object: Int) -> Int? {
    nodes[object].children.first { keyText($0) == key }
  }

  /// Returns the part of the text in which a cursor is, or `nil` if nothing can be written there.
  func location(at offset: Int) -> Location? {
    guard !nodes.isEmpty, var container = contains(0, offset) ? 0 : nil else { return nil }
    while let inner = child(of: container, at: offset), contains(inner, offset) {
      container = inner
    }
    let isObject = nodes[container].kind == .object
    if let member = child(of: container, at: offset) {
      let node = nodes[member]
      if let key = node.key, isInside(key, isClosed: isClosed(key), offset) {
        return .key(replaced(key, isClosed: isClosed(key), offset), of: container, member: member)
      }
      guard node.kind != .object, node.kind != .array else { return nil }
      if !node.hasValue {
        guard node.hasColon, offset >= node.range.lowerBound else { return nil }
        return .value(offset..<offset, of: container, member: member)
      }
      guard isInside(node.range, isClosed: node.isClosed, offset) else { return nil }
      let range = replaced(node.range, isClosed: node.isClosed, offset)
      return .value(range, of: container, member: member)
    }
    // Between two members, only the position after a bracket or a comma can have another one.
    let before = bytes[..<offset].last { ![.space, 0x09, 0x0D, .lineFeed].contains($0) }
    guard let before, [.openBrace, .openBracket, .comma].contains(before) else { return nil }
    return isObject
      ? .key(offset..<offset, of: container, member: nil)
      : .value(offset..<offset, of: container, member: nil)
  }

  /// Returns the offset after the word that begins at an offset; brackets are words of one byte.
  func endOfWord(at start: Int) -> Int {
    var position = start
    guard start < bytes.count else { return bytes.count }
    if bytes[start] == .quote {
      _ = Self.skipText(bytes, &position)
      return position
    }
    while position < bytes.count, !Self.endsWord(bytes[position]) { position += 1 }
    return max(position, start + 1)
  }

  /// Returns whether a cursor is between the brackets of an array or an object.
  private func contains(_ index: Int, _ offset: Int) -> Bool {
    let node = nodes[index]
    guard node.kind == .object || node.kind == .array, node.range.lowerBound < offset else {
      return false
    }
    return offset < node.range.upperBound || !node.isClosed
  }

  /// Returns the last member or element that begins before a cursor and does not end before it.
  private func child(of container: Int, at offset: Int) -> Int? {
    let children = nodes[container].children
    // The children are in the order of the text.
    var (low, high) = (0, children.count)
    while low < high {
      let middle = (low + high) / 2
      if start(of: children[middle]) < offset { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let node = nodes[children[low - 1]]
    return offset <= node.range.upperBound ? children[low - 1] : nil
  }

  private func start(of node: Int) -> Int {
    nodes[node].key?.lowerBound ?? nodes[node].range.lowerBound
  }

  private func isInside(_ range: Range<Int>, isClosed: Bool, _ offset: Int) -> Bool {
    range.lowerBound < offset
      && (offset < range.upperBound || offset == range.upperBound && !isClosed)
  }

  private func isClosed(_ key: Range<Int>) -> Bool {
    bytes[key].first == .quote && key.count > 1 && bytes[key.upperBound - 1] == .quote
  }

  /// Returns the part of a word that a completion replaces.
  ///
  /// A string without a closing quote may contain the rest of the line, which must not be lost.
  private func replaced(_ range: Range<Int>, isClosed: Bool, _ offset: Int) -> Range<Int> {
    isClosed || bytes[range.lowerBound] != .quote ? range : range.lowerBound..<offset
  }
}
