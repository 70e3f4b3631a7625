import HandoverBackend
import HandoverCore
import HandoverTrace

/// One run of a script around what is under test and its servers, each a process of its own.
final class LiveProcessRun {
  private let stage: LiveStage
  /// When the run is over in virtual time.
  let expectedEnd: Instant
  /// The instant of the entry that was played last.
  private(set) var lastEntry: Instant?

  private let role: any LiveRole
  private let server: LiveProcess
  /// Where the device goes once all entries of the instant are played.
  private var moves: [Device.Move] = []
  /// The flags as the last entry reports them; nil where it reports none.
  private var reported: ReachabilityFlags?
  /// When the tokens of calls come, the earliest first.
  private var tokens: [(at: Instant, call: Int)] = []
  private var started: [CallID?]
  /// The hosts whose servers acknowledge everything and throw it away.
  private var discards: Set<Int> = []  // lookup only
  /// Faults that have met nothing yet, and how many connections had been tried before.
  private var waitingFaults: [(cause: UInt32, attempts: Int64)] = []
  /// What networks do later, and what the platform is to report of what became of them.
  var agenda = NetworkAgenda()
  var losses: [Loss] = []
  var networkFaults: [NetworkFault] = []
  private var isDown = false

  /// How long the kernel may take to tell of a change of the flags.
  private static let callbackTime = Interval.milliseconds(200)

  init(
    of role: any LiveRole, on stage: LiveStage, server: LiveProcess, expectedEnd: Instant
  ) {
    self.role = role
    self.stage = stage
    self.server = server
    self.expectedEnd = expectedEnd
    started = Array(repeating: nil, count: stage.script.calls.count)
  }

  /// What is played, where, and where the device is.
  var script: Script { stage.script }
  var profile: Profile { stage.profile }
  var network: any LiveNetwork { stage.network }
  var device: Device { stage.device }

  /// Changes where the device is; answers what that comes to, and where it is then.
  func changeDevice<Change>(_ change: (inout Device) -> Change) -> (Change, Device) {
    let result = change(&stage.device)
    return (result, stage.device)
  }

  /// What the processes wrote for people, each line with who wrote it; that of the one under test
  /// last, which is looked at first.
  var log: String {
    Self.labelled("the server", server.log) + Self.labelled(role.title, role.process.log)
  }

  private static func labelled(_ title: String, _ log: String) -> String {
    log.split(whereSeparator: \.isNewline).map { "\(title): \($0)\n" }.joined()
  }

  /// How long the run has gone on.
  var now: Instant { stage.now }

  /// Whether every call of the script has been started and has ended.
  var allCallsHaveEnded: Bool { role.allCallsHaveEnded }

  // MARK: The beginning and the end

  /// Opens both, and lets time begin when both are there.
  func begin(into trace: inout Trace) throws(BackendError) {
    stage.begin()
    try server.send { $0.openServers(stage.hosts, seq: $1) }
    for (index, host) in stage.script.hosts.enumerated() where host.server != .accept {
      try sendToServer(of: index, host.server.rawValue)
    }
    try awaitAnswers(into: &trace)
    try role.open()
    try awaitAnswers(into: &trace)
    for one in script.qualities { try network.perform(.quality(one.path, one.quality)) }
    stage.begin()
    trace.endpointHosts = stage.keys.hosts
    note(.deviceMoved(stage.device.path), into: &trace)
    try role.begin(into: &trace)
    switch stage.device.app {
    case .foreground: break
    case .background: suspend(into: &trace)
    case .backgroundRunning: note(.appMoved(.backgroundRunning), into: &trace)
    }
  }

  /// Closes both; answers what remains, and what is wrong with the way they ended.
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

  /// Takes the network away; answers what remains.
  func takeDown() -> [String] {
    guard !isDown else { return [] }
    isDown = true
    role.process.end()
    server.end()
    return stage.network.close()
  }

  // MARK: Entries

