package import HandoverCore
package import HandoverScenario

/// A scenario that reaches a cell of the transition space.
///
/// Its expectations are what the specifications require for the calls, channels and connections.
package struct ProposedScenario: Hashable, Sendable {
  /// The scenario, whose ID names the cell.
  package let scenario: Scenario
  /// The ID of the scenario.
  package var id: String { scenario.id }
  /// The text of the file.
  package var text: String { scenario.text }
  /// The cell for which the scenario is written.
  package let cell: TransitionCell

  /// How long the app is suspended before and after the change.
  private static let pause = Interval.milliseconds(100)

  /// Creates the scenario of a path that ends with the change; returns `nil` if it cannot be
  /// replayed.
  init?(_ cell: TransitionCell, by way: Counterexample, _ setup: ExplorationSetup) {
    let path = PlayedPath(way, setup, .leads)
    guard path.obstacle == nil, let last = path.entries.last else { return nil }
    self.cell = cell
    var entries = path.entries
    var end = path.now
    switch cell.app {
    case .foreground: break
    case .backgroundRunning:
      entries.insert((end, .app(.backgroundRunning)), at: entries.count - 1)
    case .background:
      entries[entries.count - 1] = (end, .app(.background))
      entries.append((end + Self.pause, last.action))
      end = end + Self.pause + Self.pause
      entries.append((end, .app(.foreground)))
    }
    scenario = path.scenario(
      id: "space/\(cell.slug)", title: Self.title(cell), items: Self.items(cell),
      entries: entries, until: end + .seconds(200), expectations: Self.expectations(path, at: end))
  }

  private static func title(_ cell: TransitionCell) -> String {
    let call =
      switch cell.phase {
      case .noCall: "there is no call"
      case .awaitingToken: "a call waits for its token"
      case .waiting: "a call waits"
      case .running: "a call runs"
      }
    let channel = cell.channel == .shutdown ? "no channel" : "a channel in \(cell.channel.name)"
    let app =
      switch cell.app {
      case .foreground: ""
      case .background: ", and the suspended application is notified when it returns"
      case .backgroundRunning: ", and the application runs in the background"
      }
    return "The category changes from \(cell.change.from) to \(cell.change.to) while \(call), "
      + "with \(channel)\(app)"
  }

  /// Returns the requirements from which the expectations follow.
  private static func items(_ cell: TransitionCell) -> [String] {
    var items = ["D9"]
    switch cell.change.from {
    case .unknown: items.append("M8")
    case .noNetwork: items.append("M11")
    case .cellular, .wifi: items.append("M9")
    }
    if cell.phase == .awaitingToken { items.append("C6") }
    return items
  }

  /// Returns the expectations.
  ///
  /// The monitor reports the change, and no channel or connection outlives it. Calls that were
  /// bound end, and calls that wait for their tokens are not affected.
  private static func expectations(_ path: PlayedPath, at end: Instant) -> [Expectation] {
    [Expectation(.monitor(notifications: path.changes), .at(end))]
      + path.endedLast.map { Expectation(ofCall: $0.call, ends: $0.end, at: end) }
      + path.calls.indices.filter { path.calls[$0].isLeftAwaiting }.map {
        Expectation(
          .call($0, status: .unavailable, message: nil, channel: nil), isNever: true)
      }
      + [
        Expectation(.channels(.all, alive: 0, destroyed: nil, state: nil), .at(end)),
        Expectation(.connections(.all, attempts: nil, open: 0, path: nil), .at(end)),
      ]
  }
}
