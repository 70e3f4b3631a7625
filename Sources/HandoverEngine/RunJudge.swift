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
  /// Who looks for hangs; off where nobody does.
  private var hangWatch = HangWatch()
  /// How the calls had ended when the run was over, nil where one had not; empty before.
  private var ends = ReusedArray<RunProjection.End?>()

  // MARK: Beginning

  /// Takes up a scenario before it is played; the room of the one before is used again.
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
      countingChannels: judge.looksAtChannels, askingServers: judge.servers)
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
    rules.own()
    if hangWatch.isOn { takeWatching(record) } else { take(record) }
  }

  /// Takes the next records.
  mutating func handle(_ records: borrowing EffectLog<TraceRecord>) {
    rules.own()
    if hangWatch.isOn {
      records.forEach { takeWatching($0) }
    } else {
      records.forEach { take($0) }
    }
  }

  @inline(__always)
  private mutating func take(_ record: TraceRecord) {
    if record.at != rules.now { instantChanges(to: record.at) }
    handOut(record)
  }

  /// Takes a record where somebody looks for hangs.
  ///
  /// Apart from ``take(_:)``: to hand a record over whole it has to be copied, which costs as much
  /// as most rules do.
  @inline(never)
  private mutating func takeWatching(_ record: TraceRecord) {
    if record.at != rules.now { instantChanges(to: record.at) }
    hangWatch.handle(record, rules.state)
    handOut(record)
  }

  @inline(__always)
  private mutating func handOut(_ record: TraceRecord) {
    switch record.body {
    case .event(let event): rules.handle(event, at: record.at)
    case .effect(let effect): rules.handle(effect, at: record.at)
    case .world(let fact):
      if case .runEnded = fact { runIsOver(at: record.at) }
      rules.handle(fact, at: record.at)
    case .chain(let fact): rules.handle(fact, at: record.at)
    case .request(let fact): rules.handle(fact, at: record.at)
    }
  }

  /// The next record is of another instant than the records so far; mostly of a later one.
  @inline(never)
  private mutating func instantChanges(to instant: Instant) {
    if instant > rules.now, judge.looksOn {
      judge.instantIsOver(rules.now, &rules.state)
      judge.passed(upTo: instant, &rules.state)
    }
    rules.instantChanges(to: instant)
  }

  /// What is expected of the end of the run is decided before the client is closed.
  @inline(never)
  private mutating func runIsOver(at end: Instant) {
    judge.instantIsOver(max(rules.now, end), &rules.state)
    judge.isOver(at: end, &rules.state)
    rules.state.takeEnds(into: &ends)
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

  // MARK: What came out so far

  /// What is known of the run, up to the latest record.
  var state: RunProjection {
    @inline(__always) _read { yield rules.state }
  }

  /// What was not as it should be so far: broken rules first, because they say why expectations do
  /// not hold.
  var findings: [Finding] { rules.findings + judge.findings }

  /// Whether nothing was wrong so far.
  var hasFoundNothing: Bool { judge.findings.isEmpty && rules.findings.isEmpty }

  /// The first thing so far that fails the run, so that nobody has to play it on.
  var firstFailure: Finding? {
    let failures = findings.filter { $0.verdict >= .failed }
    return failures.min { ($0.at ?? .zero) < ($1.at ?? .zero) }
  }

  /// How the calls had come out when the run was over; none before.
  ///
  /// Made where it is asked for, because of many runs nobody asks.
  var outcomes: [CallOutcome] {
    ends.enumerated().map { index, outcome in
      CallOutcome(
        id: state.script.calls[index].id, end: outcome?.end,
        message: outcome.map { state.message(of: index, endedAs: $0.end) }, endedAt: outcome?.at)
    }
  }

  /// How much of what is expected can be seen.
  var sight: Sight { judge.sight }

  /// The expectations that were decided and held, by their places; empty unless they are kept.
  var held: [Int] { judge.held }

  /// The calls that hung for longer than a gate lets them.
  func hangs(within gates: Gates) -> [CallHang] {
    gates.hangs(seenBy: hangWatch.isOn ? hangWatch : nil)
  }

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
    Obligations(
      rules: rules.rules, expectations: judge.undecided,
      hangs: hangWatch.isOn ? hangWatch : nil)
  }
}
