import HandoverCore
import Testing

@testable import HandoverSimulation

/// Several simultaneous networks: the events, and the callbacks about them.
@Suite("Networks with a default network")
struct NetworkTests {
  static let home = PathIndex(3)
  static let lte = PathIndex(4)

  /// Returns a scenario with a device on the WiFi "home", and the cellular network "lte" next to
  /// it.
  static func story(lteIsUp: Bool = true, _ change: (inout Script) -> Void = { _ in }) -> Story {
    Story().with {
      $0.paths += ["home", "lte"]
      $0.networks = [ScriptNetwork(home, .wifi), ScriptNetwork(lte, .cellular)]
      $0.initial.path = home
      $0.initial.networksUp = lteIsUp ? [PathSet(home), PathSet(lte)] : PathSet(home)
      change(&$0)
    }
  }

  private static func network(
    _ path: PathIndex, _ change: NetworkAction, signal: ReachabilityFlags? = nil
  ) -> ScriptAction { .network(path, change, signal: signal) }

  /// Returns the callbacks that the monitor received, with their times.
  private func callbacks(_ played: Played) -> [Played.At<ReachabilityFlags>] {
    played.events.compactMap {
      if case .reachability(.callback(let flags)) = $0.thing {
        Played.At($0.milliseconds, flags)
      } else {
        nil
      }
    }
  }

  private func paths(_ played: Played) -> [PathIndex?] {
    played.facts.compactMap {
      if case .attemptBegan(_, _, let path) = $0.thing { .some(path) } else { nil }
    }
  }

  // MARK: Events

  @Test("A TCP connection stays on its network when another one becomes the default")
  func makeBeforeBreak() throws {
    let story = Self.story().call(.unary, takes: .seconds(5))
      .at(1_000, Self.network(Self.lte, .makeDefault)).unary(at: 2_000, host: 1)
    let played = try story.played()
    #expect(played.end(of: 0) == .ok(5_000))
    #expect(paths(played) == [Self.home, Self.lte])
  }

  @Test("CFStream is notified of the better network immediately (D3c)")
  func betterNetwork() throws {
    let story = Self.story().call().at(1_000, Self.network(Self.lte, .makeDefault))
    #expect(try story.played(on: .cfStream).end(of: 0) == .failed(1_000, .aborted))
  }

  static let endings: [(NetworkEnding?, Played.At<CallEnd>)] = [
    (nil, .failed(31_000, .aborted)), (.reset, .failed(31_000, .reset)),
    (.silent, .ended(40_000, .deadlineExceeded)),
  ]

  @Test("A lingering network goes down after its linger time", arguments: endings)
  func linger(ending: NetworkEnding?, end: Played.At<CallEnd>) throws {
    let story = Self.story().call(deadline: .seconds(40))
      .at(1_000, Self.network(Self.lte, .makeDefault))
      .at(1_000, Self.network(Self.home, .losing(linger: .seconds(30), ending)))
    let played = try story.played()
    #expect(played.end(of: 0) == end)
    #expect(played.instants { $0 == .networkChanged(Self.home, .down) } == [31_000])
  }

  @Test(
    "A network that is used again no longer lingers",
    arguments: [NetworkAction.up, .makeDefault])
  func stays(change: NetworkAction) throws {
    let story = Self.story().call(deadline: .seconds(40))
      .at(1_000, Self.network(Self.lte, .makeDefault))
      .at(1_000, Self.network(Self.home, .losing(linger: .seconds(30), .reset)))
      .at(20_000, Self.network(Self.home, change))
    let played = try story.played()
    #expect(played.end(of: 0) == .ended(40_000, .deadlineExceeded))
    #expect(played.instants { $0 == .networkChanged(Self.home, .down) } == [])
  }

  @Test("A linger time that is extended ends once, at its new time")
  func longer() throws {
    let story = Self.story()
      .at(1_000, Self.network(Self.lte, .losing(linger: .seconds(5), nil)))
      .at(2_000, Self.network(Self.lte, .losing(linger: .seconds(9), nil)))
    let played = try story.played()
    #expect(played.instants { $0 == .networkChanged(Self.lte, .down) } == [11_000])
  }

  @Test("If the default network goes down there is no default, although another network is up")
  func noDefault() throws {
    let story = Self.story().at(1_000, Self.network(Self.home, .down(nil))).unary(at: 2_000)
      .at(3_000, Self.network(Self.lte, .makeDefault)).unary(at: 4_000)
    let played = try story.played()
    #expect(played.end(of: 0) == .failed(2_000, .networkUnreachable))
    #expect(played.end(of: 1) == .ok(4_000))
    #expect(paths(played) == [nil, Self.lte])
  }

  @Test("A stalled connection continues when its network is back")
  func returns() throws {
    let story = Self.story().call(.unary, takes: .seconds(3))
      .at(1_000, Self.network(Self.home, .down(.silent)))
      .at(4_500, Self.network(Self.home, .up))
    #expect(try story.played().end(of: 0) == .ok(4_500))
  }

  @Test("A portal blocks everything, including new connections")
  func captive() throws {
    let story = Self.story().call(.unary, takes: .seconds(3))
      .at(1_000, Self.network(Self.home, .captive)).unary(at: 2_000, host: 1)
      .at(6_000, Self.network(Self.home, .validated))
    let played = try story.played()
    #expect(played.end(of: 0) == .ok(6_000))
    #expect(played.end(of: 1) == .ok(6_000))
    let stalls = played.instants { if case .connectionStalled = $0 { true } else { false } }
    #expect(stalls == [1_000, 2_000])
  }

