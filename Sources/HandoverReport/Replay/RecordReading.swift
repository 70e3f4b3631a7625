import HandoverCore
import HandoverScenario

/// Reads the records of a trace one by one.
struct RecordReading {
  private(set) var trace: Trace
  /// The known parts of the timeline.
  private(set) var entries: ContiguousArray<ScriptEntry> = []
  private let callCount: Int
  private let hosts: RecordNames
  private let calls: RecordNames
  private let paths: RecordNames
  private let links: RecordNames
  private let requests: RecordNames
  private let questions: RecordNames
  private let pools: RecordNames

  /// Placeholders for entries of which a trace stores only the kind, without its parts.
  private static let actions: [ScriptAction] = [
    .flags([], path: nil, linksUp: [], linksDown: []), .path(Script.wifiPath), .app(.foreground),
    .startCall(0), .cancel(0), .finish(0), .send(0, bytes: 0), .disconnect(.all),
    .server(0, .accept), .names(0, .resolve), .transport(.all, .resume),
    .monitor(.duplicate, by: .zero), .receive(0, count: 0),
    .interceptor(0, call: 0, .release, .ok), .request(0), .cancelRequest(0), .ask(0),
    .dispatcher(0, .close), .makeCall(0), .network(Script.wifiPath, .up, signal: nil), .signal([]),
    .power(.sleep),
  ]

  private static let kinds = "\"event\", \"effect\", \"world\", \"chain\" and \"request\""

  init(_ recorded: RecordedTrace) {
    trace = recorded.trace
    callCount = recorded.script.calls.count
    hosts = RecordNames("host", recorded.script.hosts.map(\.written))
    calls = RecordNames("call", recorded.script.calls.map(\.id))
    paths = RecordNames("path", recorded.script.paths)
    links = RecordNames("link", recorded.script.configuration.chain.links.map(\.name))
    requests = RecordNames("request", recorded.script.requests.map(\.id))
    questions = RecordNames("question", recorded.script.questions.map(\.id))
    pools = RecordNames("pool", recorded.script.pools)
  }

  /// Parses the record in a line.
  mutating func read(_ line: InputLine) throws(InputError) {
    let fields = try line.object(as: "a record")
    let at = Instant(microseconds: try fields.number("at", in: 0...Int64.max))
    if let last = trace.records.last, at < last.at {
      throw line.error(
        at: try fields.required("at"),
        "time runs backwards: the previous record is at \(last.at.microseconds)")
    }
    trace.append(try body(fields, line), at: at)
  }

  private mutating func body(
    _ fields: JSONFields, _ line: InputLine
  ) throws(InputError) -> TraceRecord.Body {
    guard fields.members.count == 2, let member = fields.members.last else {
      throw line.error(
        at: fields.value, "a record has \"at\" and one of \(Self.kinds)")
    }
    let outer = try JSONFields(member.value, as: InputLine.quoted(member.name), in: line)
    guard let only = outer.members.first, outer.members.count == 1 else {
      throw line.error(at: member.value, "\(outer.what) must have one member")
    }
    var parts = RecordParts(
      name: only.name, fields: try JSONFields(only.value, as: "\"\(only.name)\"", in: line),
      hosts: hosts, calls: calls, paths: paths, links: links, requests: requests,
      questions: questions, pools: pools)
    switch member.name {
    case "event":
      if let event = try parts.read(RecordParts.events) { return .event(event) }
    case "effect":
      if let effect = try parts.read(RecordParts.effects) {
        try keepEndText(effect, parts)
        return .effect(effect)
      }
    case "world":
      if let fact = try parts.read(RecordParts.worldFacts) {
        try keep(fact, parts)
        return .world(fact)
      }
    case "chain":
      // The strings of the chain are stored in the trace.
      swap(&parts.trace, &trace)
      defer { swap(&parts.trace, &trace) }
      if let fact = try parts.read(RecordParts.chainFacts) { return .chain(fact) }
    case "request":
      if let fact = try parts.read(RecordParts.requestFacts) { return .request(fact) }
    default:
      throw line.error(
        at: member.key, "a record has one of \(Self.kinds)")
    }
    throw line.error(
      at: only.key, "unknown \(member.name) \(InputLine.quoted(only.name))",
      hint: "use the version of handover that wrote the trace")
  }

