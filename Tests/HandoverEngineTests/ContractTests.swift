import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

/// Scenarios list acceptable ends of calls (`anyOf`) for clients that do better than the profile.
///
/// The behavior of the profile is the first of them, and the built-in client must have exactly
/// that.
@Suite("The behavior of profiles in bundled scenarios")
struct ContractTests {
  private static let scenarios = Bundled.scenarios.filter { scenario in
    scenario.expectations.contains { !$0.alternatives.isEmpty }
  }

  @Test("Some scenarios allow clients to do better")
  func some() {
    #expect(Self.scenarios.count > 10)
  }

  @Test(
    "The built-in client has the first of the acceptable ends",
    arguments: Self.scenarios.map(\.id))
  func first(_ id: String) throws {
    let scenario = try #require(Self.scenarios.first { $0.id == id })
    var contract = scenario
    for index in contract.expectations.indices { contract.expectations[index].alternatives = [] }
    var worker = Worker(SimulatedBackend())
    for (kept, free) in zip(worker.run(contract).cases, worker.run(scenario).cases) {
      #expect(kept.verdict == free.verdict, "\(kept.profile): \(kept.findings.map(\.seen))")
      #expect(kept.verdict == .passed || kept.verdict == .nonStrict)
    }
  }
}
