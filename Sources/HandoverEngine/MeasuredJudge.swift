public import HandoverBackend
public import HandoverCore
public import HandoverScenario

/// A checker that receives the records of a run in pieces.
///
/// Benchmarks use it to measure the cost of checking during an exploration of many runs.
@_spi(Measuring)
public struct MeasuredJudge {
  private var judge = RunJudge()

  /// Creates a checker before its first run.
  public init() {}

  /// Prepares the checker for a run; reuses the memory of the previous run.
  ///
  /// - Parameters:
  ///   - scenario: the scenario whose expectations are checked.
  ///   - profile: the profile whose invariants are checked.
  ///   - backend: the backend under test.
  ///   - trace: the trace that contains the data that the records refer to.
  public mutating func begin(
    _ scenario: Scenario, on profile: Profile, of backend: BackendDescription, _ trace: Trace
  ) {
    judge.begin(scenario, profile: profile, on: backend, within: Gates(), keepsDecisions: false)
    judge.beginRecords(of: trace, scenario.script, under: profile, on: backend)
  }

  /// Processes the records of a part of the run.
  public mutating func handle(_ records: ContiguousArray<TraceRecord>) {
    judge.handle(records)
  }

  /// Finishes the run; no records follow.
  ///
  /// - Returns: whether the checker has no findings.
  public mutating func finish() -> Bool {
    judge.finish(leaks: [])
    return judge.hasFoundNothing
  }
}
