import Foundation
import HandoverEngine
import HandoverExploration
import HandoverScenario
import HandoverSimulation
import Testing

/// The page about 40 bug reports: the facts in its table must be true for the scenarios.
@Suite("The page about 40 bug reports")
struct TransitionBugsTests {
  struct Row: CustomTestStringConvertible {
    var number: Int
    /// The id of the scenario, or `nil` if the report has none.
    var scenario: String?
    /// The mutant or the profile with the bug, or `nil` if the report has no scenario.
    var cause: String?

    var testDescription: String { "N\(number)" }
  }

  static let rows: [Row] = {
    let page = Corpus.root.appending(path: "Sources/handover/Handover.docc/TransitionBugs.md")
    let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 7, let number = Int(cells[1]) else { return nil }
      return Row(
        number: number, scenario: cells[4].isEmpty ? nil : "bugs/" + cells[4],
        cause: cells[5].isEmpty ? nil : cells[5].trimmingCharacters(in: ["`"]))
    }
  }()

  @Test("The table has every number once, and at least 25 scenarios")
  func numbers() {
    #expect(Self.rows.map(\.number) == Array(1...40))
    #expect(Self.rows.count { $0.scenario != nil } >= 25)
  }

  @Test("The scenario of each report detects the client that has the bug", arguments: rows)
  func isDetected(_ row: Row) throws {
    guard let id = row.scenario else { return }
    let scenario = try #require(Corpus.scenario(id))
    let item = "N\(row.number)"
    let cause = try #require(row.cause)
    if let fault = Mutant.named(cause) {
      #expect(fault.items.contains(item), "\(cause) is not against \(item)")
      let family = Corpus.scenarios.filter { scenario in
        scenario.sources.contains { $0.item == item }
      }
      #expect(Mutant.tried(fault, on: family).contains { $0.shows(item) })
    } else {
      #expect(scenario.sources.contains { $0.item == item })
      var worker = Worker(SimulatedBackend())
      let result = worker.run(scenario)
      let found = try #require(result.cases.first { $0.profile == cause })
      #expect(found.verdict == .nonStrict, "\(cause) has no defect here")
      #expect(result.cases.contains { $0.verdict == .passed }, "nobody has the cure")
    }
  }
}
