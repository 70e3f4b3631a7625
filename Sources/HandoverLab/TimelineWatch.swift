import HandoverBackend
import HandoverCore
import HandoverLinux
import HandoverTry

/// Observes the traffic of a program, and records the network changes of a timeline.
struct TimelineWatch: ~Copyable {
  private let traffic: TrafficWatch
  private let lab: DeviceLab
  private let script: Script
  private var changes: [NetworkChange] = []
  private var losses: [NetworkChange.Loss] = []

  /// Starts to observe.
  init(_ script: Script, in lab: DeviceLab) throws(LinuxError) {
    traffic = try TrafficWatch(lab)
    self.lab = lab
    self.script = script
  }

  /// Stops observing.
  borrowing func close() { traffic.close() }

  /// Records that an entry was run, or that a scheduled change happened.
  ///
  /// - Parameters:
  ///   - action: the action of the entry, or `nil` for a scheduled change.
  ///   - effects: the effects on the device and its networks.
  ///   - before: the device before the entry.
  ///   - timeline: the timeline after the entry.
  ///   - began: the start of the entry, on the monotonic clock in microseconds.
  mutating func note(
    _ action: ScriptAction?, _ effects: [DeviceTimeline.Effect], from before: Device,
    to timeline: DeviceTimeline, began: Int64
  ) {
    let began = traffic.instant(of: began)
    var beginsOutage = Self.beginsOutage(effects, from: before, to: timeline.device)
    if case .transport(let hosts, let fault) = action {
      beginsOutage = effect(of: fault, hosts, at: began)
    } else if case .address(let host, let position, let isReachable) = action {
      let address = lab.endpoints.ownTargets(of: host)[position].endpoint.address
      note([address, address.translated], areLost: !isReachable, at: began)
      beginsOutage = !isReachable
    }
    guard let beginsOutage else { return }
    let device = timeline.device
    // The pages of a captive portal are not application data.
    let portals = timeline.paths(behind: .portal)
    changes.append(
      NetworkChange(
        began: began, ended: traffic.now, beginsOutage: beginsOutage,
        addresses: device.app.runs
          ? lab.liveAddresses(of: device, behind: portals).compactMap { HostAddress($0.bytes) }
          : [],
        losses: losses))
  }

  /// Returns whether effects remove some of the network, or `nil` if they do not affect it.
  static func beginsOutage(
    _ effects: [DeviceTimeline.Effect], from before: Device, to device: Device
  ) -> Bool? {
    guard before.app.runs == device.app.runs else { return false }
    if effects.contains(where: \.body.takesAway) { return true }
    let isFree = effects.contains {
      if case .network(.clear(_, .portal), _) = $0.body { true } else { false }
    }
    return isFree ? false : nil
  }

  private mutating func effect(
    of fault: ConnectionFault, _ hosts: HostSelector, at now: Instant
  ) -> Bool {
    let addresses = script.hosts.indices.filter(hosts.includes).flatMap {
      lab.endpoints.addressesForDevice(of: $0)
    }
    switch fault {
    case .stall, .stallAcked, .reset, .fin, .halfClose, .kill:
      note(addresses, areLost: true, at: now)
      return true
    // Existing connections continue.
    case .blackholeConnect: return true
    case .resume:
      note(addresses, areLost: false, at: now)
      return false
    }
  }

  /// Records that the connections to some addresses are lost, or continue.
  private mutating func note(_ addresses: [IPAddress], areLost: Bool, at now: Instant) {
    let addresses = addresses.compactMap { HostAddress($0.bytes) }
    losses.removeAll { loss in loss.address.map(addresses.contains) ?? false }
    guard areLost else { return }
    losses += addresses.map { NetworkChange.Loss(address: $0, before: now) }
  }

  /// Returns the program's outages until now.
  ///
  /// - Parameters:
  ///   - start: the start of the timeline, on the monotonic clock in microseconds. Instants count
  ///     from it.
  ///   - end: how the program ended, or `nil` if it is running.
  /// - Returns: the outages, in order.
  borrowing func outages(since start: Int64, _ end: ChildProcess.End?) -> [TimelineOutage] {
    let now = traffic.now
    let seen = traffic.seen
    var observation = TryObservation(
      device: seen.device.flows, servers: seen.servers.flows, sockets: seen.sockets, moved: nil,
      restored: nil, end: now,
      programEnd: end.map { ProgramEnd(at: now, phrase: $0.phrase, isError: $0 != .exited(0)) })
    observation.unframedAttempts = seen.unframedAttempts
    let shift = traffic.instant(of: start).since(.zero)
    return observation.outages(at: changes).map { outage in
      var outage = outage
      outage.since = Instant(microseconds: outage.since.microseconds - shift.microseconds)
      return outage
    }
  }
}
