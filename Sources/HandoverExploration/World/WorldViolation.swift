package import HandoverCore

/// An invariant that a world violated.
package enum WorldViolation: Hashable, Sendable {
  /// The client violated an invariant that concerns only the client.
  case client(Violation)
  /// The client acted although no event reached it, or only events about unknown objects.
  case actedWithoutEvent
  /// The client has a connection that the network does not have.
  case unknownConnection
  /// A connection was lost or established, and the client will never be notified.
  case lossNotReported(host: Int)
  case connectionNotReported(host: Int)
  /// An iOS stream stalls because the device has left its network (D10).
  case deafStream(host: Int)
  /// Nothing will ever end a running call, although none of its data was discarded.
  case answerLost
  /// A call waits for a token that never arrives.
  case tokenLost
  /// After the network is restored, one of the following is true: a call does not end, events never
  /// stop, the client keeps connecting without need, a channel is never destroyed, or the monitor
  /// holds a wrong category.
  case callNeverEnds
  case neverRests
  case attemptsWithoutCalls(host: Int)
  case channelKept(host: Int)
  case wrongCategory(NetworkCategory)

  /// The invariant of runs to which the violation belongs.
  package var rule: RuleIdentifier {
    switch self {
    case .client(let violation): violation.rule
    case .actedWithoutEvent, .unknownConnection: .aliveness
    case .lossNotReported, .connectionNotReported, .deafStream, .answerLost, .tokenLost,
      .callNeverEnds,
      .neverRests, .attemptsWithoutCalls, .channelKept:
      .waiting
    case .wrongCategory: .categoryChange
    }
  }

  /// A description of the violation: one sentence without a full stop.
  package var sentence: String {
    switch self {
    case .client(let violation): violation.sentence
    case .actedWithoutEvent: "the client acts although nothing has reached it"
    case .unknownConnection: "the client has a connection that the network does not know"
    case .lossNotReported(let host):
      "a connection to host-\(host + 1) was lost, and the client will never be notified"
    case .connectionNotReported(let host):
      "a connection to host-\(host + 1) was made, and the client will never be notified"
    case .deafStream(let host):
      "a stream to host-\(host + 1) is not notified that its path was left"
    case .answerLost: "a call runs that nothing will ever end"
    case .tokenLost: "a call waits for a token that never comes"
    case .callNeverEnds: "after the network is restored, a call does not end"
    case .neverRests: "after the network is restored, the client never becomes idle"
    case .attemptsWithoutCalls(let host):
      "after the network is restored and all calls have ended, there are attempts to "
        + "host-\(host + 1)"
    case .channelKept(let host):
      "after the network is restored and all calls have ended, the channel to host-\(host + 1) "
        + "remains"
    case .wrongCategory(let category):
      "after the network is restored, the monitor still has the category \(category)"
    }
  }

  /// Whether the violation appears only after the network is restored.
  package var appearsAfterRestoration: Bool {
    switch self {
    case .callNeverEnds, .neverRests, .attemptsWithoutCalls, .channelKept, .wrongCategory: true
    case .client, .actedWithoutEvent, .unknownConnection, .lossNotReported, .connectionNotReported,
      .deafStream,
      .answerLost, .tokenLost:
      false
    }
  }
}

/// A shortest path to a violation by a world.
package struct WorldCounterexample: Hashable, Sendable {
  /// The initial category of the device; Unknown if the monitor could not read it.
  package var initialRead: NetworkCategory
  /// The actions that followed, in order.
  package var actions: [WorldAction]
  /// The violation.
  package var violation: WorldViolation
}
