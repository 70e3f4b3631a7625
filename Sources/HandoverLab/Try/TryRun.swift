import Glibc
public import HandoverBackend
public import HandoverCore
public import HandoverLinux
public import HandoverTry

/// A text with its time.
public struct TimestampedLine: Hashable, Sendable {
  /// The time.
  public var at: Instant
  /// The text.
  public var text: String
  /// The number of the next captured frame, or `nil` if no frames are captured.
  public var frame: Int?
}

/// Servers for a lab, which run until they are closed.
public protocol TryServers: Sendable {
  /// Stops the servers.
  func close()

  /// Changes the results of all name lookups.
  func answerNames(_ fault: DNSFault)

  /// The host names that were looked up, with their addresses of 4 or 16 bytes each.
  var hostNames: [(name: String, addresses: [[UInt8]])] { get }

  /// The application data that the servers sent over TLS, or `nil` if they keep no log.
  ///
  /// The log must contain data before its packets are sent.
  var sentData: ServerLog? { get }

  /// The numbered messages that the servers sent, or `nil` if they number none.
  var sentMessages: MessageLog? { get }

  /// The lines of the servers' log, each with the monotonic time in microseconds.
  var logLines: [(at: Int64, text: String)] { get }

  /// Passes the keys of all later TLS connections to a function, as lines of a key log.
  ///
  /// The function must receive the keys of a connection before it carries encrypted data.
  func logKeys(to log: @escaping @Sendable ([UInt8]) -> Void)
}

extension TryServers {
  /// Does nothing, because these servers resolve no names.
  public func answerNames(_ fault: DNSFault) {}

  /// Empty, because these servers resolve no names.
  public var hostNames: [(name: String, addresses: [[UInt8]])] { [] }

  /// `nil`, because these servers keep no log.
  public var sentData: ServerLog? { nil }

  /// `nil`, because these servers number no messages.
  public var sentMessages: MessageLog? { nil }

  /// Empty, because these servers keep no log.
  public var logLines: [(at: Int64, text: String)] { [] }

  /// Does nothing, because these servers have no keys.
  public func logKeys(to log: @escaping @Sendable ([UInt8]) -> Void) {}
}

extension [any TryServers] {
  /// Returns the flows of a device.
  ///
  /// The servers' log reveals the application data that TLS hides.
  func flows(of table: FlowTable) -> [Flow] {
    guard let log = lazy.compactMap(\.sentData).first else { return table.flows }
    return table.flows(accordingTo: log)
  }

  /// The names by address.
  ///
  /// An address that several names share is listed under the first of them.
  var hostNames: [HostAddress: String] {
    var names: [HostAddress: String] = [:]
    for (name, addresses) in flatMap(\.hostNames) {
      for address in addresses.compactMap({ IPAddress($0) }) {
        // The second address is the IPv6 address that represents an IPv4 address if the network
        // translates.
        for one in [address, address.translated].compactMap({ HostAddress($0.bytes) }) {
          switch names[one] {
          case nil, name: names[one] = name
          case let first?:
            let others = ServerEndpoint.othersSuffix
            names[one] = first.hasSuffix(others) ? first : first + others
          }
        }
      }
    }
    return names
  }
}

/// A file to which frames are written.
public struct CaptureTarget: Hashable, Sendable {
  /// The name of the file.
  public var name: String
  /// A descriptor that stays open for writing during the run.
  public var descriptor: Int32

  /// Creates a target from an open file.
  public init(name: String, descriptor: Int32) {
    self.name = name
    self.descriptor = descriptor
  }
}

/// A run of an unmodified program through one network change, in its own lab.
///
/// The program's own traffic decides when the network change begins, never the clock.
public struct TryRun: Sendable {
  /// The network change.
  public var move: TryMove
  /// The program, which is looked up in PATH, and its arguments.
  public var command: [String]
  /// The program's environment.
  public var environment: [String]
  /// The time for which the program is observed after a new connection would work again.
  public var watch: Interval
  /// The platform's behavior for connections whose network the device has left.
  public var platform = ProgramRun.Platform.linux
  /// The conditions of the media.
  ///
  /// Other media leave frames unchanged.
  public var conditions: [(medium: LivePlan.Medium, conditions: LinkConditions)] = []
  /// The commands, with arguments, of user servers that are started before the built-in servers.
  public var servers: [[String]] = []
  /// The file to which the device's frames are written, or `nil` to write none.
  public var capture: CaptureTarget?
  /// Whether the program gets a terminal.
  public var hasTerminal = false
  /// The number of retransmissions after which the device's kernel gives up, or `nil` for the
  /// kernel's default.
  public var retransmissionLimit: Int?
  /// Receives the observation about once per second of the watch, and returns whether the watch
  /// ends early.
  ///
  /// `nil` watches for the whole time.
  package var endsWatch: (@Sendable (TryObservation, MoveTraits) -> Bool)?
  /// Creates the built-in servers on a thread of the servers' namespace.
  public var makeServers: @Sendable (UserServers) throws(LinuxError) -> any TryServers

