import HandoverBackend
import HandoverCore
import HandoverScenario

/// Checks the state of a run, instant by instant, against the expectations of its scenario.
struct Judge {
  private var expectations: [Expectation] = []
  private var capabilities: Capabilities = []
  /// The maximum deviation of an event from its instant; zero in virtual time.
  private var tolerance = Interval.zero
  // The indices of the expectations that apply, so that no expectation is copied.
  /// The expectations that are checked at an instant, earliest first.
  private var timed: ContiguousArray<Int> = []
  /// The expectations that must not hold at the end of any instant, found by looking up observed
  /// values.
  private var watch = NeverWatch()
  private var chainWatch = ChainWatch()
  /// The expectations that are checked at the end of the run.
  private var final: ContiguousArray<Final> = []
  private var next = 0
  /// The profile for which the expectations were last sorted.
  private var preparedProfile = Profile.sockets
  /// Whether the sorted expectations can be reused unchanged for the next run.
  ///
  /// This is the case if none is watched, all are observable and time is virtual.
  private var canBeRepeated = false
  private var preparedCoverage = ObservedCoverage()
  private(set) var findings: [Finding] = []
  /// The number of findings of each kind and verdict, including those beyond the limit.
  private var findingCounts: [FindingCount] = []
  /// The share of the expectations that can be observed.
  private(set) var coverage = ObservedCoverage()
  /// The indices of the decided expectations that held; empty unless `keepsDecisions` is set.
  private(set) var held: [Int] = []
  private var keepsDecisions = false
  /// The violations that expectations require, which are therefore not findings.
  private(set) var expectedViolations: Set<ExpectedViolation> = []  // lookup only
  /// The last instant at which an expectation other than one about a call is checked; the run lasts
  /// at least until then.
  private(set) var lastDecision = Instant.zero
  /// The last instant that any expectation names; the run may last until then.
  private(set) var lastMoment = Instant.zero

  /// An expectation that is checked at the end of the run.
  private struct Final {
    var index: Int
    /// The required end, if the expectation has no alternatives and is completely observable.
    var plain: PlainEnding?
  }

  /// The plain values of an expected call end.
  ///
  /// Most expectations require nothing else, and can be checked without copying them.
  private struct PlainEnding {
    var call: Int
    var status: StatusCode?
    var channel: Expectation.ChannelRelation?
    var moment: Expectation.Moment?
  }

  private struct FindingCount {
    var kind: Finding.Kind
    var verdict: Verdict
    var count: Int
  }

  /// Whether any expectation needs the channels or the connections of hosts.
  private(set) var looksAtChannels = false
  /// The server values that expectations need in addition to the totals.
  private(set) var servers = ServerSights()

  /// Prepares the checker for a run of a scenario; reuses the memory of the previous run.
  mutating func begin(
    _ scenario: Scenario, profile: Profile, on backend: BackendDescription,
    keepsDecisions: Bool = false
  ) {
    self.keepsDecisions = keepsDecisions
    if !held.isEmpty { held = [] }
    next = 0
    if !findings.isEmpty {
      findings = []
      findingCounts = []
    }
    if canBeRepeated, capabilities == backend.capabilities, tolerance == backend.time.tolerance,
      expectations == scenario.expectations, preparedProfile == profile
    {
      coverage = preparedCoverage
    } else {
      prepare(scenario, profile, on: backend)
    }
  }

  /// Sorts the expectations by the time at which they are checked.
  private mutating func prepare(
    _ scenario: Scenario, _ profile: Profile, on backend: BackendDescription
  ) {
    expectations = scenario.expectations
    capabilities = backend.capabilities
    tolerance = backend.time.tolerance
    timed.removeAll(keepingCapacity: true)
    watch.removeAll()
    chainWatch.removeAll()
    final.removeAll(keepingCapacity: true)
    coverage = ObservedCoverage()
    lastDecision = .zero
    lastMoment = .zero
    expectedViolations.removeAll(keepingCapacity: true)
    looksAtChannels = false
    servers.removeAll()
    for index in expectations.indices where expectations[index].applies(for: profile) {
      noteMoment(index)
      noteViolations(index)
      sort(index, scenario.script)
    }
    servers.sort()
    if timed.count > 1 {
      let expectations = expectations
      timed.sort { expectations[$0].instant < expectations[$1].instant }
    }
    // A watch remembers observed values, and in real time the checks are reordered.
    canBeRepeated =
      watch.isEmpty && chainWatch.isEmpty && findings.isEmpty && tolerance == .zero
    preparedProfile = profile
    preparedCoverage = coverage
  }

