import HandoverBackend
import HandoverCore
import HandoverScenario

/// Checks one run record by record.
///
/// The checker evaluates the invariants of the profile and the expectations of the scenario, and
/// finds calls that hang.
struct RunJudge {
  private var judge = Judge()
  private var rules = RuleCheck()
  /// The watch for hanging calls; off if hangs are not measured.
  private var hangWatch = HangWatch()
  /// The end of each call when the run was over, or `nil` for an unfinished call; empty before
  /// that.
  private var ends = ReusedArray<RunProjection.End?>()

  // MARK: Start of a run

  /// Prepares the checker for a run of a scenario; reuses the memory of the previous run.
  mutating func begin(
    _ scenario: Scenario, profile: Profile, on backend: BackendDescription, within gates: Gates,
    keepsDecisions: Bool
  ) {
    judge.begin(scenario, profile: profile, on: backend, keepsDecisions: keepsDecisions)
    if let watch = gates.hangWatch(scenario.script, on: backend) {
      hangWatch = watch
    } else if hangWatch.isOn {
      hangWatch = HangWatch()
    }
    ends.removeAll()
  }

  /// Prepares the checker for the first record of the run.
  ///
  /// - Parameters:
  ///   - trace: the trace that contains the data that the records refer to.
  ///   - script: the script of the run.
  ///   - contract: the profile whose invariants are checked.
  ///   - backend: the backend under test.
  mutating func beginRecords(
    of trace: Trace, _ script: Script, under contract: Profile, on backend: BackendDescription
  ) {
    rules.begin(
      script, of: trace, under: contract, on: backend, expecting: judge.expectedViolations,
      notingChains: judge.watchesChains, notingHosts: judge.watchesHosts,
      countingChannels: judge.looksAtChannels, askingServers: judge.servers)
  }

  /// The last instant at which an expectation other than one about a call is checked; the run lasts
  /// at least until then.
  var lastDecision: Instant { judge.lastDecision }

  /// The last instant that any expectation names; the run may last until then.
  var lastMoment: Instant { judge.lastMoment }

  /// Whether no expectation can be observed, whatever happens.
  var observesNothing: Bool { judge.observesNothing }

  // MARK: Records

  /// Processes the next record.
  mutating func handle(_ record: TraceRecord) {
    if record.at > rules.now, judge.hasUndecided { instantIsOver(before: record.at) }
    if hangWatch.isOn { hangWatch.handle(record, rules.state) }
    if case .world(.runEnded) = record.body { runIsOver(at: record.at) }
    rules.handle(record)
  }

  /// Processes the next records.
  mutating func handle(_ records: ContiguousArray<TraceRecord>) {
    for record in records { handle(record) }
  }

  /// Checks the expectations before a record of a later instant.
  private mutating func instantIsOver(before instant: Instant) {
    judge.instantIsOver(rules.now, &rules.state)
    judge.passed(upTo: instant, &rules.state)
  }

  /// Decides the expectations about the end of the run, before the client is closed.
  private mutating func runIsOver(at end: Instant) {
    judge.instantIsOver(max(rules.now, end), &rules.state)
    judge.isOver(at: end, &rules.state)
    rules.state.takeEnds(into: &ends)
  }

  /// Finishes the run after the client was closed; no records follow.
  ///
  /// - Parameter leaks: the resources that the backend reports as still existing.
  mutating func finish(leaks: [String]) {
    rules.finish(leaks: leaks)
  }

  // MARK: Results so far

  /// The state of the run after the latest record.
  var state: RunProjection {
    _read { yield rules.state }
  }

  /// The findings so far; violations of invariants come first because they explain failed
  /// expectations.
  var findings: [Finding] { rules.findings + judge.findings }

  /// Whether there are no findings so far.
  var hasFoundNothing: Bool { judge.findings.isEmpty && rules.findings.isEmpty }

  /// The outcomes of the calls at the end of the run; empty before that.
  ///
  /// The property is computed on demand, because most runs of an exploration never need it.
  var outcomes: [CallOutcome] {
    ends.enumerated().map { index, outcome in
      CallOutcome(
        id: state.script.calls[index].id, end: outcome?.end,
        message: outcome.map { state.message(of: index, endedAs: $0.end) }, endedAt: outcome?.at)
    }
  }

  /// The share of the expectations that can be observed.
  var coverage: ObservedCoverage { judge.coverage }

  /// The indices of the decided expectations that held; empty unless decisions are kept.
  var held: [Int] { judge.held }

  /// Returns the calls that hung for longer than a threshold allows.
  func hangs(within gates: Gates) -> [HungCall] {
    gates.hangs(seenBy: hangWatch.isOn ? hangWatch : nil)
  }
}
