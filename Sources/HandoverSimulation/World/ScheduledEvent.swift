import HandoverCore

/// What can happen of itself in a simulated world.
enum ScheduledEvent: Hashable, Sendable {
  /// A reachability callback arrives that was sent after so many overruns.
  case callback(ReachabilityFlags, overruns: UInt32)
  /// The flags are read afresh after an overrun.
  case freshRead
  /// The first packet's answer is due.
  case handshake(ConnectionID)
  /// The client is told something of a connection, whatever has become of that meanwhile.
  case news(ConnectionID, NetworkFact)
  /// What was written has not been acknowledged for too long.
  case tcpTimeout(ConnectionID)
  /// Something of the far side arrives.
  case arrival(ConnectionID, NetworkFact)
  /// A transport elsewhere wants to be told that time has passed.
  case transportTurn
  /// An event that was held back reaches the application.
  case heldEvent(ChannelPool.Event)
  /// The server begins to answer a request, by its index in the script.
  case answerBegins(UInt32)
  /// The server ends the answer to a call, or a request.
  case answerEnds(UInt32)
  /// The server sends a message of a call, or a request.
  case answerMessage(UInt32)
  /// The token of a call arrives.
  case token(UInt32)
  /// The world answers an interceptor's question, by its index among all of them.
  case chainAnswer(UInt32)
  /// What interceptors ordered while the application did not run reaches the client.
  case heldOrders
  /// The linger of a network is over.
  case lingerEnds(PathIndex, NetworkEnding?)
  /// The router of an entry forgets its flows once more.
  case flowsForgotten(UInt32)
  /// The uplink of an entry goes or returns of itself.
  case uplinkTurns(UInt32, isUp: Bool)
  /// What the client wrote first, of all that is under way on a connection, is there.
  case writeArrives(ConnectionID)
  /// What the far side sent first, of all that is under way on a connection, is there.
  case factArrives(ConnectionID)
  /// Nothing has been received on a connection for too long.
  case idleTimeout(ConnectionID)
  /// A challenge of a path is there, of a validation of a connection.
  case challengeArrives(ConnectionID, number: UInt32)
  /// The answer to it is there.
  case responseArrives(ConnectionID, number: UInt32)
  /// It has had no answer for some time.
  case validationTimer(ConnectionID, number: UInt32)
  /// The new address of a client should have answered its server.
  case addressAnswers(ConnectionID, number: UInt32)
}
