import HandoverCore

/// A key of an object that is declared in a table.
struct TableKey: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  let rawValue: String

  init(rawValue: String) { self.rawValue = rawValue }
  init(stringLiteral text: String) { rawValue = text }
}

/// How the value of a key is declared, read and written.
struct Codec<Value>: Sendable {
  var format: ValueFormat
  /// Reads a value, which the string describes in errors; `nil` if it is invalid.
  var read: @Sendable (inout ScenarioBuilder, JSONValue, String) -> Value?
  let write: @Sendable (ScenarioEncoder, Value) -> JSONTree

  init(
    _ format: ValueFormat,
    _ read: @escaping @Sendable (inout ScenarioBuilder, JSONValue, String) -> Value?,
    write: @escaping @Sendable (ScenarioEncoder, Value) -> JSONTree
  ) {
    (self.format, self.read, self.write) = (format, read, write)
  }
}

/// A stored part of a value.
typealias Part<Root, Value> = any WritableKeyPath<Root, Value> & Sendable

/// A key of an object that becomes a part of `Root`.
///
/// The compiler translates generic code once for each of about forty roots. Code that does not
/// depend on `Root` is therefore outside the generic types.
struct Field<Root: Sendable>: Sendable {
  typealias Read = @Sendable (inout ScenarioBuilder, JSONMember, inout Root) -> Bool
  /// Returns the value, or `nil` if it is the same as that of the second root.
  typealias Write = @Sendable (ScenarioEncoder, Root, _ defaultValue: Root?) -> JSONTree?
  typealias Check = @Sendable (inout ScenarioBuilder, JSONMember, Root) -> Void

  let key: String
  var format: KeyFormat
  /// Reads the value into the root, and returns whether it is valid.
  fileprivate var read: Read
  fileprivate var write: Write

  /// Declares a key with its own functions.
  init(
    _ key: String, _ format: KeyFormat,
    read: @escaping @Sendable (inout ScenarioBuilder, JSONMember, inout Root) -> Void = {
      _, _, _ in
    },
    write: @escaping Write = { _, _, _ in nil }
  ) {
    self.key = key
    self.format = format
    self.read = {
      read(&$0, $1, &$2)
      return true
    }
    self.write = write
  }

  /// Declares a key whose absence is `nil`.
  init<Value>(
    _ key: String, _ path: Part<Root, Value?>, _ codec: Codec<Value>,
    _ meaning: String, _ defaultValue: KeyFormat.DefaultValue = .none, example: String? = nil,
    as owner: String? = nil, with condition: KeyCondition? = nil, needed: String? = nil
  ) {
    self.key = key
    format = KeyFormat(
      codec.format, meaning, defaultValue, example: example, with: condition, needed: needed)
    let owner = owner ?? "\"\(key)\""
    read = { builder, member, root in
      root[keyPath: path] = codec.read(&builder, member.value, owner)
      return root[keyPath: path] != nil
    }
    write = { encoder, root, _ in root[keyPath: path].map { codec.write(encoder, $0) } }
  }

  /// Declares a key that is required, or whose absence is the value of a new root.
  init<Value: Equatable & Sendable>(
    _ key: String, _ path: Part<Root, Value>, _ codec: Codec<Value>,
    _ meaning: String, _ defaultValue: KeyFormat.DefaultValue = .derived, example: String? = nil,
    as owner: String? = nil, with condition: KeyCondition? = nil, needed: String? = nil
  ) {
    self.key = key
    format = KeyFormat(
      codec.format, meaning, defaultValue, example: example, with: condition, needed: needed)
    let isRequired = format.isRequired
    let owner = owner ?? "\"\(key)\""
    read = { builder, member, root in
      guard let value = codec.read(&builder, member.value, owner) else { return false }
      root[keyPath: path] = value
      return true
    }
    write = { encoder, root, defaultValue in
      let value = root[keyPath: path]
      return isRequired || value != defaultValue?[keyPath: path] ? codec.write(encoder, value) : nil
    }
  }

  /// Declares a key whose value is an object with other parts of the same root.
  init(_ key: String, _ group: ObjectTable<Root>, _ meaning: String, example: String? = nil) {
    self.key = key
    format = KeyFormat(.object { group.object }, meaning, example: example)
    read = { builder, member, root in builder.read(member.value, group, into: &root) }
    write = { encoder, root, _ in
      let json = encoder.json(root, group)
      return json.members.isEmpty ? nil : json
    }
  }

  /// Adds a check before the value is read.
  func checked(_ check: @escaping Check) -> Self {
    var field = self
    field.read = { [read] in
      check(&$0, $1, $2)
      return read(&$0, $1, &$2)
    }
    return field
  }

  /// Writes the value also if it is the default, if a condition holds.
  func kept(if isKept: @escaping @Sendable (Root) -> Bool) -> Self {
    var field = self
    field.write = { [write] in write($0, $1, isKept($1) ? nil : $2) }
    return field
  }

