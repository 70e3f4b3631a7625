import HandoverCore
import HandoverScenario
import Testing

@Suite("The text of a scenario value")
struct ScenarioTextTests {
  @Test("Reading the text gives the same scenario for every sample")
  func roundTrip() throws {
    let keys = [EveryKeyTests.text, EveryKeyTests.requests, EveryKeyTests.networks]
    let samples = try GoodSamples.bundled() + GoodSamples.documented() + GoodSamples.ofTests()
    for text in samples.map(\.text) + keys {
      guard let scenario = Self.read(text) else { continue }
      let written = scenario.text
      let again = try #require(Self.read(written), "\(Self.problems(written))\n\(written)")
      #expect(again == scenario, "\(written)")
      #expect(again.text == written)
    }
  }

  /// Reads a scenario without positions, or returns `nil` if it has errors.
  private static func read(_ text: String) -> Scenario? {
    var scenario = ScenarioReader.read(file: "f.json", bytes: Array(text.utf8)).scenario
    let start = TextPosition(line: 1, column: 1)
    scenario?.entryPositions = []
    for index in scenario?.sources.indices ?? 0..<0 { scenario?.sources[index].position = start }
    for index in scenario?.expectations.indices ?? 0..<0 {
      scenario?.expectations[index].position = start
    }
    return scenario
  }

  private static func problems(_ text: String) -> [String] {
    ScenarioReader.read(file: "f.json", bytes: Array(text.utf8)).diagnostics.map(\.message)
  }
}
