import HandoverCore
import HandoverEngine

/// Describes a trace in rows for users, without records that only repeat others.
struct TimelineRows {
  let script: Script
  private let records: ContiguousArray<TraceRecord>
  private let endpointHosts: ContiguousArray<UInt32>
  private let texts: ContiguousArray<String>
  private let endTexts: EndTexts
  /// All rows without text, and the rows whose text is kept.
  private(set) var heads: ContiguousArray<TimelineHead> = []
  private(set) var rows: [TimelineRow] = []
  /// Returns whether the text of the row at an index is kept.
  private let isKept: (Int) -> Bool
  private var now = Instant.zero
  /// The state of the run after the current record.
  private(set) var run: RunProjection
  /// The number of each key among the keys of its host, from 1, and the number of keys of each
  /// host.
  private var keyNumbers: ContiguousArray<Int> = []
  private var keyCounts: ContiguousArray<Int> = []
  private var lastFlags: ReachabilityFlags?
  private var folded: [Fold] = []
  /// The indices of folded events, by subject.
  private var foldedIndices: [String: Int] = [:]  // lookup only

  /// Events that repeat and are described as one.
  private struct Fold {
    var column: TimelineRow.Column
    var subject: String
    var one: String
    var many: String
    var count: Int
    var records: Int
    var at: Instant
    var until: Instant
  }

  /// Returns the rows of a trace.
  ///
  /// The records after the end of the run are included only if `closing` is true. In these records,
  /// the client is closed, and unfinished calls end. Because text needs memory, only the text of
  /// the rows selected by `isKept` is kept.
  static func of(
    _ trace: Trace, script: Script, closing: Bool, keeping isKept: @escaping (Int) -> Bool
  ) -> TimelineRows {
    var timeline = TimelineRows(script, trace, keeping: isKept)
    for index in trace.records.indices {
      let record = trace.records[index]
      if !closing, case .event(.pool(.closed)) = record.body { break }
      timeline.now = record.at
      timeline.run.apply(record)
      timeline.describe(record, next: index + 1)
    }
    timeline.unfold()
    return timeline
  }

  /// Creates an empty table of rows, which can be used to look up names.
  init(_ script: Script, _ trace: Trace, keeping isKept: @escaping (Int) -> Bool = { _ in true }) {
    self.script = script
    self.isKept = isKept
    records = trace.records
    endpointHosts = trace.endpointHosts
    texts = trace.texts
    endTexts = trace.endTexts
    run = RunProjection(script, of: trace)
    for host in endpointHosts {
      while keyCounts.count <= host { keyCounts.append(0) }
      keyCounts[Int(host)] += 1
      keyNumbers.append(keyCounts[Int(host)])
    }
  }

  /// Applies a record without describing it.
  mutating func pass(_ record: TraceRecord) { run.apply(record) }

  private mutating func describe(_ record: TraceRecord, next: Int) {
    switch record.body {
    case .event(.reachability(let event)): describe(event)
    case .event(.pool(let event)): describe(event, next: next)
    case .effect(let effect): describe(effect, next: next)
    case .world(let fact): describe(fact)
    case .chain(let fact): put(fact.row(self))
    case .request(let fact): put(fact.row(self))
    }
  }

  // MARK: Rows

  mutating func add(_ column: TimelineRow.Column, _ text: String) {
    unfold()
    put(column, text, at: now, records: 1)
  }

  private mutating func put(
    _ column: TimelineRow.Column, _ text: String, at instant: Instant, records: Int
  ) {
    if let last = heads.indices.last, heads[last].at == instant, heads[last].hasRoom(in: column) {
      heads[last].fill(column, records: records)
      guard isKept(last) else { return }
      rows[rows.count - 1][column] = text
      rows[rows.count - 1].records += records
      return
    }
    heads.append(TimelineHead(at: instant, column, records: records))
    guard isKept(heads.count - 1) else { return }
    var row = TimelineRow(at: instant)
    row[column] = text
    row.records = records
    rows.append(row)
  }

