import HandoverCore
import HandoverLinux

/// Applies faults to all connections of a lab's device, and removes them.
struct ConnectionFaults {
  private let lab: DeviceLab
  private var stalled: Set<RoutedFlow> = []
  /// The connections that continue while new ones get no response, or `nil` if new connections
  /// work.
  private var exempt: [RoutedFlow]?

  init(_ lab: DeviceLab) {
    self.lab = lab
  }

  /// The effect of a fault.
  struct Effect {
    /// The number of connections that were ended.
    var ended = 0
    /// The number of affected connections and flows, or `nil` if only later packets are affected.
    var met: Int?
  }

  /// Applies a transport fault to every connection and to every UDP flow.
  ///
  /// Some faults have no effect on UDP, because a flow has no end that could be reported and no
  /// socket that the kernel could close.
  mutating func apply(_ fault: ConnectionFault) throws(LinuxError) -> Effect {
    let datagrams = lab.applyFaultToDatagrams(fault)
    var effect = try applyToConnections(fault)
    if let datagrams, let met = effect.met { effect.met = met + datagrams }
    return effect
  }

  private mutating func applyToConnections(_ fault: ConnectionFault) throws(LinuxError) -> Effect {
    switch fault {
    case .stall: return Effect(met: try stall())
    case .blackholeConnect: try refuseNew()
    case .resume: try resume()
    case .kill:
      let count = try lab.abort { DeviceLab.isDeviceAddress($0.localAddress) }
      return Effect(ended: count, met: count)
    case .reset:
      let count = try SocketTermination(in: lab.servers).end {
        DeviceLab.isDeviceAddress($0.remoteAddress)
      }
      return Effect(ended: count, met: count)
    case .stallAcked: return Effect(met: lab.swallowConnections(all: false))
    case .fin, .halfClose:
      let count = lab.endConnections()
      return Effect(ended: count, met: count)
    }
    return Effect()
  }

  /// Applies a server fault to all servers, by means of the middlebox.
  mutating func apply(_ fault: ServerFault) {
    switch fault {
    case .silent: lab.swallowConnections(all: true)
    case .refuse: lab.refuseConnections()
    case .accept: lab.serveConnections()
    case .close, .reset, .goaway:
      preconditionFailure("only the changes of a scenario have this effect on connections")
    }
  }

  private mutating func stall() throws(LinuxError) -> Int {
    let new = try lab.routedFlows().subtracting(stalled)
    for flow in new { try lab.setDropping(true, flow) }
    stalled.formUnion(new)
    return new.count
  }

  private mutating func refuseNew() throws(LinuxError) {
    guard exempt == nil else { return }
    let flows = Array(try lab.routedFlows())
    for router in lab.routers { try router.setDroppingNewConnections(true, except: flows) }
    exempt = flows
  }

  private mutating func resume() throws(LinuxError) {
    for flow in stalled { try lab.setDropping(false, flow) }
    stalled = []
    guard let exempt else { return }
    for router in lab.routers { try router.setDroppingNewConnections(false, except: exempt) }
    self.exempt = nil
  }
}
