/// The type of a value in a scenario file.
indirect enum ValueFormat: Sendable {
  /// Any value; it has no effect.
  case anything
  /// The version number of the format.
  case version(Int)
  /// A string in one of the notations that several keys share.
  case notation(Notation)
  /// A name that is defined in another part of the scenario, or in the catalog of requirements.
  case reference([NameDefinition])
  /// A string of limited length.
  case text(bytes: Int)
  /// A boolean.
  case boolean
  /// An integer within a range.
  case integer(ClosedRange<Int128>)
  /// A number with at most three decimals.
  case decimal(ClosedRange<Int>)
  /// A keyword of a closed set.
  case keyword(KeywordSet)
  /// Reachability flags in one of their notations.
  case flags
  /// `null`.
  case null
  /// A string, a number or a boolean; integers only, and not `null`, if the channel's key has it.
  case scalar(isInKey: Bool)
  /// An array.
  case list(ValueFormat, count: ClosedRange<Int>, isSet: Bool = false)
  /// An object whose keys are names that the author chooses.
  case names(ValueFormat, atLeast: Int = 0)
  /// An object with declared keys; a closure, because declarations are created on first use.
  case object(@Sendable () -> ObjectFormat)
  /// A value of one of several types.
  case either([ValueFormat])

  /// The string notations.
  enum Notation: String, CaseIterable, Sendable {
    case name, title, id, time, positiveTime, entryTime
    case host = "hostName"
    case hostOrAll = "hostNameOrAll"
    case path, address, share, rate
  }

  /// The places that define names.
  enum NameDefinition: Hashable, Sendable {
    case call, request, question, interceptor, network
    /// A requirement in `source` of the scenario.
    case source
    /// A requirement of the catalog, and the specification that contains it.
    case requirement, specification
  }

  static let name = Self.notation(.name)
  static let time = Self.notation(.time)
  static let positiveTime = Self.notation(.positiveTime)
  static let host = Self.notation(.host)
  static let hostOrAll = Self.notation(.hostOrAll)
  static let path = Self.notation(.path)
  static let address = Self.notation(.address)
  static let share = Self.notation(.share)
  /// The text of a header or message.
  static let shortText = Self.text(bytes: ScenarioLimits.nameByteCount)
  /// Header or trailer names with their values.
  static let headers = Self.names(.shortText)
  /// The texts of messages.
  static let messages = Self.list(.shortText, count: 0...ScenarioLimits.headers)

  /// Returns the keywords of a type.
  static func keyword<Keyword: FormatKeyword>(_ type: Keyword.Type) -> Self {
    .keyword(KeywordSet(type))
  }
}

/// A key of an object: its value, its meaning and the condition under which it is valid.
struct KeyFormat: Sendable {
  var value: ValueFormat
  /// The meaning, as a noun phrase or as one sentence.
  var meaning: String
  /// The value that an absent key stands for.
  var defaultValue: DefaultValue
  /// A value in a file, or `nil` if the type has an obvious one.
  var example: String?
  /// The condition under which the key is valid, or `nil` if it always is.
  var condition: KeyCondition?
  /// A description of the object if the key is required when the condition holds, or `nil`.
  var needed: String?

  /// The value that an absent key stands for.
  enum DefaultValue: Sendable {
    /// The key must be present.
    case required
    /// No value.
    case none
    /// The value in a new object of the code, which the table of the object inserts.
    case derived
    case text(String)
    case integer(Int)
    case decimal(String)
    case boolean(Bool)
    /// A value that depends on other keys or on the profile, described in words.
    case described(String)

    /// Returns a keyword as the default.
    static func keyword<Keyword: FormatKeyword>(_ keyword: Keyword) -> Self {
      .text(keyword.rawValue)
    }
  }

  init(
    _ value: ValueFormat, _ meaning: String, _ defaultValue: DefaultValue = .none,
    example: String? = nil, with condition: KeyCondition? = nil, needed: String? = nil
  ) {
    self.value = value
    self.meaning = meaning
    self.defaultValue = defaultValue
    self.example = example
    self.condition = condition
    self.needed = needed
  }

  /// Whether every object of the kind must have the key.
  var isRequired: Bool { if case .required = defaultValue { true } else { false } }
}