  mutating func fold(
    _ column: TimelineRow.Column, _ subject: String, one: String, many: String, count: Int = 1
  ) {
    let key = subject + many
    if let index = foldedIndices[key] {
      folded[index].count += count
      folded[index].records += 1
      folded[index].until = now
      return
    }
    foldedIndices[key] = folded.count
    folded.append(
      Fold(
        column: column, subject: subject, one: one, many: many, count: count, records: 1, at: now,
        until: now))
  }

  private mutating func unfold() {
    guard !folded.isEmpty else { return }
    let waiting = folded
    folded = []
    foldedIndices.removeAll(keepingCapacity: true)
    for fold in waiting {
      var text = fold.subject + counted(fold.count, fold.one, fold.many)
      if fold.until > fold.at { text += " until \(fold.until.exactText)" }
      put(fold.column, text, at: fold.at, records: fold.records)
    }
  }

  // MARK: Events

  private mutating func describe(_ event: ConnectivityMonitor.Event) {
    switch event {
    case .initialRead(let flags?):
      add(.device, "monitor reads \(NetworkCategory(flags))")
      lastFlags = flags
    case .initialRead(nil):
      add(.device, "monitor cannot read")
    case .callback(let flags):
      add(.device, "callback \(flags == lastFlags ? "" : "\(flags): ")\(NetworkCategory(flags))")
    case .resynchronized(let flags):
      add(.device, "flags read again: \(NetworkCategory(flags))")
    }
  }

  private mutating func describe(_ event: ChannelPool.Event, next: Int) {
    switch event {
    case .tokenArrived(let call): add(.calls, "\(name(call)) has its token")
    case .connected(let connection):
      add(.channels, "connection \(number(connection)) open")
    case .connectFailed(let connection, let failure):
      add(.channels, "attempt \(number(connection)) fails: \(failure.callEnd.text.text)")
    case .connectionBroken(let connection, let failure):
      add(.channels, "connection \(number(connection)) breaks: \(failure.callEnd.text.text)")
    case .connectionDraining(let connection):
      add(.channels, "connection \(number(connection)) drains (GOAWAY)")
    case .pongReceived(let connection):
      fold(.channels, "connection \(number(connection)): ", one: "pong", many: "pongs")
    case .streamEnded(let call, let code):
      // The client reports the same to its user next.
      if case .effect(.endCall(call, _)) = body(at: next) { return }
      add(.calls, "server ends \(name(call)): \(code)")
    case .closed: add(.device, "client is closed")
    case .callStarted, .messageQueued, .requestFinished, .callCancelled, .disconnectRequested,
      .disconnectAllRequested:
      // The description of the timeline's entry already covers this.
      break
    case .messageReceived, .dataReceived, .timeElapsed:
      // The effects of this event describe it.
      break
    }
  }

  private func body(at index: Int) -> TraceRecord.Body? {
    index < records.count ? records[index].body : nil
  }

  // MARK: Effects

  private mutating func describe(_ effect: ClientEffect, next: Int) {
    switch effect {
    case .notify(let change): add(.device, "notifies \(change.from) → \(change.to)")
    case .channelCreated(let id): add(.channels, "\(name(id)) created")
    case .channelMoved(let id, let from, let to): add(.channels, "\(name(id)) \(from) → \(to)")
    case .channelDestroyed(let id, let reason):
      add(.channels, "\(name(id)) destroyed: \(reason.phrase)")
    case .callBound(let call, let channel, let isNew):
      add(.calls, "\(name(call)) on \(isNew ? "new" : "same") \(name(channel))")
    case .fetchToken(let call): add(.calls, "\(name(call)) waits for its token")
    case .openConnection(let connection, let channel):
      // The record of the attempt includes the path.
      if case .world(.attemptBegan(connection, _, _)) = body(at: next) { return }
      add(.channels, "attempt \(number(connection)) for \(name(channel))")
    case .closeConnection(let connection):
      let number = number(connection)
      add(
        .channels,
        run.wasOpen(connection) ? "connection \(number) closed" : "attempt \(number) given up")
    case .startStream(let call, let connection):
      add(.calls, "\(name(call)) sent on connection \(number(connection))")
    case .sendMessages(let call, _, let count, _):
      fold(.calls, "\(name(call)) sends ", one: "message", many: "messages", count: Int(count))
    case .finishStream(let call, _): add(.calls, "\(name(call)) request complete")
    case .resetStream(let call, _): add(.calls, "\(name(call)) sends a reset")
    case .sendPing(let connection):
      fold(.channels, "connection \(number(connection)): ", one: "ping", many: "pings")
    case .deliverMessage(let call):
      fold(.calls, "\(name(call)) gets ", one: "message", many: "messages")
    case .endCall(let call, let end):
      let message = endTexts.text(of: call, end)
      add(.calls, "\(name(call)) ended \(end.code)" + (message.isEmpty ? "" : " \"\(message)\""))
    }
  }

