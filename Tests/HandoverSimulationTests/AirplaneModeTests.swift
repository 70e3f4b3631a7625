import HandoverBackend
import HandoverCore
import Testing

@Suite("Airplane mode")
struct AirplaneModeTests {
  private typealias Body = DeviceTimeline.Effect.Body

  private static let home = PathIndex(2)
  private static let lte = PathIndex(1)
  private static let office = PathIndex(3)
  private static let dock = PathIndex(4)
  private static let on = ScriptAction.power(.airplane(isOn: true))
  private static let off = ScriptAction.power(.airplane(isOn: false))

  /// A device with four networks; `home` is the default, and `lte` and the wired `dock` are up.
  private static func script(_ change: (inout Script) -> Void = { _ in }) -> Script {
    var script = Script()
    script.paths = ["wifi", "lte", "home", "office", "dock"]
    script.networks = [
      ScriptNetwork(home, .wifi), ScriptNetwork(lte, .cellular), ScriptNetwork(office, .vpn),
      ScriptNetwork(dock, .ethernet),
    ]
    script.initial.networksUp = [PathSet(home), PathSet(lte), PathSet(dock)]
    script.initial.path = home
    script.initial.flags = [.reachable]
    change(&script)
    return script
  }

  /// Runs entries a second apart, and returns the effects of each.
  private static func run(
    _ actions: [ScriptAction], on timeline: inout DeviceTimeline, from start: Int64 = 1
  ) -> [[Body]] {
    actions.enumerated().map { index, action in
      let now = Instant.zero + .seconds(start + Int64(index))
      while let next = timeline.nextChange(by: now) {
        _ = timeline.effects(of: .due(next.change), at: next.at)
      }
      return timeline.effects(of: .entry(action, index: UInt32(index)), at: now).map(\.body)
    }
  }

  private static func events(_ bodies: [Body]) -> [String] {
    bodies.compactMap {
      switch $0 {
      case .fact(.networkChanged(let path, let event)): "\(path.index) \(event)"
      case .routeReported(let flags, _), .callback(let flags, _): "flags \(flags.rawValue)"
      default: nil
      }
    }
  }

  private static func network(_ path: PathIndex, _ action: NetworkAction) -> ScriptAction {
    .network(path, action, signal: nil)
  }

  @Test("All radios go off at once, and the app continues to run")
  func begins() {
    var timeline = DeviceTimeline(Self.script())
    let effects = Self.run([Self.on], on: &timeline)[0]
    #expect(Self.events(effects) == ["2 down", "flags 0", "1 down"])
    #expect(timeline.device.app == .foreground && timeline.device.stateAfterWake == nil)
    #expect(timeline.device.path == nil && timeline.device.flags == [])
    #expect(timeline.device.pathsUp == PathSet(Self.dock))
    #expect(effects.contains { if case .app = $0 { true } else { false } } == false)
  }

  @Test("The networks come up again in their order, and the former default network is the default")
  func ends() {
    var timeline = DeviceTimeline(Self.script())
    let before = timeline.device
    let effects = Self.run([Self.on, Self.off], on: &timeline)[1]
    #expect(Self.events(effects) == ["2 up", "2 madeDefault", "flags 2", "1 up"])
    #expect(timeline.device == before)
  }

