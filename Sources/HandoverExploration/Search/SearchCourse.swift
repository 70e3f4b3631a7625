package import HandoverTry

/// A combination that a timeline can reach: the phase of the connections at a change, the change,
/// and the verdict.
package struct SearchCombination: Hashable, Sendable {
  package var phase: ConnectionPhase
  package var change: SearchChange
  package var outcome: TryOutcome
}

/// The result of one timeline.
package struct SearchResult: Hashable, Sendable {
  /// The phases of the connections at the entries, in order; the list ends at the first entry that
  /// did not happen.
  package var phases: [ConnectionPhase]
  /// The verdict.
  package var outcome: TryOutcome

  /// Creates a result.
  package init(phases: [ConnectionPhase], outcome: TryOutcome) {
    self.phases = phases
    self.outcome = outcome
  }
}

/// A search for timelines: draws timelines, and keeps those that reach new combinations.
///
/// The draws depend only on the seed, the lag and the results. Several timelines run at the same
/// time, so draw N uses only the results of the draws up to N - lag. Therefore the order in which
/// results arrive does not matter.
package struct SearchCourse: Sendable {
  /// A timeline with its number.
  package struct Draw: Hashable, Sendable {
    package var number: Int
    package var timeline: SearchTimeline

    /// Creates a draw.
    package init(number: Int, timeline: SearchTimeline) {
      self.number = number
      self.timeline = timeline
    }
  }

  /// The seed.
  package let seed: UInt64
  /// The number of draws that may be unfinished when another one begins.
  package let lag: Int
  /// The combinations reached so far.
  package private(set) var combinations: [SearchCombination] = []
  private var kept: [Draw] = []
  private var nextNumber = 0
  /// The timelines whose results are not evaluated yet, by draw, from `evaluated` on.
  private var drawn: [SearchTimeline] = []
  private var results: [SearchResult?] = []
  private var evaluated = 0

  /// Creates a search.
  package init(seed: UInt64, lag: Int) {
    self.seed = seed
    self.lag = max(1, lag)
  }

  /// The number of timelines drawn so far.
  package var drawCount: Int { nextNumber }
  /// The number of kept timelines.
  package var keptCount: Int { kept.count }

  /// Returns the next timeline, or `nil` if it depends on a result that is missing.
  package mutating func next() -> Draw? {
    let usable = nextNumber - lag
    guard evaluated > usable else { return nil }
    var draw = TimelineDraw(seed: seed, number: nextNumber)
    let timeline = draw.timeline(kept.filter { $0.number <= usable }.map(\.timeline))
    defer { nextNumber += 1 }
    drawn.append(timeline)
    results.append(nil)
    return Draw(number: nextNumber, timeline: timeline)
  }

  /// Records the result of a draw.
  package mutating func record(_ result: SearchResult, ofDraw number: Int) {
    let position = number - evaluated
    guard results.indices.contains(position) else { return }
    results[position] = result
    while let first = results.first, let result = first {
      evaluate(result, Draw(number: evaluated, timeline: drawn.removeFirst()))
      results.removeFirst()
      evaluated += 1
    }
  }

  private mutating func evaluate(_ result: SearchResult, _ draw: Draw) {
    let reached = zip(result.phases, draw.timeline.entries).map { phase, entry in
      SearchCombination(phase: phase, change: entry.change, outcome: result.outcome)
    }
    let before = combinations.count
    for one in reached where !combinations.contains(one) { combinations.append(one) }
    if combinations.count > before { kept.append(draw) }
  }

  /// The number of combinations that each phase is part of, in a fixed order.
  package var coverage: [(phase: ConnectionPhase, count: Int)] {
    ConnectionPhase.allCases.map { phase in
      (phase, combinations.count { $0.phase == phase })
    }
  }
}