  /// Adds a step after the value is read.
  func then(_ step: @escaping @Sendable (inout Root) -> Void) -> Self {
    var field = self
    field.read = { [read] in
      let isValid = read(&$0, $1, &$2)
      step(&$2)
      return isValid
    }
    return field
  }
}

@resultBuilder
enum FieldList<Root: Sendable> {
  static func buildExpression(_ field: Field<Root>) -> Field<Root> { field }
  static func buildBlock(_ fields: Field<Root>...) -> [Field<Root>] { fields }
}

/// A kind of object that is read into a value, declared once as a table of its keys.
final class ObjectTable<Root: Sendable>: Sendable {
  /// The declaration of the object, from which the schema and the tables are derived.
  let object: ObjectFormat
  /// The value of an object without keys.
  let defaultValue: Root
  fileprivate let fields: [Field<Root>]
  fileprivate let vocabulary: Vocabulary<TableKey>
  /// The reason why a key without its condition has no effect, and what to do.
  fileprivate let refusal: (@Sendable (Root) -> (reason: String, hint: String))?
  /// Checks an object that has been read.
  fileprivate let check: Check

  typealias Check = @Sendable (inout ScenarioBuilder, Fields<TableKey>, inout Root) -> Void

  init(
    _ name: String, owner: String, _ summary: String, _ defaultValue: Root,
    rules: [ObjectRule] = [],
    moreThan subject: String? = nil, @FieldList<Root> fields: () -> [Field<Root>],
    refusal: (@Sendable (Root) -> (reason: String, hint: String))? = nil,
    check: @escaping Check = { _, _, _ in }
  ) {
    let fields = fields()
    var members: [ObjectFormat.Member] = []
    for field in fields {
      var format = field.format
      if case .derived = format.defaultValue {
        format.defaultValue = KeyFormat.DefaultValue(field.write(.ofDefaults, defaultValue, nil))
      }
      members.append(ObjectFormat.Member(key: field.key, format: format))
    }
    object = ObjectFormat(
      name, owner: owner, summary, members: members,
      rules: subject.map { rules + [.any(of: members, except: $0)] } ?? rules)
    vocabulary = Vocabulary(members)
    self.defaultValue = defaultValue
    self.fields = fields
    self.refusal = refusal
    self.check = check
  }
}

extension Vocabulary<TableKey> {
  fileprivate convenience init(_ members: [ObjectFormat.Member]) {
    self.init(
      members.map { TableKey(rawValue: $0.key) },
      required: members.filter(\.format.isRequired).map { TableKey(rawValue: $0.key) })
  }
}

extension ObjectRule {
  /// Returns the rule that an object has at least one key besides its subject.
  fileprivate static func any(of members: [ObjectFormat.Member], except subject: String) -> Self {
    .some(of: members.map(\.key).filter { $0 != subject })
  }
}

// MARK: - Reading and writing

extension ScenarioBuilder {
  /// Returns the members of an object, and reports unknown keys and missing keys.
  mutating func fields<Root>(_ value: JSONValue, _ table: ObjectTable<Root>) -> Fields<TableKey>? {
    fields(value, table.vocabulary, table.object.owner)
  }

  /// Reads an object into a value.
  ///
  /// - Returns: whether the value is an object in which all required keys are valid.
  mutating func read<Root>(
    _ value: JSONValue, _ table: ObjectTable<Root>, into root: inout Root
  ) -> Bool {
    guard let fields = fields(value, table) else { return false }
    var isComplete = true
    // An index avoids a copy of each declaration.
    for index in table.fields.indices {
      let key = TableKey(rawValue: table.fields[index].key)
      let condition = table.fields[index].format.condition
      guard let member = fields.member(key) else {
        isComplete = isComplete && !table.fields[index].format.isRequired
        guard let needed = table.fields[index].format.needed, let condition,
          fields.meet(condition, in: table.object, orUnknown: false)
        else { continue }
        reportMissing(key, fields, needed)
        isComplete = false
        continue
      }
      if let condition, !fields.meet(condition, in: table.object) {
        let (reason, hint) =
          table.refusal?(root) ?? fields.refusal(condition, of: key.rawValue, in: table.object)
        refuse(key, fields, reason, hint: hint)
        continue
      }
      if !table.fields[index].read(&self, member, &root) {
        let format = table.fields[index].format
        isComplete = isComplete && !format.isRequired && format.needed == nil
      }
    }
    judgeRules(of: table.object, fields)
    table.check(&self, fields, &root)
    return isComplete
  }

  /// Reports an object that breaks a rule about several keys.
  private mutating func judgeRules(of object: ObjectFormat, _ fields: Fields<TableKey>) {
    for rule in object.rules {
      switch rule {
      case .some(let keys, nil):
        guard !keys.contains(where: { fields.has(TableKey(rawValue: $0)) }) else { continue }
        reportNothingExpected(fields.object, keys)
      case .one(let choices): judgeHasOne(of: choices.map(\.key), fields, object.owner)
      case .some, .atMostOne, .apart, .schema: break
      }
    }
  }

