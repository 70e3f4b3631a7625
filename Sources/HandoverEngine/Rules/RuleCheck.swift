import HandoverBackend
import HandoverCore
import HandoverScenario

/// Checks the records of a run against the invariants of its profile, one by one.
///
/// A caller that needs only the first violation can stop after any record, because ``findings``
/// contains all violations so far.
struct RuleCheck {
  private var run = ObservedRun()
  /// The invariants, with the events that they still wait for.
  private(set) var rules = RuleList()

  /// The state of the run after the latest record.
  var state: RunProjection {
    _read { yield run.state }
    _modify { yield &run.state }
  }

  /// The violations so far.
  var findings: [Finding] { run.findings }

  /// The instant of the latest record.
  var now: Instant { run.now }

  /// Prepares for a run before its first record; reuses the memory of the previous run.
  mutating func begin(
    _ script: Script, of trace: Trace, under contract: Profile, on backend: BackendDescription,
    expecting violations: Set<ExpectedViolation>,  // lookup only
    notingChains: Bool, notingHosts: Bool,
    countingChannels: Bool, askingServers servers: ServerSights = ServerSights()
  ) {
    rules.restart(contract.rules)
    run.begin(
      script, of: trace, policy: contract.policy, on: backend, expecting: violations,
      notingChains: notingChains, notingHosts: notingHosts,
      countingChannels: countingChannels, askingServers: servers)
  }

  /// Checks a record against the state of the run, and then applies it to the state.
  mutating func handle(_ record: TraceRecord) {
    if record.at > run.now { rules.instantIsOver(&run) }
    switch record.body {
    case .event: rules.stepIsOver(&run)
    case .world(let fact): if fact.beginsStep { rules.stepIsOver(&run) }
    case .effect, .chain, .request: break
    }
    if record.at > run.now { run.now = record.at }
    rules.observe(record, before: &run)
    run.state.apply(record)
  }

  /// Finishes the run; no records follow.
  ///
  /// - Parameter leaks: the resources that the backend reports as still existing.
  mutating func finish(leaks: [String]) {
    rules.stepIsOver(&run)
    rules.finish(leaks, &run)
  }
}
