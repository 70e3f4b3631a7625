import Glibc
import HandoverBackend
import HandoverCore
import HandoverLinux
import Testing

@testable import HandoverLab

/// A lab whose networks carry different families, and whose hosts have their own addresses.
final class AddressFixture {
  static let home = PathIndex(2)
  static let cafe = PathIndex(3)
  static let lte = PathIndex(1)

  let script: Script
  let plan: LivePlan
  let lab: DeviceLab
  private let executor: TimelineExecutor
  private var timeline: DeviceTimeline

  init() throws {
    var script = Script()
    script.paths = ["wifi", "cellular", "home", "cafe"]
    script.hosts = [
      ScriptHost(written: "api.example:443", connect: .milliseconds(100)),
      ScriptHost(written: "old.example:443"), ScriptHost(written: "[2001:db8::9]:443"),
      ScriptHost(written: "plain.example:8080"),
    ]
    script.hosts[0].addresses = try [
      Self.address("2001:db8::7", .nothing), Self.address("2001:db8::8", .refuse),
      Self.address("192.0.2.7"),
    ]
    script.hosts[1].addresses = try [Self.address("192.0.2.7"), Self.address("8.8.8.8")]
    script.networks = [
      ScriptNetwork(Self.home, .wifi), ScriptNetwork(Self.cafe, .wifi),
      ScriptNetwork(Self.lte, .cellular),
    ]
    script.networks[0].names = [
      NetworkNames(host: 1, addresses: [1]), NetworkNames(host: 3, fault: .fail),
    ]
    script.networks[1].families = .ipv4
    script.networks[1].names = [NetworkNames(host: 3, fault: .hang)]
    (script.networks[2].families, script.networks[2].translates) = (.ipv6, true)
    script.initial.networksUp = PathSet(Self.home)
    script.initial.path = Self.home
    script.initial.flags = [.reachable]
    script.entries = [ScriptEntry(at: .zero, action: .answer(1, addresses: [0]))]
    self.script = script
    plan = try LivePlan(script)
    lab = try DeviceLab(plan)
    executor = TimelineExecutor(script: script, lab: lab, platform: .linux)
    timeline = DeviceTimeline(script)
  }

  private static func address(
    _ text: String, _ answer: AddressAnswer = .accept
  ) throws -> ScriptAddress {
    ScriptAddress(try #require(AddressText(text)), answer: answer)
  }

  func go(to path: PathIndex) throws {
    for action in [NetworkAction.up, .makeDefault] {
      _ = try executor.execute(
        timeline.effects(of: .entry(.network(path, action, signal: nil), index: 0), at: .zero))
    }
  }

  func listen(at address: String, _ port: UInt16 = 443) throws -> LiveSocket {
    try lab.servers.run { () throws(LinuxError) in
      try LiveSocket.listening(at: LiveAddress(address, port: port))
    }
  }

  func connect(to address: String, _ port: UInt16 = 443) throws -> LiveSocket {
    try lab.device.run { () throws(LinuxError) in
      try LiveSocket.connected(to: LiveAddress(address, port: port))
    }
  }

  /// Returns both ends of a new connection to the server at 192.0.2.7.
  ///
  /// On a network that translates, the device uses the address that represents the server's.
  func pair(isTranslated: Bool = false) throws -> (device: LiveSocket, server: LiveSocket) {
    let listener = try listen(at: "192.0.2.7")
    let near = try connect(to: isTranslated ? "64:ff9b::c000:207" : "192.0.2.7")
    return (near, try listener.accept())
  }

  /// Returns the error of a connection attempt, and how long it took in milliseconds.
  ///
  /// If no answer comes within the given number of seconds, the error is EINPROGRESS.
  func attempt(
    _ address: String, _ port: UInt16 = 443, after seconds: Int = LiveSocket.patience
  ) throws -> (error: Int32?, took: Int64) {
    let start = monotonicMicroseconds()
    let error = try lab.device.run { () throws(LinuxError) -> Int32? in
      do throws(LinuxError) {
        _ = try LiveSocket.connected(to: LiveAddress(address, port: port), after: seconds)
        return nil
      } catch {
        return error.number
      }
    }
    return (error, (monotonicMicroseconds() - start) / 1_000)
  }
}

@Suite("Addresses in a lab", .enabled(if: namespacesAreMissing == nil))
struct AddressLabTests {
  @Test("Both address families can be dropped at the same time, and pass again afterwards")
  func droppedFamilies() throws {
    let fixture = try AddressFixture()
    let servers = try StreamServer(fixture.script, in: fixture.lab)
    defer { servers.close() }
    func setDropping(_ isDropping: Bool, _ family: IPAddress.Family) throws {
      for router in fixture.lab.routers { try router.setDropping(isDropping, family) }
    }
    try setDropping(true, .v6)
    #expect(try fixture.attempt("192.0.2.7").error == nil)
    try setDropping(true, .v4)
    #expect(try fixture.attempt("192.0.2.7", after: LiveSocket.silence).error == EINPROGRESS)
    try setDropping(false, .v6)
    #expect(try fixture.attempt("192.0.2.7", after: LiveSocket.silence).error == EINPROGRESS)
    try setDropping(false, .v4)
    #expect(try fixture.attempt("192.0.2.7").error == nil)
  }

