import HandoverBackend
import HandoverCore
import NIOCore

// Transport faults.
extension LiveSession {
  func changeTransport(
    _ selector: HostSelector, _ fault: ConnectionFault, cause: UInt32
  ) throws(BackendError) {
    let run = try current()
    try onDevice {
      $0.noteFault(cause, on: selector, affectsLaterAttempts: fault.affectsLaterAttempts)
    }
    for host in run.script.hosts.indices where selector.includes(host) {
      let flows = try onDevice { client in
        client.open.filter { $0.host == host && $0.isConnected }.compactMap(\.flow)
      }
      switch fault {
      case .stall:
        try run.network.drop(flows)
        try note(stalled: true, host)
      case .stallAcked:
        try note(stalled: true, host)
      case .blackholeConnect:
        try run.network.dropNewConnections(to: host, except: flows)
      case .kill:
        try run.network.abort(flows)
      case .resume:
        try run.network.stopDropping(host: host)
        try note(stalled: false, host)
      case .reset, .fin, .halfClose:
        break
      }
      try wait { run.server.submit { run.servers.value[host].command(fault) } }
    }
  }

  /// Makes an address of a host unreachable, or reachable again.
  func setReachable(
    _ isReachable: Bool, _ position: Int, of host: Int, cause: UInt32
  ) throws(BackendError) {
    let run = try current()
    try onDevice { $0.noteFault(cause, on: .one(host), affectsLaterAttempts: true) }
    try run.network.setReachable(isReachable, address: position, host: host)
    try note(stalled: !isReachable, host) { $0 == position }
  }

  private func note(
    stalled: Bool, _ host: Int, at isAffected: @escaping @Sendable (Int?) -> Bool = { _ in true }
  ) throws(BackendError) {
    try onDevice { client in
      for connection in client.open
      where connection.host == host && connection.isConnected && isAffected(connection.address) {
        client.note(connection, isStalled: stalled)
      }
    }
  }
}