  /// The properties of user servers, with which the built-in servers must not interfere.
  public struct UserServers: Hashable, Sendable {
    /// The ports of the user servers.
    public var ports: [UInt16]
    /// Whether all user servers can be reached over IPv6.
    public var areReachableOverIPv6: Bool
  }

  /// Creates a run.
  public init(
    _ move: TryMove, command: [String], environment: [String], watch: Interval,
    makeServers: @escaping @Sendable (UserServers) throws(LinuxError) -> any TryServers
  ) {
    self.move = move
    self.command = command
    self.environment = environment
    self.watch = watch
    self.makeServers = makeServers
  }

  /// The outcome of a run.
  public struct Outcome: Sendable {
    /// The observations.
    public var observation: TryObservation
    /// The effects of the network change on connections.
    public var traits: MoveTraits
    /// The last lines of the program's output.
    public var output: String
    /// The lines of the program's output that were kept, with their times.
    public var lines: [TimestampedLine]
    /// The actions on the device, with their times.
    public var changes: [TimestampedLine]
    /// The networks that the device uses, each with the time from which on it uses the network.
    public var networks: [TimestampedLine]
    /// The lines of the servers' log.
    public var serverLines: [TimestampedLine]
    /// Whether the run was interrupted.
    public var isInterrupted: Bool
    /// The file to which frames could not be written, with the reason as `errno`, or `nil` if all
    /// were written.
    public var captureProblem: (file: String, reason: Int32)?
  }

  /// The number of messages with application data that must arrive before the network change.
  private static let payloads = 3
  /// The time between the last of these messages and the network change, in microseconds.
  private static let settling: Int64 = 1_000_000
  /// The maximum time in microseconds between the first message and the network change, for
  /// programs that receive data rarely.
  private static let longestSettling: Int64 = 8_000_000
  /// The maximum time in microseconds to wait for the first message.
  private static let longestStart: Int64 = 20_000_000
  /// The time in microseconds in which a program must end after it was asked to.
  private static let grace: Int64 = 1_000_000

  /// Runs the program.
  ///
  /// The process must have entered its own namespaces.
  ///
  /// - Parameter interruption: ends the run when it is signaled.
  /// - Returns: the outcome of the run.
  /// - Throws: ``LinuxError`` if the lab cannot be created or the program cannot be started.
  public func run(interruption: WakeupPipe) throws(LinuxError) -> Outcome {
    let lab = try makeLab()
    defer { _ = lab.close() }
    let servers = try startServers(lab, interruption)
    defer { for server in servers { server.close() } }
    var frames: FrameCapture?
    if let capture {
      let capture = try FrameCapture(of: lab.device, to: capture.descriptor)
      for server in servers { server.logKeys { capture.add(keys: $0) } }
      frames = capture
    }
    defer { frames?.close() }
    let traffic = try TrafficWatch(lab)
    defer { traffic.close() }
    let output = try OutputTail(terminal: hasTerminal)
    defer { output.close() }
    let program = try ProcessTree.start(
      command, environment: environment, in: lab.device, input: output.input,
      output: output.writeEnd, error: output.writeEnd)
    defer { program.end() }
    output.begin()
    var story = TryStory(self, lab, servers, traffic, program, frames, interruption)
    try story.play()
    // The observation ends before the program is asked to end, because its reaction to that does
    // not count.
    let observation = story.observation()
    program.signal(SIGTERM, to: .all)
    program.signal(SIGCONT, to: .all)
    _ = program.wait(atMost: Self.grace)
    program.end()
    output.finish()
    frames?.close()
    var outcome = Outcome(
      observation: observation, traits: story.traits, output: output.text,
      lines: output.lines.map { TimestampedLine(at: traffic.instant(of: $0.at), text: $0.text) },
      changes: story.changes, networks: story.networks,
      serverLines: servers.flatMap(\.logLines).map {
        TimestampedLine(at: traffic.instant(of: $0.at), text: $0.text)
      }, isInterrupted: story.isInterrupted)
    if let capture, let frames {
      outcome.observation.frames = CapturedFrames(file: capture.name, index: frames.index)
      let last = frames.count
      for index in outcome.changes.indices {
        outcome.changes[index].frame = outcome.changes[index].frame.map { min($0, last) }
      }
      if let reason = frames.problem { outcome.captureProblem = (capture.name, reason) }
    }
    return outcome
  }

