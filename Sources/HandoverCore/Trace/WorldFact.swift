// Single source of truth for facts about the world. To add a fact, add a case, an example, the
// keyword with its parts, and its description for readers of a trace, all in this file.

/// An event in the world around the client.
///
/// Calls, hosts and entries are identified by their positions in the script.
@frozen
public enum WorldFact: BitwiseCopyable, Hashable, Sendable {
  /// A timeline entry ran.
  case entryPlayed(UInt32)
  /// The device moved to a network, or to none.
  case deviceMoved(PathIndex?)
  /// The application moved to the foreground, or started or stopped running in the background.
  case appMoved(AppState)
  /// A call of the script starts; the client knows it by this identifier.
  case callIntroduced(UInt32, CallID)
  /// An attempt to connect to a host started on a network, or without a network.
  case attemptBegan(ConnectionID, host: UInt32, PathIndex?)
  /// The network of an attempt changed while its host name was being resolved.
  case attemptMoved(ConnectionID, PathIndex?)
  /// The given address of a host accepted first; the connection uses it.
  case addressAnswered(ConnectionID, host: UInt32, address: UInt32)
  /// A connection stalled.
  case connectionStalled(ConnectionID)
  /// A stalled connection resumed.
  case connectionResumed(ConnectionID)
  /// The send buffer of a connection is full; further writes wait.
  case sendBufferFull(ConnectionID)
  /// Waiting writes on a connection were acknowledged and then discarded; no error is reported.
  case writesDiscarded(ConnectionID, count: UInt32)
  /// The server's next read comes from this connection; recorded only if an expectation needs it.
  case cameOver(ConnectionID)
  /// The server read the request of a call.
  case serverReadRequest(host: UInt32, call: UInt32)
  /// The server read messages of a call.
  case serverReadMessages(host: UInt32, call: UInt32, count: UInt32)
  /// A reachability callback was lost.
  case callbackLost
  /// An event was deferred because the application is not running.
  case deferred(DeferredEventKind)
  /// A fault took effect for the first time.
  case faultTookEffect(UInt32)
  /// The run is over; the client is closed next.
  case runEnded(RunEnd)
  /// A call had not ended when the run was over.
  case callUnfinished(UInt32)
  /// The state of a network changed.
  case networkChanged(PathIndex, NetworkEvent)
  /// The device went to sleep: its process is stopped and its radio is off.
  case deviceSlept
  /// The device woke up.
  case deviceWoke
  /// The kernel counters of the device at the end of the run.
  ///
  /// They count retransmitted segments, connections that were reset, and sockets of connections
  /// that still existed.
  case kernelCounted(retransmitted: UInt32, resets: UInt32, sockets: UInt32)
  /// An event on the path of a QUIC connection over the given network.
  case connectionPath(ConnectionID, PathIndex?, PathEvent)
}

/// A change in the state of a network.
@frozen
public enum NetworkEvent: String, Hashable, Sendable, CaseIterable {
  /// The network is up.
  case up
  /// The network is the default: new connections use it.
  case madeDefault
  /// The network will go down soon.
  case losing
  /// The network is down.
  case down
  /// The network is behind a captive portal.
  case captive
  /// Hosts behind the network are reachable.
  case validated
  /// The router of the network dropped all flows, or changed the port or public address of each
  /// flow.
  case flowsForgotten, portsRebound, addressRebound
  /// The access point, the router or the address of the device changed.
  case roamed, routerChanged, addressChanged
  /// The uplink of the router was lost or restored.
  case uplinkDown, uplinkUp
  /// The network drops packets in one direction, or stops dropping packets.
  case losesRequests, losesAnswers, losesNothing
  /// The quality of the network changed to the values of an entry.
  case qualityChanged
}

/// An event that can be deferred while the application is not running.
@frozen
public enum DeferredEventKind: String, Hashable, Sendable, CaseIterable {
  /// A reachability callback.
  case callback
  /// An event of a transport.
  case transportEvent
}