  @Test("A server answers at each address of its host, as that address is configured")
  func answers() throws {
    let fixture = try AddressFixture()
    let servers = try StreamServer(fixture.script, in: fixture.lab)
    defer { servers.close() }
    #expect(try fixture.attempt("2001:db8::7", after: LiveSocket.silence).error == EINPROGRESS)
    let refused = try fixture.attempt("2001:db8::8")
    #expect(refused.error == ECONNREFUSED && refused.took >= 100)
    let accepted = try fixture.attempt("192.0.2.7")
    #expect(accepted.error == nil && accepted.took >= 100)
    for (address, port) in [
      ("8.8.8.8", 443), ("2001:db8::9", 443), ("203.0.113.4", 8_080), ("2001:db8:113::4", 8_080),
    ] as [(String, UInt16)] {
      #expect(try fixture.attempt(address, port).error == nil, "\(address)")
    }
    // If two hosts have the same address and port, the first one decides how the server answers.
    #expect(fixture.lab.address(of: 0) == LiveAddress("192.0.2.7", port: 443))
    #expect(fixture.lab.address(of: 2) == LiveAddress("2001:db8::9", port: 443))
    #expect(fixture.lab.address(of: 3) == LiveAddress("203.0.113.4", port: 50_051))
  }

  @Test(
    "An IPv6 address is unreachable on a network without IPv6, and nothing is sent over IPv4")
  func literal() throws {
    let fixture = try AddressFixture()
    let listener = try fixture.listen(at: "2001:db8::9")
    let near = try fixture.connect(to: "2001:db8::9")
    let far = try listener.accept()
    try fixture.go(to: AddressFixture.cafe)
    let frames = try PacketSocket(in: fixture.lab.device, .both, keepsSegments: false)
    #expect(try fixture.attempt("2001:db8::9").error == ENETUNREACH)
    var room = [UInt8](repeating: 0, count: PacketSocket.maximumFrameLength)
    while let frame = try frames.receive(into: &room) {
      #expect(room[..<frame.length].word(at: 12) != 0x0800)
      // The device knows this without an answer: it sends no TCP segment.
      #expect(FrameLayout(room[..<frame.length])?.kind != FrameLayout.tcp)
    }
    #expect(try fixture.attempt("192.0.2.7").error == ECONNREFUSED)
    // The old connection continues over the network that stays up.
    #expect(near.write("ping") == nil)
    #expect(try far.read() == .text("ping"))
    try fixture.go(to: AddressFixture.home)
    #expect(try fixture.attempt("2001:db8::9").error == nil)
  }

