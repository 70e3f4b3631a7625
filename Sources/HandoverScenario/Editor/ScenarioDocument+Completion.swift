import HandoverCore

extension ScenarioDocument {
  /// Returns the texts that can be written at a position.
  ///
  /// - Parameters:
  ///   - position: The position of the cursor.
  ///   - items: The catalog of requirements.
  /// - Returns: The completions, the most likely first.
  package func completions(
    at position: EditorPosition, items: [ItemCatalog.Item]
  ) -> [EditorCompletion] {
    switch tree.location(at: lines.offset(of: position)) {
    case .key(let range, let container, let member): keys(range, in: container, member)
    case .value(let range, let container, let member):
      values(range, in: container, member, items)
    case nil: []
    }
  }

  private func keys(_ range: Range<Int>, in container: Int, _ member: Int?) -> [EditorCompletion] {
    guard let object = object(container) else { return [] }
    let present = tree.nodes[container].children.filter { $0 != member }.compactMap(tree.keyText)
    let allowed = object.members.filter { one in
      !present.contains(one.key) && object.allows(one.key, with: present)
        && (one.format.condition.map { holds($0, in: container, object) } ?? true)
    }
    let editor = lines.range(range)
    let hasColon = member.map { tree.nodes[$0].hasColon } ?? false
    let required = allowed.filter(\.format.isRequired)
    return (required + allowed.filter { !$0.format.isRequired }).map { one in
      EditorCompletion(
        kind: .key, label: one.key, detail: one.format.typeText,
        documentation: one.format.markdown, range: editor,
        text: JSONText.quoted(one.key) + (hasColon ? "" : ": "),
        placeholder: hasColon ? nil : one.format.placeholder)
    }
  }

  /// Returns whether a condition is met by the members of an object, as far as they are written.
  private func holds(
    _ condition: KeyCondition, in container: Int, _ object: ObjectFormat
  ) -> Bool {
    switch condition {
    case .key(let key): return tree.member(key, of: container) != nil
    case .off: return true
    case .any(let conditions): return conditions.contains { holds($0, in: container, object) }
    case .all(let conditions): return conditions.allSatisfy { holds($0, in: container, object) }
    case .explained(let condition, _, _): return holds(condition, in: container, object)
    case .keyword(let key, let keywords):
      if let text = tree.member(key, of: container).flatMap(tree.textValue) {
        return keywords.contains(text)
      }
      guard case .text(let keyword) = object.format(of: key)?.defaultValue else { return false }
      return keywords.contains(keyword)
    }
  }

  private func values(
    _ range: Range<Int>, in container: Int, _ member: Int?, _ items: [ItemCatalog.Item]
  ) -> [EditorCompletion] {
    let isElement = tree.nodes[container].kind == .array
    let key = isElement ? nil : member.flatMap(tree.keyText)
    guard isElement || key != nil, let format = format(in: container, key: key) else { return [] }
    var choices = choices(of: format, in: container, items)
    if isElement, self.format(of: container)?.matching(.array).isSet ?? false {
      let present = tree.nodes[container].children.filter { $0 != member }
        .compactMap(tree.textValue)
      choices.removeAll { present.contains($0.label) }
    }
    if choices.isEmpty, let key, let example = object(container)?.format(of: key)?.shownExample {
      choices = [Choice(kind: .keyword, label: example, text: example, detail: "example")]
    }
    let editor = lines.range(range)
    return choices.map {
      EditorCompletion(
        kind: $0.kind, label: $0.label, detail: $0.detail, documentation: $0.documentation,
        range: editor, text: $0.text, placeholder: nil)
    }
  }

  /// A value of a closed set or a known name.
  private struct Choice {
    var kind: EditorCompletion.Kind
    var label: String
    var text: String
    var detail = ""
    var documentation = ""

    init(
      kind: EditorCompletion.Kind, label: String, text: String, detail: String = "",
      documentation: String = ""
    ) {
      (self.kind, self.label, self.text) = (kind, label, text)
      (self.detail, self.documentation) = (detail, documentation)
    }

    /// Creates the choice of a string.
    init(
      _ kind: EditorCompletion.Kind, _ text: String, _ detail: String = "",
      _ documentation: String = ""
    ) {
      self.init(
        kind: kind, label: text, text: JSONText.quoted(text), detail: detail,
        documentation: documentation)
    }
  }

  private func choices(
    of format: ValueFormat, in container: Int, _ items: [ItemCatalog.Item]
  ) -> [Choice] {
    switch format {
    case .keyword(let set):
      set.keywords.map { Choice(.keyword, $0.spelling, set.name, $0.meaning ?? "") }
    case .boolean: ["true", "false"].map { Choice(kind: .keyword, label: $0, text: $0) }
    case .null: [Choice(kind: .keyword, label: "null", text: "null")]
    case .version(let number):
      [Choice(kind: .keyword, label: "\(number)", text: "\(number)")]
    case .notation(.host): keys(of: .hosts).map { Choice(.name, $0, "host") }
    case .notation(.hostOrAll): (keys(of: .hosts) + ["*"]).map { Choice(.name, $0, "host") }
    case .notation(.path): paths().map { Choice(.name, $0, "network") }
    case .reference([.specification]):
      items.reduce(into: []) { if $0.last != $1.document { $0.append($1.document) } }
        .map { Choice(.name, $0, "specification") }
    case .reference([.requirement]):
      requirements(items, container).map { Choice(.name, $0.id, $0.document, $0.sentence) }
    case .reference(let definitions):
      names(definitions).map { name in
        let item = definitions == [.source] ? items.first { $0.id == name } : nil
        return Choice(.name, name, item?.document ?? "in this file", item?.sentence ?? "")
      }
    case .either(let values): values.flatMap { choices(of: $0, in: container, items) }
    default: []
    }
  }

