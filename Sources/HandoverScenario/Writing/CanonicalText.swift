public import HandoverCore

/// Writes scenario files in the canonical layout.
///
/// The canonical texts of equivalent files differ only in choices of the author. The choices are
/// times relative to the previous entry, the units of long times, the order of hosts, and remarks.
/// Reading a canonical text gives the same scenario as the original file. Writing a canonical text
/// again does not change it.
public enum CanonicalText {
  /// Returns the canonical text of a scenario file.
  ///
  /// - Parameter document: a file that ``ScenarioReader`` has read without an error. For other
  ///   files, the result is only guaranteed to be JSON.
  /// - Returns: the text in UTF-8, which ends with a line feed.
  public static func of(_ document: JSONDocument) -> [UInt8] {
    var writer = CanonicalWriter(builder: ScenarioBuilder(document))
    writer.bytes.reserveCapacity(document.bytes.count)
    writer.writeScenario(document.root)
    return writer.bytes
  }
}

/// Appends values in canonical notation.
private struct CanonicalWriter {
  var bytes: [UInt8] = []
  /// Reads values that have several notations.
  var builder: ScenarioBuilder

  // MARK: Lines

  mutating func writeScenario(_ root: JSONValue) {
    guard root.kind == .object else {
      write(root, .anything)
      bytes.append(.lineFeed)
      return
    }
    let members = Self.ordered(root, ScenarioKey.object.members)
    append("{\n")
    for (index, member) in members.enumerated() {
      append("  ")
      writeText(member.key)
      append(": ")
      writeSection(member)
      append(index + 1 < members.count ? ",\n" : "\n")
    }
    append("}\n")
  }

  /// Writes the value of a key of the file.
  ///
  /// The timeline and the expectations have a line for each element. Source lists, and lists in
  /// remarks, have a line for each element if they have more than one.
  private mutating func writeSection(_ member: OrderedMember) {
    let elements = Array(member.value.elements)
    let name = member.key.text ?? ""
    let isLong: Bool
    switch name {
    case "timeline", "expect": isLong = !elements.isEmpty
    case "source": isLong = elements.count > 1
    default: isLong = elements.count > 1 && FreeKeys.contains(name)
    }
    guard isLong else {
      write(member.value, member.format)
      return
    }
    append("[\n")
    for (index, element) in elements.enumerated() {
      append("    ")
      write(element, member.format.element)
      append(index + 1 < elements.count ? ",\n" : "\n")
    }
    append("  ]")
  }

  // MARK: Values

  /// Writes a value on one line.
  private mutating func write(_ value: JSONValue, _ format: ValueFormat) {
    switch format.matching(value.kind) {
    case .notation(.time), .notation(.positiveTime), .notation(.entryTime):
      guard let text = value.text.flatMap(TimeNotation.canonical) else { break }
      write(text)
      return
    case .version, .integer, .decimal:
      guard value.kind == .number, let text = CanonicalNumber.text(value) else { break }
      append(text)
      return
    case .flags:
      let errorCount = builder.collector.errorCount
      guard let flags = builder.flags(value), builder.collector.errorCount == errorCount else {
        break
      }
      write(flags, remarks: value.members.filter { FreeKeys.contains($0.key.text ?? "") })
      return
    case .anything, .notation, .reference, .text, .boolean, .keyword, .null, .scalar, .list, .names,
      .object, .either:
      break
    }
    switch value.kind {
    case .null, .true, .false, .number: bytes.append(contentsOf: value.notation)
    case .text: writeText(value)
    case .array: writeArray(value, format.matching(value.kind))
    case .object: writeObject(value, format.matching(value.kind))
    }
  }

  private mutating func writeArray(_ value: JSONValue, _ format: ValueFormat) {
    append("[")
    for (index, element) in value.elements.enumerated() {
      if index > 0 { append(", ") }
      write(element, format.element)
    }
    append("]")
  }

  private mutating func writeObject(_ value: JSONValue, _ format: ValueFormat) {
    let members: [OrderedMember]
    switch format {
    case .object(let object):
      members = Self.ordered(value, object().members)
    case .names(let format, _):
      members = Self.withCommentsLast(
        value.members.map { OrderedMember($0, format) })
    default:
      members = value.members.map { OrderedMember($0, .anything) }
    }
    guard !members.isEmpty else { return append("{}") }
    append("{ ")
    for (index, member) in members.enumerated() {
      if index > 0 { append(", ") }
      writeText(member.key)
      append(": ")
      write(member.value, member.format)
    }
    append(" }")
  }

  private mutating func write(_ flags: ReachabilityFlags, remarks: [JSONMember]) {
    guard ReachabilityFlags.all.contains(flags) else { return append(String(flags.rawValue)) }
    let names = ReachabilityFlags.names.filter { flags.contains($0.flag) }.map(\.name)
    guard !remarks.isEmpty else {
      return append("[" + names.map { "\"\($0)\"" }.joined(separator: ", ") + "]")
    }
    // An array cannot contain remarks.
    append("{ " + names.map { "\"\($0)\": 1, " }.joined())
    for (index, remark) in remarks.enumerated() {
      if index > 0 { append(", ") }
      writeText(remark.key)
      append(": ")
      write(remark.value, .anything)
    }
    append(" }")
  }

  // MARK: Strings

  /// Writes a string or a key with the minimum of escapes.
  private mutating func writeText(_ value: JSONValue) {
    write(value.text ?? "")
  }

  private mutating func write(_ text: String) {
    bytes += Array(JSONText.quoted(text).utf8)
  }

  private mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }
}

/// A member with the type of its value.
private struct OrderedMember {
  var key: JSONValue
  var value: JSONValue
  var format: ValueFormat

  init(_ member: JSONMember, _ format: ValueFormat) {
    (key, value) = (member.key, member.value)
    self.format = format
  }
}

extension ValueFormat {
  /// The type of the elements of a list.
  fileprivate var element: ValueFormat {
    if case .list(let element, _, _) = self { element } else { .anything }
  }
}

extension CanonicalWriter {
  /// Returns the members of an object in canonical order: known keys, other keys, remarks.
  static func ordered(_ object: JSONValue, _ known: [ObjectFormat.Member]) -> [OrderedMember] {
    let members = Array(object.members)
    let names = members.map { $0.key.text ?? "" }
    var ordered: [OrderedMember] = []
    for key in known {
      for (index, member) in members.enumerated() where names[index] == key.key {
        ordered.append(OrderedMember(member, key.format.value))
      }
    }
    let others = members.indices.filter { index in !known.contains { $0.key == names[index] } }
    ordered += withCommentsLast(
      others.map { OrderedMember(members[$0], .anything) })
    return ordered
  }

  static func withCommentsLast(_ members: [OrderedMember]) -> [OrderedMember] {
    let isComment = members.map { FreeKeys.contains($0.key.text ?? "") }
    return members.indices.filter { !isComment[$0] }.map { members[$0] }
      + members.indices.filter { isComment[$0] }.map { location in
        var remark = members[location]
        remark.format = .anything
        return remark
      }
  }
}
