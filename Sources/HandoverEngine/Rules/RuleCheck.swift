import HandoverBackend
import HandoverCore
import HandoverScenario
import HandoverTrace

/// Holds the records of a run against the rules of its contract, one by one.
///
/// Whoever is content with the first broken rule may leave after any record: what was broken so far
/// stands in ``findings``.
struct RuleCheck {
  private var run = ObservedRun()
  /// The rules, with what they still wait for.
  private(set) var rules = RuleList()

  /// What is known of the run, up to the latest record.
  var state: RunProjection {
    @inline(__always) _read { yield run.state }
  }

  /// What was broken so far.
  var findings: [Finding] { run.findings }

  /// Takes up a run before its first record; the room of the one before is used again.
  mutating func begin(
    _ script: Script, of trace: Trace, under contract: Profile, on backend: BackendDescription,
    expecting breaches: Set<ExpectedBreach> = [], notingChains: Bool = false,  // lookup only
    notingHosts: Bool = false, countingChannels: Bool = true
  ) {
    rules = RuleList(contract.rules)
    run.begin(
      script, of: trace, policy: contract.policy, on: backend, expecting: breaches,
      notingChains: notingChains, notingHosts: notingHosts,
      countingChannels: countingChannels)
  }

  /// Takes up what further records refer to, where the trace grew since the beginning.
  mutating func refer(to trace: Trace) { run.state.refer(to: trace) }

  /// Looks at a record, then lets what is known take it in.
  // One switch, because to take a record apart costs as much as most rules do.
  @inline(__always)
  mutating func handle(_ record: TraceRecord) {
    if record.at > run.now {
      rules.instantIsOver(&run)
    } else if record.at < run.now {
      rules.timeRanBack(to: record.at, &run)
    }
    switch record.body {
    case .event(let event):
      stepIsOver()
      proceed(to: record.at)
      rules.handle(event, &run)
      run.state.apply(event, at: record.at)
    case .effect(let effect):
      proceed(to: record.at)
      rules.handle(effect, &run)
      run.state.apply(effect, at: record.at)
    case .world(let fact):
      if fact.traits.beginsStep { stepIsOver() }
      proceed(to: record.at)
      rules.handle(fact, &run)
      run.state.apply(fact, at: record.at)
    case .chain(let fact):
      proceed(to: record.at)
      rules.handle(fact, &run)
      run.state.apply(fact, at: record.at)
    case .request(let fact):
      proceed(to: record.at)
      rules.handle(fact, &run)
      run.state.apply(fact, at: record.at)
    }
  }

  /// What is broken from now on is broken at an instant, or at a later one that there was before.
  @inline(__always)
  private mutating func proceed(to instant: Instant) {
    if instant > run.now { run.now = instant }
  }

  /// The client has given all orders that follow from what it was told last.
  ///
  /// The next record that begins something says so by itself; a world that knows it earlier, and
  /// wants to know now what is broken, may say it at once.
  mutating func stepIsOver() {
    rules.stepIsOver(&run)
  }

  /// There is no further record.
  ///
  /// - Parameter leaks: what the backend says is still there.
  mutating func finish(leaks: [String]) {
    stepIsOver()
    rules.finish(leaks, &run)
  }
}
