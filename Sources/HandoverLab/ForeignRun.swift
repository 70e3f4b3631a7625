import Glibc
public import HandoverBackend
public import HandoverCore
public import HandoverLinux
public import HandoverTry

/// A run of an unmodified program inside a lab, while a script's timeline is played in real time.
public struct ForeignRun: Sendable {
  /// What the platform does about connections whose network was left.
  public enum Platform: String, Hashable, Sendable, CaseIterable {
    /// Nothing, as Linux does.
    case linux
    /// It reports those that the documents' TCP sockets are told of (D3).
    case sockets
    /// It reports all of them, as CFStream does (D10).
    case cfstream

    var transport: TransportModel? {
      switch self {
      case .linux: nil
      case .sockets: .tcpSockets
      case .cfstream: .cfStream
      }
    }
  }

  /// Something to be logged.
  public enum Event: Hashable, Sendable {
    /// The program has started.
    case started
    /// An entry, by its place in the script, was played; perhaps with a remark.
    case played(Int, remark: String?)
    /// A network did by itself what an entry of before has for now; in words.
    case happened(String)
    /// The time is over.
    case timeIsOver
    /// The program has ended.
    case ended(ChildProcess.End)
  }

  /// The script.
  public var script: Script
  /// The program, looked up in PATH, and its arguments.
  public var command: [String]
  /// What the program's environment holds besides the addresses of the hosts.
  public var environment: [String]
  /// What the platform does.
  public var platform = Platform.linux
  /// What the media do to frames; what is not named does nothing.
  public var conditions: [(medium: LivePlan.Medium, conditions: LinkConditions)] = []
  /// When the program is ended, at the latest; nil waits for its own end.
  public var until: Instant?
  /// A descriptor that frames are written to; nil writes none.
  public var capture: Int32?
  /// Makes the name server, on a thread of the servers; nil leaves names as they are.
  public var makeNames: (@Sendable (LabZone) throws(LinuxError) -> any LabNames)?
  /// Whether the program's traffic is looked at, to tell what became of it.
  public var looksAtTraffic = false
  /// Is called while the program is waited for, with the time since the start, and says in how many
  /// microseconds again; nil where nobody wants to know that time passes.
  public var whileWaiting: (@Sendable (Instant) -> Int64)?

  /// A run on the raw kernel without a limit in time.
  public init(_ script: Script, command: [String], environment: [String]) {
    self.script = script
    self.command = command
    self.environment = environment
  }

  /// How long a program has to end by itself after it was asked to, in microseconds.
  private static let graceMicroseconds: Int64 = 2_000_000
  /// How long it has where the whole run is to end.
  private static let lastGraceMicroseconds: Int64 = 200_000

  /// What came of a run.
  public struct Outcome: Sendable {
    /// How the program ended.
    public var end: ChildProcess.End
    /// What of the lab remained.
    public var leaks: [String]
    /// Why frames could not be written, as `errno`; nil where all were.
    public var captureProblem: Int32?
    /// Whether the program was ended because the time was over.
    public var timeWasOver: Bool
    /// What became of it at the changes of its network; empty where nobody looked.
    public var outages: [TimelineOutage]
    /// The faults, by their places in the script, that met no connection: nothing was tested there.
    public var idleFaults: [Int]

    /// What ``leaks`` was called before.
    @available(*, deprecated, renamed: "leaks")
    public var remains: [String] { leaks }
  }

  /// Runs the program to its end; the process must have entered namespaces of its own.
  ///
  /// - Parameters:
  ///   - plan: the plan of the script.
  ///   - interruption: ends the run when it is signalled.
  ///   - log: is given the time since the start, and what happened.
  /// - Returns: what came of it.
  /// - Throws: ``LinuxError`` where the lab cannot be had or the program not be started.
  public func run(
    _ plan: LivePlan, interruption: Wakening, log: (Instant, Event) -> Void
  ) throws(LinuxError) -> Outcome {
    let lab = try DeviceLab(plan, home: .process)
    for (medium, conditions) in conditions { lab.setConditions(conditions, of: medium) }
    let server = try StreamServer(script, in: lab)
    defer { server.close() }
    let zone = makeNames == nil ? nil : LabZone(script, plan, lab)
    let names = try startNames(zone, lab)
    defer { names?.close() }
    var frames: FrameCapture?
    if let capture { frames = try FrameCapture(of: lab.device, to: capture) }
    defer { frames?.close() }
    var watch: TimelineWatch?
    if looksAtTraffic { watch = try TimelineWatch(script, in: lab) }
    defer { watch?.close() }
    let program = try ProcessTree.start(
      command, environment: environment + Self.variables(script, lab))
    defer { program.end() }
    var player = ScriptPlayer(script, lab, server, platform, zone)
    let course = try follow(program, &player, &watch, interruption, log: log)
    // What the program has started may end a little later than itself, and holds sockets till then.
    program.end()
    server.close()
    names?.close()
    // Nobody writes to the file any more once this is over.
    frames?.close()
    return Outcome(
      end: course.end, leaks: lab.close(), captureProblem: frames?.problem,
      timeWasOver: course.timeWasOver, outages: course.outages, idleFaults: player.idleFaults)
  }

