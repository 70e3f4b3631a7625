import HandoverBackend
import HandoverCore
import HandoverTrace

// The network on its own, for a client elsewhere: what it reports is read from the trace.
extension World {
  /// Begins a run of the network of a script.
  mutating func openNetwork(of script: Script, profile: Profile) {
    var network = Script()
    network.hosts = script.hosts
    network.paths = script.paths
    network.initial = script.initial
    network.initial.app = .foreground
    network.configuration.tcpTimeout = script.configuration.tcpTimeout
    network.configuration.sendBuffer = script.configuration.sendBuffer
    network.configuration.cfstream = script.configuration.cfstream
    open(network, profile: profile)
    // A channel of its own for each host; nobody here knows more of channels.
    for host in script.hosts.indices {
      client.appendEndpoint(
        host: UInt32(truncatingIfNeeded: host), ChannelOptions(), &context)
    }
  }

  /// Takes a fact in; what follows from it at the same instant happens with `timeElapsed`.
  mutating func take(_ fact: TransportFact, at instant: Instant) {
    context.now = max(context.now, instant)
    switch fact {
    case .connect(let id, let host):
      carryOut(.openConnection(id, ChannelID(endpoint: EndpointID(index: host), generation: 0)))
    case .close(let id): carryOut(.closeConnection(id))
    case .send(let connection, let call, let answer):
      carryOut(.startStream(admit(call, answer), connection))
    case .sendMessages(let connection, let call, let count, let bytes):
      guard let id = identifier(ofCall: call) else { return }
      carryOut(.sendMessages(id, connection, count: count, bytes: bytes))
    case .finish(let connection, let call):
      guard let id = identifier(ofCall: call) else { return }
      carryOut(.finishStream(id, connection))
    case .reset(let connection, let call):
      guard let id = identifier(ofCall: call) else { return }
      carryOut(.resetStream(id, connection))
    case .ping(let connection): carryOut(.sendPing(connection))
    case .device(let next): place(next)
    case .server(let host, let word, let entry): play(.server(Int(host), word), entry)
    case .names(let host, let word, let entry): play(.names(Int(host), word), entry)
    case .fault(let selector, let word, let entry): play(.transport(selector, word), entry)
    case .timeElapsed: runVisibly(by: context.now)
    case .closed:
      context.agenda.removeAll()
      context.periodic.removeAll()
    }
  }

  /// Lets things happen that are due by an instant, until something of them shows in the
  /// trace, or the run has done as many steps as one may.
  private mutating func runVisibly(by limit: Instant) {
    let seen = context.trace.records.count
    while context.trace.records.count == seen, context.steps < RunLimits.maximumSteps,
      failure == nil
    {
      let next = upcoming()
      guard next.instant <= limit, next.instant != .never else { return }
      dispatch(next)
    }
  }

  /// When a network on its own wants to be told that time has passed.
  mutating func networkDeadlines() -> TransportDeadlines {
    while let item = context.agenda.first, isStale(item) { context.agenda.dropFirst() }
    let pressing = context.agenda.nextInstant
    let next = upcoming().instant
    return TransportDeadlines(
      next: next == .never ? nil : next, pressing: pressing,
      answersPings: network.links.unhealthy == 0)
  }

  /// A call that the network has not seen, or another attempt of one that it has.
  private mutating func admit(_ call: UInt32, _ answer: ServerAnswer) -> CallID {
    while context.script.calls.count <= call {
      context.script.calls.append(ScriptCall(id: "", host: 0, kind: answer.kind, takes: nil))
      network.streams.append()
    }
    context.script.calls[Int(call)].takes = answer.takes
    context.script.calls[Int(call)].every = answer.every
    return introduce(Int(call))
  }

  private func identifier(ofCall call: UInt32) -> CallID? {
    call < network.streams.count ? network.streams[call].call : nil
  }

  private mutating func place(_ next: Device) {
    let move = next.move(from: context.device)
    // Where the application is decides what becomes of the connections. What they have to tell is
    // told all the same: it is the harness that holds it back.
    context.device = next
    follow(move)
    context.device.app = .foreground
  }

  private mutating func play(_ fault: ScriptAction, _ entry: UInt32) {
    while context.faultsWithEffect.count <= entry { context.faultsWithEffect.append(false) }
    perform(fault, cause: entry)
  }
}
