package import HandoverCore
package import HandoverEngine
import HandoverScenario

/// How many scenarios came through each cell of the space of transitions, beside the cells that can
/// be reached at all.
package struct SpaceCoverage: Sendable {
  /// How a cell stands.
  package enum State: Hashable, Sendable {
    /// So many scenarios came through it.
    case reached(Int)
    /// A client can come through it, and no scenario did.
    case gap
    /// No client can come through it.
    case unreachable
  }

  /// What no exploration comes through, no run does either.
  package let reachable: TransitionCells
  package private(set) var reached = TransitionCells()
  private var counts: [Int]
  private var known: [String: TransitionCells] = [:]  // lookup only

  /// Counts nothing yet.
  ///
  /// - Parameter reachable: the cells that clients can come through.
  package init(reachable: TransitionCells) {
    self.reachable = reachable
    counts = Array(repeating: 0, count: TransitionCell.all.count)
  }

  /// Takes up a scenario, however often it is run; each counts once for a cell.
  package mutating func add(_ result: ScenarioResult) {
    let former = known[result.scenario.id] ?? TransitionCells()
    var all = former
    for one in result.cases { all.formUnion(one.cells) }
    var new = all
    new.subtract(former)
    for cell in new.list { if let place = cell.place { counts[place] += 1 } }
    known[result.scenario.id] = all
    reached.formUnion(all)
  }

  /// How many scenarios were taken up.
  package var scenarioCount: Int { known.count }

  /// How many cells there are, of those that can be reached, that no scenario came through.
  package var gapCount: Int {
    var gaps = reachable
    gaps.subtract(reached)
    return gaps.count
  }

  package func state(of cell: TransitionCell) -> State {
    let count = cell.place.map { counts[$0] } ?? 0
    guard count == 0 else { return .reached(count) }
    return reachable.contains(cell) ? .gap : .unreachable
  }

  /// The states of channels that calls of a phase can be met with, or were.
  package func channels(of phase: TransitionCell.Phase) -> [ChannelState] {
    Self.states.filter { channel in
      TransitionCell.all.contains {
        $0.phase == phase && $0.channel == channel && state(of: $0) != .unreachable
      }
    }
  }

  /// In the order of a channel's life; at first there is none.
  package static let states: [ChannelState] = [
    .shutdown, .idle, .connecting, .ready, .transientFailure,
  ]

  /// What the table shows, in one sentence.
  package var sum: String {
    var met = reached
    met.formIntersection(reachable)
    let scenarios = VisibleText.counted(scenarioCount, "scenario")
    return "\(scenarios) reach \(met.count) of \(reachable.count) cells that can be reached; "
      + "\(gapCount) are reached by none, and \(TransitionCell.all.count - reachable.count) cannot "
      + "be reached."
  }
}

extension TransitionCell.Phase {
  /// The phase in words.
  package var words: String {
    switch self {
    case .noCall: "no call"
    case .awaitingToken: "call awaits token"
    case .waiting: "call waits"
    case .running: "call runs"
    }
  }
}

extension AppState {
  /// Where the application is when it hears of a change, in words.
  var hearingWords: String {
    switch self {
    case .foreground: "in the foreground"
    case .background: "suspended, heard on return"
    case .backgroundRunning: "in the background, running"
    }
  }
}

extension ChannelState {
  /// The heading of a narrow column.
  var shortName: String {
    switch self {
    case .shutdown: "none"
    case .transientFailure: "FAILURE"
    case .idle, .connecting, .ready: name
    }
  }
}
