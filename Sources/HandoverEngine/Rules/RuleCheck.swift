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
  /// The contract that they are of, as soon as there is one.
  private var contract = Profile.sockets
  private var hasContract = false

  /// What is known of the run, up to the latest record.
  var state: RunProjection {
    @inline(__always) _read { yield run.state }
    @inline(__always) _modify { yield &run.state }
  }

  /// What was broken so far.
  var findings: [Finding] { run.findings }

  /// Takes up a run before its first record; the room of the one before is used again.
  mutating func begin(
    _ script: Script, of trace: Trace, under contract: Profile, on backend: BackendDescription,
    expecting breaches: Set<ExpectedBreach> = [], notingChains: Bool = false,  // lookup only
    notingHosts: Bool = false, countingChannels: Bool = true
  ) {
    if hasContract, self.contract == contract {
      rules.restart()
    } else {
      rules = RuleList(contract.rules)
      self.contract = contract
      hasContract = true
    }
    run.begin(
      script, of: trace, policy: contract.policy, on: backend, expecting: breaches,
      notingChains: notingChains, notingHosts: notingHosts,
      countingChannels: countingChannels)
  }

  /// Takes up what further records refer to, where the trace grew since the beginning.
  mutating func refer(to trace: Trace) { run.state.refer(to: trace) }

  // Each looks at a record of its kind, then lets what is known take it in. Whoever gives records
  // has taken them apart, because that costs as much as most rules do. Orders have a function of
  // their own, because the compiler inlines into none that is too large.

  mutating func handle(_ record: TraceRecord) {
    if record.at != now { instantChanges(to: record.at) }
    switch record.body {
    case .event(let event): handle(event, at: record.at)
    case .effect(let effect): handle(effect, at: record.at)
    case .world(let fact): handle(fact, at: record.at)
    case .chain(let fact): handle(fact, at: record.at)
    case .request(let fact): handle(fact, at: record.at)
    }
  }

  /// The instant of the latest record.
  @inline(__always)
  var now: Instant { run.now }

  /// The next record is of another instant than the records so far.
  mutating func instantChanges(to instant: Instant) {
    if instant > run.now {
      rules.instantIsOver(&run)
    } else {
      rules.timeRanBack(to: instant, &run)
    }
  }

  @inline(__always)
  mutating func handle(_ event: ClientCore.Event, at instant: Instant) {
    stepIsOver()
    proceed(to: instant)
    rules.handle(event, &run)
    run.state.apply(event, at: instant)
  }

  @inline(never)
  mutating func handle(_ effect: ClientEffect, at instant: Instant) {
    proceed(to: instant)
    rules.handle(effect, &run)
    run.state.apply(effect, at: instant)
  }

  @inline(__always)
  mutating func handle(_ fact: WorldFact, at instant: Instant) {
    if fact.beginsStep { stepIsOver() }
    proceed(to: instant)
    if case .runEnded = fact { rules.runEnded(&run) }
    run.state.apply(fact, at: instant)
  }

  @inline(__always)
  mutating func handle(_ fact: ChainFact, at instant: Instant) {
    proceed(to: instant)
    rules.handle(fact, &run)
    run.state.apply(fact, at: instant)
  }

  @inline(__always)
  mutating func handle(_ fact: RequestFact, at instant: Instant) {
    proceed(to: instant)
    rules.handle(fact, &run)
    run.state.apply(fact, at: instant)
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
  @inline(__always)
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
