package import HandoverCore

// The client's events and effects: one member, named as the case, with an object of its parts.
extension TraceWriter {
  mutating func write(_ event: ClientCore.Event) {
    switch event {
    case .reachability(let fact): write(fact)
    case .pool(let fact): write(fact)
    }
  }

  private mutating func write(_ event: ConnectivityMonitor.Event) {
    switch event {
    case .initialRead(let flags):
      begin("initialRead")
      if let flags {
        write(flags)
      } else {
        json.key("flags")
        json.null()
      }
    case .callback(let flags):
      begin("callback")
      write(flags)
    case .resynchronised(let flags):
      begin("resynchronised")
      write(flags)
    }
    json.endObject()
  }

  private mutating func write(_ event: ChannelPool.Event) {
    switch event {
    case .callStarted(let call, let endpoint, let settings):
      begin("callStarted", call)
      json.key("endpoint")
      json.value(endpoint.index)
      write(settings)
    case .tokenArrived(let call): begin("tokenArrived", call)
    case .messageQueued(let call, let bytes):
      begin("messageQueued", call)
      json.key("bytes")
      json.value(bytes)
    case .requestFinished(let call): begin("requestFinished", call)
    case .callCancelled(let call): begin("callCancelled", call)
    case .connected(let connection): begin("connected", connection)
    case .connectFailed(let connection, let failure):
      begin("connectFailed", connection)
      json.member("failure", failure.traceName)
    case .connectionBroken(let connection, let failure):
      begin("connectionBroken", connection)
      json.member("failure", failure.traceName)
    case .connectionDraining(let connection): begin("connectionDraining", connection)
    case .pongReceived(let connection): begin("pongReceived", connection)
    case .messageReceived(let call): begin("messageReceived", call)
    case .streamEnded(let call, let code):
      begin("streamEnded", call)
      json.member("status", code.name)
    case .disconnectRequested(let endpoint):
      begin("disconnectRequested")
      json.key("endpoint")
      json.value(endpoint.index)
    case .disconnectAllRequested: begin("disconnectAllRequested")
    case .timeElapsed: begin("timeElapsed")
    case .closed: begin("closed")
    }
    json.endObject()
  }

  private mutating func write(_ settings: CallSettings) {
    json.member(
      "deadline", settings.deadline == .never ? nil : settings.deadline.microseconds)
    json.member("failsFast", settings.failsFast)
    json.member("awaitsToken", settings.awaitsToken)
    json.member("requestIsComplete", settings.requestIsComplete)
  }

  mutating func write(_ effect: ClientEffect) {
    switch effect {
    case .notify(let change):
      begin("notify")
      json.member("from", change.from.description)
      json.member("to", change.to.description)
    case .channelCreated(let channel): begin("channelCreated", channel)
    case .channelMoved(let channel, let from, let to):
      begin("channelMoved", channel)
      json.member("from", from.name)
      json.member("to", to.name)
    case .channelDestroyed(let channel, let reason):
      begin("channelDestroyed", channel)
      json.member("reason", reason.traceName)
    case .callBound(let call, let channel, let isNew):
      begin("callBound", call)
      write(channel)
      json.member("isNew", isNew)
    case .fetchToken(let call): begin("fetchToken", call)
    case .openConnection(let connection, let channel):
      begin("openConnection", connection)
      write(channel)
    case .closeConnection(let connection): begin("closeConnection", connection)
    case .startStream(let call, let connection): begin("startStream", call, on: connection)
    case .sendMessages(let call, let connection, let count, let bytes):
      begin("sendMessages", call, on: connection)
      json.key("count")
      json.value(count)
      json.key("bytes")
      json.value(bytes)
    case .finishStream(let call, let connection): begin("finishStream", call, on: connection)
    case .resetStream(let call, let connection): begin("resetStream", call, on: connection)
    case .sendPing(let connection): begin("sendPing", connection)
    case .deliverMessage(let call): begin("deliverMessage", call)
    case .endCall(let call, let end):
      begin("endCall", call)
      json.member("status", end.code.name)
      json.member("message", endTexts.text(of: call, end))
    }
    json.endObject()
  }

  // MARK: Parts

  /// Begins the object of a case.
  @inline(__always)
  mutating func begin(_ name: String) {
    json.key(name)
    json.beginObject()
  }

  private mutating func begin(_ name: String, _ call: CallID) {
    begin(name)
    write(call)
  }

  private mutating func begin(_ name: String, _ call: CallID, on connection: ConnectionID) {
    begin(name, call)
    write(connection)
  }

  mutating func begin(_ name: String, _ connection: ConnectionID) {
    begin(name)
    write(connection)
  }

  private mutating func begin(_ name: String, _ channel: ChannelID) {
    begin(name)
    write(channel)
  }

  mutating func write(_ call: CallID) {
    json.member("call", name(of: call))
    pair("id", call.index, call.generation)
  }

  private mutating func write(_ connection: ConnectionID) {
    pair("connection", connection.index, connection.generation)
  }

  private mutating func write(_ channel: ChannelID) {
    let endpoint = Int(channel.endpoint.index)
    let host = endpoint < endpointHosts.count ? Int(endpointHosts[endpoint]) : .max
    json.member("host", host < script.hosts.count ? script.hosts[host].written : nil)
    pair("channel", channel.endpoint.index, channel.generation)
  }

  private mutating func pair(_ name: String, _ index: UInt32, _ generation: UInt32) {
    json.key(name)
    json.beginArray()
    json.value(index)
    json.value(generation)
    json.endArray()
  }

  mutating func write(_ flags: ReachabilityFlags) { json.flags(flags) }
}

extension JSONText {
  /// Writes the names of flags; bits without a name come last, as one number.
  package mutating func flags(_ flags: ReachabilityFlags) {
    key("flags")
    beginArray()
    for (name, flag) in ReachabilityFlags.names where flags.contains(flag) { value(name) }
    let unnamed = flags.subtracting(.all).rawValue
    if unnamed != 0 { value(unnamed) }
    endArray()
  }
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

extension DestroyReason {
  package var traceName: String {
    switch self {
    case .transition: "transition"
    case .disconnected: "disconnected"
    case .unused: "unused"
    case .broken: "broken"
    case .clientClosed: "clientClosed"
    }
  }
}