  /// Returns the requirements of the specification that an object names, or all of them.
  private func requirements(
    _ items: [ItemCatalog.Item], _ container: Int
  ) -> [ItemCatalog.Item] {
    guard let key = object(container)?.members.first(where: \.format.isSpecification)?.key,
      let document = tree.member(key, of: container).flatMap(tree.textValue)
    else { return items }
    let named = items.filter { $0.document == document }
    return named.isEmpty ? items : named
  }

  /// Returns the meaning of the word at a position, or `nil` if the format does not declare it.
  ///
  /// - Parameters:
  ///   - position: The position of the cursor.
  ///   - items: The catalog of requirements.
  /// - Returns: The meaning.
  package func hover(at position: EditorPosition, items: [ItemCatalog.Item]) -> EditorHover? {
    // A cursor before the first character of a word is on the word.
    let offset = lines.offset(of: position)
    switch tree.location(at: min(offset + 1, bytes.count)) ?? tree.location(at: offset) {
    case .key(_, let container, let member?):
      guard let range = tree.nodes[member].key, let key = tree.keyText(member),
        let format = object(container)?.format(of: key)
      else { return nil }
      return EditorHover(text: format.help(for: key), range: lines.range(range))
    case .value(_, let container, let member?) where tree.nodes[member].hasValue:
      let range = tree.nodes[member].range
      let key = tree.keyText(member)
      guard let format = format(in: container, key: key) else { return nil }
      let text = meaning(of: tree.text(range), format, items)
      let help = key.flatMap { key in object(container)?.format(of: key)?.help(for: key) }
      guard let text = text ?? help else { return nil }
      return EditorHover(text: text, range: lines.range(range))
    default: return nil
    }
  }

  private func meaning(
    of word: String, _ format: ValueFormat, _ items: [ItemCatalog.Item]
  ) -> String? {
    switch format {
    case .keyword(let set):
      set.keywords.first { $0.spelling == word }?.meaning.map { "`\(word)`: \($0)." }
    case .reference(let definitions)
    where definitions.contains(.requirement) || definitions.contains(.source):
      items.filter { $0.id == word }.map { item in
        let location = ([item.document] + item.places).joined(separator: ", ")
        return "**\(item.id)** (\(location))\n\n\(item.sentence)"
      }.joined(separator: "\n\n").nonempty
    case .either(let values): values.lazy.compactMap { meaning(of: word, $0, items) }.first
    default: nil
    }
  }
}

extension String {
  fileprivate var nonempty: String? { isEmpty ? nil : self }
}

// MARK: - Declarations in words

extension ObjectFormat {
  /// Returns whether the rules allow a key in addition to others.
  fileprivate func allows(_ key: String, with present: [String]) -> Bool {
    let all = present + [key]
    return rules.allSatisfy { rule in
      switch rule {
      case .one(let choices):
        !choices.contains { $0.key == key }
          || choices.count { choice in
            all.contains(choice.key) && !(choice.without.map(all.contains) ?? false)
          } <= 1
      case .atMostOne(let keys): !keys.contains(key) || !present.contains(where: keys.contains)
      case .apart(let first, let others, _):
        !(key == first && present.contains(where: others.contains))
          && !(others.contains(key) && present.contains(first))
      case .some, .schema: true
      }
    }
  }
}

extension ValueFormat {
  /// Whether an array of this type repeats no element.
  fileprivate var isSet: Bool {
    switch self {
    case .flags, .list(_, _, isSet: true): true
    default: false
    }
  }
}

extension KeyFormat {
  fileprivate var isSpecification: Bool {
    if case .reference([.specification]) = value { true } else { false }
  }

  /// The type without Markdown, and whether the key is required.
  fileprivate var typeText: String {
    value.description.filter { $0 != "`" } + (isRequired ? ", required" : "")
  }

  /// The type and the meaning of a key, as Markdown.
  fileprivate func help(for key: String) -> String {
    "`\"\(key)\"`: \(value.description)\(isRequired ? ", required" : "")\n\n\(markdown)"
  }

  /// The meaning, the default, the condition and an example, as Markdown.
  fileprivate var markdown: String {
    var text = ScenarioSchema.withoutLinks(meaning)
    if !isRequired, defaultText != "none" { text += "\n\nDefault: \(defaultText)." }
    if let condition = condition?.text, !condition.isEmpty { text += "\n\nOnly with \(condition)." }
    if let example = shownExample { text += "\n\nExample: `\(example)`" }
    return text
  }

  /// The value that an editor writes after the key.
  fileprivate var placeholder: String {
    if let example = shownExample { return example }
    return switch value {
    case .object, .names: "{}"
    case .list, .flags: "[]"
    case .version(let number): "\(number)"
    case .integer, .decimal: "0"
    default: #""""#
    }
  }
}
