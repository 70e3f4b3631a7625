import Glibc
package import HandoverBackend
package import HandoverCore
package import HandoverLinux
package import HandoverTry

/// A lab that stays while its owner starts programs in it and changes its networks step by step.
///
/// Only one thread may use a session.
package final class LabSession {
  /// A program of the session.
  private struct Program {
    let tree: ProcessTree
    let output: OutputTail
    var end: ChildProcess.End?
  }

  /// The state of a program.
  package struct ProgramState: Sendable {
    /// How the program ended, or `nil` if it is running.
    package var end: ChildProcess.End?
    /// The end of the program's output.
    package var output: String
  }

  /// An observation of the session.
  package struct Observation: Sendable {
    /// The connections, and the changes with their times.
    package var timeline: TryTimeline
    /// The outages at the changes.
    package var outages: [TimelineOutage]
    /// The programs, in the order of their starts.
    package var programs: [ProgramState]
    /// The number of processes in the lab, including the children of programs that have ended.
    package var processCount: Int
  }

  /// The reason why a session could not be created.
  package struct CreationError: Error {
    /// The failed call.
    package var cause: LinuxError
    /// Whether a server did not start, which does not mean that the machine cannot make labs.
    package var isOfServer: Bool
  }

  /// The maximum number of programs in a session, because each keeps its output.
  package static let maximumProgramCount = 64
  /// The maximum number of changes in a session, because each is kept for the outages.
  package static let maximumChangeCount = 4_096
  /// The time in microseconds in which a program must end after it was asked to.
  private static let grace: Int64 = 1_000_000

  private let run: TryRun
  private let lab: DeviceLab
  private let servers: [any TryServers]
  private let traffic: TrafficWatch
  private var executor: MoveExecutor
  private var timeline: DeviceTimeline
  private var programs: [Program] = []
  private var marks: [TryTimeline.Mark] = []
  private var changes: [NetworkChange] = []
  private var ended: (at: Instant, phrase: String, isError: Bool)?
  private var isUplinkCut = false
  private var areServersSilent = false
  private var natLoss: NetworkChange.Loss?
  private var faultLoss: NetworkChange.Loss?

  /// Creates the lab.
  ///
  /// The process must have entered its own namespaces.
  ///
  /// - Parameters:
  ///   - run: the conditions, the servers and the platform; its network change is not used.
  ///   - network: the first network of the device.
  ///   - interruption: ends the wait for user servers when it is signaled.
  /// - Throws: ``CreationError`` if the lab cannot be created or a server cannot be started.
  package init(
    _ run: TryRun, on network: LabChange, interruption: WakeupPipe
  ) throws(CreationError) {
    var run = run
    guard case .entry(let first) = network.body else {
      preconditionFailure("the name is not a network")
    }
    run.move = .session(from: first, LabChange.entries)
    self.run = run
    do throws(LinuxError) {
      lab = try run.makeLab()
    } catch {
      throw CreationError(cause: error, isOfServer: false)
    }
    lab.watchConnections()
    do throws(LinuxError) {
      servers = try run.startServers(lab, interruption)
    } catch {
      throw CreationError(cause: error, isOfServer: true)
    }
    do throws(LinuxError) {
      traffic = try TrafficWatch(lab)
    } catch {
      for server in servers { server.close() }
      throw CreationError(cause: error, isOfServer: false)
    }
    executor = MoveExecutor(run, lab, servers)
    timeline = DeviceTimeline(run.move.script)
    marks = [TryTimeline.Mark(at: traffic.now, text: network.name)]
    guard network != LabChange.networks.first else { return }
    do throws(LinuxError) {
      try apply(first)
    } catch {
      throw CreationError(cause: error, isOfServer: false)
    }
  }

  deinit { close() }

  /// Ends all programs and removes the lab.
  package func close() {
    for program in programs { program.tree.end() }
    for program in programs { program.output.close() }
    for server in servers { server.close() }
    traffic.close()
    _ = lab.close()
  }

  /// The time since the lab was created.
  package var now: Instant { traffic.now }

  // MARK: Programs

  /// Whether the programs on the device run; if not, no program should be started.
  package var isAwake: Bool { timeline.device.app.runs }

  /// Starts a program on the device, and returns its number, counted from 1.
  package func start(
    _ command: [String], environment: [String] = []
  ) throws(LinuxError) -> Int {
    guard programs.count < Self.maximumProgramCount else {
      throw LinuxError(
        finding: "a session starts at most \(Self.maximumProgramCount) programs")
    }
    let names = environment.map { $0.prefix { $0 != "=" } }
    let inherited = run.environment.filter { entry in
      !names.contains(entry.prefix { $0 != "=" })
    }
    let output = try OutputTail()
    let tree = try ProcessTree.start(
      command, environment: inherited + environment, in: lab.device, input: output.input,
      output: output.writeEnd, error: output.writeEnd)
    output.begin()
    programs.append(Program(tree: tree, output: output))
    ended = nil
    return programs.count
  }

  /// Ends a program with all its children, and returns how it ended.
  ///
  /// - Parameter number: the number of the program.
  /// - Returns: how the program ended, or `nil` if there is no such program.
  package func stop(_ number: Int) -> ChildProcess.End? {
    guard programs.indices.contains(number - 1) else { return nil }
    let program = programs[number - 1]
    if program.tree.checkForEnd() == nil {
      program.tree.signal(SIGTERM, to: .all)
      program.tree.signal(SIGCONT, to: .all)
      _ = program.tree.wait(atMost: Self.grace)
    }
    let end = program.tree.checkForEnd() ?? .signalled(SIGKILL)
    programs[number - 1].end = end
    program.tree.end()
    program.output.finish()
    return end
  }

  private func state(of program: Program) -> ProgramState {
    let end = end(of: program)
    if end != nil { program.output.catchUp() }
    return ProgramState(end: end, output: program.output.text)
  }

  private func end(of program: Program) -> ChildProcess.End? {
    program.end ?? program.tree.checkForEnd()
  }

  // MARK: Changes

  /// Makes a change, which has taken effect when this function returns.
  ///
  /// - Returns: the number of connections that the change affected, or `nil` if it affects later
  ///   traffic only.
  package func make(_ change: LabChange) throws(LinuxError) -> Int? {
    guard marks.count < Self.maximumChangeCount else {
      throw LinuxError(finding: "a session makes at most \(Self.maximumChangeCount) changes")
    }
    let (began, before) = (traffic.now, timeline.device)
    let action: TryMove.Action
    var beginsOutage: Bool?
    switch change.body {
    case .entry(let entry):
      let effects = timeline.effects(of: .entry(entry, index: 0), at: began)
      action = .device(effects)
      beginsOutage = TimelineWatch.beginsOutage(effects, from: before, to: timeline.device)
    case .action(let other):
      action = other
      beginsOutage = note(other, at: began)
    }
    let effect = try executor.execute(action, on: programs.map(\.tree))
    marks.append(TryTimeline.Mark(at: began, text: change.name))
    if let beginsOutage { note(beginsOutage: beginsOutage, from: began) }
    return effect.met
  }

  /// Sets the conditions of a medium.
  package func setConditions(
    _ conditions: LinkConditions, of medium: LivePlan.Medium, _ text: String
  ) {
    lab.setConditions(conditions, of: medium)
    guard marks.count < Self.maximumChangeCount else { return }
    marks.append(TryTimeline.Mark(at: traffic.now, text: text))
  }

  /// Moves the device to its first network before the session begins.
  private func apply(_ action: ScriptAction) throws(LinuxError) {
    let effects = timeline.effects(of: .entry(action, index: 0), at: traffic.now)
    _ = try executor.execute(.device(effects), on: [])
  }

  /// Records what an action does to connections.
  ///
  /// - Returns: whether it begins an outage, or `nil` if it affects later connections only.
  private func note(_ action: TryMove.Action, at now: Instant) -> Bool? {
    switch action {
    // No change of a session is about addresses.
    case .device, .addresses, .names, .servers(.refuse), .servers(.close), .servers(.reset),
      .servers(.goaway):
      return nil
    case .uplinkCut(let isCut):
      isUplinkCut = isCut
      return isCut
    case .natForgets:
      natLoss = NetworkChange.Loss(before: now, keepsDatagrams: true)
      return true
    case .connections(.resume):
      faultLoss = nil
      return false
    // Existing connections continue.
    case .connections(.blackholeConnect): return true
    case .connections:
      faultLoss = NetworkChange.Loss(before: now)
      return true
    case .servers(.silent):
      areServersSilent = true
      faultLoss = NetworkChange.Loss(before: now)
      return true
    case .servers(.accept):
      areServersSilent = false
      // The servers read the next datagrams of existing flows again.
      faultLoss?.keepsDatagrams = true
      return false
    }
  }

  private func note(beginsOutage: Bool, from began: Instant) {
    let device = timeline.device
    let isUsable = device.app.runs && !isUplinkCut && !areServersSilent
    changes.append(
      NetworkChange(
        began: began, ended: traffic.now, beginsOutage: beginsOutage,
        addresses: isUsable
          ? lab.liveAddresses(of: device).compactMap { HostAddress($0.bytes) } : [],
        losses: [natLoss, faultLoss].compactMap(\.self)))
  }

  // MARK: Observations

  /// Observes the session until now.
  package func observe() -> Observation {
    // First, because an end that is reported must also be noted: the next change may follow
    // immediately, and an end that is noted after a change would belong to an outage.
    let states = programs.map(state)
    let count = ((try? lab.device.processCount()) ?? 0) - programs.count { $0.end == nil }
    noteEnd(processCount: count)
    let seen = traffic.seen
    let now = traffic.now
    var observation = TryObservation(
      device: servers.flows(of: seen.device), servers: seen.servers.flows, sockets: seen.sockets,
      moved: nil, restored: nil, end: now,
      programEnd: ended.map { ProgramEnd(at: $0.at, phrase: $0.phrase, isError: $0.isError) })
    observation.held = lab.heldSockets()
    observation.hostNames = servers.hostNames
    observation.unframedAttempts = seen.unframedAttempts
    return Observation(
      timeline: observation.timeline(changes: marks, lines: []),
      outages: observation.outages(at: changes),
      programs: states,
      processCount: max(0, count))
  }

  /// Records the end of the last program, after which nothing can recover.
  private func noteEnd(processCount: Int) {
    guard ended == nil, processCount <= 0, let last = programs.last, let end = end(of: last),
      programs.allSatisfy({ self.end(of: $0) != nil })
    else { return }
    ended = (traffic.now, end.phrase, end != .exited(0))
  }
}
