import HandoverCore

/// Explores the whole state space of a client, breadth first, in a network that may do anything.
///
/// Each state is expanded once, in its ``CanonicalForm``, with every possible action. When no
/// action leads to a new state, the invariants hold for sequences of any length. The network of the
/// exploration is more general than every real one, and any armed timer may fire. A violation is
/// found with a shortest sequence of actions.
///
/// The states, figures and counterexamples do not depend on the number of workers; see
/// ``BreadthFirst``.
package struct Explorer: ~Copyable {
  let setup: ExplorationSetup
  var search: BreadthFirst<ClientExpander>
  private var found = Found()
  /// Records the states from which each cell of the transition space is reached, if requested.
  private var watch: CellWatch?
  static let sequencesToTry = 1_000

  /// The violations found so far: the first sequence, and the first one that works in real time.
  ///
  /// The two may differ, because the exploration lets timers fire in orders that no clock allows.
  private struct Found {
    var shortest: Counterexample?
    var playable: Counterexample?
    var tried = 0

    /// Records a counterexample.
    ///
    /// - Returns: Whether to end the search: a sequence can be replayed, or enough were tried.
    mutating func note(_ counterexample: Counterexample, _ setup: ExplorationSetup) -> Bool {
      shortest = shortest ?? counterexample
      tried += 1
      if PlayedPath(counterexample, setup).obstacle == nil { playable = counterexample }
      return playable != nil || tried >= Explorer.sequencesToTry
    }
  }

  /// Creates an exploration that has not visited any state.
  package init(_ setup: ExplorationSetup) {
    self.setup = setup
    search = BreadthFirst { ClientExpander(setup) }
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
  ///   - shouldContinue: Called every few thousand transitions; returns whether to continue. The
  ///     caller uses it for time limits, because the exploration reads no clock, and to show
  ///     progress.
  /// - Returns: The verdict.
  package mutating func run(
    _ limits: ExplorationLimits = ExplorationLimits(), team: some WorkerPool = SingleWorker(),
    shouldContinue: (ExplorationFigures) -> Bool = { _ in true }
  ) -> ExplorationVerdict {
    let (setup, exploration) = (setup, search.exploration)
    var found = found
    let end = search.run(
      limits, team, isEndless: { $0.isEndless(setup) },
      judge: { broken in
        guard let action = ClientAction(broken.action) else { return false }
        return found.note(
          Counterexample(exploration.ways, to: broken.parent, action, broken.violation), setup)
      }, shouldContinue: shouldContinue)
    self.found = found
    switch end {
    case .closed: return found.shortest.map { .broken($0, playable: nil) } ?? .closed
    case .decided:
      return found.shortest.map { .broken($0, playable: found.playable) } ?? .closed
    case .stopped(let why):
      if let shortest = found.shortest { return .broken(shortest, playable: nil) }
      return .stopped(why, growing: search.growth.beyond(setup))
    }
  }

  // MARK: Cells

  var cells: CellWitnesses? { watch?.cells }

  /// Creates an exploration that records how each cell of the transition space is reached.
  package init(cellsOf setup: ExplorationSetup) {
    self.init(setup)
    let reader = StateReader(setup)
    let watch = CellWatch()
    self.watch = watch
    search.exploration.observer = { forms, start, number in
      reader.read(forms, at: start)
      watch.cells.record(reader.state.value, number: number)
    }
  }
}

/// Holds the cells that are recorded during an exploration.
private final class CellWatch {
  var cells = CellWitnesses()
}
