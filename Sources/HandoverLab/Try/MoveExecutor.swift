import HandoverBackend
import HandoverCore
import HandoverLinux

/// Executes the actions of network changes on a lab, its servers and the programs in it.
struct MoveExecutor {
  private let lab: DeviceLab
  private let servers: [any TryServers]
  private let timeline: TimelineExecutor
  private var faults: ConnectionFaults
  /// The device after the last action.
  private(set) var device: Device
  /// The address families at which the servers are unreachable.
  private var unreachable: [IPAddress.Family] = []

  init(_ run: TryRun, _ lab: DeviceLab, _ servers: [any TryServers]) {
    self.lab = lab
    self.servers = servers
    timeline = TimelineExecutor(script: run.move.script, lab: lab, platform: run.platform)
    faults = ConnectionFaults(lab)
    device = Device(run.move.script.initial)
  }

  /// The device's addresses from which servers can be reached now.
  var liveAddresses: [IPAddress] {
    lab.liveAddresses(of: device).filter { !unreachable.contains($0.family) }
  }

  /// Executes an action.
  ///
  /// - Returns: the number of connections that the action ended, and the number that it affected.
  mutating func execute(
    _ action: TryMove.Action, on programs: [ProcessTree]
  ) throws(LinuxError) -> ConnectionFaults.Effect {
    var effect = ConnectionFaults.Effect()
    switch action {
    case .device(let effects):
      effect.ended = try timeline.execute(effects, on: programs) ?? 0
      device = effects.last?.device ?? device
    case .uplinkCut(let isCut):
      for index in lab.networks.indices {
        try lab.setUplink(!isCut, of: PathIndex(UInt8(clamping: index)))
      }
    case .natForgets: try lab.forgetConnections()
    case .connections(let fault): effect = try faults.apply(fault)
    case .addresses(let family, let areReachable):
      let family: IPAddress.Family = family == .ipv4 ? .v4 : .v6
      for router in lab.routers { try router.setDropping(!areReachable, family) }
      unreachable.removeAll { $0 == family }
      if !areReachable { unreachable.append(family) }
    case .names(let fault): for server in servers { server.answerNames(fault) }
    case .servers(let fault): faults.apply(fault)
    }
    return effect
  }
}
