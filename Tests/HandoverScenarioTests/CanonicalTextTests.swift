import Foundation
import HandoverCore
import HandoverScenario
import Testing

@Suite("The canonical text of scenarios")
struct CanonicalTextTests {
  static let corpus: [URL] = {
    let folder = Repository.root.appending(path: "Scenarios")
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return (names ?? []).filter { $0.hasSuffix(".json") }.sorted()
      .map { folder.appending(path: $0) }
  }()

  static func canonical(_ bytes: [UInt8]) throws -> String {
    String(decoding: CanonicalText.of(try JSONReader.read(bytes)), as: UTF8.self)
  }

  static func canonical(_ text: String) throws -> String { try canonical(Array(text.utf8)) }

  /// Returns the scenario of a text, without positions.
  static func meaning(_ bytes: [UInt8]) throws -> Scenario {
    let reading = ScenarioReader.read(file: "f.json", bytes: bytes)
    let problems = reading.diagnostics.map(\.description).joined(separator: "\n")
    var scenario = try #require(reading.scenario, "\(problems)")
    let nowhere = TextPosition(line: 1, column: 1)
    for index in scenario.sources.indices { scenario.sources[index].position = nowhere }
    for index in scenario.expectations.indices { scenario.expectations[index].position = nowhere }
    scenario.entryPositions = scenario.entryPositions.map { _ in nowhere }
    return scenario
  }

  @Test("Every committed scenario is canonical")
  func corpusIsCanonical() throws {
    try #require(Self.corpus.count > 100)
    for file in Self.corpus {
      let bytes = try Repository.bytes(file)
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(try Self.canonical(bytes) == text, "\(file.path)")
    }
  }

  @Test("The sample in the format's documentation is canonical")
  func sample() throws {
    #expect(try Self.canonical(SampleScenarioTests.text) == SampleScenarioTests.text + "\n")
  }

  @Test(
    "Everything that a scenario can contain is put in canonical order, and keeps its meaning",
    arguments: CanonicalSample.all)
  func everything(sample: CanonicalSample) throws {
    let once = try Self.canonical(sample.disordered)
    #expect(once == sample.ordered)
    #expect(try Self.canonical(once) == once)
    #expect(try Self.meaning(Array(once.utf8)) == Self.meaning(Array(sample.disordered.utf8)))
  }

  @Test("A file that is not a scenario is still formatted as JSON")
  func noScenario() throws {
    #expect(try Self.canonical("[1 ,{}]") == "[1, {}]\n")
    #expect(try Self.canonical("{}") == "{\n}\n")
    #expect(
      try Self.canonical(#"{"timeline": [{"at": "soon", "flags": ["Rechable"], "every": 1.50}]}"#)
        == """
        {
          "timeline": [
            { "at": "soon", "flags": ["Rechable"], "every": 1.50 }
          ]
        }

        """)
  }

  @Test(
    "Times keep their value and their +, and use the largest unit up to a second",
    arguments: [
      ("1000ms", "1s"), ("+1000ms", "+1s"), ("0.5s", "500ms"), ("1.50s", "1.5s"), ("0ms", "0s"),
      ("0h", "0s"), ("+0us", "+0s"), ("60s", "60s"), ("1min", "1min"), ("60.0min", "60min"),
      ("0.5h", "0.5h"), ("1500us", "1.5ms"), ("1.001ms", "1.001ms"), ("1000001us", "1000.001ms"),
      ("12345678us", "12345.678ms"), ("15809.6ms", "15809.6ms"), ("007s", "7s"),
    ])
  func times(_ written: String, _ canonical: String) throws {
    let text = #"{"timeline": [{"at": "\#(written)"}, {"at": "\#(canonical)"}]}"#
    let lines = try Self.canonical(text).split(separator: "\n")
    #expect(lines[2] == #"    { "at": "\#(canonical)" },"#)
    #expect(lines[3] == #"    { "at": "\#(canonical)" }"#)
  }

  @Test(
    "Flags in every notation become an array",
    arguments: [
      (#"["IsWWAN", "Reachable"]"#, #"["Reachable", "IsWWAN"]"#),
      (#"{"IsWWAN": true, "Reachable": 1, "IsDirect": 0}"#, #"["Reachable", "IsWWAN"]"#),
      (#""WR -------""#, #"["Reachable", "IsWWAN"]"#), ("262146", #"["Reachable", "IsWWAN"]"#),
      ("0", "[]"), ("{}", "[]"), ("128", "128"), ("130", "130"),
      (
        #"{"comment": "a plane", "x-a": {"b" :1.0}, "IsWWAN": 0, "Reachable": true}"#,
        #"{ "Reachable": 1, "comment": "a plane", "x-a": { "b": 1.0 } }"#
      ),
      (#"{"comment": "none"}"#, #"{ "comment": "none" }"#),
    ])
  func flags(_ written: String, _ canonical: String) throws {
    let text = try Self.canonical(#"{"initial": {"flags": \#(written)}}"#)
    #expect(text == "{\n  \"initial\": { \"flags\": \(canonical) }\n}\n")
    #expect(try Self.canonical(text) == text)
  }

  @Test("A list with one comment is on the line of its key, and longer ones have several lines")
  func remarks() throws {
    for key in ["comment", "x-a"] {
      #expect(try Self.canonical(#"{"\#(key)": [1]}"#) == "{\n  \"\(key)\": [1]\n}\n")
      #expect(
        try Self.canonical(#"{"\#(key)": [1, 2]}"#)
          == "{\n  \"\(key)\": [\n    1,\n    2\n  ]\n}\n")
    }
  }

  @Test("Strings have only the necessary escapes, and comments do not change")
  func texts() throws {
    let text = try Self.canonical(
      #"{"x-a": "\u0041\/\"\\\u000a\u0001\u001f\ud83d\ude00é", "comment": [1e5, "1000ms", -0]}"#)
    #expect(
      text == """
        {
          "x-a": "A/\\"\\\\\\n\\u0001\\u001f😀é",
          "comment": [
            1e5,
            "1000ms",
            -0
          ]
        }

        """)
    #expect(try Self.canonical(text) == text)
  }
}
