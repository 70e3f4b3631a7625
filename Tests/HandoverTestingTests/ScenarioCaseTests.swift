import Foundation
import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverSimulation
import HandoverTesting
import Testing

@Suite("Scenarios as arguments of tests")
struct ScenarioCaseTests {
  @Test("a directory is looked up from the caller upwards, and its cases come in order")
  func found() throws {
    let cases = try ScenarioCase.all(
      in: "Scenarios/transitions", profiles: ["sockets-monitor", "cfstream"])
    #expect(cases.count > 30)
    #expect(cases.map(\.id) == cases.map(\.id).sorted())
    #expect(Set(cases.map(\.profileName)) == ["sockets-monitor", "cfstream"])
    #expect(cases[0].testDescription == "\(cases[0].id) [\(cases[0].profileName)]")
  }

  @Test(
    "a good backend passes, whatever it is asked for",
    arguments: try ScenarioCase.all(in: "Scenarios/names"))
  func good(_ scenario: ScenarioCase) {
    #expect(scenario.expectToPass(on: SimulatedBackend()) < .unsupported)
  }

  @Test("what is wrong is an issue at the line of the scenario, with the time line")
  func wrong() throws {
    let backend = SimulatedBackend(defects: Defects([.cancelledByDisconnect]))
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

  @Test("what cannot be had is told in words")
  func errors() throws {
    let none = #expect(throws: ScenarioCaseError.self) {
      try ScenarioCase.all(in: "No/Such/Directory")
    }
    #expect(none?.description.contains("there is no directory \"No/Such/Directory\"") == true)
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
