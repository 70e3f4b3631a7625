import Glibc
import HandoverBackend
import HandoverCore
import HandoverLinux
import Testing

@testable import HandoverLab

/// A lab with several networks, and a device on the home network.
private final class NetworkFixture {
  static let home = PathIndex(2)
  static let cafe = PathIndex(3)
  static let lte = PathIndex(1)
  static let office = PathIndex(4)

  let lab: DeviceLab
  private let platform: ProgramRun.Platform
  private var script: Script
  private var timeline: DeviceTimeline
  private let listener: LiveSocket

  init(
    _ platform: ProgramRun.Platform = .linux, reachedByHome: Bool = true, allTraffic: Bool = false
  ) throws {
    var script = Script()
    script.paths = ["wifi", "cellular", "home", "cafe", "office"]
    script.hosts = [ScriptHost(written: "host.example:443")]
    script.networks = [
      ScriptNetwork(Self.home, .wifi), ScriptNetwork(Self.cafe, .ethernet),
      ScriptNetwork(Self.lte, .cellular), ScriptNetwork(Self.office, .vpn),
    ]
    script.networks[0].reachable = [reachedByHome]
    script.networks[3].takesAllTraffic = allTraffic
    script.initial.networksUp = PathSet(Self.home)
    script.initial.path = Self.home
    let lab = try DeviceLab(LivePlan(script))
    self.lab = lab
    self.platform = platform
    self.script = script
    timeline = DeviceTimeline(script)
    let address = lab.address(of: 0)
    listener = try lab.servers.run { () throws(LinuxError) in
      try LiveSocket.listening(at: address)
    }
  }

  func perform(_ action: ScriptAction) throws {
    script.entries = [ScriptEntry(at: .zero, action: action)]
    _ = try TimelineExecutor(script: script, lab: lab, platform: platform)
      .execute(timeline.effects(of: .entry(action, index: 0), at: .zero))
  }

  func perform(_ path: PathIndex, _ action: NetworkAction) throws {
    try perform(.network(path, action, signal: nil))
  }

  func connect(
    after seconds: Int = LiveSocket.patience
  ) throws -> (device: LiveSocket, server: LiveSocket) {
    let address = lab.address(of: 0)
    let near = try lab.device.run { () throws(LinuxError) in
      try LiveSocket.connected(to: address, after: seconds)
    }
    return (near, try listener.accept())
  }

  /// Whether a text arrives at the other end and its echo returns.
  func echoes(_ pair: (device: LiveSocket, server: LiveSocket)) throws -> Bool {
    guard pair.device.write("ping") == nil, try pair.server.read() == .text("ping") else {
      return false
    }
    #expect(pair.server.write("pong") == nil)
    return try pair.device.read() == .text("pong")
  }

  /// Whether no text or echo arrives for some milliseconds.
  func isSilent(
    _ pair: (device: LiveSocket, server: LiveSocket), for time: Int64
  ) throws -> Bool {
    guard pair.device.write("ping") == nil else { return false }
    guard try pair.server.read(within: time) == .text("ping") else { return true }
    #expect(pair.server.write("pong") == nil)
    return try pair.device.read(within: time) == .nothing
  }

  /// Returns the client addresses that the servers see.
  func seenPeers() throws -> [IPAddress] {
    try SocketTermination(in: lab.servers).connections().filter(\.isHeld).map(\.remoteAddress)
  }
}

@Suite("Changes of a lab's networks", .enabled(if: namespacesAreMissing == nil))
struct NetworkPlayTests {
  private typealias Fixture = NetworkFixture

  @Test("Networks are up simultaneously, and connections of the old network continue")
  func sideBySide() throws {
    let fixture = try Fixture()
    let old = try fixture.connect()
    try fixture.perform(Fixture.lte, .up)
    #expect(try fixture.echoes(old))
    try fixture.perform(Fixture.lte, .makeDefault)
    let new = try fixture.connect()
    #expect(try fixture.echoes(old))
    #expect(try fixture.echoes(new))
    let peers = Set(try fixture.seenPeers().map(\.description))
    #expect(peers == ["192.168.2.2", "10.64.1.2"], "\(peers)")
    try fixture.perform(Fixture.home, .down(nil))
    #expect(try fixture.isSilent(old, for: 300))
    #expect(try fixture.echoes(new))
    try fixture.perform(Fixture.home, .up)
    #expect(try old.server.read() == .text("ping"))
  }

