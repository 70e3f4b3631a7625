package import HandoverCore
package import HandoverEngine
import HandoverScenario

/// The number of scenarios that reach each cell of the transition space, and the reachable cells.
package struct SpaceCoverage: Sendable {
  /// The coverage state of a cell.
  package enum State: Hashable, Sendable {
    /// The number of scenarios that reach the cell.
    case reached(Int)
    /// A client can reach the cell, but no scenario does.
    case gap
    /// No client can reach the cell.
    case unreachable
  }

  /// The cells that explorations reach; no run reaches any other cell.
  package let reachable: TransitionCells
  package private(set) var reached = TransitionCells()
  private var counts: [Int]
  private var known: [String: TransitionCells] = [:]  // lookup only

  /// Creates an empty coverage.
  ///
  /// - Parameter reachable: the cells that clients can reach.
  package init(reachable: TransitionCells) {
    self.reachable = reachable
    counts = Array(repeating: 0, count: TransitionCell.all.count)
  }

  /// Adds a result of a scenario; each scenario counts once for a cell, even if it is added again.
  package mutating func add(_ result: ScenarioResult) {
    let former = known[result.scenario.id] ?? TransitionCells()
    var all = former
    for one in result.cases { all.formUnion(one.cells) }
    var new = all
    new.subtract(former)
    for cell in new.list { if let position = cell.position { counts[position] += 1 } }
    known[result.scenario.id] = all
    reached.formUnion(all)
  }

  /// The number of different scenarios that were added.
  package var scenarioCount: Int { known.count }

  /// The number of reachable cells that no scenario reaches.
  package var gapCount: Int {
    var gaps = reachable
    gaps.subtract(reached)
    return gaps.count
  }

  package func state(of cell: TransitionCell) -> State {
    let count = cell.position.map { counts[$0] } ?? 0
    guard count == 0 else { return .reached(count) }
    return reachable.contains(cell) ? .gap : .unreachable
  }

  /// Returns the channel states that occur, or can occur, with calls of a phase.
  package func channels(of phase: TransitionCell.Phase) -> [ChannelState] {
    Self.states.filter { channel in
      TransitionCell.all.contains {
        $0.phase == phase && $0.channel == channel && state(of: $0) != .unreachable
      }
    }
  }

  /// The states in the order of a channel's life; `shutdown` represents that there is no channel
  /// yet.
  package static let states: [ChannelState] = [
    .shutdown, .idle, .connecting, .ready, .transientFailure,
  ]

  /// A summary of the table in one sentence.
  package var sum: String {
    var met = reached
    met.formIntersection(reachable)
    let scenarios = counted(scenarioCount, "scenario")
    return "\(scenarios) \(scenarioCount == 1 ? "covers" : "cover") \(met.count) of "
      + "\(counted(reachable.count, "reachable cell")); "
      + "\(gapCount) \(gapCount == 1 ? "is" : "are") not covered, and "
      + "\(TransitionCell.all.count - reachable.count) cannot be reached."
  }
}

extension TransitionCell.Phase {
  /// The phase as text.
  package var phrase: String {
    switch self {
    case .noCall: "no call"
    case .awaitingToken: "call waits for token"
    case .waiting: "call waits"
    case .running: "call runs"
    }
  }
}

extension AppState {
  /// The application state at the time when the application is notified of a change, as text.
  var notificationPhrase: String {
    switch self {
    case .foreground: "in the foreground"
    case .background: "suspended, notified on return"
    case .backgroundRunning: "in the background, running"
    }
  }
}

extension ChannelState {
  /// A short heading for a narrow column.
  var shortName: String {
    switch self {
    case .shutdown: "none"
    case .transientFailure: "FAILURE"
    case .idle, .connecting, .ready: name
    }
  }
}
