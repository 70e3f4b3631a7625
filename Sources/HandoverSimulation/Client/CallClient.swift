import HandoverBackend
import HandoverCore
import HandoverTrace

/// The client that makes calls: the built-in one, or another in its place.
///
/// It is told of facts one at a time, and its orders are carried out before the next fact.
struct CallClient: ~Copyable {
  /// How many orders the log may hold before it is emptied.
  private static let maximumLog = 64

  private(set) var core: ClientCore
  /// The client in the place of the built-in one; nil where that is under test.
  let remote: (any RemoteClient)?
  /// Whether there is one, or nobody at all, or one that is stepped otherwise; asked at every step.
  let isRemote: Bool
  private let alteration: ClientAlteration
  /// Whether it is stepped as its configuration says that it does something wrong.
  private let isTampered: Bool
  /// How many calls the other client has been told of.
  private var remoteCallCount: UInt32 = 0

  /// The orders of the last facts.
  private(set) var effects: EffectLog<ClientEffect>
  /// The client's next deadline; `never` where it has none.
  private(set) var deadline: Instant
  /// The clock of its timers; each instant here is one of the run.
  private(set) var clock = ClientClock()
  private var timerClock = TimerClock.boot
  /// What the application has not heard because it does not run.
  var held: HeldFacts

  /// The pooled channel of each call of the script.
  private(set) var callEndpoints: ContiguousArray<EndpointID>
  /// The hosts of the client's pooled channels, by their indices in the script.
  private(set) var endpointHosts: ContiguousArray<UInt32>
  /// How many of them belong to keys of the script's calls; interceptors may add more.
  private var preparedEndpoints: Int

  init(altering alteration: ClientAlteration, remote: (any RemoteClient)?, isAlone: Bool) {
    self.alteration = alteration
    self.remote = remote
    let configuration = alteration.configuration(
      RunConfiguration(), policy: Profile.sockets.policy)
    // A constant of its own: the closures of `||` may not ask a value that is not yet whole.
    let isTampered = configuration.isTampered
    self.isTampered = isTampered
    isRemote = remote != nil || isAlone || isTampered
    core = ClientCore(configuration)
    effects = EffectLog(reserving: 16)
    deadline = .never
    held = HeldFacts()
    callEndpoints = []
    endpointHosts = []
    preparedEndpoints = 0
  }

  /// A copy; the log of orders is empty, because all have been carried out.
  init(copying other: borrowing CallClient) {
    alteration = other.alteration
    isTampered = other.isTampered
    remote = other.remote
    isRemote = other.isRemote
    core = other.core
    remoteCallCount = other.remoteCallCount
    effects = EffectLog(reserving: 0)
    deadline = other.deadline
    clock = other.clock
    timerClock = other.timerClock
    held = other.held
    callEndpoints = other.callEndpoints
    endpointHosts = other.endpointHosts
    preparedEndpoints = other.preparedEndpoints
  }

  // MARK: The begin of a run

  /// Makes the client and registers the keys of its calls, in the order of the script.
  mutating func prepare(_ script: Script, _ profile: Profile) {
    core = ClientCore(alteration.configuration(script.configuration, policy: profile.policy))
    timerClock = script.configuration.clock
    callEndpoints.removeAll(keepingCapacity: true)
    endpointHosts.removeAll(keepingCapacity: true)
    for call in script.calls.indices {
      let host = script.calls[call].host
      // Most calls have the key of the call before; that need not be looked up.
      if call > 0, script.calls[call - 1].host == host,
        script.calls[call - 1].options == script.calls[call].options
      {
        callEndpoints.append(callEndpoints[call - 1])
        continue
      }
      let endpoint = core.register(
        ChannelKey(host: script.hosts[host].name, options: script.calls[call].options))
      callEndpoints.append(endpoint)
      while endpointHosts.count <= endpoint.index { endpointHosts.append(0) }
      endpointHosts[Int(endpoint.index)] = UInt32(truncatingIfNeeded: host)
    }
    preparedEndpoints = endpointHosts.count
    restart()
  }

  /// Starts over as the client that was prepared last.
  mutating func restartPrepared() {
    core.restart(keeping: preparedEndpoints)
    restart()
  }

  private mutating func restart() {
    remoteCallCount = 0
    clock = ClientClock(timerClock)
    if !held.isEmpty { held = HeldFacts() }
    if endpointHosts.count > preparedEndpoints {
      endpointHosts.removeLast(endpointHosts.count - preparedEndpoints)
    }
  }

  /// Begins a run of a client elsewhere.
  mutating func openRemote(_ context: borrowing Context) throws(BackendError) {
    guard let remote else { return }
    var endpoints: [RemoteEndpoint?] = Array(repeating: nil, count: endpointHosts.count)
    for call in context.script.calls.indices {
      let host = context.script.hosts[context.script.calls[call].host]
      endpoints[Int(callEndpoints[call].index)] = RemoteEndpoint(
        host: host.name?.text ?? host.written, options: context.script.calls[call].options)
    }
    try remote.open(
      context.script, profile: context.profile, endpoints: endpoints.compactMap { $0 })
  }

