// The keywords and parts of the client's events and effects.
extension ClientCore.Event: CodedRecord {
  package static let examples: [ClientCore.Event] =
    [
      .reachability(.initialRead(nil)), .reachability(.callback([])),
      .reachability(.resynchronized([])),
    ] + ChannelPool.Event.examples.map { .pool($0) }

  package func coded<Coder: RecordCoder>(
    by coder: inout Coder
  ) throws(Coder.Failure) -> ClientCore.Event {
    switch self {
    case .reachability(.initialRead(let flags)):
      coder.begin("initialRead")
      let isUnread = try coder.null("flags", flags == nil)
      return .reachability(.initialRead(isUnread ? nil : try coder.flags(flags ?? [])))
    case .reachability(.callback(let flags)):
      coder.begin("callback")
      return .reachability(.callback(try coder.flags(flags)))
    case .reachability(.resynchronized(let flags)):
      coder.begin("resynchronized")
      return .reachability(.resynchronized(try coder.flags(flags)))
    case .pool(let event):
      return .pool(try event.coded(by: &coder))
    }
  }
}

extension ChannelPool.Event: CodedRecord {
  package static let examples: [ChannelPool.Event] = [
    .callStarted(.zero, .zero, CallSettings()), .tokenArrived(.zero),
    .messageQueued(.zero, bytes: 0), .requestFinished(.zero), .callCancelled(.zero),
    .connected(.zero), .connectFailed(.zero, .refused), .connectionBroken(.zero, .reset),
    .connectionDraining(.zero), .pongReceived(.zero), .dataReceived(.zero),
    .messageReceived(.zero), .streamEnded(.zero, .ok), .disconnectRequested(.zero),
    .disconnectAllRequested, .timeElapsed, .closed,
  ]

  package func coded<Coder: RecordCoder>(
    by coder: inout Coder
  ) throws(Coder.Failure) -> ChannelPool.Event {
    switch self {
    case .callStarted(let call, let endpoint, let settings):
      return .callStarted(
        try coder.begin("callStarted", call), try coder.endpoint(endpoint),
        try coder.settings(settings))
    case .tokenArrived(let call): return .tokenArrived(try coder.begin("tokenArrived", call))
    case .messageQueued(let call, let bytes):
      return .messageQueued(
        try coder.begin("messageQueued", call), bytes: try coder.number("bytes", bytes))
    case .requestFinished(let call):
      return .requestFinished(try coder.begin("requestFinished", call))
    case .callCancelled(let call): return .callCancelled(try coder.begin("callCancelled", call))
    case .connected(let connection): return .connected(try coder.begin("connected", connection))
    case .connectFailed(let connection, let failure):
      return .connectFailed(
        try coder.begin("connectFailed", connection), try coder.failure(failure))
    case .connectionBroken(let connection, let failure):
      return .connectionBroken(
        try coder.begin("connectionBroken", connection), try coder.failure(failure))
    case .connectionDraining(let connection):
      return .connectionDraining(try coder.begin("connectionDraining", connection))
    case .pongReceived(let connection):
      return .pongReceived(try coder.begin("pongReceived", connection))
    case .dataReceived(let connection):
      return .dataReceived(try coder.begin("dataReceived", connection))
    case .messageReceived(let call):
      return .messageReceived(try coder.begin("messageReceived", call))
    case .streamEnded(let call, let code):
      return .streamEnded(try coder.begin("streamEnded", call), try coder.status(code))
    case .disconnectRequested(let endpoint):
      coder.begin("disconnectRequested")
      return .disconnectRequested(try coder.endpoint(endpoint))
    case .disconnectAllRequested:
      coder.begin("disconnectAllRequested")
      return self
    case .timeElapsed:
      coder.begin("timeElapsed")
      return self
    case .closed:
      coder.begin("closed")
      return self
    }
  }
}

