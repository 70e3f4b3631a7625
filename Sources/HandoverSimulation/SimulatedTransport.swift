public import HandoverBackend
public import HandoverCore

/// The simulated network and its servers, as a transport for a client in another process.
///
/// The built-in backend uses the same network below its client, so that results can be compared.
public final class SimulatedTransport: RemoteTransport {
  private var network = StandaloneNetwork()
  private var trace = Trace()

  /// The times at which the next events are scheduled.
  public private(set) var deadlines = TransportDeadlines()

  /// The log, which is always empty.
  public var log: String { "" }

  /// Creates a transport.
  public init() {}

  /// Begins a run.
  ///
  /// Every script with calls can run.
  public func open(_ script: Script, profile: Profile) {
    trace.removeAll()
    network.open(script, profile: profile, into: &trace)
    deadlines = network.deadlines()
  }

  /// Processes a fact.
  ///
  /// If the fact is that time has passed, only one event happens. The client can then respond
  /// before the next event of the same instant.
  ///
  /// - Throws: ``HandoverBackend/BackendError`` if the run exceeds the maximum number of steps.
  public func send(
    _ fact: TransportFact, at now: Instant, into reports: inout [TransportReport]
  ) throws(BackendError) {
    trace.removeAll()
    let progress = network.handle(fact, at: now, into: &trace)
    guard progress.steps < RunLimits.maximumSteps else { throw RunTooLong.steps }
    for record in trace.records {
      switch record.body {
      case .event(.pool(let event)):
        if let report = report(event) { reports.append(report) }
      case .world(let fact):
        if let report = report(fact) { reports.append(report) }
      case .event(.reachability), .effect, .chain, .request:
        break
      }
    }
    deadlines = network.deadlines()
  }

  private func report(_ event: ChannelPool.Event) -> TransportReport? {
    switch event {
    case .connected(let id): .connected(id)
    case .connectFailed(let id, let failure): .connectFailed(id, failure)
    case .connectionBroken(let id, let failure): .broken(id, failure)
    case .connectionDraining(let id): .draining(id)
    case .pongReceived(let id): .pong(id)
    case .messageReceived(let call): .message(call: network.world.network.streams.index(of: call))
    case .streamEnded(let call, let code):
      .ended(call: network.world.network.streams.index(of: call), code)
    case .callStarted, .tokenArrived, .messageQueued, .requestFinished, .callCancelled,
      .dataReceived, .disconnectRequested, .disconnectAllRequested, .timeElapsed, .closed:
      nil
    }
  }

  private func report(_ fact: WorldFact) -> TransportReport? {
    switch fact {
    case .attemptMoved(let id, _): .moved(id)
    case .connectionStalled(let id): .stalled(id)
    case .connectionResumed(let id): .resumed(id)
    case .sendBufferFull(let id): .sendBufferFull(id)
    case .serverReadRequest(_, let call): .readRequest(call: call)
    case .serverReadMessages(_, let call, let count): .readMessages(call: call, count: count)
    case .faultTookEffect(let entry): .tookEffect(entry: entry)
    // The client that receives the reports has caused the other facts itself, or must not receive
    // them.
    default: nil
    }
  }
}