  private mutating func noteViolations(_ index: Int) {
    guard !expectations[index].isNever else { return }
    switch expectations[index].subject {
    case .interceptor(let link, let wanted):
      noteViolations(wanted.breaks, of: link, in: wanted.call)
    case .chain(let call, let wanted):
      noteViolations(wanted.breaks, of: Int(ChainFact.ownLink), in: call)
    case .call, .channels, .connections, .server, .kernel, .monitor, .request, .ask, .requests:
      break
    }
  }

  private mutating func noteViolations(
    _ violations: [InterceptorViolation]?, of link: Int, in call: Int?
  ) {
    for violation in violations ?? [] {
      expectedViolations.insert(ExpectedViolation(link: link, call: call, violation: violation))
    }
  }

  private mutating func noteMoment(_ index: Int) {
    for ending in expectations[index].alternatives { noteMoment(ending.moment, isDecision: false) }
    noteMoment(
      expectations[index].moment, isDecision: !expectations[index].isDecidedByItsEnd)
  }

  private mutating func noteMoment(_ moment: Expectation.Moment?, isDecision: Bool) {
    switch moment {
    case nil: break
    case .at(let instant):
      lastMoment = max(lastMoment, instant)
      if isDecision { lastDecision = max(lastDecision, instant) }
    case .within(_, let instant), .before(let instant), .after(let instant):
      lastMoment = max(lastMoment, instant)
    }
  }

  private mutating func sort(_ index: Int, _ script: Script) {
    guard Self.capability(expectations[index].subject).isSubset(of: capabilities) else {
      coverage.count(seen: 0, of: 1)
      report(index, .unsupported, .unsupported, at: nil, script) { "the backend does not show it" }
      return
    }
    if !mayBeSplit(index) { coverage.count(seen: 1, of: 1) }
    switch expectations[index].subject {
    case .channels, .connections: looksAtChannels = true
    case .server(let host, let wanted):
      servers.ask(host, wanted, isNever: expectations[index].isNever)
    case .call, .kernel, .monitor, .interceptor, .chain, .request, .ask, .requests: break
    }
    switch (expectations[index].subject, expectations[index].isNever) {
    case (.call, _), (.request, _), (.ask, _):
      final.append(Final(index: index, plain: plainEnding(of: index)))
    case (let subject, true):
      if NeverWatch.watches(subject) {
        watch.add(index, subject)
      } else {
        chainWatch.add(index, subject, script)
      }
    case (_, false):
      if expectations[index].moment == nil {
        final.append(Final(index: index))
      } else {
        timed.append(index)
      }
    }
  }

  private func plainEnding(of index: Int) -> PlainEnding? {
    guard case .call(let call, let status, nil, let channel) = expectations[index].subject,
      !expectations[index].isNever, expectations[index].alternatives.isEmpty, !mayBeSplit(index)
    else { return nil }
    return PlainEnding(
      call: call, status: status, channel: channel, moment: expectations[index].moment)
  }

  /// Returns whether the run decides how much of an expectation can be observed.
  ///
  /// This is the case for an expectation about a call whose message or channel the backend hides.
  private func mayBeSplit(_ index: Int) -> Bool {
    guard hidesMessages || hidesChannels else { return false }
    return expectations[index].endings.contains { ending in
      hidesMessages && ending.message != nil || hidesChannels && ending.channel != nil
    }
  }

  /// Returns the capabilities that a backend needs to show any part of a subject.
  ///
  /// The end of a call needs none, because every backend shows it.
  private static func capability(_ subject: Expectation.Subject) -> Capabilities {
    switch subject {
    case .call: []
    case .channels: .channels
    case .connections: .connections
    case .server: .server
    case .kernel: .kernel
    case .monitor: .monitor
    case .interceptor, .chain: .interceptors
    case .request, .ask, .requests: .requests
    }
  }

