package import HandoverMachines

/// A rule that a world broke.
package enum WorldBreach: Hashable, Sendable {
  /// The client broke one of its own.
  case client(Breach)
  /// The client did something although nothing reached it, or what reached it was about nothing.
  case actedUnasked
  /// The client has a connection that the network does not know.
  case unknownConnection
  /// A connection was lost, or is there, and the client will never hear of it.
  case lossUntold(host: Int)
  case connectionUntold(host: Int)
  /// A stream of the platform stalls because the device has left its path (D10).
  case deafStream(host: Int)
  /// Nothing will ever end a call that runs, although nothing of it was thrown away.
  case answerLost
  /// A call waits for a token that never comes.
  case tokenLost
  /// With everything healed a call does not end, there is no end to what happens, the client keeps
  /// on trying for nobody, or its monitor holds another category than the device has.
  case callNeverEnds
  case neverRests
  case triesForNobody(host: Int)
  case channelKept(host: Int)
  case wrongCategory(NetworkCategory)

  /// The rule of every run that it is about.
  package var rule: RuleIdentifier {
    switch self {
    case .client(let breach): breach.rule
    case .actedUnasked, .unknownConnection: .aliveness
    case .lossUntold, .connectionUntold, .deafStream, .answerLost, .tokenLost, .callNeverEnds,
      .neverRests, .triesForNobody, .channelKept:
      .waiting
    case .wrongCategory: .categoryChange
    }
  }

  /// What was seen, in one sentence without a full stop.
  package var sentence: String {
    switch self {
    case .client(let breach): breach.sentence
    case .actedUnasked: "the client acts although nothing has reached it"
    case .unknownConnection: "the client has a connection that the network does not know"
    case .lossUntold(let host):
      "a connection to host-\(host + 1) was lost, and the client will never hear of it"
    case .connectionUntold(let host):
      "a connection to host-\(host + 1) was made, and the client will never hear of it"
    case .deafStream(let host):
      "a stream to host-\(host + 1) hears nothing of the path that was left"
    case .answerLost: "a call runs that nothing will ever end"
    case .tokenLost: "a call waits for a token that never comes"
    case .callNeverEnds: "with everything healed, a call does not end"
    case .neverRests: "with everything healed, there is no end to what happens"
    case .triesForNobody(let host):
      "with everything healed and no call left, there are attempts to host-\(host + 1)"
    case .channelKept(let host):
      "with everything healed and no call left, the channel to host-\(host + 1) stays for ever"
    case .wrongCategory(let category):
      "with everything healed, the monitor still holds \(category)"
    }
  }

  /// Whether only what comes after the healing shows it.
  package var isOfHealing: Bool {
    switch self {
    case .callNeverEnds, .neverRests, .triesForNobody, .channelKept, .wrongCategory: true
    case .client, .actedUnasked, .unknownConnection, .lossUntold, .connectionUntold, .deafStream,
      .answerLost, .tokenLost:
      false
    }
  }
}

/// A shortest way to a rule that a world broke.
package struct WorldCounterexample: Hashable, Sendable {
  /// How the device began; Unknown where the monitor could not read it.
  package var initialRead: NetworkCategory
  /// What happened then, in order.
  package var acts: [WorldAct]
  /// What was broken.
  package var breach: WorldBreach
}