  /// Starts all servers.
  ///
  /// User servers start first, so that they get the ports that they need.
  func startServers(
    _ lab: DeviceLab, _ interruption: WakeupPipe
  ) throws(LinuxError) -> [any TryServers] {
    var started: [any TryServers] = []
    do throws(LinuxError) {
      for command in servers {
        started.append(
          try LabServer(
            command, environment: environment, in: lab.servers, interruption: interruption))
      }
      let ports = try lab.servers.listeningPorts()
      let others = UserServers(
        ports: ports.keys.sorted(), areReachableOverIPv6: try lab.servers.portsWithoutIPv6().isEmpty
      )
      let makeServers = makeServers
      started.append(try lab.servers.run { () throws(LinuxError) in try makeServers(others) })
    } catch {
      for server in started { server.close() }
      throw error
    }
    return started
  }

  /// Creates the lab with its initial conditions, without servers.
  func makeLab() throws(LinuxError) -> DeviceLab {
    var plan: LivePlan
    do throws(LivePlan.UnsupportedScript) {
      plan = try move.plan
    } catch {
      preconditionFailure("a built-in network change cannot be executed")
    }
    plan.retransmissionLimit = retransmissionLimit
    plan.hasIPv6 = true
    let lab = try DeviceLab(plan)
    try lab.answerEverywhere()
    for (medium, conditions) in conditions { lab.setConditions(conditions, of: medium) }
    if move.actsOnConnections { lab.watchConnections() }
    return lab
  }

  /// Returns when the network change is due, or `nil` if it is too early to decide.
  fileprivate func due(_ payloads: Int, first: Int64?, last: Int64?, at now: Int64) -> Int64? {
    guard let first, let last else { return nil }
    if payloads >= Self.payloads { return min(last, now) + Self.settling }
    return first + Self.longestSettling
  }

  fileprivate static var startLimit: Int64 { longestStart }
  /// The interval between two checks whether the watch ends early.
  fileprivate static let checkPeriod = Interval.seconds(1)
  /// The interval in microseconds between two checks for remaining child processes.
  fileprivate static let period: Int64 = 100_000
}

/// The course of a run.
private struct TryStory {
  private let run: TryRun
  private let lab: DeviceLab
  private let servers: [any TryServers]
  private let traffic: TrafficWatch
  private let program: ProcessTree
  private let frames: FrameCapture?
  private let interruption: WakeupPipe
  private var executor: MoveExecutor
  private var moved: Instant?
  private var restored: Instant?
  private var end: ProgramEnd?
  private var endedConnections = 0
  /// The number of connections and flows that transport faults affected, or `nil` if no fault
  /// reported a number.
  private var affectedFlows: Int?
  /// The actions on the device.
  private(set) var changes: [TimestampedLine] = []
  /// The networks that the device used, each with the time of its first use.
  private(set) var networks: [TimestampedLine] = []
  private(set) var isInterrupted = false

  init(
    _ run: TryRun, _ lab: DeviceLab, _ servers: [any TryServers], _ traffic: TrafficWatch,
    _ program: ProcessTree, _ frames: FrameCapture?, _ interruption: WakeupPipe
  ) {
    self.run = run
    self.lab = lab
    self.servers = servers
    self.traffic = traffic
    self.program = program
    self.frames = frames
    self.interruption = interruption
    executor = MoveExecutor(run, lab, servers)
    networks = [TimestampedLine(at: .zero, text: networkName)]
  }

  /// The network that the device uses now.
  private var networkName: String {
    let device = executor.device
    let name =
      device.path.map { run.move.script.paths[Int($0.index)] }
      ?? TryTimeline.noNetwork
    return device.app.runs ? name : "\(name), asleep"
  }

  var traits: MoveTraits {
    MoveTraits(
      restoresConnections: run.move.restoresConnections,
      forgetsConnections: run.move.forgetsConnections, endsConnections: endedConnections > 0,
      liveAddresses: executor.liveAddresses.compactMap { HostAddress($0.bytes) },
      affectsNothing: affectedFlows == 0 && run.move.onlyAffectsConnections)
  }

