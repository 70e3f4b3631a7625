import HandoverBackend
import HandoverCore

/// A run of a script with separate processes for the backend under test and the servers.
final class LiveProcessRun {
  let stage: LiveStage
  /// The instant at which the run ends in virtual time.
  let expectedEnd: Instant
  /// The instant of the last entry that was run.
  private(set) var lastEntry: Instant?

  private let role: any LiveRole
  private let server: LiveProcess
  private let time: RealTime
  /// The instant of the latest entry or scheduled change.
  var changeDue = Instant.zero
  /// The changes of the device that take effect once all entries of the instant have run.
  var moves: [Device.Move] = []
  /// The flags that the last entry reports, or `nil` if it reports none.
  var reported: ReachabilityFlags?
  /// The instants at which the tokens of calls arrive, the earliest first.
  private var tokens: [(at: Instant, call: Int)] = []
  private var started: [CallID?]
  /// The hosts whose servers acknowledge all data and discard it.
  private var discards: Set<Int> = []  // lookup only
  /// The faults that have affected nothing yet, and the number of connection attempts before them.
  private var waitingFaults: [(cause: UInt32, attempts: Int64)] = []
  /// The losses that the platform has to report.
  var losses: [Loss] = []
  /// The entries of network faults that have had an effect, or will have it on the next attempt.
  var appliedFaults: Set<UInt32> = []  // lookup only
  private var isDown = false

  /// The time that the kernel may take to report a change of the flags.
  private static let callbackTime = Interval.milliseconds(200)

  init(
    of role: any LiveRole, on stage: LiveStage, server: LiveProcess, time: RealTime,
    expectedEnd: Instant
  ) {
    self.role = role
    self.stage = stage
    self.server = server
    self.time = time
    self.expectedEnd = expectedEnd
    started = Array(repeating: nil, count: stage.script.calls.count)
  }

  /// The script, the profile, the network and the state of the device.
  var script: Script { stage.script }
  var profile: Profile { stage.profile }
  var network: any LiveNetwork { stage.network }
  var device: Device { stage.device }

  /// The logs of both processes, each line with the name of its process.
  ///
  /// The log of the backend under test is last, because users read the end first.
  var log: String {
    LogSource.server.label(server.log) + LogSource(role.title).label(role.process.log)
  }

  /// The time since the run began.
  var now: Instant { stage.now }

  /// Whether every call of the script has been started and has ended.
  var allCallsHaveEnded: Bool { role.allCallsHaveEnded }

  // MARK: Beginning and end

  /// Opens the run in both processes, and starts the clock when both have answered.
  func begin(into trace: inout Trace) throws(BackendError) {
    stage.begin()
    try server.send { $0.openServers(stage.hosts, seq: $1) }
    for (index, host) in stage.script.hosts.enumerated() where host.server != .accept {
      try sendToServer(of: index, host.server.rawValue)
    }
    try awaitAnswers(into: &trace)
    try role.open()
    try awaitAnswers(into: &trace)
    stage.begin()
    trace.endpointHosts = stage.keys.hosts
    note(.deviceMoved(stage.device.path), into: &trace)
    try runTimeline(.began, at: .zero, into: &trace)
    try role.begin(into: &trace)
    switch stage.device.app {
    case .foreground: break
    case .background: suspend(into: &trace)
    case .backgroundRunning: note(.appMoved(.backgroundRunning), into: &trace)
    }
  }

  /// Closes both processes; returns the remaining resources and the problems of their exits.
  func close(into trace: inout Trace) throws(BackendError) -> [String] {
    if role.process.isStopped {
      note(.appMoved(.foreground), into: &trace)
      try role.process.resume()
    }
    let leaks = try role.close(into: &trace)
    let end = now
    try role.process.send { $0.close(seq: $1, now: end) }
    try awaitAnswers(into: &trace)
    try server.send { $0.close(seq: $1, now: end) }
    try awaitAnswers(into: &trace)
    let processes = [(role.title, role.process), ("the server", server)]
    return leaks
      + processes.compactMap { title, process in process.stop().map { "of \(title): \($0)" } }
  }

  /// Removes the network; returns the resources that remain.
  func takeDown() -> [String] {
    guard !isDown else { return [] }
    isDown = true
    role.process.end()
    server.end()
    return stage.network.close()
  }

  // MARK: Entries

