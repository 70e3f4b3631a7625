import HandoverBackend
import HandoverSimulation
import HandoverTesting
import Testing

/// In a package of your own, `SimulatedBackend` is what you have written: anything that keeps
/// `Backend`.
@Suite("Our transport keeps its contract")
struct TransportTests {
  @Test(
    "a change of the network ends what it must",
    arguments: try ScenarioCase.all(in: "Scenarios/transitions", profiles: ["sockets-monitor"]))
  func transitions(_ scenario: ScenarioCase) {
    scenario.expectToPass(on: SimulatedBackend())
  }

  @Test("one scenario by its name")
  func one() throws {
    let id = "transitions/cellular-to-wifi-unfinished-stream"
    for scenario in try ScenarioCase.all(in: "Scenarios", only: id) {
      scenario.expectToPass(on: SimulatedBackend())
    }
  }
}
