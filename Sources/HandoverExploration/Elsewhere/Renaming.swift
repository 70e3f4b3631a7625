import HandoverCore

// Each of two clients numbers its calls and connections in its own way. Events and effects are
// therefore compared by common identifiers. A call is identified by the number of calls that
// started before it. A connection is identified by its host and the number of connections that were
// opened to that host before.

/// Replaces the identifiers in events and effects.
struct Renaming: Sendable {
  var call: @Sendable (CallID) -> CallID
  var connection: @Sendable (ConnectionID) -> ConnectionID

  /// Replaces every identifier by the same one, so that only the kinds of events and effects
  /// remain.
  static let nameless = Renaming(
    call: { _ in CallID(index: 0, generation: 0) },
    connection: { _ in ConnectionID(index: 0, generation: 0) })

  // long: a flat switch with a line per event
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

  /// Returns the common identifier of a channel, which depends only on its host.
  private static func channel(_ id: ChannelID) -> ChannelID {
    ChannelID(endpoint: id.endpoint, generation: 0)
  }
}

/// The connections of a client, by host and by the number of connections opened before.
struct OpenedConnections: Sendable {
  private var identifiers: [(id: ConnectionID, host: UInt32, number: UInt32)] = []

  /// Records a connection if the effect opens one.
  mutating func note(_ effect: ClientEffect) {
    guard case .openConnection(let id, let channel) = effect else { return }
    let host = channel.endpoint.index
    let number = UInt32(truncatingIfNeeded: identifiers.count { $0.host == host })
    identifiers.append((id, host, number))
  }

  /// Returns the common identifier of a connection.
  ///
  /// Its index is the host, and its generation is the number of earlier connections to that host.
  func name(_ id: ConnectionID) -> ConnectionID {
    guard let one = identifiers.last(where: { $0.id == id }) else {
      return ConnectionID(index: .max, generation: .max)
    }
    return ConnectionID(index: one.host, generation: one.number)
  }

  /// Returns the client's own identifier of a connection, or `nil` if there is none.
  func identifier(_ name: ConnectionID) -> ConnectionID? {
    identifiers.first { $0.host == name.index && $0.number == name.generation }?.id
  }
}

extension ClientEffect {
  /// A description of the effect as a predicate without a subject, with common identifiers.
  package var phrase: String {
    func call(_ id: CallID) -> String { "call \(id.index + 1)" }
    func host(_ id: ChannelID) -> String { "host-\(id.endpoint.index + 1)" }
    func connection(_ id: ConnectionID) -> String {
      id.index == .max
        ? "a connection that does not exist"
        : "connection \(id.generation + 1) of host-\(id.index + 1)"
    }
    return switch self {
    case .notify(let change): "reports a change from \(change.from) to \(change.to)"
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
