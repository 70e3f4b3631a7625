package import HandoverCore

/// A JSON value to write: members keep their order, and numbers their notation.
package indirect enum JSONTree: Hashable, Sendable {
  case null
  case boolean(Bool)
  case number(String)
  case text(String)
  case array([JSONTree])
  case object([Member])

  /// A member of an object.
  package struct Member: Hashable, Sendable {
    package var key: String
    package var value: JSONTree
  }

  /// Copies a value of a document.
  package init(_ value: JSONValue) {
    switch value.kind {
    case .null: self = .null
    case .false: self = .boolean(false)
    case .true: self = .boolean(true)
    case .number: self = .number(String(decoding: value.notation, as: UTF8.self))
    case .text: self = .text(value.text ?? "")
    case .array: self = .array(value.elements.map(JSONTree.init))
    case .object:
      self = .object(
        value.members.map { Member(key: $0.key.text ?? "", value: JSONTree($0.value)) })
    }
  }

  /// Parses a literal of the code.
  ///
  /// - Precondition: the text is JSON.
  package init(literal text: String) {
    guard let document = try? JSONReader.read(Array(text.utf8)) else {
      preconditionFailure("a literal of the format is not valid JSON: \(text)")
    }
    self.init(document.root)
  }

  package static func integer(_ number: some BinaryInteger) -> Self { .number(String(number)) }
  package static func texts(_ texts: [String]) -> Self { .array(texts.map(Self.text)) }

  /// The members of an object; empty for other values.
  package var members: [Member] { if case .object(let members) = self { members } else { [] } }

  /// Returns the text on one line.
  package var line: String {
    switch self {
    case .null: "null"
    case .boolean(let isTrue): isTrue ? "true" : "false"
    case .number(let notation): notation
    case .text(let text): JSONText.quoted(text)
    case .array(let elements): "[\(elements.map(\.line).joined(separator: ", "))]"
    case .object(let members) where members.isEmpty: "{}"
    case .object(let members): "{ \(members.map(\.line).joined(separator: ", ")) }"
    }
  }

  /// Returns the text with at most 100 columns: values that do not fit have a line per element.
  ///
  /// The value begins at `column` of a line with the indentation `indent`.
  func text(indent: Int = 0, column: Int = 0) -> String {
    let line = line
    // One column remains for a comma.
    guard column + line.utf8.count > 99 else { return line }
    let inner = String(repeating: " ", count: indent + 2)
    let end = "\n" + String(repeating: " ", count: indent)
    switch self {
    case .null, .boolean, .number, .text:
      return line
    case .array(let elements):
      return "[\n"
        + elements.map { inner + $0.text(indent: indent + 2, column: indent + 2) }
        .joined(separator: ",\n") + end + "]"
    case .object(let members):
      return "{\n"
        + members.map { member in
          let key = inner + JSONText.quoted(member.key) + ": "
          return key + member.value.text(indent: indent + 2, column: key.utf8.count)
        }.joined(separator: ",\n") + end + "}"
    }
  }
}

extension JSONTree.Member {
  package init(_ key: String, _ value: JSONTree) { self.init(key: key, value: value) }

  fileprivate var line: String { "\(JSONText.quoted(key)): \(value.line)" }
}

extension JSONTree: ExpressibleByDictionaryLiteral, ExpressibleByStringInterpolation {
  package init(dictionaryLiteral members: (String, JSONTree)...) {
    self = .object(members.map { Member(key: $0.0, value: $0.1) })
  }

  package init(stringLiteral text: String) { self = .text(text) }
}

extension JSONTree: ExpressibleByArrayLiteral, ExpressibleByBooleanLiteral {
  package init(arrayLiteral elements: JSONTree...) { self = .array(elements) }

  package init(booleanLiteral isTrue: Bool) { self = .boolean(isTrue) }
}

extension JSONTree: ExpressibleByIntegerLiteral {
  package init(integerLiteral number: Int) { self = .number(String(number)) }
}
