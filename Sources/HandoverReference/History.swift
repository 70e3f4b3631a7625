// What a client hears and orders, in words of its own: the machines have others, so that nothing
// here can agree with them by sharing their code.

/// One fact that a client is told of, with the orders that it gives for it.
package struct Step: Hashable, Sendable {
  /// When, in microseconds.
  package var at: Int64
  package var fact: Fact
  package var orders: [Order]
  /// Whether the device wakes from sleep at this instant, and does what was due meanwhile.
  package var isAtWaking: Bool

  package init(at: Int64, _ fact: Fact, _ orders: [Order] = [], isAtWaking: Bool = false) {
    self.at = at
    self.fact = fact
    self.orders = orders
    self.isAtWaking = isAtWaking
  }
}

/// Three of the flags that the platform reports; the others have no say (M4).
package struct Flags: Hashable, Sendable {
  package var isReachable: Bool
  package var needsConnection: Bool
  package var isWWAN: Bool

  package init(isReachable: Bool, needsConnection: Bool = false, isWWAN: Bool = false) {
    self.isReachable = isReachable
    self.needsConnection = needsConnection
    self.isWWAN = isWWAN
  }
}

/// A fact.
///
/// Calls, channels and connections are numbers that nothing else of their kind ever has; hosts are
/// the keys of channels.
package enum Fact: Hashable, Sendable {
  /// The first read of the flags; nil where it failed.
  case firstRead(Flags?)
  case callback(Flags)
  /// A call starts; its deadline is in microseconds.
  case starts(call: Int, host: Int, failsFast: Bool, awaitsToken: Bool, deadline: Int64?)
  case token(call: Int)
  case cancelled(call: Int)
  case answered(call: Int)
  case serverEnded(call: Int, status: Int)
  case connected(Int)
  /// An attempt failed, because of the name or of something else.
  case failed(Int, isOfName: Bool)
  case broke(Int)
  case drains(Int)
  case disconnects(host: Int)
  case disconnectsAll
  case closes
  /// Time passes.
  case time
  /// Anything else.
  case other
}

/// An order, or what a client tells of itself.
package enum Order: Hashable, Sendable {
  case notifies
  case makesChannel(Int, host: Int)
  case moves(Int, from: ChannelPhase, to: ChannelPhase)
  case destroys(Int)
  case binds(call: Int, channel: Int)
  case opens(connection: Int, channel: Int)
  case shuts(connection: Int)
  /// Something of a call is sent on a connection; a reset says that it is over.
  case sends(call: Int, connection: Int)
  case gives(call: Int)
  case ends(call: Int, status: Int)
  /// A ping, or anything else that is about neither calls nor channels.
  case other
}

/// The states of a channel (B8).
package enum ChannelPhase: Hashable, Sendable {
  case idle, connecting, ready, transientFailure, shutdown
}

/// What of the contract the sentences need.
package struct Terms: Hashable, Sendable {
  /// Whether callbacks are watched (G1, G6).
  package var hasMonitor: Bool
  /// Whether a broken connection destroys its channel (O6) or leaves it (D2).
  package var breakDestroys: Bool
  /// Whether a failed look-up ends the calls that wait for it (B11).
  package var nameEndsCalls: Bool
  /// How long an unused channel is kept, in microseconds; nil for ever (P6).
  package var keptUnused: Int64?
  /// Whether the instants are those at which things happened.
  ///
  /// In an exploration any timer may fire next, and instants say nothing.
  package var isTimed: Bool

  package init(
    hasMonitor: Bool, breakDestroys: Bool, nameEndsCalls: Bool, keptUnused: Int64?, isTimed: Bool
  ) {
    self.hasMonitor = hasMonitor
    self.breakDestroys = breakDestroys
    self.nameEndsCalls = nameEndsCalls
    self.keptUnused = keptUnused
    self.isTimed = isTimed
  }
}
