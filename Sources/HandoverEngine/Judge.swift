import HandoverBackend
import HandoverCore
import HandoverScenario
import HandoverTrace

/// Holds the records of a run against what the scenario expects of it.
struct Judge {
  private var expectations: [Expectation] = []
  private var capabilities: Capabilities = []
  /// How far from its instant a thing may happen: nothing in virtual time.
  private var tolerance = Interval.zero
  // The expectations that count, by their places: nothing of them is copied.
  /// Looked at at an instant, the earliest first.
  private var timed: ContiguousArray<Int> = []
  /// Must not hold at the end of any instant: what is looked at one by one, and what is looked up.
  private var never: ContiguousArray<Int> = []
  private var watch = NeverWatch()
  /// Looked at when the run is over.
  private var final: ContiguousArray<Int> = []
  private var next = 0
  private(set) var findings: [Finding] = []
  /// The expectations that were decided and held, by their places; empty unless they are kept.
  private(set) var held: [Int] = []
  private var keepsDecisions = false
  /// How many more expectations did not hold, and the worst that comes of them.
  private var untold = 0
  private var untoldVerdict = Verdict.passed
  /// What links are expected to do wrong, which then is no finding.
  private(set) var expectedBreaches: ContiguousArray<Invariants.ExpectedBreach> = []
  /// The last instant at which something but a call is looked at: so long the run goes on.
  private(set) var lastDecision = Instant.zero
  /// The last instant that any expectation names: so long the run may go on.
  private(set) var lastMoment = Instant.zero

  /// Takes up a scenario before it is played; the room of the one before is used again.
  mutating func begin(
    _ scenario: Scenario, profile: Profile, on backend: BackendDescription,
    keepsDecisions: Bool = false
  ) {
    self.keepsDecisions = keepsDecisions
    held = []
    expectations = scenario.expectations
    capabilities = backend.capabilities
    tolerance = backend.time.tolerance
    timed.removeAll(keepingCapacity: true)
    never.removeAll(keepingCapacity: true)
    watch.removeAll()
    final.removeAll(keepingCapacity: true)
    next = 0
    findings = []
    untold = 0
    untoldVerdict = .passed
    lastDecision = .zero
    lastMoment = .zero
    expectedBreaches.removeAll(keepingCapacity: true)
    for place in expectations.indices where expectations[place].isMeant(for: profile) {
      noteMoment(place)
      noteBreaches(place)
      sort(place, scenario.script)
    }
    guard timed.count > 1 else { return }
    let expectations = expectations
    timed.sort { expectations[$0].instant < expectations[$1].instant }
  }

  private mutating func noteBreaches(_ place: Int) {
    guard !expectations[place].isNever else { return }
    switch expectations[place].subject {
    case .interceptor(let link, let wanted):
      noteBreaches(wanted.breaks, of: link, in: wanted.call)
    case .chain(let call, let wanted):
      noteBreaches(wanted.breaks, of: Int(ChainFact.ownLink), in: call)
    case .call, .channels, .connections, .server, .monitor, .request, .ask, .requests:
      break
    }
  }

  private mutating func noteBreaches(
    _ breaches: [InterceptorBreach]?, of link: Int, in call: Int?
  ) {
    for breach in breaches ?? [] {
      expectedBreaches.append(Invariants.ExpectedBreach(link: link, call: call, breach: breach))
    }
  }

  private mutating func noteMoment(_ place: Int) {
    switch expectations[place].moment {
    case nil: break
    case .at(let instant):
      lastMoment = max(lastMoment, instant)
      if expectations[place].isDecidedByItsEnd { break }
      lastDecision = max(lastDecision, instant)
    case .within(_, let instant), .before(let instant), .after(let instant):
      lastMoment = max(lastMoment, instant)
    }
  }

