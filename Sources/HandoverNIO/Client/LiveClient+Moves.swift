import HandoverBackend
import HandoverCore

extension LiveClient {
  /// Applies a network change to the connections whose network the device has left.
  ///
  /// - Returns: The connections that the platform reports as lost. The specified platform does
  ///   this; Linux never does it by itself.
  func connectionsLeft(by move: Device.Move, on device: Device) -> [LiveFlow] {
    var flows: [LiveFlow] = []
    for connection in open {
      // A lookup has no socket that could be lost. It will connect over the network that the device
      // uses then.
      guard let path = connection.path, connection.phase != .resolving else { continue }
      if path == move.to, move.from != move.to {
        if connection.isConnected { note(connection, isStalled: false) }
        continue
      }
      let outcome = profile.transport.pathLoss.outcome(of: path, when: move, on: device)
      guard let outcome else { continue }
      guard outcome == .breaks else {
        if connection.isConnected { note(connection, isStalled: true) }
        continue
      }
      // The kernel cannot abort a connection attempt from outside.
      if connection.isConnected, let flow = connection.flow {
        flows.append(flow)
      } else {
        lose(connection, .aborted)
      }
    }
    if move.from != move.to { askAgain() }
    return flows
  }

  /// Records that a connection has stalled or resumed.
  func note(_ connection: LiveConnection, isStalled: Bool) {
    connection.isStalled = isStalled
    note(isStalled ? .connectionStalled(connection.id) : .connectionResumed(connection.id))
  }
}
