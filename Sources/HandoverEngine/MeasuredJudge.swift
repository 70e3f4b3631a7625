public import HandoverBackend
public import HandoverCore
public import HandoverScenario
public import HandoverTrace

/// A judge of a run that is given its records piece by piece; the benchmarks measure with it what a
/// search through many runs will do.
@_spi(Measuring)
public struct MeasuredJudge {
  private var judge = RunJudge()

  /// Makes a judge before its first run.
  public init() {}

  /// Takes up a run before it is played; the room of the one before is used again.
  ///
  /// - Parameters:
  ///   - scenario: what is expected.
  ///   - profile: whose rules hold.
  ///   - backend: what is under test.
  ///   - trace: what the records will refer to beside themselves.
  public mutating func begin(
    _ scenario: Scenario, on profile: Profile, of backend: BackendDescription, _ trace: Trace
  ) {
    judge.begin(scenario, profile: profile, on: backend, within: Gates(), keepsDecisions: false)
    judge.beginRecords(of: trace, scenario.script, under: profile, on: backend)
  }

  /// Takes the records of a piece of the run.
  public mutating func handle(_ records: borrowing EffectLog<TraceRecord>) {
    judge.handle(records)
  }

  /// There are no further records.
  ///
  /// - Returns: whether nothing was wrong.
  public mutating func finish() -> Bool {
    judge.finish(leaks: [])
    return judge.hasFoundNothing
  }
}