  @Test("Each network reaches its own hosts, and the first suitable one is used")
  func routes() throws {
    let story = Self.story { script in
      script.networks[0].reachable = [false, true]
      script.networks[1].reachable = [true, false]
    }
    .unary(at: 1_000, host: 0).unary(at: 1_000, host: 1)
    .at(2_000, Self.network(Self.lte, .down(nil))).unary(at: 3_000, host: 0)
    let played = try story.played()
    #expect(paths(played) == [Self.lte, Self.home, nil])
    #expect(played.end(of: 2) == .failed(3_000, .networkUnreachable))
  }

  // MARK: Callbacks

  @Test("Callbacks follow the default network, and come only if its flags change")
  func defaultCallbacks() throws {
    let cafe = PathIndex(5)
    let story = Self.story(lteIsUp: false) {
      $0.paths.append("cafe")
      $0.networks.append(ScriptNetwork(cafe, .wifi))
    }
    .at(1_000, Self.network(Self.lte, .up)).at(2_000, Self.network(Self.lte, .makeDefault))
    .at(3_000, Self.network(Self.home, .down(nil))).at(4_000, Self.network(Self.home, .up))
    .at(5_000, Self.network(Self.home, .makeDefault)).at(6_000, Self.network(cafe, .up))
    .at(7_000, Self.network(cafe, .makeDefault)).at(8_000, Self.network(cafe, .down(nil)))
    let played = try story.played(on: .socketsMonitor)
    #expect(
      callbacks(played) == [.init(2_000, .cellular), .init(5_000, .wifi), .init(8_000, .none)])
  }

  @Test("A watcher of any network is notified of each, whatever the default is")
  func anyCallbacks() throws {
    let story = Self.story(lteIsUp: false) { $0.configuration.monitorWatch = .anyNetwork }
      .at(1_000, Self.network(Self.lte, .up)).at(2_000, Self.network(Self.lte, .makeDefault))
      .at(3_000, Self.network(Self.home, .losing(linger: .seconds(1), nil)))
    let played = try story.played(on: .socketsMonitor)
    #expect(callbacks(played) == [.init(1_000, .cellular), .init(4_000, .none)])
  }

  @Test("The flags of an entry are those in the callback; alone they change nothing")
  func signals() throws {
    let story = Self.story().call(deadline: .seconds(9))
      .at(1_000, Self.network(Self.lte, .makeDefault, signal: ReachabilityFlags.none))
      .at(2_000, .signal(.cellular))
    let played = try story.played(on: .socketsMonitor)
    #expect(callbacks(played) == [.init(1_000, .none), .init(2_000, .cellular)])
    #expect(try story.played().end(of: 0) == .ended(9_000, .deadlineExceeded))
    #expect(paths(try story.unary(at: 3_000, host: 1).played()) == [Self.home, Self.lte])
  }

  @Test("A callback of one network that is late or lost can be overtaken by another network's")
  func overtaken() throws {
    func story(_ word: MonitorFault) -> Story {
      Self.story().at(500, .monitor(word, by: .seconds(3), of: Self.home))
        .at(1_000, Self.network(Self.home, .down(nil)))
        .at(1_000, Self.network(Self.lte, .makeDefault))
    }
    let late = try story(.delay).played(on: .socketsMonitor)
    #expect(callbacks(late) == [.init(1_000, .cellular), .init(4_000, .none)])
    let lost = try story(.miss).played(on: .socketsMonitor)
    #expect(callbacks(lost) == [.init(1_000, .cellular)])
    #expect(lost.faultsWithEffect == [.init(1_000, 0)])
  }

  @Test("A monitor that reads again gets the real state, whatever the callbacks reported")
  func overrun() throws {
    let story = Self.story().at(1_000, .signal(.none)).at(2_000, .monitor(.overrun, by: .zero))
    let read: [ClientCore.Event] = try story.played(on: .socketsMonitor).events.map(\.thing)
    #expect(read.contains(.reachability(.resynchronized(.wifi))))
  }

  @Test("The order at one instant applies to their callbacks too")
  func order() throws {
    let story = Self.story {
      $0.configuration.order.kinds = [.transport, .callbacks, .entries, .deadlines]
    }
    .call().at(1_000, .server(0, .close)).at(1_000, Self.network(Self.lte, .makeDefault))
    let late = try story.played(on: .socketsMonitor)
    #expect(late.end(of: 0) == .failed(1_000, .closed))
    let usual = try story.with { $0.configuration.order = InstantOrder() }
      .played(on: .socketsMonitor)
    #expect(usual.end(of: 0) == .ended(1_000, .connectivityLost))
  }

  // MARK: Copies

  @Test("A copy of a world in the middle of a scenario continues in the same way")
  func forks() throws {
    let story = Self.story().call(deadline: .seconds(60)).unary(at: 0, host: 1)
      .at(1_000, Self.network(Self.lte, .makeDefault))
      .at(1_000, Self.network(Self.home, .losing(linger: .seconds(30), .silent)))
      .at(1_000, Self.network(Self.lte, .captive))
      .unary(at: 2_000, host: 1, deadline: .seconds(20))
      .at(9_000, Self.network(Self.lte, .validated))
    for stop in 1...story.script.entries.count {
      var world = World()
      world.open(story.script, profile: .socketsMonitor)
      var reached = Instant.zero
      for entry in 0..<stop {
        let at = story.script.entries[entry].at
        if at > reached { world.advance(until: at, inclusive: false) }
        reached = at
        world.play(entry)
      }
      var fork = try WorldForkTests.fork(of: world)
      #expect(fork.digest() == world.digest())
      world.context.trace = Trace()
      world.runUntilIdle(through: .milliseconds(90_000))
      fork.runUntilIdle(through: .milliseconds(90_000))
      #expect(fork.digest() == world.digest())
      #expect(fork.context.trace.records == world.context.trace.records)
    }
  }
}
