import HandoverBackend
import HandoverCore
import HandoverLinux
import HandoverTrace

/// One run of a script around a client and its servers, each a process of its own.
final class LiveProcessRun {
  let script: Script
  let profile: Profile
  /// When the run is over in virtual time.
  let expectedEnd: Instant
  /// The instant of the entry that was played last.
  private(set) var lastEntry: Instant?

  let network: any LiveNetwork
  private let client: LiveProcess
  private let server: LiveProcess
  private let hosts: HostAddresses
  private let keys: CallKeys
  private var names: ClientNames
  private var device: Device
  /// Where the device goes once all entries of the instant are played.
  private var moves: [Device.Move] = []
  /// When the tokens of calls come, the earliest first.
  private var tokens: [(at: Instant, call: Int)] = []
  private var started: [CallID?]
  private var endedCalls: Set<CallID> = []  // lookup only
  /// The hosts whose servers acknowledge everything and throw it away.
  private var discards: Set<Int> = []  // lookup only
  private var begunAt: Int64 = 0
  private var isDown = false

  init(
    _ script: Script, _ profile: Profile, _ network: any LiveNetwork, client: LiveProcess,
    server: LiveProcess, expectedEnd: Instant
  ) {
    self.script = script
    self.profile = profile
    self.network = network
    self.client = client
    self.server = server
    self.expectedEnd = expectedEnd
    hosts = HostAddresses(script, in: network)
    keys = CallKeys(script)
    names = ClientNames(callCount: script.calls.count, endpoints: keys.endpoints)
    device = Device(script.initial)
    started = Array(repeating: nil, count: script.calls.count)
  }

  /// What the processes wrote for people, the client first.
  var log: String { client.log + server.log }

  /// How long the run has gone on.
  var now: Instant { Instant(microseconds: monotonicMicroseconds() - begunAt) }

  /// Whether every call of the script has been started and has ended.
  var allCallsHaveEnded: Bool { endedCalls.count == started.count }

  // MARK: The beginning and the end

  /// Opens both, and lets time begin when both are there.
  func begin(into trace: inout Trace) throws(BackendError) {
    begunAt = monotonicMicroseconds()
    try server.tell { $0.openServers(hosts, seq: $1) }
    for (place, host) in script.hosts.enumerated() where host.server != .accept {
      try tellServer(of: place, host.server.rawValue)
    }
    try awaitAnswers(into: &trace)
    try client.tell { $0.open(script, profile, at: hosts, seq: $1) }
    try awaitAnswers(into: &trace)
    begunAt = monotonicMicroseconds()
    trace.endpointHosts = keys.hosts
    note(.deviceMoved(device.path), into: &trace)
    if device.app == .background { suspend(into: &trace) }
  }

  /// Closes both; answers what is wrong with the way they ended.
  func close(into trace: inout Trace) throws(BackendError) -> [String] {
    if client.isStopped { try resume(into: &trace) }
    trace.append(.event(.pool(.closed)), at: now)
    let end = now
    try client.tell { $0.close(seq: $1, now: end) }
    try awaitAnswers(into: &trace)
    try server.tell { $0.close(seq: $1, now: end) }
    try awaitAnswers(into: &trace)
    return [("the client", client), ("the server", server)].compactMap { title, process in
      process.stop().map { "of \(title): \($0)" }
    }
  }

  /// Takes the network away; answers what remains.
  func takeDown() -> [String] {
    guard !isDown else { return [] }
    isDown = true
    client.end()
    server.end()
    return network.close()
  }

  // MARK: Entries

  /// Plays an entry of the timeline.
  func play(_ entry: Int, into trace: inout Trace) throws(BackendError) {
    let cause = UInt32(truncatingIfNeeded: entry)
    lastEntry = script.entries[entry].at
    note(.entryPlayed(cause), into: &trace)
    switch script.entries[entry].action {
    case .flags(let flags, let path, let up, let down):
      moves.append(device.take(flags, path: path, up: up, down: down))
    case .path(let path):
      moves.append(device.move(to: path))
    case .app(let app):
      try takeMoves(into: &trace)
      try moveApp(to: app, into: &trace)
    case .startCall(let call): try start(call, into: &trace)
    case .cancel(let call): try tell(of: call, into: &trace) { .callCancelled($0) }
    case .finish(let call): try tell(of: call, into: &trace) { .requestFinished($0) }
    case .send(let call, let bytes):
      try tell(of: call, into: &trace) { .messageQueued($0, bytes: UInt32(clamping: bytes)) }
    case .disconnect(.all): try tell(.disconnectAllRequested, into: &trace)
    case .disconnect(.one(let host)):
      for (place, other) in keys.hosts.enumerated() where Int(other) == host {
        try tell(.disconnectRequested(EndpointID(index: UInt32(place))), into: &trace)
      }
    case .server(let host, let word):
      note(.faultTookEffect(cause), into: &trace)
      try tellServer(of: host, word.rawValue)
    case .transport(let selector, let word):
      note(.faultTookEffect(cause), into: &trace)
      for host in script.hosts.indices where selector.includes(host) {
        try changeTransport(of: host, word)
      }
    case .receive, .names, .monitor, .interceptor, .request, .cancelRequest, .ask, .dispatcher:
      // Without interceptors messages come as they are; all else is refused beforehand, or has no
      // meaning for the profile.
      break
    }
  }