/// The reason why a run ended.
@frozen
public enum RunEnd: String, Hashable, Sendable, CaseIterable {
  /// All entries ran, all expectations were decided, and nothing was pending.
  case quiet
  /// The time limit of the run expired.
  case until
}

extension WorldFact: CodedRecord, DescribedFact {
  private static let call = CallID(index: 0, generation: 0)
  private static let laterCall = CallID(index: 0, generation: 1)
  private static let connection = ConnectionID(index: 2, generation: 4)

  /// At least one example for each case, and one for each special form of encoding or description.
  package static let examples: [WorldFact] = [
    .entryPlayed(0), .callIntroduced(0, call), .callIntroduced(1, laterCall),
    .deviceMoved(nil), .deviceMoved(PathIndex(2)), .deviceMoved(PathIndex(9)),
    .appMoved(.background), .appMoved(.foreground),
    .attemptBegan(connection, host: 1, Script.wifiPath), .attemptBegan(connection, host: 7, nil),
    .connectionStalled(connection), .connectionResumed(connection), .sendBufferFull(connection),
    .serverReadRequest(host: 0, call: 1), .serverReadMessages(host: 0, call: 9, count: 3),
    .callbackLost, .deferred(.callback), .deferred(.transportEvent), .faultTookEffect(8),
    .faultTookEffect(99), .runEnded(.quiet), .runEnded(.until), .callUnfinished(0),
    .attemptMoved(connection, PathIndex(2)), .attemptMoved(connection, nil),
    .appMoved(.backgroundRunning), .writesDiscarded(connection, count: 2),
    .networkChanged(Script.wifiPath, .losing), .deviceSlept, .deviceWoke,
    .addressAnswered(connection, host: 0, address: 1), .cameOver(connection),
    .kernelCounted(retransmitted: 7, resets: 1, sockets: 2),
    .connectionPath(connection, PathIndex(2), .challenged),
    .connectionPath(connection, nil, .idleTimedOut),
  ]

