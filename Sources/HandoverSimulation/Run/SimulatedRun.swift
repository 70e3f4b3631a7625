import HandoverBackend
import HandoverCore
import HandoverTrace

/// One run: the client, and the world that is simulated around it.
///
/// The client is told of facts one at a time, and its orders are carried out before the next fact.
struct SimulatedRun: ~Copyable {
  /// How many steps a run may take before it is ended, and how many records it may make.
  static let maximumSteps = 2_000_000
  static let maximumRecords = 1_000_000
  /// How many looks at connections count as a step.
  static let looksOfStep = 48

  /// How many orders the log may hold before it is emptied.
  private static let maximumLog = 64

  private let defects: Defects
  private let dispatcherDefects: DispatcherDefects
  /// Only a network on its own adds to it while it runs.
  var script = Script()
  private(set) var profile: Profile
  private(set) var configuration = RunConfiguration()
  var trace = Trace()
  var now = Instant.zero
  var steps = 0
  /// How many connections faults and moves of the device have looked at.
  ///
  /// They count a little, so that a run stays within its limits however many faults meet however
  /// many connections.
  var looks = 0

  var client: ClientCore
  /// The client before its first fact, with the keys of the script's calls.
  private var freshClient: ClientCore
  private var effects = EffectLog<ClientEffect>(reserving: 16)
  /// The client in the place of the built-in one; nil where that is under test.
  let remote: (any RemoteClient)?
  /// Whether there is one; asked at every step.
  private let isRemote: Bool
  /// What broke the other client, or the other transport.
  var failure: BackendError?
  /// How many calls it has been told of.
  private var remoteCallCount: UInt32 = 0
  /// Where the entries begin that have not been played together with an earlier one.
  private var firstUnplayed = 0
  /// The client's next deadline; `never` where it has none.
  private var deadline = Instant.never

  /// The transport in the place of the simulated network; nil where that is used.
  let transport: (any RemoteTransport)?
  /// Whether there is one; asked at every order that is about a connection.
  let hasTransport: Bool
  /// When it is its turn.
  var transportTurns = TransportTurns()
  /// What it reported of the latest fact.
  var reports: [TransportReport] = []

  var device: Device
  var hosts: ContiguousArray<Host> = []
  var connections: ContiguousArray<Connection> = []
  var streams: ContiguousArray<Stream> = []
  /// The rows of the connections that were made on each path; some may be on another one by now.
  var pathRows: ContiguousArray<ContiguousArray<Int>> = []
  /// The place in the script of the call that last had a row of the client's table.
  var callPlaces: ContiguousArray<UInt32> = []
  /// The places of calls whose rows other calls have had since.
  var formerPlaces: [CallID: UInt32] = [:]  // lookup only
  private(set) var callEndpoints: ContiguousArray<EndpointID> = []
  /// The places of the hosts of the client's pooled channels.
  private(set) var endpointHosts: ContiguousArray<UInt32> = []
  /// How many of them belong to keys of the script's calls; interceptors may add more.
  private var preparedEndpoints = 0
  var monitor = MonitorPipe()
  /// The interceptors of the calls; nil where the script has none.
  var chains: ChainHost?
  /// Whether there are any; asked at every step, which must not look at the chains themselves.
  private(set) var hasChains = false
  /// When an interceptor has waited long enough; `never` where none waits.
  var chainDeadline = Instant.never
  /// The requests; looked at only where the script has some.
  var requests: RequestHost
  /// Whether there are any.
  private(set) var hasRequests = false
  /// When the idle threads of each pool are looked at, by the pool's place.
  var collections = Agenda<UInt32>()
  /// When the next of them is due; `never` where none is.
  var collectionDeadline = Instant.never
  /// When a dispatcher or the platform has waited long enough; `never` where neither waits.
  var requestDeadline = Instant.never

  /// What will happen, and must happen before the run is over.
  var agenda = Agenda<Happening>()
  /// What happens again and again: the messages of endless streams.
  var periodic = Agenda<Happening>()

  /// In which order things happen at one instant, where that is not the usual one; nil where it is.
  var turns: InstantTurns?
  /// The callbacks under way, where they do not always come before what the transports tell.
  var callbacks = Agenda<Happening>()

  /// How many connections are in use whose pings are not answered.
  var unhealthy = 0
  /// What the application has not heard because it does not run, in order.
  var heldEvents: ContiguousArray<ChannelPool.Event> = []
  /// Whether the fault at a place of the timeline has had an effect.
  var faultsWithEffect: ContiguousArray<Bool> = []