  @Test("Two networks of one kind can coexist")
  func twoOfAKind() throws {
    let fixture = try Fixture()
    let old = try fixture.connect()
    try fixture.perform(Fixture.cafe, .up)
    try fixture.perform(Fixture.cafe, .makeDefault)
    let new = try fixture.connect()
    #expect(try fixture.echoes(old))
    #expect(try fixture.echoes(new))
  }

  @Test("A network that goes down resets its connections, or lets the platform end them")
  func endings() throws {
    for (platform, ending, error) in [
      (ProgramRun.Platform.linux, NetworkEnding.reset, ECONNRESET), (.cfstream, nil, ECONNABORTED),
    ] as [(ProgramRun.Platform, NetworkEnding?, Int32)] {
      let fixture = try Fixture(platform)
      let pair = try fixture.connect()
      #expect(try fixture.echoes(pair))
      try fixture.perform(Fixture.home, .down(ending))
      #expect(try pair.device.read() == .error(error))
    }
    let fixture = try Fixture(.cfstream)
    let pair = try fixture.connect()
    try fixture.perform(Fixture.home, .down(.silent))
    #expect(try pair.device.read(within: 300) == .nothing)
  }

  @Test(
    "A router that forgets drops or resets old connections, and new ones are not affected",
    arguments: NATChange.allCases, UnknownFlows.allCases)
  func translation(_ word: NATChange, _ unknown: UnknownFlows) throws {
    let fixture = try Fixture()
    let old = try fixture.connect()
    #expect(try fixture.echoes(old))
    try fixture.perform(Fixture.home, .nat(word, unknown, every: nil))
    if unknown == .drop {
      #expect(try fixture.isSilent(old, for: 400))
    } else {
      #expect(old.device.write("ping") == nil)
      #expect(try old.device.read() == .error(ECONNRESET))
    }
    let new = try fixture.connect()
    #expect(try fixture.echoes(new))
    let peers = try fixture.seenPeers()
    let isOther = peers.contains { $0.description == "192.168.2.128" }
    #expect(isOther == (word == .rebindAddress), "\(peers)")
  }