  @Test("A client that watches every network gets a callback for each")
  func everyNetwork() {
    var timeline = DeviceTimeline(Self.script { $0.configuration.monitorWatch = .anyNetwork })
    let effects = Self.run([Self.on, Self.off], on: &timeline)
    #expect(Self.events(effects[0]) == ["2 down", "flags 0", "1 down", "flags 0"])
    #expect(
      Self.events(effects[1])
        == [
          "2 up", "2 madeDefault", "flags 2", "1 up",
          "flags \(NetworkKind.cellular.flags.rawValue)",
        ])
  }

  @Test("A repeated entry has no effect, and neither has the end of a mode that is not on")
  func twice() {
    var timeline = DeviceTimeline(Self.script())
    let effects = Self.run([Self.off, Self.on, Self.on, Self.off, Self.off], on: &timeline)
    #expect(effects.map(\.isEmpty) == [true, false, true, false, true])
  }

  @Test("A network that is brought up in airplane mode is up as usual, and no longer part of it")
  func wifiInAirplaneMode() {
    var timeline = DeviceTimeline(Self.script())
    let effects = Self.run(
      [
        Self.on, Self.network(Self.home, .up), Self.network(Self.home, .makeDefault), Self.off,
      ], on: &timeline)
    #expect(
      effects[1...3].map { Self.events($0) } == [["2 up"], ["2 madeDefault", "flags 2"], ["1 up"]])
    // The last entry about the network took it down.
    _ = Self.run(
      [Self.on, Self.network(Self.home, .up), Self.network(Self.home, .down(nil)), Self.off],
      on: &timeline, from: 10)
    #expect(timeline.device.pathsUp == [PathSet(Self.lte), PathSet(Self.dock)])
    #expect(timeline.device.path == nil)
  }

  @Test("Another default network stays the default, and a network that is up becomes it if needed")
  func standard() {
    var other = DeviceTimeline(Self.script())
    _ = Self.run([Self.on, Self.network(Self.dock, .makeDefault), Self.off], on: &other)
    #expect(other.device.path == Self.dock)
    var same = DeviceTimeline(Self.script())
    _ = Self.run([Self.on, Self.network(Self.home, .up), Self.off], on: &same)
    #expect(same.device.path == Self.home)
  }

  @Test("A wired default network stays")
  func wired() {
    var timeline = DeviceTimeline(Self.script { $0.initial.path = Self.dock })
    let effects = Self.run([Self.on, Self.off], on: &timeline)
    #expect(effects.map { Self.events($0) } == [["2 down", "1 down"], ["2 up", "1 up"]])
    #expect(timeline.device.path == Self.dock)
  }

  @Test("A lingering network is down for good")
  func lingering() {
    var timeline = DeviceTimeline(Self.script())
    _ = Self.run(
      [Self.network(Self.lte, .losing(linger: .seconds(60), nil)), Self.on, Self.off],
      on: &timeline)
    #expect(timeline.device.pathsUp == [PathSet(Self.home), PathSet(Self.dock)])
    #expect(timeline.nextDeadline == nil)
  }

  @Test("Sleep in airplane mode does not end it")
  func sleep() {
    var timeline = DeviceTimeline(Self.script())
    _ = Self.run(
      [Self.on, .power(.sleep), .power(.wake(newAddress: false))], on: &timeline)
    #expect(timeline.device.pathsUp == PathSet(Self.dock) && timeline.device.app == .foreground)
    _ = Self.run([Self.off], on: &timeline, from: 10)
    #expect(timeline.device.path == Self.home)
  }

  @Test("Without declared networks there is nothing that it takes down")
  func noNetworks() {
    var timeline = DeviceTimeline(Script())
    #expect(Self.run([Self.on, Self.off], on: &timeline) == [[], []])
  }

  /// Returns random entries about networks, as a device without airplane mode would have them.
  private static func entries(_ generator: inout SeededGenerator) -> [ScriptAction] {
    let paths = [home, lte, office, dock]
    return (0..<8).map { _ in
      let path = paths[Int(generator.next(upToAndIncluding: 3))]
      switch generator.next(upToAndIncluding: 4) {
      case 0: return network(path, .up)
      case 1: return network(path, .down(nil))
      case 2: return network(path, .captive)
      default: return network(path, .makeDefault)
      }
    }
  }

  @Test("The effects equal those of separate entries for each network", arguments: 0..<200)
  func separateEntries(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var timeline = DeviceTimeline(Self.script { $0.networks[2].takesAllTraffic = true })
    _ = Self.run(Self.entries(&generator), on: &timeline)
    var other = timeline
    let radios = [Self.home, Self.lte, Self.office].filter { timeline.device.pathsUp.contains($0) }
    let standard = timeline.device.path
    let downs = radios.map { Self.network($0, .down(nil)) }
    var ups: [ScriptAction] = []
    for path in radios {
      ups.append(Self.network(path, .up))
      if path == standard { ups.append(Self.network(path, .makeDefault)) }
    }
    let airplane = Self.run([Self.on], on: &timeline, from: 20)
    #expect(airplane.flatMap(\.self) == Self.run(downs, on: &other, from: 20).flatMap(\.self))
    let back = Self.run([Self.off], on: &timeline, from: 40)
    #expect(back.flatMap(\.self) == Self.run(ups, on: &other, from: 40).flatMap(\.self))
    #expect(timeline.device == other.device)
  }
}
