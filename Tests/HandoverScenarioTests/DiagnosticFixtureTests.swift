import Foundation
import HandoverCore
import HandoverScenario
import Testing

/// A bad file for every code, and its expected messages.
///
/// The expected messages are rewritten if the environment variable `HANDOVER_GOLDEN` is 1.
@Suite("Every diagnostic has a bad file with its messages")
struct DiagnosticFixtureTests {
  @Test("A bad file causes exactly the saved messages", arguments: DiagnosticCode.allCases)
  func golden(code: DiagnosticCode) throws {
    let bytes = try BadFiles.bytes(for: code)
    let reading = ScenarioReader.read(file: "\(code.rawValue).json", bytes: bytes) {
      name throws(LinkTrace.Problem) in
      name == "no.trace" ? try LinkTrace(name: name, bytes: Array("5\n4\n".utf8)) : nil
    }
    #expect(reading.diagnostics.contains { $0.code == code })
    if code != .fileTooLarge {
      #expect(ReadingProperties.violation(of: reading, bytes: bytes) == nil)
    }
    let text = Self.rendered(reading.diagnostics)
    let golden = Repository.diagnosticFixtures.appending(path: "\(code.rawValue).expected.txt")
    let isRewritten = ProcessInfo.processInfo.environment["HANDOVER_GOLDEN"] == "1"
    let kept = try? String(contentsOf: golden, encoding: .utf8)
    if isRewritten || kept == nil {
      try text.write(to: golden, atomically: true, encoding: .utf8)
    }
    if !isRewritten {
      #expect(text == kept, "set HANDOVER_GOLDEN=1 to accept the new text")
    }
  }

  /// Returns the diagnostics one after the other; long lists are cut.
  static func rendered(_ diagnostics: [Diagnostic]) -> String {
    let shown = diagnostics.count > 20 ? [diagnostics[0]] + diagnostics.suffix(1) : diagnostics
    return shown.map { "\($0)\n" }.joined()
  }

  @Test("A scenario with warnings can be run")
  func warnings() throws {
    let warnings = DiagnosticCode.allCases.filter { $0.severity == .warning }
    #expect(warnings == [.noQUIC, .unnamedFlagBits, .unusableHost, .entryAfterUntil])
    for code in warnings {
      let reading = ScenarioReader.read(file: "f.json", bytes: try BadFiles.bytes(for: code))
      #expect(reading.scenario != nil)
      #expect(reading.diagnostics.map(\.code) == [code])
    }
  }

  @Test("Every saved file belongs to a code")
  func noStrayFiles() throws {
    for file in try Repository.files(in: Repository.diagnosticFixtures) {
      let name = file.deletingPathExtension().lastPathComponent
      #expect(DiagnosticCode(rawValue: name) != nil, "\(name)")
    }
  }

  @Test("Every problem of JSON has a code with its name", arguments: JSONProblem.allCases)
  func codesOfJSON(problem: JSONProblem) {
    #expect(DiagnosticCode(problem).rawValue == problem.rawValue)
  }

  @Test("Codes are words joined by hyphens, each used once")
  func names() {
    let names = DiagnosticCode.allCases.map(\.rawValue)
    #expect(Set(names).count == names.count)
    for name in names {
      #expect(name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" }, "\(name)")
    }
  }
}

/// The bad files: saved ones, and generated ones that are too large to save.
enum BadFiles {
  static func bytes(for code: DiagnosticCode) throws -> [UInt8] {
    if let text = generated(code) { return Array(text.utf8) }
    return try Repository.bytes(
      Repository.diagnosticFixtures.appending(path: "\(code.rawValue).json"))
  }

  private static func generated(_ code: DiagnosticCode) -> String? {
    switch code {
    case .fileTooLarge:
      "\"" + String(repeating: "x", count: JSONReader.maximumByteCount) + "\"\n"
    case .tooManySources:
      Sample.text(more: "\"source\": [\(list(ScenarioLimits.sources + 1, sourceItem))]")
    case .tooManyHosts:
      Sample.text().replacingOccurrences(
        of: "\"a:1\": {}", with: list(ScenarioLimits.hosts + 1) { "\"h\($0)\": {}" })
    case .tooManyPaths:
      Sample.text(timeline: list(64) { "{\"at\": \"\($0)s\", \"path\": \"p\($0)\"}" })
    case .tooManyCalls:
      Sample.text(timeline: list(ScenarioLimits.calls + 1) { startedCall($0) })
    case .tooManyEntries:
      Sample.text(timeline: list(ScenarioLimits.entries + 1) { _ in "{\"at\":\"1s\",\"flags\":2}" })
    case .tooManyExpectations:
      Sample.text(
        timeline: startedCall(0),
        expect: list(ScenarioLimits.expectations + 1) { _ in "{\"call\":\"c0\",\"at\":\"1s\"}" })
    case .tooManyProblems:
      Sample.text(timeline: list(1_500) { _ in "\n{}" })
    default:
      nil
    }
  }

  private static func list(_ count: Int, _ item: (Int) -> String) -> String {
    (0..<count).map(item).joined(separator: ",")
  }

  private static func startedCall(_ number: Int) -> String {
    "{\"at\":\"1s\",\"call\":{\"id\":\"c\(number)\",\"host\":\"a:1\"}}"
  }

  private static func sourceItem(_ number: Int) -> String {
    "{\"document\": \"d\", \"item\": \"i\(number)\"}"
  }
}
