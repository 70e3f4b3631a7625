import HandoverBackend
import HandoverCore

@testable import HandoverProcess

/// The description of a message in a schema, in addition to its parts.
struct DescribedMessage {
  var word: String
  var description: String
  /// The description of the member's value.
  var value: String?
  /// The descriptions of the forms, if the member has several.
  var forms: [String] = []
}

/// Builds the definitions of a kind of message from the names and parts with which it is coded.
struct MessageSchema<Message: CodedMessage> {
  /// The prefix in the names of definitions.
  var prefix: String
  /// The keyword that joins forms: whether one message may have several of them at once.
  var forms = "oneOf"
  /// Whether a lost connection is reported with the end of its calls.
  var tellsEnds = false
  /// The messages, in the order of the schema.
  var words: [DescribedMessage]

  private typealias Parts = SchemaParts<Message.Call>

  /// The forms of each message.
  private var coded: [String: [Parts]] {
    var coded: [String: [Parts]] = [:]
    for example in Message.examples {
      var parts = Parts(tellsEnds: tellsEnds)
      _ = example.coded(by: &parts)
      guard !parts.word.isEmpty, coded[parts.word]?.contains(parts) != true else { continue }
      coded[parts.word, default: []].append(parts)
    }
    return coded
  }

  /// The names of messages without a description, and of descriptions without a message.
  var undescribed: Set<String> {
    Set(coded.keys).symmetricDifference(words.map(\.word))
  }

  /// References to the definitions.
  var refs: [Schema] { words.map { .ref("\(prefix)-\($0.word)") } }

  /// The definitions.
  var definitions: [Schema.Member] {
    let coded = coded
    return words.map { described in
      let forms = coded[described.word] ?? []
      let value = self.value(described, forms)
      let beside = forms.flatMap(\.beside)
      return Schema.Member(
        name: "\(prefix)-\(described.word)",
        value: .object([
          "description": .text(described.description), "type": .text("object"),
          "required": .words([described.word]),
          "properties": .object(
            members: [Schema.Member(name: described.word, value: value)]
              + beside.map { Schema.Member(name: $0.name, value: $0.schema) }),
        ]))
    }
  }

  private func value(_ described: DescribedMessage, _ coded: [Parts]) -> Schema {
    if let value = coded.compactMap(\.value).first { return value }
    let common = coded.first.map { first in
      first.parts.filter { part in coded.allSatisfy { $0.parts.contains(part) } }
    }
    guard coded.count > 1, let common else {
      return object(coded.first?.parts ?? [], described.value, coded.first?.together ?? [])
    }
    // If one form consists of the common parts only, the parts of the other forms are optional.
    if coded.contains(where: { $0.parts == common }) {
      let more = coded.flatMap(\.parts).filter { !common.contains($0) }
      return object(
        common + more.map { Parts.Part(name: $0.name, schema: $0.schema, isRequired: false) },
        described.value, more.map(\.name))
    }
    let rests = coded.enumerated().map { index, form in
      object(
        form.parts.filter { !common.contains($0) },
        described.forms.isEmpty ? nil : described.forms[index])
    }
    guard !common.isEmpty else {
      return .object([
        "description": described.value.map { .text($0) }, "type": .text("object"),
        forms: .list(rests),
      ])
    }
    return .object(
      members: object(common, described.value).members
        + [Schema.Member(name: forms, value: .list(rests))])
  }

  private func object(
    _ parts: [Parts.Part], _ description: String?, _ together: [String] = []
  ) -> Schema {
    .object([
      "description": description.map { .text($0) }, "type": .text("object"),
      "required": .words(parts.filter(\.isRequired).map(\.name)),
      "properties": .object(members: parts.map { Schema.Member(name: $0.name, value: $0.schema) }),
      "dependencies": together.count < 2
        ? nil
        : .object(
          members: together.map { name in
            Schema.Member(name: name, value: .words(together.filter { $0 != name }))
          }),
    ])
  }
}

/// Records the parts of a message, each with its schema.
private struct SchemaParts<Call>: MessageCoder, Hashable {
  typealias Failure = Never

  struct Part: Hashable {
    var name: String
    var schema: Schema
    var isRequired = true
  }

  let tellsEnds: Bool
  private(set) var word = ""
  /// The schema of the value, if it does not consist of parts.
  private(set) var value: Schema?
  private(set) var parts: [Part] = []
  /// The members that may accompany the message's name.
  private(set) var beside: [Part] = []
  /// Parts that occur together or not at all.
  private(set) var together: [String] = []

  init(tellsEnds: Bool) {
    self.tellsEnds = tellsEnds
  }

  private mutating func add(_ name: String, _ schema: Schema, isRequired: Bool = true) {
    parts.append(Part(name: name, schema: schema, isRequired: isRequired))
  }

  private static func orNull(_ name: String, _ description: String? = nil) -> Schema {
    .object([
      "description": description.map { .text($0) },
      "anyOf": .list([.ref(name), .object(["type": .text("null")])]),
    ])
  }

  private static func boolean(_ description: String? = nil) -> Schema {
    .object(["description": description.map { .text($0) }, "type": .text("boolean")])
  }

  private static func number(from least: UInt32, through most: UInt32? = nil) -> Schema {
    .object([
      "type": .text("integer"), "minimum": .plain("\(least)"),
      "maximum": most.map { .plain("\($0)") },
    ])
  }

