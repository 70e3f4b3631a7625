public import HandoverCore

// The one table of the facts of the world. A new one is written down here and nowhere else: a case,
// an example, its word with its parts, and what the readers of a trace have to know of it.

/// Something that happened in the world around the client.
///
/// Calls, hosts and entries are given by their places in the script.
@frozen
public enum WorldFact: BitwiseCopyable, Hashable, Sendable {
  /// An entry of the timeline was played.
  case entryPlayed(UInt32)
  /// The device moved to a path, or to none.
  case deviceMoved(PathIndex?)
  /// The application went to the background or came back, or runs or rests there.
  case appMoved(AppState)
  /// A call of the script starts, and is known to the client by this identifier.
  case callIntroduced(UInt32, CallID)
  /// An attempt to connect to a host began, on a path or on none.
  case attemptBegan(ConnectionID, host: UInt32, PathIndex?)
  /// An attempt whose name was looked up meanwhile goes on from another path than it began on.
  case attemptMoved(ConnectionID, PathIndex?)
  /// An address of a host was the first that accepted, and the connection is made to it.
  case addressAnswered(ConnectionID, host: UInt32, address: UInt32)
  /// A connection stalls.
  case connectionStalled(ConnectionID)
  /// A connection goes on after a stall.
  case connectionResumed(ConnectionID)
  /// The send buffer of a connection is full; further writes wait.
  case sendBufferFull(ConnectionID)
  /// Writes that waited on a connection are acknowledged and thrown away; nobody is told.
  case writesDiscarded(ConnectionID, count: UInt32)
  /// What the server reads next came over this connection; said where somebody asks for it.
  case cameOver(ConnectionID)
  /// The server read the request of a call.
  case serverReadRequest(host: UInt32, call: UInt32)
  /// The server read messages of a call.
  case serverReadMessages(host: UInt32, call: UInt32, count: UInt32)
  /// A reachability callback was lost.
  case callbackLost
  /// Something was held back because the application does not run.
  case deferred(HeldKind)
  /// A fault had its first effect.
  case faultTookEffect(UInt32)
  /// The run is over; the client is closed next.
  case runEnded(RunEnd)
  /// A call had no end when the run was over.
  case callUnfinished(UInt32)
  /// Something became of a network.
  case networkChanged(PathIndex, NetworkEvent)
  /// The device fell asleep: its process is stopped, and its radio is off.
  case deviceSlept
  /// The device woke.
  case deviceWoke
  /// What the device's kernel had counted when the run was over: segments that it sent again,
  /// connections that were reset, and sockets of connections that it still had.
  case kernelCounted(retransmitted: UInt32, resets: UInt32, sockets: UInt32)
  /// Something became of the way of a connection of QUIC: over which network, and what.
  case connectionPath(ConnectionID, PathIndex?, PathEvent)
}

/// What became of a network.
@frozen
public enum NetworkEvent: String, Hashable, Sendable, CaseIterable {
  /// It is up.
  case up
  /// New connections go over it.
  case madeDefault
  /// It will go down soon.
  case losing
  /// It is down.
  case down
  /// A portal stands before it.
  case captive
  /// What is behind it can be reached.
  case validated
  /// Its router has forgotten every flow, or given each another port, or another address.
  case flowsForgotten, portsRebound, addressRebound
  /// The device is at another access point, behind another router, or has another address.
  case roamed, routerChanged, addressChanged
  /// What is behind its router is gone, or there again.
  case uplinkDown, uplinkUp
  /// It loses what goes in one direction, or nothing any more.
  case losesRequests, losesAnswers, losesNothing
  /// It is as good as an entry says.
  case qualityChanged
}

/// What can be held back from an application that does not run.
@frozen
public enum HeldKind: UInt8, Hashable, Sendable, CaseIterable {
  /// A reachability callback.
  case callback
  /// An event of a transport.
  case transportEvent
}

/// Why a run was over.
@frozen
public enum RunEnd: UInt8, Hashable, Sendable, CaseIterable {
  /// Everything was played and decided, and nothing was due.
  case quiet
  /// The time given to the run had passed.
  case until
}

extension WorldFact: CodedRecord, DescribedFact {
  private static let call = CallID(index: 0, generation: 0)
  private static let laterCall = CallID(index: 0, generation: 1)
  private static let connection = ConnectionID(index: 2, generation: 4)

  /// One of each case at least, and one of each form that is written or told in its own way.
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