  /// Plays an entry of the timeline.
  func play(_ entry: Int, into trace: inout Trace) throws(BackendError) {
    let cause = UInt32(truncatingIfNeeded: entry)
    lastEntry = stage.script.entries[entry].at
    note(.entryPlayed(cause), into: &trace)
    switch stage.script.entries[entry].action {
    case .flags(let flags, let path, let up, let down):
      note(stage.device.apply(flags, path: path, up: up, down: down), into: &trace)
      reported = flags
    case .path(let path):
      note(stage.device.move(to: path), into: &trace)
    case .app(let app):
      try takeMoves(into: &trace)
      try moveApp(to: app, into: &trace)
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
    case .server(let host, let word):
      try noteFault(cause, on: .one(host), meetsLaterAttempts: true, into: &trace)
      try sendToServer(of: host, word.rawValue)
    case .transport(let selector, let word):
      let hosts = stage.script.hosts.indices.filter { selector.includes($0) }
      var datagramFlows = 0
      for host in hosts {
        datagramFlows += try stage.network.treatDatagrams(word, host: host) ?? 0
      }
      if datagramFlows > 0 {
        note(.faultTookEffect(cause), into: &trace)
      } else {
        try noteFault(
          cause, on: selector, meetsLaterAttempts: word.meetsLaterAttempts, into: &trace)
      }
      for host in hosts { try changeTransport(of: host, word) }
    case .network(let path, let word, _):
      try change(path, word, cause: cause, into: &trace)
    case .power(let power): try setPower(power, into: &trace)
    case .receive, .names, .monitor, .interceptor, .request, .cancelRequest, .ask, .dispatcher,
      .signal:
      // Without interceptors messages come as they are; all else is refused beforehand, or has no
      // meaning for the profile.
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

  /// Tells the client of something that its user does with a call that was started.
  private func send(
    of call: Int, into trace: inout Trace, _ event: (CallID) -> ChannelPool.Event
  ) throws(BackendError) {
    if let id = started[call] { try role.send(event(id), into: &trace) }
  }

  private func sendToServer(of host: Int, _ word: String) throws(BackendError) {
    let at = now
    let name = stage.hosts.names[host]
    try server.send { writer, seq in
      writer.event(seq: seq, now: at) { json in
        json.key("server")
        json.beginObject()
        json.member("host", name)
        json.member("do", word)
        json.endObject()
      }
    }
  }

  // MARK: The effects of faults

  /// A fault is played: it has an effect where the kernel shows a connection to these hosts, or,
  /// where it is one that meets attempts, once the device has made one.
  private func noteFault(
    _ cause: UInt32, on hosts: HostSelector, meetsLaterAttempts: Bool, into trace: inout Trace
  ) throws(BackendError) {
    if try stage.network.flows().contains(where: { hosts.includes($0.host) }) {
      note(.faultTookEffect(cause), into: &trace)
    } else if meetsLaterAttempts {
      try waitForEffect(of: cause)
    } else {
      try refuseDatagrams()
    }
  }

  /// A fault has an effect once the device tries to make a connection.
  func waitForEffect(of cause: UInt32) throws(BackendError) {
    waitingFaults.append((cause, try stage.network.traffic().attempts))
  }

  /// Looks whether faults that had met nothing have met something since.
  func lookForEffects(into trace: inout Trace) throws(BackendError) {
    guard !waitingFaults.isEmpty else { return }
    let attempts = try stage.network.traffic().attempts
    for fault in waitingFaults where fault.attempts < attempts {
      note(.faultTookEffect(fault.cause), into: &trace)
    }
    waitingFaults.removeAll { $0.attempts < attempts }
    if !waitingFaults.isEmpty { try refuseDatagrams() }
  }

  /// Says that a fault without a TCP connection cannot be judged where there is UDP, which is not
  /// made to fail and whose connections no kernel knows.
  private func refuseDatagrams() throws(BackendError) {
    guard try stage.network.traffic().datagrams > 0 else { return }
    throw BackendError(
      .unsupported,
      "\(role.title) sends UDP, which no `kill`, `fin` or `half-close` and no server's end "
        + "reaches: whether the fault has an effect on it cannot be known")
  }

  // MARK: The device

  /// The device moves when its first entry says so, however long the kernel takes to follow.
  private func note(_ move: Device.Move, into trace: inout Trace) {
    moves.append(move)
    if move.from != move.to { note(.deviceMoved(move.to), into: &trace) }
  }

  /// Moves the device: first the kernel's networks, then what the platform reports of the
  /// connections whose path was left.
  func takeMoves(into trace: inout Trace) throws(BackendError) {
    if !losses.isEmpty {
      if let callbacks = role.callbacks {
        let flags = try stage.network.readFlags()
        try wait(until: now + Self.callbackTime, into: &trace) { callbacks.latest == flags }
      }
      try reportLosses()
    }
    guard !moves.isEmpty else { return }
    // What users do in an instant comes before what follows from a move in it.
    try awaitAnswers(into: &trace)
    try moveNetwork(into: &trace)
    for move in moves {
      let pathLoss = stage.profile.transport.pathLoss
      let lost = try stage.network.flows().filter { flow in
        pathLoss.outcome(of: flow.path, when: move, on: stage.device) == .breaks
      }
      if !lost.isEmpty { try stage.network.abort(localPorts: lost.map(\.localPort)) }
    }
    moves = []
    reported = nil
  }

  /// Moves the kernel's networks, and waits for what the kernel tells of their flags.
  ///
  /// The platform's callback comes before what it reports of connections.
  private func moveNetwork(into trace: inout Trace) throws(BackendError) {
    guard let callbacks = role.callbacks else {
      try stage.network.place(stage.device)
      return
    }
    let before = try stage.network.readFlags()
    try stage.network.place(stage.device)
    let after = try stage.network.readFlags()
    // The kernel has nothing to tell where nothing changes; the platform calls back all the same.
    if let reported, before == after { callbacks.add(reported) }
    try wait(until: now + Self.callbackTime, into: &trace) { callbacks.latest == after }
  }

  func moveApp(to app: AppState, into trace: inout Trace) throws(BackendError) {
    guard stage.device.app != app else { return }
    // What it was told before, it knows.
    if !app.runs { try awaitAnswers(into: &trace) }
    let ran = stage.device.app.runs
    stage.device.app = app
    switch (ran, app.runs) {
    case (_, false): suspend(into: &trace)
    case (false, true): try resume(into: &trace)
    case (true, true): note(.appMoved(app), into: &trace)
    }
  }

  private func suspend(into trace: inout Trace) {
    role.process.suspend()
    note(.appMoved(.background), into: &trace)
  }

  private func resume(into trace: inout Trace) throws(BackendError) {
    note(.appMoved(stage.device.app), into: &trace)
    try role.process.resume()
    try role.goOn(into: &trace)
  }

  // MARK: Faults of transports

  private func changeTransport(of host: Int, _ word: TransportWord) throws(BackendError) {
    let network = stage.network
    let ports = try network.flows().filter { $0.host == host }.map(\.localPort)
    switch word {
    case .stall:
      for port in ports { try network.drop(true, localPort: port, host: host) }
    case .blackholeConnect:
      try network.dropNew(true, host: host, established: ports)
    case .kill:
      try network.abort(localPorts: ports)
    case .resume:
      try network.dropNew(false, host: host, established: [])
      for port in ports { try network.drop(false, localPort: port, host: host) }
      if discards.remove(host) != nil { try sendToServer(of: host, word.rawValue) }
    case .stallAcked:
      discards.insert(host)
      try sendToServer(of: host, word.rawValue)
    case .reset, .fin, .halfClose:
      try sendToServer(of: host, word.rawValue)
    }
  }

  // MARK: Time

  /// Lets time pass until an instant, or until something is so, and writes down what is told.
  func wait(
    until instant: Instant, into trace: inout Trace, unless isOver: () -> Bool = { false }
  ) throws(BackendError) {
    while true {
      try server.listen { _ throws(AnswerError) in
        throw AnswerError("a server has nothing to tell but that it is done")
      }
      try role.poll(into: &trace)
      try bringTokens(into: &trace)
      guard !isOver(), now < instant else { return }
      let next = min(instant, tokens.first?.at ?? .never, role.nextDeadline ?? .never)
      try LiveProcess.wait(
        for: [role.process, server], or: role.callbacks?.descriptor, until: stage.deadline(next))
    }
  }

  /// Waits until both have answered everything; each owes its answers within its patience.
  func awaitAnswers(into trace: inout Trace) throws(BackendError) {
    try wait(until: .never, into: &trace) { role.process.hasAnswered && server.hasAnswered }
  }

  private func bringTokens(into trace: inout Trace) throws(BackendError) {
    while let (at, call) = tokens.first, at <= now {
      tokens.removeFirst()
      try send(of: call, into: &trace) { .tokenArrived($0) }
    }
  }

  func note(_ fact: WorldFact, into trace: inout Trace) {
    trace.append(.world(fact), at: now)
  }
}
