import HandoverScenario

/// What the place of a file says of the scenario in it.
struct ScenarioPlace {
  /// The id: the path below Scenarios, or else the name of the file, made of what ids may hold.
  var id: String
  /// The way to the schema, where the file is one of a collection that has it.
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
    // Two hundred bytes are the longest name there may be.
    self.id = id.isEmpty || id.utf8.count > ScenarioLimits.nameByteCount ? "scenario" : id
  }

  /// A part of the path with a hyphen for whatever an id may not hold.
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
