/// A JSON text that was read: its bytes, and one node for every value and key in it.
///
/// The nodes stand in the order of the text, so that a value is a place in the table and costs no
/// allocation. Text and numbers are decoded where they are asked for.
public final class JSONDocument: Sendable {
  package let bytes: [UInt8]
  @usableFromInline package let nodes: [JSONNode]
  let duplicateKeyNodes: [Int]
  package let lines: TextLines

  init(bytes: [UInt8], nodes: [JSONNode], duplicateKeyNodes: [Int], lines: TextLines) {
    self.bytes = bytes
    self.nodes = nodes
    self.duplicateKeyNodes = duplicateKeyNodes
    self.lines = lines
  }

  /// The value that the text is.
  public var root: JSONValue { JSONValue(document: self, node: 0) }

  /// Whether a key occurs twice in one object.
  package var hasDuplicateKeys: Bool { !duplicateKeyNodes.isEmpty }

  /// The second and every later occurrence of a key in one object, in the order of the text.
  public var duplicateKeys: [JSONValue] {
    duplicateKeyNodes.map { JSONValue(document: self, node: $0) }
  }
}

/// One value or key of a document.
@usableFromInline
package struct JSONNode: Hashable, Sendable {
  /// The first byte.
  @usableFromInline package var offset: UInt32
  /// The byte after the last.
  @usableFromInline package var end: UInt32
  /// The node after this one and everything inside it.
  package var next: UInt32
  /// What it is.
  @usableFromInline package var kind: JSONKind
  /// Whether it is text that stands in the file as it is meant, without escapes.
  @usableFromInline package var isPlainText: Bool

  /// Gives an array or an object its end, and the node after everything inside it.
  mutating func close(at end: UInt32, next: UInt32) {
    self.end = end
    self.next = next
  }

  /// The UTF-8 of the text it stands for, without quotes and escapes.
  ///
  /// - Precondition: it is a text.
  @usableFromInline
  package func text(in bytes: [UInt8]) -> ArraySlice<UInt8> {
    let inside = bytes[Int(offset) + 1..<Int(end) - 1]
    return isPlainText ? inside : JSONEscapes.resolved(inside)[...]
  }

  /// Lends the UTF-8 of the text it stands for, which costs neither memory nor a reference.
  ///
  /// - Precondition: it is a text.
  @inlinable
  package func withText<Result>(in bytes: [UInt8], _ body: (Span<UInt8>) -> Result) -> Result {
    guard isPlainText else {
      let text = text(in: bytes)
      return body(text.span)
    }
    return body(bytes.span.extracting(Int(offset) + 1..<Int(end) - 1))
  }
}

/// What a JSON value is.
public enum JSONKind: UInt8, Hashable, Sendable {
  /// `null`.
  case null
  /// `false`.
  case `false`
  /// `true`.
  case `true`
  /// A number.
  case number
  /// A text.
  case text
  /// An array.
  case array
  /// An object.
  case object