  // MARK: During the run

  // Functions that only read the run receive it `inout`, because passing it by value would copy it.

  /// Whether any expectation can be decided before the run is over.
  var hasUndecided: Bool { next < timed.count || !watch.isEmpty || !chainWatch.isEmpty }

  /// Whether the checker needs to know which chains change.
  var watchesChains: Bool { !chainWatch.isEmpty }

  /// Whether the checker needs to know which hosts change.
  var watchesHosts: Bool { !watch.isEmpty }

  /// Whether no expectation can be observed, whatever happens.
  var observesNothing: Bool {
    !findings.isEmpty && coverage.seen == 0 && final.isEmpty && !hasUndecided
  }

  /// Decides the expectations of all instants before the next event.
  mutating func passed(upTo next: Instant, _ state: inout RunProjection) {
    guard tolerance == .zero else { return passedInRealTime(upTo: next, &state) }
    while self.next < timed.count, expectations[timed[self.next]].instant < next {
      let index = timed[self.next]
      decide(index, subjectHolds(index, state), expectations[index].instant, state)
      self.next += 1
    }
  }

  /// Decides expectations in real time, where each instant is a window in which they must hold
  /// once.
  private mutating func passedInRealTime(upTo next: Instant, _ state: inout RunProjection) {
    var pending: ContiguousArray<Int> = []
    var looked = self.next
    while looked < timed.count {
      let index = timed[looked]
      let instant = expectations[index].instant
      guard instant.microseconds - tolerance.microseconds < next.microseconds else { break }
      looked += 1
      if subjectHolds(index, state) {
        decide(index, true, instant, state)
      } else if instant + tolerance < next {
        decide(index, false, instant, state)
      } else {
        pending.append(index)
      }
    }
    // Undecided expectations precede those whose window has not started.
    self.next = looked - pending.count
    for (offset, index) in pending.enumerated() { timed[self.next + offset] = index }
  }

  /// Checks the watched expectations at the end of an instant in which something happened.
  mutating func instantIsOver(_ instant: Instant, _ state: inout RunProjection) {
    if !chainWatch.isEmpty {
      for index in chainWatch.takeSatisfied(state) { decide(index, true, instant, state) }
    }
    guard !watch.isEmpty else { return }
    for index in watch.takeSatisfied(state) { decide(index, true, instant, state) }
  }

  /// Decides all remaining expectations at the end of the run.
  mutating func isOver(at end: Instant, _ state: inout RunProjection) {
    passed(upTo: Instant(microseconds: end.microseconds &+ 1), &state)
    for index in timed[next...] {
      if expectations[index].instant <= end {
        // The window of the expectation extends past the end of the run, but nothing more happens
        // in it.
        decide(index, false, end, state)
        continue
      }
      report(index, .neverEvaluated, .failed, at: end, state.script) {
        "the run ended at \(end), before this time; increase `config.until`"
      }
    }
    next = timed.count
    // Watched expectations that were checked after every instant and never held.
    if keepsDecisions { held += chainWatch.remaining + watch.remaining }
    for row in final.indices {
      let index = final[row].index
      if let plain = final[row].plain, holds(plain, state) {
        if keepsDecisions { held.append(index) }
        continue
      }
      decide(index, truth(of: index, state), decisionTime(index, state, end), state)
    }
    if findings.count > 1 {
      findings.sort {
        guard let one = $0.position, let other = $1.position else { return false }
        return (one.line, one.column) < (other.line, other.column)
      }
    }
    for group in findingCounts where group.count > Finding.maximumCount {
      findings.append(
        .more(
          group.count - Finding.maximumCount, group.kind, group.verdict,
          expected: "all other expectations pass"))
    }
    weakenUnobservedFindings()
  }

