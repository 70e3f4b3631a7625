package import HandoverCore
package import HandoverTrace

/// A world that an exploration plays step by step, without times: of what is under way anything may
/// come next, as far as it does not overtake what is before it on its connection.
///
/// It is the very ``World`` that plays scenarios, in which nothing but the choice of what happens
/// next is made elsewhere. The instant stands still; what is armed lies ahead, and may be let fall
/// due.
package struct ExploredWorld: ~Copyable {
  var world: World
  let now: Instant
  /// How many hosts there are, and calls at once.
  let hosts: Int
  private let calls: Int
  /// How many calls can be started of each kind on each host before a place is used again.
  private let spares: Int
  private let kinds: Int
  private var started = 0

  // What was scheduled when the world was made, so that it can be let happen out of its order.
  var handshakes: ContiguousArray<Agenda<ScheduledEvent>.Handle?> = []
  var tokens: ContiguousArray<Agenda<ScheduledEvent>.Handle?> = []
  var facts: ContiguousArray<(event: ScheduledEvent, handle: Agenda<ScheduledEvent>.Handle?)> = []
  var callbacks: ContiguousArray<(event: ScheduledEvent, handle: Agenda<ScheduledEvent>.Handle)> =
    []

  /// Makes a world.
  ///
  /// - Parameters:
  ///   - script: its hosts, paths and settings; calls and entries are made here.
  ///   - profile: the contract.
  ///   - defects: the defects of its client.
  ///   - kinds: the calls that can be started on each host, one for each kind.
  ///   - calls: how many there are at once.
  ///   - spares: how many there are of each kind; one is enough where the world is made anew from a
  ///     survey before each start.
  ///   - now: the instant at which it stands.
  package init(
    _ script: Script, _ profile: Profile, defects: Defects, kinds: [ScriptCall], calls: Int,
    spares: Int = 1, at now: Instant
  ) {
    self.now = now
    hosts = script.hosts.count
    self.calls = calls
    self.spares = spares
    self.kinds = kinds.count
    world = World(altering: ClientAlteration(defects: defects))
    var script = script
    for host in script.hosts.indices {
      for var kind in kinds {
        kind.host = host
        for _ in 0..<spares { script.calls.append(kind) }
      }
    }
    // Those that a world is made with have started, and differ in nothing any more.
    for _ in 0..<calls { script.calls.append(script.calls[0]) }
    world.open(script, profile: profile)
    world.context.now = now
    // Nobody asks whether a fault had an effect.
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

  /// Another world that goes on as this one does.
  package func fork() -> ExploredWorld {
    guard let fork = world.fork() else { preconditionFailure("the built-in world can be forked") }
    return ExploredWorld(fork, like: self)
  }

  /// What was recorded since it was forgotten.
  package var records: EffectLog<TraceRecord> {
    _read {
      assert(world.context.references.count == 0, "nobody asks for the trace meanwhile")
      yield world.context.records
    }
  }

  /// The device.
  package var device: Device { world.context.device }

  /// Forgets the records.
  package mutating func forget() { world.context.takeRecords { _ in } }

  // MARK: What the user, the device and the network do

  /// Lets an entry of a timeline happen.
  package mutating func perform(_ action: ScriptAction) {
    world.perform(action, cause: 0)
  }

  /// Starts a call of a kind.
  package mutating func start(host: Int, kind: Int) {
    let first = (host * kinds + kind) * spares
    perform(.startCall(first + started % spares))
    if spares > 1 { started += 1 }
  }

  /// The place in the script of the call at a place of a survey that a world was made from.
  func slot(_ place: Int) -> Int { hosts * kinds * spares + place }

  /// The user cancels a call.
  package mutating func cancel(_ call: CallID) {
    perform(.cancel(Int(world.network.streams.index(of: call))))
  }

  /// The user ends the requests of a call.
  package mutating func finish(_ call: CallID) {
    perform(.finish(Int(world.network.streams.index(of: call))))
  }

  /// The user sends a message of one byte.
  package mutating func send(_ call: CallID) {
    perform(.send(Int(world.network.streams.index(of: call)), bytes: 1))
  }

  // MARK: What is under way

  /// The callback at a place of those under way arrives, or the flags are read.
  package mutating func hearCallback(_ place: Int) {
    world.context.agenda.cancel(callbacks[place].handle)
    world.dispatch(callbacks[place].event)
  }

  /// The fact at a place of the survey reaches the client.
  package mutating func hearFact(_ place: Int) {
    guard let handle = facts[place].handle else { return }
    world.context.agenda.cancel(handle)
    world.dispatch(facts[place].event)
  }

  /// The fact at a place of the survey reaches nobody.
  package mutating func loseFact(_ place: Int) {
    guard let handle = facts[place].handle else { return }
    world.context.agenda.cancel(handle)
  }

  /// The handshake of a connection comes to its end.
  package mutating func finishHandshake(_ connection: ConnectionID, _ place: Int) {
    if let handle = handshakes[place] { world.context.agenda.cancel(handle) }
    world.dispatch(.handshake(connection))
  }

  /// TCP gives a connection up.
  package mutating func timeOut(_ connection: ConnectionID) {
    if let timeout = world.network.links.connections[Int(connection.index)].timeout {
      world.context.agenda.cancel(timeout)
    }
    world.dispatch(.tcpTimeout(connection))
  }

  /// The server ends its answer to a call.
  package mutating func endAnswer(_ call: CallID) {
    let slot = world.network.streams.index(of: call)
    if let end = world.network.streams[slot].end { world.context.agenda.cancel(end) }
    world.dispatch(.answerEnds(slot))
  }

  /// The server sends a message of a call.
  package mutating func sendMessage(_ call: CallID) {
    world.dispatch(.answerMessage(world.network.streams.index(of: call)))
  }

  /// The token of a call is there.
  package mutating func deliverToken(_ call: CallID, _ place: Int) {
    if let handle = tokens[place] { world.context.agenda.cancel(handle) }
    world.dispatch(.token(world.network.streams.index(of: call)))
  }

  // MARK: Time

  /// Lets something of the client fall due, and tells it that time has passed.
  package mutating func elapse(_ body: (inout ClientCore) -> Void) {
    world.client.passTime(body)
    world.deliver(.pool(.timeElapsed))
  }

  /// Lets time pass for the client without telling it.
  package mutating func pass(_ body: (inout ClientCore) -> Void) {
    world.client.passTime(body)
  }

  /// Lets everything that is under way happen, in the order of its times, but for what only a
  /// network that is out of order brings about.
  ///
  /// - Parameter limit: how many things may happen.
  /// - Returns: whether there is nothing more.
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
  /// The kind of what is on its way to the client; nil where an event is something else.
  init?(_ event: ChannelPool.Event) {
    switch event {
    case .connected: self = .connected
    case .connectFailed: self = .attemptFailed
    case .connectionBroken: self = .connectionLost
    case .connectionDraining: self = .draining
    // For a client both are bytes that were read from the connection.
    case .pongReceived, .dataReceived: self = .pong
    case .messageReceived: self = .message
    case .streamEnded: self = .ended
    case .tokenArrived: self = .token
    default: return nil
    }
  }
}
