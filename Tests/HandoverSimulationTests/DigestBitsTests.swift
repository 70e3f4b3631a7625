import HandoverBackend
import HandoverCore
import Testing

@testable import HandoverSimulation

/// Several numbers share a word of a world's digest, each in separate bits.
///
/// Each test changes one stored property of a world, numbers bit by bit. If two changes give the
/// same digest, the digest omits one of them or maps both to the same bits.
@Suite("Every stored bit of a world is in its digest")
struct DigestBitsTests {
  private typealias Change = (name: String, make: (inout World) -> Void)

  /// Returns a world with a call on a connection of the first host, and nothing pending.
  private static func world() -> World {
    var world = World()
    world.open(NetworkTests.story().call().script, profile: .sockets)
    world.play(0)
    world.advance(until: .milliseconds(2_000), inclusive: true)
    return world
  }

  private static func bits<Number: FixedWidthInteger>(
    _ name: String, _ count: Int, _ make: @escaping (inout World, Number) -> Void
  ) -> [Change] {
    (0..<count).map { bit in
      ("\(name), bit \(bit)", { make(&$0, (1 as Number) << Number(bit)) })
    }
  }

  private static func each<Value>(
    _ name: String, _ values: [Value], _ make: @escaping (inout World, Value) -> Void
  ) -> [Change] {
    values.map { value in ("\(name) \(value)", { make(&$0, value) }) }
  }

  /// Moves the device to a state that otherwise only a script's entries could reach.
  private static func put(
    _ world: inout World, flags: UInt32 = 0, path: UInt8 = 0, kept: UInt64 = 0, hasPath: Bool = true
  ) {
    let device = world.context.device
    world.context.device = Device(
      flags: ReachabilityFlags(rawValue: device.flags.rawValue ^ flags),
      path: hasPath ? device.path.map { PathIndex($0.index ^ path) } : nil,
      keptAlive: PathSet(rawValue: device.keptAlive.rawValue ^ kept), app: device.app)
  }

  private static var device: [Change] {
    bits("flags", 32) { put(&$0, flags: $1) } + bits("path", 8) { put(&$0, path: $1) }
      + bits("kept alive", 64) { put(&$0, kept: $1) }
      + each("path", [false]) { put(&$0, hasPath: $1) }
      + each("application", [.background, .backgroundRunning] as [AppState]) {
        $0.context.device.app = $1
      }
      + each("wakes to", [.foreground, .background, .backgroundRunning] as [AppState]) {
        $0.context.device.stateAfterWake = $1
      } + airplaneMode
  }

  private static var airplaneMode: [Change] {
    let home = PathIndex(2)
    return each("airplane mode", [nil, home] as [PathIndex?]) {
      $0.context.device.airplane = AirplaneMode(ending: [], default: nil) { _ in false }
      $0.context.device.airplane?.standard = $1
    }
      + bits("networks of airplane mode", 64) {
        $0.context.device.airplane = AirplaneMode(ending: [], default: nil) { _ in false }
        $0.context.device.airplane?.networks = PathSet(rawValue: $1)
      }
  }

  private static var hosts: [Change] {
    each("server", [.silent, .refuse] as [ServerFault]) { $0.network.links.hosts[0].server = $1 }
      + each("names", [.fail, .hang] as [DNSFault]) { $0.network.links.hosts[0].names = $1 }
      + each("black hole", [true]) { $0.network.links.hosts[0].isBlackhole = $1 }
      + bits("cause of the server", 32) { $0.network.links.hosts[0].serverCause = $1 }
      + bits("cause of names", 32) { $0.network.links.hosts[0].namesCause = $1 }
      + bits("cause of the answer", 32) { $0.network.links.hosts[0].answerCause = $1 }
      + bits("time of an unreachable address", 40) {
        _ = $0.network.links.hosts[0].setReachable(
          false, 0, from: Instant(microseconds: $1 as Int64), cause: 0)
      }
      + bits("cause of an unreachable address", 32) {
        _ = $0.network.links.hosts[0].setReachable(false, 0, from: .zero, cause: $1)
      }
      + each("unreachable address", [1, 2, 3]) {
        _ = $0.network.links.hosts[0].setReachable(false, $1, from: .zero, cause: 0)
      }
      + bits("cause of the hole", 32) { $0.network.links.hosts[0].blackholeCause = $1 }
  }

  private static var connections: [Change] {
    bits("stall", 14) { $0.network.links.connections[0].stall = StallCauses(rawValue: $1) }
      + bits("path of a connection", 8) { $0.network.links.connections[0].path = PathIndex($1) }
      + bits("host", 32) { $0.network.links.connections[0].host = $1 }
      + bits("buffered bytes", 40) { $0.network.links.connections[0].bufferedBytes = $1 }
      + each("phase", [.gone, .resolving, .connecting, .handshaking, .dead] as [LinkPhase]) {
        $0.network.links.connections[0].phase = $1
      }
      + each("end", [.sending, .everything] as [UnnoticedEnd]) {
        $0.network.links.connections[0].unnoticedEnd = $1
      }
      + each("handshake", [true]) { $0.network.links.connections[0].handshakeIsDue = $1 }
      + bits("cause of the answer to an attempt", 32) {
        $0.network.links.connections[0].phase = .connecting
        $0.network.links.connections[0].answerCause = $1
      }
  }

