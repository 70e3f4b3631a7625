import HandoverBackend
import HandoverCore
import HandoverTrace
import NIOCore
import NIOPosix

/// The small dull loop between the client and the kernel: facts go in, orders are carried out.
///
/// It drives the very client that the simulation drives. Lives on the device's event loop, and is
/// only touched there; orders are carried out completely before the next fact is told.
final class LiveClient {
  let loop: any EventLoop
  let network: any LiveNetwork
  let script: Script
  let profile: Profile
  /// Time since the run began.
  private(set) var clock = LiveClock()
  /// The instant of what is told now: what follows from one fact at once has the same.
  private var turn: Instant?
  /// An application that returns reads what waits for it before its deadlines are looked at.
  private var deadlinesRest: Instant = .zero
  var trace = Trace()
  var device: Device

  private var core: ClientCore
  private var effects = EffectLog<ClientEffect>()
  private var isStepping = false
  /// What was told while orders were carried out, in order.
  private var waiting: [ClientCore.Event] = []
  private var timer: Scheduled<Void>?
  private var isClosed = false

  var connections: [LiveConnection?] = []
  private(set) var callEndpoints: [EndpointID] = []
  /// The call of each place in the script; nil before its start.
  private var calls: [CallID?]
  /// The place of the call that has a row of the client's table.
  private var callPlaces: [UInt32] = []
  private(set) var endedCalls = 0
  var names: [NamesWord]
  private(set) var monitor = LiveMonitor()
  /// What the application has not heard because it does not run, in order.
  private var heldEvents: [ChannelPool.Event] = []
  /// Faults that have met nothing yet, and the hosts they are on.
  private var waitingFaults: [(cause: UInt32, hosts: HostSelector)] = []
  private var endWaiters: [EventLoopPromise<Void>] = []

  /// Makes the client of a run; its time begins with ``begin(flags:)``.
  init(
    _ script: Script, profile: Profile, network: any LiveNetwork, on loop: any EventLoop
  ) {
    self.script = script
    self.profile = profile
    self.network = network
    self.loop = loop
    device = Device(script.initial)
    names = script.hosts.map(\.names)
    calls = Array(repeating: nil, count: script.calls.count)
    core = ClientCore(PoolConfiguration(script.configuration, policy: profile.policy))
    for (call, settings) in script.calls.enumerated() {
      let key = ChannelKey(host: script.hosts[settings.host].name, options: settings.options)
      let endpoint = core.register(key)
      callEndpoints.append(endpoint)
      while trace.endpointHosts.count <= Int(endpoint.index) { trace.endpointHosts.append(0) }
      trace.endpointHosts[Int(endpoint.index)] = UInt32(script.calls[call].host)
    }
  }

  /// Begins the run: the device stands where the script begins.
  func begin(flags: ReachabilityFlags) {
    clock = LiveClock()
    note(.deviceMoved(device.path))
    if device.app.isInBackground { note(.appMoved(device.app)) }
    guard profile.policy.monitorsReachability else { return }
    monitor.heard(flags)
    tell(.reachability(.initialRead(script.initial.monitorIsReadable ? flags : nil)))
  }

  var now: Instant { turn ?? clock.now }

  func note(_ fact: WorldFact) { trace.append(.world(fact), at: now) }

  // MARK: Facts

  /// Tells the client of a fact; one that does not run is told when it runs again.
  func tell(_ event: ClientCore.Event) {
    guard !isClosed else { return }
    guard device.app.runs || isHeardWhileSuspended(event) else {
      hold(event)
      return
    }
    guard !isStepping else {
      waiting.append(event)
      return
    }
    turn = clock.now
    step(event)
    while !waiting.isEmpty { step(waiting.removeFirst()) }
    turn = nil
    awaitDeadline()
  }

  private func step(_ event: ClientCore.Event) {
    isStepping = true
    defer { isStepping = false }
    let now = now
    trace.append(.event(event), at: now)
    effects.removeAll()
    core.step(event, at: now, into: &effects)
    // Nothing is added meanwhile: what orders bring about waits until all are carried out.
    for place in 0..<effects.count {
      let order = effects[place]
      trace.append(.effect(order), at: now)
      carryOut(order)
    }
  }

  /// The first read belongs to the client's making, wherever the application is.
  private func isHeardWhileSuspended(_ event: ClientCore.Event) -> Bool {
    if case .reachability(.initialRead) = event { true } else { false }
  }

  private func hold(_ event: ClientCore.Event) {
    switch event {
    case .reachability:
      monitor.callbackIsHeld = true
      note(.heldBack(.callback))
    case .pool(let event):
      heldEvents.append(event)
      note(.heldBack(.transportEvent))
    }
  }

