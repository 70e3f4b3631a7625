import Glibc
public import HandoverBackend
public import HandoverCore
public import HandoverLinux
public import HandoverTry

/// A run of an unmodified program in a lab, while the timeline of a script runs in real time.
public struct ProgramRun: Sendable {
  /// The platform's behavior for connections whose network the device has left.
  public enum Platform: String, Hashable, Sendable, CaseIterable {
    /// The platform reports nothing, like Linux.
    case linux
    /// The platform reports the connections whose loss TCP sockets report according to the
    /// specifications (D3).
    case sockets
    /// The platform reports all connections, like CFStream (D10).
    case cfstream

    var transport: TransportModel? {
      switch self {
      case .linux: nil
      case .sockets: .tcpSockets
      case .cfstream: .cfStream
      }
    }
  }

  /// An event for the log.
  public enum Event: Hashable, Sendable {
    /// The program has started.
    case started
    /// An entry, given by its script index, was run; with a remark if there is one.
    case played(Int, remark: String?)
    /// A network changed on schedule, as an earlier entry requested; with a description.
    case happened(String)
    /// The time limit was reached.
    case timeLimitReached
    /// The program has ended.
    case ended(ChildProcess.End)
  }

  /// The script.
  public var script: Script
  /// The program, which is looked up in PATH, and its arguments.
  public var command: [String]
  /// The program's environment, in addition to the addresses of the hosts.
  public var environment: [String]
  /// The behavior of the platform.
  public var platform = Platform.linux
  /// The conditions of the media.
  ///
  /// Other media leave frames unchanged.
  public var conditions: [(medium: LivePlan.Medium, conditions: LinkConditions)] = []
  /// The time at which the program is ended, or `nil` to wait until it ends.
  public var until: Instant?
  /// The descriptor to which frames are written, or `nil` to write none.
  public var capture: Int32?
  /// Creates the name server on a thread of the servers, or is `nil` if names are not resolved.
  public var makeNames: (@Sendable (LabZone) throws(LinuxError) -> any LabNames)?
  /// Whether the program's traffic is observed, to report outages.
  public var observesTraffic = false
  /// A closure that is called while the program runs, with the time since the start, or `nil`.
  ///
  /// It returns the time in microseconds until its next call.
  public var whileWaiting: (@Sendable (Instant) -> Int64)?

  /// Creates a run without platform behavior and without a time limit.
  public init(_ script: Script, command: [String], environment: [String]) {
    self.script = script
    self.command = command
    self.environment = environment
  }

  /// The time in microseconds in which a program must end after it was asked to.
  private static let graceMicroseconds: Int64 = 2_000_000
  /// The time in microseconds in which a program must end if the whole run is interrupted.
  private static let lastGraceMicroseconds: Int64 = 200_000

  /// The outcome of a run.
  public struct Outcome: Sendable {
    /// How the program ended.
    public var end: ChildProcess.End
    /// Descriptions of the lab resources that were not released.
    public var leaks: [String]
    /// The `errno` value if frames could not be written; otherwise `nil`.
    public var captureProblem: Int32?
    /// Whether the program was ended because of the time limit.
    public var timedOut: Bool
    /// The program's outages at changes of its network.
    ///
    /// Empty if the traffic was not observed.
    public var outages: [TimelineOutage]
    /// The script indices of the faults that affected no connection, and therefore tested nothing.
    public var idleFaults: [Int]
  }

  /// Runs the program until it ends.
  ///
  /// The process must have entered its own namespaces.
  ///
  /// - Parameters:
  ///   - plan: the plan of the script.
  ///   - interruption: ends the run when it is signaled.
  ///   - log: receives the time since the start, and the event.
  /// - Returns: the outcome of the run.
  /// - Throws: ``LinuxError`` if the lab cannot be created or the program cannot be started.
  public func run(
    _ plan: LivePlan, interruption: WakeupPipe, log: (Instant, Event) -> Void
  ) throws(LinuxError) -> Outcome {
    let lab = try DeviceLab(plan, home: .process)
    let server = try StreamServer(script, in: lab)
    defer { server.close() }
    let zone = makeNames == nil ? nil : LabZone(script, plan, lab)
    var player = ScriptPlayer(script, lab, server, platform, zone)
    try player.begin()
    // These replace the qualities that the script specifies.
    for (medium, conditions) in conditions { lab.setConditions(conditions, of: medium) }
    let names = try startNames(zone, lab)
    defer { names?.close() }
    var frames: FrameCapture?
    if let capture { frames = try FrameCapture(of: lab.device, to: capture) }
    defer { frames?.close() }
    var watch: TimelineWatch?
    if observesTraffic { watch = try TimelineWatch(script, in: lab) }
    defer { watch?.close() }
    let program = try ProcessTree.start(
      command, environment: environment + Self.variables(script, lab))
    defer { program.end() }
    let course = try follow(program, &player, &watch, interruption, log: log)
    // Child processes of the program may end a little later than the program, and hold sockets
    // until then.
    program.end()
    server.close()
    names?.close()
    // No frame is written after this call returns.
    frames?.close()
    return Outcome(
      end: course.end, leaks: lab.close(), captureProblem: frames?.problem,
      timedOut: course.timedOut, outages: course.outages, idleFaults: player.idleFaults)
  }

