import HandoverCore
import HandoverTrace
import Testing

@testable import HandoverSimulation

/// Worlds with equal digests go on alike, however they came to be; a digest that leaves anything
/// out is found out.
@Suite("The digest of a world")
struct WorldDigestTests {
  /// A small world, and everything that can be done to it.
  struct Menu: CustomTestStringConvertible {
    let name: String
    let script: Script
    let profiles: [Profile]
    /// The parts of the digest that hold something in it.
    let parts: [DigestPart]

    var testDescription: String { name }
  }

  private static func story(_ extra: [ScriptAction]) -> Story {
    var story = Story(flags: .wifi, connect: .milliseconds(20))
      .call(host: 0, every: .milliseconds(700), deadline: .seconds(9))
      .unary(at: 0, host: 0, deadline: .seconds(3))
      .call(at: 0, .unary, host: 1, takes: .seconds(2))
      .call(at: 0, .unary, host: 0, takes: .seconds(1), token: .milliseconds(500))
      .with {
        $0.configuration.idle = .seconds(4)
        $0.configuration.monitorLatency = .milliseconds(10)
        $0.configuration.keepalive = KeepaliveConfiguration(
          time: .seconds(2), timeout: .seconds(1))
      }
    let actions: [ScriptAction] =
      extra + [
        .flags(.none), .flags(.wifi), .flags(.cellular), .path(Story.hotspot), .app(.background),
        .app(.foreground), .server(0, .silent), .server(0, .accept), .server(0, .close),
        .server(0, .goaway), .server(1, .refuse), .names(0, .hang), .names(0, .resolve),
        .transport(.one(0), .stall), .transport(.one(0), .stallAcked), .transport(.all, .resume),
        .transport(.one(0), .halfClose), .transport(.all, .blackholeConnect), .cancel(0),
        .cancel(2),
        .send(0, bytes: 70_000), .finish(0), .disconnect(.one(0)),
      ]
    for action in actions { story = story.at(0, action) }
    return story
  }

  private static let monitorActions: [ScriptAction] = [
    .monitor(.miss, by: .zero), .monitor(.delay, by: .milliseconds(300)),
    .monitor(.duplicate, by: .zero), .monitor(.overrun, by: .zero),
  ]

  /// A gate, which the timeline opens and closes, and a retry behind it.
  private static let chains = story([
    .interceptor(0, call: 0, .hold, .ok), .interceptor(0, call: 0, .release, .ok),
    .interceptor(0, call: 2, .hold, .ok), .interceptor(0, call: 2, .close, .aborted),
    .receive(0, count: 1),
  ]).with {
    $0.configuration.chain.links = [
      LinkScript(name: "gate", kind: .gate),
      LinkScript(
        name: "retry", kind: .retry(attempts: 2, backoff: BackoffConfiguration())),
    ]
  }.script

  /// Requests to one endpoint that takes few at once.
  private static let requests: Script = {
    var story = Story(connect: .milliseconds(20))
    for index in 0..<5 {
      story = story.with {
        $0.requests.append(
          ScriptRequest(
            id: "r\(index)", host: 0, kind: index < 3 ? .long : .short,
            takes: .seconds(Int64(2 + index)), responds: .milliseconds(500)))
      }.at(0, .request(index)).at(0, .cancelRequest(index))
    }
    for action: ScriptAction in [
      .flags(.none), .flags(.wifi), .app(.background), .app(.foreground), .server(0, .silent),
      .server(0, .accept), .server(0, .close), .names(0, .hang), .names(0, .resolve),
      .transport(.all, .stall), .transport(.all, .resume), .transport(.all, .reset),
    ] { story = story.at(0, action) }
    return story.script
  }()

  static let menus: [Menu] = [
    Menu(
      name: "calls", script: story(monitorActions).script,
      profiles: [.sockets, .socketsMonitor, .cfStream, .sockets2017],
      parts: [
        .device, .monitor, .client, .clientDeadlines, .held, .hosts, .connections, .streams,
        .agenda,
        .effects,
      ]),
    Menu(
      name: "calls in a random order",
      script: story(monitorActions).with {
        $0.configuration.order.isDrawn = true
      }.script,
      profiles: [.socketsMonitor], parts: [.callbacks, .turns]),
    Menu(
      name: "calls through interceptors", script: chains, profiles: [.socketsMonitor],
      parts: [.chains]),
    Menu(
      name: "requests", script: requests, profiles: [.urlDispatcher, .urlLoading],
      parts: [.requests]),
  ]

  /// A walk through the menu: what was done, and the world that came of it.
  private struct Walk {
    var generator: SeededGenerator

