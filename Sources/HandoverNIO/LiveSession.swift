import HandoverBackend
import HandoverCore
import NIOCore
import NIOPosix

/// A session that runs scripts one after the other with real sockets in a real network.
///
/// The thread of the session waits for the instants of the timeline and changes the network.
/// Everything else happens on the event loops of the device and of the servers.
final class LiveSession: BackendSession {
  private let backend: NIOBackend
  var run: Run?

  /// The resources of one run.
  struct Run {
    var script: Script
    var profile: Profile
    var network: any LiveNetwork
    var deviceGroup: MultiThreadedEventLoopGroup
    var serverGroup: MultiThreadedEventLoopGroup
    var client: NIOLoopBound<LiveClient>
    var servers: NIOLoopBound<[LiveServer]>
    /// Whether the servers defer their answers.
    var areServersHeld = false
    var clock: LiveClock
    /// The time at which the run ends in virtual time.
    var expectedEnd: Instant
    /// The number of records that were already reported.
    var reportedRecords = 0
    /// The instant of the last timeline entry.
    var lastEntry: Instant?
    /// The instant of the latest entry or scheduled change.
    var changeDue = Instant.zero
    /// The moves of the device that are executed after all entries of the instant.
    var moves: [Device.Move] = []
    /// The flags that the last entry reports, or `nil` if it reports none.
    var reported: ReachabilityFlags?
    /// The device and its networks, with their scheduled changes.
    var timeline: DeviceTimeline
    /// The changes of the instant that the client must be notified of.
    var news: [NetworkNews] = []
    var device: any EventLoop { deviceGroup.any() }
    var server: any EventLoop { serverGroup.any() }
  }

  /// The maximum delay of a run's last deadline compared with virtual time.
  private static let lateness = Interval.milliseconds(100)

  init(_ backend: NIOBackend) {
    self.backend = backend
  }

  deinit { if let run { Self.takeDown(run) } }

  // MARK: The session protocol

  func open(_ script: Script, profile: Profile, into trace: inout Trace) throws(BackendError) {
    if let run { Self.takeDown(run) }
    run = nil
    let expectedEnd = try backend.time.expectedEnd(of: script, profile)
    // The servers here send their own handshake, after the delay of the script.
    let network = try backend.time.makeNetwork(for: script, delaysHandshakes: false)
    var groups: [MultiThreadedEventLoopGroup] = []
    do throws(BackendError) {
      groups.append(try network.onDevice { MultiThreadedEventLoopGroup(numberOfThreads: 1) })
      groups.append(try network.onServers { MultiThreadedEventLoopGroup(numberOfThreads: 1) })
      run = try begin(
        script, profile, network, device: groups[0], servers: groups[1], expectedEnd)
    } catch {
      // No other code knows the resources created so far, so they must be released here.
      _ = Self.takeDown(network, groups)
      throw error
    }
    try runTimeline(.began, at: .zero)
    try report(&trace)
  }

  /// Creates the server of a host.
  ///
  /// If the host has its own addresses, the network implements the connect delay, and no server
  /// listens at addresses that do not answer.
  private static func server(
    _ host: Int, _ script: Script, in network: any LiveNetwork, on loop: any EventLoop,
    _ report: @escaping @Sendable (ServerRead) -> Void
  ) -> LiveServer {
    let declared = script.hosts[host]
    let own = network.ownAddresses(of: host)
    let addresses = zip(own, declared.addresses).filter { $0.1.answer == .accept }.map(\.0)
    return LiveServer(
      host, declared, at: declared.addresses.isEmpty ? [network.address(of: host)] : addresses,
      connectDelay: own.isEmpty ? declared.connect : .zero, on: loop, report: report)
  }

