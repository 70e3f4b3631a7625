package import HandoverCore

/// The pending faults of reachability callbacks.
///
/// Each fault affects the next callback, or the next callback about one network. All worlds that
/// send callbacks share this type.
package struct CallbackFaults: Hashable, Sendable {
  /// A pending fault.
  package struct Fault: Hashable, Sendable {
    /// The delay of the callback; zero for a callback that is lost.
    package var length: Interval
    /// The entry that injects the fault.
    package var cause: UInt32
    /// The network whose callback is affected, or `nil` for a callback about any network.
    package var path: PathIndex?
  }

  /// The faults that lose a callback, in the order of their entries.
  package private(set) var misses: [Fault] = []
  /// The faults that delay a callback, in the order of their entries.
  package private(set) var delays: [Fault] = []

  package init() {}

  /// Schedules the loss of the next callback.
  ///
  /// This replaces an earlier fault of the same kind for the same network.
  package mutating func missNext(of path: PathIndex?, cause: UInt32) {
    Self.replace(&misses, Fault(length: .zero, cause: cause, path: path))
  }

  /// Schedules a delay of the next callback.
  ///
  /// This replaces an earlier fault of the same kind for the same network.
  package mutating func delayNext(of path: PathIndex?, by length: Interval, cause: UInt32) {
    Self.replace(&delays, Fault(length: length, cause: cause, path: path))
  }

  /// Removes and returns the faults that lose a callback about a network, or `nil` for no network.
  package mutating func takeMisses(about path: PathIndex?) -> [Fault] {
    Self.take(&misses, about: path)
  }

  /// Removes and returns the faults that delay a callback about a network; their delays add up.
  package mutating func takeDelays(about path: PathIndex?) -> [Fault] {
    Self.take(&delays, about: path)
  }

  private static func replace(_ faults: inout [Fault], _ fault: Fault) {
    faults.removeAll { $0.path == fault.path }
    faults.append(fault)
  }

  private static func take(_ faults: inout [Fault], about path: PathIndex?) -> [Fault] {
    guard !faults.isEmpty else { return [] }
    let taken = faults.filter { $0.path == nil || $0.path == path }
    faults.removeAll { $0.path == nil || $0.path == path }
    return taken
  }
}
