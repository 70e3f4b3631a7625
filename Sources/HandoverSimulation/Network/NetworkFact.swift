import HandoverCore

/// A fact that reaches a client from the network.
///
/// Each kind of client converts it to its own events.
///
/// A stream is identified by the identifier that its client assigned.
enum NetworkFact: Hashable, Sendable, BitwiseCopyable {
  /// A connection is usable.
  case connected(ConnectionID)
  /// A connection attempt failed.
  case attemptFailed(ConnectionID, ConnectionFailure)
  /// An established connection broke.
  case connectionLost(ConnectionID, ConnectionFailure)
  /// The server accepts no new streams on a connection.
  case draining(ConnectionID)
  case pong(ConnectionID)
  /// The server began its response to a stream.
  ///
  /// Servers of calls do not report this.
  case headers(CallID)
  /// The server sent a message of a stream.
  case message(CallID)
  /// The server ended a stream.
  case ended(CallID, StatusCode)
}

extension ChannelPool.Event {
  /// Creates the event of the pool for a fact, or returns `nil` if the pool has no such event.
  init?(_ fact: NetworkFact) {
    switch fact {
    case .connected(let id): self = .connected(id)
    case .attemptFailed(let id, let failure): self = .connectFailed(id, failure)
    case .connectionLost(let id, let failure): self = .connectionBroken(id, failure)
    case .draining(let id): self = .connectionDraining(id)
    case .pong(let id): self = .pongReceived(id)
    case .headers: return nil
    case .message(let call): self = .messageReceived(call)
    case .ended(let call, let code): self = .streamEnded(call, code)
    }
  }
}