/// A condition under which a key is valid.
indirect enum KeyCondition: Sendable {
  /// Another key is present.
  case key(String)
  /// Another key has one of these keywords, which may be its default.
  case keyword(String, [String])
  /// The key itself has the value `false`, which changes nothing.
  case off(String)
  case any([KeyCondition])
  case all([KeyCondition])
  /// A condition with its own explanation: a reason, unless the usual one fits, and a hint.
  case explained(KeyCondition, reason: String?, hint: String)

  /// Returns the condition that a key has one of these keywords.
  static func keywords<Keyword: FormatKeyword>(_ key: String, _ keywords: Keyword...) -> Self {
    .keyword(key, keywords.map(\.rawValue))
  }

  func explained(_ reason: String? = nil, hint: String) -> Self {
    .explained(self, reason: reason, hint: hint)
  }
}

/// A rule about several keys of an object.
enum ObjectRule: Sendable {
  /// Exactly one of the keys is present; a key does not count if the key in `without` is present.
  case one(of: [(key: String, without: String?)])
  /// At least one of the keys is present; with `if`, only if that key is present.
  case some(of: [String], if: String? = nil)
  /// At most one of the keys is present.
  case atMostOne(of: [String])
  /// The key excludes others.
  case apart(String, from: [String], because: String)
  /// A rule that exists only once, as the text of a JSON Schema.
  case schema(String)
}

/// A kind of object in a scenario file, declared once.
///
/// The reader's checks of keys, the JSON Schema, the canonical order of keys, the dictionary of the
/// fuzzer and the reference tables are derived from the declaration.
final class ObjectFormat: Sendable {
  /// The name of the kind, unique in the format.
  let name: String
  /// A description for diagnostics, with an article.
  let owner: String
  /// The meaning of the object in one sentence.
  let summary: String
  /// The keys in canonical order.
  let members: [Member]
  /// The rules about several keys.
  let rules: [ObjectRule]

  /// A key with its declaration.
  struct Member: Sendable {
    var key: String
    var format: KeyFormat
  }

  init(
    _ name: String, owner: String, _ summary: String, members: [Member], rules: [ObjectRule] = []
  ) {
    self.name = name
    self.owner = owner
    self.summary = summary
    self.members = members
    self.rules = rules
  }

  convenience init<Key: FieldKey>(
    _ keys: Key.Type, _ name: String, owner: String, _ summary: String, rules: [ObjectRule] = []
  ) {
    self.init(
      name, owner: owner, summary,
      members: Key.allCases.map { Member(key: $0.rawValue, format: $0.format) }, rules: rules)
  }

  /// Returns the declaration of a key, or `nil` if objects of the kind do not have it.
  func format(of key: String) -> KeyFormat? { members.first { $0.key == key }?.format }
}

/// The keys of one kind of object, in canonical order.
protocol FieldKey: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// The kind of object that has the keys.
  static var object: ObjectFormat { get }
  /// The keys as a lookup table.
  static var vocabulary: Vocabulary<Self> { get }
  /// The declaration of the key.
  var format: KeyFormat { get }
}

extension Vocabulary where Keyword: FieldKey {
  /// Creates the lookup table of a kind of object.
  convenience init(of keys: Keyword.Type) {
    self.init(Array(Keyword.allCases), required: Keyword.allCases.filter { $0.format.isRequired })
  }
}

/// A closed set of keywords.
struct KeywordSet: Sendable {
  /// The name of the set, unique in the format.
  var name: String
  /// The keywords with their meanings; a keyword without a meaning explains itself.
  var keywords: [(spelling: String, meaning: String?)]

  init(_ name: String, _ keywords: [(spelling: String, meaning: String?)]) {
    self.name = name
    self.keywords = keywords
  }

  init<Keyword: FormatKeyword>(_ type: Keyword.Type) {
    self.init(Keyword.setName, Array(Keyword.allCases))
  }

  init<Keyword: FormatKeyword>(_ name: String, _ keywords: [Keyword]) {
    self.init(name, keywords.map { ($0.rawValue, $0.meaning) })
  }
}

/// A keyword of the scenario format.
protocol FormatKeyword: RawRepresentable<String>, CaseIterable {
  /// The name of the closed set, unique in the format.
  static var setName: String { get }
  /// The meaning in a few words.
  var meaning: String { get }
}
