import Foundation
import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverExploration
import HandoverSimulation
import HandoverTesting
import Testing

@Suite("Scenarios as test arguments")
struct ScenarioCaseTests {
  @Test("A directory is searched from the caller upward, and its cases are in order")
  func found() throws {
    let cases = try ScenarioCase.all(
      in: "Scenarios/transitions", profiles: ["sockets-monitor", "cfstream"])
    #expect(cases.count > 30)
    #expect(cases.map(\.id) == cases.map(\.id).sorted())
    #expect(Set(cases.map(\.profileName)) == ["sockets-monitor", "cfstream"])
    #expect(cases[0].testDescription == "\(cases[0].id) [\(cases[0].profileName)]")
  }

  @Test(
    "A correct backend passes with any options",
    arguments: try ScenarioCase.all(in: "Scenarios/names"))
  func good(_ scenario: ScenarioCase) {
    #expect(scenario.expectToPass(on: SimulatedBackend()) < .unsupported)
  }

  @Test("A failure is an issue at the line of the scenario, with the timeline")
  func wrong() throws {
    let backend = SimulatedBackend(altering: { $0.inject(.cancelledByDisconnect) })
    let cases = try ScenarioCase.all(
      in: "Scenarios/pool", profiles: ["sockets-monitor"], only: "**disconnect**")
    var verdicts: [Verdict] = []
    withKnownIssue {
      verdicts = cases.map { $0.expectToPass(on: backend) }
    } matching: { issue in
      let text = issue.comments.map(\.rawValue).joined()
      let isAtScenario = issue.sourceLocation?.fileID.hasPrefix("Scenarios/") == true
      let isAtCaller = issue.sourceLocation?.fileID.hasSuffix("ScenarioCaseTests.swift") == true
      return text.contains("expected: ") && text.contains("seen: ")
        && (isAtScenario || text.contains("\n") && isAtCaller)
    }
    #expect(verdicts.contains(.failed))
  }

  @Test("An error has a message")
  func errors() throws {
    for directory in ["No/Such/Directory", "/No/Such/Directory"] {
      let none = #expect(throws: ScenarioCaseError.self) { try ScenarioCase.all(in: directory) }
      #expect(none?.description.contains("there is no directory \"\(directory)\"") == true)
    }
    let unwanted = #expect(throws: ScenarioCaseError.self) {
      try ScenarioCase.all(in: "Scenarios/names", only: "nothing-of-this-name")
    }
    #expect(unwanted?.description.contains("no scenario under ") == true)
    let bad = #expect(throws: ScenarioCaseError.self) {
      try ScenarioCase.all(in: "Fixtures/Diagnostics")
    }
    #expect(bad?.description.contains(": error: ") == true)
  }
}
