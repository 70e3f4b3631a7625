/// A defect that this core does not have, and can be given by name.
///
/// A harness that cannot see a defect proves nothing by passing: with one of the original client's
/// switched on, the bundled scenarios must convict the client. Those without the name of an item
/// were planted, for explorations to convict.
public enum Defect: String, Hashable, Sendable, CaseIterable {
  /// The end of a stale call starts the destroy delay of an unused channel over again (P8).
  case rearmedDestroyDelay = "P8"
  /// The destroy delay is cut to whole seconds (P9).
  case truncatedDestroyDelay = "P9"
  /// A call started in the instant of a transition is never told of its end (C10).
  case lostCall = "C10"
  /// A disconnect ends calls CANCELLED, and those that wait not at all (C11).
  case cancelledByDisconnect = "C11"
  /// A call that failed with its network is sent all the same when the network returns (#10302).
  case lateSend = "10302"
  /// Where the pool hears of a transition before the calls, its cancellation overtakes them: calls
  /// that run end CANCELLED (C9).
  case overtakenByCancel = "C9"

  // Planted: no client of the documents had these. Some show in long sequences only.

  /// A change from None to WiFi is taken for a recovery that ends nothing, and nobody is told.
  case ignoredRecovery = "ignored-recovery"
  /// The last call on a connection that drains ends twice, unless the connection broke.
  case doubleEnd = "double-end"
  /// The destroy delay of an unused channel goes on although a call came.
  case keptUnusedDelay = "kept-unused-delay"
  /// A channel outlives a transition where it connects while another connection of it drains.
  case keptWhileConnecting = "kept-while-connecting"
  /// A success does not start the delays between attempts over.
  case keptBackoff = "kept-backoff"
  /// The delays between attempts grow beyond the longest one.
  case endlessBackoff = "endless-backoff"
  /// A timer fires up to a millisecond before it is due, where the client is woken for another one.
  case earlyTimers = "early-timers"
  /// A delay beyond half a minute is followed by the first one again.
  case wrappedBackoff = "wrapped-backoff"
  /// A success does not start delays over that have grown beyond five seconds.
  case keptLongBackoff = "kept-long-backoff"
  /// A channel outlives a transition where its delay is the longest one.
  case keptAtLongest = "kept-at-longest"
  /// Of three connections that drain one is not closed when their channel is destroyed.
  case thirdDraining = "third-draining"
  /// A ping goes unanswered, and the connection only drains: its calls are to be served first.
  case drainedByKeepalive = "drained-by-keepalive"
  /// A ping goes unanswered, and the connection is closed; nothing follows from it.
  case keptByKeepalive = "kept-by-keepalive"
  /// A connection that drains is not pinged.
  case unpingedDraining = "unpinged-draining"
  /// What is sent puts off the next ping, and the end of the wait for an answer.
  case pingsPutOff = "pings-put-off"
}

/// A set of defects.
public struct Defects: OptionSet, Hashable, Sendable {
  /// One bit for each defect.
  public let rawValue: UInt32

  /// Takes one bit for each defect.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The set of some defects.
  public init(_ defects: [Defect]) {
    var bits: UInt32 = 0
    for (index, defect) in Defect.allCases.enumerated() where defects.contains(defect) {
      bits |= 1 << UInt32(index)
    }
    rawValue = bits
  }

  // Computed, because a machine that asks for one at each step would ask each time whether it had
  // been made; the places are those of `Defect.allCases`, which a test holds.

  static var rearmedDestroyDelay: Defects { Defects(rawValue: 1 << 0) }
  static var truncatedDestroyDelay: Defects { Defects(rawValue: 1 << 1) }
  static var lostCall: Defects { Defects(rawValue: 1 << 2) }
  static var cancelledByDisconnect: Defects { Defects(rawValue: 1 << 3) }
  static var lateSend: Defects { Defects(rawValue: 1 << 4) }
  static var overtakenByCancel: Defects { Defects(rawValue: 1 << 5) }
  static var ignoredRecovery: Defects { Defects(rawValue: 1 << 6) }
  static var doubleEnd: Defects { Defects(rawValue: 1 << 7) }
  static var keptUnusedDelay: Defects { Defects(rawValue: 1 << 8) }
  static var keptWhileConnecting: Defects { Defects(rawValue: 1 << 9) }
  static var keptBackoff: Defects { Defects(rawValue: 1 << 10) }
  static var endlessBackoff: Defects { Defects(rawValue: 1 << 11) }
  static var earlyTimers: Defects { Defects(rawValue: 1 << 12) }
  static var wrappedBackoff: Defects { Defects(rawValue: 1 << 13) }
  static var keptLongBackoff: Defects { Defects(rawValue: 1 << 14) }
  static var keptAtLongest: Defects { Defects(rawValue: 1 << 15) }
  static var thirdDraining: Defects { Defects(rawValue: 1 << 16) }
  static var drainedByKeepalive: Defects { Defects(rawValue: 1 << 17) }
  static var keptByKeepalive: Defects { Defects(rawValue: 1 << 18) }
  static var unpingedDraining: Defects { Defects(rawValue: 1 << 19) }
  static var pingsPutOff: Defects { Defects(rawValue: 1 << 20) }
}