  private static var streams: [Change] {
    each("the call's end", [true]) { $0.network.streams[0].callHasEnded = $1 }
      + each("openness", [false]) { $0.network.streams[0].isOpen = $1 }
      + each("polling", [true]) { $0.network.streams[0].isPoll = $1 }
      + each("the begin", [true]) { $0.network.streams[0].beginIsDue = $1 }
      + each("the answer", [true]) { $0.network.streams[0].answerIsDue = $1 }
      + each("no connection", [nil] as [ConnectionID?]) { $0.network.streams[0].connection = $1 }
  }

  private static var paths: [Change] {
    bits("obstacles", 11) { $0.network.paths[PathIndex(0)].obstacles = StallCauses(rawValue: $1) }
      + bits("cause of the uplink", 32) { $0.network.paths[PathIndex(0)].uplinkCause = $1 }
      + bits("cause of the loss", 32) { $0.network.paths[PathIndex(0)].lossCause = $1 }
  }

  private static var writes: [Change] {
    let all: [Write] = [
      .request, .messages(count: 1, bytes: 1), .messages(count: 2, bytes: 1),
      .messages(count: 1, bytes: 2), .finish, .reset, .ping,
    ]
    return each("a write", all) { world, write in
      world.network.links.connections[0].bufferedWrites = [
        CarriedWrite(connection: world.network.links.identifier(0), call: 0, write: write)
      ]
    }
  }

  private static func events(_ call: CallID, _ id: ConnectionID) -> [ChannelPool.Event] {
    let endpoints = [EndpointID(index: 0), EndpointID(index: 1)]
    let settings = [
      CallSettings(requestIsComplete: false), CallSettings(),
      CallSettings(deadline: .milliseconds(9_000), requestIsComplete: false),
      CallSettings(failsFast: true, requestIsComplete: false),
      CallSettings(awaitsToken: true, requestIsComplete: false),
    ]
    var events: [ChannelPool.Event] = [
      .connected(id), .connectFailed(id, .refused), .connectFailed(id, .reset),
      .connectionBroken(id, .refused), .connectionBroken(id, .reset), .connectionDraining(id),
      .pongReceived(id), .dataReceived(id), .messageReceived(call), .streamEnded(call, .ok),
      .streamEnded(call, .aborted), .tokenArrived(call), .messageQueued(call, bytes: 1),
      .messageQueued(call, bytes: 2), .requestFinished(call), .callCancelled(call),
      .disconnectAllRequested, .timeElapsed, .closed,
      .callStarted(call, endpoints[1], settings[0]),
    ]
    for endpoint in endpoints { events.append(.disconnectRequested(endpoint)) }
    for settings in settings { events.append(.callStarted(call, endpoints[0], settings)) }
    return events
  }

  /// Returns changes of the deferred and pending events.
  private static func facts(in world: borrowing World) -> [Change] {
    let call = world.network.streams[0].call ?? CallID(index: 0, generation: 0)
    let id = world.network.links.identifier(0)
    let held = events(call, id)
    var scheduled: [ScheduledEvent] = [
      .callback(.wifi, overruns: 0), .callback(.none, overruns: 0), .freshRead, .handshake(id),
      .news(id, .connected(id)), .tcpTimeout(id), .arrival(id, .connected(id)),
      .arrival(id, .pong(id)), .transportTurn, .answerBegins(0), .answerEnds(0),
      .answerMessage(0), .token(0), .heldOrders, .writeArrives(id), .factArrives(id),
    ]
    for kind in DeviceTimeline.ScheduledChange.Kind.allCases {
      for (path, entry) in [(0, 0), (0, 1), (1, 0)] as [(UInt8, UInt32)] {
        scheduled.append(.networkChange(.init(kind: kind, path: PathIndex(path), entry: entry)))
      }
    }
    for event in held { scheduled.append(.heldEvent(event)) }
    return each("not received", held) { _ = $0.client.calls.held.hold(.pool($1)) }
      + each("a callback", [ClientCore.Event.reachability(.callback(.wifi))]) {
        _ = $0.client.calls.held.hold($1)
      }
      + each("scheduled", scheduled) { $0.context.schedule($1, after: .seconds(1)) }
      + each("in flight", [.connected(id), .pong(id)] as [NetworkFact]) {
        $0.network.links.connections[0].inFlight = [$1]
      }
  }

  @Test("Each change of one property gives a different digest")
  func changes() {
    var all = Self.device + Self.hosts + Self.connections
    all += Self.streams + Self.paths + Self.writes + Self.facts(in: Self.world())
    var changes: [StateDigest: String] = [Self.world().digest(): "no change"]  // lookup only
    var same: [String] = []
    for change in all {
      var world = Self.world()
      change.make(&world)
      if let other = changes.updateValue(change.name, forKey: world.digest()) {
        same.append("\(change.name) is the same as \(other)")
      }
    }
    #expect(same == [])
  }
}