  /// Encodes or decodes the keyword and the parts as traces contain them.
  package func coded<Coder: RecordCoder>(  // long: a flat switch, one entry for each case
    by coder: inout Coder
  ) throws(Coder.Failure) -> WorldFact {
    switch self {
    case .entryPlayed(let entry):
      coder.begin("entryPlayed")
      return .entryPlayed(try coder.entry(entry))
    case .deviceMoved(let path):
      coder.begin("deviceMoved")
      return .deviceMoved(try coder.path(path))
    case .appMoved(let app):
      coder.begin("appMoved")
      return .appMoved(try coder.keyword("to", app, among: AppState.allCases) { $0.rawValue })
    case .callIntroduced(let index, let id):
      let id = try coder.begin("callIntroduced", id)
      return .callIntroduced(try coder.number("place", index), id)
    case .attemptBegan(let connection, let host, let path):
      return .attemptBegan(
        try coder.begin("attemptBegan", connection), host: try coder.index(of: .host, host),
        try coder.path(path))
    case .attemptMoved(let connection, let path):
      return .attemptMoved(try coder.begin("attemptMoved", connection), try coder.path(path))
    case .addressAnswered(let connection, let host, let address):
      return .addressAnswered(
        try coder.begin("addressAnswered", connection), host: try coder.index(of: .host, host),
        address: try coder.number("place", address))
    case .connectionStalled(let connection):
      return .connectionStalled(try coder.begin("connectionStalled", connection))
    case .connectionResumed(let connection):
      return .connectionResumed(try coder.begin("connectionResumed", connection))
    case .sendBufferFull(let connection):
      return .sendBufferFull(try coder.begin("sendBufferFull", connection))
    case .writesDiscarded(let connection, let count):
      return .writesDiscarded(
        try coder.begin("writesDiscarded", connection), count: try coder.number("count", count))
    case .cameOver(let connection):
      return .cameOver(try coder.begin("cameOver", connection))
    case .serverReadRequest(let host, let call):
      coder.begin("serverReadRequest")
      return .serverReadRequest(
        host: try coder.index(of: .host, host), call: try coder.index(of: .call, call))
    case .serverReadMessages(let host, let call, let count):
      coder.begin("serverReadMessages")
      return .serverReadMessages(
        host: try coder.index(of: .host, host), call: try coder.index(of: .call, call),
        count: try coder.number("count", count))
    case .callbackLost:
      coder.begin("callbackLost")
      return self
    case .deferred(let kind):
      coder.begin("heldBack")
      return .deferred(
        try coder.keyword("kind", kind, among: DeferredEventKind.allCases) { $0.rawValue })
    case .faultTookEffect(let entry):
      coder.begin("faultTookEffect")
      return .faultTookEffect(try coder.entry(entry))
    case .runEnded(let reason):
      coder.begin("runEnded")
      return .runEnded(try coder.keyword("reason", reason, among: RunEnd.allCases) { $0.rawValue })
    case .callUnfinished(let call):
      return .callUnfinished(try coder.begin("callUnfinished", call: call))
    case .networkChanged(let path, let event):
      coder.begin("networkChanged")
      return .networkChanged(
        try coder.path(path) ?? path,
        try coder.keyword("to", event, among: NetworkEvent.allCases) { $0.rawValue })
    case .deviceSlept:
      coder.begin("deviceSlept")
      return self
    case .deviceWoke:
      coder.begin("deviceWoke")
      return self
    case .kernelCounted(let retransmitted, let resets, let sockets):
      coder.begin("kernelCounted")
      return .kernelCounted(
        retransmitted: try coder.number("retransmitted", retransmitted),
        resets: try coder.number("resets", resets), sockets: try coder.number("sockets", sockets))
    case .connectionPath(let connection, let path, let event):
      return .connectionPath(
        try coder.begin("connectionPath", connection), try coder.path(path),
        try coder.keyword("to", event, among: PathEvent.allCases) { $0.rawValue })
    }
  }

  /// Whether the fact is not a consequence of an effect in the current step.
  ///
  /// This property is separate from the table below because it is evaluated for every fact of a
  /// run.
  @inlinable
  package var beginsStep: Bool {
    switch self {
    case .entryPlayed, .deviceMoved, .appMoved, .callIntroduced, .runEnded, .callUnfinished,
      .networkChanged, .deviceSlept, .deviceWoke, .kernelCounted:
      true
    case .attemptBegan, .attemptMoved, .addressAnswered, .connectionStalled, .connectionResumed,
      .sendBufferFull, .writesDiscarded, .cameOver, .serverReadRequest, .serverReadMessages,
      .callbackLost, .deferred, .faultTookEffect, .connectionPath:
      false
    }
  }

