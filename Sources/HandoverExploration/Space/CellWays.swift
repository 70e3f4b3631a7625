package import HandoverMachines

/// From which states of an exploration each cell of the space of transitions is reached.
///
/// In every state the monitor can tell of every other category, so that a state stands for all
/// cells with the category that it holds.
struct CellWays {
  /// How many states are kept for each: in time, not every way can be gone.
  static let kept = 64
  private var states: [ContiguousArray<UInt32>]

  init() {
    states = Array(repeating: [], count: Self.row(.wifi, .running, .shutdown) + 1)
  }

  private static func row(
    _ held: NetworkCategory, _ phase: TransitionCell.Phase, _ channel: ChannelState
  ) -> Int {
    let place = Int(held.rawValue) * TransitionCell.Phase.allCases.count + Int(phase.rawValue)
    return place * ChannelState.allCases.count + Int(channel.rawValue)
  }

  /// The states of a cell, the nearest to the beginning first.
  func states(of cell: TransitionCell) -> ContiguousArray<UInt32> {
    states[Self.row(cell.change.from, cell.phase, cell.channel)]
  }

  mutating func see(_ state: borrowing ClientSurvey, number: Int) {
    for host in 0..<state.hosts.count {
      let one = state.hosts[host]
      var hasCalls = false
      for place in one.calls {
        hasCalls = true
        let isWaiting = state.calls[place].connection < 0
        note(state.category, isWaiting ? .waiting : .running, one.state, number)
      }
      for place in 0..<state.awaitingTokens.count where state.awaitingTokens[place].host == host {
        hasCalls = true
        note(state.category, .awaitingToken, one.state, number)
      }
      if !hasCalls { note(state.category, .noCall, one.state, number) }
    }
  }

  private mutating func note(
    _ held: NetworkCategory, _ phase: TransitionCell.Phase, _ channel: ChannelState, _ number: Int
  ) {
    let row = Self.row(held, phase, channel)
    let number = UInt32(truncatingIfNeeded: number)
    guard states[row].count < Self.kept, states[row].last != number else { return }
    states[row].append(number)
  }
}

extension Explorer {
  /// Makes an exploration that knows afterwards how each cell of the space of transitions is
  /// reached.
  package init(cellsOf setup: ExplorationSetup) {
    self.init(setup)
    watchCells()
  }

  /// The cells that were reached.
  ///
  /// A client knows nothing of where its application is: whatever it does, it can do in the
  /// foreground, in the background while it runs there, and on its return.
  package var reachedCells: TransitionCells {
    var reached = TransitionCells()
    guard setup.profile.policy.monitorsReachability, let cells else { return reached }
    for cell in TransitionCell.all where !cells.states(of: cell).isEmpty { reached.insert(cell) }
    return reached
  }

  /// A scenario that comes through a cell, by the shortest way that can be played in time.
  ///
  /// - Parameters:
  ///   - cell: the cell.
  ///   - isGood: is given each scenario that may do, and says whether it does.
  /// - Returns: the scenario; nil where none did.
  package func scenario(
    of cell: TransitionCell, where isGood: (ProposedScenario) -> Bool
  ) -> ProposedScenario? {
    let last = Act(.callback, place: Int(cell.change.to.rawValue))
    for state in cells?.states(of: cell) ?? [] {
      let way = Counterexample(
        search.ledger.ways, to: state, last, .categoryUntold(cell.change.to))
      if let scenario = ProposedScenario(cell, by: way, setup), isGood(scenario) { return scenario }
    }
    return nil
  }
}

extension TransitionCells {
  /// The cells that the clients of all profiles with a monitor can come through.
  ///
  /// A cell is about one call and its channel: another call that keeps the channel busy is all that
  /// it takes besides. A test holds this against explorations with more.
  package static func reachable() -> TransitionCells {
    var cells = TransitionCells()
    for profile in Profile.known where profile.policy.monitorsReachability {
      var explorer = Explorer(
        cellsOf: ExplorationSetup(profile, hosts: 1, calls: 2, extras: .tokens))
      _ = explorer.run()
      cells.formUnion(explorer.reachedCells)
    }
    return cells
  }
}
