import HandoverBackend
import HandoverCore

/// An event that is scheduled in a simulated world.
enum ScheduledEvent: Hashable, Sendable {
  /// A reachability callback arrives.
  ///
  /// `overruns` is the number of overruns when it was sent.
  case callback(ReachabilityFlags, overruns: UInt32)
  /// The monitor reads the flags again after an overrun.
  case freshRead
  /// Both answers of the name server arrive.
  case nameAnswer(ConnectionID)
  /// The response to the first packet is due.
  case handshake(ConnectionID)
  /// The client is notified of a fact about a connection, even if the connection has changed since.
  case news(ConnectionID, NetworkFact)
  /// Written data was not acknowledged in time.
  case tcpTimeout(ConnectionID)
  /// A fact from the server arrives.
  case arrival(ConnectionID, NetworkFact)
  /// A transport in another process must be notified that time has passed.
  case transportTurn
  /// An event that was held reaches the application.
  case heldEvent(ChannelPool.Event)
  /// The server begins the response to a request, given by its script index.
  case answerBegins(UInt32)
  /// The server ends the response to a call or a request.
  case answerEnds(UInt32)
  /// The server sends a message of a call or a request.
  case answerMessage(UInt32)
  /// The token of a call arrives.
  case token(UInt32)
  /// The world answers an interceptor's question, given by its index among all questions.
  case chainAnswer(UInt32)
  /// Orders that interceptors gave while the application was suspended reach the client.
  case heldOrders
  /// A scheduled change of a network is due.
  case networkChange(DeviceTimeline.ScheduledChange)
  /// The client's first write in transit on a connection arrives.
  case writeArrives(ConnectionID)
  /// The server's first fact in transit on a connection arrives.
  case factArrives(ConnectionID)
  /// No data was received on a connection within the idle timeout.
  case idleTimeout(ConnectionID)
  /// A challenge of a connection's path validation arrives.
  case challengeArrives(ConnectionID, number: UInt32)
  /// The response to a challenge arrives.
  case responseArrives(ConnectionID, number: UInt32)
  /// A challenge had no response in time.
  case validationTimer(ConnectionID, number: UInt32)
  /// The client's new address should have responded to the server.
  case addressAnswers(ConnectionID, number: UInt32)
}
