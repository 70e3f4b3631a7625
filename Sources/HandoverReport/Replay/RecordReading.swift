import HandoverCore
import HandoverScenario
import HandoverTrace

/// Reads the records of a trace one by one.
struct RecordReading {
  private(set) var trace: Trace
  /// What is known of the timeline.
  private(set) var entries: ContiguousArray<ScriptEntry> = []
  private let callCount: Int
  private let hosts: NameTable
  private let calls: NameTable
  private let paths: NameTable
  private let links: NameTable
  private let requests: NameTable
  private let questions: NameTable
  private let pools: NameTable

  /// The actions by which the kinds of entries are kept whose parts no trace holds.
  private static let actions: [ScriptAction] = [
    .flags([], path: nil, linksUp: [], linksDown: []), .path(Script.wifiPath), .app(.foreground),
    .startCall(0), .cancel(0), .finish(0), .send(0, bytes: 0), .disconnect(.all),
    .server(0, .accept), .names(0, .resolve), .transport(.all, .resume),
    .monitor(.duplicate, by: .zero), .receive(0, count: 0),
    .interceptor(0, call: 0, .release, .ok), .request(0), .cancelRequest(0), .ask(0),
    .dispatcher(0, .close), .makeCall(0),
  ]

  private static let kinds = "\"event\", \"effect\", \"world\", \"chain\" and \"request\""

  init(_ recorded: RecordedTrace) {
    trace = recorded.trace
    callCount = recorded.script.calls.count
    hosts = NameTable("host", recorded.script.hosts.map(\.written))
    calls = NameTable("call", recorded.script.calls.map(\.id))
    paths = NameTable("path", recorded.script.paths)
    links = NameTable("link", recorded.script.configuration.chain.links.map(\.name))
    requests = NameTable("request", recorded.script.requests.map(\.id))
    questions = NameTable("question", recorded.script.questions.map(\.id))
    pools = NameTable("pool", recorded.script.pools)
  }

  /// Reads the record of a line.
  mutating func take(_ line: InputLine) throws(InputError) {
    let fields = try line.object(as: "a record")
    let at = Instant(microseconds: try fields.number("at", in: 0...Int64.max))
    if let last = trace.records.last, at < last.at {
      throw line.error(
        at: try fields.required("at"),
        "time runs backwards: the record before is at \(last.at.microseconds)")
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
    let parts = RecordParts(
      name: only.name, fields: try JSONFields(only.value, as: "\"\(only.name)\"", in: line),
      hosts: hosts, calls: calls, paths: paths, links: links, requests: requests,
      questions: questions, pools: pools)
    switch member.name {
    case "event":
      if let event = try parts.event() { return .event(event) }
    case "effect":
      if let effect = try parts.effect() {
        try keepEndText(effect, parts)
        return .effect(effect)
      }
    case "world":
      if let fact = try parts.fact() {
        try keep(fact, parts)
        return .world(fact)
      }
    case "chain":
      if let fact = try parts.chainFact(keepingTextsIn: &trace) { return .chain(fact) }
    case "request":
      if let fact = try parts.requestFact() { return .request(fact) }
    default:
      throw line.error(
        at: member.key, "a record has one of \(Self.kinds)")
    }
    throw line.error(
      at: only.key, "there is no \(member.name) \(InputLine.quoted(only.name))",
      hint: "the trace was written by another version of handover; read it with that one")
  }

  /// Keeps what a fact tells of the script, and refuses what no script can hold.
  private mutating func keep(_ fact: WorldFact, _ parts: RecordParts) throws(InputError) {
    switch fact {
    case .entryPlayed(let entry), .faultTookEffect(let entry):
      guard let name = try parts.fields.textOrNull("action") else { return }
      let action = try parts.fields.word("action", among: Self.actions) { $0.traceName }
      guard entry < ScenarioLimits.entries else {
        throw parts.fields.line.error(
          at: parts.fields.value, "no timeline has an entry \(entry) that does \"\(name)\"")
      }
      while entries.count <= entry {
        entries.append(ScriptEntry(at: .zero, action: .path(Script.wifiPath)))
      }
      entries[Int(entry)].action = action
    case .callIntroduced(let place, let id):
      guard place < callCount, id.index < callCount else {
        throw parts.fields.line.error(
          at: parts.fields.value, "the run has \(callCount) calls, and this is none of them")
      }
    case .deviceMoved, .appMoved, .attemptBegan, .attemptMoved, .connectionStalled,
      .connectionResumed, .sendBufferFull, .serverReadRequest, .serverReadMessages, .callbackLost,
      .heldBack,
      .runEnded, .callUnfinished:
      break
    }
  }
}

extension RecordReading {
  /// Keeps what a client elsewhere said of the end of a call in words of its own.
  private mutating func keepEndText(
    _ effect: ClientEffect, _ parts: RecordParts
  ) throws(InputError) {
    guard case .endCall(let id, let end) = effect, end.text == .empty, id.index < callCount else {
      return
    }
    let text = try parts.fields.text("message")
    if !text.isEmpty { trace.endTexts.keep(text, of: id) }
  }
}

/// The places of names in a table of the script.
struct NameTable {
  let what: String
  private var places: [String: UInt32] = [:]  // lookup only

