import HandoverBackend
import HandoverCore

// The messages to a remote client and their parts. `EventText` writes them, and `ReferenceClient`
// reads them. Reachability is sent as flags. Elapsed time and closing are separate commands.
extension ChannelPool.Event: CodedMessage {
  typealias Call = CallID

  static let messageForms = MessageForms<ChannelPool.Event>()

  func coded<Coder: MessageCoder>(
    by coder: inout Coder
  ) throws(Coder.Failure) -> ChannelPool.Event where Coder.Call == CallID {
    switch self {
    case .callStarted(let call, let endpoint, let settings):
      coder.begin("call")
      coder.start(call, endpoint, settings)
      return self
    case .tokenArrived(let call): return .tokenArrived(try coder.only("token", call))
    case .messageQueued(let call, let bytes):
      coder.begin("send")
      return .messageQueued(
        try coder.call(call),
        bytes: try coder.count("bytes", bytes, from: 1, through: .max))
    case .requestFinished(let call): return .requestFinished(try coder.only("finish", call))
    case .callCancelled(let call): return .callCancelled(try coder.only("cancel", call))
    case .connected(let id): return .connected(try coder.connected(id))
    case .connectFailed(let id, let failure):
      let (id, failure) = try coder.connectFailed(id, failure)
      return .connectFailed(id, failure)
    case .connectionBroken(let id, let failure):
      let (id, failure) = try coder.broken(id, failure)
      return .connectionBroken(id, failure)
    case .connectionDraining(let id): return .connectionDraining(try coder.draining(id))
    case .pongReceived(let id): return .pongReceived(try coder.pong(id))
    case .dataReceived(let id): return .dataReceived(try coder.data(id))
    case .messageReceived(let call): return .messageReceived(try coder.message(of: call))
    case .streamEnded(let call, let code):
      let (call, code) = try coder.ended(call, code)
      return .streamEnded(call, code)
    case .disconnectRequested(let endpoint):
      coder.disconnect("disconnect", endpoint)
      return self
    case .disconnectAllRequested:
      coder.disconnect("disconnect", nil)
      return self
    case .timeElapsed, .closed: return self
    }
  }
}

// The messages from a remote client and their parts. `ReferenceClient` writes them, and
// `ClientNames` reads them.
extension ClientEffect: CodedMessage {
  typealias Call = CallID

  static let messageForms = MessageForms<ClientEffect>()

  func coded<Coder: MessageCoder>(
    by coder: inout Coder
  ) throws(Coder.Failure) -> ClientEffect where Coder.Call == CallID {
    switch self {
    case .notify(let change):
      coder.begin("notify")
      return .notify(
        CategoryChange(
          from: try coder.category("from", change.from), to: try coder.category("to", change.to)))
    case .channelCreated(let id):
      coder.begin("channel")
      coder.state(id, .idle, nil)
      return self
    case .channelMoved(let id, _, let state):
      coder.begin("channel")
      coder.state(id, state, nil)
      return self
    case .channelDestroyed(let id, let reason):
      coder.begin("channel")
      coder.state(id, .shutdown, reason)
      return self
    case .callBound(let call, let channel, let isNew):
      coder.begin("bound")
      return .callBound(
        try coder.call(call), try coder.channel(channel), isNew: try coder.flag("new", isNew))
    case .fetchToken(let call): return .fetchToken(try coder.only("fetchToken", call))
    case .openConnection(let id, let channel):
      coder.begin("connect")
      coder.open(id, channel)
      return self
    case .closeConnection(let id):
      coder.begin("close")
      return .closeConnection(try coder.connection(id))
    case .startStream(let call, let id):
      coder.begin("send")
      let id = try coder.connection(id)
      return .startStream(try coder.call(call), id)
    case .sendMessages(let call, let id, let count, let bytes):
      coder.begin("send", with: "messages")
      let id = try coder.connection(id)
      return .sendMessages(
        try coder.call(call), id, count: try coder.count("messages", count, from: 1),
        bytes: try coder.count("bytes", bytes))
    case .finishStream(let call, let id):
      coder.begin("finish")
      let id = try coder.connection(id)
      return .finishStream(try coder.call(call), id)
    case .resetStream(let call, let id):
      coder.begin("reset")
      let id = try coder.connection(id)
      return .resetStream(try coder.call(call), id)
    case .sendPing(let id):
      coder.begin("ping")
      return .sendPing(try coder.connection(id))
    case .deliverMessage(let call): return .deliverMessage(try coder.only("deliver", call))
    case .endCall(let call, let end):
      coder.begin("ended")
      let call = try coder.call(call)
      let code = try coder.status(end.code)
      coder.message(end.text)
      return .endCall(call, CallEnd(code, end.text))
    }
  }
}
