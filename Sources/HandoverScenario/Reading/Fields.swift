import HandoverJSON

/// The keys that one kind of object may have.
protocol FieldKey: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// All of them, made once.
  static var vocabulary: Vocabulary<Self> { get }
}

/// The members of an object by their keys, after everything unknown has been reported.
struct Fields<Key: FieldKey> {
  /// The object.
  let object: JSONValue
  // Entries come in great numbers, and have two or three keys: these need no memory of their own.
  // An inline array would be laid out at run time, for each of them.
  private var first: (Place, Place, Place, Place)
  private var others: [Place] = []
  /// How many keys are there.
  private(set) var count = 0

  /// A key that is there; a place in the table of nodes counts no references.
  private struct Place {
    var key: Key
    var node: UInt32
  }

  /// Sorts the members of an object by their keys.
  init(_ object: JSONValue, _ owner: String, _ collector: inout DiagnosticCollector) {
    self.object = object
    let none = Place(key: Key.vocabulary.first, node: 0)
    first = (none, none, none, none)
    var unknown: [Int] = []
    // A value counts a reference to its document; going through the table itself counts none.
    let vocabulary = Key.vocabulary
    let nodes = object.document.nodes
    let bytes = object.document.bytes
    let mayRepeat = object.document.hasDuplicateKeys
    let end = Int(nodes[object.node].next)
    var node = object.node + 1
    while node < end {
      if let key = nodes[node].withText(in: bytes, { vocabulary.word($0) }) {
        // The reader of JSON has reported the second of two equal keys.
        if !mayRepeat || index(of: key) == nil { append(key, node) }
      } else if !FreeKeys.contains(String(decoding: nodes[node].text(in: bytes), as: UTF8.self)) {
        unknown.append(node)
      }
      node = Int(nodes[node + 1].next)
    }
    for node in unknown {
      // Reading a misspelt key as what was meant keeps one mistake from being reported as several.
      let name = JSONValue(document: object.document, node: node)
      guard let key = reportUnknown(name, owner, &collector) else { continue }
      append(key, node)
    }
  }

  private mutating func append(_ key: Key, _ node: Int) {
    let place = Place(key: key, node: UInt32(truncatingIfNeeded: node))
    switch count {
    case 0: first.0 = place
    case 1: first.1 = place
    case 2: first.2 = place
    case 3: first.3 = place
    default: others.append(place)
    }
    count += 1
  }

  private func place(_ index: Int) -> Place {
    switch index {
    case 0: first.0
    case 1: first.1
    case 2: first.2
    case 3: first.3
    default: others[index - 4]
    }
  }

  /// The value of a key; nil where it is not there.
  subscript(_ key: Key) -> JSONValue? {
    index(of: key).map { JSONValue(document: object.document, node: $0 + 1) }
  }

  /// The member of a key; nil where it is not there.
  func member(_ key: Key) -> JSONMember? {
    index(of: key).map { node in
      // A key is one node, and its value stands right after it.
      JSONMember(
        key: JSONValue(document: object.document, node: node),
        value: JSONValue(document: object.document, node: node + 1))
    }
  }

  private func index(of key: Key) -> Int? {
    // One after the other, and not in a loop: this is asked twenty times of each entry.
    if count > 0, first.0.key == key { return Int(first.0.node) }
    if count > 1, first.1.key == key { return Int(first.1.node) }
    if count > 2, first.2.key == key { return Int(first.2.node) }
    if count > 3, first.3.key == key { return Int(first.3.node) }
    guard count > 4 else { return nil }
    return others.first { $0.key == key }.map { Int($0.node) }
  }

  /// Whether one of the keys is there.
  func hasAny(of keys: [Key]) -> Bool {
    for index in 0..<count where keys.contains(place(index).key) { return true }
    return false
  }

  /// Those of the keys that are there: in the order of the file, misspelt ones after all others.
  func present(among keys: [Key]) -> [Key] {
    var present: [Key] = []
    forEachPresent(among: keys) { present.append($0) }
    return present
  }

  /// Shows them without an array, for what is read in great numbers.
  @inline(__always)
  func forEachPresent(among keys: [Key], _ body: (Key) -> Void) {
    for index in 0..<count where keys.contains(place(index).key) { body(place(index).key) }
  }

  /// Reports an unknown key.
  ///
  /// - Returns: the key that was probably meant, one that is not there.
  private func reportUnknown(
    _ key: JSONValue, _ owner: String, _ collector: inout DiagnosticCollector
  ) -> Key? {
    let missing = Key.allCases.filter { index(of: $0) == nil }
    let meant = UnknownKey.report(
      key, of: owner, among: Key.allCases.map(\.rawValue), missing: missing.map(\.rawValue),
      to: &collector)
    return meant.flatMap(Key.init(rawValue:))
  }
}

/// A key that an object cannot have.
///
/// Keys are texts here: what is written for any kind of key is compiled for each of them.
private enum UnknownKey {
  /// Reports it.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - owner: what it was found in.
  ///   - names: the keys that may stand there.
  ///   - missing: those that do not.
  ///   - collector: takes the report.
  /// - Returns: the one that was probably meant.
  static func report(
    _ key: JSONValue, of owner: String, among names: [String], missing: [String],
    to collector: inout DiagnosticCollector
  ) -> String? {
    let name = key.text ?? ""
    let meant =
      Synonyms.key(for: name, among: missing)
      ?? (collector.affordsSuggestions ? Spelling.nearest(to: name, among: missing) : nil)
    collector.report(
      .unknownKey, at: key, "\(owner) has no key \(Excerpt.quoted(name))",
      hint: meant.map { "did you mean \"\($0)\"?" }
        ?? "its keys are \(Excerpt.alternatives(names)); remarks have keys that begin with x-")
    return meant
  }
}

/// Keys that people reach for, from other formats, and what they are called here.
enum Synonyms {
  private static let keys: [String: [String]] = [  // lookup only
    "timeout": ["deadline", "tcpTimeout"], "name": ["id"], "time": ["at"], "t": ["at"],
    "when": ["at"], "delay": ["at", "takes"], "events": ["timeline"], "steps": ["timeline"],
    "expectations": ["expect"], "expected": ["expect"], "assertions": ["expect"],
    "asserts": ["expect"], "description": ["title"], "profile": ["profiles"], "result": ["status"],
    "code": ["status"], "duration": ["takes"], "latency": ["takes", "connect"],
    "interval": ["every"], "period": ["every"], "type": ["kind"], "url": ["host"],
    "address": ["host"], "server": ["host"], "endpoint": ["host"], "version": ["format"],
    "settings": ["config"], "configuration": ["config"], "options": ["config"],
    "setup": ["initial"],
    "reachability": ["flags"],
    "between": ["within"], "until": ["before"], "from": ["after"], "sources": ["source"],
  ]

  /// What a key is called among those that may stand here; nil where it is none of these.
  static func key(for name: String, among names: [String]) -> String? {
    keys[name]?.first(where: names.contains)
  }
}

/// Keys that may stand in every object of a scenario and mean nothing.
enum FreeKeys {
  static func contains(_ key: String) -> Bool {
    key.utf8.starts(with: "x-".utf8) || key == "comment"
  }
}