  /// Makes a run; a network `isAlone` has no client here: whoever plays it reads the trace.
  init(
    defects: Defects = [], dispatcherDefects: DispatcherDefects = [],
    remote: (any RemoteClient)? = nil, transport: (any RemoteTransport)? = nil,
    isAlone: Bool = false
  ) {
    self.remote = remote
    isRemote = remote != nil || isAlone
    self.transport = transport
    hasTransport = transport != nil
    self.defects = defects
    self.dispatcherDefects = dispatcherDefects
    let profile = Profile.sockets
    self.profile = profile
    client = ClientCore(
      PoolConfiguration(configuration, policy: profile.policy, defects: defects))
    freshClient = client
    device = Device(script.initial)
    requests = RequestHost(script, dispatches: false, defects: [])
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
    _ trace: inout Trace, _ work: (inout SimulatedRun) -> Void
  ) -> Progress {
    swap(&self.trace, &trace)
    work(&self)
    swap(&self.trace, &trace)
    return Progress(
      now: now, steps: allSteps, records: trace.count, hasFailed: failure != nil)
  }

  private var allSteps: Int { steps + looks / Self.looksOfStep }

  /// Whether the run may go on.
  var isWithinLimits: Bool { allSteps < Self.maximumSteps && trace.count < Self.maximumRecords }

  /// Begins a run of a script; the room of the run before is used again.
  mutating func open(_ script: Script, profile: Profile) {
    // Where a run is repeated, nothing has to be looked up again.
    if profile == self.profile, script == self.script {
      client.restart(as: freshClient)
    } else {
      prepare(script, profile)
    }
    now = .zero
    steps = 0
    looks = 0
    firstUnplayed = 0
    remoteCallCount = 0
    device = Device(script.initial)
    monitor.removeAll()
    hosts.removeAll(keepingCapacity: true)
    for place in script.hosts.indices { hosts.append(Host(script.hosts[place])) }
    connections.removeAll(keepingCapacity: true)
    pathRows.removeAll(keepingCapacity: true)
    pathRows.append(contentsOf: repeatElement([], count: script.paths.count))
    streams.removeAll(keepingCapacity: true)
    streams.append(contentsOf: repeatElement(Stream(), count: script.calls.count))
    callPlaces.removeAll(keepingCapacity: true)
    if !formerPlaces.isEmpty { formerPlaces.removeAll(keepingCapacity: true) }
    faultsWithEffect.removeAll(keepingCapacity: true)
    faultsWithEffect.append(contentsOf: repeatElement(false, count: script.entries.count))
    agenda.removeAll()
    periodic.removeAll()
    callbacks.removeAll()
    turns = InstantTurns(script.configuration)
    collections.removeAll()
    unhealthy = 0
    heldEvents.removeAll(keepingCapacity: true)
    endpointHosts.removeLast(endpointHosts.count - preparedEndpoints)
    hasChains = !script.configuration.chain.links.isEmpty
    chains = hasChains ? ChainHost(script) : nil
    chainDeadline = .never
    openRequests()
    if let remote { open(remote) }
    if let transport { open(transport) }
    begin()
  }

  private mutating func openRequests() {
    let hadRequests = hasRequests
    hasRequests = !script.requests.isEmpty || !script.questions.isEmpty
    requestDeadline = .never
    collectionDeadline = .never
    // Commands to dispatchers would find those of the run before.
    guard hasRequests || hadRequests else { return }
    requests = RequestHost(
      script, dispatches: hasRequests && profile.dispatchesRequests, defects: dispatcherDefects)
    workRequests()
  }

  /// Makes the client and registers the keys of its calls, in the order of the script.
  private mutating func prepare(_ script: Script, _ profile: Profile) {
    self.script = script
    self.profile = profile
    configuration = script.configuration
    client = ClientCore(
      PoolConfiguration(configuration, policy: profile.policy, defects: defects))
    callEndpoints.removeAll(keepingCapacity: true)
    endpointHosts.removeAll(keepingCapacity: true)
    for place in script.calls.indices {
      let host = script.calls[place].host
      // Most calls have the key of the call before; that need not be looked up.
      if place > 0, script.calls[place - 1].host == host,
        script.calls[place - 1].options == script.calls[place].options
      {
        callEndpoints.append(callEndpoints[place - 1])
        continue
      }
      let endpoint = client.register(
        ChannelKey(host: script.hosts[host].name, options: script.calls[place].options))
      callEndpoints.append(endpoint)
      while endpointHosts.count <= endpoint.index { endpointHosts.append(0) }
      endpointHosts[Int(endpoint.index)] = UInt32(truncatingIfNeeded: host)
    }
    freshClient = client
    preparedEndpoints = endpointHosts.count
  }

