import HandoverBackend
import HandoverCore
import Testing

@testable import HandoverSimulation

/// A world is a value: a change of one does not affect its fork, and both continue in the same way.
@Suite("A world that is forked")
struct WorldForkTests {
  struct NoFork: Error {}

  static func fork(of world: borrowing World) throws -> World {
    guard let fork = world.fork() else { throw NoFork() }
    return fork
  }

  @Test("The fork has the state of the original, and nothing that happens to it later")
  func apart() throws {
    let script = Story().call(deadline: .seconds(20)).at(1_000, .transport(.all, .stall))
      .at(2_000, .app(.background)).at(3_000, .app(.foreground)).script
    var world = World()
    world.open(script, profile: .socketsMonitor)
    world.play(0)
    world.advance(until: .milliseconds(1_000), inclusive: false)
    var fork = try Self.fork(of: world)
    let digest = world.digest()
    #expect(fork.digest() == digest)

    world.play(1)
    world.play(2)
    world.close(at: .milliseconds(2_000))
    #expect(fork.digest() == digest)
    #expect(fork.context.now == .zero)
    #expect(fork.network.links.connections.allSatisfy { $0.stall.isEmpty && $0.phase.isAlive })

    fork.play(1)
    fork.runUntilIdle(through: .milliseconds(60_000))
    let ends = fork.context.trace.records.filter {
      if case .effect(.endCall) = $0.body { true } else { false }
    }
    #expect(ends.map(\.at) == [.milliseconds(20_000)])
  }

  /// An external client that does nothing.
  private final class Idle: RemoteClient {
    let acceptsBatches = false
    let deadlines = RemoteDeadlines()
    let log = ""

    func open(_ script: Script, profile: Profile, endpoints: [RemoteEndpoint]) {}
    func introduce(_ call: Int, as id: CallID) {}
    func send(
      _ event: ClientCore.Event, at now: Instant, into effects: inout EffectLog<ClientEffect>
    ) {}
    func send(
      _ events: [ClientCore.Event], at now: Instant, into effects: inout EffectLog<ClientEffect>
    ) -> [Int] { [] }
  }

  @Test("External clients and interceptors with shared state cannot be forked")
  func cannotBeForked() {
    var elsewhere = World(remote: Idle())
    elsewhere.open(Story().call().script, profile: .sockets)
    let canFork = elsewhere.canFork
    #expect(!canFork)
    for (kind, isForked) in [(InterceptorKind.forward, true), (.cache(keep: .seconds(1)), false)] {
      var world = World()
      world.open(
        Story().with {
          $0.configuration.chain.links = [InterceptorScript(name: "link", kind: kind)]
        }
        .call().script,
        profile: .sockets)
      let canFork = world.canFork
      #expect(canFork == isForked)
    }
  }

  @Test("Old events leave no trace in the digest: time passes, and rows are reused")
  func canonical() {
    // A call that starts some seconds after an earlier call has started, when that call has ended.
    func digest(after seconds: Int64) -> StateDigest {
      let script = Story().with { $0.configuration.idle = .seconds(1) }
        .unary(at: 0).unary(at: seconds * 1_000).script
      var world = World()
      world.open(script, profile: .socketsMonitor)
      world.play(0)
      world.advance(until: .milliseconds(seconds * 1_000), inclusive: false)
      world.play(1)
      return world.digest()
    }
    #expect(digest(after: 10) == digest(after: 20))
  }
}