  /// Passes the description of the fact to a reader and returns what the reader extracts.
  package func described<Answer>(  // long: a flat switch, one entry for each case
    by reader: FactReader<Answer>, _ names: some FactNames
  ) -> Answer {
    switch self {
    case .entryPlayed:
      reader.describe(
        hang: .begins, lane: .network, row: .inContext, sentence: .inContext)
    case .deviceMoved(let path):
      reader.describe(
        hang: .changesNetwork, lane: .network,
        row: .text(.device, path.map { "on path \(names.path($0))" } ?? "on no path"),
        sentence: .inContext)
    case .appMoved(let app):
      reader.describe(
        hang: .movesApp(app),
        lane: .enters(
          .app, app == .backgroundRunning ? "runs in background" : app.rawValue,
          app.runs ? .plain : .waiting),
        row: .text(.device, app.arrival), sentence: .inContext)
    case .callIntroduced(let call, let id):
      reader.describe(
        hang: .introduces(call, id),
        lane: .begins(.call(call), "waits", .waiting), row: .none, sentence: .none)
    case .attemptBegan(let id, let host, let path):
      reader.describe(
        lane: .begins(.connection(id), "connecting", .waiting),
        row: .text(
          .channels,
          "attempt \(names.connection(id)) \(names.way(path))\(names.host(host, after: "to"))"),
        sentence: .inContext)
    case .attemptMoved(let id, let path):
      reader.describe(
        row: .text(.channels, "attempt \(names.connection(id)) continues \(names.way(path))"),
        sentence: .text(
          "the name is known, and the attempt that waited for it continues \(names.way(path))"))
    case .addressAnswered(let id, let host, let address):
      reader.describe(
        row: .text(
          .channels,
          "connection \(names.connection(id)) is made to \(names.address(address, of: host))"),
        sentence: .text(
          "\(names.address(address, of: host)) is the first address that accepts "
            + "\(names.connection(id))"))
    case .connectionStalled(let id):
      reader.describe(
        hang: .stalls(id), lane: .enters(.connection(id), "stalls", .bad),
        row: .text(.channels, "connection \(names.connection(id)) stalls"), sentence: .inContext)
    case .connectionResumed(let id):
      reader.describe(
        lane: .enters(.connection(id), "open", .good),
        row: .text(.channels, "connection \(names.connection(id)) continues"),
        sentence: .text(
          "\(names.connection(id)) continues, and delayed data on it is delivered"))
    case .sendBufferFull(let id):
      reader.describe(
        row: .text(.channels, "connection \(names.connection(id)): send buffer full"),
        sentence: .text(
          "the send buffer of \(names.connection(id)) is full, and further writes wait",
          items: ["S4"]))
    case .writesDiscarded(let id, let count):
      reader.describe(
        row: .text(
          .channels,
          "connection \(names.connection(id)): \(count) waiting "
            + (count == 1 ? "write discarded" : "writes discarded")),
        sentence: .text(
          (count == 1 ? "a write" : "\(count) writes")
            + " that waited on \(names.connection(id))"
            + (count == 1 ? " is" : " are") + " acknowledged and discarded, without an error"))
    case .cameOver(let id):
      reader.describe(
        row: .text(.channels, "the server reads from connection \(names.connection(id))"),
        sentence: .none)
    case .serverReadRequest(_, let call):
      reader.describe(
        row: .text(.channels, "server reads \(names.call(call))"), sentence: .inContext)
    case .serverReadMessages(_, let call, let count):
      reader.describe(
        row: .counted(
          .channels, of: "server reads \(names.call(call)): ", one: "message", many: "messages",
          count: count),
        sentence: .counted(
          one: "the server reads a message of \(names.call(call))", before: "the server reads ",
          after: " messages of \(names.call(call))", count: count))
    case .callbackLost:
      reader.describe(
        row: .text(.device, "callback lost"), sentence: .text("a callback is lost"))
    case .deferred(.callback):
      reader.describe(
        row: .text(.device, "callback held back"),
        sentence: .counted(
          one: "a callback is delayed until the app returns", before: "",
          after: " callbacks are delayed until the app returns", items: ["M6"]))
    case .deferred(.transportEvent):
      reader.describe(
        row: .text(.channels, "event held back"),
        sentence: .counted(
          one: "an event of a connection is delayed until the app returns", before: "",
          after: " events of connections are delayed until the app returns"))
    case .faultTookEffect(let entry):
      reader.describe(hang: .fault(entry), row: .none, sentence: .none)
    case .runEnded(.quiet):
      reader.describe(
        hang: .ends, row: .text(.device, "the run is over"),
        sentence: .text("nothing more is due, and the run is over"))
    case .runEnded(.until):
      reader.describe(
        hang: .ends, row: .text(.device, "the run is over: until"),
        sentence: .text("the time of the run is up"))
    case .callUnfinished(let call):
      reader.describe(
        lane: .ends(.call(call), "unfinished", .bad),
        row: .text(.calls, "\(names.call(call)) unfinished"), sentence: .inContext)
    case .networkChanged(let path, let event):
      reader.describe(
        hang: event.affectsCalls ? .changesNetwork : .none,
        row: .text(.device, "\(names.path(path)) \(event.state)"),
        sentence: .inContext)
    case .deviceSlept:
      reader.describe(
        hang: .changesNetwork, row: .text(.device, "the device sleeps"), sentence: .none)
    case .deviceWoke:
      reader.describe(
        row: .text(.device, "the device wakes"), sentence: .none)
    case .kernelCounted(let retransmitted, let resets, let sockets):
      reader.describe(
        row: .text(.device, Self.kernelText(retransmitted, resets, sockets)),
        sentence: .text(Self.kernelText(retransmitted, resets, sockets)))
    case .connectionPath(let id, let path, let event):
      reader.describe(
        row: .text(
          .channels,
          "connection \(names.connection(id)) \(event.state(path.map { names.path($0) }))"),
        sentence: .text(event.phrase(of: names.connection(id), path.map { names.path($0) })))
    }
  }
}

