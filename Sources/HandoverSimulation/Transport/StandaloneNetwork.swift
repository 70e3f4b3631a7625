import HandoverBackend
import HandoverCore

/// A world without a client, for a client in another process.
///
/// The owner passes facts to the world, and reads its reports from the trace.
struct StandaloneNetwork: ~Copyable {
  private(set) var world = World(isAlone: true)

  /// Begins a run of the network of a script.
  mutating func open(_ script: Script, profile: Profile, into trace: inout Trace) {
    var network = Script()
    network.hosts = script.hosts
    network.paths = script.paths
    network.initial = script.initial
    network.initial.app = .foreground
    network.configuration.tcpTimeout = script.configuration.tcpTimeout
    network.configuration.sendBuffer = script.configuration.sendBuffer
    network.configuration.cfstream = script.configuration.cfstream
    _ = world.recording(&trace) { world in
      world.open(network, profile: profile)
      // Each host gets one channel. The real channels are known only to the client.
      for host in script.hosts.indices {
        world.client.calls.appendEndpoint(
          host: UInt32(truncatingIfNeeded: host), ChannelOptions(), &world.context)
      }
    }
  }

  /// Processes a fact.
  ///
  /// Its consequences at the same instant follow with `timeElapsed`.
  mutating func handle(
    _ fact: TransportFact, at instant: Instant, into trace: inout Trace
  ) -> World.Progress {
    world.recording(&trace) { world in
      world.context.now = max(world.context.now, instant)
      Self.handle(fact, in: &world)
    }
  }

  private static func handle(_ fact: TransportFact, in world: inout World) {
    switch fact {
    case .connect(let id, let host):
      world.carryOut(
        .openConnection(id, ChannelID(endpoint: EndpointID(index: host), generation: 0)))
    case .close(let id): world.carryOut(.closeConnection(id))
    case .send(let connection, let call, let answer):
      world.carryOut(.startStream(admit(call, answer, in: &world), connection))
    case .sendMessages(let connection, let call, let count, let bytes):
      guard let id = identifier(ofCall: call, in: world) else { return }
      world.carryOut(.sendMessages(id, connection, count: count, bytes: bytes))
    case .finish(let connection, let call):
      guard let id = identifier(ofCall: call, in: world) else { return }
      world.carryOut(.finishStream(id, connection))
    case .reset(let connection, let call):
      guard let id = identifier(ofCall: call, in: world) else { return }
      world.carryOut(.resetStream(id, connection))
    case .ping(let connection): world.carryOut(.sendPing(connection))
    case .device(let next): position(next, in: &world)
    case .server(let host, let fault, let entry):
      play(.server(Int(host), fault), entry, in: &world)
    case .names(let host, let fault, let entry):
      play(.names(Int(host), fault), entry, in: &world)
    case .fault(let selector, let fault, let entry):
      play(.transport(selector, fault), entry, in: &world)
    case .timeElapsed: runVisibly(&world, by: world.context.now)
    case .closed:
      world.context.agenda.removeAll()
      world.context.periodic.removeAll()
    }
  }

  /// Runs the events that are due by an instant, until one of them is recorded in the trace or the
  /// run reaches its step limit.
  private static func runVisibly(_ world: inout World, by limit: Instant) {
    let seen = world.context.trace.count
    while world.context.trace.count == seen,
      world.context.steps < RunLimits.maximumSteps, world.failure == nil
    {
      let next = world.upcoming()
      guard next.instant <= limit, next.instant != .never else { return }
      world.dispatch(next)
    }
  }

  /// Returns when the network must be notified that time has passed.
  mutating func deadlines() -> TransportDeadlines {
    while let item = world.context.agenda.first, world.isStale(item) {
      world.context.agenda.dropFirst()
    }
    let nonPeriodic = world.context.agenda.nextInstant
    let next = world.upcoming().instant
    return TransportDeadlines(
      next: next == .never ? nil : next, nonPeriodic: nonPeriodic,
      answersPings: world.network.links.unhealthy == 0)
  }

  /// Registers a new call, or a new attempt of a known call.
  private static func admit(
    _ call: UInt32, _ answer: ServerAnswer, in world: inout World
  ) -> CallID {
    while world.context.script.calls.count <= call {
      world.context.script.calls.append(
        ScriptCall(id: "", host: 0, kind: answer.kind, takes: nil))
      world.network.streams.append()
    }
    world.context.script.calls[Int(call)].takes = answer.takes
    world.context.script.calls[Int(call)].every = answer.every
    return world.introduce(Int(call))
  }

  private static func identifier(ofCall call: UInt32, in world: borrowing World) -> CallID? {
    call < world.network.streams.count ? world.network.streams[call].call : nil
  }

  private static func position(_ next: Device, in world: inout World) {
    let move = next.move(from: world.context.device)
    // The state of the application determines the effect on connections. Their reports are sent
    // regardless, because the harness itself holds them for a suspended application.
    world.context.device = next
    if move.from != move.to { world.context.record(.deviceMoved(move.to)) }
    world.follow(move)
    world.context.device.app = .foreground
  }

  private static func play(_ fault: ScriptAction, _ entry: UInt32, in world: inout World) {
    while world.context.faultsWithEffect.count <= entry {
      world.context.faultsWithEffect.append(false)
    }
    world.perform(fault, cause: entry)
  }
}
