import HandoverCore
import Testing

@testable import HandoverSimulation

@Suite("The device and its paths")
struct DeviceTests {
  static let (wifi, cellular, hotspot) = (Script.wifiPath, Script.cellularPath, PathIndex(2))

  static func device(_ flags: ReachabilityFlags, path: PathIndex? = nil) -> Device {
    var initial = InitialState()
    initial.flags = flags
    initial.path = path
    return Device(initial)
  }

  @Test(
    "The device starts on the path of its category, or on the given one",
    arguments: [
      (.wifi, nil, wifi), (.cellular, nil, cellular), (.none, nil, nil), (.wifi, hotspot, hotspot),
      (.none, hotspot, nil), ([.reachable, .connectionRequired], nil, nil),
    ] as [(ReachabilityFlags, PathIndex?, PathIndex?)])
  func beginsOnItsPath(flags: ReachabilityFlags, given: PathIndex?, path: PathIndex?) {
    #expect(Self.device(flags, path: given).path == path)
  }

  @Test("A network change is the same, whether it was made or is derived from its result")
  func movesSeenFromTheirEnds() {
    var device = Self.device(.cellular)
    let steps: [(ReachabilityFlags, PathIndex?, up: PathSet, down: PathSet)] = [
      (.wifi, nil, up: PathSet(Self.cellular), down: []),
      (.wifi, Self.hotspot, up: [], down: PathSet(Self.cellular)),
      (.cellular, nil, up: PathSet(Self.hotspot), down: []),
      (.wifi, Self.hotspot, up: [], down: []), (.none, nil, up: [], down: []),
    ]
    for (flags, path, up, down) in steps {
      let old = device
      let made = device.apply(flags, path: path, up: up, down: down)
      #expect(device.move(from: old) == made)
      let elsewhere = Device(
        flags: device.flags, path: device.path, keptAlive: device.keptAlive, app: device.app)
      #expect(elsewhere == device)
    }
  }

  @Test("A path that was kept alive is an ordinary path again when the device is back on it")
  func backOnAPathThatWasKept() {
    var device = Self.device(.wifi)
    _ = device.apply(.cellular, path: nil, up: PathSet(Self.wifi), down: [])
    #expect(device.keptAlive == PathSet(Self.wifi))
    _ = device.apply(.wifi, path: nil, up: [], down: [])
    #expect(device.keptAlive == [])
  }

  /// From flags and path, by flags with or without a path, to a path.
  static let moves: [(ReachabilityFlags, PathIndex?, ReachabilityFlags, PathIndex?, PathIndex?)] = [
    (.wifi, nil, .cellular, nil, cellular),
    (.wifi, nil, .none, nil, nil),
    (.wifi, nil, .none, hotspot, nil),
    (.none, nil, .wifi, nil, wifi),
    (.none, nil, .wifi, hotspot, hotspot),
    (.cellular, nil, .wifi, hotspot, hotspot),
    // Flags of the same category do not change the path, unless one is given.
    (.wifi, hotspot, [.reachable, .isDirect], nil, hotspot),
    (.wifi, hotspot, .wifi, wifi, wifi),
    (.cellular, hotspot, .wifi, nil, wifi),
  ]

  @Test("The path follows the flags", arguments: moves.indices)
  func followsItsFlags(_ row: Int) {
    let (before, start, flags, given, path) = Self.moves[row]
    var device = Self.device(before, path: start)
    let old = device.path
    let move = device.apply(flags, path: given, up: [], down: [])
    #expect(device.path == path)
    #expect(device.flags == flags)
    #expect((move.from, move.to) == (old, path))
    #expect(move.oldCategory == NetworkCategory(before))
    #expect(move.newCategory == NetworkCategory(flags))
  }

  @Test("The device moves to another path of the same category if it has a network")
  func movesWithoutFlags() {
    var device = Self.device(.wifi)
    let move = device.move(to: Self.hotspot)
    #expect((move.from, move.to) == (Self.wifi, Self.hotspot))
    #expect(move.oldCategory == .wifi && move.newCategory == .wifi)
    var offline = Self.device(.none)
    #expect(offline.move(to: Self.hotspot).to == nil)
    #expect(offline.path == nil)
  }

  @Test("Links stay alive until they go down")
  func keepsLinks() {
    var device = Self.device(.cellular)
    let cellular = PathSet(Self.cellular)
    #expect(device.apply(.wifi, path: nil, up: cellular, down: []).endingPaths == [])
    #expect(device.keptAlive == cellular)
    #expect(device.apply(.wifi, path: nil, up: [], down: cellular).endingPaths == cellular)
    #expect(device.keptAlive == [])
    // A link that was not alive cannot die.
    #expect(device.apply(.wifi, path: nil, up: [], down: cellular).endingPaths == [])
  }
}

@Suite("The effect of leaving a path on its connections")
struct PathLossPolicyTests {
  static let categories: [NetworkCategory] = [.noNetwork, .cellular, .wifi]

  @Test("CFStream always reports the loss (D10)")
  func cfStreamTells() {
    for app in AppState.allCases {
      for old in Self.categories {
        for new in Self.categories {
          #expect(TransportModel.cfStream.pathLoss.outcome(app, from: old, to: new) == .breaks)
        }
      }
    }
  }

  @Test("TCP stalls in the background, whatever the two networks are (D8b)")
  func tcpStallsInTheBackground() {
    for old in Self.categories {
      for new in Self.categories {
        for app in AppState.allCases where app.isInBackground {
          #expect(TransportModel.tcpSockets.pathLoss.outcome(app, from: old, to: new) == .stalls)
        }
      }
    }
  }

