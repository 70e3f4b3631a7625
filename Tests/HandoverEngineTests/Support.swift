import Foundation
import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

/// Small scenarios, written as the JSON in which they differ.
enum Sample {
  /// Builds a scenario from the parts; a reader error fails the test.
  static func scenario(
    timeline: [String], expect: [String] = [], profiles: [Profile] = [.socketsMonitor],
    hosts: String = #""a:1": {"connect": "50ms"}, "b:1": {"server": "refuse"}"#,
    config: String = "{}", flags: String = #"["Reachable", "IsWWAN"]"#,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Scenario {
    let names = profiles.map { "\"\($0.name)\"" }.joined(separator: ", ")
    let text = """
      {"format": 1, "id": "sample", "profiles": [\(names)],
      "initial": {"flags": \(flags)}, "hosts": {\(hosts)}, "config": \(config),
      "timeline": [\(timeline.joined(separator: ",\n"))],
      "expect": [
      \(expect.joined(separator: ",\n"))
      ]}
      """
    let reading = ScenarioReader.read(file: "sample.json", bytes: Array(text.utf8))
    let problems = reading.diagnostics.map(\.description).joined(separator: "\n")
    return try #require(reading.scenario, "\(problems)", sourceLocation: sourceLocation)
  }

  /// Runs a scenario of one profile in the simulated network.
  static func run(_ scenario: Scenario, on backend: any Backend = SimulatedBackend()) throws
    -> CaseResult
  {
    var worker = Worker(backend)
    return try #require(worker.run(scenario).cases.first)
  }
}

extension Instant {
  /// Parses an instant such as `1.5s`, which is easier to write than microseconds.
  init(_ text: String) throws {
    let units: [(String, Int64)] = [
      ("min", 60_000_000), ("ms", 1_000), ("us", 1), ("s", 1_000_000),
    ]
    let (unit, size) = try #require(units.first { text.hasSuffix($0.0) })
    let number = try #require(Decimal(string: String(text.dropLast(unit.count))))
    self.init(microseconds: NSDecimalNumber(decimal: number * Decimal(size)).int64Value)
  }
}

extension CaseResult {
  /// The numbers of the violated invariants, in the order of the findings.
  var brokenRules: [Int] {
    findings.compactMap { finding in
      if case .invariant(let rule) = finding.kind { rule } else { nil }
    }
  }
}

/// The bundled scenarios of the repository.
enum Bundled {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// All scenarios, in the order of their names.
  ///
  /// A scenario that cannot be read is missing, which ``fileCount`` reveals.
  static let scenarios: [Scenario] = files.compactMap { file in
    guard let data = try? Data(contentsOf: root.appending(path: file)) else { return nil }
    return ScenarioReader.read(file: file, bytes: Array(data)).scenario
  }

  static var fileCount: Int { files.count }

  private static let files: [String] = {
    let folder = root.appending(path: "Scenarios").path
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(".json") }.sorted().map { "Scenarios/\($0)" }
  }()
}

/// A scenario as a test argument, shown by its id.
struct NamedScenario: Sendable, CustomTestStringConvertible {
  var scenario: Scenario
  var testDescription: String { scenario.id }

  static let bundled = Bundled.scenarios.map(NamedScenario.init)
}