  /// Adds a finding about an expectation, up to the limit for its kind and verdict.
  ///
  /// Weak findings have a limit of their own, so that they never displace a failure.
  private mutating func report(
    _ index: Int, _ kind: Finding.Kind, _ verdict: Verdict, at instant: Instant?, _ script: Script,
    seen: () -> TimedText
  ) {
    let group =
      findingCounts.firstIndex { $0.kind == kind && $0.verdict == verdict } ?? findingCounts.count
    if group == findingCounts.count {
      findingCounts.append(FindingCount(kind: kind, verdict: verdict, count: 0))
    }
    findingCounts[group].count += 1
    guard findingCounts[group].count <= Finding.maximumCount else { return }
    findings.append(
      Finding(
        kind: kind, verdict: verdict,
        expectedText: ExpectationPhrases(script).text(of: expectations[index]), seenText: seen(),
        at: instant, position: expectations[index].position))
  }

  /// Weakens "unsupported" findings if other parts of the expectations were observed.
  private mutating func weakenUnobservedFindings() {
    guard coverage.seen > 0 else { return }
    for index in findings.indices where findings[index].verdict == .unsupported {
      findings[index].verdict = .passedPartially
    }
  }

  private func decisionTime(_ index: Int, _ state: RunProjection, _ end: Instant) -> Instant {
    endOfSubject(index, state) ?? end
  }

  /// Returns the end time of the call or request of an expectation.
  ///
  /// The result is `nil` if the call or request has not ended, or the subject is neither.
  private func endOfSubject(_ index: Int, _ state: RunProjection) -> Instant? {
    switch expectations[index].subject {
    case .call(let call, _, _, _):
      state.outcome(of: call)?.at
    case .request(let request, _):
      state.requests.requests[request].outcome.map { _ in
        state.requests.requests[request].endedAt
      }
    case .channels, .connections, .server, .kernel, .monitor, .interceptor, .chain, .ask, .requests:
      nil
    }
  }

  private mutating func decide(
    _ index: Int, _ holds: Bool, _ instant: Instant, _ state: RunProjection
  ) {
    decide(index, holds ? Truth.holds : .fails, instant, state)
  }

  private mutating func decide(
    _ index: Int, _ truth: Truth, _ instant: Instant, _ state: RunProjection
  ) {
    switch (truth, expectations[index].isNever) {
    case (.holds, false), (.fails, true):
      if mayBeSplit(index) { coverage.count(seen: 1, of: 1) }
      if keepsDecisions { held.append(index) }
    case (.holds, true), (.fails, false):
      if mayBeSplit(index) { coverage.count(seen: 1, of: 1) }
      reportDenied(index, instant, state)
    // A "never" expectation that is only partly observable is undecidable.
    case (.holdsPartially, true): reportUnobserved(index, .unsupported, state)
    case (.holdsPartially, false): reportUnobserved(index, .partlySeen, state)
    }
  }

  /// Adds a finding for the end of a call that is not completely observable.
  private mutating func reportUnobserved(_ index: Int, _ kind: Finding.Kind, _ state: RunProjection)
  {
    coverage.count(seen: kind == .partlySeen ? 1 : 0, of: kind == .partlySeen ? 2 : 1)
    let (expectation, hidesMessages) = (expectations[index], hidesMessages)
    let hidesChannels = hidesChannels
    report(index, kind, .unsupported, at: nil, state.script) {
      var seen = Wording(state.script).seen(expectation, state, hidesChannels: hidesChannels)
      if hidesChannels, expectation.endings.contains(where: { $0.channel != nil }) {
        seen += "; the backend does not show its channel"
      }
      if hidesMessages, expectation.endings.contains(where: { $0.message != nil }) {
        seen += "; the client uses a different message"
      }
      return seen
    }
  }

  private mutating func reportDenied(_ index: Int, _ instant: Instant, _ state: RunProjection) {
    let (expectation, hidesChannels) = (expectations[index], hidesChannels)
    let verdict: Verdict = expectation.level == .must ? .failed : .nonStrict
    report(index, .expectation, verdict, at: instant, state.script) {
      Wording(state.script).seen(expectation, state, hidesChannels: hidesChannels)
    }
  }

  // MARK: Evaluation

  /// The truth of an expectation, limited to its observable part.
  private enum Truth {
    case holds
    case holdsPartially
    case fails
  }

  private var hidesChannels: Bool { !capabilities.contains(.channels) }
  private var hidesMessages: Bool { !capabilities.contains(.messages) }