  /// Stores the script data that a fact contains; throws an error if no script can contain it.
  private mutating func keep(_ fact: WorldFact, _ parts: RecordParts) throws(InputError) {
    if let entry = parts.namedEntry { try keepAction(of: entry, parts) }
    guard case .callIntroduced(let index, let id) = fact else { return }
    guard index < callCount, id.index < callCount else {
      throw parts.fields.line.error(
        at: parts.fields.value, "the run has \(callCount) calls, and this is not one of them")
    }
  }

  private mutating func keepAction(
    of entry: UInt32, _ parts: RecordParts
  ) throws(InputError) {
    guard let name = try parts.fields.textOrNull("action") else { return }
    let action = try parts.fields.keyword("action", among: Self.actions) { $0.traceName }
    guard entry < ScenarioLimits.entries else {
      throw parts.fields.line.error(
        at: parts.fields.value, "no timeline has an entry \(entry) that does \"\(name)\"")
    }
    while entries.count <= entry {
      entries.append(ScriptEntry(at: .zero, action: .path(Script.wifiPath)))
    }
    entries[Int(entry)].action = action
  }
}

extension RecordReading {
  /// Stores the message with which a client in another process ended a call.
  private mutating func keepEndText(
    _ effect: ClientEffect, _ parts: RecordParts
  ) throws(InputError) {
    guard case .endCall(let id, let end) = effect, end.text == .empty, id.index < callCount else {
      return
    }
    let text = try parts.fields.text("message")
    if !text.isEmpty { trace.endTexts.store(text, of: id) }
  }
}

/// The indices of names in a table of the script.
struct RecordNames {
  let what: String
  private var positions: [String: UInt32] = [:]  // lookup only

  init(_ what: String, _ names: [String]) {
    self.what = what
    for (index, name) in names.enumerated() where positions[name] == nil {
      positions[name] = UInt32(truncatingIfNeeded: index)
    }
  }

  func index(of name: String) -> UInt32? { positions[name] }
}

/// Reads the parts of an event, effect or fact.
struct RecordParts: RecordCoder {
  static let events = ClientCore.Event.examplesByKeyword()  // lookup only
  static let effects = ClientEffect.examplesByKeyword()  // lookup only
  static let worldFacts = WorldFact.examplesByKeyword()  // lookup only
  static let chainFacts = ChainFact.examplesByKeyword()  // lookup only
  static let requestFacts = RequestFact.examplesByKeyword()  // lookup only

  let name: String
  let fields: JSONFields
  let hosts: RecordNames
  let calls: RecordNames
  let paths: RecordNames
  let links: RecordNames
  let requests: RecordNames
  let questions: RecordNames
  let pools: RecordNames
  /// The storage for strings.
  var trace = Trace()
  /// The entry of the timeline that the record names.
  var namedEntry: UInt32?

  /// Reads the record, or returns `nil` if its kind has no record with this keyword.
  mutating func read<Record: CodedRecord>(
    _ examples: [String: Record]  // lookup only
  ) throws(InputError) -> Record? {
    guard let example = examples[name] else { return nil }
    return try example.coded(by: &self)
  }

  // MARK: Parts

  /// Does nothing, because the keyword was looked up already.
  func begin(_ keyword: String) {}

  /// Reads the index of an interceptor, or returns the index of the call's user if there is no
  /// name.
  func link(_: UInt16) throws(InputError) -> UInt16 {
    guard try fields.textOrNull("link") != nil else { return ChainFact.ownLink }
    return UInt16(truncatingIfNeeded: try index("link", links))
  }

