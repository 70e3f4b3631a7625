package import HandoverCore

// The words of what happens around the client, and their parts.
extension WorldFact: CodedRecord {
  package static let examples: [WorldFact] = [
    .entryPlayed(0), .deviceMoved(nil), .appMoved(.foreground), .callIntroduced(0, .zero),
    .attemptBegan(.zero, host: 0, nil), .attemptMoved(.zero, nil), .connectionStalled(.zero),
    .connectionResumed(.zero), .sendBufferFull(.zero), .serverReadRequest(host: 0, call: 0),
    .serverReadMessages(host: 0, call: 0, count: 0), .callbackLost, .heldBack(.callback),
    .faultTookEffect(0), .runEnded(.quiet), .callUnfinished(0),
  ]

  package func coded<Coder: RecordCoder>(
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
    case .connectionStalled(let connection):
      return .connectionStalled(try coder.begin("connectionStalled", connection))
    case .connectionResumed(let connection):
      return .connectionResumed(try coder.begin("connectionResumed", connection))
    case .sendBufferFull(let connection):
      return .sendBufferFull(try coder.begin("sendBufferFull", connection))
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
    case .heldBack(let kind):
      coder.begin("heldBack")
      return .heldBack(try coder.word("kind", kind, among: HeldKind.allCases) { $0.traceName })
    case .faultTookEffect(let entry):
      coder.begin("faultTookEffect")
      return .faultTookEffect(try coder.entry(entry))
    case .runEnded(let reason):
      coder.begin("runEnded")
      return .runEnded(try coder.word("reason", reason, among: RunEnd.allCases) { $0.traceName })
    case .callUnfinished(let call):
      return .callUnfinished(try coder.begin("callUnfinished", call: call))
    }
  }
}

// Identifiers in examples.
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

extension ScriptAction {
  package var traceName: String {
    switch self {
    case .flags: "flags"
    case .path: "path"
    case .app: "app"
    case .makeCall: "make"
    case .startCall: "call"
    case .cancel: "cancel"
    case .finish: "finish"
    case .send: "send"
    case .disconnect: "disconnect"
    case .server: "server"
    case .names: "names"
    case .transport: "transport"
    case .monitor: "monitor"
    case .receive: "receive"
    case .interceptor: "interceptor"
    case .request: "request"
    case .cancelRequest: "cancelRequest"
    case .ask: "ask"
    case .dispatcher: "dispatcher"
    }
  }
}
