import HandoverBackend
import HandoverCore
import Testing

@testable import HandoverSimulation

/// One run object is reused for many scripts: no state may be left for the next, and each step
/// counts.
@Suite("A run that is reused")
struct RunReuseTests {
  private static func trace(_ run: inout World, _ script: Script) -> [TraceRecord] {
    var trace = Trace()
    _ = run.recording(&trace) { run in
      run.open(script, profile: .socketsMonitor)
      run.playEntries()
      run.runUntilIdle(through: .milliseconds(10_000))
      run.close(at: .milliseconds(10_000))
    }
    return Array(trace.records)
  }

  @Test("A script that was abandoned in the middle leaves no state")
  func givenUp() {
    let first = Story().call().call(host: 1).at(1_000, .app(.background))
      .at(2_000, .server(0, .close)).script
    let second = Story().unary(at: 0, host: 1).at(1_000, .flags(.none))
      .at(2_000, .app(.background)).at(3_000, .app(.foreground)).script
    var run = World()
    var trace = Trace()
    _ = run.recording(&trace) { run in
      run.open(first, profile: .socketsMonitor)
      run.playEntries()
      run.advance(until: .milliseconds(2_000), inclusive: true)
    }
    var fresh = World()
    #expect(!run.client.calls.held.events.isEmpty)
    #expect(Self.trace(&run, second) == Self.trace(&fresh, second))
  }

  @Test("Entries, waits and tasks of interceptors count as steps")
  func steps() {
    func steps(_ script: Script, _ work: (inout World) -> Void) -> Int {
      var run = World()
      var trace = Trace()
      return run.recording(&trace) { run in
        run.open(script, profile: .sockets)
        run.play(0)
        work(&run)
      }.steps
    }
    let plain = Story().call(deadline: .seconds(1)).script
    let chained = Story().with {
      $0.configuration.chain.links = [InterceptorScript(name: "link", kind: .forward)]
    }.call().script
    #expect(steps(plain) { _ in } == 1)
    #expect(steps(chained) { _ in } > 1)
    #expect(
      steps(plain) { $0.runUntilIdle(through: .milliseconds(5_000)) }
        > steps(plain) { $0.advance(until: .milliseconds(5_000), inclusive: true) })
  }

  @Test("Interceptors that exist at the end of a run are leaks")
  func leaks() {
    let script = Story().with {
      $0.configuration.chain.links = [InterceptorScript(name: "link", kind: .forward)]
    }.call().script
    var run = World()
    var trace = Trace()
    var leaks: [String] = []
    _ = run.recording(&trace) { run in
      run.open(script, profile: .sockets)
      run.play(0)
      leaks = run.leaks()
    }
    #expect(leaks.contains("the interceptors of call \"call-0\" remain"))
  }

  /// An external client that does nothing.
  private final class Idle: RemoteClient {
    var endpoints: [RemoteEndpoint] = []
    var introduced: [CallID] = []
    let acceptsBatches = true
    let deadlines = RemoteDeadlines()
    let log = ""

    func open(_ script: Script, profile: Profile, endpoints: [RemoteEndpoint]) {
      self.endpoints = endpoints
      introduced = []
    }

    func introduce(_ call: Int, as id: CallID) { introduced.append(id) }

    func send(
      _ event: ClientCore.Event, at now: Instant, into effects: inout EffectLog<ClientEffect>
    ) {}

    func send(
      _ events: [ClientCore.Event], at now: Instant, into effects: inout EffectLog<ClientEffect>
    ) -> [Int] { events.map { _ in effects.count } }
  }

  @Test("An external client receives the same keys and calls again, in as many steps")
  func elsewhere() {
    let script = Story().call().call(host: 1).script
    let client = Idle()
    var run = World(remote: client)
    var trace = Trace()
    for _ in 0..<2 {
      let progress = run.recording(&trace) { run in
        run.open(script, profile: .sockets)
        run.play(0)
        run.play(1)
      }
      #expect(progress.steps == 2)
      #expect(client.endpoints.map(\.host) == ["a.example:443", "b.example:443"])
      #expect(client.introduced.map(\.index) == [0, 1])
    }
  }
}
