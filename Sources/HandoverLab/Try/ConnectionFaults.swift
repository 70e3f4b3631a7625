import HandoverCore
import HandoverLinux

/// What is done to all connections of a lab's device, and undone.
struct ConnectionFaults {
  private let lab: DeviceLab
  private var stalled: [TCPConnection] = []
  /// The connections that go on while new ones get no answer; nil where those do.
  private var exempt: [TCPConnection]?

  init(_ lab: DeviceLab) {
    self.lab = lab
  }

  /// Does it to every connection that there is.
  ///
  /// - Returns: how many connections were ended.
  mutating func apply(_ word: TransportWord) throws(LinuxError) -> Int {
    switch word {
    case .stall: try stall()
    case .blackholeConnect: try refuseNew()
    case .resume: try resume()
    case .kill: return try lab.abort { DeviceLab.isOfDevice($0.localAddress) }
    case .reset:
      return try SocketTermination(in: lab.servers).end {
        DeviceLab.isOfDevice($0.remoteAddress)
      }
    case .stallAcked: lab.swallowConnections(all: false)
    case .fin, .halfClose: return lab.endConnections()
    }
    return 0
  }

  /// Lets whoever stands in front of all servers do it.
  mutating func apply(_ word: ServerFault) {
    switch word {
    case .silent: lab.swallowConnections(all: true)
    case .refuse: lab.refuseConnections()
    case .accept: lab.serveConnections()
    case .close, .reset, .goaway: preconditionFailure("moves of scripts say this of connections")
    }
  }

  private mutating func stall() throws(LinuxError) {
    for connection in try lab.connections()
    where DeviceLab.isOfDevice(connection.localAddress)
      && !stalled.contains(where: { $0.isSameWay(as: connection) })
    {
      try lab.drop(true, connection)
      stalled.append(connection)
    }
  }

  private mutating func refuseNew() throws(LinuxError) {
    guard exempt == nil else { return }
    let connections = try lab.connections().filter { DeviceLab.isOfDevice($0.localAddress) }
    for router in lab.routers { try router.dropNew(true, except: connections.map(\.localPort)) }
    exempt = connections
  }

  private mutating func resume() throws(LinuxError) {
    for connection in stalled { try lab.drop(false, connection) }
    stalled = []
    guard let exempt else { return }
    for router in lab.routers { try router.dropNew(false, except: exempt.map(\.localPort)) }
    self.exempt = nil
  }
}

extension TCPConnection {
  /// Whether routers cannot tell the two apart.
  fileprivate func isSameWay(as other: TCPConnection) -> Bool {
    localPort == other.localPort && remoteAddress == other.remoteAddress
  }
}