  @Test(
    "An uplink, a portal, one-way loss and the radio stop connections, which continue afterward")
  func obstacles() throws {
    let fixture = try Fixture()
    let home = Fixture.home
    for (begin, end) in [
      (
        NetworkAction.uplink(isUp: false, lasts: nil, every: nil),
        NetworkAction.uplink(isUp: true, lasts: nil, every: nil)
      ),
      (.loss(.requests), .loss(.none)), (.loss(.answers), .loss(.none)), (.captive, .validated),
    ] {
      let pair = try fixture.connect()
      #expect(try fixture.echoes(pair))
      try fixture.perform(home, begin)
      #expect(try fixture.isSilent(pair, for: 300), "\(begin)")
      try fixture.perform(home, end)
      let reading = try pair.server.read()
      if begin != .loss(.answers) { #expect(reading == .text("ping"), "\(begin)") }
      #expect(pair.server.write("late") == nil)
      var received = ""
      while !received.hasSuffix("late"), case .text(let text) = try pair.device.read() {
        received += text
      }
      #expect(received.hasSuffix("late"), "after \(end)")
    }
    let pair = try fixture.connect()
    try fixture.perform(.power(.sleep))
    #expect(try fixture.isSilent(pair, for: 300))
    try fixture.perform(.power(.wake(newAddress: false)))
    #expect(try pair.server.read() == .text("ping"))
  }

  @Test("Airplane mode takes the device's routes away, and connections continue after it")
  func airplaneMode() throws {
    let fixture = try Fixture()
    let pair = try fixture.connect()
    #expect(try fixture.echoes(pair))
    try fixture.perform(.power(.airplane(isOn: true)))
    #expect(throws: LinuxError.self) { try fixture.connect() }
    #expect(try fixture.isSilent(pair, for: 300))
    try fixture.perform(.power(.airplane(isOn: false)))
    #expect(try pair.server.read() == .text("ping"))
    #expect(try fixture.echoes(try fixture.connect()))
  }

  @Test("A one-way loss affects only that direction")
  func oneWay() throws {
    let fixture = try Fixture()
    let pair = try fixture.connect()
    #expect(try fixture.echoes(pair))
    try fixture.perform(Fixture.home, .loss(.answers))
    #expect(pair.device.write("ping") == nil)
    #expect(try pair.server.read() == .text("ping"))
    #expect(pair.server.write("pong") == nil)
    #expect(try pair.device.read(within: 300) == .nothing)
  }

  @Test("A portal answers in place of every server")
  func portal() throws {
    let fixture = try Fixture()
    try fixture.perform(Fixture.home, .captive)
    let client = try fixture.lab.device.run { () throws(LinuxError) in
      try LiveSocket.connected(to: LiveAddress("203.0.113.77", port: 80))
    }
    #expect(client.write("GET / HTTP/1.1\r\n\r\n") == nil)
    guard case .text(let text) = try client.read() else {
      Issue.record("the portal says nothing")
      return
    }
    #expect(text.hasPrefix("HTTP/1.1 511 Network Authentication Required"))
    #expect(try client.read() == .end)
  }

  @Test(
    "A new address ends no connection, but old connections stall",
    arguments: [false, true])
  func address(isAsleep: Bool) throws {
    let fixture = try Fixture()
    let old = try fixture.connect()
    #expect(try fixture.echoes(old))
    if isAsleep {
      try fixture.perform(.power(.sleep))
      try fixture.perform(.power(.wake(newAddress: true)))
    } else {
      try fixture.perform(Fixture.home, .roam(.newAddress, .drop))
    }
    #expect(try fixture.isSilent(old, for: 400))
    let new = try fixture.connect()
    #expect(try fixture.echoes(new))
    #expect(try fixture.seenPeers().contains { $0.description == "192.168.2.3" })
    // Again while the router has no uplink, and with a new address beyond the router.
    try fixture.perform(Fixture.home, .uplink(isUp: false, lasts: nil, every: nil))
    try fixture.perform(Fixture.home, .roam(.newAddress, .drop))
    try fixture.perform(Fixture.home, .uplink(isUp: true, lasts: nil, every: nil))
    try fixture.perform(Fixture.home, .nat(.rebindAddress, .drop, every: nil))
    let translated = try fixture.connect()
    #expect(try fixture.echoes(translated))
  }

  @Test("Another access point of the same network changes nothing")
  func sameAddress() throws {
    let fixture = try Fixture()
    let pair = try fixture.connect()
    try fixture.perform(Fixture.home, .roam(.sameAddress, .drop))
    #expect(try fixture.echoes(pair))
    try fixture.perform(Fixture.home, .roam(.newRouter, .drop))
    #expect(try fixture.isSilent(pair, for: 300))
  }

  @Test("A quality applies to one network")
  func quality() throws {
    let fixture = try Fixture()
    var quality = LinkQuality()
    quality.delay = .milliseconds(60)
    try fixture.perform(Fixture.home, .quality(quality))
    let start = monotonicMicroseconds()
    let slow = try fixture.connect()
    #expect(monotonicMicroseconds() - start > 110_000)
    try fixture.perform(Fixture.cafe, .up)
    try fixture.perform(Fixture.cafe, .makeDefault)
    let pair = try fixture.connect()
    // A busy machine delays some echoes. With the quality of the other network, all would be late.
    try expectSometime("an echo without the delay of the other network") {
      let start = monotonicMicroseconds()
      let isPresent = try fixture.echoes(pair)
      return isPresent && monotonicMicroseconds() - start < 110_000
    }
    #expect(try fixture.echoes(slow))
  }

  @Test("A network resolves its router's address without delay, however bad its quality is")
  func discovery() throws {
    let fixture = try Fixture()
    var quality = LinkQuality()
    // An answer that crosses the medium arrives after the end of the test.
    quality.delay = .minutes(30)
    try fixture.perform(Fixture.home, .quality(quality))
    let frames = try PacketSocket(in: fixture.lab.device, .both, keepsSegments: false)
    var room = [UInt8](repeating: 0, count: PacketSocket.maximumFrameLength)
    // The device sends its first TCP segment only after the router has answered.
    try expectSometime("the first segment of a connection") {
      #expect(throws: LinuxError.self) { _ = try fixture.connect(after: LiveSocket.silence) }
      while let frame = try frames.receive(into: &room) {
        let isIPv4 = frame.length > 23 && room[12] == 0x08 && room[13] == 0
        if isIPv4, room[23] == FrameLayout.tcp { return true }
      }
      return false
    }
  }

  @Test("A router without an uplink exists: attempts get neither an answer nor an error")
  func routerWithoutUplink() throws {
    let fixture = try Fixture()
    try fixture.perform(Fixture.home, .uplink(isUp: false, lasts: nil, every: nil))
    // The device would stop looking for its router after three seconds.
    for _ in 0..<2 {
      let error = #expect(throws: LinuxError.self) {
        _ = try fixture.connect(after: LiveSocket.silence)
      }
      #expect(error?.number == EINPROGRESS)
    }
    try fixture.perform(Fixture.home, .uplink(isUp: true, lasts: nil, every: nil))
    #expect(try fixture.echoes(try fixture.connect()))
  }

