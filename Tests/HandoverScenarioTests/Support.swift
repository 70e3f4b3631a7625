import Foundation
import HandoverCore
import HandoverScenario
import Testing

/// Swift Testing has a type of the same name.
typealias Expectation = HandoverScenario.Expectation

/// The location of the files of the repository.
enum Repository {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  static let diagnosticFixtures = root.appending(path: "Fixtures/Diagnostics")
  static let fuzzCorpus = root.appending(path: "Tests/Fuzzing/Corpus")

  static func bytes(_ url: URL) throws -> [UInt8] {
    Array(try Data(contentsOf: url))
  }

  /// Returns the JSON files of a directory, sorted by name.
  static func files(in directory: URL) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "json" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }
}

/// Small scenarios, given by their differences.
enum Sample {
  /// Returns a scenario with the required members and the given ones; empty strings add nothing.
  static func text(
    timeline: String = "", expect: String = "", more: String = "",
    initial: String = #"{"flags": ["Reachable"]}"#
  ) -> String {
    """
    {"format": 1, "id": "sample", "initial": \(initial), \
    "hosts": {"a:1": {}}, "timeline": [\(timeline)], "expect": [\(expect)]\
    \(more.isEmpty ? "" : ", " + more)}
    """
  }

  static func read(_ text: String) -> ScenarioReading {
    ScenarioReader.read(file: "sample.json", bytes: Array(text.utf8))
  }

  /// Reads a text as a scenario; an error fails the test.
  static func scenario(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws
    -> Scenario
  {
    let reading = read(text)
    let problems = reading.diagnostics.map(\.description).joined(separator: "\n")
    return try #require(reading.scenario, "\(problems)", sourceLocation: sourceLocation)
  }

  static func codes(_ text: String) -> [DiagnosticCode] {
    read(text).diagnostics.map(\.code)
  }
}