  // MARK: Endpoints

  /// The pooled channel of a key.
  mutating func register(_ key: ChannelKey) -> EndpointID { core.register(key) }

  /// Somebody chose a key that no call of the script has.
  mutating func appendEndpoint(
    host: UInt32, _ options: ChannelOptions, _ context: inout Context
  ) {
    endpointHosts.append(host)
    context.trace.endpointHosts.append(host)
    guard options != context.script.calls.first?.options ?? ChannelOptions() else { return }
    context.trace.changedOptions.append(
      EndpointOptions(
        endpoint: UInt32(truncatingIfNeeded: endpointHosts.count - 1), options: options))
  }

  // MARK: Facts

  /// Takes a fact; its orders are added to ``effects``.
  ///
  /// - Returns: the place of the first of them.
  @inline(__always)
  mutating func handle(
    _ event: ClientCore.Event, at now: Instant
  ) throws(BackendError) -> EffectLog<ClientEffect>.Position {
    // To empty the log costs more than an order does, so it is done now and then only.
    if effects.count > Self.maximumLog { effects.removeAll() }
    let first = effects.endPosition
    if clock.lag == .zero {
      try step(event, at: now)
    } else {
      try step(clock.translated(event), at: clock.reading(at: now))
    }
    refreshDeadline()
    return first
  }

  @inline(__always)
  private mutating func step(_ event: ClientCore.Event, at now: Instant) throws(BackendError) {
    if isRemote {
      if isTampered {
        core.stepTampered(event, at: now, into: &effects)
      } else {
        try remote?.send(event, at: now, into: &effects)
      }
    } else {
      core.step(event, at: now, into: &effects)
    }
  }

  /// Takes several facts of one instant at once; only another client does.
  ///
  /// - Returns: for each fact, how many orders the log holds after those about it.
  mutating func handle(
    _ events: [ClientCore.Event], at now: Instant
  ) throws(BackendError) -> [Int] {
    effects.removeAll()
    guard let remote else { return [] }
    defer { refreshDeadline() }
    return try remote.send(
      events.map(clock.translated), at: clock.reading(at: now), into: &effects)
  }

  /// Whether another client takes several facts at once.
  var takesBatches: Bool { remote?.takesBatches ?? false }

  /// The identifier of the next call.
  mutating func nextCallID() -> CallID {
    guard isRemote, !isTampered else { return core.nextCallID }
    remoteCallCount += 1
    return CallID(index: remoteCallCount - 1, generation: 0)
  }

  /// Becomes a client that goes on as a survey says, and has nothing to carry out.
  mutating func restore(_ survey: borrowing ClientSurvey, at now: Instant) {
    core.restore(survey, at: now)
    effects.removeAll()
    held = HeldFacts()
    refreshDeadline()
  }

  /// Writes down what decides how the client goes on.
  mutating func survey(into survey: inout ClientSurvey, at now: Instant) {
    core.surveyInPlace(into: &survey, at: now)
  }

  /// Lets time pass for the client in a way of its own, as explorations do.
  mutating func passTime(_ body: (inout ClientCore) -> Void) {
    body(&core)
    refreshDeadline()
  }

  // MARK: Deadlines

  /// The device falls asleep; the clock may stop.
  mutating func sleep(at now: Instant) { clock.sleep(at: now) }

  /// The device wakes up; what is due moves by the time for which the clock stood still.
  mutating func wake(at now: Instant) {
    clock.wake(at: now)
    refreshDeadline()
  }

  @inline(__always)
  mutating func refreshDeadline() { deadline = nextDeadline ?? .never }

  @inline(__always)
  var nextDeadline: Instant? {
    let next = isRemote && !isTampered ? remote?.deadlines.next : core.nextDeadline
    return clock.lag == .zero ? next : next.map(clock.instant)
  }

  @inline(__always)
  func nextDeadline(among kinds: DeadlineKinds) -> Instant? {
    guard isRemote, !isTampered else {
      let next = core.nextDeadline(among: kinds)
      return clock.lag == .zero ? next : next.map(clock.instant)
    }
    let deadlines = remote?.deadlines ?? RemoteDeadlines()
    let keepalive = kinds.contains(.keepalive) ? deadlines.keepalive : nil
    let nonPeriodic = kinds == .keepalive ? nil : deadlines.nonPeriodic
    return [keepalive, nonPeriodic].compactMap { $0 }.min().map(clock.instant)
  }
}

/// How the client of a run differs from the one of its profile, where it has a fault.
struct ClientAlteration: Sendable {
  /// Defects of its machines.
  var defects: Defects
  /// Changes the settings that the scenario and the profile give.
  var change: (@Sendable (inout PoolConfiguration) -> Void)?

  init(defects: Defects = [], change: (@Sendable (inout PoolConfiguration) -> Void)? = nil) {
    self.defects = defects
    self.change = change
  }

  /// The settings of the client.
  func configuration(_ run: RunConfiguration, policy: ClientPolicy) -> PoolConfiguration {
    var configuration = PoolConfiguration(run, policy: policy, defects: defects)
    change?(&configuration)
    return configuration
  }
}