  /// An interceptor chose a key that no call of the script has.
  mutating func appendEndpoint(host: UInt32, _ options: ChannelOptions) {
    endpointHosts.append(host)
    trace.endpointHosts.append(host)
    guard options != script.calls.first?.options ?? ChannelOptions() else { return }
    trace.changedOptions.append(
      EndpointOptions(
        endpoint: UInt32(truncatingIfNeeded: endpointHosts.count - 1), options: options))
  }

  private mutating func begin() {
    trace.endpointHosts.append(contentsOf: endpointHosts)
    deadline = nextClientDeadline ?? .never
    trace.append(.world(.deviceMoved(device.path)), at: now)
    if device.app.isInBackground { trace.append(.world(.appMoved(device.app)), at: now) }
    guard profile.policy.monitorsReachability else { return }
    let flags = script.initial.monitorIsReadable ? script.initial.flags : nil
    monitor.lastHeard = flags.map(NetworkCategory.init) ?? .unknown
    tell(.reachability(.initialRead(flags)))
  }

  mutating func advance(until limit: Instant, inclusive: Bool) {
    if turns != nil { return advanceInTurns(until: limit, inclusive: inclusive) }
    while isWithinLimits, failure == nil {
      let next = upcoming()
      guard inclusive ? next.instant <= limit : next.instant < limit, next.instant != .never else {
        return
      }
      take(next)
    }
  }

  mutating func settle(through limit: Instant) {
    while isWithinLimits, failure == nil, let due = nextPressing() {
      steps += 1
      advance(until: min(due, limit), inclusive: true)
      guard due <= limit else {
        now = max(now, limit)
        return
      }
    }
    if hasChains { auditChains() }
  }

  mutating func play(_ entry: Int) {
    if isRemote, playTogether(from: entry) { return }
    now = max(now, script.entries[entry].at)
    steps += 1
    trace.append(.world(.entryPlayed(UInt32(truncatingIfNeeded: entry))), at: now)
    perform(script.entries[entry].action, cause: UInt32(truncatingIfNeeded: entry))
    if hasChains, !takesTurnsWithNext(entry) { workChains() }
  }

  /// Whether what an entry brings about takes turns by lot with what the next one does, because
  /// they are of one instant.
  private func takesTurnsWithNext(_ entry: Int) -> Bool {
    configuration.chain.isShuffled && entry + 1 < script.entries.count
      && script.entries[entry + 1].at == script.entries[entry].at
  }

  mutating func close(at instant: Instant) {
    now = max(now, instant)
    // Whoever closes the client runs, whatever the device says.
    device.app = .foreground
    if hasChains { auditChains() }
    tell(.pool(.closed))
    if hasChains { closeChains() }
    if hasRequests { closeRequests() }
    if hasTransport { tellTransport(.closed) }
  }

  /// What remains after the client was closed.
  func remains() -> [String] {
    var remains: [String] = []
    if let deadline = nextClientDeadline {
      remains.append("a timer due at \(deadline.microseconds) us remains")
    }
    for connection in connections
    where connection.phase != .gone && connection.phase != .dead {
      let host = script.hosts[Int(connection.host)].written
      remains.append("a connection to \(host) remains open")
    }
    if hasTransport, let due = transport?.deadlines.next {
      remains.append("the transport still waits for \(due.microseconds) us")
    }
    if let count = requests.threads?.count, count > 0 { remains.append("a thread remains") }
    guard hasChains else { return remains }
    for (call, id) in (chains?.ids ?? []).enumerated() where id != nil {
      remains.append("the interceptors of call \"\(script.calls[call].id)\" remain")
    }
    return remains
  }

  // MARK: Time

  /// When the next thing of each kind happens of itself; `never` where there is none.
  struct Upcoming {
    var happening: Instant
    var message: Instant
    var deadline: Instant

    var instant: Instant { min(happening, instantBesideAgenda) }
    var instantBesideAgenda: Instant { min(message, deadline) }
  }

