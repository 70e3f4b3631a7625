package import HandoverScenario

/// Changes of parts of a scenario file.
extension JSONTree {
  /// The tree without comments and extension keys.
  package var withoutComments: JSONTree {
    switch self {
    case .null, .boolean, .number, .text: self
    case .array(let elements): .array(elements.map(\.withoutComments))
    case .object(let members):
      .object(
        members.compactMap { member in
          let isComment = member.key == "$schema" || FreeKeys.contains(member.key)
          return isComment ? nil : Member(member.key, member.value.withoutComments)
        })
    }
  }

  /// The elements of an array, or the member values of an object.
  package var children: [JSONTree] {
    switch self {
    case .null, .boolean, .number, .text: []
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
  package subscript(_ key: String) -> JSONTree? {
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
      case (nil, let value?): members.append(Member(key, value))
      case (nil, nil): return
      }
      self = .object(members)
    }
  }

  /// The subtree at a path of indices, or the tree itself if the path is empty.
  subscript(_ path: ArraySlice<Int>) -> JSONTree {
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
      case .null, .boolean, .number, .text: break
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
  func without(_ path: [Int]) -> JSONTree {
    guard let position = path.last else { return self }
    var tree = self
    let around = path.dropLast()
    switch self[around] {
    case .null, .boolean, .number, .text: break
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
  func mappingTexts(_ change: (String) -> String) -> JSONTree {
    switch self {
    case .null, .boolean, .number: self
    case .text(let text): .text(change(text))
    case .array(let elements): .array(elements.map { $0.mappingTexts(change) })
    case .object(let members):
      .object(members.map { Member($0.key, $0.value.mappingTexts(change)) })
    }
  }
}
