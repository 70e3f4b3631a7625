import HandoverBackend
import HandoverCore
import HandoverScenario
import HandoverSimulation
import Testing

@testable import HandoverEngine

/// Compares the counts that the checker maintains with a traversal of the whole run.
///
/// The checker counts while records arrive, to avoid such a traversal.
@Suite("The counts of a run")
struct CountedRunTests {
  private static let script: Script = {
    var script = Script()
    script.hosts = ["a.example:443", "b.example:443"].map { ScriptHost(written: $0) }
    script.calls = (0..<5).map {
      ScriptCall(id: "call-\($0)", host: $0 % 2, kind: .unary, takes: nil)
    }
    return script
  }()
  private static let trace: Trace = {
    var trace = Trace()
    trace.endpointHosts = [0, 1, 0]
    return trace
  }()

  /// Generates random records of a client with arbitrary behavior.
  private struct Teller {
    var generator: SeededGenerator
    private var latest: [CallID?] = Array(repeating: nil, count: 5)
    private var owners: [UInt32] = Array(repeating: 0, count: 3)
    private var generations: [UInt32] = [0, 0, 0]
    private var exists = [false, false, false]
    private var connections: [UInt32] = []

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private mutating func draw(_ count: Int) -> Int {
      Int(generator.next(upToAndIncluding: UInt64(count - 1)))
    }

    private mutating func call() -> CallID {
      latest[draw(latest.count)] ?? CallID(index: 9, generation: 9)
    }

    /// Returns usually the existing channel, or else the one before it.
    private mutating func channel() -> ChannelID {
      let endpoint = draw(generations.count)
      let generation = generations[endpoint]
      return ChannelID(
        endpoint: EndpointID(index: UInt32(endpoint)),
        generation: draw(5) == 0 && generation > 0 ? generation - 1 : generation)
    }

    private mutating func connection() -> ConnectionID {
      guard !connections.isEmpty else { return ConnectionID(index: 7, generation: 0) }
      let row = draw(connections.count)
      return ConnectionID(index: UInt32(row), generation: connections[row])
    }

    private mutating func path() -> PathIndex? { [nil, PathIndex(0), PathIndex(1)][draw(3)] }

    mutating func next() -> TraceRecord.Body {
      switch draw(3) {
      case 0: nextOfCall()
      case 1: nextOfChannel()
      default: nextOfConnection()
      }
    }

    private mutating func nextOfCall() -> TraceRecord.Body {
      switch draw(5) {
      case 0:
        let (index, row) = (draw(latest.count), draw(owners.count))
        owners[row] += 1
        let id = CallID(index: UInt32(row), generation: owners[row])
        latest[index] = id
        return .world(.callIntroduced(UInt32(index), id))
      case 1:
        let endpoint = EndpointID(index: UInt32(draw(4)))
        return .event(.pool(.callStarted(call(), endpoint, CallSettings())))
      case 2: return .effect(.callBound(call(), channel(), isNew: false))
      case 3: return .effect(.startStream(call(), connection()))
      default: return .effect(.endCall(call(), .connectivityLost))
      }
    }

    private mutating func nextOfChannel() -> TraceRecord.Body {
      let endpoint = draw(generations.count)
      switch draw(3) {
      case 0:
        // Some clients create a channel although one exists.
        generations[endpoint] += 1
        exists[endpoint] = true
        return .effect(.channelCreated(id(endpoint)))
      case 1:
        let states: [ChannelState] = [.idle, .connecting, .ready, .transientFailure, .shutdown]
        let to = exists[endpoint] ? states[draw(states.count)] : .shutdown
        if to == .shutdown { exists[endpoint] = false }
        return .effect(.channelMoved(id(endpoint), from: .idle, to: to))
      default:
        exists[endpoint] = false
        return .effect(.channelDestroyed(id(endpoint), .disconnected))
      }
    }

    private func id(_ endpoint: Int) -> ChannelID {
      ChannelID(
        endpoint: EndpointID(index: UInt32(endpoint)), generation: generations[endpoint])
    }

    private mutating func nextOfConnection() -> TraceRecord.Body {
      switch draw(7) {
      case 0:
        let row = draw(connections.count + 1)
        if row == connections.count { connections.append(0) } else { connections[row] += 1 }
        let id = ConnectionID(index: UInt32(row), generation: connections[row])
        return .effect(.openConnection(id, channel()))
      case 1, 2: return .event(.pool(.connected(connection())))
      case 3: return .event(.pool(.connectFailed(connection(), .refused)))
      case 4: return .event(.pool(.connectionBroken(connection(), .reset)))
      case 5: return .world(.attemptBegan(connection(), host: UInt32(draw(2)), path()))
      default: return .world(.attemptMoved(connection(), path()))
      }
    }
  }

