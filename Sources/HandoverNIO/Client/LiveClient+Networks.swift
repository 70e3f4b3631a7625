import HandoverBackend
import HandoverCore

/// An active fault of a network, which also affects later connections.
struct PathFault: Hashable, Sendable {
  var path: PathIndex
  var obstacle: NetworkObstacle
  /// The index of the timeline entry.
  var cause: UInt32
}

// Connections with several networks.
extension LiveClient {
  /// Returns the path of a new connection to a host, or `nil` if there is none.
  func route(to host: Int) -> PathIndex? { script.route(to: host, on: device) }

  // MARK: Faults

  /// Records that an obstacle blocks a network; `cause` is the entry of a fault.
  func obstruct(_ path: PathIndex, _ obstacle: NetworkObstacle, _ cause: UInt32?) {
    clear(path, obstacle)
    guard let cause else { return }
    pathFaults.append(PathFault(path: path, obstacle: obstacle, cause: cause))
    if open.contains(where: { $0.path == path && $0.phase != .resolving }) { noteEffect(cause) }
  }

  /// Records that an obstacle no longer blocks a network.
  func clear(_ path: PathIndex, _ obstacle: NetworkObstacle) {
    pathFaults.removeAll { $0.obstacle == obstacle && $0.path == path }
  }

  /// Records the effect of a router that loses its flow state; it knows the flows that begin later.
  func applyTranslation(on path: PathIndex, _ cause: UInt32) {
    if open.contains(where: { $0.path == path && $0.isConnected }) { noteEffect(cause) }
  }

  /// Records the effect of all active faults on a new connection over a path.
  func applyFaults(on path: PathIndex) {
    for fault in pathFaults where fault.path == path { noteEffect(fault.cause) }
  }

  func noteEffect(_ cause: UInt32) {
    guard faultsWithEffect.insert(cause).inserted else { return }
    note(.faultTookEffect(cause))
  }

  // MARK: Network changes

  /// Applies a network change to the connections.
  ///
  /// - Returns: The connections that the platform reports as lost.
  func follow(_ news: NetworkNews) -> [LiveFlow] {
    switch news {
    case .callback: return []
    case .leads:
      askAgain()
      return []
    case .moved(let move, let device): return connectionsLeft(by: move, on: device)
    case .stalls(let path, let isStalled):
      for connection in open
      where connection.path == path && connection.isConnected && !connection.isForgotten
        && connection.isStalled != isStalled
      {
        note(connection, isStalled: isStalled)
      }
      return []
    case .forgotten(let path):
      for connection in open where connection.path == path && connection.isConnected {
        if !connection.isStalled { note(connection, isStalled: true) }
        connection.isForgotten = true
      }
      return []
    case .wasReset(let path):
      // The kernel notices the reset of established connections by itself; an attempt has no peer
      // yet.
      for connection in open
      where connection.path == path && connection.phase == .connecting {
        lose(connection, .reset)
      }
      return []
    case .renewed(let paths, let device):
      let outcome = profile.transport.pathLoss.outcome(
        device.app, from: device.category, to: device.category)
      return open.compactMap { connection in
        guard let path = connection.path, paths.contains(path), connection.isConnected else {
          return nil
        }
        guard outcome == .breaks else {
          if !connection.isStalled { note(connection, isStalled: true) }
          connection.isForgotten = true
          return nil
        }
        return connection.flow
      }
    }
  }
}
