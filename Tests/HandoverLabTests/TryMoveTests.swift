import HandoverBackend
import HandoverCore
import Testing

@testable import HandoverLab

@Suite("Scripts as network changes")
struct TryMoveTests {
  private static let cellular = ScriptAction.flags(
    [.reachable, .isWWAN], path: nil, linksUp: [], linksDown: [])
  private static let wifi = ScriptAction.flags([.reachable], path: nil, linksUp: [], linksDown: [])
  private static let nothing = ScriptAction.flags([], path: nil, linksUp: [], linksDown: [])

  /// Returns a script with a device on WiFi, and entries a second apart, the first at 1 s.
  private static func script(_ actions: [ScriptAction]) -> Script {
    var script = Script()
    script.paths = ["wifi", "cellular", "cafe"]
    script.hosts = [ScriptHost(written: "a.example:443")]
    script.entries = ContiguousArray(
      actions.enumerated().map { position, action in
        ScriptEntry(at: .zero + .seconds(Int64(position + 1)), action: action)
      })
    return script
  }

  private static func move(_ actions: [ScriptAction]) throws -> TryMove {
    try TryMove(name: "m", title: "M", script(actions))
  }

  /// Makes an IPv6 address (0) or an IPv4 address (1) unreachable.
  private static func unreachable(_ position: Int) -> ScriptAction {
    .address(0, position: position, isReachable: false)
  }

  /// Returns a script whose host has the given addresses.
  private static func script(addresses: [String], _ actions: [ScriptAction]) -> Script {
    var script = script(actions)
    script.hosts[0].addresses = addresses.compactMap { AddressText($0).map { ScriptAddress($0) } }
    return script
  }

