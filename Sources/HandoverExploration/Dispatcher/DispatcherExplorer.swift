import HandoverDispatcher
import HandoverMachines

/// A shortest way to a rule that a dispatcher broke.
package struct DispatcherCounterexample: Hashable, Sendable {
  /// What happened, in order; the last act broke the rule.
  package var acts: [DispatcherAct]
  /// What was broken.
  package var breach: DispatcherBreach
}

/// What came of the exploration of a dispatcher.
package enum DispatcherVerdict: Hashable, Sendable {
  /// Every state that can be reached was seen, the rules hold in all of them, and from each every
  /// request ends.
  case closed
  /// A rule is broken: a shortest sequence.
  case broken(DispatcherCounterexample)
  /// It was stopped, and what it has seen keeps the rules: that proves nothing.
  case stopped(ExplorationVerdict.Stop)
}

/// Walks the whole state space of a dispatcher, breadth first, before a platform that may do
/// anything with what it has.
///
/// Time is in small fixed constants: time-outs of two units, deadlines and pauses of one. It passes
/// unit by unit, so that everything between two units is one instant in any order.
package struct DispatcherExplorer: ~Copyable {
  let setup: DispatcherSetup
  var search: BreadthFirst<DispatcherExpander>

  /// Makes an exploration that has seen nothing.
  package init(_ setup: DispatcherSetup) {
    self.setup = setup
    search = BreadthFirst { DispatcherExpander(setup) }
  }

  /// How far it has come.
  package var figures: ExplorationFigures { search.ledger.figures }

  /// Says how much of its frontier stays in memory; without it, all does.
  package func limitFrontier(to room: FrontierRoom) {
    search.limitFrontier(to: room)
  }

  /// Explores until everything was seen, a rule is broken, or a limit is reached.
  ///
  /// Once it was stopped, it goes on where it was.
  ///
  /// - Parameters:
  ///   - limits: where it is left.
  ///   - team: who works.
  ///   - goesOn: is asked every few thousand transitions whether to go on.
  /// - Returns: the verdict.
  package mutating func run(
    _ limits: ExplorationLimits = ExplorationLimits(), team: some Team = Alone(),
    goesOn: (ExplorationFigures) -> Bool = { _ in true }
  ) -> DispatcherVerdict {
    let ledger = search.ledger
    var found: DispatcherCounterexample?
    let end = search.run(
      limits, team, isEndless: { _ in false },
      judge: { broken in
        guard let last = DispatcherAct(broken.act) else { return false }
        // The first way is that of the beginning, in which nothing happens.
        let acts = ledger.ways.path(to: broken.parent).dropFirst()
          .compactMap { DispatcherAct($0) }
        found = DispatcherCounterexample(acts: acts + [last], breach: broken.breach)
        return true
      }, goesOn: goesOn)
    if let found { return .broken(found) }
    if case .stopped(let why) = end { return .stopped(why) }
    return .closed
  }
}
