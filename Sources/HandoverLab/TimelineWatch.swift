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
  /// The paths behind a captive portal, whose pages are not application data.
  private var portals = PathSet()

  /// Starts to observe.
  init(_ script: Script, in lab: DeviceLab) throws(LinuxError) {
    traffic = try TrafficWatch(lab)
    self.lab = lab
    self.script = script
  }

  /// Stops observing.
  borrowing func close() { traffic.close() }

  /// Records that an entry was run.
  ///
  /// - Parameters:
  ///   - action: the action of the entry.
  ///   - before: the device before the entry.
  ///   - device: the device after the entry.
  ///   - began: the start of the entry, on the monotonic clock in microseconds.
  mutating func note(
    _ action: ScriptAction, from before: Device, to device: Device, began: Int64
  ) {
    let began = traffic.instant(of: began)
    guard let beginsOutage = effect(of: action, from: before, to: device, at: began) else { return }
    note(beginsOutage: beginsOutage, device, began: began)
  }

  /// Records a scheduled change of a network.
  mutating func note(
    _ deed: NetworkDeed, from before: Device, to device: Device, began: Int64
  ) {
    guard let beginsOutage = effect(of: [deed], from: before, to: device) else { return }
    note(beginsOutage: beginsOutage, device, began: traffic.instant(of: began))
  }

  private mutating func note(beginsOutage: Bool, _ device: Device, began: Instant) {
    changes.append(
      NetworkChange(
        began: began, ended: traffic.now, beginsOutage: beginsOutage,
        addresses: device.app.runs
          ? lab.liveAddresses(of: device, behind: portals).compactMap { HostAddress($0.bytes) }
          : [],
        losses: losses))
  }

  /// Returns whether an entry removes some of the network, or `nil` if it does not affect the
  /// network.
  private mutating func effect(
    of action: ScriptAction, from before: Device, to device: Device, at now: Instant
  ) -> Bool? {
    switch action {
    case .flags, .path:
      let isLost = before.keptAlive.subtracting(device.keptAlive)
      guard before.path != device.path || !isLost.isEmpty else { return nil }
      return true
    case .app: return before.app.runs == device.app.runs ? nil : false
    case .transport(let hosts, let word): return effect(of: word, hosts, at: now)
    case .makeCall, .startCall, .cancel, .finish, .send, .disconnect, .receive, .interceptor,
      .request, .cancelRequest, .ask, .dispatcher, .server, .names, .monitor, .signal:
      return nil
    case .network(let path, let change, _):
      var agenda = NetworkAgenda()
      return effect(of: agenda.deeds(of: change, on: path, at: now), from: before, to: device)
    case .power: return before.app.runs == device.app.runs ? nil : false
    }
  }

  private mutating func effect(
    of deeds: [NetworkDeed], from before: Device, to device: Device
  ) -> Bool? {
    let former = portals
    for case .portal(let path, let isThere) in deeds {
      if isThere { portals.insert(PathSet(path)) } else { portals.remove(PathSet(path)) }
    }
    if before.path != device.path || deeds.contains(where: \.takesAway) { return true }
    return portals == former ? nil : false
  }

  private mutating func effect(
    of word: TransportWord, _ hosts: HostSelector, at now: Instant
  ) -> Bool {
    let addresses = script.hosts.indices.filter(hosts.includes).flatMap { host in
      lab.endpoints.addresses(of: host).flatMap { [$0, $0.translated] }
    }.compactMap { HostAddress($0.bytes) }
    switch word {
    case .stall, .stallAcked, .reset, .fin, .halfClose, .kill:
      losses.removeAll { addresses.contains($0.address) }
      losses += addresses.map { NetworkChange.Loss(address: $0, before: now) }
      return true
    // Existing connections continue.
    case .blackholeConnect: return true
    case .resume:
      losses.removeAll { addresses.contains($0.address) }
      return false
    }
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
      programEnd: end.map { ProgramEnd(at: now, words: $0.words, isError: $0 != .exited(0)) })
    observation.unframedAttempts = seen.unframedAttempts
    let shift = traffic.instant(of: start).since(.zero)
    return observation.outages(at: changes).map { outage in
      var outage = outage
      outage.since = Instant(microseconds: outage.since.microseconds - shift.microseconds)
      return outage
    }
  }
}
