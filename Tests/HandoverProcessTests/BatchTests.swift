import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

@testable import HandoverProcess

@Suite("Several events in one line")
struct BatchTests {
  /// Handover's own client behind a port, which optionally accepts batches, and counts them.
  private final class Client: RemoteClient {
    let acceptsBatches: Bool
    private var core = ClientCore(PoolConfiguration(policy: Profile.socketsMonitor.policy))
    private(set) var batches: [Int] = []

    init(acceptsBatches: Bool) { self.acceptsBatches = acceptsBatches }

    var deadlines: RemoteDeadlines {
      RemoteDeadlines(
        next: core.nextDeadline, nonPeriodic: core.nextDeadline(among: [.calls, .attempts]))
    }
    var log: String { "" }

    func open(
      _ script: Script, profile: Profile, endpoints: [RemoteEndpoint]
    ) throws(BackendError) {
      core = ClientCore(PoolConfiguration(script.configuration, policy: profile.policy))
      for endpoint in endpoints {
        _ = core.register(ChannelKey(host: HostName(endpoint.host), options: endpoint.options))
      }
    }

    func introduce(_ call: Int, as id: CallID) {}

    func send(
      _ event: ClientCore.Event, at now: Instant, into effects: inout EffectLog<ClientEffect>
    ) {
      core.step(event, at: now, into: &effects)
    }

    func send(
      _ events: [ClientCore.Event], at now: Instant, into effects: inout EffectLog<ClientEffect>
    ) -> [Int] {
      batches.append(events.count)
      return events.map { event in
        core.step(event, at: now, into: &effects)
        return effects.count
      }
    }
  }

  private struct Clients: RemoteClientFactory {
    let client: @Sendable () -> Client
    var description: BackendDescription {
      BackendDescription(name: "own", time: .virtual, capabilities: .all)
    }
    func obstacle(_ script: Script, _ profile: Profile) -> String? { nil }
    func makeClient() -> any RemoteClient { client() }
  }

  /// Calls that start at one instant, with another event between them.
  ///
  /// None of them ends before the last one has started, so the client's own identifiers can be
  /// used.
  private static let scenario = """
    {"format": 1, "id": "many", "profiles": ["sockets-monitor"], "initial": {"flags": 2},
    "hosts": {"a:1": {}, "b:1": {}},
    "timeline": [
      {"at": "1s", "call": {"id": "c1", "host": "a:1", "kind": "streaming"}},
      {"at": "1s", "call": {"id": "c2", "host": "b:1", "kind": "streaming"}},
      {"at": "1s", "call": {"id": "c3", "host": "a:1", "kind": "streaming"}},
      {"at": "1s", "flags": ["Reachable"]},
      {"at": "1s", "call": {"id": "c4", "host": "b:1", "kind": "streaming"}},
      {"at": "2s", "call": {"id": "c5", "host": "a:1", "kind": "streaming"}},
      {"at": "2s", "call": {"id": "c6", "host": "b:1", "kind": "streaming"}},
      {"at": "3s", "flags": []}
    ]}
    """

  private func play(_ client: Client, order: String = #""file""#) throws -> CaseResult {
    let text = Self.scenario.replacing(
      #""timeline":"#, with: #""config": {"order": \#(order)}, "timeline":"#)
    let reading = ScenarioReader.read(file: "many.json", bytes: Array(text.utf8))
    let scenario = try #require(reading.scenario, "\(reading.diagnostics)")
    nonisolated(unsafe) let client = client
    var worker = Worker(
      SimulatedBackend(of: Clients { unsafe client }), retaining: [.traces, .digests])
    return try #require(worker.run(scenario).cases.first)
  }

  @Test(
    "Calls that start one right after the other are sent in one batch, and nothing else changes")
  func sameRun() throws {
    let together = Client(acceptsBatches: true)
    let oneByOne = Client(acceptsBatches: false)
    let first = try play(together)
    let second = try play(oneByOne)
    #expect(first.verdict == .passed, "\(first.findings)")
    #expect(together.batches == [3, 2])
    #expect(oneByOne.batches == [])
    #expect(first.trace?.records == second.trace?.records)
    #expect(first.digest == second.digest)
  }

  @Test(
    "If an event may come between two calls of one instant, each call is sent separately",
    arguments: [#""drawn""#, #"["transport"]"#])
  func otherOrder(_ order: String) throws {
    let client = Client(acceptsBatches: true)
    let result = try play(client, order: order)
    #expect(client.batches == [])
    #expect(result.digest == (try play(Client(acceptsBatches: false), order: order)).digest)
    #expect(result.digest != (try play(Client(acceptsBatches: false))).digest)
  }
}