  /// Creates the client and the servers, and starts the clock.
  private func begin(
    _ script: Script, _ profile: Profile, _ network: any LiveNetwork,
    device deviceGroup: MultiThreadedEventLoopGroup,
    servers serverGroup: MultiThreadedEventLoopGroup, _ expectedEnd: Instant
  ) throws(BackendError) -> Run {
    let lacksAddresses = script.hosts.indices.contains {
      script.hosts[$0].addresses.count > network.ownAddresses(of: $0).count
    }
    if lacksAddresses {
      throw BackendError(.unsupported, "hosts cannot have different addresses in this network")
    }
    let device = deviceGroup.any()
    let server = serverGroup.any()
    let adopt = backend.time.makeThreadAdopter()
    for loop in [device, server] { try wait { loop.submit { adopt() } } }
    let flags = Self.reported(try network.readFlags(), Device(script.initial), script)
    let client = try wait {
      device.submit {
        NIOLoopBound(
          LiveClient(script, profile: profile, network: network, on: device), eventLoop: device)
      }
    }
    let report: @Sendable (ServerRead) -> Void = { read in
      device.execute { client.value.serverRead(read) }
    }
    let servers = try wait {
      server.flatSubmit {
        let servers = script.hosts.indices.map { host in
          Self.server(host, script, in: network, on: server, report)
        }
        let bound = NIOLoopBound(servers, eventLoop: server)
        return EventLoopFuture.andAllSucceed(servers.map { $0.begin() }, on: server)
          .map { bound }
      }
    }
    // With several networks, callbacks report individual networks and not only the default route.
    if script.networks.isEmpty {
      try network.watchFlags { flags, _ in
        device.execute { client.value.flagsChanged(flags) }
      }
    }
    // The clock starts when everything is set up.
    let clock = try wait {
      device.submit {
        client.value.begin(flags: flags)
        return client.value.clock
      }
    }
    return Run(
      script: script, profile: profile, network: network, deviceGroup: deviceGroup,
      serverGroup: serverGroup, client: client, servers: servers, clock: clock,
      expectedEnd: expectedEnd, timeline: DeviceTimeline(script))
  }

  func advance(before instant: Instant, into trace: inout Trace) throws(BackendError) {
    // Nothing of an instant happens before all its entries have run.
    if let last = run?.lastEntry, instant <= last { return }
    try takeMoves()
    try runScheduledChanges(before: instant)
    try wait(until: instant)
    try report(&trace)
  }

  func advance(through instant: Instant, into trace: inout Trace) throws(BackendError) {
    try takeMoves()
    try runScheduledChanges(before: instant + Interval(microseconds: 1))
    try wait(until: instant)
    try report(&trace)
  }

  func play(_ entry: Int, into trace: inout Trace) throws(BackendError) {
    let run = try current()
    let cause = UInt32(truncatingIfNeeded: entry)
    self.run?.lastEntry = run.script.entries[entry].at
    self.run?.changeDue = run.script.entries[entry].at
    try holdServers()
    try onDevice { $0.note(.entryPlayed(cause)) }
    let action = run.script.entries[entry].action
    switch action {
    case .flags, .path, .network, .signal:
      try runTimeline(.entry(action, index: cause), at: run.script.entries[entry].at)
    case .app, .power:
      try takeMoves()
      try runTimeline(.entry(action, index: cause), at: run.script.entries[entry].at)
    case .makeCall: break
    case .startCall(let call):
      try onDevice { $0.start(call) }
    case .cancel(let call):
      try onDevice { $0.deliver(of: call) { .callCancelled($0) } }
    case .finish(let call):
      try onDevice { $0.deliver(of: call) { .requestFinished($0) } }
    case .send(let call, let bytes):
      try onDevice { $0.deliver(of: call) { .messageQueued($0, bytes: UInt32(clamping: bytes)) } }
    case .receive, .interceptor, .request, .cancelRequest, .ask, .dispatcher:
      // Scripts with interceptors or requests are rejected in advance. Without them, messages are
      // received as they arrive.
      break
    case .disconnect(let selector):
      try onDevice { $0.disconnect(selector) }
    case .server(let host, let fault):
      try onDevice { $0.noteFault(cause, on: .one(host), affectsLaterAttempts: true) }
      try wait { run.server.flatSubmit { run.servers.value[host].command(fault) } }
    case .address(let host, let position, let isReachable):
      try setReachable(isReachable, position, of: host, cause: cause)
    case .names(let host, let fault):
      try onDevice { client in
        client.noteFault(cause, on: .one(host), affectsLaterAttempts: true)
        guard client.names[host] != fault else { return }
        client.names[host] = fault
        for connection in client.open where connection.host == host {
          if connection.phase == .resolving { client.resolve(connection) }
        }
      }
    case .answer(let host, _):
      try onDevice { $0.changeAnswer(of: host, cause: cause) }
    case .transport(let selector, let fault):
      try changeTransport(selector, fault, cause: cause)
    case .monitor(let fault, let delay, let path):
      try takeMoves()
      let flags = try reportedFlags()
      try onDevice { $0.tamper(fault, by: delay, of: path, cause: cause, flags: flags) }
    }
    try report(&trace)
  }

