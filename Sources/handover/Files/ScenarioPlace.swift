import HandoverScenario

/// The properties of a scenario that follow from the path of its file.
struct ScenarioPlace {
  /// The id: the path below Scenarios, or else the file name, restricted to the characters of an
  /// id.
  var id: String
  /// The relative path of the schema, if the file belongs to a collection with a schema.
  var schema: String?

  init(_ file: String) {
    var path = file == "-" ? "scenario" : file
    if path.hasSuffix(".json") { path.removeLast(5) }
    var parts = path.split(separator: "/")
    if let root = parts.lastIndex(of: "Scenarios"), root + 1 < parts.count {
      parts.removeFirst(root + 1)
      schema =
        String(repeating: "../", count: parts.count) + "Fixtures/Schemas/scenario-1.schema.json"
    } else {
      parts = parts.suffix(1)
    }
    let segments = parts.map(Self.segment).filter { !$0.isEmpty }
    let id = segments.joined(separator: "/")
    // A name has at most 200 bytes.
    self.id = id.isEmpty || id.utf8.count > ScenarioLimits.nameByteCount ? "scenario" : id
  }

  /// Returns a path component with hyphens in place of characters that an id cannot contain.
  private static func segment(_ part: Substring) -> String {
    var segment = ""
    for character in part {
      let isPlain = character.isASCII && (character.isLetter || character.isNumber)
      if isPlain || "-._".contains(character) {
        segment.append(character)
      } else if segment.last != "-" {
        segment.append("-")
      }
    }
    while segment.hasPrefix("-") { segment.removeFirst() }
    while segment.hasSuffix("-") { segment.removeLast() }
    return segment.allSatisfy { $0 == "." } ? "" : segment
  }
}
