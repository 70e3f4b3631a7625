import HandoverCore
import HandoverTrace

extension LiveClient {
  /// What becomes of the connections whose path was left; answers the local ports of those that the
  /// platform reports lost, as the documents' does and Linux by itself never does.
  func connectionsLeft(by move: Device.Move, on device: Device) -> [UInt16] {
    var ports: [UInt16] = []
    for connection in open {
      // A look-up has no socket that could be lost; it connects from where the device is then.
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
      // An attempt has nothing yet that the kernel could end from outside.
      if connection.isConnected, let port = connection.localPort {
        ports.append(port)
      } else {
        lose(connection, .aborted)
      }
    }
    if move.from != move.to { askAgain() }
    return ports
  }

  /// Notes that nothing passes on a connection, or that something may again.
  func note(_ connection: LiveConnection, isStalled: Bool) {
    connection.isStalled = isStalled
    note(isStalled ? .connectionStalled(connection.id) : .connectionResumed(connection.id))
  }
}
