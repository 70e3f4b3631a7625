package import HandoverCore

/// The progress of an exploration.
package struct ExplorationFigures: Hashable, Sendable {
  /// The number of distinct states that were visited.
  package var states = 0
  /// The number of zones that were visited, in an exploration with zones.
  package var zones = 0
  /// The number of actions that were tried, counted once per state in which they are possible.
  package var transitions = 0
  /// The breadth-first depth: the largest distance of any state from the start, in actions.
  package var depth = 0
  /// The number of states at that depth; they are expanded next.
  package var frontier = 0
  /// The largest number of states at one depth.
  package var widest = 0

  package init() {}
}

/// A shortest path to a violation.
package struct Counterexample: Hashable, Sendable {
  /// The category that the monitor read first; Unknown if the read failed.
  package var initialRead: NetworkCategory
  /// The actions that followed, in order; the last one violates the invariant.
  package var actions: [ClientAction]
  /// The violation.
  package var violation: Violation
}

/// The result of an exploration.
package enum ExplorationVerdict: Hashable, Sendable {
  /// Every reachable state was visited, and the invariants hold in all of them.
  case closed
  /// An invariant is violated.
  ///
  /// The first value is a shortest sequence, unless a limit stopped the search for it (zones only).
  /// `playable` is such a sequence that can be replayed in real time, or `nil` if none was found.
  case broken(Counterexample, playable: Counterexample?)
  /// The exploration was stopped before it found a violation, which proves nothing.
  ///
  /// `growing` lists the quantities that exceeded the bounds of the setup. If it is not empty, the
  /// state space cannot be exhausted.
  case stopped(Stop, growing: [Growth])

  /// The reason why the exploration was stopped.
  package enum Stop: Hashable, Sendable {
    case depth
    case states
    /// A quantity grows without bound.
    case growth
    case fromOutside
    /// The frontier cannot be stored.
    case frontier(FrontierProblem)
  }
}

/// A quantity that exceeds the bounds of the setup.
package struct Growth: Hashable, Sendable {
  /// The name of the quantity, for people.
  package var name: String
  /// The present size, and the largest size with which the state space can be exhausted.
  package var size: Int
  package var bound: Int
}

/// The limits at which an exploration stops before the state space is exhausted.
package struct ExplorationLimits: Hashable, Sendable {
  /// The longest paths to try, in actions, or `nil` for no limit.
  package var depth: Int?
  /// The maximum number of states; each takes about 35 bytes.
  package var states: Int

  package init(depth: Int? = nil, states: Int = 10_000_000) {
    self.depth = depth
    self.states = states
  }
}