  private func truth(of index: Int, _ state: RunProjection) -> Truth {
    guard case .call(let call, _, _, _) = expectations[index].subject,
      let first = expectations[index].firstEnding
    else { return holds(index, state) ? .holds : .fails }
    var best = truth(of: first, call, state)
    for ending in expectations[index].alternatives where best != .holds {
      switch truth(of: ending, call, state) {
      case .holds: best = .holds
      case .holdsPartially: best = .holdsPartially
      case .fails: break
      }
    }
    return best
  }

  private func truth(of ending: Expectation.Ending, _ call: Int, _ state: RunProjection) -> Truth {
    let plain = PlainEnding(
      call: call, status: ending.status, channel: hidesChannels ? nil : ending.channel,
      moment: ending.moment)
    guard holds(plain, state) else { return .fails }
    if !hidesMessages, let message = ending.message, message != state.message(of: call) {
      return .fails
    }
    let hidesSomething =
      hidesMessages && ending.message != nil || hidesChannels && ending.channel != nil
    return hidesSomething ? .holdsPartially : .holds
  }

  private func holds(_ ending: PlainEnding, _ state: RunProjection) -> Bool {
    guard let outcome = state.outcome(of: ending.call),
      ending.status == nil || ending.status == outcome.end.code,
      ending.moment.map({ holds($0, endingAt: outcome.at) }) ?? true
    else { return false }
    guard let channel = ending.channel else { return true }
    return state.calls[ending.call].isBound
      && (channel == .new) == state.calls[ending.call].channelIsNew
  }

  private func holds(_ index: Int, _ state: RunProjection) -> Bool {
    guard subjectHolds(index, state) else { return false }
    guard let moment = expectations[index].moment, expectations[index].isDecidedByItsEnd else {
      return true
    }
    return endOfSubject(index, state).map { holds(moment, endingAt: $0) } ?? false
  }

  private func holds(_ moment: Expectation.Moment, endingAt end: Instant) -> Bool {
    switch moment {
    case .at(let instant): instant <= end + tolerance && end <= instant + tolerance
    case .within(let first, let last): first <= end + tolerance && end <= last + tolerance
    case .before(let instant): end < instant + tolerance
    case .after(let instant): end + tolerance > instant
    }
  }

  private func subjectHolds(_ index: Int, _ state: RunProjection) -> Bool {
    switch expectations[index].subject {
    // An expectation about a call is evaluated from the end of the call.
    case .call: return false
    case .channels(let host, let alive, let destroyed, let wanted):
      return matches(alive, state.sum(host, \.alive))
        && matches(destroyed, state.sum(host, \.destroyed))
        && (wanted == nil || wanted == state.commonState(of: host))
    case .connections(let host, let attempts, let open, let path):
      return matches(attempts, state.sum(host, \.attempts))
        && matches(open, state.sum(host, \.open))
        && (path == nil || path == state.commonPath(of: host))
    case .server(let host, let wanted):
      let seen = state.counts(of: host, wanted)
      return matches(wanted.received, seen.received)
        && matches(wanted.accepted, seen.accepted) && matches(wanted.twice, seen.twice)
    case .kernel(let wanted):
      return state.kernel.map { isAtMost($0, wanted) } ?? false
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

  private func isAtMost(
    _ seen: RunProjection.KernelCounts, _ wanted: KernelExpectation
  ) -> Bool {
    seen.retransmitted <= wanted.retransmitted ?? .max && seen.resets <= wanted.resets ?? .max
      && seen.sockets <= wanted.sockets ?? .max
  }

  private func matches<Value: Equatable>(_ wanted: Value?, _ seen: Value) -> Bool {
    wanted == nil || wanted == seen
  }
}

extension Expectation {
  /// Returns whether the expectation applies to a profile.
  fileprivate func applies(for profile: Profile) -> Bool {
    profiles.indices.contains { profiles[$0] == profile }
  }

  /// Whether the expectation is decided when its call or request ends.
  fileprivate var isDecidedByItsEnd: Bool {
    switch subject {
    case .call, .request, .ask: true
    case .channels, .connections, .server, .kernel, .monitor, .interceptor, .chain, .requests: false
    }
  }

  /// The instant at which an expectation other than one about a call is checked.
  fileprivate var instant: Instant {
    if case .at(let instant) = moment { return instant }
    return .zero
  }
}
