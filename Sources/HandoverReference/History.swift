// The facts and orders of a client in separate types. The state machines use other types, so this
// module cannot inherit their bugs through shared code.

/// A fact that a client receives, with the orders that it issues in response.
package struct Step: Hashable, Sendable {
  /// The time in microseconds.
  package var at: Int64
  package var fact: Fact
  package var orders: [Order]
  /// Whether the device wakes from sleep at this instant and handles the deadlines it missed.
  package var isAtWaking: Bool

  package init(at: Int64, _ fact: Fact, _ orders: [Order] = [], isAtWaking: Bool = false) {
    self.at = at
    self.fact = fact
    self.orders = orders
    self.isAtWaking = isAtWaking
  }
}

/// The flags of the platform that affect the category; the others are ignored (M4).
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

/// A fact that a client receives.
///
/// Calls, channels and connections have numbers that are never reused for the same kind. Channels
/// are keyed by host.
package enum Fact: Hashable, Sendable {
  /// The first read of the flags, which are `nil` if the read failed.
  case firstRead(Flags?)
  case callback(Flags)
  /// A call starts; its deadline is in microseconds.
  case starts(call: Int, host: Int, failsFast: Bool, awaitsToken: Bool, deadline: Int64?)
  case token(call: Int)
  case cancelled(call: Int)
  case answered(call: Int)
  case serverEnded(call: Int, status: Int)
  case connected(Int)
  /// An attempt failed, because of name resolution or for another reason.
  case failed(Int, isNameFailure: Bool)
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

/// An order of a client, or a report about its state.
package enum Order: Hashable, Sendable {
  case notifies
  case makesChannel(Int, host: Int)
  case moves(Int, from: ChannelPhase, to: ChannelPhase)
  case destroys(Int)
  case binds(call: Int, channel: Int)
  case opens(connection: Int, channel: Int)
  case shuts(connection: Int)
  /// Data of a call is sent on a connection; a reset ends the call's stream.
  case sends(call: Int, connection: Int)
  case gives(call: Int)
  case ends(call: Int, status: Int)
  /// A ping, or another order that concerns neither calls nor channels.
  case other
}

/// The states of a channel (B8).
package enum ChannelPhase: Hashable, Sendable {
  case idle, connecting, ready, transientFailure, shutdown
}

/// The properties of a client profile that the sentences depend on.
package struct Terms: Hashable, Sendable {
  /// Whether the client monitors reachability callbacks (G1, G6).
  package var hasMonitor: Bool
  /// Whether a broken connection destroys its channel (O6) or leaves it (D2).
  package var breakDestroys: Bool
  /// Whether a failed lookup ends the calls that wait for it (B11).
  package var nameEndsCalls: Bool
  /// The time for which an unused channel is kept, in microseconds, or `nil` for no limit (P6).
  package var keptUnused: Int64?
  /// Whether the times of steps are meaningful.
  ///
  /// In an exploration any timer may fire next, so times mean nothing.
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
