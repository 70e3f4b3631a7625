import HandoverBackend
import HandoverCore
import Testing

@Suite("The timeline of a device and its networks")
struct DeviceTimelineTests {
  private typealias Body = DeviceTimeline.Effect.Body

  private static let home = PathIndex(2)
  private static let lte = PathIndex(1)
  private static let office = PathIndex(3)

  /// A device on the network `home`; `office` is a VPN that takes all traffic.
  private static func script(_ change: (inout Script) -> Void = { _ in }) -> Script {
    var script = Script()
    script.paths = ["wifi", "cellular", "home", "office"]
    script.networks = [
      ScriptNetwork(home, .wifi), ScriptNetwork(lte, .cellular), ScriptNetwork(office, .vpn),
    ]
    script.networks[2].takesAllTraffic = true
    script.initial.networksUp = PathSet(home)
    script.initial.path = home
    change(&script)
    return script
  }

  private static func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

  private static func run(
    _ event: DeviceTimeline.Event, at seconds: Int64, on timeline: inout DeviceTimeline
  ) -> [Body] {
    timeline.effects(of: event, at: at(seconds)).map(\.body)
  }

  private static func run(
    _ path: PathIndex, _ action: NetworkAction, at seconds: Int64,
    on timeline: inout DeviceTimeline
  ) -> [Body] {
    run(.entry(.network(path, action, signal: nil), index: 7), at: seconds, on: &timeline)
  }

  /// The commands of all scheduled changes until an instant, with their seconds.
  private static func changes(
    of timeline: inout DeviceTimeline, until end: Int64
  ) -> [(at: Int64, commands: [NetworkCommand])] {
    var changes: [(at: Int64, commands: [NetworkCommand])] = []
    while let next = timeline.nextChange(by: at(end)), changes.count < 100 {
      let seconds = next.at.microseconds / 1_000_000
      changes.append((seconds, commands(run(.due(next.change), at: seconds, on: &timeline))))
    }
    return changes
  }

  private static func commands(_ bodies: [Body]) -> [NetworkCommand] {
    bodies.compactMap { if case .network(let command, _) = $0 { command } else { nil } }
  }

  private static func callbacks(_ bodies: [Body]) -> [ReachabilityFlags] {
    bodies.compactMap {
      switch $0 {
      case .routeReported(let flags, _), .callback(let flags, _): flags
      default: nil
      }
    }
  }

  // MARK: Scheduled changes