  private func startNames(_ zone: LabZone?, _ lab: DeviceLab) throws(LinuxError) -> (any LabNames)?
  {
    guard let zone, let makeNames else { return nil }
    return try lab.servers.run { () throws(LinuxError) in try makeNames(zone) }
  }

  /// Returns the environment variables with the addresses of the servers.
  private static func variables(_ script: Script, _ lab: DeviceLab) -> [String] {
    var variables: [String] = []
    for host in script.hosts.indices {
      let endpoint = lab.endpoints.first(of: host)
      let isBracketed = endpoint.address.family == .v6
      let address = isBracketed ? "[\(endpoint.address)]" : endpoint.address.description
      let named = [
        ("HANDOVER_SERVER", "\(address):\(endpoint.port)"),
        ("HANDOVER_HOST", script.hosts[host].name?.text ?? script.hosts[host].written),
      ]
      for (name, value) in named {
        variables.append("\(name)_\(host + 1)=\(value)")
        if host == 0 { variables.append("\(name)=\(value)") }
      }
    }
    return variables
  }

  // MARK: While the program runs

  private struct Course {
    var end: ChildProcess.End
    var timedOut = false
    var outages: [TimelineOutage] = []
  }

  private func follow(
    _ program: ProcessTree, _ player: inout ScriptPlayer, _ watch: inout TimelineWatch?,
    _ interruption: WakeupPipe, log: (Instant, Event) -> Void
  ) throws(LinuxError) -> Course {
    let start = monotonicMicroseconds()
    func now() -> Instant { Instant(microseconds: monotonicMicroseconds() - start) }
    if !player.timeline.device.app.runs { program.signal(SIGSTOP, to: .all) }
    log(.zero, .started)
    var entries = script.entries.indices.makeIterator()
    var next = entries.next()
    while true {
      let entryDue = next.map { script.entries[$0].at } ?? .never
      let due = min(entryDue, player.timeline.nextDeadline ?? .never)
      switch try wait(until: min(due, until ?? .never), program, interruption, now) {
      case .ended(let end):
        log(now(), .ended(end))
        return Course(end: end, outages: watch?.outages(since: start, end) ?? [])
      case .interrupted:
        return Course(end: stop(program, grace: Self.lastGraceMicroseconds))
      case .due:
        if due < entryDue, due <= until ?? .never {
          for text in try happen(program, &player, &watch, at: due) { log(now(), .happened(text)) }
          continue
        }
        guard let index = next, due <= until ?? .never else {
          log(now(), .timeLimitReached)
          // Outages are computed before the program is asked to end, because its reaction to that
          // does not count.
          let outages = watch?.outages(since: start, nil) ?? []
          return Course(
            end: stop(program, grace: Self.graceMicroseconds), timedOut: true, outages: outages)
        }
        let (action, began) = (script.entries[index].action, monotonicMicroseconds())
        let before = player.timeline.device
        let outcome = try player.play(
          action, UInt32(truncatingIfNeeded: index), program, at: due)
        player.noteEffect(of: index)
        watch?.note(action, outcome.effects, from: before, to: player.timeline, began: began)
        // A change that takes long is late too, because the program sees the former network.
        let late = now().since(due)
        log(now(), .played(index, remark: Self.remark(outcome.remark, late: late)))
        next = entries.next()
      }
    }
  }

  /// Performs the change of a network that is due, and returns its descriptions.
  private func happen(
    _ program: ProcessTree, _ player: inout ScriptPlayer, _ watch: inout TimelineWatch?,
    at due: Instant
  ) throws(LinuxError) -> [String] {
    let (began, before) = (monotonicMicroseconds(), player.timeline.device)
    guard let outcome = try player.playDue(program, at: due) else { return [] }
    watch?.note(nil, outcome.effects, from: before, to: player.timeline, began: began)
    let remark = outcome.remark.map { " (\($0))" } ?? ""
    return outcome.effects.compactMap { $0.phrase(script.paths) }.map { $0 + remark }
  }

  /// Returns a remark that includes how late an entry was, because the program then saw another
  /// timeline.
  static func remark(_ remark: String?, late: Interval) -> String? {
    guard late > RealTime.Options().tolerance else { return remark }
    return "\(late.text) late" + (remark.map { "; \($0)" } ?? "")
  }

  private enum Waited {
    case due
    case ended(ChildProcess.End)
    case interrupted
  }

  private func wait(
    until instant: Instant, _ program: ProcessTree, _ interruption: WakeupPipe,
    _ now: () -> Instant
  ) throws(LinuxError) -> Waited {
    while true {
      if let end = program.checkForEnd() { return .ended(end) }
      let rest = instant == .never ? nil : instant.microseconds - now().microseconds
      if let rest, rest <= 0 { return .due }
      let pause = whileWaiting.map { $0(now()) }
      let ready = try waitReadable(
        [program.descriptor, interruption.descriptor],
        atMost: [rest, pause].compactMap(\.self).min())
      if ready[1] { return .interrupted }
    }
  }

  /// Asks the program to end, and kills it if it does not end in time.
  private func stop(_ program: ProcessTree, grace: Int64) -> ChildProcess.End {
    program.signal(SIGTERM, to: .group)
    // A stopped program receives the signal only when it continues.
    program.signal(SIGCONT, to: .all)
    if let end = program.wait(atMost: grace) { return end }
    program.signal(SIGKILL, to: .all)
    return program.wait(atMost: Self.graceMicroseconds) ?? .signalled(SIGKILL)
  }
}
