import HandoverBackend
import HandoverCore
import NIOCore
import NIOPosix

/// The event loop between the client and the kernel: it passes events in and executes orders.
///
/// It drives the same client as the simulation does. It runs on the device's event loop and must
/// only be accessed there. It executes all orders of an event before it delivers the next event.
final class LiveClient {
  let loop: any EventLoop
  let network: any LiveNetwork
  let script: Script
  let profile: Profile
  /// The time since the beginning of the run.
  private(set) var clock = LiveClock()
  /// The time of the event that is being delivered; all its immediate consequences have the same
  /// time.
  private var turn: Instant?
  var trace = Trace()
  var device: Device

  private var driver: ClientDriver
  private var isStepping = false
  /// Events that arrived while orders were being executed, in order.
  private var waiting: [ClientCore.Event] = []
  private var timer: Scheduled<Void>?

  var connections: [LiveConnection?] = []
  var names: [DNSFault]
  /// The entries that last changed the addresses that lookups return, by host.
  var answerCauses: [UInt32?]
  private(set) var monitor = LiveMonitor()
  /// The active faults of networks.
  var pathFaults: [PathFault] = []
  /// The entries of network faults that have had an effect.
  var faultsWithEffect: Set<UInt32> = []  // lookup only
  /// Faults that have had no effect yet, with the hosts that they apply to.
  private var waitingFaults: [(cause: UInt32, hosts: HostSelector)] = []
  private var endWaiters: [EventLoopPromise<Void>] = []

  /// Creates the client of a run, whose clock starts with ``begin(flags:)``.
  init(
    _ script: Script, profile: Profile, network: any LiveNetwork, on loop: any EventLoop
  ) {
    self.script = script
    self.profile = profile
    self.network = network
    self.loop = loop
    device = Device(script.initial)
    names = script.hosts.map(\.names)
    answerCauses = Array(repeating: nil, count: script.hosts.count)
    driver = ClientDriver(script, profile)
    trace.endpointHosts = driver.endpointHosts
  }

  /// Begins the run with the device in the initial state of the script.
  func begin(flags: ReachabilityFlags) {
    clock = LiveClock()
    note(.deviceMoved(device.path))
    if device.app.isInBackground { note(.appMoved(device.app)) }
    guard profile.policy.monitorsReachability else { return }
    monitor.received(flags)
    deliver(.reachability(.initialRead(script.initial.monitorIsReadable ? flags : nil)))
  }

  var now: Instant { turn ?? clock.now }

  func note(_ fact: WorldFact) { trace.append(.world(fact), at: now) }

  // MARK: Facts

  /// Delivers an event to the client, or defers it until a suspended application runs again.
  func deliver(_ event: ClientCore.Event) {
    guard !driver.isClosed, driver.receives(event, in: device.app, at: now, into: &trace) else {
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
    // Events that the orders cause are queued until all orders have been executed.
    while let order = driver.nextOrder(into: &trace) { carryOut(order) }
  }

  /// The time of the client's next deadline, or `nil` if it has none.
  var nextDeadline: Instant? { driver.nextDeadline(in: device.app) }

  /// Schedules a timer for the client's next deadline.
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
      // `bytes` is the total of all messages.
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
    // A failed write can be the first sign that the connection is lost.
    let promise = loop.makePromise(of: Void.self)
    let bound = NIOLoopBound(row, eventLoop: loop)
    promise.futureResult.whenFailure { error in
      if error is IOError { bound.value.failure = ConnectionFailure(established: error) }
    }
    channel.send(frames, promise: promise)
  }

  /// Returns the connection with an identifier, or `nil` if the client no longer has it.
  func live(_ connection: ConnectionID) -> LiveConnection? {
    guard connection.index < connections.count, let row = connections[Int(connection.index)],
      row.id == connection
    else { return nil }
    return row
  }

  /// All connections of the client, in the order of their rows.
  var open: [LiveConnection] { connections.compactMap { $0 } }

  // MARK: The timeline

  /// Starts the call at an index of the script.
  func start(_ index: Int) {
    let id = driver.introduce(index)
    note(.callIntroduced(UInt32(index), id))
    deliver(
      .pool(
        .callStarted(
          id, driver.callEndpoints[index], script.calls[index].settings(startedAt: now))))
  }

  /// Delivers an action of the user on a call that was started.
  func deliver(of index: Int, _ event: (CallID) -> ChannelPool.Event) {
    if let id = driver.id(of: index) { deliver(.pool(event(id))) }
  }

