import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

/// Scenarios say what a client may do that does better than the contract (`anyOf`); the contract is
/// the first of it, and the built-in client is the one that keeps it.
@Suite("Contracts in bundled scenarios")
struct ContractTests {
  private static let scenarios = Bundled.scenarios.filter { scenario in
    scenario.expectations.contains { !$0.otherwise.isEmpty }
  }

  @Test("there are scenarios that let clients do better")
  func some() {
    #expect(Self.scenarios.count > 10)
  }

  @Test(
    "the built-in client does the first of the ends that will do",
    arguments: Self.scenarios.map(\.id))
  func first(_ id: String) throws {
    let scenario = try #require(Self.scenarios.first { $0.id == id })
    var contract = scenario
    for index in contract.expectations.indices { contract.expectations[index].otherwise = [] }
    var worker = Worker(SimulatedBackend())
    for (kept, free) in zip(worker.run(contract).cases, worker.run(scenario).cases) {
      #expect(kept.verdict == free.verdict, "\(kept.profile): \(kept.findings.map(\.seen))")
      #expect(kept.verdict == .passed || kept.verdict == .nonStrict)
    }
  }
}