  // MARK: The world

  private mutating func describe(_ fact: WorldFact) {
    guard case .inContext = fact.row(self) else { return put(fact.row(self)) }
    guard case .entryPlayed(let index) = fact, index < script.entries.count else { return }
    describe(script.entries[Int(index)].action)
  }

  /// Adds a row from a fact's description.
  private mutating func put(_ row: FactRow) {
    switch row {
    case .none, .inContext: break
    case .text(let column, let text): add(column, text)
    case .counted(let column, let subject, let one, let many, let count):
      fold(column, subject, one: one, many: many, count: Int(count))
    }
  }

  private mutating func describe(_ action: ScriptAction) {
    switch action {
    case .flags(let flags, _, _, _):
      lastFlags = flags
      add(.device, "flags \(flags): \(NetworkCategory(flags))")
    // Separate facts describe the effects of these actions.
    case .path, .app: break
    case .makeCall(let call): add(.calls, "\(name(callAt: call)) made, not started")
    case .startCall(let call):
      let kind = script.calls[call].kind.rawValue
      let host = suffix(host: script.calls[call].host, " to ")
      add(.calls, "\(name(callAt: call)) starts (\(kind)\(host))")
    case .cancel(let call): add(.calls, "user cancels \(name(callAt: call))")
    case .finish(let call): add(.calls, "user finishes \(name(callAt: call))")
    case .send(let call, let bytes):
      add(.calls, "user sends \(counted(bytes, "byte")) on \(name(callAt: call))")
    case .disconnect(let host): add(.channels, "user disconnects \(name(host))")
    case .server(let host, let fault):
      add(.channels, "server\(suffix(host: host, " of ")): \(fault.rawValue)")
    case .names(let host, let fault):
      add(.channels, "names\(suffix(host: host, " of ")): \(fault.rawValue)")
    case .answer(let host, let addresses):
      let list = addresses.map { script.address($0, of: host) }.joined(separator: ", ")
      add(.channels, "names\(suffix(host: host, " of ")): \(list)")
    case .address(let host, let position, let isReachable):
      let address = script.address(position, of: host)
      add(.channels, "\(address): \(isReachable ? "reachable" : "unreachable")")
    case .transport(.all, let fault): add(.channels, "transports: \(fault.rawValue)")
    case .transport(.one(let host), let fault):
      add(.channels, "transport\(suffix(host: host, " of ")): \(fault.rawValue)")
    case .monitor(let fault, let delay, let path):
      add(
        .device,
        "monitor: \(fault.rawValue)" + (delay > .zero ? " by \(delay.exactText)" : "")
          + (path.map { " (\(name($0)))" } ?? ""))
    case .signal(let flags): add(.device, "callback sent: \(NetworkCategory(flags))")
    // A separate fact describes the effect.
    case .network, .power: break
    case .receive(let call, let count):
      add(.calls, "user asks for \(count) on \(name(callAt: call))")
    case .interceptor(let link, let call, let fault, _):
      add(
        .calls,
        "\(name(link: UInt16(truncatingIfNeeded: link))): \(fault.rawValue) "
          + name(callAt: call))
    case .request(let request):
      let wanted = script.requests[request]
      add(
        .calls,
        "user makes \(name(request: UInt32(truncatingIfNeeded: request))) "
          + "(\(wanted.kind.name)\(suffix(host: wanted.host, " to ")))")
    case .cancelRequest(let request):
      add(.calls, "user cancels \(name(request: UInt32(truncatingIfNeeded: request)))")
    // Separate facts describe the effects of these actions.
    case .ask, .dispatcher: break
    }
  }

