import HandoverCore
import HandoverTrace

/// A fault of a network, caused by a timeline entry, which must affect a connection.
struct PathFault: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case translation
    case uplink
    case loss

    /// Returns the kind of fault that an action starts or ends, or `nil` if it concerns no fault.
    init?(_ action: NetworkAction) {
      switch action {
      case .nat: self = .translation
      case .uplink: self = .uplink
      case .loss: self = .loss
      case .up, .makeDefault, .losing, .down, .captive, .validated, .roam, .quality: return nil
      }
    }
  }

  var kind: Kind
  var path: PathIndex
  /// The index of the timeline entry.
  var cause: UInt32
  /// Whether the fault is active now and affects later connections as well.
  var stands = false
  var hadEffect = false
}

// Connections with several networks.
extension LiveClient {
  /// Returns the path of a new connection to a host, or `nil` if there is none.
  func route(to host: Int) -> PathIndex? { script.route(to: host, on: device) }

  // MARK: Faults

  /// Replaces the planned fault of a kind on a path; `nil` removes it.
  func plan(_ fault: PathFault?, _ kind: PathFault.Kind, on path: PathIndex) {
    pathFaults.removeAll { $0.kind == kind && $0.path == path }
    if let fault { pathFaults.append(fault) }
  }

  /// Activates or deactivates the faults of a kind on a path.
  func stand(_ kind: PathFault.Kind, on path: PathIndex, _ stands: Bool) {
    for index in pathFaults.indices
    where pathFaults[index].kind == kind && pathFaults[index].path == path {
      // The router knows flows that begin after the fault.
      pathFaults[index].stands = stands && kind != .translation
      let meets = open.contains {
        $0.path == path && (kind == .translation ? $0.isConnected : $0.phase != .resolving)
      }
      if stands, meets { noteEffect(index) }
    }
  }

  /// Records the effect of all active faults on a new connection over a path.
  func meetFaults(on path: PathIndex) {
    for index in pathFaults.indices
    where pathFaults[index].path == path && pathFaults[index].stands {
      noteEffect(index)
    }
  }

  private func noteEffect(_ index: Int) {
    guard !pathFaults[index].hadEffect else { return }
    pathFaults[index].hadEffect = true
    note(.faultTookEffect(pathFaults[index].cause))
  }

  // MARK: Network changes

  /// Applies a network change to the connections.
  ///
  /// - Returns: The local ports of the connections that the platform reports as lost.
  func follow(_ news: NetworkNews) -> [UInt16] {
    switch news {
    case .callback: return []
    case .leads:
      askAgain()
      return []
    case .moved(let move, let device): return connectionsLeft(by: move, on: device)
    case .stands(let path, let isStill):
      for connection in open
      where connection.path == path && connection.isConnected && !connection.isForgotten
        && connection.isStalled != isStill
      {
        note(connection, isStalled: isStill)
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
        return connection.localPort
      }
    }
  }
}
