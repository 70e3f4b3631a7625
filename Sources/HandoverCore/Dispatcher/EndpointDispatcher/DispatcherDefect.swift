/// A defect of the original dispatcher that can be enabled by name.
///
/// This dispatcher has none of these defects by default. As with ``Defect``, a test harness that
/// cannot detect one of them proves nothing when it passes.
public enum DispatcherDefect: String, Hashable, Sendable, CaseIterable {
  /// Keys use the host as written, and every scheme except `https` means port 80 (U2, U4).
  case literalKeys = "U4"
  /// All endpoints share one condition, so a freed slot may wake a request of another endpoint
  /// (U79).
  case sharedCondition = "U79"
  /// A slot that is freed between the check of a request and its wait wakes no request (U80).
  case lostRelease = "U80"
  /// A request that the transport could not start keeps its slot and its long count (U81).
  case leakedSlot = "U81"
  /// A request cannot be cancelled while it waits; it starts later as if never cancelled (U82).
  case deafQueue = "U82"
  /// The end of a request without a timeout stops a nonexistent timer and crashes (U83).
  ///
  /// A state machine cannot crash here, so the only visible effect is that no action follows the
  /// end.
  case missingTimer = "U83"
  /// The dispatcher never removes the records of ended requests (U84).
  case keptOperations = "U84"
  /// A synchronous request that ends at the instant it started misses its wakeup (U85).
  case missedWakeUp = "U85"
  /// The dispatcher counts requests instead of connections, so a stream budget has no effect (U86).
  case countedRequests = "U86"
  /// The wait of a synchronous request has no time limit (U87).
  case unboundedBlocking = "U87"
}

/// A set of dispatcher defects.
public struct DispatcherDefects: OptionSet, Hashable, Sendable {
  /// The bits of the defects in the set.
  public let rawValue: UInt32

  /// Creates a set from bits.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Creates a set that contains the given defects.
  public init(_ defects: [DispatcherDefect]) {
    rawValue = defects.reduce(0) { $0 | $1.bit }
  }

  /// Returns whether the set contains a defect.
  @inline(__always)
  func has(_ defect: DispatcherDefect) -> Bool {
    rawValue & defect.bit != 0
  }
}

extension DispatcherDefect {
  /// The bit of the defect in a set.
  ///
  /// The switch lets the compiler compute the bit at compile time, because every step checks
  /// defects.
  @inline(__always)
  fileprivate var bit: UInt32 {
    switch self {
    case .literalKeys: 1
    case .sharedCondition: 1 << 1
    case .lostRelease: 1 << 2
    case .leakedSlot: 1 << 3
    case .deafQueue: 1 << 4
    case .missingTimer: 1 << 5
    case .keptOperations: 1 << 6
    case .missedWakeUp: 1 << 7
    case .countedRequests: 1 << 8
    case .unboundedBlocking: 1 << 9
    }
  }
}
