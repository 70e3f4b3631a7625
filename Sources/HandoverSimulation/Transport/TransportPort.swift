import HandoverBackend
import HandoverCore

/// A transport in another process that replaces the simulated network and its servers, and its
/// scheduled turns.
///
/// For each connection, only the client's view is kept, in the rows of the network.
struct TransportPort {
  /// A scheduled turn of the transport.
  private struct Turn: Hashable {
    var at: Instant
    var handle: Agenda<ScheduledEvent>.Handle
  }

  let transport: any RemoteTransport
  /// The next turn that keeps the run from ending.
  private var nonPeriodic: Turn?
  /// An earlier turn that is only periodic.
  private var periodic: Turn?
  /// The transport's reports about the last fact.
  private var reports: [TransportReport] = []

  init(_ transport: any RemoteTransport) {
    self.transport = transport
  }

  /// Begins a run.
  mutating func open(_ context: inout Context) throws(BackendError) {
    nonPeriodic = nil
    periodic = nil
    try transport.open(context.script, profile: context.profile)
    arrangeTurns(&context)
  }

  /// Sends a fact to the transport.
  ///
  /// Its reports about connections reach the client in the transport phase, like those of the
  /// simulated network.
  mutating func send(
    _ fact: TransportFact, _ network: borrowing Network, _ context: inout Context
  ) throws(BackendError) {
    reports.removeAll(keepingCapacity: true)
    try transport.send(fact, at: context.now, into: &reports)
    for report in reports { apply(report, network, &context) }
    arrangeTurns(&context)
  }

  /// Sends a write of the client to the transport.
  mutating func write(
    _ write: Write, of call: UInt32, to connection: ConnectionID, _ network: inout Network,
    _ context: inout Context
  ) throws(BackendError) {
    let fact: TransportFact
    switch write {
    case .request:
      let asked = context.script.calls[Int(call)]
      network.streams[call].connection = connection
      fact = .send(
        connection, call: call,
        ServerAnswer(kind: asked.kind, takes: asked.takes, every: asked.every))
    case .messages(let count, let bytes):
      fact = .sendMessages(connection, call: call, count: count, bytes: bytes)
    case .finish: fact = .finish(connection, call: call)
    case .reset: fact = .reset(connection, call: call)
    case .ping: fact = .ping(connection)
    }
    try send(fact, network, &context)
  }

  private func apply(
    _ report: TransportReport, _ network: borrowing Network, _ context: inout Context
  ) {
    func schedule(_ fact: NetworkFact, of connection: ConnectionID?) {
      guard let connection else { return }
      context.schedule(.news(connection, fact))
    }
    func host(_ call: UInt32) -> UInt32 {
      UInt32(truncatingIfNeeded: network.streams.serverHost(call, network.links, context))
    }
    switch report {
    case .connected(let id): schedule(.connected(id), of: id)
    case .connectFailed(let id, let failure): schedule(.attemptFailed(id, failure), of: id)
    case .broken(let id, let failure): schedule(.connectionLost(id, failure), of: id)
    case .draining(let id): schedule(.draining(id), of: id)
    case .pong(let id): schedule(.pong(id), of: id)
    case .message(let call):
      guard let id = network.streams[call].call else { return }
      schedule(.message(id), of: network.streams[call].connection)
    case .ended(let call, let code):
      guard let id = network.streams[call].call else { return }
      schedule(.ended(id, code), of: network.streams[call].connection)
    case .moved(let id): context.record(.attemptMoved(id, context.device.path))
    case .stalled(let id): context.record(.connectionStalled(id))
    case .resumed(let id): context.record(.connectionResumed(id))
    case .sendBufferFull(let id): context.record(.sendBufferFull(id))
    case .readRequest(let call):
      context.recordConnection(network.streams[call].connection)
      context.record(.serverReadRequest(host: host(call), call: call))
    case .readMessages(let call, let count):
      context.recordConnection(network.streams[call].connection)
      context.record(.serverReadMessages(host: host(call), call: call, count: count))
    case .tookEffect(let entry): context.markEffect(of: entry)
    }
  }

  // MARK: Time

  /// Records that the transport's turn has come.
  mutating func turnArrived(at now: Instant) {
    // A turn that has come is no longer on the agenda.
    if let turn = nonPeriodic, turn.at <= now { nonPeriodic = nil }
    if let turn = periodic, turn.at <= now { periodic = nil }
  }

  private mutating func arrangeTurns(_ context: inout Context) {
    let deadlines = transport.deadlines
    let now = context.now
    let due = deadlines.nonPeriodic.map { max(now, $0) }
    if nonPeriodic?.at != due {
      if let old = nonPeriodic { context.agenda.cancel(old.handle) }
      nonPeriodic = nil
      if let due {
        nonPeriodic = Turn(
          at: due, handle: context.agenda.schedule(.transportTurn, at: due, .transport))
      }
    }
    // A non-periodic turn that is due first also serves as the periodic turn.
    var later = deadlines.next.map { max(now, $0) }
    if let due, let next = later, next >= due { later = nil }
    if periodic?.at != later {
      if let old = periodic { context.periodic.cancel(old.handle) }
      periodic = nil
      if let later {
        periodic = Turn(
          at: later, handle: context.periodic.schedule(.transportTurn, at: later, .transport))
      }
    }
  }
}
