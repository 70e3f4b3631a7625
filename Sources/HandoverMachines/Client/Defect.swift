/// A bug that this client does not have, but that can be injected by name.
///
/// A checker that cannot detect a bug proves nothing by passing. If a bug of the original client is
/// injected, the bundled scenarios must detect it. The bugs that are not named after a requirement
/// are artificial; explorations must detect them.
public enum Defect: String, Hashable, Sendable, CaseIterable {
  /// The end of a stale call restarts the destroy delay of an unused channel (P8).
  case rearmedDestroyDelay = "P8"
  /// The destroy delay is truncated to whole seconds (P9).
  case truncatedDestroyDelay = "P9"
  /// A call that starts at the instant of a category change never ends (C10).
  case lostCall = "C10"
  /// A disconnect ends calls with CANCELLED, and waiting calls never end (C11).
  case cancelledByDisconnect = "C11"
  /// A call that failed with its network is nevertheless sent when the network returns (#10302).
  case lateSend = "10302"
  /// If the pool is notified of a category change first, its cancellation overtakes the calls:
  /// running calls end with CANCELLED (C9).
  case overtakenByCancel = "C9"

  // The following bugs are artificial: no client of the specifications had them. Some appear only
  // in long sequences.

  /// A change from None to WiFi is considered a recovery: it ends nothing and is not reported.
  case ignoredRecovery = "ignored-recovery"
  /// The last call on a draining connection ends twice, unless the connection broke.
  case doubleEnd = "double-end"
  /// The destroy delay of an unused channel continues although a call has started.
  case keptUnusedDelay = "kept-unused-delay"
  /// A channel outlives a category change if it reconnects while another of its connections drains.
  case keptWhileConnecting = "kept-while-connecting"
  /// A success does not reset the delay between attempts.
  case keptBackoff = "kept-backoff"
  /// The delay between attempts exceeds the maximum.
  case endlessBackoff = "endless-backoff"
  /// A timer fires up to one millisecond early if the client wakes up for another timer.
  case earlyTimers = "early-timers"
  /// A delay of more than 30 seconds is followed by the first one again.
  case wrappedBackoff = "wrapped-backoff"
  /// A success does not reset a delay of more than five seconds.
  case keptLongBackoff = "kept-long-backoff"
  /// A channel outlives a category change if its delay is the longest one.
  case keptAtLongest = "kept-at-longest"
  /// One of three draining connections is not closed when their channel is destroyed.
  case thirdDraining = "third-draining"
  /// After an unanswered ping, the connection only drains, as if its calls could still finish.
  case drainedByKeepalive = "drained-by-keepalive"
  /// After an unanswered ping, the connection is closed, but its channel and its calls do not
  /// change.
  case keptByKeepalive = "kept-by-keepalive"
  /// A draining connection is not pinged.
  case unpingedDraining = "unpinged-draining"
  /// Sending data postpones the next ping, and the timeout of its answer.
  case pingsPutOff = "pings-put-off"
}

/// A set of injected bugs.
public struct Defects: OptionSet, Hashable, Sendable {
  /// One bit per bug.
  public let rawValue: UInt32

  /// Creates a set from one bit per bug.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Creates a set from a list of bugs.
  public init(_ defects: [Defect]) {
    var bits: UInt32 = 0
    for (index, defect) in Defect.allCases.enumerated() where defects.contains(defect) {
      bits |= 1 << UInt32(index)
    }
    rawValue = bits
  }

  // These properties are computed, because stored ones would be checked for initialization at each
  // access. The bit positions are those of `Defect.allCases`, as a test checks.

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
