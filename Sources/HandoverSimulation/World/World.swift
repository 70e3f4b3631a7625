import HandoverBackend
import HandoverCore
import HandoverInterceptors
import HandoverTrace

/// One run: the client, and the network, the device and the monitor that are simulated around it.
///
/// It lets things happen one at a time, hands what follows from one part to the next, and knows
/// nothing of how a part decides. It has over 400 lines with its extensions, because this handing
/// on is one thing: no piece of it could be told without the others.
struct World: ~Copyable {
  var context: Context
  var client: CallClient
  var network: Network
  var monitor: MonitorPipe
  /// The transport in the place of the simulated network; nil where that is used.
  var transport: TransportPort?
  /// Whether there is one; asked at every order that is about a connection.
  let hasTransport: Bool
  /// What broke the other client, or the other transport.
  var failure: BackendError?

  /// Whether a connection may have keepalive, which counts the bytes of calls that have ended.
  var countsLateData: Bool

  /// The interceptors of the calls; nil where the script has none.
  var chains: InterceptorDriver?
  /// Whether there are any; asked at every step, which must not look at the chains themselves.
  private(set) var hasChains: Bool
  /// When an interceptor has waited long enough; `never` where none waits.
  var chainDeadline: Instant

  /// The requests; looked at only where the script has some.
  var requests: RequestHost
  /// Whether there are any.
  private(set) var hasRequests: Bool
  private let dispatcherDefects: DispatcherDefects
  /// Where the entries begin that have not been played together with an earlier one.
  var firstUnplayed: Int

  /// Makes a world; a network `isAlone` has no client here: whoever plays it reads the trace.
  init(
    altering alteration: ClientAlteration = ClientAlteration(),
    dispatcherDefects: DispatcherDefects = [], remote: (any RemoteClient)? = nil,
    transport: (any RemoteTransport)? = nil, isAlone: Bool = false
  ) {
    context = Context()
    client = CallClient(altering: alteration, remote: remote, isAlone: isAlone)
    network = Network()
    monitor = MonitorPipe()
    countsLateData = false
    chains = nil
    hasChains = false
    chainDeadline = .never
    hasRequests = false
    firstUnplayed = 0
    failure = nil
    self.transport = transport.map(TransportPort.init)
    hasTransport = transport != nil
    self.dispatcherDefects = dispatcherDefects
    requests = RequestHost(Script(), dispatches: false, defects: [])
  }

  /// Another world that goes on exactly as this one does, whatever happens to either.
  ///
  /// Nil where the client or the transport is elsewhere, or interceptors share what they know by
  /// reference: nobody can copy those.
  func fork() -> World? { canFork ? World(copying: self) : nil }

  /// Whether there can be a fork.
  var canFork: Bool { client.remote == nil && !hasTransport && chains?.sharesState != true }

  /// A copy.
  ///
  /// Every part is named here or in an initialiser like this, and none but an optional has
  /// a value otherwise: the compiler sees to it that none is left out.
  private init(copying other: borrowing World) {
    context = Context(copying: other.context)
    client = CallClient(copying: other.client)
    network = other.network
    monitor = other.monitor
    countsLateData = other.countsLateData
    transport = other.transport
    hasTransport = other.hasTransport
    failure = other.failure
    chains = other.chains
    hasChains = other.hasChains
    chainDeadline = other.chainDeadline
    requests = other.requests
    hasRequests = other.hasRequests
    dispatcherDefects = other.dispatcherDefects
    firstUnplayed = other.firstUnplayed
  }

  // MARK: The port

  /// How far a run has come.
  struct Progress {
    var now: Instant
    var steps: Int
    var records: Int
    /// Whether a client elsewhere broke down.
    var hasFailed: Bool
  }

  /// Lends a trace to the run for as long as it works.
  mutating func recording(
    _ trace: inout Trace, _ work: (inout World) -> Void
  ) -> Progress {
    swap(&context.trace, &trace)
    work(&self)
    swap(&context.trace, &trace)
    return Progress(
      now: context.now, steps: context.allSteps, records: trace.count, hasFailed: failure != nil)
  }