  // MARK: Names

  private func name(_ id: CallID) -> String {
    run.index(of: id).map(name(callAt:)) ?? "unknown call"
  }

  private func name(callAt index: Int) -> String {
    index < script.calls.count ? VisibleText.of(script.calls[index].id) : "unknown call"
  }

  func name(request index: UInt32) -> String {
    index < script.requests.count ? VisibleText.of(script.requests[Int(index)].id) : "unknown"
  }

  private func name(link: UInt16) -> String {
    let links = script.configuration.chain.links
    return link < links.count ? VisibleText.of(links[Int(link)].name) : "the chain"
  }

  func name(_ path: PathIndex) -> String {
    let index = Int(path.index)
    return index < script.paths.count ? VisibleText.of(script.paths[index]) : "unknown path"
  }

  private func name(_ selector: HostSelector) -> String {
    switch selector {
    case .one(let host): name(host: host)
    case .all: "all hosts"
    }
  }

  func name(host: Int) -> String {
    host < script.hosts.count ? VisibleText.of(script.hosts[host].written) : "unknown host"
  }

  /// Returns the host after a preposition, or an empty string if there is only one host.
  func suffix(host: Int, _ preposition: String) -> String {
    script.hosts.count > 1 ? preposition + name(host: host) : ""
  }

  /// Returns the name of a channel, which is numbered from 1 for its key.
  ///
  /// The name includes the host and the key if there are several.
  func name(_ id: ChannelID) -> String {
    let endpoint = Int(id.endpoint.index)
    var text = "channel \(id.generation)"
    guard endpointHosts.count > 1, endpoint < endpointHosts.count else { return text }
    let host = endpointHosts[endpoint]
    text += suffix(host: Int(host), " of ")
    if keyCounts[Int(host)] > 1 { text += " key \(keyNumbers[endpoint])" }
    return text
  }

  private func number(_ id: ConnectionID) -> Int { run.number(of: id) }
}

// The names that the descriptions of facts use.
extension TimelineRows: FactNames {
  func connection(_ id: ConnectionID) -> String { "\(number(id))" }
  func call(_ index: UInt32) -> String { name(callAt: Int(index)) }
  func path(_ path: PathIndex) -> String { name(path) }
  func way(_ path: PathIndex?) -> String { path.map { "on \(name($0))" } ?? "without a path" }
  func host(_ index: UInt32, after preposition: String) -> String {
    suffix(host: Int(index), " \(preposition) ")
  }
  func address(_ position: UInt32, of host: UInt32) -> String {
    script.address(Int(position), of: Int(host))
  }
  func request(_ index: UInt32) -> String { name(request: index) }
  func question(_ index: UInt32) -> String {
    index < script.questions.count
      ? "asked \(VisibleText.of(script.questions[Int(index)].id))" : "asked"
  }
  func dispatcher(_ pool: UInt32) -> String { "dispatcher" }
  func link(_ link: UInt16) -> String { name(link: link) }
  func text(_ index: UInt32) -> String {
    index < texts.count ? VisibleText.of(texts[Int(index)]) : "?"
  }
}

extension DestroyReason {
  /// The reason as text.
  var phrase: String {
    switch self {
    case .transition: "the network changed"
    case .disconnected: "disconnected"
    case .unused: "unused"
    case .broken: "broken"
    case .clientClosed: "client closed"
    }
  }
}
