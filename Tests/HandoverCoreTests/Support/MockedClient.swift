@testable import HandoverCore

/// A client in a mock world.
///
/// Every effect is carried out or refused, and after every step the client and the world must
/// agree.
struct MockedClient: Hashable {
  private(set) var core: ClientCore
  private(set) var world: MockWorld
  private(set) var now = Instant.zero
  let configuration: PoolConfiguration

  init(_ configuration: PoolConfiguration, endpoints: Int) {
    self.configuration = configuration
    core = ClientCore(configuration)
    world = MockWorld(endpoints: endpoints)
    for index in 0..<endpoints {
      _ = core.register(
        ChannelKey(host: HostName("host-\(index).example"), options: ChannelOptions()))
    }
  }

  /// Sends an event to the client and carries out the effects.
  ///
  /// After a transition or a close nothing may be left.
  mutating func send(
    _ event: ClientCore.Event, at instant: Instant, log: inout EffectLog<ClientEffect>
  ) throws(Refusal) {
    now = instant
    let timeWasUp = core.nextDeadline.map { $0 <= now } ?? false
    let category = core.monitor.category
    world.note(event)
    log.removeAll()
    core.step(event, at: now, into: &log)
    try world.carryOut(log, of: event, timeWasUp: timeWasUp)
    if core.monitor.category != category, category != .unknown || !event.isInitialRead {
      try checkTransition(log, category)
    }
    if world.isClosed { try checkClosed() }
  }

  // MARK: Invariants after every step

  /// Checks that the client's state is what the world observed.
  func compare() throws(Refusal) {
    try compareTables()
    try compareDeadlines()
  }

  private func require(_ holds: Bool, _ what: @autoclosure () -> String) throws(Refusal) {
    guard holds else { throw Refusal(what()) }
  }

  /// Checks that the client's tables are what the world observed.
  private func compareTables() throws(Refusal) {
    for index in 0..<core.pool.endpoints.count {
      let endpoint = core.pool.endpoints[index]
      let id = EndpointID(index: UInt32(index))
      let channel = world.channel(of: id)
      try require(endpoint.state == channel?.state ?? .shutdown, "\(id) is \(endpoint.state)")
      let bound = channel.map { world.calls(of: $0.id) } ?? []
      let listed = try list(of: endpoint)
      try require(listed.count == Int(endpoint.callCount), "\(id) counts its calls wrongly")
      try require(Set(listed) == Set(bound.map(\.id)), "\(id) lists other calls than it has")
      let waiting = bound.count { !$0.isRunning }
      try require(waiting == Int(endpoint.waitingCount), "\(id) counts those that wait wrongly")
      guard let channel else { continue }
      try compareConnections(of: channel, waiting: waiting)
    }
    for call in world.calls {
      try require(!call.isReset, "\(call.id) was reset and has no end")
      try require(call.stage != .started, "\(call.id) was forgotten at its start")
      guard let channel = call.channel else { continue }
      let exists = world.channels.contains { $0.id == channel }
      try require(exists, "\(call.id) outlives its channel")
      if case .running(_, let connection) = call.stage {
        let isCarried = world.connections.contains { $0.id == connection }
        try require(isCarried, "\(call.id) outlives its connection")
      }
    }
  }

  private func compareConnections(
    of channel: MockWorld.Channel, waiting: Int
  ) throws(Refusal) {
    let own = world.connections.filter { $0.channel == channel.id }
    let connecting = own.count { $0.stage == .connecting }
    let open = own.count { $0.stage == .open }
    let (wanted, allowed): (Int, Int) =
      switch channel.state {
      case .connecting: (1, 0)
      case .ready: (0, 1)
      case .idle, .transientFailure, .shutdown: (0, 0)
      }
    try require(
      connecting == wanted && open == allowed, "\(channel.id) is \(channel.state) with \(own)")
    if channel.state == .ready {
      try require(waiting == 0, "\(channel.id) is READY, and calls wait")
    }
    // Outside an attempt a call waits for the delay of the last one, and the client must have armed
    // a deadline.
    if channel.state == .idle || channel.state == .transientFailure {
      let wakes = core.pool.attemptDeadlines.isArmed(channel.id.endpoint.index)
      try require(
        wakes == (waiting > 0),
        "\(channel.id) in \(channel.state) \(wakes ? "wakes" : "sleeps"), and \(waiting) calls wait"
      )
    }
    for connection in own where connection.stage == .draining {
      let isUsed = world.calls.contains { $0.stage == .running(channel.id, connection.id) }
      try require(isUsed, "\(connection.id) drains without calls")
    }
  }

