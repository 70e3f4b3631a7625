package import HandoverMachines

/// How far an exploration has come.
package struct ExplorationFigures: Hashable, Sendable {
  /// States seen, each once.
  package var states = 0
  /// Zones of them, where time is told by zones.
  package var zones = 0
  /// Acts tried, each in each state where it can happen.
  package var transitions = 0
  /// The length of the longest of all shortest ways to a state, in acts.
  package var depth = 0
  /// States of that depth, of which the next ones are sought.
  package var frontier = 0
  /// The most there were of them at one depth.
  package var widest = 0

  package init() {}
}

/// A shortest way to a broken rule.
package struct Counterexample: Hashable, Sendable {
  /// What the monitor read first; Unknown where the read failed.
  package var initialRead: NetworkCategory
  /// What happened then, in order; the last act broke the rule.
  package var acts: [Act]
  /// What was broken.
  package var breach: Breach
}

/// What came of an exploration.
package enum ExplorationVerdict: Hashable, Sendable {
  /// Every state that can be reached was seen, and the rules hold in all of them.
  case closed
  /// A rule is broken: a shortest sequence, and a shortest one that can be played in time, where
  /// one was found.
  case broken(Counterexample, playable: Counterexample?)
  /// It was stopped, and what it has seen keeps the rules: that proves nothing.
  ///
  /// `growing` names what went beyond what the setup allows; with anything in it the exploration
  /// does not close at all.
  case stopped(Stop, growing: [Growth])

  /// Why it was stopped.
  package enum Stop: Hashable, Sendable {
    case depth
    case states
    /// There is no end to something.
    case growth
    case fromOutside
    /// What waits to be looked at cannot be kept.
    case frontier(FrontierProblem)
  }
}

/// Something that a setup does not bound, and that has grown.
package struct Growth: Hashable, Sendable {
  /// What it is, in words.
  package var name: String
  /// How large it has become, and how large it may be where an exploration closes.
  package var size: Int
  package var bound: Int
}

/// Where an exploration is left although it has not closed.
package struct ExplorationLimits: Hashable, Sendable {
  /// The longest ways that are tried, in acts; nil for all.
  package var depth: Int?
  /// How many states there may be, of about 60 bytes each.
  package var states: Int

  package init(depth: Int? = nil, states: Int = 10_000_000) {
    self.depth = depth
    self.states = states
  }
}
