import HandoverBackend
import HandoverCore
import HandoverScenario
import HandoverTrace

/// What rules look at: what is known of a run up to a record, and how it is seen.
struct ObservedRun {
  /// What is known of the run, up to the record before the one that is looked at.
  var state = RunProjection()
  /// What the client does and does not.
  private(set) var policy = Profile.sockets.policy
  /// How far from its instant a thing may happen: nothing in virtual time.
  private(set) var tolerance = Interval.zero
  /// Whether the backend shows its channels; rules about what is not shown are not asked.
  private(set) var seesChannels = true
  /// Whether the backend shows what its monitor reports.
  private(set) var seesMonitor = true
  /// Whether what the client does stands right behind what it was told; a process in real time
  /// tells of it when it is done, and of the ends of calls only.
  private(set) var seesSteps = true
  /// What links are expected to do wrong.
  private(set) var expectedBreaches: Set<ExpectedBreach> = []  // lookup only
  /// The instant of the latest record.
  var now = Instant.zero
  /// What was broken, in the order in which it was seen.
  private(set) var findings: [Finding] = []

  /// How many broken rules are told; a broken backend breaks them all the time.
  private static let maximumFindings = 20

  /// Takes up a run before its first record; the room of the one before is used again.
  mutating func begin(
    _ script: Script, of trace: Trace, policy: ClientPolicy, on backend: BackendDescription,
    expecting breaches: Set<ExpectedBreach>, notingChains: Bool, notingHosts: Bool,  // lookup only
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
    expectedBreaches = breaches
    state.begin(script, of: trace, tolerance: tolerance, seesChannels: seesChannels)
    self.policy = policy
    if !findings.isEmpty { findings = [] }
    now = .zero
  }

  /// Tells that a rule was broken now.
  ///
  /// - Parameters:
  ///   - rule: which rule.
  ///   - expected: what should have been.
  ///   - seen: what was.
  mutating func broken(_ rule: RuleIdentifier, _ expected: TimedText, _ seen: TimedText) {
    guard !isFull else { return }
    findings.append(
      Finding(
        kind: .invariant(rule.rawValue), verdict: .failed, expectedText: expected, seenText: seen,
        at: now, position: nil))
  }

  /// Whether no more broken rules are told.
  var isFull: Bool { findings.count >= Self.maximumFindings }

  // MARK: Looking up

  // What only looks is inlined, as in the state: called, it would be handed a copy of everything.

  /// The category held and the one that an event brings the monitor; nil if it brings none.
  @inline(__always)
  func categories(_ event: ConnectivityMonitor.Event) -> CategoryChange? {
    guard policy.monitorsReachability else { return nil }
    switch event {
    case .callback(let flags), .resynchronised(let flags):
      return CategoryChange(from: state.heldCategory, to: NetworkCategory(flags))
    case .initialRead:
      return nil
    }
  }

  /// Whether an event brings the monitor another category than the one held; nil if it brings none.
  @inline(__always)
  func changesCategory(_ event: ConnectivityMonitor.Event) -> Bool? {
    categories(event).map { $0.from != $0.to }
  }

  /// The place of a call that was introduced and has not ended.
  @inline(__always)
  func unfinished(_ id: CallID) -> Int? {
    guard let index = state.index(of: id), state.calls[index].isUnfinished else { return nil }
    return index
  }

  // MARK: Names

  func hostName(_ host: UInt32) -> String { state.script.hosts[Int(host)].written }

  func name(_ id: CallID) -> String {
    state.index(of: id).map(name) ?? "an unknown call"
  }

  func name(_ index: Int) -> String { "\"\(state.script.calls[index].id)\"" }
}

/// A rule of the chain that a scenario expects a link to break.
struct ExpectedBreach: Hashable {
  /// The place of the link in the script, or the user's.
  var link: Int
  /// The call; nil is any.
  var call: Int?
  /// What it does wrong.
  var breach: InterceptorBreach
}
