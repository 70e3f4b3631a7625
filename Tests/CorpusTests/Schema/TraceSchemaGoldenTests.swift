import Foundation
import HandoverCore
import Testing

/// The schema of traces is built from the names and parts of records; `make golden` writes it.
@Suite("The schema of traces, Golden")
struct TraceSchemaGoldenTests {
  private static let file = Repository.root.appending(path: "Fixtures/Schemas/trace-1.schema.json")

  @Test("The schema is built from the names and parts with which traces are coded")
  func same() throws {
    let made = TraceSchema.text
    if ProcessInfo.processInfo.environment["HANDOVER_GOLDEN"] == "1" {
      try Data(made.utf8).write(to: Self.file)
      return
    }
    let lines = { (text: String) in text.split(separator: "\n").map(String.init) }
    let difference = lines(made).difference(from: lines(try Repository.text(Self.file)))
    #expect(difference.isEmpty, "\(difference); run make golden")
  }

  @Test("The schema accepts every written record, and refuses other values")
  func judged() throws {
    let every = Repository.root.appending(path: "Fixtures/Reports/trace-every-record.jsonl")
    let good = try Repository.text(every).split(separator: "\n").dropFirst().map(String.init)
    let bad = [
      #"{"world":{"callbackLost":{}}}"#, #"{"at":1}"#, #"{"at":-1,"world":{"callbackLost":{}}}"#,
      #"{"at":1,"world":{"callbackLost":{}},"effect":{}}"#, #"{"at":1,"world":{}}"#,
      #"{"at":1,"world":{"callbackFound":{}}}"#, #"{"at":1,"world":{"callbackLost":{"id":1}}}"#,
      #"{"at":1,"world":{"connectionStalled":{"connection":[1]}}}"#,
      #"{"at":1,"world":{"connectionStalled":{}}}"#, #"{"at":1,"world":{"appMoved":{"to":"up"}}}"#,
      #"{"at":1,"event":{"connectFailed":{"connection":[0,0],"failure":"tired"}}}"#,
      #"{"at":1,"effect":{"sendMessages":{"call":"a","id":[0,0],"connection":[0,0],"count":-1,"#
        + #""bytes":0}}}"#,
    ]
    #expect(good.count > 150)
    let judge = try Judge((good + bad).map { Judge.Request(name: $0, text: $0) }, by: Self.file)
    #expect(judge.schema.verdict == .accepted, "\(judge.schema.errors)")
    for (answer, text) in zip(judge.answers, good) {
      #expect(answer.verdict == .accepted, "\(text)")
    }
    for (answer, text) in zip(judge.answers.dropFirst(good.count), bad) {
      #expect(answer.verdict == .rejected, "\(text)")
    }
  }
}

/// Builds the schema of a trace's records.
private enum TraceSchema {
  static var text: String {
    let kinds = [
      kind("event", "The client was notified of an event.", ClientCore.Event.examples),
      kind("effect", "An effect of the client.", ClientEffect.examples),
      kind("world", "An event outside the client.", WorldFact.examples),
      kind("chain", "An event in the interceptor chain of a call.", ChainFact.examples),
      kind("request", "An event of a request.", RequestFact.examples),
    ]
    let names = ["event", "effect", "world", "chain", "request"]
    let members = names.map { "    \"\($0)\": { \"$ref\": \"#/definitions/\($0)\" }" }
    return """
      {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Handover trace, version 1: records",
        "description": "One line of a trace after the first, which describes the run.",
        "type": "object",
        "required": ["at"],
        "minProperties": 2,
        "maxProperties": 2,
        "additionalProperties": false,
        "properties": {
          "at": {
            "description": "Microseconds since the run began.",
            "type": "integer",
            "minimum": 0
          },
      \(members.joined(separator: ",\n"))
        },
        "definitions": {
          "identifier": {
            "description": "A row of a table, and the number of its owner.",
            "type": "array",
            "items": { "type": "integer", "minimum": 0, "maximum": 4294967295 },
            "minItems": 2,
            "maxItems": 2
          },
      \(kinds.joined(separator: ",\n"))
        }
      }

      """
  }

  private static func kind(
    _ name: String, _ description: String, _ examples: [some CodedRecord]
  ) -> String {
    var words: [String] = []
    var forms: [String: [SchemaParts]] = [:]  // lookup only
    for example in examples {
      var parts = SchemaParts()
      _ = example.coded(by: &parts)
      if forms[parts.keyword] == nil { words.append(parts.keyword) }
      forms[parts.keyword, default: []].append(parts)
    }
    let members = words.map { "        \"\($0)\": \(schema(of: forms[$0] ?? []))" }
    return """
          "\(name)": {
            "description": "\(description)",
            "type": "object",
            "minProperties": 1,
            "maxProperties": 1,
            "additionalProperties": false,
            "properties": {
      \(members.joined(separator: ",\n"))
            }
          }
      """
  }

