import HandoverCore

/// What reaches a client from the network, whichever client it is: each makes of it what its own
/// machines take.
///
/// A stream is known by the identifier that its client gave it.
enum NetworkFact: Hashable, Sendable, BitwiseCopyable {
  /// A connection can be used.
  case connected(ConnectionID)
  /// A connection could not be made.
  case attemptFailed(ConnectionID, ConnectionFailure)
  /// A connection that could be used broke.
  case connectionLost(ConnectionID, ConnectionFailure)
  /// The server takes no new streams on a connection.
  case draining(ConnectionID)
  case pong(ConnectionID)
  /// The server began to answer a stream; the servers of calls say nothing of it.
  case headers(CallID)
  /// The server sent a message of a stream.
  case message(CallID)
  /// The server ended a stream.
  case ended(CallID, StatusCode)
}

extension ChannelPool.Event {
  /// What the pool of a client for calls takes for what reached it.
  @inline(__always)
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
