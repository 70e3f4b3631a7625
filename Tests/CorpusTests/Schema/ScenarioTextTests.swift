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

  @Test(
    "A rate is written in the largest unit in which it has at most three decimals",
    arguments: [
      ("2500kbit", "2.5Mbit"), ("1000001kbit", "1000.001Mbit"), ("1000.5kbit", "1000.5kbit"),
      ("1500Mbit", "1.5Gbit"), ("0.5kbit", "0.5kbit"),
    ])
  func rate(read: String, written: String) throws {
    #expect(try Self.written(quality: #"{ "rate": "\#(read)" }"#).contains(#""\#(written)""#))
  }

  @Test("A loss of zero is written only with the length of bursts, which requires a loss")
  func lossOfBursts() throws {
    #expect(try !Self.written(quality: #"{ "delay": "40ms" }"#).contains("loss"))
    let written = try Self.written(quality: #"{ "loss": "0%", "burst": 3 }"#)
    #expect(written.contains(#""loss": "0%""#))
  }

  /// Returns the text of a scenario whose network has a quality.
  private static func written(quality: String) throws -> String {
    let text =
      #"{ "format": 1, "id": "a", "profiles": ["sockets"], "initial": {}, "#
      + #""networks": { "home": { "kind": "wifi", "state": "default" } }, "#
      + #""hosts": { "a:1": {} }, "timeline": [{ "at": "0s", "#
      + #""network": { "id": "home", "quality": \#(quality) } }], "expect": [] }"#
    return try #require(read(text), "\(problems(text))").text
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
