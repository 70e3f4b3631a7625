/// A command of the client to its driver, or a report about a change in the client.
@frozen
public enum ClientEffect: BitwiseCopyable, Hashable, Sendable {
  /// The observers of the monitor are notified (M9).
  case notify(CategoryChange)
  /// A real channel was created, in IDLE.
  case channelCreated(ChannelID)
  /// A channel changed its state.
  case channelMoved(ChannelID, from: ChannelState, to: ChannelState)
  /// A channel was destroyed; SHUTDOWN is its final state.
  case channelDestroyed(ChannelID, DestroyReason)
  /// A call was bound to a channel; `isNew` is true if the channel was created for the call.
  case callBound(CallID, ChannelID, isNew: Bool)
  /// Request the auth token of a call.
  case fetchToken(CallID)
  /// Close a connection, or give up its attempt.
  case closeConnection(ConnectionID)
  /// Send the request of a call.
  case startStream(CallID, ConnectionID)
  /// Send messages of a call.
  case sendMessages(CallID, ConnectionID, count: UInt32, bytes: UInt32)
  /// Notify the server that the request of a call is complete.
  case finishStream(CallID, ConnectionID)
  /// Notify the server that a call has ended.
  case resetStream(CallID, ConnectionID)
  /// Send a ping.
  case sendPing(ConnectionID)
  /// Deliver a message from the server to the user.
  case deliverMessage(CallID)
  /// Open a connection for a channel.
  case openConnection(ConnectionID, ChannelID)
  /// Report the end of a call to the user. No other effect for the call follows.
  case endCall(CallID, CallEnd)
}

/// The reason why a channel was destroyed.
@frozen
public enum DestroyReason: String, Hashable, Sendable, CaseIterable {
  /// The category of the network changed.
  case transition
  /// The user disconnected the channel.
  case disconnected
  /// The channel had no calls during the destroy delay (P6).
  case unused
  /// The connection broke, and the policy destroys such channels (D9).
  case broken
  /// The client was closed.
  case clientClosed

  /// The end of the channel's unfinished calls; for `broken`, the failure determines the end
  /// instead.
  var callEnd: CallEnd {
    switch self {
    case .transition: .connectivityLost
    case .disconnected, .unused, .broken: .disconnected
    case .clientClosed: .clientClosed
    }
  }
}