  /// Asks the client when time alone will change something, and wakes it then.
  private func awaitDeadline() {
    timer?.cancel()
    timer = nil
    guard !isClosed, device.app.runs, let deadline = core.nextDeadline else { return }
    let bound = NIOLoopBound(self, eventLoop: loop)
    timer = loop.scheduleTask(deadline: clock.deadline(max(deadline, deadlinesRest))) {
      bound.value.tell(.pool(.timeElapsed))
    }
  }

  // MARK: Orders

  private func carryOut(_ order: ClientEffect) {
    switch order {
    case .openConnection(let connection, let channel):
      beginAttempt(connection, host: Int(trace.endpointHosts[Int(channel.endpoint.index)]))
    case .closeConnection(let connection):
      closedByClient(connection)
    case .startStream(let call, let connection):
      let place = callPlaces[Int(call.index)]
      let settings = script.calls[Int(place)]
      let answer = Frame.Answer(
        takes: settings.takes?.microseconds ?? -1, every: settings.every?.microseconds ?? -1)
      send([.request(call: place, answer)], on: connection)
    case .sendMessages(let call, let connection, let count, let bytes):
      // The bytes are those of all messages together.
      let place = callPlaces[Int(call.index)]
      let each = bytes / max(1, count)
      let last = bytes - each * (max(1, count) - 1)
      send(
        (0..<count).map { .message(call: place, bytes: $0 + 1 == count ? last : each) },
        on: connection)
    case .finishStream(let call, let connection):
      send([.finish(call: callPlaces[Int(call.index)])], on: connection)
    case .resetStream(let call, let connection):
      send([.reset(call: callPlaces[Int(call.index)])], on: connection)
    case .sendPing(let connection):
      send([.ping], on: connection)
    case .fetchToken(let call):
      let bound = NIOLoopBound(self, eventLoop: loop)
      let delay = script.calls[Int(callPlaces[Int(call.index)])].tokenDelay ?? .zero
      loop.scheduleTask(in: TimeAmount(delay)) { bound.value.tell(.pool(.tokenArrived(call))) }
    case .endCall:
      endedCalls += 1
      if allCallsHaveEnded {
        for waiter in endWaiters { waiter.succeed() }
        endWaiters = []
      }
    case .notify, .channelCreated, .channelMoved, .channelDestroyed, .callBound, .deliverMessage:
      break
    }
  }

  private func send(_ frames: [Frame], on connection: ConnectionID) {
    guard let row = live(connection), row.phase == .established else { return }
    guard let channel = row.channel else { return }
    // A write can be the first to learn that the connection is no more.
    let promise = loop.makePromise(of: Void.self)
    let bound = NIOLoopBound(row, eventLoop: loop)
    promise.futureResult.whenFailure { error in
      if error is IOError { bound.value.failure = ConnectionFailure(established: error) }
    }
    channel.send(frames, promise: promise)
  }

  /// The connection of an identifier, as long as the client has it.
  func live(_ connection: ConnectionID) -> LiveConnection? {
    guard connection.index < connections.count, let row = connections[Int(connection.index)],
      row.id == connection
    else { return nil }
    return row
  }

  /// All connections that the client has, in the order of their rows.
  var open: [LiveConnection] { connections.compactMap { $0 } }

  // MARK: The timeline

  /// Starts the call at a place of the script.
  func start(_ place: Int) {
    let id = core.nextCallID
    while callPlaces.count <= id.index { callPlaces.append(.max) }
    callPlaces[Int(id.index)] = UInt32(place)
    calls[place] = id
    note(.callIntroduced(UInt32(place), id))
    tell(
      .pool(
        .callStarted(
          id, callEndpoints[place], script.calls[place].settings(startedAt: now))))
  }

  /// Tells of something the user does with a call that was started.
  func tell(of place: Int, _ event: (CallID) -> ChannelPool.Event) {
    if let id = calls[place] { tell(.pool(event(id))) }
  }

  /// Disconnects the pooled channels of a host, or all.
  func disconnect(_ selector: HostSelector) {
    switch selector {
    case .all:
      tell(.pool(.disconnectAllRequested))
    case .one(let host):
      var told: [EndpointID] = []
      for (call, endpoint) in callEndpoints.enumerated()
      where script.calls[call].host == host && !told.contains(endpoint) {
        told.append(endpoint)
        tell(.pool(.disconnectRequested(endpoint)))
      }
    }
  }

  /// The call that has an identifier, by the place in the script where it was started.
  func call(at place: UInt32) -> CallID? {
    place < calls.count ? calls[Int(place)] : nil
  }

  /// Whether every call of the script has been started and has ended, which each does once.
  var allCallsHaveEnded: Bool { endedCalls == calls.count }

  /// Succeeds once every call of the script has ended.
  func whenAllCallsHaveEnded() -> EventLoopFuture<Void> {
    let promise = loop.makePromise(of: Void.self)
    if allCallsHaveEnded { promise.succeed() } else { endWaiters.append(promise) }
    return promise.futureResult
  }