  /// Returns the schema of a record kind with all forms of its examples.
  private static func schema(of forms: [SchemaParts]) -> String {
    var names: [String] = []
    for form in forms { names += form.parts.map(\.name).filter { !names.contains($0) } }
    let required = names.filter { name in forms.allSatisfy { $0.parts.contains { $0.name == name } }
    }
    let members = names.map { name in
      var schemas: [String] = []
      for part in forms.flatMap(\.parts) where part.name == name && !schemas.contains(part.schema) {
        schemas.append(part.schema)
      }
      let only =
        schemas.count == 1 ? schemas[0] : "{ \"anyOf\": [\(schemas.joined(separator: ", "))] }"
      return "\"\(name)\": \(only)"
    }
    let quoted = required.map { "\"\($0)\"" }.joined(separator: ", ")
    let properties = members.isEmpty ? "{}" : "{ \(members.joined(separator: ", ")) }"
    return "{ \"type\": \"object\", \"required\": [\(quoted)], \"additionalProperties\": false, "
      + "\"properties\": \(properties) }"
  }
}

/// Records the parts of a record, each with its schema.
private struct SchemaParts: RecordCoder {
  private static let identifier = "{ \"$ref\": \"#/definitions/identifier\" }"
  private static let name = "{ \"type\": [\"string\", \"null\"] }"

  private(set) var keyword = ""
  private(set) var parts: [(name: String, schema: String)] = []
  /// The parts that may be null.
  private var nullable: Set<String> = []  // lookup only

  private mutating func add(_ name: String, _ schema: String) {
    parts.append(
      (
        name,
        nullable.contains(name) ? "{ \"anyOf\": [\(schema), { \"type\": \"null\" }] }" : schema
      ))
  }

  mutating func begin(_ keyword: String) { self.keyword = keyword }

  mutating func call(_ id: CallID) -> CallID {
    add("call", Self.name)
    add("id", Self.identifier)
    return id
  }

  mutating func connection(_ id: ConnectionID) -> ConnectionID {
    add("connection", Self.identifier)
    return id
  }

  mutating func channel(_ id: ChannelID) -> ChannelID {
    add("host", Self.name)
    add("channel", Self.identifier)
    return id
  }

  mutating func index(of kind: NamedKind, _ index: UInt32) -> UInt32 {
    add(kind.rawValue, "{ \"type\": [\"string\", \"integer\"] }")
    return index
  }

  mutating func entry(_ index: UInt32) -> UInt32 {
    add("entry", Self.numbers(0...UInt32.max))
    add("action", Self.name)
    return index
  }

  mutating func path(_ path: PathIndex?) -> PathIndex? {
    add("path", "{ \"type\": [\"string\", \"integer\", \"null\"] }")
    return path
  }

  mutating func link(_ link: UInt16) -> UInt16 {
    add("link", Self.name)
    return link
  }

  mutating func text(_ index: UInt32) -> UInt32 {
    add("text", Self.name)
    return index
  }

  mutating func message(of call: CallID, _ end: CallEnd) -> StatusText {
    add("message", "{ \"type\": \"string\" }")
    return end.text
  }

  mutating func flags(_ flags: ReachabilityFlags) -> ReachabilityFlags {
    let names = ReachabilityFlags.names.map { "\"\($0.name)\"" }.joined(separator: ", ")
    let bits = Self.numbers(0...UInt32.max)
    add(
      "flags",
      "{ \"type\": \"array\", \"items\": { \"anyOf\": [{ \"enum\": [\(names)] }, \(bits)] } }"
    )
    return flags
  }

  mutating func number<Number: FixedWidthInteger>(
    _ name: String, _ number: Number, in range: ClosedRange<Number>
  ) -> Number {
    add(name, Self.numbers(range))
    return number
  }

  mutating func flag(_ name: String, _ flag: Bool) -> Bool {
    add(name, "{ \"type\": \"boolean\" }")
    return flag
  }

  /// Always returns `false`, so that the parts of the nonnull form are recorded too.
  mutating func null(_ name: String, _ isNull: Bool) -> Bool {
    nullable.insert(name)
    return false
  }

  mutating func keyword<Keyword>(
    _ name: String, _ keyword: Keyword, among all: @autoclosure () -> [Keyword],
    spelt: (Keyword) -> String
  ) -> Keyword {
    var words: [String] = []
    for keyword in all().map(spelt) where !words.contains(keyword) { words.append(keyword) }
    let texts = words.map { keyword in
      "\"" + keyword.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
    add(name, "{ \"enum\": [\(texts.joined(separator: ", "))] }")
    return keyword
  }

  private static func numbers(_ range: ClosedRange<some FixedWidthInteger>) -> String {
    "{ \"type\": \"integer\", \"minimum\": \(range.lowerBound), \"maximum\": \(range.upperBound) }"
  }
}