  /// The word and the parts, as traces have them.
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
      return .appMoved(try coder.word("to", app, among: AppState.allCases) { $0.rawValue })
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
      return .deferred(try coder.word("kind", kind, among: HeldKind.allCases) { $0.traceName })
    case .faultTookEffect(let entry):
      coder.begin("faultTookEffect")
      return .faultTookEffect(try coder.entry(entry))
    case .runEnded(let reason):
      coder.begin("runEnded")
      return .runEnded(try coder.word("reason", reason, among: RunEnd.allCases) { $0.traceName })
    case .callUnfinished(let call):
      return .callUnfinished(try coder.begin("callUnfinished", call: call))
    case .networkChanged(let path, let event):
      coder.begin("networkChanged")
      return .networkChanged(
        try coder.path(path) ?? path,
        try coder.word("to", event, among: NetworkEvent.allCases) { $0.rawValue })
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
        try coder.word("to", event, among: PathEvent.allCases) { $0.rawValue })
    }
  }

  /// Whether it is no consequence of an order of the step that goes on; apart from the table below,
  /// because it is asked of every fact of a run.
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

  /// What readers of a trace have to know of a fact, and how each of them tells it.
  package func described<Reader: FactReader>(  // long: a flat switch, one entry for each case
    by reader: Reader, _ names: some FactNames
  ) -> Reader.Answer {
    switch self {
    case .entryPlayed:
      reader.fact(
        about: .calls, hang: .begins, lane: .network, row: .inContext,
        sentence: .inContext)
    case .deviceMoved(let path):
      reader.fact(
        about: .channels, hang: .changesNetwork, lane: .network,
        row: .text(.device, path.map { "on path \(names.path($0))" } ?? "on no path"),
        sentence: .inContext)
    case .appMoved(let app):
      reader.fact(
        about: .calls, hang: .movesApp(app),
        lane: .enters(
          .app, app == .backgroundRunning ? "runs in background" : app.rawValue,
          app.runs ? .plain : .waiting),
        row: .text(.device, app.arrival), sentence: .inContext)
    case .callIntroduced(let call, let id):
      reader.fact(
        about: .calls, hang: .introduces(call, id),
        lane: .begins(.call(call), "waits", .waiting), row: .none, sentence: .none)
    case .attemptBegan(let id, let host, let path):
      reader.fact(
        about: .channels, lane: .begins(.connection(id), "connecting", .waiting),
        row: .text(
          .channels,
          "attempt \(names.connection(id)) \(names.way(path))\(names.host(host, after: "to"))"),
        sentence: .inContext)
    case .attemptMoved(let id, let path):
      reader.fact(
        about: .channels,
        row: .text(.channels, "attempt \(names.connection(id)) goes on \(names.way(path))"),
        sentence: .text(
          "the name is known, and the attempt that waited for it goes on \(names.way(path))"))
    case .addressAnswered(let id, let host, let address):
      reader.fact(
        about: .channels,
        row: .text(
          .channels,
          "connection \(names.connection(id)) is made to \(names.address(address, of: host))"),
        sentence: .text(
          "\(names.address(address, of: host)) is the first address that accepts "
            + "\(names.connection(id))"))
    case .connectionStalled(let id):
      reader.fact(
        about: .channels, hang: .stalls(id), lane: .enters(.connection(id), "stalls", .bad),
        row: .text(.channels, "connection \(names.connection(id)) stalls"), sentence: .inContext)
    case .connectionResumed(let id):
      reader.fact(
        about: .channels, lane: .enters(.connection(id), "open", .good),
        row: .text(.channels, "connection \(names.connection(id)) goes on"),
        sentence: .text(
          "\(names.connection(id)) goes on, and what was held back on it goes on its way"))
    case .sendBufferFull(let id):
      reader.fact(
        about: .channels,
        row: .text(.channels, "connection \(names.connection(id)): send buffer full"),
        sentence: .text(
          "the send buffer of \(names.connection(id)) is full, and further writes wait",
          items: ["S4"]))
    case .writesDiscarded(let id, let count):
      reader.fact(
        about: .channels,
        row: .text(
          .channels,
          "connection \(names.connection(id)): \(count) waiting "
            + (count == 1 ? "write discarded" : "writes discarded")),
        sentence: .text(
          (count == 1 ? "a write" : "\(count) writes")
            + " that waited on \(names.connection(id))"
            + (count == 1 ? " is" : " are") + " acknowledged and thrown away, and nobody is told"))
    case .cameOver(let id):
      reader.fact(
        about: .channels,
        row: .text(.channels, "the server reads from connection \(names.connection(id))"),
        sentence: .none)
    case .serverReadRequest(_, let call):
      reader.fact(
        about: .calls, row: .text(.channels, "server reads \(names.call(call))"),
        sentence: .inContext)
    case .serverReadMessages(_, let call, let count):
      reader.fact(
        about: .messages,
        row: .counted(
          .channels, of: "server reads \(names.call(call)): ", one: "message", many: "messages",
          count: count),
        sentence: .counted(
          one: "the server reads a message of \(names.call(call))", before: "the server reads ",
          after: " messages of \(names.call(call))", count: count))
    case .callbackLost:
      reader.fact(
        about: .channels, row: .text(.device, "callback lost"),
        sentence: .text("a callback is lost"))
    case .deferred(.callback):
      reader.fact(
        about: .calls, row: .text(.device, "callback held back"),
        sentence: .counted(
          one: "a callback is held back until the app returns", before: "",
          after: " callbacks are held back until the app returns", items: ["M6"]))
    case .deferred(.transportEvent):
      reader.fact(
        about: .calls, row: .text(.channels, "event held back"),
        sentence: .counted(
          one: "news of a connection is held back until the app returns", before: "",
          after: " pieces of news of connections are held back until the app returns"))
    case .faultTookEffect(let entry):
      reader.fact(about: .calls, hang: .fault(entry), row: .none, sentence: .none)
    case .runEnded(.quiet):
      reader.fact(
        about: .calls, hang: .ends, row: .text(.device, "the run is over"),
        sentence: .text("nothing more is due, and the run is over"))
    case .runEnded(.until):
      reader.fact(
        about: .calls, hang: .ends,
        row: .text(.device, "the run is over: until"),
        sentence: .text("the time of the run is up"))
    case .callUnfinished(let call):
      reader.fact(
        about: .calls, lane: .ends(.call(call), "unfinished", .bad),
        row: .text(.calls, "\(names.call(call)) unfinished"), sentence: .inContext)
    case .networkChanged(let path, let event):
      reader.fact(
        about: .channels, hang: event.meetsCalls ? .changesNetwork : .none,
        row: .text(.device, "\(names.path(path)) \(event.state)"),
        sentence: .inContext)
    case .deviceSlept:
      reader.fact(
        about: .channels, hang: .changesNetwork,
        row: .text(.device, "the device sleeps"), sentence: .none)
    case .deviceWoke:
      reader.fact(
        about: .channels, row: .text(.device, "the device wakes"),
        sentence: .none)
    case .kernelCounted(let retransmitted, let resets, let sockets):
      reader.fact(
        about: .channels,
        row: .text(.device, Self.kernelText(retransmitted, resets, sockets)),
        sentence: .text(Self.kernelText(retransmitted, resets, sockets)))
    case .connectionPath(let id, let path, let event):
      reader.fact(
        about: .channels,
        row: .text(
          .channels,
          "connection \(names.connection(id)) \(event.state(path.map { names.path($0) }))"),
        sentence: .text(event.words(of: names.connection(id), path.map { names.path($0) })))
    }
  }
}

