/// An order of the client to the world, or a report of its own doings.
@frozen
public enum ClientEffect: BitwiseCopyable, Hashable, Sendable {
  /// Observers of the monitor are notified (M9).
  case notify(CategoryChange)
  /// A real channel was made, in IDLE.
  case channelCreated(ChannelID)
  /// A channel changed its state.
  case channelMoved(ChannelID, from: ChannelState, to: ChannelState)
  /// A channel was destroyed; it is in SHUTDOWN for ever.
  case channelDestroyed(ChannelID, DestroyReason)
  /// A call was bound to a channel; `isNew` where the channel was made for it.
  case callBound(CallID, ChannelID, isNew: Bool)
  /// Ask for the auth token of a call.
  case fetchToken(CallID)
  /// Close a connection, or give up the attempt to make it.
  case closeConnection(ConnectionID)
  /// Send the request of a call.
  case startStream(CallID, ConnectionID)
  /// Send messages of a call.
  case sendMessages(CallID, ConnectionID, count: UInt32, bytes: UInt32)
  /// Tell the server that the requests of a call are complete.
  case finishStream(CallID, ConnectionID)
  /// Tell the server that a call is over.
  case resetStream(CallID, ConnectionID)
  /// Send a ping.
  case sendPing(ConnectionID)
  /// Give the user a message of the server.
  case deliverMessage(CallID)
  /// Make a connection for a channel.
  case openConnection(ConnectionID, ChannelID)
  /// Tell the user how a call ended. Nothing comes after it for the call.
  case endCall(CallID, CallEnd)
}

/// Why a channel was destroyed.
@frozen
public enum DestroyReason: UInt8, Hashable, Sendable, CaseIterable {
  /// The category of the network changed.
  case transition
  /// The user disconnected it.
  case disconnected
  /// It had no call for the destroy delay (P6).
  case unused
  /// Its connection broke, and the policy destroys such channels (D9).
  case broken
  /// The client was closed.
  case clientClosed

  /// How the unfinished calls of the channel end; those of a broken one end as the connection did.
  var callEnd: CallEnd {
    switch self {
    case .transition: .connectivityLost
    case .disconnected, .unused, .broken: .disconnected
    case .clientClosed: .clientClosed
    }
  }
}