    mutating func below(_ count: Int) -> Int {
      Int(generator.next(upToAndIncluding: UInt64(count - 1)))
    }

    /// Does one thing to a world, which may be to let the next thing happen.
    ///
    /// - Returns: which one.
    @discardableResult
    mutating func act(on world: inout World) -> Int {
      let entries = world.context.script.entries
      var entry = below(entries.count + 10)
      if entry < entries.count, !WorldDigestTests.isPossible(entries[entry].action, in: world) {
        entry = entries.count
      }
      if entry < entries.count {
        world.play(entry)
      } else if let due = world.nextForeground() {
        world.advance(until: due, inclusive: true)
      }
      return min(entry, entries.count)
    }
  }

  // A call starts once, and nobody uses an application that does not run.
  private static func isPossible(_ action: ScriptAction, in world: borrowing World) -> Bool {
    switch action {
    case .startCall(let call):
      world.context.device.app.runs && world.network.streams[UInt32(call)].call == nil
    case .cancel, .send, .finish, .disconnect, .interceptor, .receive, .cancelRequest:
      world.context.device.app.runs
    case .request(let request):
      world.context.device.app.runs && world.requests.requests[request].began == nil
        && world.requests.requests[request].id == nil
    default: true
    }
  }

  /// What a world does next, without the numbers that tell owners of a row apart.
  private static func future(
    of world: borrowing World, _ walk: Walk, acts: Int
  ) throws -> [UInt64] {
    var walk = walk
    var fork = try WorldForkTests.fork(of: world)
    let begin = fork.context.now
    for _ in 0..<acts { walk.act(on: &fork) }
    fork.runUntilIdle(through: fork.context.now + .seconds(40))
    fork.close(at: fork.context.now + .seconds(1))
    return fork.context.trace.records.map { RecordDigest.digest($0, since: begin) }
  }

  private struct Tried {
    var pairs = 0
    var differences: [String] = []
  }

  /// Walks at random, and compares the futures of worlds that have come to one digest on two ways.
  private static func compare(
    _ menu: Menu, pairs: Int, seed: UInt64, leavingOut part: DigestPart? = nil
  ) throws -> Tried {
    var tried = Tried()
    var walk = Walk(generator: SeededGenerator(seed: seed))
    for round in 0..<(pairs * 20) {
      let profile = menu.profiles[round / 400 % menu.profiles.count]
      // Worlds cannot be kept in a dictionary, so that those of some walks are kept beside it.
      var known: [StateDigest: (seed: UInt64, acts: [Int])] = [:]  // lookup only
      for _ in 0..<60 {
        let begin = walk.generator.next()
        var way = Walk(generator: SeededGenerator(seed: begin))
        var world = World()
        world.open(menu.script, profile: profile)
        var acts: [Int] = []
        for _ in 0..<(2 + way.below(7)) {
          acts.append(way.act(on: &world))
          let digest = world.digest(leavingOut: part)
          guard let other = known[digest] else {
            known[digest] = (begin, acts)
            continue
          }
          guard other.acts != acts else { continue }
          var twin = World()
          var wayThere = Walk(generator: SeededGenerator(seed: other.seed))
          twin.open(menu.script, profile: profile)
          _ = wayThere.below(7)
          for _ in other.acts { wayThere.act(on: &twin) }
          tried.pairs += 1
          let next = Walk(generator: SeededGenerator(seed: walk.generator.next()))
          let (left, right) = (
            try future(of: world, next, acts: 5), try future(of: twin, next, acts: 5)
          )
          if left != right {
            let index = zip(left, right).prefix { $0 == $1 }.count
            tried.differences.append(
              """
              \(menu.name), \(profile.name), \(acts) or \(other.acts): record \(index)
              """)
            if part != nil || tried.differences.count > 3 { return tried }
          }
          if tried.pairs >= pairs { return tried }
        }
      }
    }
    return tried
  }

  private static let seed = UInt64.random(in: 0...UInt64.max)

  @Test("equal ones go on alike", arguments: menus)
  func equalFutures(menu: Menu) throws {
    let tried = try Self.compare(menu, pairs: 5_000, seed: Self.seed)
    #expect(tried.pairs >= 5_000)
    #expect(tried.differences.isEmpty, "seed \(Self.seed)")
  }

  @Test("one that leaves a part out is found out", arguments: menus)
  func omissions(menu: Menu) throws {
    for part in menu.parts {
      let tried = try Self.compare(menu, pairs: 20_000, seed: 1, leavingOut: part)
      #expect(!tried.differences.isEmpty, "without \(part), \(tried.pairs) pairs went on alike")
    }
  }
}
