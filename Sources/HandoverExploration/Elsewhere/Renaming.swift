import HandoverMachines

// Two clients number their calls and connections each in its own way. What they are told and do is
// compared by names that both have: a call is the one that was started so many calls before, and a
// connection the one that was opened to its host so many connections before.

/// Gives what a client is told and does other identifiers.
struct Renaming: Sendable {
  var call: @Sendable (CallID) -> CallID
  var connection: @Sendable (ConnectionID) -> ConnectionID

  /// Gives every call and every connection the same name: what remains is what is done.
  static let nameless = Renaming(
    call: { _ in CallID(index: 0, generation: 0) },
    connection: { _ in ConnectionID(index: 0, generation: 0) })

  // long: a flat switch, a line for each event
  func callAsFunction(_ event: ClientCore.Event) -> ClientCore.Event {
    guard case .pool(let event) = event else { return event }
    let renamed: ChannelPool.Event =
      switch event {
      case .callStarted(let id, let endpoint, let settings):
        .callStarted(call(id), endpoint, settings)
      case .tokenArrived(let id): .tokenArrived(call(id))
      case .messageQueued(let id, let bytes): .messageQueued(call(id), bytes: bytes)
      case .requestFinished(let id): .requestFinished(call(id))
      case .callCancelled(let id): .callCancelled(call(id))
      case .connected(let id): .connected(connection(id))
      case .connectFailed(let id, let failure): .connectFailed(connection(id), failure)
      case .connectionBroken(let id, let failure): .connectionBroken(connection(id), failure)
      case .connectionDraining(let id): .connectionDraining(connection(id))
      case .pongReceived(let id): .pongReceived(connection(id))
      case .dataReceived(let id): .dataReceived(connection(id))
      case .messageReceived(let id): .messageReceived(call(id))
      case .streamEnded(let id, let code): .streamEnded(call(id), code)
      case .disconnectRequested, .disconnectAllRequested, .timeElapsed, .closed: event
      }
    return .pool(renamed)
  }

  func callAsFunction(_ effect: ClientEffect) -> ClientEffect {
    switch effect {
    case .notify: effect
    case .channelCreated(let id): .channelCreated(Self.channel(id))
    case .channelMoved(let id, let old, let new):
      .channelMoved(Self.channel(id), from: old, to: new)
    case .channelDestroyed(let id, let reason): .channelDestroyed(Self.channel(id), reason)
    case .callBound(let id, let channel, let isNew):
      .callBound(call(id), Self.channel(channel), isNew: isNew)
    case .fetchToken(let id): .fetchToken(call(id))
    case .openConnection(let id, let channel):
      .openConnection(connection(id), Self.channel(channel))
    case .closeConnection(let id): .closeConnection(connection(id))
    case .startStream(let id, let on): .startStream(call(id), connection(on))
    case .sendMessages(let id, let on, let count, let bytes):
      .sendMessages(call(id), connection(on), count: count, bytes: bytes)
    case .finishStream(let id, let on): .finishStream(call(id), connection(on))
    case .resetStream(let id, let on): .resetStream(call(id), connection(on))
    case .sendPing(let id): .sendPing(connection(id))
    case .deliverMessage(let id): .deliverMessage(call(id))
    case .endCall(let id, let end): .endCall(call(id), end)
    }
  }

  /// A channel is known by its host alone.
  private static func channel(_ id: ChannelID) -> ChannelID {
    ChannelID(endpoint: id.endpoint, generation: 0)
  }
}

/// The connections of a client, by hosts and by how many were opened to each before.
struct OpenedConnections: Sendable {
  private var identifiers: [(id: ConnectionID, host: UInt32, number: UInt32)] = []

  /// Notes a connection that was opened.
  mutating func note(_ effect: ClientEffect) {
    guard case .openConnection(let id, let channel) = effect else { return }
    let host = channel.endpoint.index
    let number = UInt32(truncatingIfNeeded: identifiers.count { $0.host == host })
    identifiers.append((id, host, number))
  }

  /// The name that both clients know a connection by: the host is its row, and what counts the
  /// connections to it the generation.
  func name(_ id: ConnectionID) -> ConnectionID {
    guard let one = identifiers.last(where: { $0.id == id }) else {
      return ConnectionID(index: .max, generation: .max)
    }
    return ConnectionID(index: one.host, generation: one.number)
  }

  /// The client's own identifier of a connection by its name; nil where it has none.
  func identifier(_ name: ConnectionID) -> ConnectionID? {
    identifiers.first { $0.host == name.index && $0.number == name.generation }?.id
  }
}

extension ClientEffect {
  /// What a client did, in words that follow its name; calls and connections by their names.
  package var deed: String {
    func call(_ id: CallID) -> String { "call \(id.index + 1)" }
    func host(_ id: ChannelID) -> String { "host-\(id.endpoint.index + 1)" }
    func connection(_ id: ConnectionID) -> String {
      id.index == .max
        ? "a connection that is not there"
        : "connection \(id.generation + 1) of host-\(id.index + 1)"
    }
    return switch self {
    case .notify(let change): "tells of a change from \(change.from) to \(change.to)"
    case .channelCreated(let id): "makes a channel to \(host(id))"
    case .channelMoved(let id, _, let state): "has its channel to \(host(id)) in \(state)"
    case .channelDestroyed(let id, let reason): "destroys its channel to \(host(id)) (\(reason))"
    case .callBound(let id, let channel, let isNew):
      "binds \(call(id)) to \(isNew ? "a new" : "its") channel to \(host(channel))"
    case .fetchToken(let id): "asks for the token of \(call(id))"
    case .openConnection(_, let channel): "connects to \(host(channel))"
    case .closeConnection(let id): "closes \(connection(id))"
    case .startStream(let id, let on): "sends \(call(id)) on \(connection(on))"
    case .sendMessages(let id, let on, _, _): "sends messages of \(call(id)) on \(connection(on))"
    case .finishStream(let id, let on): "ends the requests of \(call(id)) on \(connection(on))"
    case .resetStream(let id, let on): "resets \(call(id)) on \(connection(on))"
    case .sendPing(let id): "pings \(connection(id))"
    case .deliverMessage(let id): "delivers a message of \(call(id))"
    case .endCall(let id, let end): "ends \(call(id)) \(end.code) \"\(end.text.text)\""
    }
  }
}
