package import HandoverCore

/// A scenario file in an editor, which may be incomplete or invalid.
///
/// Everything that an editor shows about keys and values comes from the declarations of the format.
package struct ScenarioDocument: Sendable {
  /// The text in UTF-8.
  package let bytes: [UInt8]
  let tree: PartialJSON
  let lines: EditorLines

  /// Scans a text.
  package init(_ text: String) {
    bytes = Array(text.utf8)
    tree = PartialJSON(bytes)
    lines = EditorLines(bytes)
  }

  /// Whether the text is a scenario rather than another JSON file.
  ///
  /// `$schema` decides if it is present. Otherwise, two required keys decide.
  package var isScenario: Bool {
    guard let root = tree.nodes.first, root.kind == .object else { return false }
    if let schema = tree.member(ScenarioKey.schema.rawValue, of: 0).flatMap(tree.textValue) {
      let file = schema.split(separator: "/").last ?? ""
      return file.hasPrefix("scenario-") && file.hasSuffix(".schema.json")
    }
    return ScenarioKey.vocabulary.required.count { isPresent($0) } >= 2
  }

  /// Whether the text is a scenario, or does not yet show what it is.
  package var mayBecomeScenario: Bool {
    guard let root = tree.nodes.first, !isScenario else { return !tree.nodes.isEmpty }
    return root.kind == .object
      && !root.children.contains { tree.nodes[$0].hasValue || tree.nodes[$0].hasColon }
  }

  /// Returns whether a key is present in the form that other kinds of files do not have.
  private func isPresent(_ key: ScenarioKey) -> Bool {
    guard let member = tree.member(key.rawValue, of: 0) else { return false }
    switch (key.format.value, tree.nodes[member].kind) {
    case (.version, let kind): return kind == .null
    case (.object, let kind): return kind == .object
    case (.list, let kind): return kind == .array
    default: return true
    }
  }

  /// Reads the scenario, as ``ScenarioReader`` reads a file.
  package func reading(
    file: String, traces: ScenarioReader.TraceSource? = nil
  ) -> ScenarioReading {
    ScenarioReader.read(file: file, bytes: bytes, traces: traces)
  }

  /// Returns the word at the position of a diagnostic; the first line if there is no position.
  package func range(at position: TextPosition?) -> EditorRange {
    guard let position else { return runRange }
    let start = lines.offset(of: position)
    return lines.range(start..<max(start, tree.endOfWord(at: start)))
  }

  /// The location of actions on the whole scenario: its id, or the beginning of the text.
  package var runRange: EditorRange {
    guard let root = tree.nodes.first, root.kind == .object,
      let id = tree.member(ScenarioKey.id.rawValue, of: 0)
    else { return lines.range(0..<0) }
    return lines.range(tree.nodes[id].key ?? 0..<0)
  }
}

// MARK: - Formats

extension ScenarioDocument {
  /// Returns the declared type of a value, or `nil` if the format does not have the value.
  func format(of node: Int) -> ValueFormat? {
    guard let parent = tree.nodes[node].parent else { return .object { ScenarioKey.object } }
    let key = tree.keyText(node)
    return format(in: parent, key: key)
  }

  /// Returns the declared type of an element, or of a member with a key.
  func format(in container: Int, key: String?) -> ValueFormat? {
    format(of: container).flatMap { part(of: $0, in: container, key: key) }
  }

  /// Returns the declared type of an element or a member of a value with a type.
  private func part(
    of format: ValueFormat, in container: Int, key: @autoclosure () -> String?
  ) -> ValueFormat? {
    switch format.matching(tree.nodes[container].kind) {
    case .object(let object): key().flatMap { object().format(of: $0)?.value }
    case .list(let element, _, _): element
    case .names(let element, _): element
    case .flags: key() == nil ? .keyword(Self.flags) : .boolean
    default: nil
    }
  }

  /// Returns the declaration of an object, or `nil` if its keys are not declared.
  func object(_ container: Int) -> ObjectFormat? {
    guard case .object(let object) = format(of: container)?.matching(.object) else { return nil }
    return object()
  }

  private static let flags = ScenarioFormat.keywordSets[0]

  /// Calls a closure with each value and its declared type, in the order of the file.
  private func forEachValue(_ body: (Int, ValueFormat) -> Void) {
    guard !tree.nodes.isEmpty else { return }
    // Each node follows its parent, so that types are known before they are used.
    var formats: [ValueFormat?] = [.object { ScenarioKey.object }]
    for node in tree.nodes.indices {
      if node > 0 {
        let parent = tree.nodes[node].parent ?? 0
        formats.append(
          formats[parent].flatMap { part(of: $0, in: parent, key: tree.keyText(node)) })
      }
      if let format = formats[node]?.matching(tree.nodes[node].kind) { body(node, format) }
    }
  }

  /// The objects that define a name, and the key of the name.
  private static let definitions:
    [(definition: ValueFormat.NameDefinition, object: ObjectFormat, key: String)] = [
      (.call, ScenarioFormat.call.object, "id"), (.request, ScenarioFormat.request.object, "id"),
      (.question, ScenarioFormat.question.object, "id"),
      (.source, ScenarioFormat.source.object, "item"),
      (.interceptor, ScenarioFormat.interceptor.object, "name"),
      // An interceptor without a name has its kind as the name.
      (.interceptor, ScenarioFormat.interceptor.object, "kind"),
    ]

  /// Returns the names that the file defines, without repetitions.
  func names(_ wanted: [ValueFormat.NameDefinition]) -> [String] {
    var names = UniqueNames()
    if wanted.contains(.network) { keys(of: .networks).forEach { names.add($0) } }
    let definitions = Self.definitions.filter { wanted.contains($0.definition) }
    guard !definitions.isEmpty else { return names.all }
    forEachValue { node, format in
      guard case .object(let object) = format, tree.nodes[node].kind == .object else { return }
      let found = object()
      let name = definitions.lazy.filter { $0.object === found }
        .compactMap { tree.member($0.key, of: node) }.first
      if let name, let text = tree.textValue(name) { names.add(text) }
    }
    return names.all
  }

  /// Returns the paths that the file names.
  func paths() -> [String] {
    var names = UniqueNames()
    keys(of: .networks).forEach { names.add($0) }
    forEachValue { node, format in
      if case .notation(.path) = format, let name = tree.textValue(node) { names.add(name) }
    }
    return names.all
  }

  /// Returns the keys of the object that a key of the scenario has as its value.
  func keys(of key: ScenarioKey) -> [String] {
    guard let root = tree.nodes.first, root.kind == .object,
      let object = tree.member(key.rawValue, of: 0)
    else { return [] }
    return tree.nodes[object].children.compactMap(tree.keyText)
      .filter { !FreeKeys.contains($0) }
  }
}

/// Names in the order in which they were added, without repetitions.
private struct UniqueNames {
  private(set) var all: [String] = []
  private var known: Set<String> = []  // lookup only

  mutating func add(_ name: String) {
    // More names than a list can show are of no use.
    guard all.count < ScenarioLimits.keywords, !name.isEmpty, known.insert(name).inserted else {
      return
    }
    all.append(name)
  }
}
