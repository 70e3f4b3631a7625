import HandoverBackend
import HandoverCore
import HandoverTrace
import NIOCore
import NIOPosix

/// Plays scripts with real sockets in a real network, one after the other.
///
/// The session's thread waits for the instants of the timeline and moves the network; everything
/// that happens meanwhile happens on the event loops of the device and of the servers.
final class LiveSession: BackendSession {
  private let backend: NIOBackend
  var run: Run?

  /// What one run has.
  struct Run {
    var script: Script
    var profile: Profile
    var network: any LiveNetwork
    var deviceGroup: MultiThreadedEventLoopGroup
    var serverGroup: MultiThreadedEventLoopGroup
    var client: NIOLoopBound<LiveClient>
    var servers: NIOLoopBound<[LiveServer]>
    var clock: LiveClock
    /// When the run is over in virtual time.
    var expectedEnd: Instant
    /// How many records have been handed over.
    var toldRecords = 0
    /// The instant of the entry that was played last.
    var lastEntry: Instant?
    /// Where the device goes once all entries of the instant are played.
    var moves: [Device.Move] = []
    /// The flags as the last entry reports them; nil where it reports none.
    var reported: ReachabilityFlags?
    /// What networks do later.
    var agenda = NetworkAgenda()
    /// What of the instant the client is to be told.
    var news: [NetworkNews] = []
    var device: any EventLoop { deviceGroup.any() }
    var server: any EventLoop { serverGroup.any() }
  }

  /// How much later than in virtual time the last deadline of a run may be.
  private static let lateness = Interval.milliseconds(100)

  init(_ backend: NIOBackend) {
    self.backend = backend
  }

  deinit { if let run { Self.takeDown(run) } }

  // MARK: The port

  func open(_ script: Script, profile: Profile, into trace: inout Trace) throws(BackendError) {
    if let run { Self.takeDown(run) }
    run = nil
    let expectedEnd = try backend.time.expectedEnd(of: script, profile)
    // The servers here have a hello of their own, and say it when it is time.
    let network = try backend.time.makeNetwork(for: script, delaysHandshakes: false)
    var groups: [MultiThreadedEventLoopGroup] = []
    do throws(BackendError) {
      groups.append(try network.onDevice { MultiThreadedEventLoopGroup(numberOfThreads: 1) })
      groups.append(try network.onServers { MultiThreadedEventLoopGroup(numberOfThreads: 1) })
      run = try begin(
        script, profile, network, device: groups[0], servers: groups[1], expectedEnd)
    } catch {
      // Nobody else knows of what was made so far.
      _ = Self.takeDown(network, groups)
      throw error
    }
    try report(&trace)
  }

  /// The server of a host; where that has addresses of its own, the network delays what comes
  /// first, and at some of them nobody is.
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

  /// Makes client and servers, and lets time begin.
  private func begin(
    _ script: Script, _ profile: Profile, _ network: any LiveNetwork,
    device deviceGroup: MultiThreadedEventLoopGroup,
    servers serverGroup: MultiThreadedEventLoopGroup, _ expectedEnd: Instant
  ) throws(BackendError) -> Run {
    let lacksAddresses = script.hosts.indices.contains {
      script.hosts[$0].addresses.count > network.ownAddresses(of: $0).count
    }
    if lacksAddresses {
      throw BackendError(.unsupported, "hosts have no addresses of their own in this network")
    }
    let device = deviceGroup.any()
    let server = serverGroup.any()
    let adopt = backend.time.adoption()
    for loop in [device, server] { try wait { loop.submit { adopt() } } }
    for one in script.qualities { try network.perform(.quality(one.path, one.quality)) }
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
    // Where there are several networks, callbacks tell of them, and not of the way out alone.
    if script.networks.isEmpty {
      try network.watchFlags { flags, _ in
        device.execute { client.value.flagsChanged(flags) }
      }
    }
    // Time begins when everything is there.
    let clock = try wait {
      device.submit {
        client.value.begin(flags: flags)
        return client.value.clock
      }
    }
    return Run(
      script: script, profile: profile, network: network, deviceGroup: deviceGroup,
      serverGroup: serverGroup, client: client, servers: servers, clock: clock,
      expectedEnd: expectedEnd)
  }