  @Test("A VPN comes and goes, and connections keep their source address")
  func vpn() throws {
    let fixture = try Fixture()
    func address(_ path: PathIndex) throws -> IPAddress {
      try #require(fixture.lab.deviceAddress(on: path))
    }
    let old = try fixture.connect()
    try fixture.perform(Fixture.office, .up)
    try fixture.perform(Fixture.office, .makeDefault)
    let inside = try fixture.connect()
    #expect(try fixture.echoes(old))
    #expect(try fixture.echoes(inside))
    #expect(
      Set(try fixture.seenPeers()) == [try address(Fixture.home), try address(Fixture.office)])
    try fixture.perform(Fixture.home, .makeDefault)
    try fixture.perform(Fixture.office, .down(.silent))
    #expect(try fixture.isSilent(inside, for: 300))
    #expect(try fixture.echoes(old))
    #expect(try fixture.echoes(try fixture.connect()))
  }

  @Test("While a VPN takes all traffic, the other networks stay up but carry nothing")
  func allTraffic() throws {
    let fixture = try Fixture(allTraffic: true)
    let old = try fixture.connect()
    #expect(try fixture.echoes(old))
    try fixture.perform(Fixture.office, .up)
    #expect(try fixture.echoes(old), "the VPN is not the default network yet")
    try fixture.perform(Fixture.office, .makeDefault)
    let new = try fixture.connect()
    #expect(try fixture.isSilent(old, for: 300))
    #expect(try fixture.echoes(new))
    try fixture.perform(Fixture.home, .makeDefault)
    #expect(try old.server.read() == .text("ping"))
  }

  @Test("A host that the default network does not reach is reached over another one, or not at all")
  func reaches() throws {
    let fixture = try Fixture(reachedByHome: false)
    #expect(throws: LinuxError.self) { _ = try fixture.connect(after: LiveSocket.silence) }
    try fixture.perform(Fixture.lte, .up)
    let detour = try fixture.connect()
    #expect(try fixture.echoes(detour))
    #expect(try fixture.seenPeers() == [try #require(fixture.lab.deviceAddress(on: Fixture.lte))])
    try fixture.perform(Fixture.cafe, .up)
    try fixture.perform(Fixture.cafe, .makeDefault)
    let direct = try fixture.connect()
    #expect(try fixture.echoes(direct))
    #expect(try fixture.echoes(detour))
    #expect(
      Set(try fixture.seenPeers())
        == Set([Fixture.lte, Fixture.cafe].compactMap(fixture.lab.deviceAddress(on:))))
  }

  @Test("A middlebox ends, swallows and refuses in place of a server")
  func middlebox() throws {
    let fixture = try Fixture()
    fixture.lab.watchConnections()
    let ended = try fixture.connect()
    #expect(try fixture.echoes(ended))
    #expect(fixture.lab.endConnections() == 1)
    #expect(try ended.device.read() == .end)
    #expect(ended.device.write("bye") == nil)
    #expect(try ended.server.read(within: 300) == .nothing)
    let swallowed = try fixture.connect()
    fixture.lab.swallowConnections(all: true)
    #expect(try fixture.isSilent(swallowed, for: 300))
    let later = try fixture.connect()
    #expect(try fixture.isSilent(later, for: 300))
    // Everything was acknowledged, so nothing is retransmitted.
    fixture.lab.serveConnections()
    #expect(try swallowed.server.read(within: 700) == .nothing)
    fixture.lab.refuseConnections()
    #expect(throws: LinuxError(call: "connect", errno: ECONNREFUSED)) {
      try fixture.lab.device.run { [lab = fixture.lab] () throws(LinuxError) in
        try LiveSocket.connected(to: lab.address(of: 0))
      }
    }
    fixture.lab.serveConnections()
    #expect(try fixture.echoes(fixture.connect()))
  }
}
