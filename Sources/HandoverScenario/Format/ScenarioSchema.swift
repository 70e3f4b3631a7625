import HandoverCore

/// The JSON Schema of scenario files, derived from the declarations of the format.
///
/// The schema checks keys, types, keywords, notations and ranges. Draft-07 is used because editors
/// support it best. The schema accepts everything that the reader accepts.
package struct ScenarioSchema {
  /// The suggestions of editors, by the name of an object, or of an object and its key.
  private let snippets: [JSONTree.Member]

  /// Returns the text of the schema, which ends with a line feed.
  ///
  /// - Parameter snippets: the suggestions of editors, as JSON.
  /// - Returns: the text.
  package static func text(snippets: String) -> String {
    ScenarioSchema(snippets: JSONTree(literal: snippets).members).text
  }

  private var text: String {
    var root = [
      JSONTree.Member("$schema", "http://json-schema.org/draft-07/schema#"),
      JSONTree.Member("title", "Handover scenario, format \(ScenarioReader.format)"),
    ]
    root += schema(of: ScenarioKey.object).members
    root += suggestions(for: "scenario")
    root.append(.init("definitions", .object(definitions)))
    return JSONTree.object(root).text() + "\n"
  }

  private var definitions: [JSONTree.Member] {
    let objects = ScenarioFormat.objects.dropFirst().map { object in
      JSONTree.Member(
        object.name, .object(schema(of: object).members + suggestions(for: object.name)))
    }
    return notations + objects + ScenarioFormat.keywordSets.map { .init($0.name, schema(of: $0)) }
  }

  private func suggestions(for name: String) -> [JSONTree.Member] {
    snippets.filter { $0.key == name }.map { .init("defaultSnippets", $0.value) }
  }

  /// Returns a text without the Markdown of the tables.
  private func plain(_ text: String) -> String {
    Self.withoutLinks(text).filter { $0 != "`" }
  }

  /// Returns a text without its links, which lead to other sections of the tables.
  static func withoutLinks(_ text: String) -> String {
    text.replacing(/: \[[^\]]*\]\([^)]*\)/, with: "")
      .replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.output.1 }
  }

  private func schema(of keywords: KeywordSet) -> JSONTree {
    var members = [
      JSONTree.Member("type", "string"), .init("enum", .texts(keywords.keywords.map(\.spelling))),
    ]
    let meanings = keywords.keywords.compactMap(\.meaning)
    if !meanings.isEmpty { members.append(.init("enumDescriptions", .texts(meanings))) }
    return .object(members)
  }
}

// MARK: - Objects

extension ScenarioSchema {
  private func schema(of object: ObjectFormat) -> JSONTree {
    var members = [
      JSONTree.Member("description", .text(plain(object.summary))), .init("type", "object"),
    ]
    let required = object.members.filter(\.format.isRequired).map(\.key)
    if !required.isEmpty { members.append(.init("required", .texts(required))) }
    let keys = object.members.map { member in
      JSONTree.Member(
        member.key,
        .object(
          schema(of: member.format).members + suggestions(for: "\(object.name).\(member.key)")))
    }
    members.append(.init("properties", .object(keys + [comment])))
    members += closed
    let dependencies = dependencies(of: object)
    if !dependencies.isEmpty { members.append(.init("dependencies", .object(dependencies))) }
    let needed = object.members.filter { $0.format.needed != nil }.compactMap { member in
      member.format.condition.map { condition -> JSONTree in
        ["if": schema(of: condition, in: object), "then": ["required": [.text(member.key)]]]
      }
    }
    if !needed.isEmpty { members.append(.init("allOf", .array(needed))) }
    for rule in object.rules {
      switch rule {
      case .one(let choices):
        members.append(
          .init(
            "oneOf",
            .array(
              choices.map { choice in
                guard let without = choice.without else { return hasKey(choice.key) }
                return ["required": [.text(choice.key)], "not": hasKey(without)]
              })))
      case .some(let keys, nil): members.append(.init("anyOf", .array(keys.map(hasKey))))
      case .schema(let text): members += JSONTree(literal: text).members
      case .some, .atMostOne, .apart: break
      }
    }
    return .object(members)
  }