  @Test("An uplink fails and returns periodically, until another entry")
  func uplink() {
    var timeline = DeviceTimeline(Self.script())
    let fails = NetworkAction.uplink(isUp: false, lasts: .seconds(2), every: .seconds(5))
    let first = Self.run(Self.home, fails, at: 1, on: &timeline)
    #expect(first.contains(.network(.obstruct(Self.home, .uplinkDown), cause: 7)))
    #expect(timeline.isObstructed(Self.home) && !timeline.isObstructed(Self.lte))
    let changes = Self.changes(of: &timeline, until: 13)
    #expect(changes.map(\.at) == [3, 6, 8, 11, 13])
    #expect(
      changes.map(\.commands)
        == [true, false, true, false, true].map {
          [$0 ? .clear(Self.home, .uplinkDown) : .obstruct(Self.home, .uplinkDown)]
        })
    _ = Self.run(
      Self.home, .uplink(isUp: true, lasts: nil, every: nil), at: 14, on: &timeline)
    #expect(timeline.nextDeadline == nil)
  }

  @Test("A network that will be lost goes down after its linger time, unless it is used again")
  func linger() {
    var timeline = DeviceTimeline(Self.script())
    let losing = NetworkAction.losing(linger: .seconds(3), .silent)
    #expect(Self.commands(Self.run(Self.home, losing, at: 1, on: &timeline)).isEmpty)
    var other = timeline
    let changes = Self.changes(of: &timeline, until: 9)
    #expect(changes.map(\.at) == [4])
    #expect(changes.map(\.commands) == [[.end(Self.home, .silent)]])
    #expect(timeline.device.path == nil)
    let kept = Self.run(Self.home, .makeDefault, at: 2, on: &other)
    #expect(
      kept.first == .cancelled(.init(kind: .lingerEnds, path: Self.home, entry: 7)))
    #expect(other.nextDeadline == nil)
  }

  @Test("A router forgets periodically, until another entry or the end of repetitions")
  func translation() {
    var timeline = DeviceTimeline(Self.script())
    let forgets = NetworkAction.nat(.forget, .drop, every: .seconds(2))
    _ = Self.run(Self.home, forgets, at: 0, on: &timeline)
    #expect(Self.changes(of: &timeline, until: 5).map(\.at) == [2, 4])
    _ = Self.run(Self.home, .nat(.rebindPort, .reset, every: nil), at: 5, on: &timeline)
    #expect(timeline.nextDeadline == nil)
    _ = Self.run(Self.home, forgets, at: 6, on: &timeline)
    timeline.endRepetitions()
    #expect(timeline.nextDeadline == nil)
  }

  @Test("An uplink that is down at the end of repetitions returns once")
  func lastReturn() {
    var timeline = DeviceTimeline(Self.script())
    let fails = NetworkAction.uplink(isUp: false, lasts: .seconds(2), every: .seconds(5))
    _ = Self.run(Self.home, fails, at: 1, on: &timeline)
    timeline.endRepetitions()
    #expect(Self.changes(of: &timeline, until: 60).map(\.at) == [3])
  }

  // MARK: Networks

  @Test("A network resets its connections before it is left, and the transport reports nothing")
  func ending() throws {
    var timeline = DeviceTimeline(Self.script())
    let bodies = Self.run(Self.home, .down(.reset), at: 1, on: &timeline)
    let end = try #require(bodies.firstIndex(of: .network(.end(Self.home, .reset), cause: nil)))
    guard case .move(let move, isReported: false) = bodies[end + 1] else {
      Issue.record("no move follows: \(bodies)")
      return
    }
    #expect(move.from == Self.home && move.to == nil)
    #expect(Self.callbacks(bodies) == [[]])
  }

  @Test("A VPN that takes all traffic blocks the other networks while it is the default network")
  func vpn() {
    var timeline = DeviceTimeline(Self.script())
    let taken = Self.run(Self.office, .makeDefault, at: 1, on: &timeline)
    #expect(
      Self.commands(taken) == [.obstruct(Self.home, .takenOver), .obstruct(Self.lte, .takenOver)])
    let free = Self.run(Self.office, .down(nil), at: 2, on: &timeline)
    #expect(Self.commands(free) == [.clear(Self.home, .takenOver), .clear(Self.lte, .takenOver)])
  }

  @Test("A loss in one direction replaces the loss in the other")
  func loss() {
    var timeline = DeviceTimeline(Self.script())
    _ = Self.run(Self.home, .loss(.requests), at: 1, on: &timeline)
    let other = Self.run(Self.home, .loss(.answers), at: 2, on: &timeline)
    #expect(
      Self.commands(other)
        == [.obstruct(Self.home, .answersLost), .clear(Self.home, .requestsLost)])
    let none = Self.run(Self.home, .loss(.none), at: 3, on: &timeline)
    #expect(Self.commands(none) == [.clear(Self.home, .answersLost)])
  }

  @Test("Each initial quality has its own effect, for example one in each direction")
  func qualities() {
    var (up, down) = (LinkQuality(), LinkQuality())
    (up.direction, down.direction) = (.up, .down)
    let script = Self.script {
      $0.qualities = [PathQuality(Self.home, up), PathQuality(Self.home, down)]
    }
    var timeline = DeviceTimeline(script)
    let sources = Self.run(.began, at: 0, on: &timeline).compactMap {
      if case .quality(Self.home, let source) = $0 { source } else { nil }
    }
    #expect(sources.map { script.quality(at: $0)?.direction } == [.up, .down])
  }

  @Test("Only faults name their entry as the cause of a command")
  func causes() {
    var timeline = DeviceTimeline(Self.script())
    for (action, cause) in [
      (.captive, nil), (.roam(.newRouter, .drop), nil), (.loss(.requests), 7),
      (.nat(.forget, .drop, every: nil), 7), (.uplink(isUp: false, lasts: nil, every: nil), 7),
    ] as [(NetworkAction, UInt32?)] {
      let bodies = Self.run(Self.home, action, at: 1, on: &timeline)
      let causes = bodies.compactMap { body -> UInt32?? in
        if case .network(_, let cause) = body { .some(cause) } else { nil }
      }
      #expect(causes == [cause], "\(action)")
    }
  }

  // MARK: Callbacks

  @Test("A callback follows a change of the default route, or of every network that is watched")
  func callbacks() {
    for watch in MonitorWatch.allCases {
      var timeline = DeviceTimeline(Self.script { $0.configuration.monitorWatch = watch })
      let up = Self.callbacks(Self.run(Self.lte, .up, at: 1, on: &timeline))
      let cellular: ReachabilityFlags = [.reachable, .isWWAN]
      #expect(up == (watch == .anyNetwork ? [cellular] : []))
      let used = Self.callbacks(Self.run(Self.lte, .makeDefault, at: 2, on: &timeline))
      #expect(used == (watch == .anyNetwork ? [] : [cellular]))
    }
  }

  @Test("A signal replaces the callback that would follow")
  func signal() {
    var timeline = DeviceTimeline(Self.script())
    let bodies = Self.run(
      .entry(.network(Self.home, .down(nil), signal: [.reachable]), index: 0), at: 1,
      on: &timeline)
    #expect(Self.callbacks(bodies) == [[.reachable]])
  }

  // MARK: Sleep

  @Test("The app stops before the radio is off, and runs after it is on")
  func sleep() {
    var timeline = DeviceTimeline(Self.script())
    let sleeps = Self.run(.entry(.power(.sleep), index: 0), at: 1, on: &timeline)
    #expect(
      sleeps == [
        .fact(.deviceSlept), .app(from: .foreground),
        .network(.setRadio(isOn: false), cause: nil),
      ])
    #expect(Self.run(.entry(.power(.sleep), index: 1), at: 2, on: &timeline).isEmpty)
    let wakes = Self.run(
      .entry(.power(.wake(newAddress: true)), index: 2), at: 3, on: &timeline)
    #expect(
      wakes == [
        .fact(.deviceWoke),
        .network(.renewAddresses(PathSet(rawValue: .max)), cause: nil),
        .network(.setRadio(isOn: true), cause: nil), .app(from: .background),
      ])
    #expect(timeline.device.app == .foreground && timeline.device.stateAfterWake == nil)
  }

  @Test("Each effect has the state of the device at that point")
  func stamps() {
    var timeline = DeviceTimeline(Self.script())
    let effects = timeline.effects(of: .entry(.power(.sleep), index: 0), at: .zero)
    #expect(effects.map(\.device.app) == [.foreground, .background, .background])
    #expect(effects.map(\.device.stateAfterWake) == [nil, nil, .foreground])
    for action in [
      ScriptAction.path(Self.lte), .network(Self.lte, .makeDefault, signal: nil),
      .flags([.reachable, .isWWAN], path: Self.lte, linksUp: [], linksDown: []),
    ] {
      var timeline = DeviceTimeline(Self.script())
      let moved = timeline.effects(of: .entry(action, index: 0), at: .zero).filter {
        switch $0.body {
        case .fact(.deviceMoved), .move: true
        default: false
        }
      }
      #expect(moved.map(\.device.path) == [Self.lte, Self.lte], "\(action)")
    }
  }
}
