import HandoverBackend
import HandoverCore
@_spi(Measuring) import HandoverEngine
import HandoverScenario
@_spi(Measuring) import HandoverSimulation
import Testing

/// The benchmarks run and check the same as all other users.
@Suite("A measured run")
struct MeasuredRunTests {
  private static func scenario(status: String) throws -> Scenario {
    try Sample.scenario(
      timeline: [
        #"{"at": "0s", "call": {"id": "stream", "host": "a:1", "kind": "streaming"}}"#,
        #"{"at": "1s", "call": {"id": "short", "host": "a:1", "takes": "300ms"}}"#,
        #"{"at": "2s", "flags": ["Reachable"]}"#,
      ],
      expect: [#"{"call": "stream", "status": "\#(status)", "at": "2s"}"#])
  }

  /// Returns the records of a run, half of the digest of its state before the end, and whether it
  /// passed.
  private static func play(
    _ scenario: Scenario, inFork isFork: Bool
  ) -> (records: [TraceRecord], digest: UInt64, isWell: Bool) {
    var world = MeasuredWorld()
    var judge = MeasuredJudge()
    var records: [TraceRecord] = []
    world.open(scenario.script, profile: .socketsMonitor)
    judge.begin(
      scenario, on: .socketsMonitor, of: SimulatedBackend().description, world.trace)
    func take(_ newRecords: ContiguousArray<TraceRecord>) {
      judge.handle(newRecords)
      records += newRecords
    }
    for entry in scenario.script.entries.indices {
      world.play(entry)
      world.takeRecords(take)
      if isFork { world = world.fork() }
    }
    let digest = world.digest()
    world.finish(through: .zero + .seconds(60))
    world.takeRecords(take)
    return (records, digest, judge.finish())
  }

  @Test("A measured run and its fork have the records and the verdict of an ordinary run")
  func same() throws {
    for (status, isWell) in [("UNAVAILABLE", true), ("CANCELLED", false)] {
      let scenario = try Self.scenario(status: status)
      var worker = Worker(SimulatedBackend(), retaining: .traces)
      let result = try #require(worker.run(scenario).cases.first)
      let (straight, forked) = (
        Self.play(scenario, inFork: false), Self.play(scenario, inFork: true)
      )
      #expect(straight.records == result.trace.map { Array($0.records) })
      #expect(straight == forked)
      #expect(straight.isWell == isWell && (result.verdict == .passed) == isWell)
    }
  }
}