  /// Runs an entry of the timeline.
  func play(_ entry: Int, into trace: inout Trace) throws(BackendError) {
    let cause = UInt32(truncatingIfNeeded: entry)
    changeDue = stage.script.entries[entry].at
    lastEntry = changeDue
    note(.entryPlayed(cause), into: &trace)
    let action = stage.script.entries[entry].action
    switch action {
    case .flags, .path, .app, .network, .signal, .power:
      try playDevice(action, cause, into: &trace)
    case .makeCall: break
    case .startCall(let call): try start(call, into: &trace)
    case .cancel(let call): try send(of: call, into: &trace) { .callCancelled($0) }
    case .finish(let call): try send(of: call, into: &trace) { .requestFinished($0) }
    case .send(let call, let bytes):
      try send(of: call, into: &trace) { .messageQueued($0, bytes: UInt32(clamping: bytes)) }
    case .disconnect(.all): try role.send(.disconnectAllRequested, into: &trace)
    case .disconnect(.one(let host)):
      for (index, other) in stage.keys.hosts.enumerated() where Int(other) == host {
        try role.send(.disconnectRequested(EndpointID(index: UInt32(index))), into: &trace)
      }
    case .server(let host, let keyword):
      try noteFault(cause, on: .one(host), affectsLaterAttempts: true, into: &trace)
      try sendToServer(of: host, keyword.rawValue)
    case .transport(let selector, let keyword):
      let hosts = stage.script.hosts.indices.filter { selector.includes($0) }
      var datagramFlows = 0
      for host in hosts {
        datagramFlows += try stage.network.applyFault(keyword, toDatagramsOf: host) ?? 0
      }
      if datagramFlows > 0 {
        note(.faultTookEffect(cause), into: &trace)
      } else {
        try noteFault(
          cause, on: selector, affectsLaterAttempts: keyword.affectsLaterAttempts, into: &trace)
      }
      for host in hosts { try changeTransport(of: host, keyword) }
    case .receive, .names, .answer, .address, .monitor, .interceptor, .request, .cancelRequest,
      .ask, .dispatcher:
      // Without interceptors, messages arrive unchanged. All other entries here were rejected
      // before the run, or have no meaning for the profile.
      break
    }
  }

  private func start(_ call: Int, into trace: inout Trace) throws(BackendError) {
    let asked = stage.script.calls[call]
    let id = role.introduce(call)
    started[call] = id
    note(.callIntroduced(UInt32(truncatingIfNeeded: call), id), into: &trace)
    let begin = now
    if let delay = asked.tokenDelay {
      tokens.append((begin + delay, call))
      tokens.sort { $0.at < $1.at }
    }
    try role.send(
      .callStarted(id, stage.keys.ofCalls[call], asked.settings(startedAt: begin)), into: &trace)
  }

  /// Sends a user action on a call to the client, if the call was started.
  private func send(
    of call: Int, into trace: inout Trace, _ event: (CallID) -> ChannelPool.Event
  ) throws(BackendError) {
    if let id = started[call] { try role.send(event(id), into: &trace) }
  }

  private func sendToServer(of host: Int, _ keyword: String) throws(BackendError) {
    let at = now
    let name = stage.hosts.names[host]
    try server.send { writer, seq in
      writer.event(seq: seq, now: at) { json in
        json.key("server")
        json.beginObject()
        json.member("host", name)
        json.member("do", keyword)
        json.endObject()
      }
    }
  }

  // MARK: The effects of faults

  /// Records the effect of a fault if the kernel lists a connection to one of the hosts.
  ///
  /// If it lists none, a fault that affects later attempts takes effect on the device's next
  /// attempt.
  private func noteFault(
    _ cause: UInt32, on hosts: HostSelector, affectsLaterAttempts: Bool, into trace: inout Trace
  ) throws(BackendError) {
    if try !stage.network.flows(to: hosts).isEmpty {
      note(.faultTookEffect(cause), into: &trace)
    } else if affectsLaterAttempts {
      try waitForEffect(of: cause)
    } else {
      try refuseDatagrams()
    }
  }

  /// Records a fault that takes effect on the device's next connection attempt.
  func waitForEffect(of cause: UInt32) throws(BackendError) {
    waitingFaults.append((cause, try stage.network.traffic().attempts))
  }

  /// Checks whether pending faults have taken effect.
  func recordFaultEffects(into trace: inout Trace) throws(BackendError) {
    guard !waitingFaults.isEmpty else { return }
    let attempts = try stage.network.traffic().attempts
    for fault in waitingFaults where fault.attempts < attempts {
      note(.faultTookEffect(fault.cause), into: &trace)
    }
    waitingFaults.removeAll { $0.attempts < attempts }
    if !waitingFaults.isEmpty { try refuseDatagrams() }
  }

