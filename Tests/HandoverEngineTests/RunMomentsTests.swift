import HandoverCore
import HandoverSimulation
import Testing

@testable import HandoverEngine

@Suite("The moments of invariants")
struct RunMomentsTests {
  @Test("An invariant ignores every record of a moment that it does not name")
  func unnamedMoments() throws {
    var seen: RunMoments = []
    for row in RuleTests.rows { try follow(row, &seen) }
    // The records above are of all kinds, so that no invariant is tested with few of them.
    let all: RunMoments = [
      .reachability, .callEvents, .attemptResults, .timePassing, .closeRequest, .notifications,
      .channelCreations, .channelMoves, .channelDestructions, .bindings, .attempts, .connections,
      .sending, .deliveries, .callEnds, .chains, .requests, .end,
    ]
    #expect(seen.subtracting(.timeReversal) == all)
  }

  /// Passes each record of a run, and the close, to all invariants; compares them before and after.
  private func follow(_ row: RuleRow, _ seen: inout RunMoments) throws {
    var trace = Trace()
    trace.endpointHosts = [0]
    var run = ObservedRun()
    run.begin(
      try RuleTests.script(for: row.profile), of: trace, policy: row.profile.policy,
      on: SimulatedBackend().description, expecting: [], notingChains: false, notingHosts: false,
      countingChannels: true, askingServers: ServerSights())
    var rules = RuleList.all.map { $0.init() as any Rule }
    let records = row.records + [RuleTests.event(.pool(.closed))]
    for (index, record) in records.enumerated() {
      let record = TraceRecord(
        at: Instant(microseconds: (record.at ?? Int64(index)) * 1_000), body: record.body)
      var moments = RunMoments(record)
      if record.at < run.now { moments.insert(.timeReversal) }
      seen.formUnion(moments)
      run.now = max(run.now, record.at)
      for position in rules.indices {
        if case .event = record.body { rules[position].stepIsOver(&run) }
        let (before, count) = (rules[position], run.findings.count)
        rules[position].observe(record, before: &run)
        guard type(of: before).moments.isDisjoint(with: moments) else { continue }
        #expect(rules[position].isEqual(to: before), "\(type(of: before)) at \(record.body)")
        #expect(run.findings.count == count, "\(type(of: before)) at \(record.body)")
      }
      run.state.apply(record)
    }
  }
}
