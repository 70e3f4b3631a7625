import HandoverBackend
import HandoverCore
import HandoverScenario
import HandoverTrace

/// Judges one run record by record: the rules of its contract, what the scenario expects, and calls
/// that hang.
///
/// What is broken shows in ``firstFailure`` after the record that broke it, so that a run can be
/// left there; what is still open stands in ``obligations``.
struct RunJudge {
  private var judge = Judge()
  private var rules = RuleCheck()
  private var hangWatch: HangWatch?
  /// Whether anybody looks for hangs; asked at each record, where an optional of that size is slow.
  private var watchesHangs = false
  /// The instant of the latest record.
  private var instant = Instant.zero
  /// How the calls had come out when the run was over; none before.
  private(set) var outcomes: [CallOutcome] = []

  // MARK: Beginning

  /// Takes up a scenario before it is played; the room of the one before is used again.
  mutating func begin(
    _ scenario: Scenario, profile: Profile, on backend: BackendDescription, within gates: Gates,
    keepsDecisions: Bool
  ) {
    judge.begin(scenario, profile: profile, on: backend, keepsDecisions: keepsDecisions)
    hangWatch = gates.hangWatch(scenario.script, on: backend)
    watchesHangs = hangWatch != nil
    instant = .zero
    outcomes = []
  }

  /// Takes up the records of the run, the first of which follows.
  ///
  /// - Parameters:
  ///   - trace: what the records refer to beside themselves.
  ///   - script: what is played.
  ///   - contract: whose rules hold.
  ///   - backend: what is under test.
  mutating func beginRecords(
    of trace: Trace, _ script: Script, under contract: Profile, on backend: BackendDescription
  ) {
    rules.begin(
      script, of: trace, under: contract, on: backend, expecting: judge.expectedBreaches,
      notingChains: judge.watchesChains, notingHosts: judge.watchesHosts,
      countingChannels: judge.looksAtChannels)
  }

  /// Takes up what further records refer to beside themselves; for whoever judges a run while its
  /// trace still grows, whenever texts or channels came to it.
  mutating func refer(to trace: Trace) { rules.refer(to: trace) }

  /// The last instant at which something but a call is looked at: so long the run goes on.
  var lastDecision: Instant { judge.lastDecision }

  /// The last instant that any expectation names: so long the run may go on.
  var lastMoment: Instant { judge.lastMoment }

  /// Whether nothing of what is expected can be seen, whatever happens.
  var seesNothing: Bool { judge.seesNothing }

  // MARK: Records

  /// Takes the next record.
  @inline(__always)
  mutating func handle(_ record: TraceRecord) {
    if record.at > instant {
      if judge.looksOn {
        judge.instantIsOver(instant, rules.state)
        judge.passed(upTo: record.at, rules.state)
      }
      instant = record.at
    }
    if case .world(.runEnded) = record.body {
      judge.instantIsOver(instant, rules.state)
      judge.isOver(at: record.at, rules.state)
      outcomes = Self.outcomes(rules.state)
    }
    if watchesHangs { hangWatch?.handle(record, rules.state) }
    rules.handle(record)
  }

  /// The client has given all orders that follow from what it was told last; see
  /// ``RuleCheck/stepIsOver()``.
  mutating func stepIsOver() { rules.stepIsOver() }

  /// There is no further record: the client was closed.
  ///
  /// - Parameter leaks: what the backend says is still there.
  mutating func finish(leaks: [String]) {
    rules.finish(leaks: leaks)
  }

  /// How the calls came out so far.
  private static func outcomes(_ state: RunProjection) -> [CallOutcome] {
    var outcomes: [CallOutcome] = []
    outcomes.reserveCapacity(state.calls.count)
    for index in state.calls.indices {
      let outcome = state.outcome(of: index)
      outcomes.append(
        CallOutcome(
          id: state.script.calls[index].id, end: outcome?.end,
          message: outcome == nil ? nil : state.message(of: index), endedAt: outcome?.at))
    }
    return outcomes
  }

  // MARK: What came out so far

  /// What is known of the run, up to the latest record.
  var state: RunProjection {
    @inline(__always) _read { yield rules.state }
  }

  /// What was not as it should be so far: expectations first, then rules.
  var findings: [Finding] { judge.findings + rules.findings }

  /// The first thing so far that fails the run, so that nobody has to play it on.
  var firstFailure: Finding? {
    let failures = findings.filter { $0.verdict >= .failed }
    return failures.min { ($0.at ?? .zero) < ($1.at ?? .zero) }
  }

  /// How much of what is expected can be seen.
  var sight: Sight { judge.sight }

  /// The expectations that were decided and held, by their places; empty unless they are kept.
  var held: [Int] { judge.held }

  /// The calls that hung for longer than a gate lets them.
  func hangs(within gates: Gates) -> [CallHang] { gates.hangs(seenBy: hangWatch) }

  /// What is still open of a run that goes on.
  ///
  /// Two runs of one scenario and contract of which the same is known and the same is open will be
  /// judged alike from here on.
  struct Obligations: Hashable {
    /// The rules, with what each of them waits for.
    var rules: RuleList
    /// The expectations that are not decided, by their places.
    var expectations: [Int]
    /// What hangs; nil where nobody looks.
    var hangs: HangWatch?
  }

  /// What is still open.
  var obligations: Obligations {
    Obligations(rules: rules.rules, expectations: judge.undecided, hangs: hangWatch)
  }
}