  func index(of kind: NamedKind, _: UInt32) throws(InputError) -> UInt32 {
    let table =
      switch kind {
      case .host: hosts
      case .call: calls
      case .request: requests
      case .question: questions
      case .pool: pools
      }
    return try index(kind.rawValue, table)
  }

  mutating func entry(_: UInt32) throws(InputError) -> UInt32 {
    let entry = try fields.number("entry", in: 0...UInt32.max)
    namedEntry = entry
    return entry
  }

  mutating func text(_: UInt32) throws(InputError) -> UInt32 {
    trace.store(try fields.text("text"))
  }

  func message(of call: CallID, _: CallEnd) throws(InputError) -> StatusText {
    StatusText(nearest: try fields.text("message"))
  }

  func number<Number: FixedWidthInteger>(
    _ name: String, _: Number, in range: ClosedRange<Number>
  ) throws(InputError) -> Number {
    try fields.number(name, in: range)
  }

  func flag(_ name: String, _: Bool) throws(InputError) -> Bool { try fields.flag(name) }

  func null(_ name: String, _: Bool) throws(InputError) -> Bool {
    try fields.required(name).kind == .null
  }

  func keyword<Keyword>(
    _ name: String, _: Keyword, among all: @autoclosure () -> [Keyword], spelt: (Keyword) -> String
  ) throws(InputError) -> Keyword {
    try fields.keyword(name, among: all(), spelt: spelt)
  }

  private func pair(_ name: String) throws(InputError) -> (UInt32, UInt32) {
    let numbers = try fields.elements(name)
    guard numbers.count == 2 else {
      throw fields.line.error(at: try fields.required(name), "\"\(name)\" must be two numbers")
    }
    return (
      try fields.line.number(numbers[0], as: "\"\(name)\"", in: 0...UInt32.max),
      try fields.line.number(numbers[1], as: "\"\(name)\"", in: 0...UInt32.max)
    )
  }

  func call(_: CallID) throws(InputError) -> CallID {
    let (index, generation) = try pair("id")
    return CallID(index: index, generation: generation)
  }

  func connection(_: ConnectionID) throws(InputError) -> ConnectionID {
    let (index, generation) = try pair("connection")
    return ConnectionID(index: index, generation: generation)
  }

  func channel(_: ChannelID) throws(InputError) -> ChannelID {
    let (index, generation) = try pair("channel")
    return ChannelID(endpoint: EndpointID(index: index), generation: generation)
  }

  func flags(_: ReachabilityFlags) throws(InputError) -> ReachabilityFlags {
    var flags: ReachabilityFlags = []
    for value in try fields.elements("flags") {
      if value.kind == .number {
        let bits = try fields.line.number(value, as: "the other flags", in: 0...UInt32.max)
        flags.formUnion(ReachabilityFlags(rawValue: bits))
      } else {
        let name = try fields.line.text(value, as: "a flag")
        guard let known = ReachabilityFlags.names.first(where: { $0.name == name }) else {
          throw fields.line.error(at: value, "unknown flag \(InputLine.quoted(name))")
        }
        flags.formUnion(known.flag)
      }
    }
    return flags
  }

  /// Reads an index, which the trace stores as a name, or as a number if the table has no name.
  func index(_ name: String, _ table: RecordNames) throws(InputError) -> UInt32 {
    let value = try fields.required(name)
    guard value.kind != .number else { return try fields.number(name, in: 0...UInt32.max) }
    let text = try fields.line.text(value, as: "\"\(name)\"")
    guard let index = table.index(of: text) else {
      throw fields.line.error(
        at: value, "the header does not name the \(table.what) \(InputLine.quoted(text))")
    }
    return index
  }

  func path(_: PathIndex?) throws(InputError) -> PathIndex? {
    let value = try fields.required("path")
    guard value.kind != .null else { return nil }
    let number = try index("path", paths)
    guard let index = UInt8(exactly: number) else {
      throw fields.line.error(at: value, "the number of paths is too large")
    }
    return PathIndex(index)
  }
}