  /// The state of a host's channels and connections that expectations can require.
  private struct Seen: Hashable {
    var numbers: [Int]
    var state: ChannelState?
    var path: PathIndex?

    init(_ run: RunProjection, _ host: HostSelector) {
      numbers = [
        run.sum(host, \.alive), run.sum(host, \.destroyed), run.sum(host, \.attempts),
        run.sum(host, \.open),
      ]
      state = run.commonState(of: host)
      path = run.commonPath(of: host)
    }
  }

  @Test(
    "The counts agree with a traversal of the whole run", arguments: 1...8 as ClosedRange<UInt64>)
  func agrees(seed: UInt64) {
    var teller = Teller(seed: seed)
    var run = RunProjection(Self.script, of: Self.trace)
    run.notesHosts = true
    for step in 0..<4_000 {
      let before = (0..<2).map { Seen(run, .one($0)) }
      let noted = run.hostChanges.count
      let body = teller.next()
      run.apply(TraceRecord(at: Instant(microseconds: Int64(step)), body: body))
      guard let wrong = Self.wrong(run, before, noted) else { continue }
      Issue.record("seed \(seed), step \(step): \(body): \(wrong)")
      return
    }
  }

  /// Returns a difference from the traversal, or `nil` if there is none.
  private static func wrong(
    _ run: RunProjection, _ before: [Seen], _ noted: Int
  ) -> String? {
    if counts(run) != walked(run) { return "\(counts(run)) for \(walked(run))" }
    for selector in [HostSelector.one(0), .one(1), .all] {
      if run.commonState(of: selector) != state(run, selector) { return "the state of \(selector)" }
      if run.commonPath(of: selector) != path(run, selector) { return "the path of \(selector)" }
    }
    for host in 0..<2
    where before[host] != Seen(run, .one(host)) && !run.hostChanges[noted...].contains(UInt32(host))
    {
      return "host \(host) has changed without a note"
    }
    return nil
  }

  private static func counts(_ run: RunProjection) -> [Int] {
    [run.existing, run.attached, run.orphans] + run.channels.flatMap { [$0.bound, $0.waiting] }
  }

  private static func walked(_ run: RunProjection) -> [Int] {
    let attached = run.calls.filter(\.isAttached)
    let orphans = attached.filter { $0.channel.map { !run.isAlive($0) } ?? false }
    return [run.channels.count { $0.exists }, attached.count, orphans.count]
      + run.channels.indices.flatMap { index in
        [
          attached.count { call in
            call.channel.map { run.isAlive($0) && Int($0.endpoint.index) == index } ?? false
          },
          run.calls.count { $0.waits(on: UInt32(index)) },
        ]
      }
  }

  private static func state(_ run: RunProjection, _ selector: HostSelector) -> ChannelState? {
    let states = Set(run.channelStates(of: selector))
    return states.count == 1 ? states.first : nil
  }

  private static func path(_ run: RunProjection, _ selector: HostSelector) -> PathIndex? {
    let paths = Set(
      run.connections.filter { $0.phase == .open && selector.includes(Int($0.host)) }
        .map(\.path))
    return paths.count == 1 ? paths.first ?? nil : nil
  }

  @Test(
    "Only interceptors of the script are counted, whatever else a chain has", arguments: [0, 1, 2])
  func strangeLinks(_ link: UInt16) {
    var script = Self.script
    script.configuration.chain.links = [InterceptorScript(name: "gate", kind: .gate)]
    var run = RunProjection(script, of: Self.trace)
    let facts: [ChainFact] = [
      .linkMade(call: 0, link: link), .took(call: 0, link: link, .start),
      .broke(call: 0, link: link, .finishedTwice),
    ]
    for fact in facts { run.apply(TraceRecord(at: .zero, body: .chain(fact))) }
    #expect(run.links.count == 1)
    #expect(run.links[0].isMade == (link == 0))
    #expect(run.links[0] == LinkSum() || link == 0)
  }

  @Test("A copy of the counts does not change with the checker")
  func copies() {
    let scenario = Scenario(
      file: "s", id: "s", title: nil, sources: [], profiles: [.sockets], script: Self.script,
      expectations: [], entryPositions: [])
    let backend = SimulatedBackend().description
    var judge = RunJudge()
    judge.begin(scenario, profile: .sockets, on: backend, within: Gates(), keepsDecisions: false)
    judge.beginRecords(of: Self.trace, Self.script, under: .sockets, on: backend)
    let id = CallID(index: 0, generation: 1)
    judge.handle(TraceRecord(at: .zero, body: .world(.callIntroduced(0, id))))
    let former = judge
    judge.handle(
      TraceRecord(
        at: .zero,
        body: .event(.pool(.callStarted(id, EndpointID(index: 0), CallSettings())))))
    #expect(judge.state.calls[0].isStarted)
    #expect(!former.state.calls[0].isStarted)
  }
}
