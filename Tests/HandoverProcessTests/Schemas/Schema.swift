import HandoverCore

/// A part of a JSON Schema, whose members keep their order.
indirect enum Schema: Hashable {
  /// A number, a boolean or null, as it is written.
  case plain(String)
  case text(String)
  case list([Schema])
  case object(members: [Member])

  struct Member: Hashable {
    var name: String
    var value: Schema
  }

  /// Parses a part from JSON text.
  init(_ text: String) throws {
    self.init(try JSONReader.read(Array(text.utf8)).root)
  }

  private init(_ value: JSONValue) {
    switch value.kind {
    case .null: self = .plain("null")
    case .true: self = .plain("true")
    case .false: self = .plain("false")
    case .number: self = .plain(value.unsignedNumber.map { String($0) } ?? "")
    case .text: self = .text(value.text ?? "")
    case .array: self = .list(value.elements.map { Schema($0) })
    case .object:
      self = .object(
        members: value.members.map {
          Member(name: $0.key.text ?? "", value: Schema($0.value))
        })
    }
  }

  /// The members of an object, or an empty list for any other part.
  var members: [Member] {
    if case .object(let members) = self { members } else { [] }
  }

  static func object(_ members: KeyValuePairs<String, Schema?>) -> Schema {
    .object(
      members: members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
  }

  /// Returns a reference to a definition in the same file.
  static func ref(_ name: String) -> Schema {
    .object(members: [Member(name: "$ref", value: .text("#/definitions/\(name)"))])
  }

  /// Returns a list of strings.
  static func words(_ words: [String]) -> Schema { .list(words.map { .text($0) }) }
}

// The layout: a part that fits on one line is written on one line.
extension Schema {
  private static let columns = 100

  /// The text of a whole file.
  var file: String { text(indentation: 0, before: 0) + "\n" }

  private func text(indentation: Int, before: Int) -> String {
    let line = self.line
    guard before + line.count > Self.columns else { return line }
    let indent = String(repeating: " ", count: indentation + 2)
    let end = "\n\(String(repeating: " ", count: indentation))"
    switch self {
    case .plain, .text: return line
    case .list(let elements):
      let lines = elements.enumerated().map { index, element in
        let comma = index + 1 < elements.count ? 1 : 0
        return indent + element.text(indentation: indentation + 2, before: indent.count + comma)
      }
      return "[\n\(lines.joined(separator: ",\n"))\(end)]"
    case .object(let members):
      let lines = members.enumerated().map { index, member in
        let head = "\(indent)\(Self.quoted(member.name)): "
        let comma = index + 1 < members.count ? 1 : 0
        return head
          + member.value.text(indentation: indentation + 2, before: head.count + comma)
      }
      return "{\n\(lines.joined(separator: ",\n"))\(end)}"
    }
  }

  private var line: String {
    switch self {
    case .plain(let text): return text
    case .text(let text): return Self.quoted(text)
    case .list(let elements): return "[\(elements.map(\.line).joined(separator: ", "))]"
    case .object(let members):
      let parts = members.map { "\(Self.quoted($0.name)): \($0.value.line)" }
      return parts.isEmpty ? "{}" : "{ \(parts.joined(separator: ", ")) }"
    }
  }

  private static func quoted(_ text: String) -> String {
    "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }
}