  /// Throws an error if the device sends UDP, because a fault without a TCP connection is then
  /// undecidable.
  ///
  /// UDP flows are not made to fail, and the kernel lists no UDP connections.
  private func refuseDatagrams() throws(BackendError) {
    guard try stage.network.traffic().datagrams > 0 else { return }
    throw BackendError(
      .unsupported,
      "\(role.title) sends UDP, which `kill`, `fin`, `half-close` and the end of a server do not "
        + "affect, so the effect of the fault is unknown")
  }

  // MARK: The device

  /// Applies the changes of the device.
  ///
  /// The kernel's networks change first. Then the platform's reports about connections on lost
  /// paths follow.
  func takeMoves(into trace: inout Trace) throws(BackendError) {
    if !losses.isEmpty {
      if let callbacks = role.callbacks {
        let flags = try stage.network.readFlags()
        try wait(until: now + Self.callbackTime, into: &trace) { callbacks.latest == flags }
      }
      try reportLosses()
    }
    guard !moves.isEmpty else { return }
    // User actions of an instant precede the consequences of a network change in it.
    try awaitAnswers(into: &trace)
    try moveNetwork(into: &trace)
    for move in moves {
      let pathLoss = stage.profile.transport.pathLoss
      let lost = try stage.network.flows(to: .all).filter { flow in
        pathLoss.outcome(of: flow.path, when: move, on: stage.device) == .breaks
      }
      if !lost.isEmpty { try stage.network.abort(lost) }
    }
    moves = []
    reported = nil
  }

  /// Changes the kernel's networks, and waits for the kernel's report about their flags.
  ///
  /// The platform's callback precedes its reports about connections.
  private func moveNetwork(into trace: inout Trace) throws(BackendError) {
    guard let callbacks = role.callbacks else { return try applyDeviceState() }
    let before = try stage.network.readFlags()
    try applyDeviceState()
    let after = try stage.network.readFlags()
    // The kernel reports nothing if nothing changes, but the platform still sends a callback.
    if let reported, before == after { callbacks.add(reported) }
    try wait(until: now + Self.callbackTime, into: &trace) { callbacks.latest == after }
  }

  /// Changes the kernel's networks to the state of the device.
  func applyDeviceState() throws(BackendError) {
    try network.apply(device)
    try checkChange()
  }

  /// Checks that the change of the network that is due was complete in time.
  func checkChange() throws(BackendError) {
    try time.checkChange(due: changeDue, completeAt: now)
  }

  func suspend(into trace: inout Trace) {
    role.process.suspend()
    note(.appMoved(.background), into: &trace)
  }

  func resume(into trace: inout Trace) throws(BackendError) {
    note(.appMoved(stage.device.app), into: &trace)
    try role.process.resume()
    try role.continueRun(into: &trace)
  }

  // MARK: Faults of transports

  private func changeTransport(of host: Int, _ keyword: ConnectionFault) throws(BackendError) {
    let network = stage.network
    switch keyword {
    case .stall:
      try network.drop(try network.flows(to: .one(host)))
    case .blackholeConnect:
      try network.dropNewConnections(to: host, except: try network.flows(to: .one(host)))
    case .kill:
      try network.abort(try network.flows(to: .one(host)))
    case .resume:
      try network.stopDropping(host: host)
      if discards.remove(host) != nil { try sendToServer(of: host, keyword.rawValue) }
    case .stallAcked:
      discards.insert(host)
      try sendToServer(of: host, keyword.rawValue)
    case .reset, .fin, .halfClose:
      try sendToServer(of: host, keyword.rawValue)
    }
  }

  // MARK: Time

  /// Waits until an instant or until a condition is met, and records the reports that arrive.
  func wait(
    until instant: Instant, into trace: inout Trace, unless isOver: () -> Bool = { false }
  ) throws(BackendError) {
    while true {
      try server.listen { _ throws(AnswerError) in
        throw AnswerError("a server can report only that a command is done")
      }
      try role.poll(into: &trace)
      try deliverTokens(into: &trace)
      guard !isOver(), now < instant else { return }
      let next = min(instant, tokens.first?.at ?? .never, role.nextDeadline ?? .never)
      try LiveProcess.wait(
        for: [role.process, server], or: role.callbacks?.descriptor, until: stage.deadline(next))
    }
  }

  /// Waits until both processes have answered every command; each answer has a time limit.
  func awaitAnswers(into trace: inout Trace) throws(BackendError) {
    try wait(until: .never, into: &trace) { role.process.hasAnswered && server.hasAnswered }
  }

  private func deliverTokens(into trace: inout Trace) throws(BackendError) {
    while let (at, call) = tokens.first, at <= now {
      tokens.removeFirst()
      try send(of: call, into: &trace) { .tokenArrived($0) }
    }
  }

  func note(_ fact: WorldFact, into trace: inout Trace) {
    trace.append(.world(fact), at: now)
  }
}