  @Test("An IPv4 address is unreachable over IPv6 alone, and reachable through translation")
  func translated() throws {
    let fixture = try AddressFixture()
    let listener = try fixture.listen(at: "192.0.2.7")
    try fixture.go(to: AddressFixture.lte)
    #expect(try fixture.attempt("192.0.2.7").error == ENETUNREACH)
    let near = try fixture.connect(to: "64:ff9b::c000:207")
    let far = try listener.accept()
    for (from, to) in [(near, far), (far, near)] {
      #expect(from.write(String(repeating: "x", count: 50_000)) == nil)
      var received = 0
      while received < 50_000, case .text(let text) = try to.read() {
        received += text.utf8.count
      }
      #expect(received == 50_000)
    }
    let flows = try fixture.lab.flows(to: .all)
    #expect(flows.map(\.host) == [0] && flows.map(\.path) == [AddressFixture.lte])
    // No host has this address, and the router reports it.
    #expect(try fixture.attempt("64:ff9b::c000:207", 444).error == ECONNREFUSED)
    // Private addresses are not routed, and their packets stay inside.
    #expect(try fixture.attempt("64:ff9b::a00:1").error != nil)
    try fixture.lab.perform(.renewAddresses(PathSet(AddressFixture.lte)))
    _ = try fixture.connect(to: "64:ff9b::c000:207")
    _ = try listener.accept()
    try fixture.lab.perform(.translate(AddressFixture.lte, .rebindAddress, .reset))
    _ = try fixture.connect(to: "64:ff9b::c000:207")
    _ = try listener.accept()
  }

  @Test("Faults of all connections affect connections through translation")
  func translatedFaults() throws {
    let fixture = try AddressFixture()
    try fixture.go(to: AddressFixture.lte)
    let (near, far) = try fixture.pair(isTranslated: true)
    var faults = ConnectionFaults(fixture.lab)
    #expect(try faults.apply(.stall).met == 1)
    #expect(near.write("up") == nil && far.write("down") == nil)
    #expect(try far.read(within: 1_200) == .nothing)
    #expect(try near.read(within: 1) == .nothing)
    _ = try faults.apply(.resume)
    #expect(try far.read() == .text("up"))
    #expect(try near.read() == .text("down"))
    _ = try faults.apply(.blackholeConnect)
    #expect(near.write("up") == nil && far.write("down") == nil)
    #expect(try far.read() == .text("up"))
    #expect(try near.read() == .text("down"))
    let attempt = try fixture.attempt("64:ff9b::c000:207", after: LiveSocket.silence)
    #expect(attempt.error == EINPROGRESS)
  }

  @Test("A fault of a host affects UDP flows to all its addresses, and through translation")
  func datagramFaults() throws {
    let fixture = try AddressFixture()
    fixture.lab.watchDatagrams()
    func send(to address: String) throws {
      try fixture.lab.device.run { NoWayOutTests.send("hello", to: address) }
    }
    try send(to: "2001:db8::7")
    try fixture.go(to: AddressFixture.lte)
    try send(to: "64:ff9b::c000:207")
    var count = 0
    try expectSometime("both flows have the fault") {
      count += try #require(fixture.lab.applyFaultToDatagrams(.stall, to: 0))
      return count == 2
    }
    #expect(fixture.lab.applyFaultToDatagrams(.stall, to: 2) == 0)
  }

  @Test("A network that ends with resets also resets connections through translation")
  func translatedReset() throws {
    let fixture = try AddressFixture()
    try fixture.go(to: AddressFixture.lte)
    let (near, far) = try fixture.pair(isTranslated: true)
    #expect(try fixture.lab.resetConnections(of: AddressFixture.lte) == 1)
    #expect(try near.read() == .error(ECONNRESET))
    #expect(try far.read() == .error(ECONNABORTED))
  }

  @Test("Faults of two hosts with one endpoint overlap, and each ends separately")
  func sharedEndpoint() throws {
    let fixture = try AddressFixture()
    let listener = try fixture.listen(at: "192.0.2.7")
    for host in 0...1 { try fixture.lab.dropNewConnections(to: host, except: []) }
    try fixture.lab.stopDropping(host: 0)
    let attempt = try fixture.attempt("192.0.2.7", after: LiveSocket.silence)
    #expect(attempt.error == EINPROGRESS)
    try fixture.lab.stopDropping(host: 1)
    #expect(try fixture.attempt("192.0.2.7").error == nil)
    _ = try listener.accept()
  }