  func runUntilIdle(through limit: Instant, into trace: inout Trace) throws(BackendError) -> Instant
  {
    let run = try current()
    // Virtual time had deadlines until then, whether or not calls wait for them.
    try advance(through: min(limit, run.expectedEnd), into: &trace)
    // Here the deadline starts from a slightly later time.
    if let due = try onDevice({ $0.nextDeadline }), due > run.expectedEnd,
      due <= run.expectedEnd + Self.lateness
    {
      try advance(through: min(limit, due), into: &trace)
    }
    // The kernel may give up a stalled connection slightly later.
    if try onDevice({ client in client.open.contains(where: \.isStalled) }) {
      let end = run.expectedEnd + backend.time.tolerance
      try advance(through: min(limit, end), into: &trace)
    }
    let last = backend.time.lastInstant(
      of: run.script, expectedEnd: run.expectedEnd, limit: limit)
    while !(try callsHaveEnded(before: min(last, self.run?.timeline.nextDeadline ?? .never))) {
      guard let due = self.run?.timeline.nextDeadline, due < last else { break }
      try runScheduledChanges(before: due + Interval(microseconds: 1))
    }
    try countKernel()
    let end = try onDevice { $0.now }
    try report(&trace)
    return end
  }

  /// Records the counters of the device's kernel, if the script requests them.
  private func countKernel() throws(BackendError) {
    let run = try current()
    guard run.script.configuration.recordsKernelCounters else { return }
    let (traffic, flows) = (try run.network.traffic(), try run.network.flows(to: .all))
    try onDevice { client in
      client.note(
        .kernelCounted(
          retransmitted: UInt32(clamping: traffic.retransmitted),
          resets: UInt32(clamping: traffic.resets), sockets: UInt32(clamping: flows.count)))
    }
  }

  /// Waits until all calls of the script have ended.
  ///
  /// - Returns: `false` if some call has not ended before `last`.
  private func callsHaveEnded(before last: Instant) throws(BackendError) -> Bool {
    let run = try current()
    try wait {
      run.device.flatSubmit {
        let promise = run.device.makePromise(of: Void.self)
        run.client.value.whenAllCallsHaveEnded().cascade(to: promise)
        let timer = run.device.scheduleTask(deadline: run.clock.deadline(last)) {
          promise.succeed()
        }
        return promise.futureResult.always { _ in timer.cancel() }
      }
    }
    return try onDevice { $0.allCallsHaveEnded }
  }

  func close(at instant: Instant, into trace: inout Trace) throws(BackendError) -> [String] {
    var leaks = try onDevice { $0.close() }
    try report(&trace)
    if let run { leaks += Self.takeDown(run) }
    run = nil
    return leaks
  }

  // MARK: The device

  /// Checks that the change of the network that is due was complete in time.
  func checkChange() throws(BackendError) {
    let run = try current()
    try backend.time.checkChange(due: run.changeDue, completeAt: run.clock.now)
  }