extension WorldFact {
  fileprivate static func kernelText(
    _ retransmitted: UInt32, _ resets: UInt32, _ sockets: UInt32
  ) -> String {
    "the kernel counts "
      + counted(Int(retransmitted), "segment sent again", "segments sent again") + ", "
      + counted(Int(resets), "connection reset", "connections reset") + " and "
      + counted(Int(sockets), "socket left", "sockets left")
  }
}

extension AppState {
  /// The text for the application's arrival in this state.
  fileprivate var arrival: String {
    switch self {
    case .foreground: "app to the foreground"
    case .background: "app to the background"
    case .backgroundRunning: "app runs in the background"
    }
  }
}

extension NetworkEvent {
  /// Whether calls may hang from this event on.
  fileprivate var affectsCalls: Bool {
    switch self {
    case .down, .captive, .flowsForgotten, .portsRebound, .addressRebound, .routerChanged,
      .addressChanged, .uplinkDown, .losesRequests, .losesAnswers, .qualityChanged:
      true
    case .up, .madeDefault, .losing, .validated, .roamed, .uplinkUp, .losesNothing: false
    }
  }

  /// The rest of a row that starts with the network.
  fileprivate var state: String {
    switch self {
    case .up: "is up"
    case .madeDefault: "is the default network"
    case .losing: "will go down"
    case .down: "is down"
    case .captive: "is captive"
    case .validated: "is validated"
    case .flowsForgotten: "forgets its flows"
    case .portsRebound: "has other ports"
    case .addressRebound: "has another public address"
    case .roamed: "roams"
    case .routerChanged: "has another router"
    case .addressChanged: "gives another address"
    case .uplinkDown: "has no uplink"
    case .uplinkUp: "has its uplink"
    case .losesRequests: "loses requests"
    case .losesAnswers: "loses answers"
    case .losesNothing: "loses nothing"
    case .qualityChanged: "has another quality"
    }
  }

  /// The rest of a sentence that starts with the network.
  package var phrase: String {
    switch self {
    case .up: "is up"
    case .madeDefault: "is the default network: new connections go over it"
    case .losing: "lingers, and will go down"
    case .down: "is down"
    case .captive: "is behind a portal, and nothing passes on it"
    case .validated: "is validated, and everything passes"
    case .flowsForgotten: "has a router that forgets every flow"
    case .portsRebound: "has a router that gives every flow another port"
    case .addressRebound: "has another address to the outside"
    case .roamed: "is reached through another access point, and nothing is lost"
    case .routerChanged: "has another router, which knows no flow"
    case .addressChanged: "gives the device another address"
    case .uplinkDown: "has lost its uplink, and nothing passes"
    case .uplinkUp: "has its uplink again"
    case .losesRequests: "loses what the device sends"
    case .losesAnswers: "loses what the device would receive"
    case .losesNothing: "no longer loses packets"
    case .qualityChanged: "has another quality from now on"
    }
  }
}