  @Test("An address stands for all addresses of its family")
  func addresses() throws {
    let script = Self.script(
      addresses: ["2001:db8::7", "192.0.2.7"],
      [
        Self.unreachable(0), Self.unreachable(0), .address(0, position: 0, isReachable: true),
        Self.unreachable(1),
      ])
    let move = try TryMove(name: "m", title: "M", script)
    #expect(
      move.steps.map(\.phrase) == [
        "IPv6 addresses: unreachable", "IPv6 addresses: reachable", "IPv4 addresses: unreachable",
      ])
    #expect(!move.restoresConnections && !move.forgetsConnections)
    #expect(move.script.hosts[0].addresses.isEmpty)
    let rest = ScriptEntry(
      at: .zero + .seconds(9), action: .address(0, position: 1, isReachable: true))
    var whole = script
    whole.entries.append(rest)
    #expect(try TryMove(name: "m", title: "M", whole).restoresConnections)
  }

  @Test("A network change without any reachable address is refused")
  func noAddress() {
    let script = Self.script(
      addresses: ["2001:db8::7", "192.0.2.7"],
      [Self.unreachable(1), Self.cellular, Self.unreachable(0)])
    let error = #expect(throws: TryMove.UnsupportedScript.self) {
      try TryMove(name: "m", title: "M", script)
    }
    #expect(error?.entry == 2)
    #expect(error?.reason.contains("no server is reachable") == true, "\(error?.reason ?? "")")
  }

  @Test("A lab with one address of each family refuses other addresses")
  func otherAddresses() {
    var slow = Self.script(addresses: ["192.0.2.7"], [Self.cellular])
    slow.hosts[0].addresses[0].connect = .milliseconds(5)
    var deaf = Self.script(addresses: ["192.0.2.7"], [Self.cellular])
    deaf.hosts[0].addresses[0].answer = .nothing
    for script in [
      Self.script(addresses: ["192.0.2.7", "192.0.2.8"], [Self.cellular]), slow, deaf,
    ] {
      let error = #expect(throws: TryMove.UnsupportedScript.self) {
        try TryMove(name: "m", title: "M", script)
      }
      #expect(error?.reason.contains("every name has one address of each family") == true)
      #expect(error?.hint.contains("lab exec") == true)
    }
  }

  /// Returns the effects of each step on the device.
  private static func bodies(_ move: TryMove) -> [[DeviceTimeline.Effect.Body]] {
    move.steps.map { if case .device(let effects) = $0.action { effects.map(\.body) } else { [] } }
  }

  @Test("Device entries form the network change, at their times, and call entries are omitted")
  func entries() throws {
    let move = try Self.move([.startCall(0), Self.cellular, .cancel(0), .path(PathIndex(2))])
    #expect(move.steps.map(\.after) == [.seconds(2), .seconds(4)])
    #expect(move.steps.map(\.phrase) == ["cellular", "cafe"])
    var device = Device(InitialState())
    let first = device.apply([.reachable, .isWWAN], path: nil, up: [], down: [])
    let second = device.move(to: PathIndex(2))
    #expect(
      Self.bodies(move) == [
        [
          .fact(.deviceMoved(PathIndex(1))), .move(first, isReported: true),
          .routeReported([.reachable, .isWWAN], about: nil),
        ],
        [.fact(.deviceMoved(PathIndex(2))), .move(second, isReported: true)],
      ])
    #expect(move.omittedEntryCount == 2)
    #expect(move.script.paths == ["wifi", "cellular", "cafe"])
    #expect(!move.restoresConnections && !move.forgetsConnections)
  }

  @Test("Old connections can continue if the device returns or their network is kept alive")
  func back() throws {
    #expect(try Self.move([Self.cellular, Self.wifi]).restoresConnections)
    #expect(try Self.move([Self.nothing, Self.wifi]).restoresConnections)
    let kept = ScriptAction.flags(
      [.reachable, .isWWAN], path: nil, linksUp: PathSet(PathIndex(0)), linksDown: [])
    #expect(try Self.move([kept]).restoresConnections)
  }

  @Test("Connections that stall permanently are forgotten")
  func stalls() throws {
    #expect(try Self.move([.transport(.all, .stall)]).forgetsConnections)
    let resumed = try Self.move([.transport(.one(0), .stall), .transport(.all, .resume)])
    #expect(!resumed.forgetsConnections && resumed.restoresConnections)
    let acknowledged = try Self.move([.transport(.all, .stallAcked), .transport(.all, .resume)])
    #expect(acknowledged.forgetsConnections)
  }

  /// Scripts that are not network changes: the reported entry, and a word of the reason.
  static let noMoves: [(actions: [ScriptAction], entry: Int?, reason: String)] = [
    ([], nil, "the timeline does not change"),
    ([.startCall(0), .cancel(0)], nil, "the timeline does not change"),
    ([cellular, nothing], 1, "no network"),
    ([.app(.background), cellular], 0, "stopped"),
    ([.transport(.all, .blackholeConnect)], 0, "no new connection"),
    ([.names(0, .fail), .names(0, .hang)], 1, "no name"),
    ([.answer(0, addresses: [0])], nil, "one address of each family"),
    ([cellular, .server(0, .goaway)], 1, "`goaway`"), ([.server(0, .silent)], 0, "served"),
    ([.server(0, .refuse), cellular], 0, "served"), ([.power(.sleep)], 0, "stopped"),
    ([.monitor(.miss, by: .zero)], 0, "no monitor"), ([.signal([])], 0, "no monitor"),
  ]

  private static let home = PathIndex(2)

  /// Returns a network change of a device on the network `home`, with entries a second apart.
  private static func move(_ changes: [NetworkAction]) throws -> TryMove {
    var script = script(changes.map { .network(home, $0, signal: nil) })
    script.networks = [ScriptNetwork(home, .wifi), ScriptNetwork(PathIndex(1), .cellular)]
    script.initial.networksUp = PathSet(home)
    script.initial.path = home
    return try TryMove(name: "m", title: "M", script)
  }

  @Test("Airplane mode is one step, and connections can continue after it")
  func airplaneMode() throws {
    var script = Self.script([.power(.airplane(isOn: true)), .power(.airplane(isOn: false))])
    script.networks = [ScriptNetwork(Self.home, .wifi), ScriptNetwork(PathIndex(1), .cellular)]
    script.initial.networksUp = [PathSet(Self.home), PathSet(PathIndex(1))]
    script.initial.path = Self.home
    let move = try TryMove(name: "m", title: "M", script)
    #expect(move.steps.map(\.phrase) == ["airplane mode", "airplane mode off"])
    #expect(move.restoresConnections && !move.forgetsConnections)
    #expect(move.steps.map(\.action.setsFlags) == [false, false])
    script.entries.removeLast()
    let error = #expect(throws: TryMove.UnsupportedScript.self) {
      try TryMove(name: "m", title: "M", script)
    }
    #expect(error?.entry == 0 && error?.reason.contains("no network") == true)
  }

  @Test("Network events are run, with their later consequences")
  func networks() throws {
    let move = try Self.move([
      .nat(.forget, .drop, every: .seconds(1)),
      .uplink(isUp: false, lasts: .seconds(2), every: nil),
    ])
    #expect(move.steps.map(\.after) == [1, 2, 2, 4].map { .seconds($0) })
    let commands = Self.bodies(move).map { bodies in
      bodies.compactMap { if case .network(let command, _) = $0 { command } else { nil } }
    }
    #expect(
      commands == [
        [.translate(Self.home, .forget, .drop)], [.translate(Self.home, .forget, .drop)],
        [.obstruct(Self.home, .uplinkDown)], [.clear(Self.home, .uplinkDown)],
      ])
    #expect(move.steps.last?.phrase == "cafe has its uplink")
    #expect(move.omittedEntryCount == 0 && move.forgetsConnections)
  }

  @Test(
    "A router that forgets, or new addresses, end connections of their own network only",
    arguments: [NetworkAction.nat(.forget, .drop, every: nil), .roam(.newAddress, .drop)])
  func otherNetwork(_ change: NetworkAction) throws {
    var script = Self.script([
      .network(Self.home, .up, signal: nil), .network(PathIndex(1), .up, signal: nil),
      .network(PathIndex(1), change, signal: nil),
    ])
    script.networks = [ScriptNetwork(Self.home, .wifi), ScriptNetwork(PathIndex(1), .cellular)]
    script.initial.networksUp = PathSet(Self.home)
    script.initial.path = Self.home
    let move = try TryMove(name: "m", title: "M", script)
    #expect(!move.forgetsConnections && move.restoresConnections)
    #expect(try Self.move([change]).forgetsConnections)
  }

  @Test("Old connections cannot continue below a VPN that takes all traffic")
  func takenOver() throws {
    var script = Self.script([
      .network(Self.home, .up, signal: nil), .network(Self.home, .makeDefault, signal: nil),
    ])
    script.networks = [ScriptNetwork(PathIndex(0), .wifi), ScriptNetwork(Self.home, .vpn)]
    script.initial.networksUp = PathSet(PathIndex(0))
    script.initial.path = PathIndex(0)
    #expect(try TryMove(name: "m", title: "M", script).restoresConnections)
    script.networks[1].takesAllTraffic = true
    #expect(try !TryMove(name: "m", title: "M", script).restoresConnections)
  }

  @Test(
    "A change that ends with an unusable network is refused",
    arguments: [
      ([NetworkAction.uplink(isUp: false, lasts: nil, every: nil)], "no network works"),
      ([.captive], "no network works"), ([.loss(.answers)], "no network works"),
      ([.loss(.answers), .loss(.none), .down(nil)], "no network"),
    ])
  func obstructed(_ changes: [NetworkAction], _ reason: String) throws {
    let error = #expect(throws: TryMove.UnsupportedScript.self) { try Self.move(changes) }
    #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    #expect(error?.entry == changes.count - 1)
  }

  @Test("Server entries are carried out by a middlebox in front of all servers")
  func servers() throws {
    let move = try Self.move([.server(0, .silent), .server(0, .accept), .server(0, .close)])
    #expect(move.steps.map(\.action) == [.servers(.silent), .servers(.accept), .connections(.fin)])
    #expect(move.actsOnConnections && move.forgetsConnections)
  }

  @Test(
    "An entry that no lab can run, or that cannot be recovered from, is reported",
    arguments: noMoves)
  func impossible(_ actions: [ScriptAction], _ entry: Int?, _ reason: String) throws {
    let error = #expect(throws: TryMove.UnsupportedScript.self) { try Self.move(actions) }
    #expect(error?.entry == entry)
    #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
  }

  @Test("An entry for one of several hosts is refused, and one for all hosts is accepted")
  func hosts() throws {
    var script = Self.script([.transport(.one(0), .stall)])
    script.hosts.append(ScriptHost(written: "b.example:443"))
    #expect(throws: TryMove.UnsupportedScript.self) { try TryMove(name: "m", title: "M", script) }
    script.entries[0].action = .transport(.all, .stall)
    #expect(try TryMove(name: "m", title: "M", script).steps.count == 1)
  }

  @Test("A program needs time to start, and a network change has an end")
  func beginning() throws {
    var script = Self.script([Self.wifi])
    script.initial.flags = []
    #expect(throws: TryMove.UnsupportedScript.self) { try TryMove(name: "m", title: "M", script) }
    script = Self.script([Self.cellular])
    script.hosts[0].server = .refuse
    #expect(throws: TryMove.UnsupportedScript.self) { try TryMove(name: "m", title: "M", script) }
    script = Self.script([Self.cellular])
    script.entries[0].at = .zero + .minutes(21)
    #expect(throws: TryMove.UnsupportedScript.self) { try TryMove(name: "m", title: "M", script) }
  }
}
