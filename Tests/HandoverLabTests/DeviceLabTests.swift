import Glibc
import HandoverBackend
import HandoverCore
import HandoverLinux
import Synchronization
import Testing

@testable import HandoverLab

@Suite("A device among networks", .enabled(if: namespacesAreMissing == nil))
struct DeviceLabTests {
  /// How long a stalled connection is observed: several times the duration of a packet.
  static let stallMilliseconds: Int64 = 1_200

  private func expectStall(
    _ pair: (device: LiveSocket, server: LiveSocket), _ position: SourceLocation = #_sourceLocation
  ) throws {
    #expect(pair.device.write("up") == nil, sourceLocation: position)
    #expect(pair.server.write("down") == nil, sourceLocation: position)
    #expect(
      try pair.server.read(within: Self.stallMilliseconds) == .nothing, sourceLocation: position)
    #expect(try pair.device.read(within: 1) == .nothing, sourceLocation: position)
  }

  private func expectFlow(
    _ pair: (device: LiveSocket, server: LiveSocket), up: String = "ping", down: String = "pong",
    writes: Bool = true, _ position: SourceLocation = #_sourceLocation
  ) throws {
    if writes {
      #expect(pair.device.write(up) == nil, sourceLocation: position)
      #expect(pair.server.write(down) == nil, sourceLocation: position)
    }
    // The kernel repeats lost data at growing intervals.
    #expect(try pair.server.read() == .text(up), sourceLocation: position)
    #expect(try pair.device.read() == .text(down), sourceLocation: position)
  }

  @Test("A connection works in both directions on each kind of network")
  func flows() throws {
    for flags in [[.reachable], [.reachable, .isWWAN]] as [ReachabilityFlags] {
      let fixture = try LabFixture(beginning: flags)
      let pair = try fixture.connect(to: 1)
      try expectFlow(pair)
      let connections = try fixture.lab.connections()
      #expect(connections.map(\.localPort) == [pair.device.localPort])
      #expect(connections.map(\.remotePort) == [50_051])
      let path = flags.contains(.isWWAN) ? LabFixture.cellular : LabFixture.wifi
      let flow = LiveFlow(localPort: try #require(connections.first).localPort, host: 1, path: path)
      #expect(try fixture.lab.flows(to: .all) == [flow])
    }
  }

  @Test(
    "Cellular to WiFi stalls old connections without an error, and going back revives them",
    arguments: IPAddress.Family.allCases)
  func cellularToWifi(_ family: IPAddress.Family) throws {
    let fixture = try LabFixture(beginning: [.reachable, .isWWAN], family: family)
    let old = try fixture.connect()
    try fixture.flags([.reachable])
    try expectStall(old)
    // New connections use the new network immediately.
    try expectFlow(fixture.connect(to: 1))
    try fixture.flags([.reachable, .isWWAN])
    try expectFlow(old, up: "up", down: "down", writes: false)
  }

  @Test(
    "WiFi to cellular stalls old connections too",
    arguments: IPAddress.Family.allCases)
  func wifiToCellular(_ family: IPAddress.Family) throws {
    let fixture = try LabFixture(family: family)
    let old = try fixture.connect()
    try fixture.flags([.reachable, .isWWAN])
    try expectStall(old)
    try expectFlow(fixture.connect(to: 1))
  }

  @Test(
    "A network that the device leaves but keeps alive keeps its connections",
    arguments: IPAddress.Family.allCases)
  func keptAlive(_ family: IPAddress.Family) throws {
    let fixture = try LabFixture(beginning: [.reachable, .isWWAN], family: family)
    let old = try fixture.connect()
    try fixture.flags([.reachable], up: PathSet(LabFixture.cellular))
    try expectFlow(old)
    try expectFlow(fixture.connect(to: 1))
    #expect(try fixture.lab.route(to: DeviceLab.watchedAddress)?.interface.name == "wlan0")
    try fixture.flags([.reachable], down: PathSet(LabFixture.cellular))
    try expectStall(old)
  }

  @Test(
    "An access point that the device leaves stays alive if requested",
    arguments: IPAddress.Family.allCases)
  func keptAccessPoint(_ family: IPAddress.Family) throws {
    let fixture = try LabFixture(family: family)
    let old = try fixture.connect()
    try fixture.flags(
      [.reachable], path: LabFixture.otherWifi, up: PathSet(LabFixture.wifi))
    try expectFlow(old)
    try expectFlow(fixture.connect(to: 1))
  }

  @Test(
    "Another access point stalls old connections, and only the gateway changes",
    arguments: IPAddress.Family.allCases)
  func roam(_ family: IPAddress.Family) throws {
    let fixture = try LabFixture(family: family)
    let old = try fixture.connect()
    let before = try #require(try fixture.lab.route(to: DeviceLab.watchedAddress))
    try fixture.path(LabFixture.otherWifi)
    let after = try #require(try fixture.lab.route(to: DeviceLab.watchedAddress))
    #expect(before.interface == after.interface)
    #expect(before.gateway != after.gateway)
    try expectStall(old)
    try expectFlow(fixture.connect(to: 1))
    try fixture.path(LabFixture.wifi)
    try expectFlow(old, up: "up", down: "down", writes: false)
  }

  @Test(
    "A connection survives a time without any network",
    arguments: IPAddress.Family.allCases)
  func noNetwork(_ family: IPAddress.Family) throws {
    let fixture = try LabFixture(family: family)
    let old = try fixture.connect()
    try fixture.flags([])
    #expect(try fixture.lab.route(to: DeviceLab.watchedAddress) == nil)
    #expect(try fixture.connectError() == ENETUNREACH)
    try expectStall(old)
    try fixture.flags([.reachable])
    try expectFlow(old, up: "up", down: "down", writes: false)
  }

  @Test(
    "A network with ConnectionRequired is dormant, and no host is reachable",
    arguments: [[.reachable], [.reachable, .isWWAN], []] as [ReachabilityFlags])
  func connectionRequired(beginning: ReachabilityFlags) throws {
    let fixture = try LabFixture(beginning: beginning)
    for kind in [[], [.isWWAN]] as [ReachabilityFlags] {
      try fixture.flags(kind.union([.reachable, .connectionRequired]))
      let route = try #require(try fixture.lab.route(to: DeviceLab.watchedAddress))
      #expect(route.interface.operationalState == .dormant)
      #expect(route.interface.name == (kind.isEmpty ? "wlan0" : "wwan0"))
      #expect(try fixture.connectError() == ENETUNREACH)
    }
    try fixture.flags([.reachable])
    #expect(
      try fixture.lab.route(to: DeviceLab.watchedAddress)?.interface.operationalState == .up)
    try expectFlow(fixture.connect())
  }

  @Test("A change between two networks never passes through no network")
  func neverNone() throws {
    let fixture = try LabFixture()
    let controller = try NetworkController(in: fixture.lab.device)
    let watch = try RouteWatch(controller)
    var rounds = 0
    // The watching thread may start late, so the changes continue until it has looked often enough.
    try expectSometime("looks at the route") {
      try fixture.flags([.reachable, .isWWAN])
      try fixture.flags([.reachable])
      try fixture.path(LabFixture.otherWifi)
      try fixture.path(LabFixture.wifi)
      rounds += 1
      return rounds >= 20 && watch.looks > 20
    }
    #expect(watch.stop().withoutRoute == 0)
  }

  @Test("Placing the device where it already is changes nothing")
  func idempotence() throws {
    let fixture = try LabFixture()
    try fixture.flags([.reachable, .isWWAN], up: PathSet(LabFixture.wifi))
    let events = try NetworkEvents(in: fixture.lab.device)
    try fixture.applyAgain()
    try fixture.applyAgain()
    #expect(try events.drain().count == 0)
  }

  @Test("Only a connection that the platform reports as lost is aborted immediately")
  func abort() throws {
    let fixture = try LabFixture()
    let (first, second) = (try fixture.connect(), try fixture.connect(to: 1))
    #expect(try fixture.lab.abort([fixture.flow(first.device)]) == 1)
    #expect(try first.device.read() == .error(ECONNABORTED))
    try expectFlow(second)
  }

  @Test("Packets of one connection vanish far from the device, and come again")
  func drop() throws {
    let fixture = try LabFixture()
    let (first, second) = (try fixture.connect(), try fixture.connect(to: 1))
    for _ in 0..<2 { try fixture.lab.drop([fixture.flow(first.device)]) }
    try expectStall(first)
    try expectFlow(second)
    for _ in 0..<2 { try fixture.lab.stopDropping(host: 0) }
    try expectFlow(first, up: "up", down: "down", writes: false)
  }

  @Test("Connections to two hosts are distinct even if they have the same local port")
  func samePort() throws {
    let fixture = try LabFixture()
    let first = try fixture.connect(fromPort: 40_000)
    let second = try fixture.connect(to: 1, fromPort: 40_000)
    let flow = try fixture.flow(first.device)
    try fixture.lab.drop([flow])
    try expectStall(first)
    try expectFlow(second)
    #expect(try fixture.lab.abort([flow]) == 1)
    #expect(try first.device.read() == .error(ECONNABORTED))
    try expectFlow(second)
  }

  @Test("Connections over two networks are distinct even if they have the same local port")
  func samePortOnTwoNetworks() throws {
    let fixture = try LabFixture(beginning: [.reachable, .isWWAN])
    try fixture.flags([.reachable, .isWWAN], up: PathSet(LabFixture.wifi))
    let old = try fixture.connect(fromPort: 40_000)
    let flow = try fixture.flow(old.device)
    try fixture.flags([.reachable], up: PathSet(LabFixture.cellular))
    let new = try fixture.connect(fromPort: 40_000)
    #expect(try fixture.lab.flows(to: .all).count == 2)
    try fixture.lab.drop([flow])
    try expectStall(old)
    try expectFlow(new)
    try fixture.lab.dropNewConnections(to: 0, except: [flow])
    #expect(new.device.write("late") == nil)
    #expect(try new.server.read(within: Self.stallMilliseconds) == .nothing)
    try fixture.lab.stopDropping(host: 0)
    #expect(try fixture.lab.abort([flow]) == 1)
    #expect(try old.device.read() == .error(ECONNABORTED))
    #expect(try new.server.read() == .text("late"))
  }

  @Test("A new connection is blocked even if it uses the local port of an existing one")
  func blockedOnSamePort() throws {
    let fixture = try LabFixture()
    let old = try fixture.connect(fromPort: 40_000)
    let listener = try fixture.listen(as: 1)
    var faults = ConnectionFaults(fixture.lab)
    _ = try faults.apply(.blackholeConnect)
    let blocked = try fixture.connectError(
      to: 1, fromPort: 40_000, after: LiveSocket.silence)
    #expect(blocked == EINPROGRESS)
    try expectFlow(old)
    _ = try faults.apply(.resume)
    #expect(try fixture.connectError(to: 1, fromPort: 40_001) == nil)
    _ = try listener.accept()
  }

  @Test("A connection is still aborted after its network has given the device a new address")
  func renewed() throws {
    let fixture = try LabFixture()
    let old = try fixture.connect(fromPort: 40_000)
    let flow = try fixture.flow(old.device)
    try fixture.lab.renewAddress(on: LabFixture.wifi)
    #expect(try fixture.lab.flows(to: .all) == [])
    #expect(try fixture.lab.abort([flow]) == 1)
    #expect(try old.device.read() == .error(ECONNABORTED))
  }

  @Test("New connections to a host get no answer while existing ones continue")
  func setDroppingNewConnections() throws {
    let fixture = try LabFixture()
    let old = try fixture.connect()
    let listener = try fixture.listen(as: 1)
    try fixture.lab.dropNewConnections(to: 0, except: [fixture.flow(old.device)])
    #expect(try fixture.connectError(after: LiveSocket.silence) == EINPROGRESS)
    #expect(try fixture.connectError(to: 1) == nil)
    _ = try listener.accept()
    try expectFlow(old)
    try fixture.lab.stopDropping(host: 0)
    // The host answers again, but no program listens there.
    #expect(try fixture.connectError() == ECONNREFUSED)
  }

  @Test("Sockets that are still open at the end are reported")
  func leaks() throws {
    let fixture = try LabFixture()
    let pair = try fixture.connect()
    let leaks = fixture.lab.close()
    #expect(leaks.count == 1)
    #expect(leaks.first?.contains("port \(pair.device.localPort) is open") == true)
    #expect(try LabFixture().lab.close() == [])
  }

  @Test(
    "Undeliverable last data keeps no connection alive for minutes",
    arguments: [
      IPAddress.Family.v4, .v6,
    ])
  func abandoned(_ family: IPAddress.Family) throws {
    let fixture = try LabFixture(family: family)
    let lab = fixture.lab
    do {
      let pair = try fixture.connect()
      try lab.setUplink(false, of: LabFixture.wifi)
      #expect(pair.device.write("from the device") == nil)
      #expect(pair.server.write("from the server") == nil)
    }
    let ends = try [lab.device, lab.servers].map { try SocketTermination(in: $0) }
    for end in ends { #expect(try end.connections().count == 1) }
    #expect(lab.close() == [])
    for end in ends { #expect(try end.connections() == []) }
  }
}

/// Checks a device's route repeatedly until it is stopped.
final class RouteWatch: Sendable {
  struct Seen {
    var looks = 0
    var withoutRoute = 0
  }

  private let seen = Mutex(Seen())
  private let mayStop = Mutex(false)
  private let thread = Mutex<OSThread?>(nil)

  init(_ controller: NetworkController) throws {
    let thread = try OSThread.start {
      while !self.mayStop.withLock({ $0 }) {
        // The route and its interface are two queries. A change between them gives no valid answer,
        // so the check is repeated once.
        let hasWay = Self.hasWay(controller) || Self.hasWay(controller)
        self.seen.withLock {
          $0.looks += 1
          if !hasWay { $0.withoutRoute += 1 }
        }
      }
    }
    self.thread.withLock { $0 = thread }
  }

  private static func hasWay(_ controller: NetworkController) -> Bool {
    let route = try? controller.route(to: DeviceLab.watchedAddress)
    return route.map { $0.interface.isUp && $0.interface.hasCarrier } ?? false
  }

  /// The number of checks so far.
  var looks: Int { seen.withLock(\.looks) }

  func stop() -> Seen {
    mayStop.withLock { $0 = true }
    thread.withLock { $0 }?.join()
    return seen.withLock { $0 }
  }
}
