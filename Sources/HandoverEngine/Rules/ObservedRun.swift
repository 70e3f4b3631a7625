import HandoverBackend
import HandoverCore
import HandoverScenario

/// The input of the invariants: the state of a run up to a record, and what the backend shows.
struct ObservedRun {
  /// The state of the run before the record that is being checked.
  var state = RunProjection()
  /// The policy of the client.
  private(set) var policy = Profile.sockets.policy
  /// The maximum deviation of an event from its instant; zero in virtual time.
  private(set) var tolerance = Interval.zero
  /// Whether the backend shows its channels; invariants about hidden objects are not checked.
  private(set) var seesChannels = true
  /// Whether the backend shows the reports of its monitor.
  private(set) var seesMonitor = true
  /// Whether the client's effects directly follow the event that caused them.
  ///
  /// A process in real time reports effects after they are complete, and reports only the ends of
  /// calls.
  private(set) var seesSteps = true
  /// The violations that interceptors are expected to commit.
  private(set) var expectedViolations: Set<ExpectedViolation> = []  // lookup only
  /// The instant of the latest record.
  var now = Instant.zero
  /// The violations so far, in the order of detection.
  private(set) var findings: [Finding] = []

  /// The maximum number of violations to report; a broken backend causes violations all the time.
  private static let maximumFindings = 20

  /// Prepares for a run before its first record; reuses the memory of the previous run.
  mutating func begin(
    _ script: Script, of trace: Trace, policy: ClientPolicy, on backend: BackendDescription,
    expecting violations: Set<ExpectedViolation>,  // lookup only
    notingChains: Bool, notingHosts: Bool,
    countingChannels: Bool, askingServers servers: ServerSights
  ) {
    state.notesChains = notingChains
    state.notesHosts = notingHosts
    state.countsChannels = countingChannels
    if servers.isAsked || state.servers.isAsked { state.servers = servers }
    tolerance = backend.time.tolerance
    seesChannels = backend.capabilities.contains(.channels)
    seesMonitor = backend.capabilities.contains(.monitor)
    seesSteps = backend.time == .virtual || backend.capabilities.contains(.connections)
    expectedViolations = violations
    state.begin(script, of: trace, tolerance: tolerance, seesChannels: seesChannels)
    self.policy = policy
    if !findings.isEmpty { findings = [] }
    now = .zero
  }

  /// Reports a violation of an invariant at the current instant.
  ///
  /// - Parameters:
  ///   - rule: the invariant.
  ///   - expected: the expected behavior.
  ///   - seen: the observed behavior.
  mutating func broken(_ rule: RuleIdentifier, _ expected: TimedText, _ seen: TimedText) {
    guard !isFull else { return }
    let isListed = findings.count < Self.maximumFindings
    findings.append(
      Finding(
        kind: .invariant(rule.rawValue), verdict: .failed,
        expectedText: isListed ? expected : "no other invariant is violated",
        seenText: isListed
          ? seen : "there are more violations; only the first \(Self.maximumFindings) are listed",
        at: now, position: nil))
  }

  /// Whether the violations are listed up to the limit, followed by a finding that says so.
  var isFull: Bool { findings.count > Self.maximumFindings }

  // MARK: Lookup

  // These functions change nothing. They are mutating, because a call of a nonmutating function
  // copies the whole value.

  /// Returns the current category and the one that an event reports, or `nil` if it reports none.
  mutating func categories(_ event: ConnectivityMonitor.Event) -> CategoryChange? {
    guard policy.monitorsReachability else { return nil }
    switch event {
    case .callback(let flags), .resynchronized(let flags):
      return CategoryChange(from: state.heldCategory, to: NetworkCategory(flags))
    case .initialRead:
      return nil
    }
  }

  /// Returns whether an event reports a different category, or `nil` if it reports none.
  mutating func changesCategory(_ event: ConnectivityMonitor.Event) -> Bool? {
    categories(event).map { $0.from != $0.to }
  }

  /// Returns the position of a call that was introduced and has not ended, or `nil`.
  mutating func unfinished(_ id: CallID) -> Int? {
    guard let index = state.index(of: id), state.calls[index].isUnfinished else { return nil }
    return index
  }

  // MARK: Names

  private var names: ScriptNames { ScriptNames(script: state.script) }

  func hostName(_ host: UInt32) -> String { names.host(Int(host)) }

  func name(_ id: CallID) -> String {
    state.index(of: id).map(name) ?? "an unknown call"
  }

  func name(_ index: Int) -> String { names.call(index) }

  func requestName(_ index: Int) -> String { names.request(index) }
}

/// A violation of a chain rule that a scenario expects of an interceptor.
struct ExpectedViolation: Hashable {
  /// The position of the interceptor in the script, or the value that denotes the caller.
  var link: Int
  /// The call, or `nil` for any call.
  var call: Int?
  /// The expected violation.
  var violation: InterceptorViolation
}