  private func startNames(_ zone: LabZone?, _ lab: DeviceLab) throws(LinuxError) -> (any LabNames)?
  {
    guard let zone, let makeNames else { return nil }
    return try lab.servers.run { () throws(LinuxError) in try makeNames(zone) }
  }

  /// Where the program finds the servers.
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
    var timeWasOver = false
    var outages: [TimelineOutage] = []
  }

  private func follow(
    _ program: ProcessTree, _ player: inout ScriptPlayer, _ watch: inout TimelineWatch?,
    _ interruption: Wakening, log: (Instant, Event) -> Void
  ) throws(LinuxError) -> Course {
    let start = monotonicMicroseconds()
    func now() -> Instant { Instant(microseconds: monotonicMicroseconds() - start) }
    if !player.device.app.runs { program.signal(SIGSTOP, to: .all) }
    log(.zero, .started)
    var entries = script.entries.indices.makeIterator()
    var next = entries.next()
    while true {
      let entryDue = next.map { script.entries[$0].at } ?? .never
      let due = min(entryDue, player.nextDue ?? .never)
      switch try wait(until: min(due, until ?? .never), program, interruption, now) {
      case .ended(let end):
        log(now(), .ended(end))
        return Course(end: end, outages: watch?.outages(since: start, end) ?? [])
      case .interrupted:
        return Course(end: stop(program, grace: Self.lastGraceMicroseconds))
      case .due:
        if due < entryDue, due <= until ?? .never {
          if let text = try happen(&player, &watch, at: due) { log(now(), .happened(text)) }
          continue
        }
        guard let index = next, due <= until ?? .never else {
          log(now(), .timeIsOver)
          // Before the program is asked to end: what it does then is no sign of anything.
          let outages = watch?.outages(since: start, nil) ?? []
          return Course(
            end: stop(program, grace: Self.graceMicroseconds), timeWasOver: true, outages: outages)
        }
        let late = now().since(due)
        let (action, began) = (script.entries[index].action, monotonicMicroseconds())
        let before = player.device
        let remark = try player.play(action, program, at: due)
        player.noteEffect(of: index)
        watch?.note(action, from: before, to: player.device, began: began)
        log(now(), .played(index, remark: Self.remark(remark, late: late)))
        next = entries.next()
      }
    }
  }

  /// Lets a network do what it is to do by itself; in words.
  private func happen(
    _ player: inout ScriptPlayer, _ watch: inout TimelineWatch?, at due: Instant
  ) throws(LinuxError) -> String? {
    let (began, before) = (monotonicMicroseconds(), player.device)
    guard let happened = try player.playDue(at: due) else { return nil }
    watch?.note(happened.deed, from: before, to: player.device, began: began)
    return happened.deed.words(script.paths) + (happened.remark.map { " (\($0))" } ?? "")
  }

  /// A remark with a word on an entry that came late: then the program saw another timeline.
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
    until instant: Instant, _ program: ProcessTree, _ interruption: Wakening,
    _ now: () -> Instant
  ) throws(LinuxError) -> Waited {
    while true {
      if let end = program.endIfOver() { return .ended(end) }
      let rest = instant == .never ? nil : instant.microseconds - now().microseconds
      if let rest, rest <= 0 { return .due }
      let pause = whileWaiting.map { $0(now()) }
      let ready = try waitReadable(
        [program.descriptor, interruption.descriptor],
        atMost: [rest, pause].compactMap(\.self).min())
      if ready[1] { return .interrupted }
    }
  }

  /// Asks the program to end, and insists after a while.
  private func stop(_ program: ProcessTree, grace: Int64) -> ChildProcess.End {
    program.signal(SIGTERM, to: .group)
    // One that is stopped would hear of it only when it goes on.
    program.signal(SIGCONT, to: .all)
    if let end = program.wait(atMost: grace) { return end }
    program.signal(SIGKILL, to: .all)
    return program.wait(atMost: Self.graceMicroseconds) ?? .signalled(SIGKILL)
  }
}