  @Test("A connection belongs to each of two hosts with one endpoint")
  func connectionOfTwoHosts() throws {
    let fixture = try AddressFixture()
    let (near, far) = try fixture.pair()
    for host in 0...1 {
      let flow = LiveFlow(localPort: near.localPort, host: host, path: AddressFixture.home)
      #expect(try fixture.lab.flows(to: .one(host)) == [flow])
      try fixture.lab.drop([flow])
      #expect(near.write("up\(host)") == nil)
      #expect(try far.read(within: 1_200) == .nothing)
      try fixture.lab.stopDropping(host: host)
      #expect(try far.read() == .text("up\(host)"))
    }
    let flow = LiveFlow(localPort: near.localPort, host: 1, path: AddressFixture.home)
    #expect(try fixture.lab.abort([flow]) == 1)
    #expect(try near.read() == .error(ECONNABORTED))
  }

  @Test("A router forgets connections repeatedly, and a stall that ends does not restore them")
  func forgotten() throws {
    let fixture = try AddressFixture()
    let (near, far) = try fixture.pair()
    var faults = ConnectionFaults(fixture.lab)
    _ = try faults.apply(.stall)
    for _ in 0..<2 { try fixture.lab.forgetConnections() }
    _ = try faults.apply(.resume)
    #expect(near.write("up") == nil)
    #expect(try far.read(within: 1_200) == .nothing)
  }

  @Test("A name resolves as its network specifies, for clients on that network")
  func names() throws {
    let fixture = try AddressFixture()
    let zone = LabZone(fixture.script, fixture.plan, fixture.lab)
    func ask(_ name: String, _ path: PathIndex, isIPv6: Bool? = false) -> LabZone.Answer {
      let client = fixture.lab.deviceAddresses(on: path)[0].description
      return zone.answer(name, isIPv6: isIPv6, from: client)
    }
    let home = AddressFixture.home
    #expect(ask("api.example", home) == .addresses([[192, 0, 2, 7]]))
    #expect(ask("API.Example", home) == .addresses([[192, 0, 2, 7]]))
    #expect(ask("old.example", home) == .addresses([[8, 8, 8, 8]]))
    #expect(ask("old.example", home, isIPv6: true) == .addresses([]))
    #expect(ask("old.example", home, isIPv6: nil) == .addresses([]))
    #expect(ask("plain.example", home) == .failure)
    #expect(ask("other.example", home) == .noSuchName)
    #expect(ask("2001:db8::9", home) == .noSuchName)
    #expect(ask("plain.example", AddressFixture.cafe) == .silence)
    #expect(
      ask("old.example", AddressFixture.cafe) == .addresses([[192, 0, 2, 7], [8, 8, 8, 8]]))
    let lte = AddressFixture.lte
    #expect(ask("plain.example", lte) == .addresses([[203, 0, 113, 4]]))
    let made = IPAddress(192, 0, 2, 7).translated.bytes
    #expect(
      ask("old.example", lte, isIPv6: true)
        == .addresses([made, IPAddress(8, 8, 8, 8).translated.bytes]))
    // The name has its own IPv6 address.
    guard case .addresses(let own) = ask("api.example", lte, isIPv6: true) else {
      Issue.record("no answer")
      return
    }
    #expect(own.count == 2 && !own.contains(made))
    zone.set(.fail, of: 0)
    #expect(ask("api.example", lte) == .failure)
    zone.set(.resolve, of: 0)
    #expect(ask("api.example", home) == .addresses([[192, 0, 2, 7]]))
    // The entry changes the answer on the networks that have no answer of their own.
    zone.changeAnswer(of: 1, cause: 0)
    #expect(ask("old.example", home) == .addresses([[8, 8, 8, 8]]))
    #expect(ask("old.example", AddressFixture.cafe) == .addresses([[192, 0, 2, 7]]))
    #expect(ask("old.example", lte, isIPv6: true) == .addresses([made]))
    #expect(ask("api.example", home) == .addresses([[192, 0, 2, 7]]))
  }
}