  /// Returns the calls of an endpoint, traversed in both directions.
  private func list(of endpoint: Endpoint) throws(Refusal) -> [CallID] {
    var found: [CallID] = []
    var previous = noRow
    var call = endpoint.firstCall
    while call != noRow {
      try require(core.pool.calls[call].previous == previous, "the list is broken")
      try require(found.count < core.pool.calls.rows.count, "the list goes round in circles")
      found.append(core.pool.calls.id(call))
      previous = call
      call = core.pool.calls[call].next
    }
    try require(endpoint.lastCall == previous, "the list ends elsewhere")
    return found
  }

  /// Checks that the client waits for exactly the pending deadlines.
  private func compareDeadlines() throws(Refusal) {
    let calls = world.calls.map(\.settings.deadline).min() ?? .never
    try require(
      core.nextDeadline(among: .calls) ?? .never == calls, "the calls' deadline is not \(calls)")
    let attempts = world.channels.contains { channel in
      let isWaitedFor = world.calls(of: channel.id).contains { !$0.isRunning }
      // In IDLE after GOAWAY, and in TRANSIENT_FAILURE, a call waits for the delay of the last
      // attempt.
      return channel.state == .connecting || isWaitedFor
    }
    try require(
      (core.nextDeadline(among: .attempts) != nil) == attempts,
      attempts ? "nothing ends an attempt" : "an attempt that is none has an end")
    let unused =
      configuration.policy.unusedChannelLifetime != nil
      && world.channels.contains { world.calls(of: $0.id).isEmpty }
    try require(
      (core.nextDeadline(among: .unused) != nil) == unused,
      unused ? "an unused channel is kept for ever" : "a channel in use will be destroyed")
    try require(
      core.nextDeadline(among: .keepalive) == nil || somebodyIsPinged, "somebody pings nobody")
    let all: [DeadlineKinds] = [.calls, .attempts, .unused, .keepalive]
    let earliest = all.compactMap { core.nextDeadline(among: $0) }.min()
    try require(core.nextDeadline == earliest, "the next deadline is not the earliest")
  }

  /// Whether a connection may be pinged, or a ping is pending (B7).
  private var somebodyIsPinged: Bool {
    guard let rules = configuration.keepalive else { return false }
    return world.connections.contains { connection in
      connection.awaitsPong || rules.withoutCalls
        || world.calls.contains { $0.stage == .running(connection.channel, connection.id) }
    }
  }

  /// Checks that nothing survives a category change, and that every bound call is notified (D9,
  /// M11, C8).
  private func checkTransition(
    _ log: borrowing EffectLog<ClientEffect>, _ category: NetworkCategory
  ) throws(Refusal) {
    try require(log.elements.first?.isNotification == true, "nobody was notified first")
    try require(world.channels.isEmpty && world.connections.isEmpty, "something survived")
    try require(world.calls.allSatisfy { $0.stage == .awaitingToken }, "a bound call survived")
    for case .endCall(let call, let end) in log.elements {
      try require(end == .connectivityLost, "\(call) ended \(end)")
    }
  }

  private func checkClosed() throws(Refusal) {
    try require(core.nextDeadline == nil, "a timer remains")
    try require(
      world.channels.isEmpty && world.connections.isEmpty && world.calls.isEmpty,
      "something remains after the client was closed")
  }
}

extension ClientCore.Event {
  fileprivate var isInitialRead: Bool {
    if case .reachability(.initialRead) = self { true } else { false }
  }
}

extension ClientEffect {
  fileprivate var isNotification: Bool {
    if case .notify = self { true } else { false }
  }
}
