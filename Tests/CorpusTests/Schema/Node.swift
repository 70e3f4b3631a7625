import HandoverCore
import HandoverScenario

/// An editable JSON value; numbers keep their notation.
indirect enum Node: Hashable, Sendable {
  case null
  case boolean(Bool)
  case number(String)
  case text(String)
  case array([Node])
  case object([Member])

  struct Member: Hashable, Sendable {
    var key: String
    var value: Node
  }

  /// Parses a text that is known to be JSON.
  init(parsing text: String) throws {
    let bytes = Array(text.utf8)
    self.init(try JSONReader.read(bytes).root, bytes)
  }

  private init(_ value: JSONValue, _ bytes: [UInt8]) {
    switch value.kind {
    case .null: self = .null
    case .false: self = .boolean(false)
    case .true: self = .boolean(true)
    case .text: self = .text(value.text ?? "")
    case .number:
      let notation = bytes[value.offset..<value.offset + value.byteCount]
      self = .number(String(decoding: notation, as: UTF8.self))
    case .array:
      self = .array(value.elements.map { Node($0, bytes) })
    case .object:
      self = .object(
        value.members.map { Member(key: $0.key.text ?? "", value: Node($0.value, bytes)) })
    }
  }

  /// The value as JSON on one line.
  var notation: String {
    switch self {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .number(let notation): notation
    case .text(let text): Self.quoted(text)
    case .array(let elements): "[\(elements.map(\.notation).joined(separator: ","))]"
    case .object(let members):
      "{\(members.map { Self.quoted($0.key) + ":" + $0.value.notation }.joined(separator: ","))}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\":
        result += "\\\(scalar)"
      case "\u{0}"..<" ":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default:
        result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// The paths to all nested values, starting with the value itself, as lists of indices.
  var paths: [[Int]] {
    [[]]
      + children.enumerated().flatMap { position, child in child.paths.map { [position] + $0 } }
  }

  private var children: [Node] {
    switch self {
    case .null, .boolean, .number, .text: []
    case .array(let elements): elements
    case .object(let members): members.map(\.value)
    }
  }

  subscript(path: ArraySlice<Int>) -> Node {
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
      case .null, .boolean, .number, .text:
        break
      case .array(var elements):
        elements[position][path.dropFirst()] = newValue
        self = .array(elements)
      case .object(var members):
        members[position].value[path.dropFirst()] = newValue
        self = .object(members)
      }
    }
  }
}