  private mutating func sort(_ place: Int, _ script: Script) {
    func tellUnsupported(_ seen: String) {
      findings.append(
        Finding(
          kind: .unsupported, verdict: .unsupported,
          expected: Wording(script).expected(expectations[place]), seen: seen, at: nil,
          position: expectations[place].position))
    }
    guard Self.capability(expectations[place].subject).isSubset(of: capabilities) else {
      tellUnsupported("the backend does not show it")
      return
    }
    if case .call(_, _, _?, _) = expectations[place].subject, !capabilities.contains(.messages) {
      tellUnsupported("the client has words of its own for it")
      // What must not happen cannot be told without them; of what must, all else is looked at.
      if expectations[place].isNever { return }
    }
    switch (expectations[place].subject, expectations[place].isNever) {
    case (.call, _), (.request, _), (.ask, _): final.append(place)
    case (let subject, true):
      if NeverWatch.watches(subject) { watch.add(place, subject) } else { never.append(place) }
    case (_, false):
      if expectations[place].moment == nil { final.append(place) } else { timed.append(place) }
    }
  }

  private static func capability(_ subject: Expectation.Subject) -> Capabilities {
    switch subject {
    case .call(_, _, _, let channel): channel == nil ? [] : .channels
    case .channels: .channels
    case .connections: .connections
    case .server: .server
    case .monitor: .monitor
    case .interceptor, .chain: .interceptors
    case .request, .ask, .requests: .requests
    }
  }

  // MARK: While the run goes by

  /// Whether there is anything to look at before the run is over.
  var looksOn: Bool { next < timed.count || !never.isEmpty || !watch.isEmpty }

  /// The instant of everything taken in so far is over, and the next thing is later.
  mutating func passed(upTo next: Instant, _ state: RunState) {
    guard tolerance == .zero else { return passedInRealTime(upTo: next, state) }
    while self.next < timed.count, expectations[timed[self.next]].instant < next {
      let place = timed[self.next]
      decide(place, subjectHolds(place, state), expectations[place].instant, state)
      self.next += 1
    }
  }

  /// In real time an instant is a window, and what is expected must hold at some time in it.
  private mutating func passedInRealTime(upTo next: Instant, _ state: RunState) {
    var pending: ContiguousArray<Int> = []
    var looked = self.next
    while looked < timed.count {
      let place = timed[looked]
      let instant = expectations[place].instant
      guard instant.microseconds - tolerance.microseconds < next.microseconds else { break }
      looked += 1
      if subjectHolds(place, state) {
        decide(place, true, instant, state)
      } else if instant + tolerance < next {
        decide(place, false, instant, state)
      } else {
        pending.append(place)
      }
    }
    // What is undecided goes before what has not begun.
    self.next = looked - pending.count
    for (offset, place) in pending.enumerated() { timed[self.next + offset] = place }
  }

  /// An instant is over in which something happened.
  mutating func instantIsOver(_ instant: Instant, _ state: RunState) {
    for index in never.indices.reversed() where subjectHolds(never[index], state) {
      decide(never[index], true, instant, state)
      never.remove(at: index)
    }
    guard !watch.isEmpty else { return }
    for place in watch.takeThoseThatHold(state) { decide(place, true, instant, state) }
  }

  /// The run is over.
  mutating func isOver(at end: Instant, _ state: RunState) {
    passed(upTo: Instant(microseconds: end.microseconds &+ 1), state)
    for place in timed[next...] {
      if expectations[place].instant <= end {
        // Its window would go on, and nothing more happens in it.
        decide(place, false, end, state)
        continue
      }
      findings.append(
        Finding(
          kind: .neverEvaluated, verdict: .failed,
          expected: Wording(state.script).expected(expectations[place]),
          seen: "the run ended at \(end.text), before it; make `config.until` later",
          at: end, position: expectations[place].position))
    }
    next = timed.count
    // What was looked at whenever an instant was over, and was never there.
    if keepsDecisions { held += never + watch.remaining }
    for index in final.indices {
      let place = final[index]
      decide(place, holds(place, state), decisionTime(place, state, end), state)
    }
    guard findings.count > 1 else { return }
    findings.sort {
      guard let one = $0.position, let other = $1.position else { return false }
      return (one.line, one.column) < (other.line, other.column)
    }
    if untold > 0 {
      findings.append(
        .more(untold, .expectation, untoldVerdict, expected: "all other expectations hold"))
    }
  }

  private func decisionTime(_ place: Int, _ state: RunState, _ end: Instant) -> Instant {
    endOfSubject(place, state) ?? end
  }

