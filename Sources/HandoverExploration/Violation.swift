package import HandoverCore

/// An invariant that a client violated in one step.
package enum Violation: Hashable, Sendable {
  /// The client did not report a category change, or reported it after another effect.
  case categoryNotReported(NetworkCategory)
  /// A channel, a connection or a call outlived a category change.
  case channelKept(host: Int)
  case connectionKept(ConnectionID)
  case callKept(CallID)
  /// The client did something although the reported category equals the current one.
  case sameCategoryActed
  /// A call ended twice, or a call ended that had never begun.
  case endedAgain(CallID)
  /// A call ended with another status than the end of its channel requires.
  case endedWrongly(CallID, CallEnd, expected: CallEnd)
  /// A call ended with DEADLINE_EXCEEDED although its deadline had not passed.
  case endedEarly(CallID)
  /// A call was sent or reset, or received a message, after its end.
  case sentAfterEnd(CallID)
  case deliveredAfterEnd(CallID)
  /// An effect named a connection that does not exist, or opened one that already exists.
  case deadConnection(ConnectionID)
  /// A channel changed its state in a way that B8 does not allow.
  case illegalMove(host: Int, from: ChannelState, to: ChannelState)
  /// A channel with calls was destroyed as unused.
  case usedChannelDestroyed(host: Int)
  /// The next attempt is allowed at another time than the previous failures require (B1, B3, D6).
  case wrongDelay(host: Int, seen: Interval, expected: Interval)
  /// The connection attempt has the wrong timeout.
  case wrongAttemptTime(host: Int, seen: Interval, expected: Interval)
  /// An unused channel is scheduled for destruction at the wrong time.
  case wrongUnusedDelay(host: Int, seen: Interval, expected: Interval)
  /// The client started a connection attempt although no call waits for it (D4).
  case attemptWithoutCalls(host: Int)
  /// Calls wait for a connection, but no timer or attempt will ever wake them.
  case waitsForNothing(host: Int)
  /// A connection attempt has no timeout, or an unused channel is never destroyed.
  case attemptWithoutEnd(host: Int)
  case unusedForever(host: Int)
  /// The client lost a call without ending it, or kept a call that has ended.
  case callsDisagree
  /// The client's connections, or the channel of a host, do not match its effects.
  case connectionsDisagree
  case channelsDisagree(host: Int)

  /// The client waits too short or too long for the answer to a ping (B7).
  case wrongPingTime(seen: Interval, expected: Interval)
  /// The client's wakeup time differs from the first of its timers.
  case wrongWakeup
  /// A timer fires before it is due.
  case firedEarly
  /// A timer that is due acts differently from the same timer in the zone exploration.
  case firedDifferently

  /// The violated invariant, with the number that runs use.
  package var rule: RuleIdentifier {
    switch self {
    case .categoryNotReported, .channelKept, .connectionKept, .callKept: .categoryChange
    case .sameCategoryActed: .sameCategory
    case .endedAgain, .endedWrongly, .callsDisagree: .callEndsOnce
    case .sentAfterEnd, .deliveredAfterEnd: .sending
    case .deadConnection, .connectionsDisagree, .channelsDisagree: .aliveness
    case .illegalMove: .channelStates
    case .usedChannelDestroyed: .sharedChannel
    case .endedEarly, .wrongDelay, .wrongAttemptTime, .wrongUnusedDelay, .attemptWithoutCalls,
      .waitsForNothing, .attemptWithoutEnd, .unusedForever, .wrongPingTime, .wrongWakeup,
      .firedEarly, .firedDifferently:
      .waiting
    }
  }

  /// A description of the violation: one sentence without a full stop.
  package var sentence: String {
    switch self {
    case .categoryNotReported(let category): "the change to \(category) is not reported first"
    case .channelKept(let host):
      "the channel to \(Self.name(host)) continues after a category change"
    case .connectionKept: "a connection continues after a category change"
    case .callKept: "a call continues after a category change, or does not receive its end"
    case .sameCategoryActed: "a callback of the current category does something"
    case .endedAgain: "a call ends that has already ended"
    case .endedWrongly(_, let end, let expected):
      "a call ends \(end.code) \"\(end.text.text)\" and not \(expected.code) "
        + "\"\(expected.text.text)\""
    case .endedEarly: "a call ends DEADLINE_EXCEEDED before its deadline"
    case .sentAfterEnd: "a call is sent after its end"
    case .deliveredAfterEnd: "something is delivered to a call after its end"
    case .deadConnection: "an effect names a connection that does not exist, or opens it again"
    case .illegalMove(let host, let from, let to):
      "the channel to \(Self.name(host)) goes from \(from) to \(to)"
    case .usedChannelDestroyed(let host):
      "the channel to \(Self.name(host)) is destroyed as unused, with calls on it"
    case .wrongDelay(let host, let seen, let expected):
      "the next attempt to \(Self.name(host)) may start after \(seen.text), not \(expected.text)"
    case .wrongAttemptTime(let host, let seen, let expected):
      "the attempt to \(Self.name(host)) is given \(seen.text), not \(expected.text)"
    case .wrongUnusedDelay(let host, let seen, let expected):
      "the unused channel to \(Self.name(host)) is kept for \(seen.text), not \(expected.text)"
    case .attemptWithoutCalls(let host):
      "an attempt to \(Self.name(host)) begins, and no call waits for it"
    case .waitsForNothing(let host):
      "calls to \(Self.name(host)) wait, and nothing will wake them"
    case .attemptWithoutEnd(let host): "the attempt to \(Self.name(host)) has no end"
    case .unusedForever(let host): "the unused channel to \(Self.name(host)) remains forever"
    case .wrongPingTime(let seen, let expected):
      "the client waits \(seen.text) for the answer to a ping, not \(expected.text)"
    case .wrongWakeup: "the client does not sleep until its first timer is due"
    case .firedEarly: "a timer fires before it is due"
    case .firedDifferently: "a timer that fires has a different effect if other timers are armed"
    case .callsDisagree:
      "the client forgets a call without a report, or keeps a call that has ended"
    case .connectionsDisagree:
      "the client forgets a connection without a report, or keeps a closed connection"
    case .channelsDisagree(let host):
      "the client reports a different state of the channel to \(Self.name(host)) than it has"
    }
  }

  private static func name(_ host: Int) -> String { "host-\(host + 1)" }
}