  /// Disconnects the pooled channels of one host or of all hosts.
  func disconnect(_ selector: HostSelector) {
    switch selector {
    case .all:
      deliver(.pool(.disconnectAllRequested))
    case .one(let host):
      var reported: [EndpointID] = []
      for (call, endpoint) in driver.callEndpoints.enumerated()
      where script.calls[call].host == host && !reported.contains(endpoint) {
        reported.append(endpoint)
        deliver(.pool(.disconnectRequested(endpoint)))
      }
    }
  }

  /// Returns the identifier of the call at an index of the script, or `nil` if it was not started.
  func call(at index: UInt32) -> CallID? {
    driver.id(of: Int(index))
  }

  /// Returns whether a call of the script has ended.
  func hasEnded(_ index: UInt32) -> Bool { driver.hasEnded(Int(index)) }

  /// Whether all calls of the script have been started and have ended.
  var allCallsHaveEnded: Bool { driver.allCallsHaveEnded }

  /// Returns a future that succeeds when all calls of the script have ended.
  func whenAllCallsHaveEnded() -> EventLoopFuture<Void> {
    let promise = loop.makePromise(of: Void.self)
    if allCallsHaveEnded { promise.succeed() } else { endWaiters.append(promise) }
    return promise.futureResult
  }

  /// Completes all pending futures, so that no thread waits for the run any more.
  func stopWaiting() {
    for waiter in endWaiters { waiter.succeed() }
    endWaiters = []
    monitor.stopWaiting()
  }

  // MARK: The application

  /// The time that a resumed application has to read the pending data.
  private static let readingTime = Interval.milliseconds(10)

  /// Suspends or resumes the application, which has moved to another state.
  ///
  /// An application that was suspended and runs again receives the deferred events.
  func appMoved(from former: AppState, flags: ReachabilityFlags) {
    let app = device.app
    note(.appMoved(app))
    guard app.runs != former.runs else { return }
    for connection in open {
      connection.channel?.setOption(.autoRead, value: app.runs).whenFailure { _ in }
    }
    guard app.runs else {
      awaitDeadline()
      return
    }
    // The order is: one callback with the current flags, the events of the transports, the
    // deadlines.
    let held = driver.resume(at: now, reading: Self.readingTime)
    if held.hasCallback {
      monitor.received(flags)
      deliver(.reachability(.callback(flags)))
    }
    for event in held.events { deliver(.pool(event)) }
    awaitDeadline()
  }

  // MARK: Reachability

  /// Handles changed flags of the kernel, or a callback of the platform about a network.
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
    // A caller that waits for the callback must not wait for its delay.
    monitor.settle(flags)
    let bound = NIOLoopBound(self, eventLoop: loop)
    let task = loop.scheduleTask(in: TimeAmount(delay)) { bound.value.deliver(flags) }
    monitor.underWay.append(task)
  }

  private func deliver(_ flags: ReachabilityFlags) {
    if device.app.runs { monitor.received(flags) }
    deliver(.reachability(.callback(flags)))
    monitor.settle(flags)
  }

  /// Reads the flags again, because events were lost or a fault simulates that loss.
  func resynchronise(_ flags: ReachabilityFlags) {
    guard profile.policy.monitorsReachability else { return }
    if device.app.runs { monitor.received(flags) }
    deliver(.reachability(.resynchronized(flags)))
  }

  /// Injects a fault into the callbacks; `flags` are the current flags.
  func tamper(
    _ fault: MonitorFault, by delay: Interval, of path: PathIndex?, cause: UInt32,
    flags: ReachabilityFlags
  ) {
    guard profile.policy.monitorsReachability else { return }
    switch fault {
    case .duplicate:
      guard let last = monitor.lastReceived else { return }
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

  /// Returns a future that succeeds when a callback with these flags was delivered or lost.
  func whenReceived(_ flags: ReachabilityFlags, within limit: TimeAmount) -> EventLoopFuture<Void> {
    monitor.whenSettled(flags, within: limit, on: loop)
  }

  // MARK: Faults

  /// Records the effect of a fault if one of the hosts has an open connection.
  ///
  /// If there is none, a fault that also affects later attempts takes effect at the next attempt.
  func noteFault(_ cause: UInt32, on hosts: HostSelector, affectsLaterAttempts: Bool) {
    if open.contains(where: { hosts.includes($0.host) }) {
      note(.faultTookEffect(cause))
    } else if affectsLaterAttempts {
      waitingFaults.append((cause, hosts))
    }
  }

  /// Records the effect of all faults that wait for an attempt to a host.
  func applyFaults(of host: Int) {
    for fault in waitingFaults where fault.hosts.includes(host) {
      note(.faultTookEffect(fault.cause))
    }
    waitingFaults.removeAll { $0.hosts.includes(host) }
  }

  // MARK: The end

  /// Closes the client, and returns descriptions of everything that remains open.
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
