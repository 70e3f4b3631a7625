import HandoverBackend
import HandoverCore

/// The client that makes calls: the built-in one or a replacement.
///
/// It receives facts one at a time, and its orders are carried out before the next fact.
struct CallClient: ~Copyable {
  /// The number of orders above which the log is emptied.
  private static let maximumLog = 64

  private(set) var core: ClientCore
  /// The client that replaces the built-in one, or `nil` if the built-in client is under test.
  let remote: (any RemoteClient)?
  /// Whether there is a replacement or no client at all; checked at every step.
  let isRemote: Bool
  private let alteration: ClientAlteration
  /// The number of calls that were announced to the replacement client.
  private var remoteCallCount: UInt32 = 0

  /// The orders that resulted from the last facts.
  private(set) var effects: EffectLog<ClientEffect>
  /// The client's next deadline, or `never` if it has none.
  private(set) var deadline: Instant
  /// The clock of the client's timers.
  ///
  /// All instants in this type are instants of the run.
  private(set) var clock = ClientClock()
  private var timerClock = TimerClock.boot
  /// The events that the application has not received because it is suspended.
  var held: DeferredEvents

  /// The pooled channel of each call of the script.
  private(set) var callEndpoints: ContiguousArray<EndpointID>
  /// The script indices of the hosts of the client's pooled channels.
  private(set) var endpointHosts: ContiguousArray<UInt32>
  /// The number of channels that belong to keys of the script's calls.
  ///
  /// Interceptors may add more.
  private var preparedEndpoints: Int

  init(altering alteration: ClientAlteration, remote: (any RemoteClient)?, isAlone: Bool) {
    self.alteration = alteration
    self.remote = remote
    isRemote = remote != nil || isAlone
    core = ClientCore(
      alteration.configuration(RunConfiguration(), policy: Profile.sockets.policy))
    effects = EffectLog(reserving: 16)
    deadline = .never
    held = DeferredEvents()
    callEndpoints = []
    endpointHosts = []
    preparedEndpoints = 0
  }

  /// Creates a copy.
  ///
  /// Its log is empty, because all orders have been carried out.
  init(copying other: borrowing CallClient) {
    alteration = other.alteration
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

  // MARK: Start of a run

  /// Creates the client and registers the keys of its calls, in the order of the script.
  mutating func prepare(_ script: Script, _ profile: Profile) {
    core = ClientCore(alteration.configuration(script.configuration, policy: profile.policy))
    timerClock = script.configuration.clock
    callEndpoints.removeAll(keepingCapacity: true)
    endpointHosts.removeAll(keepingCapacity: true)
    for call in script.calls.indices {
      let host = script.calls[call].host
      // Most calls have the same key as the previous call, which avoids a lookup.
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

  /// Resets the client to its state after the last `prepare`.
  mutating func restartPrepared() {
    core.restart(keeping: preparedEndpoints)
    restart()
  }

  private mutating func restart() {
    remoteCallCount = 0
    clock = ClientClock(timerClock)
    if !held.isEmpty { held = DeferredEvents() }
    if endpointHosts.count > preparedEndpoints {
      endpointHosts.removeLast(endpointHosts.count - preparedEndpoints)
    }
  }

  /// Begins a run of a replacement client.
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

  /// Returns the pooled channel of a key.
  mutating func register(_ key: ChannelKey) -> EndpointID { core.register(key) }

  /// Adds an endpoint for a key that no call of the script has.
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

  /// Passes a fact to the client, and adds its orders to ``effects``.
  ///
  /// - Returns: the index of the first of these orders.
  @inline(__always)
  mutating func handle(
    _ event: ClientCore.Event, at now: Instant
  ) throws(BackendError) -> Int {
    // Emptying the log costs more than adding an order, so it is done only occasionally.
    if effects.count > Self.maximumLog { effects.removeAll() }
    let first = effects.count
    if clock.lag == .zero {
      try step(event, at: now)
    } else {
      try step(clock.translated(event), at: clock.reading(at: now))
    }
    refreshDeadline()
    return first
  }

  private mutating func step(_ event: ClientCore.Event, at now: Instant) throws(BackendError) {
    if isRemote {
      try remote?.send(event, at: now, into: &effects)
    } else {
      core.stepDecorated(event, at: now, into: &effects)
    }
  }

  /// Passes several facts of one instant to a replacement client.
  ///
  /// The built-in client never uses this.
  ///
  /// - Returns: for each fact, the number of orders in the log after those about that fact.
  mutating func handle(
    _ events: [ClientCore.Event], at now: Instant
  ) throws(BackendError) -> [Int] {
    effects.removeAll()
    guard let remote else { return [] }
    defer { refreshDeadline() }
    return try remote.send(
      events.map(clock.translated), at: clock.reading(at: now), into: &effects)
  }

  /// Whether the replacement client accepts several facts at once.
  var acceptsBatches: Bool { remote?.acceptsBatches ?? false }

  /// Returns the identifier of the next call.
  mutating func nextCallID() -> CallID {
    guard isRemote else { return core.nextCallID }
    remoteCallCount += 1
    return CallID(index: remoteCallCount - 1, generation: 0)
  }

  /// Restores the client from a survey, without pending orders.
  mutating func restore(_ survey: borrowing ClientSurvey, at now: Instant) {
    core.restore(survey, at: now)
    effects.removeAll()
    held = DeferredEvents()
    refreshDeadline()
  }

  /// Writes the state that determines the client's future behavior into a survey.
  mutating func survey(into survey: inout ClientSurvey, at now: Instant) {
    core.surveyInPlace(into: &survey, at: now)
  }

  /// Lets an exploration change the client's remaining times directly.
  mutating func passTime(_ body: (inout ClientCore) -> Void) {
    body(&core)
    refreshDeadline()
  }

  // MARK: Deadlines

  /// Records that the device falls asleep.
  ///
  /// The client's clock may stop.
  mutating func sleep(at now: Instant) { clock.sleep(at: now) }

  /// Records that the device wakes up.
  ///
  /// Deadlines move by the time for which the clock was stopped.
  mutating func wake(at now: Instant) {
    clock.wake(at: now)
    refreshDeadline()
  }

  mutating func refreshDeadline() { deadline = nextDeadline ?? .never }

  var nextDeadline: Instant? {
    let next = isRemote ? remote?.deadlines.next : core.nextDeadline
    return clock.lag == .zero ? next : next.map(clock.instant)
  }

  @inline(__always)
  func nextDeadline(among kinds: DeadlineKinds) -> Instant? {
    guard isRemote else {
      let next = core.nextDeadline(among: kinds)
      return clock.lag == .zero ? next : next.map(clock.instant)
    }
    let deadlines = remote?.deadlines ?? RemoteDeadlines()
    let keepalive = kinds.contains(.keepalive) ? deadlines.keepalive : nil
    let nonPeriodic = kinds == .keepalive ? nil : deadlines.nonPeriodic
    return [keepalive, nonPeriodic].compactMap { $0 }.min().map(clock.instant)
  }
}

/// How the client of a run differs from the one of its profile, if a bug is injected.
struct ClientAlteration: Sendable {
  /// A closure that changes the settings from the scenario and the profile.
  var change: (@Sendable (inout PoolConfiguration) -> Void)?

  /// Returns the settings of the client.
  func configuration(_ run: RunConfiguration, policy: ClientPolicy) -> PoolConfiguration {
    var configuration = PoolConfiguration(run, policy: policy)
    change?(&configuration)
    return configuration
  }
}