  mutating func upcoming() -> Upcoming {
    // A deadline that is overdue is due now; a client that does not run has none.
    Upcoming(
      happening: agenda.nextInstant ?? .never, message: periodic.nextInstant ?? .never,
      deadline: device.app.runs
        ? max(now, min(deadline, chainDeadline, requestDeadline)) : .never)
  }

  /// The instant of the next thing that keeps the run from being over.
  private mutating func nextPressing() -> Instant? {
    var ofClient = nextPressingDeadline()
    if turns != nil { ofClient = min(ofClient, nextCallback()) }
    while true {
      let next = agenda.nextInstant ?? .never
      let deadline = min(ofClient, nextRequestPressing(before: min(ofClient, next)))
      // An item that will do nothing is taken out, but none beyond the deadline. What is not
      // pressing may come before the item, and bring about what has to stand there.
      guard next <= deadline, next != .never else { return deadline == .never ? nil : deadline }
      guard let item = agenda.first, isStale(item) else { return next }
      if next <= upcoming().instantBesideAgenda {
        _ = agenda.popFirst()
      } else {
        agenda.dropFirst()
      }
    }
  }

  /// When somebody who runs will have waited long enough for it to matter; `never` where nobody.
  @inline(__always)
  private func nextPressingDeadline() -> Instant {
    guard device.app.runs else { return .never }
    var due = chainDeadline
    if deadline != .never {
      var kinds: DeadlineKinds = [.calls, .attempts]
      // The pings of a healthy connection go on for ever; those of a stalled one will end it.
      if nextClientDeadline(among: .keepalive) != nil, !pingsAreAnswered() {
        kinds.insert(.keepalive)
      }
      due = min(due, nextClientDeadline(among: kinds) ?? .never)
    }
    return due == .never ? due : max(now, due)
  }

  /// The same of requests; the limit where nothing matters before it.
  @inline(__always)
  private func nextRequestPressing(before limit: Instant) -> Instant {
    guard hasRequests, device.app.runs, requestDeadline < limit else { return limit }
    return max(now, nextPressingRequestDeadline(before: limit))
  }

  private func pingsAreAnswered() -> Bool {
    transport?.deadlines.answersPings ?? (unhealthy == 0)
  }

  /// Lets the next thing happen: at one instant callbacks, then transports, then deadlines.
  mutating func take(_ next: Upcoming) {
    steps += 1
    if hasChains, next.instant > now { settleCalls() }
    guard min(next.happening, next.message) <= next.deadline else {
      return fireDeadlines(at: next.deadline)
    }
    takeHappening(next)
  }

  mutating func fireDeadlines(at instant: Instant) {
    now = instant
    if deadline <= now { tell(.pool(.timeElapsed)) }
    if chainDeadline <= now { chains?.timeElapsed(at: now) }
    if requestDeadline <= now { elapseRequests() }
    if hasChains { workChains() }
  }

  @inline(__always)
  mutating func takeHappening(_ next: Upcoming) {
    // A message that is due with the end of its answer comes before it.
    let messageIsFirst =
      next.message < next.happening
      || (next.message == next.happening && agenda.firstPhase == .transport)
    now = max(now, min(next.happening, next.message))
    if let item = messageIsFirst ? periodic.popFirst() : agenda.popFirst() { happen(item) }
    if hasChains { workChains() }
  }

  // MARK: The client

  /// Tells the client of a fact and carries out its orders.
  ///
  /// A client that does not run is told when it runs again.
  mutating func tell(_ event: ClientCore.Event) {
    guard device.app.runs || isHeardWhileSuspended(event) else {
      hold(event)
      return
    }
    trace.append(.event(event), at: now)
    // To empty the log costs more than an order does, so it is done now and then only.
    if effects.count > Self.maximumLog { effects.removeAll() }
    let first = effects.count
    if isRemote { tellRemote(event) } else { client.step(event, at: now, into: &effects) }
    deadline = nextClientDeadline ?? .never
    carryOutEffects(first, effects.count)
  }

  /// Carries out some of the orders in the log.
  @inline(__always)
  private mutating func carryOutEffects(_ first: Int, _ end: Int) {
    // Carrying out an order never tells the client anything in return, so the log stays whole.
    for place in first..<end {
      let effect = effects[place]
      trace.append(.effect(effect), at: now)
      if isRemote { keepEndText(effect) }
      carryOut(effect)
      if hasChains { reportToChain(effect) }
    }
  }

  // MARK: A client elsewhere

