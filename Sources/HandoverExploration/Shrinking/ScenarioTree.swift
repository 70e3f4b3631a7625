package import HandoverCore

/// A scenario file as a mutable tree, from which parts can be removed.
package indirect enum ScenarioTree: Hashable, Sendable {
  /// A number, a boolean or null, in its notation.
  case plain(String)
  case text(String)
  case array([ScenarioTree])
  case object([Member])

  /// A member of an object.
  package struct Member: Hashable, Sendable {
    package var key: String
    package var value: ScenarioTree
  }

  /// Creates the tree of a JSON value, without comments and extension keys.
  package init(_ value: JSONValue) {
    switch value.kind {
    case .null, .true, .false, .number:
      self = .plain(String(decoding: value.notation, as: UTF8.self))
    case .text:
      self = .text(value.text ?? "")
    case .array:
      self = .array(value.elements.map(ScenarioTree.init))
    case .object:
      self = .object(
        value.members.compactMap { member in
          let key = member.key.text ?? ""
          return Self.isComment(key) ? nil : Member(key: key, value: ScenarioTree(member.value))
        })
    }
  }

  private static func isComment(_ key: String) -> Bool {
    key == "$schema" || key == "comment" || key.hasPrefix("x-")
  }

  /// The file content.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    write(into: &bytes)
    return bytes
  }

  private func write(into bytes: inout [UInt8]) {
    switch self {
    case .plain(let notation): bytes += notation.utf8
    case .text(let text): Self.write(text, into: &bytes)
    case .array(let elements):
      bytes.append(.openBracket)
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(.comma) }
        element.write(into: &bytes)
      }
      bytes.append(.closeBracket)
    case .object(let members):
      bytes.append(.openBrace)
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(.comma) }
        Self.write(member.key, into: &bytes)
        bytes.append(.colon)
        member.value.write(into: &bytes)
      }
      bytes.append(.closeBrace)
    }
  }

  private static func write(_ text: String, into bytes: inout [UInt8]) {
    bytes.append(.quote)
    for byte in text.utf8 {
      switch byte {
      case .quote, .backslash: bytes += [.backslash, byte]
      case 0..<0x20: bytes += ("\\u00" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)).utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(.quote)
  }

  // MARK: Parts

  /// The elements of an array, or the member values of an object.
  package var children: [ScenarioTree] {
    switch self {
    case .plain, .text: []
    case .array(let elements): elements
    case .object(let members): members.map(\.value)
    }
  }

  /// The string, or `nil` for another kind.
  package var asText: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// The keys in order; empty if the tree is not an object.
  package var keys: [String] {
    if case .object(let members) = self { members.map(\.key) } else { [] }
  }

  /// The value of a key, or `nil` if there is none.
  ///
  /// Setting `nil` removes the member.
  package subscript(_ key: String) -> ScenarioTree? {
    get {
      guard case .object(let members) = self else { return nil }
      return members.first { $0.key == key }?.value
    }
    set {
      guard case .object(var members) = self else { return }
      let index = members.firstIndex { $0.key == key }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(key: key, value: value))
      case (nil, nil): return
      }
      self = .object(members)
    }
  }

  /// The subtree at a path of indices, or the tree itself if the path is empty.
  subscript(_ path: ArraySlice<Int>) -> ScenarioTree {
    get {
      guard let position = path.first else { return self }
      return children[position][path.dropFirst()]
    }
    set {
      guard let position = path.first else {
        self = newValue
        return
      }
      switch self {
      case .plain, .text: break
      case .array(var elements):
        elements[position][path.dropFirst()] = newValue
        self = .array(elements)
      case .object(var members):
        members[position].value[path.dropFirst()] = newValue
        self = .object(members)
      }
    }
  }

  /// Returns the key at a path, or `nil` if the path leads to an array element.
  func key(at path: ArraySlice<Int>) -> String? {
    guard let position = path.last, case .object(let members) = self[path.dropLast()] else {
      return nil
    }
    return members[position].key
  }

  /// Returns the tree without the subtree at a path.
  func without(_ path: [Int]) -> ScenarioTree {
    guard let position = path.last else { return self }
    var tree = self
    let around = path.dropLast()
    switch self[around] {
    case .plain, .text: break
    case .array(var elements):
      elements.remove(at: position)
      tree[around] = .array(elements)
    case .object(var members):
      members.remove(at: position)
      tree[around] = .object(members)
    }
    return tree
  }

  /// The paths to all subtrees, each before its descendants.
  var paths: [[Int]] {
    var paths: [[Int]] = []
    collect(from: [], into: &paths)
    return paths
  }

  private func collect(from path: [Int], into paths: inout [[Int]]) {
    for (position, child) in children.enumerated() {
      paths.append(path + [position])
      child.collect(from: path + [position], into: &paths)
    }
  }

  /// Returns the tree with all strings transformed.
  func mappingTexts(_ change: (String) -> String) -> ScenarioTree {
    switch self {
    case .plain: self
    case .text(let text): .text(change(text))
    case .array(let elements): .array(elements.map { $0.mappingTexts(change) })
    case .object(let members):
      .object(members.map { Member(key: $0.key, value: $0.value.mappingTexts(change)) })
    }
  }
}