  /// Lets go of everything that waits; nothing of the run may keep anybody waiting.
  func stopWaiting() {
    for waiter in endWaiters { waiter.succeed() }
    endWaiters = []
    monitor.stopWaiting()
  }

  // MARK: The application

  /// How long an application that returns may take to read what waits for it.
  private static let readingTime = Interval.milliseconds(10)

  /// The application goes to the background, or comes back; where it was suspended and runs again,
  /// it hears what it missed.
  func moveApp(to app: AppState, flags: ReachabilityFlags) {
    guard device.app != app else { return }
    let ran = device.app.runs
    device.app = app
    note(.appMoved(app))
    guard app.runs != ran else { return }
    for connection in open {
      connection.channel?.setOption(.autoRead, value: app.runs).whenFailure { _ in }
    }
    guard app.runs else {
      awaitDeadline()
      return
    }
    deadlinesRest = now + Self.readingTime
    // In order: one callback with the flags of now, what the transports had to tell, deadlines.
    if monitor.callbackIsHeld {
      monitor.callbackIsHeld = false
      monitor.heard(flags)
      tell(.reachability(.callback(flags)))
    }
    let held = heldEvents
    heldEvents = []
    for event in held { tell(.pool(event)) }
    awaitDeadline()
  }

  // MARK: Reachability

  /// The kernel shows other flags than before.
  func flagsChanged(_ flags: ReachabilityFlags) {
    guard profile.policy.monitorsReachability, !isClosed else { return }
    var delay = script.configuration.monitorLatency
    switch monitor.take(flags) {
    case .lost(let cause):
      note(.faultTookEffect(cause))
      note(.callbackLost)
      monitor.settle(flags)
      return
    case .late(let more, let cause):
      note(.faultTookEffect(cause))
      delay = delay + more
    case .now:
      break
    }
    guard delay > .zero else {
      deliver(flags)
      return
    }
    // Whoever waits for the callback shall not wait for what delays it.
    monitor.settle(flags)
    let bound = NIOLoopBound(self, eventLoop: loop)
    let task = loop.scheduleTask(in: TimeAmount(delay)) { bound.value.deliver(flags) }
    monitor.underWay.append(task)
  }

  private func deliver(_ flags: ReachabilityFlags) {
    if device.app.runs { monitor.heard(flags) }
    tell(.reachability(.callback(flags)))
    monitor.settle(flags)
  }

  /// Events were lost, or a fault says so: the flags were read afresh.
  func resynchronise(_ flags: ReachabilityFlags) {
    guard profile.policy.monitorsReachability else { return }
    if device.app.runs { monitor.heard(flags) }
    tell(.reachability(.resynchronised(flags)))
  }

  /// Tampers with callbacks; `flags` are those of now.
  func tamper(
    _ word: MonitorWord, by delay: Interval, cause: UInt32, flags: ReachabilityFlags
  ) {
    guard profile.policy.monitorsReachability else { return }
    switch word {
    case .duplicate:
      guard let last = monitor.lastHeard else { return }
      note(.faultTookEffect(cause))
      deliver(last)
    case .delay: monitor.delayNext = (delay, cause)
    case .miss: monitor.missNext = cause
    case .overrun:
      note(.faultTookEffect(cause))
      for task in monitor.underWay { task.cancel() }
      monitor.underWay = []
      resynchronise(flags)
    }
  }

  /// Succeeds once a callback with these flags was delivered or lost.
  func whenHeard(_ flags: ReachabilityFlags, within limit: TimeAmount) -> EventLoopFuture<Void> {
    monitor.whenSettled(flags, within: limit, on: loop)
  }

  // MARK: Faults

  /// A fault is played: it has an effect where something of these hosts is open, or, where it is
  /// one that meets attempts, as soon as there is one.
  func noteFault(_ cause: UInt32, on hosts: HostSelector, meetsLaterAttempts: Bool) {
    if open.contains(where: { hosts.includes($0.host) }) {
      note(.faultTookEffect(cause))
    } else if meetsLaterAttempts {
      waitingFaults.append((cause, hosts))
    }
  }

  /// An attempt to connect to a host meets the faults that wait for one.
  func meetFaults(of host: Int) {
    for fault in waitingFaults where fault.hosts.includes(host) {
      note(.faultTookEffect(fault.cause))
    }
    waitingFaults.removeAll { $0.hosts.includes(host) }
  }

  // MARK: The end

  /// Closes the client; answers what of it remains.
  func close() -> [String] {
    device.app = .foreground
    tell(.pool(.closed))
    var remains: [String] = []
    if let deadline = core.nextDeadline {
      remains.append("a timer due at \(deadline.microseconds) us remains")
    }
    for connection in open {
      remains.append("a connection to \(script.hosts[connection.host].written) remains open")
    }
    isClosed = true
    timer?.cancel()
    stopWaiting()
    return remains
  }
}
