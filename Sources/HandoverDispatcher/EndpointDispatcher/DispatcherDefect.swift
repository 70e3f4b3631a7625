/// A defect of the original dispatcher that this one does not have, and can be given by name.
///
/// As with ``Defect``: a harness that cannot see one of these proves nothing by passing.
public enum DispatcherDefect: String, Hashable, Sendable, CaseIterable {
  /// The host of a key is taken as written, and every scheme but `https` means port 80 (U2, U4).
  case literalKeys = "U4"
  /// All endpoints share one condition: a freed slot wakes one sleeper, perhaps of another (U79).
  case sharedCondition = "U79"
  /// A slot freed between the check of a request and its wait wakes nobody (U80).
  case lostRelease = "U80"
  /// A request that the transport could not begin keeps its slot and its long count (U81).
  case leakedSlot = "U81"
  /// A request cannot be withdrawn while it waits: it starts later as if never cancelled (U82).
  case deafQueue = "U82"
  /// The end of a request without a time-out stops a timer that is not there, and crashes (U83).
  ///
  /// A machine has to go on; what is seen of the crash is that nothing follows the end.
  case missingTimer = "U83"
  /// What is known of a request is never forgotten (U84).
  case keptOperations = "U84"
  /// A synchronous request that ends in the instant it started misses its wake-up (U85).
  case missedWakeUp = "U85"
  /// Requests are counted where connections are meant: a budget of streams changes nothing (U86).
  case countedRequests = "U86"
  /// The wait of a synchronous request is bounded by nothing (U87).
  case unboundedBlocking = "U87"
}

/// A set of the dispatcher's defects.
public struct DispatcherDefects: OptionSet, Hashable, Sendable {
  /// One bit for each defect.
  public let rawValue: UInt32

  /// Takes one bit for each defect.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The set of some defects.
  public init(_ defects: [DispatcherDefect]) {
    rawValue = defects.reduce(0) { $0 | $1.bit }
  }

  /// Whether a defect is in the set.
  @inline(__always)
  func has(_ defect: DispatcherDefect) -> Bool {
    rawValue & defect.bit != 0
  }
}

extension DispatcherDefect {
  /// The bit of the defect in a set; known to the compiler, as every step asks for some.
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
