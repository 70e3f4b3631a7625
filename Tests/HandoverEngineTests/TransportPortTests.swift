import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

/// The simulated network behind the port of transports, under the built-in client.
@Suite("A transport in place of the simulated network")
struct TransportPortTests {
  @Test("The traces equal those of the built-in run if the network is the same")
  func sameTraces() {
    var builtIn = Worker(SimulatedBackend(), retaining: .digests)
    var ported = Worker(SimulatedBackend(over: SimulatedTransports()), retaining: .digests)
    var count = 0
    for scenario in Bundled.scenarios {
      for (usual, other) in zip(builtIn.run(scenario).cases, ported.run(scenario).cases)
      where other.verdict != .unsupported {
        count += 1
        #expect(other.verdict == usual.verdict, "\(scenario.id) on \(usual.profile)")
        #expect(other.digest == usual.digest, "\(scenario.id) on \(usual.profile)")
      }
    }
    #expect(count > 1_000)
  }

  @Test("A transport can refuse a script in advance")
  func obstacle() throws {
    let scenario = try #require(Bundled.scenarios.first)
    var worker = Worker(SimulatedBackend(over: SimulatedTransports(obstacle: "it is tired")))
    let result = worker.run(scenario, on: [.sockets])
    #expect(result.cases.first?.verdict == .unsupported)
    #expect(result.cases.first?.findings.first?.seen == "it is tired")
  }
}

private struct SimulatedTransports: RemoteTransportFactory {
  var obstacle: String?

  let description = BackendDescription(name: "ported", time: .virtual, capabilities: .all)

  func obstacle(_ script: Script, _ profile: Profile) -> String? {
    obstacle ?? profile.client.protocolObstacle
  }

  func makeTransport() -> any RemoteTransport { SimulatedTransport() }
}