  private var comment: JSONTree.Member { .init("comment", ["$ref": "#/definitions/comment"]) }

  private var closed: [JSONTree.Member] {
    [.init("patternProperties", ["^x-": true]), .init("additionalProperties", false)]
  }

  private func hasKey(_ key: String) -> JSONTree { ["required": [.text(key)]] }

  private func excludes(_ keys: [String], _ message: String) -> JSONTree {
    [
      "not": keys.count == 1 ? hasKey(keys[0]) : ["anyOf": .array(keys.map(hasKey))],
      "errorMessage": .text(message),
    ]
  }

  /// Returns what the presence of each key requires.
  private func dependencies(of object: ObjectFormat) -> [JSONTree.Member] {
    object.members.compactMap { member in
      var needs: [JSONTree] = []
      if let condition = member.format.condition {
        needs.append(
          .object(
            schema(of: condition, in: object).members + [
              .init("errorMessage", .text("\"\(member.key)\" requires \(plain(condition.text))."))
            ]))
      }
      for rule in object.rules {
        switch rule {
        case .some(let keys, member.key):
          needs.append([
            "anyOf": .array(keys.map(hasKey)),
            "errorMessage": .text("Add at least one of \(Excerpt.alternatives(keys))."),
          ])
        case .apart(member.key, let keys, let message):
          needs.append(excludes(keys, message))
        case .atMostOne(let keys):
          guard let location = keys.firstIndex(of: member.key), location > 0 else { continue }
          needs.append(
            excludes(Array(keys[..<location]), "Keep one of \(Excerpt.alternatives(keys))."))
        case .some, .apart, .one, .schema:
          break
        }
      }
      switch needs.count {
      case 0: return nil
      case 1: return .init(member.key, needs[0])
      default: return .init(member.key, ["allOf": .array(needs)])
      }
    }
  }

  private func schema(of condition: KeyCondition, in object: ObjectFormat) -> JSONTree {
    switch condition {
    case .key(let key):
      return hasKey(key)
    case .keyword(let key, let keywords):
      let constraint: JSONTree = ["properties": .object([.init(key, ["enum": .texts(keywords)])])]
      if case .text(let defaultValue) = object.format(of: key)?.defaultValue,
        keywords.contains(defaultValue)
      {
        return constraint
      }
      return .object(hasKey(key).members + constraint.members)
    case .explained(let condition, _, _):
      return schema(of: condition, in: object)
    case .off(let key):
      return ["properties": .object([.init(key, ["const": false])])]
    case .any(let conditions):
      return ["anyOf": .array(conditions.map { schema(of: $0, in: object) })]
    case .all(let conditions):
      return ["allOf": .array(conditions.map { schema(of: $0, in: object) })]
    }
  }

  private func schema(of key: KeyFormat) -> JSONTree {
    var meaning = key.meaning
    if let defaultValue = key.defaultValue.text { meaning += " Default: \(defaultValue)." }
    var members = [JSONTree.Member("description", .text(plain(meaning)))]
    let value = schema(of: key.value)
    // A reference hides its siblings.
    let isReference = value.members.contains { $0.key == "$ref" }
    members += isReference ? [.init("allOf", [value])] : value.members
    switch key.defaultValue {
    case .text(let text): members.append(.init("default", .text(text)))
    case .integer(let number): members.append(.init("default", .integer(number)))
    case .decimal(let notation): members.append(.init("default", .number(notation)))
    case .boolean(let isTrue): members.append(.init("default", .boolean(isTrue)))
    case .required, .none, .derived, .described: break
    }
    if let example = key.example {
      members.append(.init("examples", [JSONTree(literal: example)]))
    }
    return .object(members)
  }
}

// MARK: - Values

extension ScenarioSchema {
  private func reference(_ name: String) -> JSONTree {
    ["$ref": .text("#/definitions/\(name)")]
  }