extension ClientEffect: CodedRecord {
  package static let examples: [ClientEffect] = [
    .notify(CategoryChange(from: .unknown, to: .unknown)), .channelCreated(.zero),
    .channelMoved(.zero, from: .idle, to: .idle), .channelDestroyed(.zero, .transition),
    .callBound(.zero, .zero, isNew: false), .fetchToken(.zero), .openConnection(.zero, .zero),
    .closeConnection(.zero), .startStream(.zero, .zero),
    .sendMessages(.zero, .zero, count: 0, bytes: 0), .finishStream(.zero, .zero),
    .resetStream(.zero, .zero), .sendPing(.zero), .deliverMessage(.zero),
    .endCall(.zero, CallEnd(.ok, .empty)),
  ]

  package func coded<Coder: RecordCoder>(
    by coder: inout Coder
  ) throws(Coder.Failure) -> ClientEffect {
    switch self {
    case .notify(let change):
      coder.begin("notify")
      return .notify(
        CategoryChange(
          from: try coder.category("from", change.from), to: try coder.category("to", change.to)))
    case .channelCreated(let channel):
      return .channelCreated(try coder.begin("channelCreated", channel))
    case .channelMoved(let channel, let from, let to):
      return .channelMoved(
        try coder.begin("channelMoved", channel), from: try coder.state("from", from),
        to: try coder.state("to", to))
    case .channelDestroyed(let channel, let reason):
      return .channelDestroyed(
        try coder.begin("channelDestroyed", channel),
        try coder.keyword("reason", reason, among: DestroyReason.allCases) { $0.rawValue })
    case .callBound(let call, let channel, let isNew):
      return .callBound(
        try coder.begin("callBound", call), try coder.channel(channel),
        isNew: try coder.flag("isNew", isNew))
    case .fetchToken(let call): return .fetchToken(try coder.begin("fetchToken", call))
    case .openConnection(let connection, let channel):
      return .openConnection(
        try coder.begin("openConnection", connection), try coder.channel(channel))
    case .closeConnection(let connection):
      return .closeConnection(try coder.begin("closeConnection", connection))
    case .startStream(let call, let connection):
      return .startStream(try coder.begin("startStream", call), try coder.connection(connection))
    case .sendMessages(let call, let connection, let count, let bytes):
      return .sendMessages(
        try coder.begin("sendMessages", call), try coder.connection(connection),
        count: try coder.number("count", count), bytes: try coder.number("bytes", bytes))
    case .finishStream(let call, let connection):
      return .finishStream(try coder.begin("finishStream", call), try coder.connection(connection))
    case .resetStream(let call, let connection):
      return .resetStream(try coder.begin("resetStream", call), try coder.connection(connection))
    case .sendPing(let connection): return .sendPing(try coder.begin("sendPing", connection))
    case .deliverMessage(let call): return .deliverMessage(try coder.begin("deliverMessage", call))
    case .endCall(let call, let end):
      let call = try coder.begin("endCall", call)
      let code = try coder.status(end.code)
      return .endCall(call, CallEnd(code, try coder.message(of: call, end)))
    }
  }
}

// Placeholder identifiers for the examples.
extension CallID {
  static let zero = CallID(index: 0, generation: 0)
}

extension ConnectionID {
  static let zero = ConnectionID(index: 0, generation: 0)
}

extension ChannelID {
  static let zero = ChannelID(endpoint: .zero, generation: 0)
}

extension EndpointID {
  static let zero = EndpointID(index: 0)
}

extension ConnectionFailure {
  package var traceName: String {
    switch self {
    case .networkUnreachable: "networkUnreachable"
    case .nameResolutionFailed: "nameResolutionFailed"
    case .connectTimedOut: "connectTimedOut"
    case .refused: "refused"
    case .aborted: "aborted"
    case .reset: "reset"
    case .timedOut: "timedOut"
    case .closed: "closed"
    case .keepaliveTimeout: "keepaliveTimeout"
    case .streamAborted: "streamAborted"
    case .streamReset: "streamReset"
    case .streamTimedOut: "streamTimedOut"
    }
  }
}
