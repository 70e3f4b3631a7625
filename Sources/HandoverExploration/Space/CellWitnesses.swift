package import HandoverCore

/// The states of an exploration from which each cell of the transition space is reached.
///
/// In every state, the monitor can report every other category. A state therefore reaches all cells
/// with its current category.
struct CellWitnesses {
  /// The number of states that are kept per cell.
  ///
  /// Several are needed, because not every path can be replayed in real time.
  static let kept = 64
  private var states: [ContiguousArray<UInt32>]

  init() {
    states = Array(repeating: [], count: Self.row(.wifi, .running, .shutdown) + 1)
  }

  private static func row(
    _ held: NetworkCategory, _ phase: TransitionCell.Phase, _ channel: ChannelState
  ) -> Int {
    let position = Int(held.rawValue) * TransitionCell.Phase.allCases.count + Int(phase.rawValue)
    return position * ChannelState.allCases.count + Int(channel.rawValue)
  }

  /// Returns the states of a cell, the nearest to the start first.
  func states(of cell: TransitionCell) -> ContiguousArray<UInt32> {
    states[Self.row(cell.change.from, cell.phase, cell.channel)]
  }

  mutating func record(_ state: borrowing ClientSurvey, number: Int) {
    for host in 0..<state.hosts.count {
      let one = state.hosts[host]
      var hasCalls = false
      for position in one.calls {
        hasCalls = true
        let isWaiting = state.calls[position].connection < 0
        note(state.category, isWaiting ? .waiting : .running, one.state, number)
      }
      for position in 0..<state.awaitingTokens.count
      where state.awaitingTokens[position].host == host {
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
  /// The cells that were reached.
  ///
  /// A client does not know the state of its app. Every cell is therefore counted for the
  /// foreground, for running in the background, and for the return to the foreground.
  package var reachedCells: TransitionCells {
    var reached = TransitionCells()
    guard setup.profile.policy.monitorsReachability, let cells else { return reached }
    for cell in TransitionCell.all where !cells.states(of: cell).isEmpty { reached.insert(cell) }
    return reached
  }

  /// Returns a scenario that reaches a cell, by the shortest path that can be replayed in real
  /// time.
  ///
  /// - Parameters:
  ///   - cell: The cell.
  ///   - isGood: Called with each candidate; returns whether to accept it.
  /// - Returns: The scenario, or `nil` if none was accepted.
  package func scenario(
    of cell: TransitionCell, where isGood: (ProposedScenario) -> Bool
  ) -> ProposedScenario? {
    let last = ClientAction(.callback, position: Int(cell.change.to.rawValue))
    for state in cells?.states(of: cell) ?? [] {
      let way = Counterexample(
        search.exploration.ways, to: state, last, .categoryNotReported(cell.change.to))
      if let scenario = ProposedScenario(cell, by: way, setup), isGood(scenario) { return scenario }
    }
    return nil
  }
}

extension TransitionCells {
  /// Returns the cells that the clients of all profiles with a monitor can reach.
  ///
  /// A cell is about one call and its channel. In addition, it needs at most one other call, which
  /// keeps the channel busy. A test compares the result with explorations that have more calls.
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
