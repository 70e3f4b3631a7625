/// A parsed JSON text: its bytes, with one node for every value and key.
///
/// The nodes are in text order, so that a value is an index into the table and needs no allocation.
/// Strings and numbers are decoded on demand.
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

  /// The top-level value.
  public var root: JSONValue { JSONValue(document: self, node: 0) }

  /// Whether an object contains a key twice.
  package var hasDuplicateKeys: Bool { !duplicateKeyNodes.isEmpty }

  /// The second and all later occurrences of a key in an object, in text order.
  public var duplicateKeys: [JSONValue] {
    duplicateKeyNodes.map { JSONValue(document: self, node: $0) }
  }
}

/// A value or key of a document.
@usableFromInline
package struct JSONNode: Hashable, Sendable {
  /// The offset of the first byte.
  @usableFromInline package var offset: UInt32
  /// The offset after the last byte.
  @usableFromInline package var end: UInt32
  /// The index of the node after this one and all its descendants.
  package var next: UInt32
  /// The kind of the value.
  @usableFromInline package var kind: JSONKind
  /// Whether the node is a string without escapes.
  @usableFromInline package var isPlainText: Bool

  /// Sets the end of an array or object, and the node after all its descendants.
  mutating func close(at end: UInt32, next: UInt32) {
    self.end = end
    self.next = next
  }

  /// Returns the UTF-8 content of a string, without quotes and escapes.
  ///
  /// - Precondition: The node is a string.
  @usableFromInline
  package func text(in bytes: [UInt8]) -> ArraySlice<UInt8> {
    let inside = bytes[Int(offset) + 1..<Int(end) - 1]
    return isPlainText ? inside : JSONEscapes.resolved(inside)[...]
  }

  /// Calls a closure with the UTF-8 content of a string, usually without copying or retaining.
  ///
  /// - Precondition: The node is a string.
  @inlinable
  package func withText<Result>(in bytes: [UInt8], _ body: (Span<UInt8>) -> Result) -> Result {
    guard isPlainText else {
      let text = text(in: bytes)
      return body(text.span)
    }
    return body(bytes.span.extracting(Int(offset) + 1..<Int(end) - 1))
  }
}

/// The kind of a JSON value.
public enum JSONKind: UInt8, Hashable, Sendable {
  /// `null`.
  case null
  /// `false`.
  case `false`
  /// `true`.
  case `true`
  /// A number.
  case number
  /// A string.
  case text
  /// An array.
  case array
  /// An object.
  case object

  /// The name of the kind for messages, with its article.
  public var description: String {
    switch self {
    case .null: "null"
    case .false, .true: "a boolean"
    case .number: "a number"
    case .text: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// A value of a JSON document, or the key of a member, with its position.
public struct JSONValue: Sendable {
  @usableFromInline package let document: JSONDocument
  @usableFromInline package let node: Int

  @inlinable
  package init(document: JSONDocument, node: Int) {
    self.document = document
    self.node = node
  }

  /// The kind of the value.
  @inlinable public var kind: JSONKind { document.nodes[node].kind }

  /// The offset of its first byte in the text.
  public var offset: Int { Int(document.nodes[node].offset) }

  /// The content of a string, without quotes and escapes, or `nil` for other kinds.
  public var text: String? {
    let node = document.nodes[node]
    guard node.kind == .text else { return nil }
    return String(decoding: node.text(in: document.bytes), as: UTF8.self)
  }

  /// Returns whether the value has the same bytes in the text as the value of another node.
  package func isWritten(like other: Int) -> Bool {
    let (this, other) = (document.nodes[node], document.nodes[other])
    guard this.end - this.offset == other.end - other.offset else { return false }
    let bytes = document.bytes
    // The comparison starts at the end, because numbered names differ there.
    for distance in 1...Int(this.end - this.offset)
    where bytes[Int(this.end) - distance] != bytes[Int(other.end) - distance] { return false }
    return true
  }

  /// The number of bytes in the text, including quotes.
  public var byteCount: Int {
    Int(document.nodes[node].end - document.nodes[node].offset)
  }

  /// The bytes in the text.
  package var notation: ArraySlice<UInt8> {
    document.bytes[Int(document.nodes[node].offset)..<Int(document.nodes[node].end)]
  }

  /// The elements of an array; empty for other kinds.
  public var elements: JSONElements {
    JSONElements(document: document, node: node, isWanted: kind == .array)
  }

  /// The members of an object in text order; empty for other kinds.
  public var members: JSONMembers {
    JSONMembers(keys: JSONElements(document: document, node: node, isWanted: kind == .object))
  }

  /// The maximum length of a pointer in bytes.
  private static let maximumPointerByteCount = 2_000

  /// The JSON pointer (RFC 6901) to the value, or to the member if the value is a key.
  ///
  /// If the keys are too long for a readable pointer, it points to the nearest enclosing object.
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
          // A key is not part of its value, so the pointer ends here.
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

  /// Returns the next element, or `nil` after the last one.
  public mutating func next() -> JSONValue? {
    guard upcoming < end else { return nil }
    let value = JSONValue(document: document, node: upcoming)
    upcoming = Int(document.nodes[upcoming].next)
    return value
  }
}

/// A member of an object.
public struct JSONMember: Sendable {
  /// The key, which is a string.
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

  /// Returns the next member, or `nil` after the last one.
  public mutating func next() -> JSONMember? {
    guard let key = keys.next(), let value = keys.next() else { return nil }
    return JSONMember(key: key, value: value)
  }
}