  init(_ what: String, _ names: [String]) {
    self.what = what
    for (place, name) in names.enumerated() where places[name] == nil {
      places[name] = UInt32(truncatingIfNeeded: place)
    }
  }

  func place(of name: String) -> UInt32? { places[name] }
}

/// The parts of one event, effect or fact.
struct RecordParts {
  let name: String
  let fields: JSONFields
  let hosts: NameTable
  let calls: NameTable
  let paths: NameTable
  let links: NameTable
  let requests: NameTable
  let questions: NameTable
  let pools: NameTable

  /// The event; nil where there is none of that name.
  func event() throws(InputError) -> ClientCore.Event? {
    switch name {
    case "initialRead":
      let isRead = try fields.required("flags").kind != .null
      return .reachability(.initialRead(isRead ? try flags() : nil))
    case "callback": return .reachability(.callback(try flags()))
    case "resynchronised": return .reachability(.resynchronised(try flags()))
    default: return try poolEvent().map { .pool($0) }
    }
  }

  private func poolEvent() throws(InputError) -> ChannelPool.Event? {
    switch name {
    case "callStarted": .callStarted(try call(), try endpoint(), try settings())
    case "tokenArrived": .tokenArrived(try call())
    case "messageQueued": .messageQueued(try call(), bytes: try number("bytes"))
    case "requestFinished": .requestFinished(try call())
    case "callCancelled": .callCancelled(try call())
    case "connected": .connected(try connection())
    case "connectFailed": .connectFailed(try connection(), try failure())
    case "connectionBroken": .connectionBroken(try connection(), try failure())
    case "connectionDraining": .connectionDraining(try connection())
    case "pongReceived": .pongReceived(try connection())
    case "messageReceived": .messageReceived(try call())
    case "streamEnded": .streamEnded(try call(), try status())
    case "disconnectRequested": .disconnectRequested(try endpoint())
    case "disconnectAllRequested": .disconnectAllRequested
    case "timeElapsed": .timeElapsed
    case "closed": .closed
    default: nil
    }
  }

  /// The effect; nil where there is none of that name.
  func effect() throws(InputError) -> ClientEffect? {
    switch name {
    case "notify":
      .notify(CategoryChange(from: try category("from"), to: try category("to")))
    case "channelCreated": .channelCreated(try channel())
    case "channelMoved":
      .channelMoved(try channel(), from: try state("from"), to: try state("to"))
    case "channelDestroyed":
      .channelDestroyed(
        try channel(), try fields.word("reason", among: DestroyReason.allCases) { $0.traceName })
    case "callBound":
      .callBound(try call(), try channel(), isNew: try fields.flag("isNew"))
    case "fetchToken": .fetchToken(try call())
    case "openConnection": .openConnection(try connection(), try channel())
    case "closeConnection": .closeConnection(try connection())
    case "startStream": .startStream(try call(), try connection())
    case "sendMessages":
      .sendMessages(
        try call(), try connection(), count: try number("count"), bytes: try number("bytes"))
    case "finishStream": .finishStream(try call(), try connection())
    case "resetStream": .resetStream(try call(), try connection())
    case "sendPing": .sendPing(try connection())
    case "deliverMessage": .deliverMessage(try call())
    case "endCall":
      .endCall(
        try call(), CallEnd(try status(), StatusText(nearest: try fields.text("message"))))
    default: nil
    }
  }

  /// The fact; nil where there is none of that name.
  func fact() throws(InputError) -> WorldFact? {
    switch name {
    case "entryPlayed": .entryPlayed(try number("entry"))
    case "deviceMoved": .deviceMoved(try path())
    case "appMoved":
      .appMoved(try fields.word("to", among: AppState.allCases) { $0.rawValue })
    case "callIntroduced": .callIntroduced(try number("place"), try call())
    case "attemptBegan":
      .attemptBegan(try connection(), host: try place("host", hosts), try path())
    case "attemptMoved": .attemptMoved(try connection(), try path())
    case "connectionStalled": .connectionStalled(try connection())
    case "connectionResumed": .connectionResumed(try connection())
    case "sendBufferFull": .sendBufferFull(try connection())
    case "serverReadRequest":
      .serverReadRequest(host: try place("host", hosts), call: try place("call", calls))
    case "serverReadMessages":
      .serverReadMessages(
        host: try place("host", hosts), call: try place("call", calls), count: try number("count"))
    case "callbackLost": .callbackLost
    case "heldBack":
      .heldBack(try fields.word("kind", among: HeldKind.allCases) { $0.traceName })
    case "faultTookEffect": .faultTookEffect(try number("entry"))
    case "runEnded": .runEnded(try fields.word("reason", among: RunEnd.allCases) { $0.traceName })
    case "callUnfinished": .callUnfinished(try place("call", calls))
    default: nil
    }
  }

