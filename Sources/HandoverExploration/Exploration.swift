import HandoverMachines

/// Walks the whole state space of a client, breadth first, in a network that may do anything.
///
/// Each state is looked at once, in its ``CanonicalForm``, and from each everything happens that
/// can. When no act leads anywhere new, the rules hold for sequences of any length: the network is
/// more general than every real one, and any timer may fire while it is armed. A broken rule is
/// found by a shortest sequence of acts.
///
/// The same states, numbers and counterexamples come out whoever works: see ``BreadthFirst``.
package struct Explorer: ~Copyable {
  let setup: ExplorationSetup
  var search: BreadthFirst<ClientExpander>
  private var found = Found()
  /// From where each cell of the space of transitions is reached, where somebody asks for it.
  private var watch: CellWatch?
  static let sequencesToTry = 1_000

  /// What was found of broken rules: the first sequence, and the first one that can be played in
  /// time; they are not always the same, because here timers fire in orders that no clock allows.
  private struct Found {
    var shortest: Counterexample?
    var playable: Counterexample?
    var tried = 0

    /// - Returns: whether nothing better is sought: a sequence that can be played, or enough tries.
    mutating func note(_ counterexample: Counterexample, _ setup: ExplorationSetup) -> Bool {
      shortest = shortest ?? counterexample
      tried += 1
      if PlayedPath(counterexample, setup).obstacle == nil { playable = counterexample }
      return playable != nil || tried >= Explorer.sequencesToTry
    }
  }

  /// Makes an exploration that has seen nothing.
  package init(_ setup: ExplorationSetup) {
    self.setup = setup
    search = BreadthFirst { ClientExpander(setup) }
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
  ///   - goesOn: is asked every few thousand transitions whether to go on; the way for time, which
  ///     does not pass in here, and for whoever shows how far it has come.
  /// - Returns: the verdict.
  package mutating func run(
    _ limits: ExplorationLimits = ExplorationLimits(), team: some Team = Alone(),
    goesOn: (ExplorationFigures) -> Bool = { _ in true }
  ) -> ExplorationVerdict {
    let (setup, ledger) = (setup, search.ledger)
    var found = found
    let end = search.run(
      limits, team, isEndless: { $0.isEndless(setup) },
      judge: { broken in
        guard let act = Act(broken.act) else { return false }
        return found.note(
          Counterexample(ledger.ways, to: broken.parent, act, broken.breach), setup)
      }, goesOn: goesOn)
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

  var cells: CellWays? { watch?.cells }

  /// Notes from now on from where each cell is reached.
  mutating func watchCells() {
    let reader = StateReader(setup)
    let watch = CellWatch()
    self.watch = watch
    search.ledger.looker = { forms, start, number in
      reader.read(forms, at: start)
      watch.cells.see(reader.state.value, number: number)
    }
  }
}

/// Where cells are noted while an exploration goes on.
private final class CellWatch {
  var cells = CellWays()
}