  func advance(before instant: Instant, into trace: inout Trace) throws(BackendError) {
    // Nothing of an instant happens before all its entries are played.
    if let last = run?.lastEntry, instant <= last { return }
    try takeMoves()
    try playAgenda(before: instant)
    try wait(until: instant)
    try report(&trace)
  }

  func advance(through instant: Instant, into trace: inout Trace) throws(BackendError) {
    try takeMoves()
    try playAgenda(before: instant + Interval(microseconds: 1))
    try wait(until: instant)
    try report(&trace)
  }

  func play(_ entry: Int, into trace: inout Trace) throws(BackendError) {
    let run = try current()
    let cause = UInt32(truncatingIfNeeded: entry)
    self.run?.lastEntry = run.script.entries[entry].at
    try onDevice { $0.note(.entryPlayed(cause)) }
    switch run.script.entries[entry].action {
    case .flags(let flags, let path, let up, let down):
      try move { $0.apply(flags, path: path, up: up, down: down) }
      self.run?.reported = flags
    case .path(let path):
      try move { $0.move(to: path) }
    case .app(let app):
      try takeMoves()
      let flags = try reportedFlags()
      try onDevice { $0.moveApp(to: app, flags: flags) }
    case .makeCall: break
    case .startCall(let call):
      try onDevice { $0.start(call) }
    case .cancel(let call):
      try onDevice { $0.deliver(of: call) { .callCancelled($0) } }
    case .finish(let call):
      try onDevice { $0.deliver(of: call) { .requestFinished($0) } }
    case .send(let call, let bytes):
      try onDevice { $0.deliver(of: call) { .messageQueued($0, bytes: UInt32(clamping: bytes)) } }
    case .network(let path, let word, let signal):
      try change(path, word, signal: signal, cause: cause)
    case .signal(let flags):
      self.run?.news.append(.callback(flags, about: nil))
    case .power(let power):
      try setPower(power)
    case .receive, .interceptor, .request, .cancelRequest, .ask, .dispatcher:
      // Scripts with interceptors or requests are refused beforehand; without them messages come as
      // they are.
      break
    case .disconnect(let selector):
      try onDevice { $0.disconnect(selector) }
    case .server(let host, let word):
      try onDevice { $0.noteFault(cause, on: .one(host), meetsLaterAttempts: true) }
      try wait { run.server.flatSubmit { run.servers.value[host].command(word) } }
    case .names(let host, let word):
      try onDevice { client in
        client.names[host] = word
        client.noteFault(cause, on: .one(host), meetsLaterAttempts: true)
        for connection in client.open where connection.host == host {
          if connection.phase == .resolving { client.resolve(connection) }
        }
      }
    case .transport(let selector, let word):
      try changeTransport(selector, word, cause: cause)
    case .monitor(let word, let delay, let path):
      try takeMoves()
      let flags = try reportedFlags()
      try onDevice { $0.tamper(word, by: delay, of: path, cause: cause, flags: flags) }
    }
    try report(&trace)
  }

  func runUntilIdle(through limit: Instant, into trace: inout Trace) throws(BackendError) -> Instant
  {
    let run = try current()
    // So long something was due in virtual time, whether calls wait for it or not.
    try advance(through: min(limit, run.expectedEnd), into: &trace)
    // What it counts from is a little later here.
    if let due = try onDevice({ $0.nextDeadline }), due > run.expectedEnd,
      due <= run.expectedEnd + Self.lateness
    {
      try advance(through: min(limit, due), into: &trace)
    }
    // The kernel may give up a stalled connection a little later.
    if try onDevice({ client in client.open.contains(where: \.isStalled) }) {
      let end = run.expectedEnd + backend.time.tolerance
      try advance(through: min(limit, end), into: &trace)
    }
    let last = backend.time.lastInstant(
      of: run.script, expectedEnd: run.expectedEnd, limit: limit)
    while !(try callsHaveEnded(before: min(last, self.run?.agenda.nextDue ?? .never))) {
      guard let due = self.run?.agenda.nextDue, due < last else { break }
      try playAgenda(before: due + Interval(microseconds: 1))
    }
    try countKernel()
    let end = try onDevice { $0.now }
    try report(&trace)
    return end
  }

