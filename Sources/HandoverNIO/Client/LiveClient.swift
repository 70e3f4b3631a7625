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
  var trace = Trace()
  var device: Device

  private var driver: ClientDriver
  private var isStepping = false
  /// What was told while orders were carried out, in order.
  private var waiting: [ClientCore.Event] = []
  private var timer: Scheduled<Void>?

  var connections: [LiveConnection?] = []
  var names: [DNSFault]
  private(set) var monitor = LiveMonitor()
  /// What entries make of networks.
  var pathFaults: [PathFault] = []
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
    driver = ClientDriver(script, profile)
    trace.endpointHosts = driver.endpointHosts
  }

  /// Begins the run: the device stands where the script begins.
  func begin(flags: ReachabilityFlags) {
    clock = LiveClock()
    note(.deviceMoved(device.path))
    if device.app.isInBackground { note(.appMoved(device.app)) }
    guard profile.policy.monitorsReachability else { return }
    monitor.heard(flags)
    deliver(.reachability(.initialRead(script.initial.monitorIsReadable ? flags : nil)))
  }

  var now: Instant { turn ?? clock.now }

  func note(_ fact: WorldFact) { trace.append(.world(fact), at: now) }

  // MARK: Facts

  /// Tells the client of a fact; one that does not run is told when it runs again.
  func deliver(_ event: ClientCore.Event) {
    guard !driver.isClosed, driver.hears(event, in: device.app, at: now, into: &trace) else {
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
    driver.deliver(event, at: now, into: &trace)
    // Nothing is told meanwhile: what orders bring about waits until all are carried out.
    while let order = driver.nextOrder(into: &trace) { carryOut(order) }
  }

  /// When time alone will change something; nil where it never does.
  var nextDeadline: Instant? { driver.nextDeadline(in: device.app) }

  /// Asks the client when time alone will change something, and wakes it then.
  private func awaitDeadline() {
    timer?.cancel()
    timer = nil
    guard let deadline = nextDeadline else { return }
    let bound = NIOLoopBound(self, eventLoop: loop)
    timer = loop.scheduleTask(deadline: clock.deadline(deadline)) {
      bound.value.deliver(.pool(.timeElapsed))
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
      let index = driver.call(call)
      let settings = script.calls[Int(index)]
      let answer = Frame.Answer(
        takes: settings.takes?.microseconds ?? -1, every: settings.every?.microseconds ?? -1)
      send([.request(call: index, answer)], on: connection)
    case .sendMessages(let call, let connection, let count, let bytes):
      // The bytes are those of all messages together.
      let index = driver.call(call)
      let each = bytes / max(1, count)
      let last = bytes - each * (max(1, count) - 1)
      send(
        (0..<count).map { .message(call: index, bytes: $0 + 1 == count ? last : each) },
        on: connection)
    case .finishStream(let call, let connection):
      send([.finish(call: driver.call(call))], on: connection)
    case .resetStream(let call, let connection):
      send([.reset(call: driver.call(call))], on: connection)
    case .sendPing(let connection):
      send([.ping], on: connection)
    case .fetchToken(let call):
      let bound = NIOLoopBound(self, eventLoop: loop)
      let delay = script.calls[Int(driver.call(call))].tokenDelay ?? .zero
      loop.scheduleTask(in: TimeAmount(delay)) { bound.value.deliver(.pool(.tokenArrived(call))) }
    case .endCall:
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
  func start(_ index: Int) {
    let id = driver.introduce(index)
    note(.callIntroduced(UInt32(index), id))
    deliver(
      .pool(
        .callStarted(
          id, driver.callEndpoints[index], script.calls[index].settings(startedAt: now))))
  }

  /// Tells of something the user does with a call that was started.
  func deliver(of index: Int, _ event: (CallID) -> ChannelPool.Event) {
    if let id = driver.id(of: index) { deliver(.pool(event(id))) }
  }

  /// Disconnects the pooled channels of a host, or all.
  func disconnect(_ selector: HostSelector) {
    switch selector {
    case .all:
      deliver(.pool(.disconnectAllRequested))
    case .one(let host):
      var told: [EndpointID] = []
      for (call, endpoint) in driver.callEndpoints.enumerated()
      where script.calls[call].host == host && !told.contains(endpoint) {
        told.append(endpoint)
        deliver(.pool(.disconnectRequested(endpoint)))
      }
    }
  }

  /// The call that has an identifier, by the place in the script where it was started.
  func call(at index: UInt32) -> CallID? {
    driver.id(of: Int(index))
  }

  /// Whether a call of the script has ended.
  func hasEnded(_ index: UInt32) -> Bool { driver.hasEnded(Int(index)) }

  /// Whether every call of the script has been started and has ended.
  var allCallsHaveEnded: Bool { driver.allCallsHaveEnded }

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
    // In order: one callback with the flags of now, what the transports had to tell, deadlines.
    let held = driver.resume(at: now, reading: Self.readingTime)
    if held.hasCallback {
      monitor.heard(flags)
      deliver(.reachability(.callback(flags)))
    }
    for event in held.events { deliver(.pool(event)) }
    awaitDeadline()
  }

  // MARK: Reachability

  /// The kernel shows other flags than before, or the platform tells of a network.
  func flagsChanged(_ flags: ReachabilityFlags, about path: PathIndex? = nil) {
    guard profile.policy.monitorsReachability, !driver.isClosed else { return }
    var delay = script.configuration.monitorLatency
    switch monitor.handle(flags, about: path) {
    case .lost(let causes):
      for cause in causes { note(.faultTookEffect(cause)) }
      note(.callbackLost)
      monitor.settle(flags)
      return
    case .late(let more, let causes):
      for cause in causes { note(.faultTookEffect(cause)) }
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
    deliver(.reachability(.callback(flags)))
    monitor.settle(flags)
  }

  /// Events were lost, or a fault says so: the flags were read afresh.
  func resynchronise(_ flags: ReachabilityFlags) {
    guard profile.policy.monitorsReachability else { return }
    if device.app.runs { monitor.heard(flags) }
    deliver(.reachability(.resynchronised(flags)))
  }

  /// Tampers with callbacks; `flags` are those of now.
  func tamper(
    _ word: MonitorWord, by delay: Interval, of path: PathIndex?, cause: UInt32,
    flags: ReachabilityFlags
  ) {
    guard profile.policy.monitorsReachability else { return }
    switch word {
    case .duplicate:
      guard let last = monitor.lastHeard else { return }
      note(.faultTookEffect(cause))
      deliver(last)
    case .delay: monitor.faults.delayNext(of: path, by: delay, cause: cause)
    case .miss: monitor.faults.missNext(of: path, cause: cause)
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
    deliver(.pool(.closed))
    var leaks = driver.close()
    for connection in open {
      leaks.append("a connection to \(script.hosts[connection.host].written) remains open")
    }
    timer?.cancel()
    stopWaiting()
    return leaks
  }
}
