import HandoverBackend
import HandoverCore
import HandoverScenario
import Synchronization

/// The networks of a device that a test changes, without a device and without waiting.
///
/// The timeline comes from a scenario or from a ``NetworkMove``. Code that observes the network
/// gets a ``ScriptedPathMonitor`` in place of the monitor of the platform:
///
///     let network = ScriptedNetwork(.wifiToCellular)
///     let client = Client(monitor: network.makeMonitor())
///     network.play()
///     #expect(client.usesCellular)
///
/// A suspended app gets no updates. When it resumes, it gets the current path if it differs from
/// the last one. Entries about calls, servers and packets have no effect here.
public final class ScriptedNetwork: Sendable {
  /// The network of the test that is running, which ``Testing/Trait/networkMoves`` provides.
  @TaskLocal public static var current: ScriptedNetwork?

  private struct State {
    var timeline: DeviceTimeline
    /// The next entry of the script.
    var next = 0
    var now = Instant.zero
    var path: NetworkPath
    /// The last path that the monitors got.
    var delivered: NetworkPath
    var monitors: [ScriptedPathMonitor] = []
    var log: [String]
  }

  private let script: Script
  private let state: Mutex<State>

  /// Creates the networks of a device before the first entry of a move.
  public convenience init(_ move: NetworkMove) {
    self.init(move.script)
  }

  /// Creates the networks of a device before the first entry of a scenario.
  ///
  /// - Parameters:
  ///   - scenario: The path of the scenario file. A relative path is resolved from the directory of
  ///     the calling file, and then from each of its parent directories.
  ///   - file: The calling file.
  /// - Throws: ``ScenarioCaseError`` if the file does not exist or is not a valid scenario.
  public convenience init(
    scenario: String, file: String = #filePath
  ) throws(ScenarioCaseError) {
    self.init(try ScenarioCase.script(of: scenario, from: file))
  }

  private init(_ script: Script) {
    self.script = script
    let path = NetworkPath(script.initial.flags)
    state = Mutex(
      State(
        timeline: DeviceTimeline(script), path: path, delivered: path, log: ["0s  \(path)"]))
  }

  /// The path that the device uses now.
  public var path: NetworkPath { state.withLock { $0.path } }

  /// The changes until now, one line each, with the time since the start.
  public var timeline: String { state.withLock { $0.log.joined(separator: "\n") } }

  /// Creates a monitor, which gets no updates before it is started.
  public func makeMonitor() -> ScriptedPathMonitor { ScriptedPathMonitor(self) }

  /// Executes everything that is due at the next instant of the timeline.
  ///
  /// Monitors without a queue are notified before the function returns.
  ///
  /// - Returns: Whether there was anything left to execute.
  @discardableResult
  public func advance() -> Bool {
    let (isDone, updates) = state.withLock { advance(&$0) }
    for (path, monitors) in updates {
      for monitor in monitors { monitor.notify(path) }
    }
    return !isDone
  }

  /// Executes the rest of the timeline.
  ///
  /// A scenario may repeat a change forever. Such a change is not repeated after the last entry.
  public func play() {
    while advance() {}
  }

  /// Adds a started monitor, and returns its first path.
  func add(_ monitor: ScriptedPathMonitor) -> NetworkPath {
    state.withLock {
      $0.monitors.append(monitor)
      return $0.delivered
    }
  }

  /// Removes a monitor, which gets no further updates.
  func remove(_ monitor: ScriptedPathMonitor) {
    state.withLock { $0.monitors.removeAll { $0 === monitor } }
  }

  private typealias Updates = [(NetworkPath, [ScriptedPathMonitor])]

  private func advance(_ state: inout State) -> (isDone: Bool, updates: Updates) {
    let entries = script.entries
    if state.next == entries.count { state.timeline.endRepetitions() }
    let entry = state.next < entries.count ? entries[state.next].at : nil
    guard let due = [entry, state.timeline.nextDeadline].compactMap(\.self).min() else {
      return (true, [])
    }
    state.now = due
    var updates: Updates = []
    while state.next < entries.count, entries[state.next].at == due {
      let index = state.next
      state.next += 1
      execute(.entry(entries[index].action, index: UInt32(index)), &state, &updates)
    }
    // After the entries, because they can cancel the end of a linger at their instant.
    while let (change, _) = state.timeline.nextChange(by: due) {
      execute(.due(change), &state, &updates)
    }
    return (false, updates)
  }

  private func execute(
    _ event: DeviceTimeline.Event, _ state: inout State, _ updates: inout Updates
  ) {
    for effect in state.timeline.effects(of: event, at: state.now) {
      switch effect.body {
      case .callback(let flags, _), .routeReported(let flags, _): state.path = NetworkPath(flags)
      case .app(let before):
        if before != effect.device.app {
          let app = effect.device.app.rawValue
          state.log.append("\(state.now.text)  the app is in the state \(app)")
        }
      case .fact, .move, .network, .quality, .scheduled, .cancelled: continue
      }
      guard effect.device.app.runs, state.path != state.delivered else { continue }
      state.delivered = state.path
      state.log.append("\(state.now.text)  \(state.path)")
      updates.append((state.path, state.monitors))
    }
  }
}