  /// When the call or the request ended that is looked at; nil where it has not, or is no such
  /// thing.
  private func endOfSubject(_ place: Int, _ state: RunState) -> Instant? {
    switch expectations[place].subject {
    case .call(let call, _, _, _):
      state.outcome(of: call)?.at
    case .request(let request, _):
      state.requests.requests[request].outcome.map { _ in
        state.requests.requests[request].endedAt
      }
    case .channels, .connections, .server, .monitor, .interceptor, .chain, .ask, .requests:
      nil
    }
  }

  private mutating func decide(
    _ place: Int, _ holds: Bool, _ instant: Instant, _ state: RunState
  ) {
    guard holds == expectations[place].isNever else {
      if keepsDecisions { held.append(place) }
      return
    }
    let verdict: Verdict = expectations[place].level == .must ? .failed : .nonStrict
    guard findings.count < Finding.maximumCount else {
      untold += 1
      untoldVerdict = max(untoldVerdict, verdict)
      return
    }
    let wording = Wording(state.script)
    findings.append(
      Finding(
        kind: .expectation, verdict: verdict,
        expected: wording.expected(expectations[place]),
        seen: wording.seen(expectations[place], state), at: instant,
        position: expectations[place].position))
  }

  // MARK: What holds

  private func holds(_ place: Int, _ state: RunState) -> Bool {
    guard subjectHolds(place, state) else { return false }
    guard let moment = expectations[place].moment, expectations[place].isDecidedByItsEnd else {
      return true
    }
    guard let end = endOfSubject(place, state) else { return false }
    return switch moment {
    case .at(let instant): instant <= end + tolerance && end <= instant + tolerance
    case .within(let first, let last): first <= end + tolerance && end <= last + tolerance
    case .before(let instant): end < instant + tolerance
    case .after(let instant): end + tolerance > instant
    }
  }

  private func subjectHolds(_ place: Int, _ state: RunState) -> Bool {
    switch expectations[place].subject {
    case .call(let call, let status, let message, let channel):
      let seen = state.calls[call]
      guard let end = state.outcome(of: call)?.end else { return false }
      let wanted = capabilities.contains(.messages) ? message : nil
      return matches(status, end.code) && matches(wanted, state.message(of: call))
        && (channel == nil
          || (seen.isBound && (channel == .new) == seen.channelIsNew))
    case .channels(let host, let alive, let destroyed, let wanted):
      return matches(alive, state.sum(host, \.alive))
        && matches(destroyed, state.sum(host, \.destroyed))
        && (wanted == nil || wanted == state.commonState(of: host))
    case .connections(let host, let attempts, let open, let path):
      return matches(attempts, state.sum(host, \.attempts))
        && matches(open, state.sum(host, \.open))
        && (path.map { state.allConnections(of: host, areOn: $0) } ?? true)
    case .server(let host, let received):
      return matches(received, state.sum(host, \.received))
    case .monitor(let notifications):
      return matches(notifications, state.notifications)
    case .interceptor(let link, let wanted):
      return ChainWording(state).holds(link, wanted)
    case .chain(let call, let wanted):
      return ChainWording(state).holds(call, wanted)
    case .request(let request, let wanted):
      return RequestWording.holds(request, wanted, state)
    case .ask(let question, let wanted):
      return RequestWording.holds(question, wanted, state)
    case .requests(let host, let wanted):
      return RequestWording.holds(host, wanted, state)
    }
  }

  private func matches<Value: Equatable>(_ wanted: Value?, _ seen: Value) -> Bool {
    wanted == nil || wanted == seen
  }
}

extension Expectation {
  /// Whether the expectation counts on a profile.
  fileprivate func isMeant(for profile: Profile) -> Bool {
    profiles.indices.contains { profiles[$0] == profile }
  }

  /// Whether its instant is the one at which a call or a request ended.
  fileprivate var isDecidedByItsEnd: Bool {
    switch subject {
    case .call, .request, .ask: true
    case .channels, .connections, .server, .monitor, .interceptor, .chain, .requests: false
    }
  }

  /// The instant at which something but a call is looked at.
  fileprivate var instant: Instant {
    if case .at(let instant) = moment { return instant }
    return .zero
  }
}
