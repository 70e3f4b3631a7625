import HandoverBackend
import HandoverCore
import HandoverInterceptors

/// One run: the client, with the simulated network, device and monitor around it.
///
/// The world runs one event at a time and passes the results from one part to the next, independent
/// of how a part decides. With its extensions it has over 400 lines, because passing results
/// between the parts is one task that cannot be split.
struct World: ~Copyable {
  var context: Context
  var client: SimulatedClient
  var network: Network
  var monitor: CallbackQueue
  /// The transport that replaces the simulated network, or `nil` if there is none.
  var transport: TransportPort?
  /// Whether there is such a transport; checked for every order about a connection.
  let hasTransport: Bool
  /// The error of the replacement client or transport.
  var failure: BackendError?

  /// Whether a connection may have keepalive, which counts the bytes of ended calls.
  var countsLateData: Bool

  /// The interceptors of the calls, or `nil` if the script has none.
  var chains: InterceptorDriver?
  /// Whether the script has interceptors; checked at every step without accessing the chains.
  private(set) var hasChains: Bool
  /// The next deadline of an interceptor, or `never` if there is none.
  var chainDeadline: Instant

  /// The index of the first entry that was not run together with an earlier one.
  var firstUnplayed: Int
  /// The effects of the timeline while they are executed.
  var deviceEffects: EffectLog<DeviceTimeline.Effect>

  /// Creates a world.
  ///
  /// If `isAlone` is true, the world has no client, and its owner reads the trace.
  init(
    altering alteration: ClientAlteration = ClientAlteration(),
    dispatcherDefects: DispatcherDefects = [], remote: (any RemoteClient)? = nil,
    transport: (any RemoteTransport)? = nil, isAlone: Bool = false
  ) {
    context = Context()
    client = SimulatedClient(
      calls: CallClient(altering: alteration, remote: remote, isAlone: isAlone),
      dispatcherDefects: dispatcherDefects)
    network = Network()
    monitor = CallbackQueue()
    countsLateData = false
    chains = nil
    hasChains = false
    chainDeadline = .never
    firstUnplayed = 0
    deviceEffects = EffectLog(reserving: 0)
    failure = nil
    self.transport = transport.map(TransportPort.init)
    hasTransport = transport != nil
  }

  /// Returns an independent world in the same state.
  ///
  /// Returns `nil` if the client or the transport is in another process, or if interceptors share
  /// state by reference, because these cannot be copied.
  func fork() -> World? { canFork ? World(copying: self) : nil }

  /// Whether the world can be forked.
  var canFork: Bool { client.calls.remote == nil && !hasTransport && chains?.sharesState != true }

  /// Creates a copy.
  ///
  /// Every field is assigned here or in a similar initializer, and only optional fields have
  /// default values. Therefore the compiler reports a missing field.
  private init(copying other: borrowing World) {
    context = Context(copying: other.context)
    client = SimulatedClient(copying: other.client)
    network = other.network
    monitor = other.monitor
    countsLateData = other.countsLateData
    transport = other.transport
    hasTransport = other.hasTransport
    failure = other.failure
    chains = other.chains
    hasChains = other.hasChains
    chainDeadline = other.chainDeadline
    firstUnplayed = other.firstUnplayed
    deviceEffects = EffectLog(reserving: 0)
  }

  // MARK: The interface of a run

  /// The progress of a run.
  struct Progress {
    var now: Instant
    var steps: Int
    var records: Int
    /// Whether a client or transport in another process had an internal error.
    var hasFailed: Bool
  }

  /// Records in `trace` while some work runs.
  mutating func recording(
    _ trace: inout Trace, _ work: (inout World) -> Void
  ) -> Progress {
    swap(&context.trace, &trace)
    work(&self)
    swap(&context.trace, &trace)
    return Progress(
      now: context.now, steps: context.allSteps, records: trace.count, hasFailed: failure != nil)
  }

  /// Begins a run of a script, and reuses the memory of the previous run.
  mutating func open(_ script: Script, profile: Profile) {
    let isRepetition = profile == context.profile && script == context.script
    if isRepetition {
      context.restart()
    } else {
      context.open(script, profile)
    }
    firstUnplayed = 0
    failure = nil
    monitor = CallbackQueue()
    network.open(script, profile)
    countsLateData = script.mayPing
    let hadChains = hasChains
    hasChains = !script.configuration.chain.links.isEmpty
    if hasChains || hadChains { chains = hasChains ? InterceptorDriver(script) : nil }
    chainDeadline = .never
    client.open(isRepetition: isRepetition, &network, &context)
    openRemoteBackends()
    begin()
  }

  private mutating func openRemoteBackends() {
    guard client.calls.remote != nil || hasTransport else { return }
    do throws(BackendError) {
      if hasTransport, let reason = context.script.obstacleInOtherProcess {
        throw BackendError(.unsupported, reason)
      }
      if hasTransport, context.profile.transport.migration != nil {
        throw BackendError(
          .unsupported, "only the built-in transport supports QUIC")
      }
      try client.calls.openRemote(context)
      try transport?.open(&context)
    } catch {
      failure = error
    }
  }

  private mutating func begin() {
    context.trace.endpointHosts = client.calls.endpointHosts
    client.calls.refreshDeadline()
    context.record(.deviceMoved(context.device.path))
    runTimeline(.began)
    if context.device.app.isInBackground { context.record(.appMoved(context.device.app)) }
    guard context.profile.policy.monitorsReachability else { return }
    let initial = context.script.initial
    let flags = initial.monitorIsReadable ? initial.flags : nil
    monitor.readInitially(flags)
    deliver(.reachability(.initialRead(flags)))
  }

  /// Closes the client and ends the run.
  mutating func close(at instant: Instant) {
    context.now = max(context.now, instant)
    // An application that closes its client is running, whatever the device's state is.
    context.device.app = .foreground
    if hasChains { auditChains() }
    deliver(.pool(.closed))
    if hasChains { closeChains() }
    client.handle(.closed, &network, &context)
    if hasTransport { sendToTransport(.closed) }
  }

  /// Returns descriptions of everything that remains after the client was closed.
  func leaks() -> [String] {
    var leaks = client.leaks()
    for connection in network.links.connections
    where connection.phase != .gone && connection.phase != .dead {
      let host = context.script.hosts[Int(connection.host)].written
      leaks.append("a connection to \(host) remains open")
    }
    if let due = transport?.transport.deadlines.next {
      leaks.append("an event of the transport due at \(due.microseconds) us remains")
    }
    guard hasChains else { return leaks }
    for (call, id) in (chains?.table.ids ?? []).enumerated() where id != nil {
      leaks.append("the interceptors of call \"\(context.script.calls[call].id)\" remain")
    }
    return leaks
  }
}