  /// Begins a run of a script; the room of the run before is used again.
  mutating func open(_ script: Script, profile: Profile) {
    // Where a run is repeated, nothing has to be looked up again.
    if profile == context.profile, script == context.script {
      context.restart()
      client.restartPrepared()
    } else {
      context.open(script, profile)
      client.prepare(script, profile)
    }
    firstUnplayed = 0
    failure = nil
    monitor = MonitorPipe()
    network.open(script, profile)
    countsLateData = script.mayPing
    let hadChains = hasChains
    hasChains = !script.configuration.chain.links.isEmpty
    if hasChains || hadChains { chains = hasChains ? InterceptorDriver(script) : nil }
    chainDeadline = .never
    openRequests()
    openElsewhere()
    begin()
  }

  private mutating func openRequests() {
    let hadRequests = hasRequests
    hasRequests = !context.script.requests.isEmpty || !context.script.questions.isEmpty
    requests.deadline = .never
    // Commands to dispatchers would find those of the run before.
    guard hasRequests || hadRequests else { return }
    requests = RequestHost(
      context.script, dispatches: hasRequests && context.profile.dispatchesRequests,
      defects: dispatcherDefects)
    requests.work(&network, &context)
  }

  private mutating func openElsewhere() {
    guard client.remote != nil || hasTransport else { return }
    do throws(BackendError) {
      if hasTransport, let reason = context.script.obstacleElsewhere {
        throw BackendError(.unsupported, reason)
      }
      if hasTransport, context.profile.transport.migration != nil {
        throw BackendError(
          .unsupported, "connections of QUIC are played with the built-in transport only")
      }
      try client.openRemote(context)
      try transport?.open(&context)
    } catch {
      failure = error
    }
  }

  private mutating func begin() {
    context.trace.endpointHosts = client.endpointHosts
    client.refreshDeadline()
    context.record(.deviceMoved(context.device.path))
    takeOver()
    for one in context.script.qualities { setQuality(one.quality, of: one.path, by: .max) }
    if context.device.app.isInBackground { context.record(.appMoved(context.device.app)) }
    guard context.profile.policy.monitorsReachability else { return }
    let initial = context.script.initial
    let flags = initial.monitorIsReadable ? initial.flags : nil
    monitor.readInitially(flags)
    deliver(.reachability(.initialRead(flags)))
  }

  /// The client is closed, and with it the run.
  mutating func close(at instant: Instant) {
    context.now = max(context.now, instant)
    // Whoever closes the client runs, whatever the device says.
    context.device.app = .foreground
    if hasChains { auditChains() }
    deliver(.pool(.closed))
    if hasChains { closeChains() }
    if hasRequests { requests.close(&network, &context) }
    if hasTransport { sendToTransport(.closed) }
  }

  /// What remains after the client was closed.
  func leaks() -> [String] {
    var leaks: [String] = []
    if let deadline = client.nextDeadline {
      leaks.append("a timer due at \(deadline.microseconds) us remains")
    }
    for connection in network.links.connections
    where connection.phase != .gone && connection.phase != .dead {
      let host = context.script.hosts[Int(connection.host)].written
      leaks.append("a connection to \(host) remains open")
    }
    if let due = transport?.transport.deadlines.next {
      leaks.append("the transport still waits for \(due.microseconds) us")
    }
    if let count = requests.threads?.count, count > 0 { leaks.append("a thread remains") }
    if hasRequests, requests.dispatchers.contains(where: { $0.keptCount > 0 }) {
      leaks.append("a dispatcher remembers requests that have ended")
    }
    guard hasChains else { return leaks }
    for (call, id) in (chains?.table.ids ?? []).enumerated() where id != nil {
      leaks.append("the interceptors of call \"\(context.script.calls[call].id)\" remain")
    }
    return leaks
  }
}