  /// What happened in a chain; nil where there is none of that name.
  func chainFact(keepingTextsIn trace: inout Trace) throws(InputError) -> ChainFact? {
    switch name {
    case "linkMade": .linkMade(call: try place("call", calls), link: try link())
    case "linkSkipped": .linkSkipped(call: try place("call", calls), link: try link())
    case "linkLeft": .linkLeft(call: try place("call", calls), link: try link())
    case "took": .took(call: try place("call", calls), link: try link(), try step())
    case "noted":
      .noted(
        call: try place("call", calls), link: try link(), text: trace.keep(try fields.text("text")))
    case "broke":
      .broke(
        call: try place("call", calls), link: try link(),
        try fields.word("breach", among: InterceptorBreach.allCases) { $0.rawValue })
    case "attempted":
      .attempted(call: try place("call", calls), target: trace.keep(try fields.text("text")))
    case "sentHeader":
      .sentHeader(call: try place("call", calls), text: trace.keep(try fields.text("text")))
    case "sentMessage":
      .sentMessage(call: try place("call", calls), text: trace.keep(try fields.text("text")))
    case "heard":
      .heard(
        call: try place("call", calls), try step(), text: trace.keep(try fields.text("text")))
    case "closed":
      .closed(
        call: try place("call", calls),
        CallEnd(
          try status(), try fields.word("message", among: StatusText.allCases) { $0.text }))
    case "trailer":
      .trailer(call: try place("call", calls), text: trace.keep(try fields.text("text")))
    default: nil
    }
  }

  // MARK: Parts

  private func step() throws(InputError) -> ChainStep {
    try fields.word("step", among: ChainStep.allCases) { $0.rawValue }
  }

  /// The place of a link; the call's user where none is named.
  private func link() throws(InputError) -> UInt16 {
    guard try fields.textOrNull("link") != nil else { return ChainFact.ownLink }
    return UInt16(truncatingIfNeeded: try place("link", links))
  }

  func number(_ name: String) throws(InputError) -> UInt32 {
    try fields.number(name, in: 0...UInt32.max)
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

  private func call() throws(InputError) -> CallID {
    let (index, generation) = try pair("id")
    return CallID(index: index, generation: generation)
  }

  private func connection() throws(InputError) -> ConnectionID {
    let (index, generation) = try pair("connection")
    return ConnectionID(index: index, generation: generation)
  }

  private func channel() throws(InputError) -> ChannelID {
    let (index, generation) = try pair("channel")
    return ChannelID(endpoint: EndpointID(index: index), generation: generation)
  }

  private func endpoint() throws(InputError) -> EndpointID {
    EndpointID(index: try number("endpoint"))
  }

  private func failure() throws(InputError) -> ConnectionFailure {
    try fields.word("failure", among: ConnectionFailure.allCases) { $0.traceName }
  }

  private func status() throws(InputError) -> StatusCode {
    try fields.word("status", among: StatusCode.allCases) { $0.name }
  }

  private func state(_ name: String) throws(InputError) -> ChannelState {
    try fields.word(name, among: ChannelState.allCases) { $0.name }
  }

  private func category(_ name: String) throws(InputError) -> NetworkCategory {
    try fields.word(name, among: NetworkCategory.allCases) { $0.description }
  }

  private func settings() throws(InputError) -> CallSettings {
    let deadline: Int64? = try fields.numberOrNull("deadline", in: 0...Int64.max)
    return CallSettings(
      deadline: deadline.map(Instant.init(microseconds:)) ?? .never,
      failsFast: try fields.flag("failsFast"), awaitsToken: try fields.flag("awaitsToken"),
      requestIsComplete: try fields.flag("requestIsComplete"))
  }

  private func flags() throws(InputError) -> ReachabilityFlags {
    var flags: ReachabilityFlags = []
    for value in try fields.elements("flags") {
      if value.kind == .number {
        let bits = try fields.line.number(value, as: "the other flags", in: 0...UInt32.max)
        flags.formUnion(ReachabilityFlags(rawValue: bits))
      } else {
        let name = try fields.line.text(value, as: "a flag")
        guard let known = ReachabilityFlags.names.first(where: { $0.name == name }) else {
          throw fields.line.error(at: value, "there is no flag \(InputLine.quoted(name))")
        }
        flags.formUnion(known.flag)
      }
    }
    return flags
  }

  /// The place of a name in its table, or the place itself where the table has no name for it.
  func place(_ name: String, _ table: NameTable) throws(InputError) -> UInt32 {
    let value = try fields.required(name)
    guard value.kind != .number else { return try number(name) }
    let text = try fields.line.text(value, as: "\"\(name)\"")
    guard let place = table.place(of: text) else {
      throw fields.line.error(
        at: value, "the line about the run names no \(table.what) \(InputLine.quoted(text))")
    }
    return place
  }

  func path() throws(InputError) -> PathIndex? {
    let value = try fields.required("path")
    guard value.kind != .null else { return nil }
    let place = try self.place("path", paths)
    guard let index = UInt8(exactly: place) else {
      throw fields.line.error(at: value, "no run has that many paths")
    }
    return PathIndex(index)
  }
}
