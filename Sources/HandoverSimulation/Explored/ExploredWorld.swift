package import HandoverCore

/// A world without times that an exploration runs step by step: any pending event may happen next,
/// as long as it does not overtake an earlier event on its connection.
///
/// It uses the same ``World`` that runs scenarios. Only the choice of the next event is made
/// elsewhere. Time does not advance. Scheduled deadlines are in the future, and the exploration may
/// make them due.
package struct ExploredWorld: ~Copyable {
  var world: World
  let now: Instant
  /// The number of hosts and the maximum number of concurrent calls.
  let hosts: Int
  private let calls: Int
  /// The number of calls of each kind that can start on each host before a slot is reused.
  private let spares: Int
  private let kinds: Int
  private var started = 0

  // The events that were scheduled when the world was created, so that they can happen out of
  // order.
  var handshakes: ContiguousArray<Agenda<ScheduledEvent>.Handle?> = []
  var tokens: ContiguousArray<Agenda<ScheduledEvent>.Handle?> = []
  var facts: ContiguousArray<(event: ScheduledEvent, handle: Agenda<ScheduledEvent>.Handle?)> = []
  var callbacks: ContiguousArray<(event: ScheduledEvent, handle: Agenda<ScheduledEvent>.Handle)> =
    []

  /// Creates a world.
  ///
  /// - Parameters:
  ///   - script: the hosts, paths and settings. The world adds the calls and entries itself.
  ///   - profile: the profile of the client.
  ///   - change: a closure that changes the settings of the client.
  ///   - kinds: the calls that can be started on each host, one per kind.
  ///   - calls: the maximum number of concurrent calls.
  ///   - spares: the number of calls per kind. One is enough if the world is restored from a survey
  ///     before each start.
  ///   - now: the constant instant of the world.
  package init(
    _ script: Script, _ profile: Profile,
    altering change: @escaping @Sendable (inout PoolConfiguration) -> Void, kinds: [ScriptCall],
    calls: Int, spares: Int = 1, at now: Instant
  ) {
    self.now = now
    hosts = script.hosts.count
    self.calls = calls
    self.spares = spares
    self.kinds = kinds.count
    world = World(altering: ClientAlteration(change: change))
    var script = script
    for host in script.hosts.indices {
      for var kind in kinds {
        kind.host = host
        for _ in 0..<spares { script.calls.append(kind) }
      }
    }
    // The calls of a restored world have already started, so that their kinds no longer matter.
    for _ in 0..<calls { script.calls.append(script.calls[0]) }
    world.open(script, profile: profile)
    world.context.now = now
    // An exploration does not check whether a fault had an effect.
    world.context.faultsWithEffect = [true]
    forget()
  }

  private init(_ world: consuming World, like other: borrowing ExploredWorld) {
    self.world = world
    now = other.now
    hosts = other.hosts
    calls = other.calls
    spares = other.spares
    kinds = other.kinds
    started = other.started
    handshakes = other.handshakes
    tokens = other.tokens
    facts = other.facts
    callbacks = other.callbacks
  }

  /// Returns an independent world in the same state.
  package func fork() -> ExploredWorld {
    guard let fork = world.fork() else {
      preconditionFailure("the built-in world cannot be forked")
    }
    return ExploredWorld(fork, like: self)
  }

  /// The records since the last call of ``forget()``.
  package var records: ContiguousArray<TraceRecord> { world.context.trace.records }

  /// The device.
  package var device: Device { world.context.device }

  /// Removes all records.
  package mutating func forget() { world.context.trace.removeRecords() }

  // MARK: Actions of the user, the device and the network

  /// Performs an action of a timeline.
  package mutating func perform(_ action: ScriptAction) {
    world.perform(action, cause: 0)
  }

  /// Starts a call of a kind.
  package mutating func start(host: Int, kind: Int) {
    let first = (host * kinds + kind) * spares
    perform(.startCall(first + started % spares))
    if spares > 1 { started += 1 }
  }

  /// Returns the script index of a restored call from its index in the survey.
  func slot(_ position: Int) -> Int { hosts * kinds * spares + position }

  /// Cancels a call on behalf of its user.
  package mutating func cancel(_ call: CallID) {
    perform(.cancel(Int(world.network.streams.index(of: call))))
  }

  /// Ends the requests of a call on behalf of its user.
  package mutating func finish(_ call: CallID) {
    perform(.finish(Int(world.network.streams.index(of: call))))
  }

  /// Sends a message of one byte on behalf of the user.
  package mutating func send(_ call: CallID) {
    perform(.send(Int(world.network.streams.index(of: call)), bytes: 1))
  }

  // MARK: Events in transit

  /// Delivers the callback at an index of the pending ones, or reads the flags.
  package mutating func receiveCallback(_ position: Int) {
    world.context.agenda.cancel(callbacks[position].handle)
    world.dispatch(callbacks[position].event)
  }

  /// Delivers the fact at an index of the survey to the client.
  package mutating func receiveFact(_ position: Int) {
    guard let handle = facts[position].handle else { return }
    world.context.agenda.cancel(handle)
    world.dispatch(facts[position].event)
  }

  /// Drops the fact at an index of the survey.
  package mutating func loseFact(_ position: Int) {
    guard let handle = facts[position].handle else { return }
    world.context.agenda.cancel(handle)
  }

  /// Finishes the handshake of a connection.
  package mutating func finishHandshake(_ connection: ConnectionID, _ position: Int) {
    if let handle = handshakes[position] { world.context.agenda.cancel(handle) }
    world.dispatch(.handshake(connection))
  }

  /// Makes TCP give up a connection.
  package mutating func timeOut(_ connection: ConnectionID) {
    if let timeout = world.network.links.connections[Int(connection.index)].timeout {
      world.context.agenda.cancel(timeout)
    }
    world.dispatch(.tcpTimeout(connection))
  }

  /// Ends the server's response to a call.
  package mutating func endAnswer(_ call: CallID) {
    let slot = world.network.streams.index(of: call)
    if let end = world.network.streams[slot].end { world.context.agenda.cancel(end) }
    world.dispatch(.answerEnds(slot))
  }

  /// Sends a message of a call from the server.
  package mutating func sendMessage(_ call: CallID) {
    world.dispatch(.answerMessage(world.network.streams.index(of: call)))
  }

  /// Delivers the token of a call.
  package mutating func deliverToken(_ call: CallID, _ position: Int) {
    if let handle = tokens[position] { world.context.agenda.cancel(handle) }
    world.dispatch(.token(world.network.streams.index(of: call)))
  }

  // MARK: Time

  /// Makes a deadline of the client due, and notifies the client that time has passed.
  package mutating func elapse(_ body: (inout ClientCore) -> Void) {
    world.client.calls.passTime(body)
    world.deliver(.pool(.timeElapsed))
  }

  /// Advances the client's timers without notifying the client.
  package mutating func pass(_ body: (inout ClientCore) -> Void) {
    world.client.calls.passTime(body)
  }

  /// Runs all pending events in the order of their times, except TCP timeouts, which only a faulty
  /// network causes.
  ///
  /// - Parameter limit: the maximum number of events.
  /// - Returns: whether no event is left.
  package mutating func drain(limit: Int) -> Bool {
    var count = 0
    while let event = world.context.agenda.popFirst() {
      count += 1
      guard count <= limit else { return false }
      if case .tcpTimeout = event { continue }
      world.dispatch(event)
    }
    return true
  }
}

extension WorldSurvey.Fact.Kind {
  /// Creates the kind of an event in transit to the client, or returns `nil` for other events.
  init?(_ event: ChannelPool.Event) {
    switch event {
    case .connected: self = .connected
    case .connectFailed: self = .attemptFailed
    case .connectionBroken: self = .connectionLost
    case .connectionDraining: self = .draining
    // To a client, both are bytes that were read from the connection.
    case .pongReceived, .dataReceived: self = .pong
    case .messageReceived: self = .message
    case .streamEnded: self = .ended
    case .tokenArrived: self = .token
    default: return nil
    }
  }
}