  mutating func begin(_ word: String, with key: String?) { self.word = word }

  mutating func only(_ word: String, _ call: Call) -> Call {
    (self.word, value) = (word, .ref("callID"))
    return call
  }

  mutating func only(_ word: String, entry: UInt32) -> UInt32 {
    (self.word, value) = (word, Self.number(from: 0))
    return entry
  }

  mutating func connection(_ id: ConnectionID) -> ConnectionID {
    add("connection", .ref("connection"))
    return id
  }

  mutating func channel(_ id: ChannelID) -> ChannelID {
    add("channel", .ref("channelNumber"))
    return id
  }

  mutating func call(_ call: Call) -> Call {
    add("call", .ref("callID"))
    return call
  }

  mutating func count(
    _ name: String, _ count: UInt32, from least: UInt32, through most: UInt32?
  ) -> UInt32 {
    add(name, Self.number(from: least, through: most))
    return count
  }

  mutating func flag(_ name: String, _ flag: Bool) -> Bool {
    add(name, Self.boolean())
    return flag
  }

  mutating func mark(_ name: String) { add(name, .object(["const": .plain("true")])) }

  mutating func category(_ name: String, _ category: NetworkCategory) -> NetworkCategory {
    add(name, .ref("category"))
    return category
  }

  mutating func failure(_ failure: ConnectionFailure) -> ConnectionFailure {
    add("reason", .ref("reason"))
    guard tellsEnds else { return failure }
    add("status", .ref("status"), isRequired: false)
    add(
      "message",
      .object(["description": .text("The status message."), "type": .text("string")]))
    return failure
  }

  mutating func status(_ code: StatusCode) -> StatusCode {
    add("status", .ref("status"))
    return code
  }

  mutating func message(_ text: StatusText) {
    add("message", .object(["type": .text("string")]), isRequired: false)
  }

  mutating func keyword<Keyword: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ word: Keyword
  ) -> Keyword {
    add(name, .object(["enum": .words(Keyword.allCases.map(\.rawValue))]))
    return word
  }

  mutating func length(_ name: String, _ length: Interval?) -> Interval? {
    add(name, Self.orNull("length"))
    return length
  }

  mutating func host(_ host: UInt32) -> UInt32 {
    add("host", .ref("host"))
    return host
  }

  mutating func hosts(_ hosts: HostSelector) -> HostSelector {
    add(
      "host",
      .object([
        "description": .text("A host, or * for all."), "type": .text("string"),
        "minLength": .plain("1"),
      ]))
    return hosts
  }

  mutating func destination(_ host: UInt32) -> UInt32 {
    _ = self.host(host)
    together = ["address", "port"]
    for name in together { add(name, .ref(name), isRequired: false) }
    return host
  }

  mutating func entry(_ entry: UInt32) -> UInt32 {
    add("entry", .ref("entry"))
    return entry
  }

  mutating func device(_ device: Device) -> Device {
    value = .ref("device")
    return device
  }

  mutating func start(_ call: Call, _ endpoint: EndpointID, _ settings: CallSettings) {
    add("id", .ref("callID"))
    add("host", .ref("host"))
    add(
      "kind",
      .object([
        "description": .text("The requests of the first two are complete at the start."),
        "type": .text("string"), "enum": .words(CallKind.allCases.map(\.rawValue)),
      ]))
    add(
      "deadline",
      Self.orNull("instant", "The time at which the call gives up; null if it has no deadline."))
    add(
      "failFast",
      Self.boolean("Whether the call ends immediately if the channel is in TRANSIENT_FAILURE."))
    add("token", Self.boolean("Whether the call needs an auth token first."))
    add("complete", Self.boolean("Whether the request is complete."))
    add("options", .ref("options"))
    let takes =
      "In real time: the time from the complete request to the end of the call; null if it never "
      + "ends."
    add("takes", Self.orNull("length", takes), isRequired: false)
  }

  mutating func disconnect(_ word: String, _ endpoint: EndpointID?) {
    self.word = word
    value = .object(["anyOf": .list([.ref("host"), .object(["const": .text("*")])])])
    beside = [Part(name: "options", schema: .ref("options"), isRequired: false)]
  }

  mutating func open(_ id: ConnectionID, _ channel: ChannelID) {
    add("connection", .ref("connection"))
    add("host", .ref("host"))
    add("channel", .ref("channelNumber"), isRequired: false)
  }

  mutating func state(_ channel: ChannelID, _ state: ChannelState, _ reason: DestroyReason?) {
    let state = Schema.object([
      "type": .text("string"), "enum": .words(ChannelState.allCases.map(\.name)),
    ])
    let reason = Schema.object([
      "description": .text("The reason why it was destroyed."), "type": .text("string"),
      "enum": .words(DestroyReason.allCases.map(\.rawValue)),
    ])
    let isOver = Schema.object(["state": .object(["const": .text(ChannelState.shutdown.name)])])
    value = .object([
      "allOf": .list([
        .object([
          "description": .text("The channel."), "type": .text("object"),
          "required": .words(["channel", "state"]),
          "properties": .object([
            "channel": .ref("channelNumber"), "host": .ref("host"), "options": .ref("options"),
            "state": state, "reason": reason,
          ]),
        ]),
        .object([
          "if": .object(["properties": isOver]),
          "then": .object(["required": .words(["reason"])]),
        ]),
      ])
    ])
  }
}
