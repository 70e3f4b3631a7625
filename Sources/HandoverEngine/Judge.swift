import HandoverBackend
import HandoverCore
import HandoverScenario
import HandoverTrace

/// Holds the records of a run against what the scenario expects of it.
struct Judge {
  private let scenario: Scenario
  private let profile: Profile
  private let capabilities: Capabilities
  /// Looked at at an instant, the earliest first.
  private var timed: [Expectation] = []
  /// Must not hold at the end of any instant.
  private var never: [Expectation] = []
  /// Looked at when the run is over.
  private var final: [Expectation] = []
  private var next = 0
  private(set) var findings: [Finding] = []

  init(_ scenario: Scenario, profile: Profile, capabilities: Capabilities) {
    self.scenario = scenario
    self.profile = profile
    self.capabilities = capabilities
    for expectation in scenario.expectations where expectation.profiles.contains(profile) {
      sort(expectation)
    }
    timed.sort { Self.instant(of: $0) < Self.instant(of: $1) }
  }

  /// The last instant at which something but a call is looked at: so long the run goes on.
  static func lastDecision(_ scenario: Scenario, profile: Profile) -> Instant {
    var last = Instant.zero
    for expectation in scenario.expectations where expectation.profiles.contains(profile) {
      if case .call = expectation.subject { continue }
      if case .at(let instant) = expectation.moment { last = max(last, instant) }
    }
    return last
  }

  /// The last instant that any expectation names: so long the run may go on.
  static func lastMoment(_ scenario: Scenario, profile: Profile) -> Instant {
    var last = Instant.zero
    for expectation in scenario.expectations where expectation.profiles.contains(profile) {
      switch expectation.moment {
      case nil: break
      case .at(let instant), .within(_, let instant), .before(let instant), .after(let instant):
        last = max(last, instant)
      }
    }
    return last
  }

  private mutating func sort(_ expectation: Expectation) {
    guard Self.capability(expectation.subject).isSubset(of: capabilities) else {
      findings.append(
        Finding(
          kind: .unsupported, verdict: .unsupported, expected: describe(expectation),
          seen: "the backend does not show it", at: nil, position: expectation.position))
      return
    }
    switch (expectation.subject, expectation.isNever) {
    case (.call, _): final.append(expectation)
    case (_, true): never.append(expectation)
    case (_, false):
      if expectation.moment == nil { final.append(expectation) } else { timed.append(expectation) }
    }
  }

  private static func capability(_ subject: Expectation.Subject) -> Capabilities {
    switch subject {
    case .call(_, _, _, let channel): channel == nil ? [] : .channels
    case .channels: .channels
    case .connections: .connections
    case .server: .server
    case .monitor: .monitor
    }
  }

  private static func instant(of expectation: Expectation) -> Instant {
    if case .at(let instant) = expectation.moment { return instant }
    return .zero
  }

  // MARK: While the run goes by

  /// The instant of everything taken in so far is over, and the next thing is later.
  mutating func passed(upTo next: Instant, _ state: RunState) {
    while self.next < timed.count, Self.instant(of: timed[self.next]) < next {
      let expectation = timed[self.next]
      decide(expectation, holds(expectation.subject, state), Self.instant(of: expectation), state)
      self.next += 1
    }
  }

  /// An instant is over in which something happened.
  mutating func instantIsOver(_ instant: Instant, _ state: RunState) {
    guard !never.isEmpty else { return }
    for place in never.indices.reversed() where holds(never[place].subject, state) {
      decide(never[place], true, instant, state)
      never.remove(at: place)
    }
  }

  /// The run is over.
  mutating func isOver(at end: Instant, _ state: RunState) {
    passed(upTo: Instant(microseconds: end.microseconds &+ 1), state)
    for expectation in timed[next...] {
      findings.append(
        Finding(
          kind: .neverEvaluated, verdict: .failed, expected: describe(expectation),
          seen: "the run ended at \(end.text), before it; make `config.until` later",
          at: end, position: expectation.position))
    }
    next = timed.count
    for expectation in final {
      decide(expectation, holds(expectation, state), decisionTime(expectation, state, end), state)
    }
    findings.sort {
      ($0.position?.line ?? 0, $0.position?.column ?? 0)
        < ($1.position?.line ?? 0, $1.position?.column ?? 0)
    }
  }

  private func decisionTime(_ expectation: Expectation, _ state: RunState, _ end: Instant)
    -> Instant
  {
    if case .call(let call, _, _, _) = expectation.subject, state.calls[call].end != nil {
      return state.calls[call].endedAt
    }
    return end
  }

  private mutating func decide(
    _ expectation: Expectation, _ holds: Bool, _ instant: Instant, _ state: RunState
  ) {
    guard holds == expectation.isNever else { return }
    findings.append(
      Finding(
        kind: .expectation, verdict: expectation.level == .must ? .failed : .nonStrict,
        expected: describe(expectation), seen: describe(state, for: expectation), at: instant,
        position: expectation.position))
  }

  // MARK: What holds

  private func holds(_ expectation: Expectation, _ state: RunState) -> Bool {
    guard case .call(let call, _, _, _) = expectation.subject else {
      return holds(expectation.subject, state)
    }
    guard state.calls[call].end != nil, holds(expectation.subject, state) else { return false }
    let end = state.calls[call].endedAt
    return switch expectation.moment {
    case nil: true
    case .at(let instant): end == instant
    case .within(let first, let last): first <= end && end <= last
    case .before(let instant): end < instant
    case .after(let instant): end > instant
    }
  }

  private func holds(_ subject: Expectation.Subject, _ state: RunState) -> Bool {
    switch subject {
    case .call(let call, let status, let message, let channel):
      let seen = state.calls[call]
      guard let end = seen.end else { return false }
      return matches(status, end.code) && matches(message, end.text.text)
        && (channel == nil
          || (seen.isBound && (channel == .new) == seen.channelIsNew))
    case .channels(let host, let alive, let destroyed, let wanted):
      return matches(alive, state.sum(host, \.alive))
        && matches(destroyed, state.sum(host, \.destroyed))
        && (wanted.map { allChannels(of: host, state, are: $0) } ?? true)
    case .connections(let host, let attempts, let open, let path):
      return matches(attempts, state.sum(host, \.attempts))
        && matches(open, state.sum(host, \.open))
        && (path == nil || allConnections(of: host, state) { $0.path == path })
    case .server(let host, let received):
      return matches(received, state.sum(host, \.received))
    case .monitor(let notifications):
      return matches(notifications, state.notifications)
    }
  }

  private func matches<Value: Equatable>(_ wanted: Value?, _ seen: Value) -> Bool {
    wanted == nil || wanted == seen
  }

  /// Whether there are such channels and all that live are as wanted; SHUTDOWN wants none alive.
  private func allChannels(
    of host: HostSelector, _ state: RunState, are wanted: ChannelState
  ) -> Bool {
    let states = state.channelStates(of: host)
    return !states.isEmpty && states.allSatisfy { $0 == wanted }
  }

  private func allConnections(
    of host: HostSelector, _ state: RunState, _ isWanted: (RunState.Connection) -> Bool
  ) -> Bool {
    var found = false
    for connection in state.connections
    where host.includes(Int(connection.host)) && connection.phase == .open {
      found = true
      if !isWanted(connection) { return false }
    }
    return found
  }

  private func describe(_ expectation: Expectation) -> String {
    Wording(scenario.script).expected(expectation)
  }

  private func describe(_ state: RunState, for expectation: Expectation) -> String {
    Wording(scenario.script).seen(expectation, state)
  }
}