extension WorldFact {
  fileprivate static func kernelText(
    _ retransmitted: UInt32, _ resets: UInt32, _ sockets: UInt32
  ) -> String {
    "the kernel counts \(retransmitted) segments sent again, \(resets) connections reset and "
      + "\(sockets) sockets left"
  }
}

extension AppState {
  /// What the application does when it gets there.
  fileprivate var arrival: String {
    switch self {
    case .foreground: "app to the foreground"
    case .background: "app to the background"
    case .backgroundRunning: "app runs in the background"
    }
  }
}

extension NetworkEvent {
  /// Whether calls may hang from then on.
  fileprivate var meetsCalls: Bool {
    switch self {
    case .down, .captive, .flowsForgotten, .portsRebound, .addressRebound, .routerChanged,
      .addressChanged, .uplinkDown, .losesRequests, .losesAnswers, .qualityChanged:
      true
    case .up, .madeDefault, .losing, .validated, .roamed, .uplinkUp, .losesNothing: false
    }
  }

  /// The rest of a row that begins with the network.
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

  /// The rest of a sentence that begins with the network.
  package var words: String {
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
    case .roamed: "is met at another access point, and nothing is lost"
    case .routerChanged: "has another router, which knows no flow"
    case .addressChanged: "gives the device another address"
    case .uplinkDown: "has lost its uplink, and nothing passes"
    case .uplinkUp: "has its uplink again"
    case .losesRequests: "loses what the device sends"
    case .losesAnswers: "loses what the device would receive"
    case .losesNothing: "loses nothing any more"
    case .qualityChanged: "has another quality from now on"
    }
  }
}

extension HeldKind {
  package var traceName: String {
    switch self {
    case .callback: "callback"
    case .transportEvent: "transportEvent"
    }
  }
}

extension RunEnd {
  package var traceName: String {
    switch self {
    case .quiet: "quiet"
    case .until: "until"
    }
  }
}
