import HandoverCore

/// The members of an object by key; unknown keys have been reported.
struct Fields<Key: RawRepresentable<String> & Hashable & Sendable> {
  /// The object.
  let object: JSONValue
  // A file has many entries with two or three keys each, which this tuple stores without a heap
  // allocation. The layout of an inline array would be computed at run time for each entry.
  private var first: (Entry, Entry, Entry, Entry)
  private var others: [Entry] = []
  /// The number of keys that are present.
  private(set) var count = 0

  /// A key that is present, with an index into the table of nodes, which needs no reference
  /// counting.
  private struct Entry {
    var key: Key
    var node: UInt32
  }

  /// Assigns the members of an object to their keys, and reports unknown keys.
  init(
    _ object: JSONValue, _ vocabulary: Vocabulary<Key>, _ owner: @autoclosure () -> String,
    _ collector: inout DiagnosticCollector
  ) {
    self.object = object
    let none = Entry(key: vocabulary.first, node: 0)
    first = (none, none, none, none)
    var unknown: [Int] = []
    // A `JSONValue` retains its document; an index into the table of nodes does not.
    let nodes = object.document.nodes
    let bytes = object.document.bytes
    let mayRepeat = object.document.hasDuplicateKeys
    let end = Int(nodes[object.node].next)
    var node = object.node + 1
    while node < end {
      if let key = nodes[node].withText(in: bytes, { vocabulary.keyword($0) }) {
        // The JSON reader has already reported the second of two equal keys.
        if !mayRepeat || index(of: key) == nil { append(key, node) }
      } else if !FreeKeys.contains(String(decoding: nodes[node].text(in: bytes), as: UTF8.self)) {
        unknown.append(node)
      }
      node = Int(nodes[node + 1].next)
    }
    for node in unknown {
      // A misspelled key is read as the key that was probably meant, so that one mistake causes
      // only one error.
      let name = JSONValue(document: object.document, node: node)
      guard let key = reportUnknown(name, vocabulary.keywords, owner(), &collector) else {
        continue
      }
      append(key, node)
    }
  }

  private mutating func append(_ key: Key, _ node: Int) {
    let entry = Entry(key: key, node: UInt32(truncatingIfNeeded: node))
    switch count {
    case 0: first.0 = entry
    case 1: first.1 = entry
    case 2: first.2 = entry
    case 3: first.3 = entry
    default: others.append(entry)
    }
    count += 1
  }

  private func entry(_ index: Int) -> Entry {
    switch index {
    case 0: first.0
    case 1: first.1
    case 2: first.2
    case 3: first.3
    default: others[index - 4]
    }
  }

  /// Returns the value of a key, or `nil` if the key is missing.
  subscript(_ key: Key) -> JSONValue? {
    index(of: key).map { JSONValue(document: object.document, node: $0 + 1) }
  }

  /// Returns the member of a key, or `nil` if the key is missing.
  func member(_ key: Key) -> JSONMember? {
    index(of: key).map { node in
      // A key is one node, and its value is the next node.
      JSONMember(
        key: JSONValue(document: object.document, node: node),
        value: JSONValue(document: object.document, node: node + 1))
    }
  }

  private func index(of key: Key) -> Int? {
    // This is unrolled because it runs twenty times for each entry.
    if count > 0, first.0.key == key { return Int(first.0.node) }
    if count > 1, first.1.key == key { return Int(first.1.node) }
    if count > 2, first.2.key == key { return Int(first.2.node) }
    if count > 3, first.3.key == key { return Int(first.3.node) }
    guard count > 4 else { return nil }
    return others.first { $0.key == key }.map { Int($0.node) }
  }

  /// Returns whether a key is present.
  func has(_ key: Key) -> Bool { index(of: key) != nil }

  /// Returns whether one of the keys is present.
  func hasAny(of keys: [Key]) -> Bool {
    for index in 0..<count where keys.contains(entry(index).key) { return true }
    return false
  }

  /// Returns the present keys among `keys`, in the order of the file; misspelled keys come last.
  func present(among keys: [Key]) -> [Key] {
    var present: [Key] = []
    forEachPresent(among: keys) { present.append($0) }
    return present
  }

  /// Calls `body` with each present key, without allocating an array, because entries are numerous.
  func forEachPresent(among keys: [Key], _ body: (Key) -> Void) {
    for index in 0..<count where keys.contains(entry(index).key) { body(entry(index).key) }
  }

  /// Reports an unknown key.
  ///
  /// - Returns: the key that was probably meant, among those that are missing.
  private func reportUnknown(
    _ key: JSONValue, _ keys: [Key], _ owner: String, _ collector: inout DiagnosticCollector
  ) -> Key? {
    let missing = keys.filter { index(of: $0) == nil }
    let meant = UnknownKey.report(
      key, of: owner, among: keys.map(\.rawValue), missing: missing.map(\.rawValue),
      to: &collector)
    return meant.flatMap(Key.init(rawValue:))
  }
}

/// Reports keys that an object cannot have.
///
/// Keys are strings here, because generic code would be compiled for each kind of key.
private enum UnknownKey {
  /// Reports an unknown key.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - owner: a description of the object that contains the key.
  ///   - names: the valid keys of the object.
  ///   - missing: the valid keys that are missing from the object.
  ///   - collector: the collector that receives the report.
  /// - Returns: the key that was probably meant.
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
        ?? "write \(Excerpt.alternatives(names)); a remark needs a key that begins with x-")
    return meant
  }
}

/// Keys of other formats that authors often write, and the corresponding keys of this format.
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

  /// Returns the valid key that corresponds to a name, or `nil` if there is none.
  static func key(for name: String, among names: [String]) -> String? {
    keys[name]?.first(where: names.contains)
  }
}

/// Keys that every object of a scenario can have and that have no meaning.
package enum FreeKeys {
  package static func contains(_ key: String) -> Bool {
    key.utf8.starts(with: "x-".utf8) || key == "comment"
  }
}