  private func start(_ call: Int, into trace: inout Trace) throws(BackendError) {
    let settings = script.calls[call]
    let id = CallID(index: UInt32(truncatingIfNeeded: call), generation: 0)
    started[call] = id
    names.introduce(call, settings.id, as: id)
    note(.callIntroduced(UInt32(truncatingIfNeeded: call), id), into: &trace)
    let begin = now
    if let delay = settings.tokenDelay {
      tokens.append((begin + delay, call))
      tokens.sort { $0.at < $1.at }
    }
    try tell(
      .callStarted(
        id, keys.ofCalls[call],
        CallSettings(
          deadline: settings.deadline.map { begin + $0 } ?? .never, failsFast: settings.failFast,
          awaitsToken: settings.tokenDelay != nil,
          requestIsComplete: settings.kind.requestIsCompleteAtStart)),
      into: &trace)
  }

  /// Tells the client of something that its user does with a call that was started.
  private func tell(
    of call: Int, into trace: inout Trace, _ event: (CallID) -> ChannelPool.Event
  ) throws(BackendError) {
    if let id = started[call] { try tell(event(id), into: &trace) }
  }

  private func tell(
    _ event: ChannelPool.Event, into trace: inout Trace
  ) throws(BackendError) {
    let at = now
    trace.append(.event(.pool(event)), at: at)
    let text = EventText(
      script: script, endpoints: keys.endpoints, names: names, tellsTakes: true)
    try client.tell { writer, seq in
      writer.event(seq: seq, now: at) { text.write(.pool(event), to: &$0) }
    }
  }

  private func tellServer(of host: Int, _ word: String) throws(BackendError) {
    let at = now
    let name = hosts.names[host]
    try server.tell { writer, seq in
      writer.event(seq: seq, now: at) { json in
        json.key("server")
        json.beginObject()
        json.member("host", name)
        json.member("do", word)
        json.endObject()
      }
    }
  }

  // MARK: The device

  /// Moves the device: first the kernel's networks, then what the platform reports of the
  /// connections whose path was left.
  func takeMoves(into trace: inout Trace) throws(BackendError) {
    guard !moves.isEmpty else { return }
    // What users do in an instant comes before what follows from a move in it.
    try awaitAnswers(into: &trace)
    try network.place(device)
    for move in moves {
      if move.from != move.to { note(.deviceMoved(move.to), into: &trace) }
      let lost = try network.flows().filter { flow in
        LeavingRule.outcome(profile.transport, of: flow.path, when: move, on: device) == .breaks
      }
      if !lost.isEmpty { try network.abort(localPorts: lost.map(\.localPort)) }
    }
    moves = []
  }

  private func moveApp(to app: AppState, into trace: inout Trace) throws(BackendError) {
    guard device.app != app else { return }
    device.app = app
    switch app {
    case .background:
      // What it was told before, it knows.
      try awaitAnswers(into: &trace)
      suspend(into: &trace)
    case .foreground: try resume(into: &trace)
    }
  }

  private func suspend(into trace: inout Trace) {
    client.suspend()
    note(.appMoved(toBackground: true), into: &trace)
  }

  private func resume(into trace: inout Trace) throws(BackendError) {
    note(.appMoved(toBackground: false), into: &trace)
    try client.resume()
  }

  // MARK: Faults of transports

  private func changeTransport(of host: Int, _ word: TransportWord) throws(BackendError) {
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
      if discards.remove(host) != nil { try tellServer(of: host, word.rawValue) }
    case .stallAcked:
      discards.insert(host)
      try tellServer(of: host, word.rawValue)
    case .reset, .fin, .halfClose:
      try tellServer(of: host, word.rawValue)
    }
  }

  // MARK: Time

  /// Lets time pass until an instant, or until something is so, and writes down what is told.
  func wait(
    until instant: Instant, into trace: inout Trace, unless isOver: () -> Bool = { false }
  ) throws(BackendError) {
    while true {
      try listen(into: &trace)
      try bringTokens(into: &trace)
      guard !isOver(), now < instant else { return }
      let next = min(instant, tokens.first?.at ?? .never)
      let deadline = next == .never ? .max : begunAt + next.microseconds
      try LiveProcess.wait(for: [client, server], until: deadline)
    }
  }

  /// Waits until both have answered everything; each owes its answers within its patience.
  private func awaitAnswers(into trace: inout Trace) throws(BackendError) {
    try wait(until: .never, into: &trace) { client.hasAnswered && server.hasAnswered }
  }

  private func bringTokens(into trace: inout Trace) throws(BackendError) {
    while let (at, call) = tokens.first, at <= now {
      tokens.removeFirst()
      try tell(of: call, into: &trace) { .tokenArrived($0) }
    }
  }

  private func listen(into trace: inout Trace) throws(BackendError) {
    try server.listen { _ throws(AnswerError) in
      throw AnswerError("a server has nothing to tell but that it is done")
    }
    try client.listen { order throws(AnswerError) in
      guard let name = order.first?.name, ["ended", "deliver"].contains(name) else {
        throw AnswerError("in real time a client tells \"ended\" and \"deliver\" only")
      }
      var effects = EffectLog<ClientEffect>()
      try names.take(order, into: &effects)
      for place in 0..<effects.count {
        if case .endCall(let id, _) = effects[place] { endedCalls.insert(id) }
        trace.append(.effect(effects[place]), at: now)
      }
    }
  }

  private func note(_ fact: WorldFact, into trace: inout Trace) {
    trace.append(.world(fact), at: now)
  }
}