  private func schema(of value: ValueFormat) -> JSONTree {
    switch value {
    case .anything: return [:]
    case .version(let number): return ["type": "integer", "const": .integer(number)]
    case .notation(let notation): return reference(notation.rawValue)
    case .reference: return schema(of: ValueFormat.name)
    case .text(let bytes): return ["type": "string", "maxLength": .integer(bytes)]
    case .boolean: return ["type": "boolean"]
    case .integer(let range):
      return [
        "type": "integer", "minimum": .integer(range.lowerBound),
        "maximum": .integer(range.upperBound),
      ]
    case .decimal(let range):
      // `multipleOf` computes with binary fractions, and would reject valid numbers.
      return [
        "type": "number", "minimum": .integer(range.lowerBound),
        "maximum": .integer(range.upperBound),
      ]
    case .keyword(let keywords): return reference(keywords.name)
    case .flags: return reference("flags")
    case .null: return ["type": "null"]
    case .scalar(isInKey: true):
      return [
        "type": ["string", "integer", "boolean"],
        "maxLength": .integer(ScenarioLimits.textByteCount), "minimum": .integer(Int64.min),
        "maximum": .integer(Int64.max),
      ]
    case .scalar(isInKey: false): return ["type": ["string", "number", "boolean", "null"]]
    case .list(let element, let count, let isSet):
      var members = [JSONTree.Member("type", "array")]
      if count.lowerBound > 0 { members.append(.init("minItems", .integer(count.lowerBound))) }
      if count.upperBound < .max { members.append(.init("maxItems", .integer(count.upperBound))) }
      if isSet { members.append(.init("uniqueItems", true)) }
      return .object(members + [.init("items", schema(of: element))])
    case .names(let value, let least):
      var members: [JSONTree.Member] = [
        .init("type", "object"), .init("properties", .object([comment])),
        .init("patternProperties", ["^x-": true]),
        .init("additionalProperties", schema(of: value)),
        .init("propertyNames", reference("nameOrRemark")),
      ]
      if least > 0 { members.append(.init("minProperties", .integer(least))) }
      return .object(members)
    case .object(let object): return reference(object().name)
    case .either(let values): return ["anyOf": .array(values.map(schema(of:)))]
    }
  }

  /// The definitions of the notations.
  private var notations: [JSONTree.Member] {
    [
      .init("comment", ["description": "A remark of any type, which is ignored."]),
      .init(
        "oneLine",
        [
          "type": "string", "minLength": 1, "pattern": #"^[^\u0000-\u001f\u007f]*$"#,
          "patternErrorMessage": "Write it on one line, without tabs and control characters.",
        ]),
      .init(
        "nameOrRemark",
        [
          "pattern": #"^x-|^comment$|^[^\u0000-\u001f\u007f]{1,200}$"#,
          "patternErrorMessage": "A name has 1 to 200 bytes and no control characters.",
        ]),
      .init("atMostAMillionHours", atMostAMillionHours), .init("flags", flags),
    ] + ValueFormat.Notation.allCases.map { .init($0.rawValue, schema(of: $0)) }
  }

  private func schema(of notation: ValueFormat.Notation) -> JSONTree {
    switch notation {
    case .name, .host, .hostOrAll, .path:
      // The limit counts bytes, and a schema counts characters.
      return [
        "allOf": [reference("oneLine")], "maxLength": .integer(ScenarioLimits.nameByteCount),
      ]
    case .title:
      return [
        "allOf": [reference("oneLine")], "maxLength": .integer(ScenarioLimits.textByteCount),
      ]
    case .id:
      return [
        "type": "string", "maxLength": .integer(ScenarioLimits.nameByteCount),
        "pattern": #"^(?!\.+(/|$))[A-Za-z0-9._-]+(/(?!\.+(/|$))[A-Za-z0-9._-]+)*$"#,
        "patternErrorMessage":
          "Write names of ASCII letters, digits, - . and _ with / between them, as in a/b-c.",
      ]
    case .time:
      return time(
        sign: "", "Write a time with a unit, such as \"250ms\", \"1.5s\", \"2min\" or \"1h\".")
    case .positiveTime:
      return [
        "allOf": [reference("time")], "pattern": "[1-9]",
        "patternErrorMessage": "Write a time above zero, or remove the key.",
      ]
    case .entryTime:
      return time(
        sign: #"\+?"#,
        "Write a time with a unit, such as \"1.5s\", or \"+1s\" for a second after the previous "
          + "entry.")
    case .address:
      return [
        "type": "string", "maxLength": 45,
        "pattern": #"^([0-9]{1,3}(\.[0-9]{1,3}){3}|[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*)$"#,
        "patternErrorMessage":
          "Write an address such as \"192.0.2.7\" or \"2001:db8::7\", without port and brackets.",
      ]
    case .share:
      return [
        "type": "string",
        "pattern": #"^(0{0,4}100(\.0{1,4})?|0{0,5}[0-9]{1,2}(\.[0-9]{1,4})?)%$"#,
        "patternErrorMessage": "Write a share from \"0%\" to \"100%\".",
      ]
    case .rate:
      return [
        "type": "string",
        "pattern": #"^(?![0.]+[kMG])[0-9]{1,7}(\.[0-9]{1,3})?(kbit|Mbit|Gbit)$"#,
        "patternErrorMessage": "Write a rate such as \"500kbit\" or \"2.5Mbit\".",
      ]
    }
  }