  /// Reports an object of an entry that has none of these keys, or several of them.
  private mutating func judgeHasOne(
    of keys: [String], _ fields: Fields<TableKey>, _ owner: String
  ) {
    let present = fields.present(among: keys.map(TableKey.init(rawValue:)))
    guard let first = present.first else {
      let names = Excerpt.alternatives(keys.map { "\"\($0)\"" })
      return report(
        .missingKey, at: fields.object, "\(owner) must have the key \(names)",
        hint: "add one of these keys, such as \"\(keys[0])\"")
    }
    for key in present.dropFirst() {
      report(
        .severalActions, at: fields.member(key)?.key ?? fields.object,
        "\(owner) cannot have both \"\(first.rawValue)\" and \"\(key.rawValue)\"",
        hint: "write a separate entry for each; both entries may have the same time")
    }
  }

  /// Reads the keys of a table in an object that also has other keys.
  mutating func readParts<Root, Key>(
    _ table: ObjectTable<Root>, _ fields: Fields<Key>
  ) -> Root {
    var root = table.defaultValue
    for field in table.fields {
      guard let key = Key(rawValue: field.key), let member = fields.member(key) else { continue }
      _ = field.read(&self, member, &root)
    }
    return root
  }

  /// Reads an object as a new value, or returns `nil` if a required key is invalid.
  mutating func read<Root>(_ value: JSONValue, _ table: ObjectTable<Root>) -> Root? {
    var root = table.defaultValue
    return read(value, table, into: &root) ? root : nil
  }
}

extension ScenarioEncoder {
  /// Returns an object without the keys that have default values.
  func json<Root>(_ root: Root, _ table: ObjectTable<Root>) -> JSONTree {
    .object(
      table.fields.compactMap { field in
        field.write(self, root, table.defaultValue).map { JSONTree.Member(field.key, $0) }
      })
  }

  /// Adds the keys of a table to an object that also has other keys.
  func encode<Root, Key>(
    _ root: Root, _ table: ObjectTable<Root>, into object: inout EncodedObject<Key>
  ) {
    for member in json(root, table).members {
      if let key = Key(rawValue: member.key) { object[key] = member.value }
    }
  }
}

extension Fields<TableKey> {
  /// Returns whether a condition holds; if it depends on an invalid key, returns `unknown`.
  fileprivate func meet(
    _ condition: KeyCondition, in object: ObjectFormat, orUnknown unknown: Bool = true
  ) -> Bool {
    switch condition {
    case .key(let key): return has(TableKey(rawValue: key))
    case .off(let key): return self[TableKey(rawValue: key)]?.kind != .true
    case .any(let conditions): return conditions.contains { meet($0, in: object) }
    case .all(let conditions): return conditions.allSatisfy { meet($0, in: object) }
    case .explained(let condition, _, _): return meet(condition, in: object)
    case .keyword(let key, let keywords):
      guard let format = object.format(of: key), case .keyword(let known) = format.value else {
        return unknown
      }
      guard let value = self[TableKey(rawValue: key)] else {
        if case .text(let defaultValue) = format.defaultValue {
          return keywords.contains(defaultValue)
        }
        return format.isRequired && unknown
      }
      let text = value.text ?? ""
      return known.keywords.contains { $0.spelling == text } ? keywords.contains(text) : unknown
    }
  }

  /// Returns the reason why a key has no effect without its condition, and what to do.
  fileprivate func refusal(
    _ condition: KeyCondition, of name: String, in object: ObjectFormat
  ) -> (reason: String, hint: String) {
    switch condition {
    case .key(let key):
      return ("it requires \"\(key)\"", "remove \"\(name)\", or add \"\(key)\"")
    case .keyword(let key, let keywords):
      let names = keywords.map { "\"\($0)\"" }
      return (
        "it requires \"\(key)\": " + names.joined(separator: " or "),
        "remove \"\(name)\", or write \"\(key)\": \(names[0])"
      )
    case .all(let conditions):
      let unmet = conditions.first { !meet($0, in: object) }
      return refusal(unmet ?? conditions[0], of: name, in: object)
    case .explained(let condition, let reason, let hint):
      return (reason ?? refusal(condition, of: name, in: object).reason, hint)
    case .off, .any: return ("it requires \(condition.text)", "remove \"\(name)\"")
    }
  }
}

extension KeyFormat.DefaultValue {
  /// Creates the default of a key from its value in a file.
  fileprivate init(_ value: JSONTree?) {
    switch value {
    case .text(let text): self = .text(text)
    case .boolean(let isTrue): self = .boolean(isTrue)
    case .number(let notation): self = Int(notation).map(Self.integer) ?? .decimal(notation)
    case .null, .array, .object, nil: self = .none
    }
  }
}
