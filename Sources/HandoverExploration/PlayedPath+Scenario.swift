import HandoverCore
package import HandoverScenario

/// A counterexample as a scenario file, which reproduces the violation in virtual time.
package struct CounterexampleScenario: Hashable, Sendable {
  /// The scenario.
  package let scenario: Scenario
  /// The text of the file.
  package var text: String { scenario.text }
  /// Why the sequence cannot be replayed in real time, or `nil` if it can.
  ///
  /// If there is a reason, the scenario contains only the beginning of the sequence.
  package let obstacle: String?

  /// Creates the scenario of a counterexample.
  package init(_ counterexample: Counterexample, _ setup: ExplorationSetup) {
    var path = PlayedPath(counterexample, setup)
    obstacle = path.obstacle
    let rule = counterexample.violation.rule
    let expectations = path.expectations()
    scenario = path.scenario(
      id: "explored/\(setup.profile.name)-rule-\(rule.rawValue)",
      title: "Invariant \(rule.rawValue) is violated: \(rule.sentence)",
      until: path.now + .seconds(200),
      expectations: expectations)
  }
}

extension ScriptAction {
  /// Returns a change of the flags to those of a category.
  static func flags(_ category: NetworkCategory) -> Self {
    .flags(ReachabilityFlags(of: category), path: nil, linksUp: [], linksDown: [])
  }
}

extension ReachabilityFlags {
  /// Creates the flags of a category; an unknown category has the flags of WiFi.
  init(of category: NetworkCategory) { self = ClientCore.flags(of: category) ?? .reachable }
}

extension Script {
  /// Creates the script of an exploration: its device and its hosts.
  init(_ setup: ExplorationSetup, initialRead: NetworkCategory, names: DNSFault) {
    self.init()
    initial.flags = ReachabilityFlags(of: initialRead)
    initial.monitorIsReadable = initialRead != .unknown
    hosts = (0..<setup.hosts).map { ScriptHost(written: setup.hostName($0), names: names) }
  }
}

extension ScriptCall {
  /// Returns the ID of a call by its index.
  static func id(_ call: Int) -> String { "call-\(call + 1)" }
}

extension PlayedPath {
  /// Returns the scenario of the path.
  func scenario(
    id: String, title: String, items: [String] = [],
    entries: [(at: Instant, action: ScriptAction?)]? = nil, until: Instant,
    expectations: [Expectation]
  ) -> Scenario {
    var script = Script(setup, initialRead: counterexample.initialRead, names: .hang)
    script.configuration.backoff.jitter = Ratio(0, outOf: 1_000)
    script.configuration.keepalive = setup.configuration.keepalive
    script.configuration.until = until
    script.calls = calls.indices.map(scriptCall)
    script.entries = ContiguousArray(
      (entries ?? self.entries).compactMap { at, action in
        action.map { ScriptEntry(at: at, action: $0) }
      })
    return Scenario(
      id: id, title: title, items: items, profile: setup.profile, script: script,
      expectations: expectations)
  }

  private func scriptCall(_ position: Int) -> ScriptCall {
    let call = calls[position]
    let sends = call.kind == .sends
    let awaits = call.kind == .awaitsToken
    return ScriptCall(
      id: ScriptCall.id(position), host: call.host,
      kind: sends ? .bidi : hasStreams ? .streaming : .unary,
      takes: call.takes ?? (sends || !hasStreams ? .minutes(60) : nil),
      every: call.every.flatMap { $0 > .zero ? $0 : nil }, deadline: call.deadline,
      failFast: call.kind == .failsFast,
      tokenDelay: awaits ? call.token ?? .minutes(60) : nil)
  }

  // MARK: The violated invariant

  /// Returns what a correct client shows; empty if the invariants alone detect the violation.
  mutating func expectations() -> [Expectation] {
    let now = now
    func channels(_ host: Int, alive: Int, _ at: Instant) -> Expectation {
      Expectation(.channels(.one(host), alive: alive, destroyed: nil, state: nil), .at(at))
    }
    switch counterexample.violation {
    case .categoryNotReported:
      return [Expectation(.monitor(notifications: changes), .at(now))]
    case .channelKept(let host):
      return [channels(host, alive: 0, now)]
    case .connectionKept:
      return [Expectation(.connections(.all, attempts: nil, open: 0, path: nil), .at(now))]
    case .callKept:
      return forgotten.map { Expectation(ofCall: $0, ends: .connectivityLost, at: now) }
    case .callsDisagree:
      return forgotten.map { Expectation(ofCall: $0, ends: .disconnected, at: now) }
    case .endedWrongly(let id, _, let expected):
      return call(id).map { [Expectation(ofCall: $0, ends: expected, at: now)] } ?? []
    case .usedChannelDestroyed(let host):
      return [channels(host, alive: 1, now)]
    case .unusedForever(let host):
      let lifetime = setup.configuration.policy.unusedChannelLifetime ?? .zero
      return [channels(host, alive: 0, now + lifetime)]
    case .wrongUnusedDelay(let host, let seen, let expected):
      return [channels(host, alive: seen > expected ? 0 : 1, now + min(seen, expected))]
    case .wrongDelay(let host, let seen, let expected):
      let attempts = attempts(to: host) + (seen > expected ? 1 : 0)
      waitForNextAttempt(to: host)
      return [
        Expectation(
          .connections(.one(host), attempts: attempts, open: nil, path: nil),
          .at(now + min(seen, expected)))
      ]
    case .sameCategoryActed, .endedAgain, .endedEarly, .sentAfterEnd, .deliveredAfterEnd,
      .deadConnection, .illegalMove, .wrongAttemptTime, .attemptWithoutCalls, .waitsForNothing,
      .attemptWithoutEnd, .connectionsDisagree, .channelsDisagree, .wrongPingTime, .wrongWakeup,
      .firedEarly, .firedDifferently:
      return []
    }
  }
}