  private func time(sign: String, _ message: String) -> JSONTree {
    [
      "type": "string", "maxLength": .integer(ScenarioLimits.nameByteCount - 2),
      "pattern": .text("^\(sign)" + #"([0-9]+(\.0{1,3})?us|[0-9]+(\.[0-9]{1,3})?(ms|s|min|h))$"#),
      "patternErrorMessage": .text(message), "allOf": [reference("atMostAMillionHours")],
    ]
  }

  /// The limit of times: 36e14 us = 36e11 ms = 36e8 s = 6e7 min = 1e6 h.
  private var atMostAMillionHours: JSONTree {
    [
      "if": ["pattern": #"^\+?[0-9]+(\.[0-9]+)?(us|ms|s|min|h)$"#],
      "then": [
        "pattern": .text(
          #"^\+?0*((([0-9]{1,15}|[0-2][0-9]{15}|3[0-5][0-9]{14})(\.[0-9]+)?|360{14}(\.0+)?)us|"#
            + #"(([0-9]{1,12}|[0-2][0-9]{12}|3[0-5][0-9]{11})(\.[0-9]+)?|360{11}(\.0+)?)ms|"#
            + #"(([0-9]{1,9}|[0-2][0-9]{9}|3[0-5][0-9]{8})(\.[0-9]+)?|360{8}(\.0+)?)s|"#
            + #"(([0-9]{1,7}|[0-5][0-9]{7})(\.[0-9]+)?|60{7}(\.0+)?)min|"#
            + #"([0-9]{1,6}(\.[0-9]+)?|10{6}(\.0+)?)h)$"#),
        "patternErrorMessage": "A time is at most a million hours.",
      ],
    ]
  }

  /// The notations of flags; each keyword of the schema checks values of its own type only.
  private var flags: JSONTree {
    let names = ReachabilityFlags.names.map(\.name)
    let bits = names.map { JSONTree.Member($0, ["enum": [0, 1, false, true]]) }
    return .object(
      [
        .init(
          "description",
          .text(
            "Reachability flags in one of four notations: names, as in "
              + "[\"Reachable\", \"IsWWAN\"]; names with 0 or 1, as in "
              + "{\"Reachable\": 1}; the nine characters of a device log, as in "
              + "\"WR -------\"; or the raw number, as in 262146. No flags are []. "
              + "Without Reachable, or with ConnectionRequired, the category is None. Otherwise "
              + "it is Cellular with IsWWAN, and WiFi without.")),
        .init("type", ["array", "object", "string", "integer"]),
        .init("items", reference("flag")), .init("uniqueItems", true),
        .init("properties", .object(bits + [comment])),
      ] + closed + [
        .init("pattern", "^[W-][R-] [t-][c-][C-][i-][D-][l-][d-]$"),
        .init(
          "patternErrorMessage",
          .text(
            "Write each place of \"\(ReachabilityFlags.all.logText)\" as its letter or as -, with "
              + "the space, or an array of names.")),
        .init("minimum", 0), .init("maximum", .integer(UInt32.max)),
      ] + suggestions(for: "flags"))
  }
}