  /// Executes the pending moves: first in the kernel's networks, then for the connections.
  ///
  /// The platform reports which of the connections over the previous path are lost.
  func takeMoves() throws(BackendError) {
    defer { releaseServers() }
    try reportNews()
    let run = try current()
    guard !run.moves.isEmpty else { return }
    self.run?.moves = []
    self.run?.reported = nil
    let before = try run.network.readFlags()
    try run.network.apply(try onDevice { $0.device })
    try checkChange()
    let after = try run.network.readFlags()
    if run.profile.policy.monitorsReachability {
      if let reported = run.reported, before == after {
        // The kernel reports nothing if the flags do not change, but the platform sends a callback.
        try onDevice { $0.flagsChanged(reported) }
      }
      // The platform sends its callback before it reports connections.
      try wait {
        run.device.flatSubmit {
          run.client.value.whenReceived(after, within: .milliseconds(200))
        }
      }
    }
    for move in run.moves {
      let flows = try onDevice { client in
        client.connectionsLeft(by: move, on: client.device)
      }
      if !flows.isEmpty { try run.network.abort(flows) }
    }
  }

  /// Makes servers defer their answers until all entries of an instant have run and the kernel has
  /// followed.
  ///
  /// Both take more time here than on any real device, especially on a busy machine. Without this,
  /// an answer could arrive before the device has moved, although the script moved it earlier.
  func holdServers() throws(BackendError) {
    guard let run, !run.areServersHeld else { return }
    self.run?.areServersHeld = true
    try wait { run.server.submit { for server in run.servers.value { server.hold(true) } } }
  }

  private func releaseServers() {
    guard let run, run.areServersHeld else { return }
    self.run?.areServersHeld = false
    run.server.execute { for server in run.servers.value { server.hold(false) } }
  }

  // MARK: Waiting

  func current() throws(BackendError) -> Run {
    guard let run else { throw BackendError(.backendFailed, "no script is open on this session") }
    return run
  }

  func onDevice<Value: Sendable>(
    _ body: @escaping @Sendable (LiveClient) -> Value
  ) throws(BackendError) -> Value {
    let run = try current()
    return try wait { run.device.submit { body(run.client.value) } }
  }

  func wait(until instant: Instant) throws(BackendError) {
    let run = try current()
    try wait {
      run.device.scheduleTask(deadline: run.clock.deadline(instant)) {}.futureResult
    }
  }

  /// Waits on the session's thread, which must not be the thread of an event loop.
  @discardableResult
  func wait<Value: Sendable>(
    _ begin: () -> EventLoopFuture<Value>
  ) throws(BackendError) -> Value {
    do {
      return try begin().wait()
    } catch let error as BackendError {
      throw error
    } catch {
      throw BackendError(.backendFailed, "event loop error: \(error)")
    }
  }

  /// Appends the records since the last report to the trace.
  private func report(_ trace: inout Trace) throws(BackendError) {
    let reported = try current().reportedRecords
    let (records, hosts) = try onDevice { client in
      (Array(client.trace.records.dropFirst(reported)), client.trace.endpointHosts)
    }
    for record in records { trace.append(record.body, at: record.at) }
    trace.endpointHosts = hosts
    run?.reportedRecords += records.count
  }

  @discardableResult
  private static func takeDown(_ run: Run) -> [String] {
    let ends: Void? = try? run.server.flatSubmit {
      EventLoopFuture.andAllComplete(run.servers.value.map { $0.end() }, on: run.server)
    }.wait()
    let leaks = ends == nil ? ["the servers did not end"] : []
    return leaks + takeDown(run.network, [run.deviceGroup, run.serverGroup])
  }

  /// Releases the resources of a run, and returns descriptions of what remains.
  private static func takeDown(
    _ network: any LiveNetwork, _ groups: [MultiThreadedEventLoopGroup]
  ) -> [String] {
    var leaks: [String] = []
    // A thread must not wake an event loop that has ended, and all sockets must be closed before
    // the network is removed.
    network.stopWatching()
    for group in groups {
      do {
        try group.syncShutdownGracefully()
      } catch {
        leaks.append("an event loop did not end: \(error)")
      }
    }
    return leaks + network.close()
  }
}
