import HandoverCore

/// A shortest path to a violation by a dispatcher.
package struct DispatcherCounterexample: Hashable, Sendable {
  /// The actions, in order; the last one violates the invariant.
  package var actions: [DispatcherAction]
  /// The violation.
  package var violation: DispatcherViolation
}

/// The result of the exploration of a dispatcher.
package enum DispatcherVerdict: Hashable, Sendable {
  /// Every reachable state was visited, the invariants hold in all of them, and every request can
  /// end from each of them.
  case closed
  /// An invariant is violated; the value is a shortest sequence.
  case broken(DispatcherCounterexample)
  /// The exploration was stopped before it found a violation, which proves nothing.
  case stopped(ExplorationVerdict.Stop)
}

/// Explores the whole state space of a dispatcher, breadth first, over URL loading that may do
/// anything.
///
/// All durations are small constants: timeouts of two units, and deadlines and pauses of one unit.
/// Time advances by one unit at a time. Everything between two advances happens at one instant, in
/// any order.
package struct DispatcherExplorer: ~Copyable {
  let setup: DispatcherSetup
  var search: BreadthFirst<DispatcherExpander>

  /// Creates an exploration that has not visited any state.
  package init(_ setup: DispatcherSetup) {
    self.setup = setup
    search = BreadthFirst { DispatcherExpander(setup) }
  }

  /// The progress so far.
  package var figures: ExplorationFigures { search.exploration.figures }

  /// Limits how much of the frontier stays in memory; by default, all of it does.
  package func limitFrontier(to room: FrontierRoom) {
    search.limitFrontier(to: room)
  }

  /// Explores until the state space is exhausted, an invariant is violated, or a limit is reached.
  ///
  /// A later call continues an exploration that was stopped.
  ///
  /// - Parameters:
  ///   - limits: The limits at which the exploration stops.
  ///   - team: The workers.
  ///   - shouldContinue: Called every few thousand transitions; returns whether to continue.
  /// - Returns: The verdict.
  package mutating func run(
    _ limits: ExplorationLimits = ExplorationLimits(), team: some WorkerPool = SingleWorker(),
    shouldContinue: (ExplorationFigures) -> Bool = { _ in true }
  ) -> DispatcherVerdict {
    let exploration = search.exploration
    var found: DispatcherCounterexample?
    let end = search.run(
      limits, team, isEndless: { _ in false },
      judge: { broken in
        guard let last = DispatcherAction(broken.action) else { return false }
        // The first action of a path represents the initial state and does nothing.
        let actions = exploration.ways.path(to: broken.parent).dropFirst()
          .compactMap { DispatcherAction($0) }
        found = DispatcherCounterexample(actions: actions + [last], violation: broken.violation)
        return true
      }, shouldContinue: shouldContinue)
    if let found { return .broken(found) }
    if case .stopped(let why) = end { return .stopped(why) }
    return .closed
  }
}