  /// Tells what the device's kernel has counted, where somebody asks for it.
  private func countKernel() throws(BackendError) {
    let run = try current()
    guard run.script.configuration.tellsKernel else { return }
    let (traffic, flows) = (try run.network.traffic(), try run.network.flows())
    try onDevice { client in
      client.note(
        .kernelCounted(
          retransmitted: UInt32(clamping: traffic.retransmitted),
          resets: UInt32(clamping: traffic.resets), sockets: UInt32(clamping: flows.count)))
    }
  }

  /// Waits until every call of the script has ended.
  ///
  /// - Returns: false where that is not so at an instant.
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

  /// Notes where the device goes; the kernel is told when all entries of the instant are played,
  /// because what users do in an instant comes before what follows from a move in it.
  private func move(
    _ change: @escaping @Sendable (inout Device) -> Device.Move
  ) throws(BackendError) {
    let move = try onDevice { client in
      let move = change(&client.device)
      // The device moves when its first entry says so, however long the kernel takes to follow.
      if move.from != move.to { client.note(.deviceMoved(move.to)) }
      return move
    }
    run?.moves.append(move)
  }

  /// Moves the device: first the kernel's networks, then what the platform reports of the
  /// connections whose path was left.
  func takeMoves() throws(BackendError) {
    try tellNews()
    let run = try current()
    guard !run.moves.isEmpty else { return }
    self.run?.moves = []
    self.run?.reported = nil
    let before = try run.network.readFlags()
    holdServers(true)
    defer { holdServers(false) }
    try run.network.place(try onDevice { $0.device })
    let after = try run.network.readFlags()
    if run.profile.policy.monitorsReachability {
      if let reported = run.reported, before == after {
        // The kernel has nothing to tell where nothing changes; the platform calls back all the
        // same.
        try onDevice { $0.flagsChanged(reported) }
      }
      // The platform's callback comes before what it reports of connections.
      try wait {
        run.device.flatSubmit {
          run.client.value.whenHeard(after, within: .milliseconds(200))
        }
      }
    }
    for move in run.moves {
      let ports = try onDevice { client in
        client.connectionsLeft(by: move, on: client.device)
      }
      if !ports.isEmpty { try run.network.abort(localPorts: ports) }
    }
  }

  /// Lets servers hold what is due while the kernel follows a move, or do so no longer.
  ///
  /// The kernel takes a time for it that no network takes, and more on a busy machine: an answer
  /// would be there before the device has moved, which it did when the script said so.
  func holdServers(_ areHeld: Bool) {
    guard let run else { return }
    run.server.execute { for server in run.servers.value { server.hold(areHeld) } }
  }

  // MARK: Waiting

  func current() throws(BackendError) -> Run {
    guard let run else { throw BackendError(.brokeDown, "no script is open on this session") }
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

  /// Waits on the session's own thread, which is no event loop's.
  @discardableResult
  func wait<Value: Sendable>(
    _ begin: () -> EventLoopFuture<Value>
  ) throws(BackendError) -> Value {
    do {
      return try begin().wait()
    } catch let error as BackendError {
      throw error
    } catch {
      throw BackendError(.brokeDown, "the event loop answered: \(error)")
    }
  }

  /// Hands over what was recorded since the last time.
  private func report(_ trace: inout Trace) throws(BackendError) {
    let told = try current().toldRecords
    let (records, hosts) = try onDevice { client in
      (Array(client.trace.records.dropFirst(told)), client.trace.endpointHosts)
    }
    for record in records { trace.append(record.body, at: record.at) }
    trace.endpointHosts = hosts
    run?.toldRecords += records.count
  }

  @discardableResult
  private static func takeDown(_ run: Run) -> [String] {
    let ends: Void? = try? run.server.flatSubmit {
      EventLoopFuture.andAllComplete(run.servers.value.map { $0.end() }, on: run.server)
    }.wait()
    let leaks = ends == nil ? ["the servers did not end"] : []
    return leaks + takeDown(run.network, [run.deviceGroup, run.serverGroup])
  }

  /// Ends what a run stands on; answers what remains, in words.
  private static func takeDown(
    _ network: any LiveNetwork, _ groups: [MultiThreadedEventLoopGroup]
  ) -> [String] {
    var leaks: [String] = []
    // Nobody may wake an event loop that has ended, and nothing may hold a socket when the network
    // goes.
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
