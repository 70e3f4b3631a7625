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