  /// The kind as messages name it, with its article.
  public var description: String {
    switch self {
    case .null: "null"
    case .false, .true: "a boolean"
    case .number: "a number"
    case .text: "a text"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// A value of a JSON document, or the key of a member, and where it stands.
public struct JSONValue: Sendable {
  @usableFromInline package let document: JSONDocument
  @usableFromInline package let node: Int

  @inlinable
  package init(document: JSONDocument, node: Int) {
    self.document = document
    self.node = node
  }

  /// What it is.
  @inlinable public var kind: JSONKind { document.nodes[node].kind }

  /// The place of its first byte in the text.
  public var offset: Int { Int(document.nodes[node].offset) }

  /// The text it stands for, without quotes and escapes; nil where it is no text.
  public var text: String? {
    let node = document.nodes[node]
    guard node.kind == .text else { return nil }
    return String(decoding: node.text(in: document.bytes), as: UTF8.self)
  }

  /// Whether it is written byte for byte like another value of the document.
  package func isWritten(like other: Int) -> Bool {
    let (this, other) = (document.nodes[node], document.nodes[other])
    guard this.end - this.offset == other.end - other.offset else { return false }
    let bytes = document.bytes
    // Names that are numbered differ at their ends.
    for distance in 1...Int(this.end - this.offset)
    where bytes[Int(this.end) - distance] != bytes[Int(other.end) - distance] { return false }
    return true
  }

  /// The number of bytes of its notation, quotes included.
  public var byteCount: Int {
    Int(document.nodes[node].end - document.nodes[node].offset)
  }

  /// The bytes of its notation.
  package var notation: ArraySlice<UInt8> {
    document.bytes[Int(document.nodes[node].offset)..<Int(document.nodes[node].end)]
  }

  /// The elements of an array; none where it is no array.
  public var elements: JSONElements {
    JSONElements(document: document, node: node, isWanted: kind == .array)
  }

  /// How many elements an array has; none where it is no array.
  package var elementCount: Int {
    guard kind == .array else { return 0 }
    let nodes = document.nodes
    var count = 0
    var place = node + 1
    while place < nodes[node].next {
      place = Int(nodes[place].next)
      count += 1
    }
    return count
  }

  /// The members of an object in the order of the text; none where it is no object.
  public var members: JSONMembers {
    JSONMembers(keys: JSONElements(document: document, node: node, isWanted: kind == .object))
  }

  /// How long a pointer may become, in bytes.
  private static let maximumPointerByteCount = 2_000

  /// The JSON pointer (RFC 6901) to the value, or to the member where it is a key.
  ///
  /// Where keys are so long that nobody would read it, it points to the nearest object around.
  public var pointer: String {
    var pointer = ""
    var current = document.root
    while current.node < node {
      switch current.kind {
      case .array:
        var index = 0
        for element in current.elements {
          guard element.nextNode <= node else {
            current = element
            break
          }
          index += 1
        }
        pointer += "/\(index)"
      case .object:
        for member in current.members where member.value.nextNode > node {
          guard pointer.utf8.count + member.key.byteCount <= Self.maximumPointerByteCount else {
            return pointer
          }
          pointer += "/" + Self.pointerToken(member.key.text ?? "")
          // A key is not part of its value: there the way ends.
          guard member.key.node < node else { return pointer }
          current = member.value
          break
        }
      case .null, .false, .true, .number, .text:
        return pointer
      }
    }
    return pointer
  }

  private var nextNode: Int { Int(document.nodes[node].next) }

  private static func pointerToken(_ key: String) -> String {
    var token = ""
    for scalar in key.unicodeScalars {
      switch scalar {
      case "~": token += "~0"
      case "/": token += "~1"
      default: token.unicodeScalars.append(scalar)
      }
    }
    return token
  }
}

/// The elements of an array.
public struct JSONElements: Sequence, IteratorProtocol, Sendable {
  private let document: JSONDocument
  private var upcoming: Int
  private let end: Int

  init(document: JSONDocument, node: Int, isWanted: Bool) {
    self.document = document
    upcoming = node + 1
    end = isWanted ? Int(document.nodes[node].next) : node + 1
  }

  /// The next element.
  public mutating func next() -> JSONValue? {
    guard upcoming < end else { return nil }
    let value = JSONValue(document: document, node: upcoming)
    upcoming = Int(document.nodes[upcoming].next)
    return value
  }
}

/// A member of an object.
public struct JSONMember: Sendable {
  /// The key, a text.
  public let key: JSONValue
  /// The value.
  public let value: JSONValue

  @inlinable
  package init(key: JSONValue, value: JSONValue) {
    self.key = key
    self.value = value
  }
}

/// The members of an object.
public struct JSONMembers: Sequence, IteratorProtocol, Sendable {
  var keys: JSONElements

  /// The next member.
  public mutating func next() -> JSONMember? {
    guard let key = keys.next(), let value = keys.next() else { return nil }
    return JSONMember(key: key, value: value)
  }
}