  func observation() -> TryObservation {
    // The log is read before the packets, so that the packets of all its messages had time to
    // arrive.
    let messages = servers.lazy.compactMap(\.sentMessages).first
    let seen = traffic.seen
    var observation = TryObservation(
      device: servers.flows(of: seen.device), servers: seen.servers.flows, sockets: seen.sockets,
      moved: moved,
      restored: restored, end: traffic.now, programEnd: end)
    observation.held = lab.heldSockets()
    observation.hostNames = servers.hostNames
    observation.messages = messages
    observation.lookups = seen.device.lookups
    observation.packets = seen.device.packets
    observation.unframedAttempts = seen.unframedAttempts
    observation.serverBacklogs = lab.serverBacklogs()
    observation.rejectedDatagrams = seen.device.rejected
    observation.icmpErrors = seen.device.errors
    observation.standstills = seen.standstills
    return observation
  }

  mutating func play() throws(LinuxError) {
    guard try waitForRhythm() else { return }
    let first = traffic.now
    for step in run.move.steps {
      guard try wait(until: first + step.after) else { return }
      if moved == nil { moved = traffic.now }
      let frame = frames?.add(comment: "network change: \(step.phrase)")
      changes.append(TimestampedLine(at: traffic.now, text: step.phrase, frame: frame))
      let path = executor.device.path
      let effect = try executor.execute(step.action, on: [program])
      if networkName != networks.last?.text {
        networks.append(TimestampedLine(at: traffic.now, text: networkName))
      }
      endedConnections += effect.ended
      if let met = effect.met { affectedFlows = (affectedFlows ?? 0) + met }
      // Flags that leave the device on its path change nothing.
      if step.action.setsFlags, restored != nil, executor.device.path == path { continue }
      restored = traffic.now
    }
    try watch(until: traffic.now + run.watch)
  }

  /// Observes the program until an instant, or until the watch ends early.
  private mutating func watch(until end: Instant) throws(LinuxError) {
    guard let endsWatch = run.endsWatch else {
      _ = try wait(until: end)
      return
    }
    var pause = TryRun.checkPeriod
    while traffic.now < end {
      guard try wait(until: min(end, traffic.now + pause)) else { return }
      let began = traffic.now
      if endsWatch(observation(), traits) { return }
      // The checks of a program with very many packets must not slow it down.
      pause = Interval(
        microseconds: CheckSchedule.pause(
          atLeast: TryRun.checkPeriod.microseconds, cost: traffic.now.since(began).microseconds))
    }
  }

  /// Waits until the program's own traffic shows that it runs normally.
  ///
  /// Returns `false` if it never does.
  private mutating func waitForRhythm() throws(LinuxError) -> Bool {
    while true {
      let instants = servers.flows(of: traffic.seen.device).flatMap(\.received)
      let third = instants.sorted().dropFirst(2).first
      let now = traffic.now
      let due = run.due(
        instants.count, first: instants.min()?.microseconds,
        last: (third ?? instants.min())?.microseconds, at: now.microseconds)
      if let due, due <= now.microseconds { return true }
      guard due != nil || now.microseconds < TryRun.startLimit else { return false }
      let limit = Instant(microseconds: due ?? TryRun.startLimit)
      guard try wait(until: limit, orNews: true) else { return false }
    }
  }

  /// Records that the program has ended, once all its child processes in the lab have ended too.
  private mutating func checkForEnd() {
    guard end == nil, let how = program.checkForEnd() else { return }
    // The supervisor process of the program also runs in the lab.
    if let count = try? lab.device.processCount(), count > 1 { return }
    end = ProgramEnd(at: traffic.now, phrase: how.phrase, isError: how != .exited(0))
  }

  /// Waits until an instant.
  ///
  /// Returns `false` if the program ended or the run was interrupted first.
  private mutating func wait(
    until instant: Instant, orNews: Bool = false
  ) throws(LinuxError) -> Bool {
    while true {
      checkForEnd()
      if end != nil, moved == nil { return false }
      let rest = instant.microseconds - traffic.now.microseconds
      if rest <= 0 { return true }
      // The remains of a connection are observed even after the program has ended.
      let descriptors = [interruption.descriptor, traffic.news.descriptor]
      let runs = program.checkForEnd() == nil
      let ready = try waitReadable(
        runs ? descriptors + [program.descriptor] : descriptors,
        // Remaining child processes cause no event when they end, so they are polled.
        atMost: runs || end != nil ? rest : min(rest, TryRun.period))
      if ready[0] {
        isInterrupted = true
        return false
      }
      if ready[1] {
        traffic.news.clear()
        if orNews { return true }
      }
    }
  }
}

extension ChildProcess.End {
  /// A description, such as `status 7` or `signal 9`.
  var phrase: String {
    switch self {
    case .exited(let status): "status \(status)"
    case .signalled(let signal): "signal \(signal)"
    }
  }
}

extension LabServer: TryServers {}
