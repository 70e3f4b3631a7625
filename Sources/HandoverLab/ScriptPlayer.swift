import Glibc
import HandoverBackend
import HandoverCore
import HandoverLinux

/// Runs a script's timeline around a program that is unaware of it.
///
/// The device changes its networks, the program is stopped while the app is suspended, servers
/// misbehave, and connections break. The program makes its own calls. Entries about the script's
/// calls are skipped, with a single remark.
struct ScriptPlayer {
  private let script: Script
  private let lab: DeviceLab
  private let server: StreamServer
  private let executor: TimelineExecutor
  private let zone: LabZone?
  private(set) var timeline: DeviceTimeline
  /// Whether the last entry is a fault that affected no connection.
  private var lastWasIdle = false
  /// The entries that are such faults.
  private(set) var idleFaults: [Int] = []
  private var reported: [String] = []

  init(
    _ script: Script, _ lab: DeviceLab, _ server: StreamServer, _ platform: ProgramRun.Platform,
    _ zone: LabZone? = nil
  ) {
    self.zone = zone
    self.script = script
    self.lab = lab
    self.server = server
    executor = TimelineExecutor(script: script, lab: lab, platform: platform)
    timeline = DeviceTimeline(script)
  }

  /// The outcome of an entry or of a scheduled change.
  struct Outcome {
    /// The effects on the device and its networks.
    var effects: [DeviceTimeline.Effect] = []
    /// A remark, for example that the entry cannot run, or `nil`.
    var remark: String?
  }

  /// Begins the timeline, before the program starts.
  mutating func begin() throws(LinuxError) {
    lab.watchDatagrams()
    _ = try run(.began, nil, at: .zero)
  }

  /// Performs the next scheduled change of a network, or returns `nil` if none is due.
  mutating func playDue(
    _ program: ProcessTree, at now: Instant
  ) throws(LinuxError) -> Outcome? {
    guard let next = timeline.nextChange(by: now) else { return nil }
    return try run(.due(next.change), program, at: next.at)
  }

  private mutating func run(
    _ event: DeviceTimeline.Event, _ program: ProcessTree?, at now: Instant
  ) throws(LinuxError) -> Outcome {
    let effects = timeline.effects(of: event, at: now)
    let ended = try executor.execute(effects, on: program.map { [$0] } ?? [])
    return Outcome(effects: effects, remark: ended.map { "connections that the OS ends: \($0)" })
  }

  /// Runs an entry, given by its action and its index in the script.
  mutating func play(
    _ action: ScriptAction, _ entry: UInt32, _ program: ProcessTree, at now: Instant = .zero
  ) throws(LinuxError) -> Outcome {
    lastWasIdle = false
    var outcome = try run(.entry(action, index: entry), program, at: now)
    if outcome.remark == nil { outcome.remark = try play(action, entry) }
    return outcome
  }

  /// Runs an entry if it is not about the device, which the timeline covers.
  ///
  /// - Returns: a remark, or `nil`.
  private mutating func play(
    _ action: ScriptAction, _ entry: UInt32
  ) throws(LinuxError) -> String? {
    switch action {
    case .flags, .path, .app, .network, .power: return nil
    case .server(let host, let fault):
      switch try server.apply(host, fault) {
      case .met(let count): return met(count)
      case .later: return nil
      case .impossible: return once("plain HTTP has no GOAWAY, so the entry has no effect")
      }
    case .address(let host, let position, let isReachable):
      let count = try lab.setReachable(isReachable, address: position, host: host)
      // Later connections are affected as well.
      return met(isReachable || count == 0 ? nil : count)
    case .transport(let hosts, let fault):
      var count: Int? = 0
      for host in script.hosts.indices where hosts.includes(host) {
        for affected in [try play(fault, host), lab.applyFaultToDatagrams(fault, to: host)] {
          count = affected.flatMap { affected in count.map { $0 + affected } }
        }
      }
      return met(count)
    case .makeCall, .startCall, .cancel, .finish, .send, .disconnect, .receive, .interceptor,
      .request,
      .cancelRequest, .ask, .dispatcher:
      return once("the program makes its own calls, and the calls of the scenario are ignored")
    case .signal: return once("the program has no monitor that could receive a callback")
    case .names(let host, let fault):
      return changeNames { $0.set(fault, of: host) }
    case .answer(let host, _):
      return changeNames { $0.changeAnswer(of: host, cause: entry) }
    case .monitor: return once("the program has no monitor whose callbacks could be changed")
    }
  }

  private mutating func changeNames(_ change: (LabZone) -> Void) -> String? {
    guard let zone else { return once("names cannot be resolved, so they are not changed") }
    change(zone)
    return nil
  }

  /// Records the entry that ran last if it affected no connection.
  mutating func noteEffect(of entry: Int) {
    if lastWasIdle { idleFaults.append(entry) }
  }

  /// Records whether a fault affected a connection.
  ///
  /// `count` is `nil` if only later packets are affected.
  private mutating func met(_ count: Int?) -> String? {
    lastWasIdle = count == 0
    return lastWasIdle ? "there is no connection that it could affect" : nil
  }

  /// Applies a fault to the connections of a host.
  ///
  /// - Returns: the number of affected connections, or `nil` if only later packets are affected.
  private mutating func play(_ fault: ConnectionFault, _ host: Int) throws(LinuxError) -> Int? {
    switch fault {
    case .stall:
      let flows = try lab.flows(to: .one(host))
      try lab.drop(flows)
      return flows.count
    case .stallAcked: return server.treat(host, .swallowed)
    case .blackholeConnect:
      try lab.dropNewConnections(to: host, except: try lab.flows(to: .one(host)))
      return nil
    case .reset: return server.treat(host, .reset)
    case .fin: return server.treat(host, .ended)
    case .halfClose: return server.treat(host, .halfClosed)
    case .kill: return try lab.abort(try lab.flows(to: .one(host)))
    case .resume:
      try lab.stopDropping(host: host)
      server.treat(host, .served)
      return nil
    }
  }

  private mutating func once(_ text: String) -> String? {
    guard !reported.contains(text) else { return nil }
    reported.append(text)
    return text
  }
}