  /// Keeps what the client says of the end of a call in words of its own.
  private mutating func keepEndText(_ effect: ClientEffect) {
    guard case .endCall(let id, _) = effect, let text = remote?.endText(of: id) else { return }
    trace.endTexts.keep(text, of: id)
  }

  private mutating func open(_ remote: any RemoteClient) {
    failure = nil
    var endpoints: [RemoteEndpoint?] = Array(repeating: nil, count: endpointHosts.count)
    for place in script.calls.indices {
      let host = script.hosts[script.calls[place].host]
      endpoints[Int(callEndpoints[place].index)] = RemoteEndpoint(
        host: host.name?.text ?? host.written, options: script.calls[place].options)
    }
    do throws(BackendError) {
      try remote.open(script, profile: profile, endpoints: endpoints.compactMap { $0 })
    } catch {
      failure = error
    }
  }

  private mutating func tellRemote(_ event: ClientCore.Event) {
    guard failure == nil, let remote else { return }
    do throws(BackendError) {
      try remote.tell(event, at: now, into: &effects)
    } catch {
      failure = error
    }
  }

  /// Plays the calls that the user starts at one instant, one right after the other, in one go:
  /// nothing that a client does about one keeps the user from starting the next.
  ///
  /// - Returns: whether the entry is played, now or together with an earlier one.
  private mutating func playTogether(from entry: Int) -> Bool {
    if entry < firstUnplayed { return true }
    guard failure == nil, turns == nil, let remote, remote.takesBatches, device.app.runs else {
      return false
    }
    var calls: [Int] = []
    for other in script.entries[entry...] {
      guard other.at == script.entries[entry].at, case .startCall(let call) = other.action
      else { break }
      calls.append(call)
    }
    guard calls.count > 1, Set(calls).count == calls.count else { return false }  // lookup only
    firstUnplayed = entry + calls.count
    now = max(now, script.entries[entry].at)
    steps += calls.count
    let ids = calls.map { call in
      let id = nextCallID()
      remote.introduce(call, as: id)
      return id
    }
    let events = zip(calls, ids).map { startEvent($0, as: $1) }
    effects.removeAll()
    var ends: [Int] = []
    do throws(BackendError) {
      ends = try remote.tell(events, at: now, into: &effects)
    } catch {
      failure = error
    }
    deadline = nextClientDeadline ?? .never
    var first = 0
    for (place, end) in ends.enumerated() {
      trace.append(.world(.entryPlayed(UInt32(truncatingIfNeeded: entry + place))), at: now)
      introduce(calls[place], as: ids[place])
      trace.append(.event(events[place]), at: now)
      carryOutEffects(first, end)
      first = end
    }
    return true
  }

  /// The identifier of the next call.
  mutating func nextCallID() -> CallID {
    guard isRemote else { return client.nextCallID }
    remoteCallCount += 1
    return CallID(index: remoteCallCount - 1, generation: 0)
  }

  @inline(__always)
  private var nextClientDeadline: Instant? {
    isRemote ? remote?.deadlines.next : client.nextDeadline
  }

  @inline(__always)
  private func nextClientDeadline(among kinds: DeadlineKinds) -> Instant? {
    guard isRemote else { return client.nextDeadline(among: kinds) }
    let deadlines = remote?.deadlines ?? RemoteDeadlines()
    let keepalive = kinds.contains(.keepalive) ? deadlines.keepalive : nil
    let pressing = kinds == .keepalive ? nil : deadlines.pressing
    return [keepalive, pressing].compactMap { $0 }.min()
  }

  /// The first read belongs to the client's making, wherever the application is.
  private func isHeardWhileSuspended(_ event: ClientCore.Event) -> Bool {
    switch event {
    case .reachability(.initialRead): true
    case .reachability(.callback), .reachability(.resynchronised), .pool: false
    }
  }

  private mutating func hold(_ event: ClientCore.Event) {
    switch event {
    case .reachability:
      monitor.callbackIsHeld = true
      trace.append(.world(.heldBack(.callback)), at: now)
    case .pool(let event):
      heldEvents.append(event)
      trace.append(.world(.heldBack(.transportEvent)), at: now)
    }
  }

  /// A fault had an effect; the first one is told.
  mutating func markEffect(of cause: UInt32?) {
    guard let cause, !faultsWithEffect[Int(cause)] else { return }
    faultsWithEffect[Int(cause)] = true
    trace.append(.world(.faultTookEffect(cause)), at: now)
  }
}
