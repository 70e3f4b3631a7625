import HandoverCore
import HandoverTrace

/// What an entry makes of a network, which must have an effect on a connection.
struct PathFault: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case translation
    case uplink
    case loss

    /// What kind of fault an entry begins, or ends; nil where it is about none.
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
  /// The entry.
  var cause: UInt32
  /// Whether it stands in the way now, also of connections that are made later.
  var stands = false
  var hadEffect = false
}

// What becomes of connections where there are several networks.
extension LiveClient {
  /// The path that a new connection to a host takes; nil where there is none.
  func route(to host: Int) -> PathIndex? { script.route(to: host, on: device) }

  // MARK: Faults

  /// An entry says what a kind of fault of a network is from now on; nil is none.
  func plan(_ fault: PathFault?, _ kind: PathFault.Kind, on path: PathIndex) {
    pathFaults.removeAll { $0.kind == kind && $0.path == path }
    if let fault { pathFaults.append(fault) }
  }

  /// A fault of a network begins to stand in the way, or does so no more.
  func stand(_ kind: PathFault.Kind, on path: PathIndex, _ stands: Bool) {
    for index in pathFaults.indices
    where pathFaults[index].kind == kind && pathFaults[index].path == path {
      // Flows of later are known to the router.
      pathFaults[index].stands = stands && kind != .translation
      let meets = open.contains {
        $0.path == path && (kind == .translation ? $0.isConnected : $0.phase != .resolving)
      }
      if stands, meets { noteEffect(index) }
    }
  }

  /// A connection is made on a network, and meets what stands in the way there.
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

  // MARK: News

  /// Connections follow what became of networks.
  ///
  /// - Returns: the local ports of those that the platform reports lost.
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
      // The kernel hears of the others by itself; an attempt has no far end yet.
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
