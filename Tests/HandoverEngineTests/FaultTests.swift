import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

@Suite("A fault without effect")
struct FaultTests {
  static let faults = [
    #""server": {"host": "a:1", "do": "reset"}"#,
    #""names": {"host": "a:1", "do": "fail"}"#,
    #""transport": {"host": "*", "become": "stall"}"#,
    #""monitor": {"do": "miss"}"#,
  ]

  static let noFaults = [
    #""flags": ["Reachable", "IsWWAN"]"#, #""flags": []"#, #""path": "wifi-B""#,
    #""app": "background""#, #""disconnect": "*""#,
  ]

  private func scenario(_ entry: String, profiles: [Profile]) throws -> Scenario {
    try Sample.scenario(timeline: [#"{"at": "1s", \#(entry)}"#], profiles: profiles)
  }

  @Test("A fault without effect fails every case of its scenario", arguments: faults)
  func withoutEffect(_ entry: String) throws {
    var worker = Worker(SimulatedBackend())
    let cases = worker.run(try scenario(entry, profiles: [.sockets, .socketsMonitor])).cases
    #expect(cases.map(\.verdict) == [.failed, .failed])
    for result in cases {
      #expect(result.findings.map(\.kind) == [.faultWithoutEffect])
      let finding = try #require(result.findings.first)
      #expect(finding.expected == "the fault at 1s has an effect on at least one profile")
      #expect(finding.at == (try Instant("1s")))
      #expect(finding.position == TextPosition(line: 3, column: 14))
    }
  }

  @Test("A fault without effect is reported for a scenario that was not read from a file")
  func withoutFile() throws {
    var scenario = try scenario(Self.faults[0], profiles: [.sockets])
    scenario.entryPositions = []
    let finding = try #require(try Sample.run(scenario).findings.first)
    #expect(finding.kind == .faultWithoutEffect && finding.position == nil)
  }

  @Test("A fault without effect is not reported if some profiles did not run", arguments: faults)
  func someProfiles(_ entry: String) throws {
    let scenario = try scenario(entry, profiles: [.sockets, .socketsMonitor])
    var worker = Worker(SimulatedBackend())
    #expect(worker.run(scenario, on: [.sockets]).cases.map(\.verdict) == [.passed])
    #expect(worker.run(scenario, on: [.socketsMonitor]).cases.map(\.verdict) == [.passed])
    let twice = worker.run(scenario, on: [.sockets, .sockets]).cases
    #expect(twice.map(\.verdict) == [.passed, .passed])
  }

  @Test("A case with a fault without effect can be run again without it")
  func again() throws {
    var worker = Worker(SimulatedBackend())
    let failing = try scenario(Self.faults[0], profiles: [.sockets])
    #expect(worker.run(failing).cases.map(\.verdict) == [.failed])
    let fine = try Sample.scenario(timeline: [EndOfRunTests.unary], profiles: [.sockets])
    #expect(worker.run(fine).cases.map(\.verdict) == [.passed])
  }

  @Test("An effect on one profile is enough")
  func oneProfile() throws {
    // Without a monitor no callback is sent that could be lost.
    let scenario = try Sample.scenario(
      timeline: [
        #"{"at": "0s", "monitor": {"do": "miss"}}"#, #"{"at": "1s", "flags": ["Reachable"]}"#,
      ], profiles: [.sockets, .socketsMonitor])
    var worker = Worker(SimulatedBackend())
    #expect(worker.run(scenario).cases.map(\.verdict) == [.passed, .passed])
  }

  @Test("Network changes and user actions do not count as faults", arguments: noFaults)
  func noFault(_ entry: String) throws {
    var worker = Worker(SimulatedBackend())
    let cases = worker.run(try scenario(entry, profiles: [.sockets, .socketsMonitor])).cases
    #expect(cases.map(\.verdict) == [.passed, .passed])
  }

  @Test("A fault without effect does not hide worse findings")
  func worse() throws {
    let scenario = try Sample.scenario(
      timeline: [EndOfRunTests.unary, #"{"at": "1s", "monitor": {"do": "miss"}}"#],
      expect: [#"{"call": "c", "status": "CANCELLED", "level": "should"}"#])
    let result = try Sample.run(scenario)
    #expect(result.findings.map(\.kind) == [.expectation, .faultWithoutEffect])
    #expect(result.verdict == .failed)
  }
}