  /// In the foreground only a change from cellular to WiFi stalls (D8a); all others break (D3).
  static let foreground: [(NetworkCategory, NetworkCategory, PathLossOutcome)] = [
    (.cellular, .wifi, .stalls),
    (.cellular, .cellular, .breaks), (.cellular, .noNetwork, .breaks),
    (.wifi, .cellular, .breaks), (.wifi, .wifi, .breaks), (.wifi, .noNetwork, .breaks),
    (.noNetwork, .wifi, .breaks), (.noNetwork, .cellular, .breaks),
    (.noNetwork, .noNetwork, .breaks),
  ]

  @Test(
    "TCP in the foreground stalls only for WiFi after cellular (D8a, D3)", arguments: foreground)
  func tcpInTheForeground(old: NetworkCategory, new: NetworkCategory, outcome: PathLossOutcome) {
    #expect(TransportModel.tcpSockets.pathLoss.outcome(.foreground, from: old, to: new) == outcome)
  }

  @Test("Linux does not notify TCP of a lost network")
  func linuxTellsNothing() {
    for app in AppState.allCases {
      for old in Self.categories {
        for new in Self.categories {
          #expect(TransportModel.linuxSockets.pathLoss.outcome(app, from: old, to: new) == .stalls)
        }
      }
    }
    #expect(TransportModel.linuxSockets.pathLoss.outlivesItsPath)
  }

  @Test("Only TCP is unaffected by leaving a path that stays alive (D3c)")
  func keptAlive() {
    let minded = TransportModel.known.filter { !$0.pathLoss.outlivesItsPath }
    #expect(minded == [.cfStream, .urlLoading])
  }

  @Test(
    "A change affects connections of the path that the device leaves, and of paths that die with it"
  )
  func pathOfTheConnection() {
    var device = Device(InitialState())
    let toCellular = device.apply(.cellular, path: nil, up: PathSet(Script.wifiPath), down: [])
    func outcome(
      _ transport: TransportModel, _ path: PathIndex, _ move: Device.Move
    ) -> PathLossOutcome? {
      transport.pathLoss.outcome(of: path, when: move, on: device)
    }
    #expect(outcome(.tcpSockets, Script.wifiPath, toCellular) == nil)
    #expect(outcome(.cfStream, Script.wifiPath, toCellular) == .breaks)
    #expect(outcome(.cfStream, Script.cellularPath, toCellular) == nil)
    #expect(outcome(.cfStream, PathIndex(2), toCellular) == nil)
    let toNone = device.apply([], path: nil, up: [], down: PathSet(Script.wifiPath))
    #expect(outcome(.tcpSockets, Script.wifiPath, toNone) == .breaks)
    #expect(outcome(.tcpSockets, Script.cellularPath, toNone) == .breaks)
    let toWifi = device.apply(.wifi, path: nil, up: [], down: [])
    #expect(outcome(.cfStream, Script.wifiPath, toWifi) == nil)
  }

  @Test("A stalled connection continues when the device returns to its path")
  func returnsToThePath() throws {
    let story = Story(flags: .cellular).call(.bidi)
      .at(1_000, .flags(.wifi)).at(2_000, .send(0, bytes: 10)).at(4_000, .flags(.cellular))
    let played = try story.played()
    #expect(played.instants { if case .connectionStalled = $0 { true } else { false } } == [1_000])
    #expect(played.instants { if case .connectionResumed = $0 { true } else { false } } == [4_000])
    #expect(played.reads == [.init(0, 0), .init(4_000, 0)])
    #expect(played.end(of: 0) == nil)
  }

  @Test(
    "Each profile behaves like its transport",
    arguments: [
      (Profile.sockets, nil), (.cfStream, .failed(1_000, .aborted)),
      (.socketsMonitor, .ended(1_000, .connectivityLost)),
      (.sockets2017, .ended(1_000, .connectivityLost)),
    ] as [(Profile, Played.At<CallEnd>?)])
  func differsByProfile(profile: Profile, end: Played.At<CallEnd>?) throws {
    let played = try Story(flags: .cellular).call().at(1_000, .flags(.wifi)).played(on: profile)
    #expect(played.end(of: 0) == end)
  }

  @Test("A link that stays up is not lost, and dies when it goes down")
  func linkDies() throws {
    let cellular = PathSet(Script.cellularPath)
    let up = ScriptAction.flags(.wifi, path: nil, linksUp: cellular, linksDown: [])
    let down = ScriptAction.flags(.wifi, path: nil, linksUp: [], linksDown: cellular)
    let story = Story(flags: .cellular).call(.bidi).at(1_000, up).at(2_000, .send(0, bytes: 1))
    let alive = try story.played()
    #expect(alive.reads == [.init(0, 0), .init(2_000, 0)])
    #expect(try story.at(3_000, down).played().end(of: 0) == .failed(3_000, .aborted))
    #expect(try story.played(on: .cfStream).end(of: 0) == .failed(1_000, .aborted))
  }

  @Test(
    "Another hotspot breaks connections in foreground and stalls them in background (D3b, D8b)"
  )
  func anotherHotspot() throws {
    let there = try Story().call().at(1_000, .path(Story.hotspot)).played()
    #expect(there.end(of: 0) == .failed(1_000, .aborted))
    let away = Story().call().at(500, .app(.background)).at(1_000, .path(Story.hotspot))
      .at(2_000, .app(.foreground))
    #expect(try away.played().end(of: 0) == nil)
    #expect(try away.played(on: .cfStream).end(of: 0) == .failed(2_000, .aborted))
  }
}
