import HandoverBackend
import HandoverCore
import HandoverScenario
import HandoverTrace

/// Holds what is known of a run, instant by instant, against what the scenario expects of it.
struct Judge {
  private var expectations: [Expectation] = []
  private var capabilities: Capabilities = []
  /// How far from its instant a thing may happen: nothing in virtual time.
  private var tolerance = Interval.zero
  // The expectations that count, by their places: nothing of them is copied.
  /// Looked at at an instant, the earliest first.
  private var timed: ContiguousArray<Int> = []
  /// Must not hold at the end of any instant: looked up by what is seen.
  private var watch = NeverWatch()
  private var chainWatch = ChainWatch()
  /// Looked at when the run is over.
  private var final: ContiguousArray<Final> = []
  private var next = 0
  /// Whose expectations were sorted last.
  private var preparedProfile = Profile.sockets
  /// Whether they can be taken up again as they are: none is watched, or cannot be seen.
  private var canBeRepeated = false
  private var preparedSight = Sight()
  /// Whether the run is over, and everything decided.
  private var isDone = false
  private(set) var findings: [Finding] = []
  /// How much of what is expected can be seen.
  private(set) var sight = Sight()
  /// The expectations that were decided and held, by their places; empty unless they are kept.
  private(set) var held: [Int] = []
  private var keepsDecisions = false
  /// How many more expectations did not hold, and the worst that comes of them.
  private var untold = 0
  private var untoldVerdict = Verdict.passed
  /// What links are expected to do wrong, which then is no finding.
  private(set) var expectedBreaches: Set<ExpectedBreach> = []  // lookup only
  /// The last instant at which something but a call is looked at: so long the run goes on.
  private(set) var lastDecision = Instant.zero
  /// The last instant that any expectation names: so long the run may go on.
  private(set) var lastMoment = Instant.zero

  /// An expectation that is looked at when the run is over.
  private struct Final {
    var index: Int
    /// The end that it asks for, where nothing else would do and all of it can be seen.
    var plain: PlainEnding?
  }

  /// The parts of an end of a call that are numbers; most ask for no others, and are held against
  /// an end without being copied.
  private struct PlainEnding {
    var call: Int
    var status: StatusCode?
    var channel: Expectation.ChannelRelation?
    var moment: Expectation.Moment?
  }

  /// Whether it looks at the channels or the connections of hosts.
  private(set) var looksAtChannels = false
  /// What it wants to know of servers beside their sums.
  private(set) var servers = ServerSights()

  /// Takes up a scenario before it is played; the room of the one before is used again.
  mutating func begin(
    _ scenario: Scenario, profile: Profile, on backend: BackendDescription,
    keepsDecisions: Bool = false
  ) {
    self.keepsDecisions = keepsDecisions
    if !held.isEmpty { held = [] }
    next = 0
    isDone = false
    if !findings.isEmpty { findings = [] }
    untold = 0
    untoldVerdict = .passed
    if canBeRepeated, capabilities == backend.capabilities, tolerance == backend.time.tolerance,
      expectations == scenario.expectations, preparedProfile == profile
    {
      sight = preparedSight
    } else {
      prepare(scenario, profile, on: backend)
    }
  }

  /// Sorts the expectations by when they are looked at.
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
    sight = Sight()
    lastDecision = .zero
    lastMoment = .zero
    expectedBreaches.removeAll(keepingCapacity: true)
    looksAtChannels = false
    servers.removeAll()
    for index in expectations.indices where expectations[index].isMeant(for: profile) {
      noteMoment(index)
      noteBreaches(index)
      sort(index, scenario.script)
    }
    servers.sort()
    if timed.count > 1 {
      let expectations = expectations
      timed.sort { expectations[$0].instant < expectations[$1].instant }
    }
    // Who watches remembers what was seen, and real time moves what is looked at.
    canBeRepeated =
      watch.isEmpty && chainWatch.isEmpty && findings.isEmpty && tolerance == .zero
    preparedProfile = profile
    preparedSight = sight
  }

  private mutating func noteBreaches(_ index: Int) {
    guard !expectations[index].isNever else { return }
    switch expectations[index].subject {
    case .interceptor(let link, let wanted):
      noteBreaches(wanted.breaks, of: link, in: wanted.call)
    case .chain(let call, let wanted):
      noteBreaches(wanted.breaks, of: Int(ChainFact.ownLink), in: call)
    case .call, .channels, .connections, .server, .kernel, .monitor, .request, .ask, .requests:
      break
    }
  }

  private mutating func noteBreaches(
    _ breaches: [InterceptorBreach]?, of link: Int, in call: Int?
  ) {
    for breach in breaches ?? [] {
      expectedBreaches.insert(ExpectedBreach(link: link, call: call, breach: breach))
    }
  }

  private mutating func noteMoment(_ index: Int) {
    for ending in expectations[index].otherwise { noteMoment(ending.moment, isDecision: false) }
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
      sight.count(seen: 0, of: 1)
      findings.append(
        Finding(
          kind: .unsupported, verdict: .unsupported,
          expectedText: Wording(script).expected(expectations[index]),
          seenText: "the backend does not show it", at: nil, position: expectations[index].position)
      )
      return
    }
    if !mayBeSplit(index) { sight.count(seen: 1, of: 1) }
    switch expectations[index].subject {
    case .channels, .connections: looksAtChannels = true
    case .server(let host, let wanted):
      if wanted.accepted != nil { looksAtChannels = true }
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
      !expectations[index].isNever, expectations[index].otherwise.isEmpty, !mayBeSplit(index)
    else { return nil }
    return PlainEnding(
      call: call, status: status, channel: channel, moment: expectations[index].moment)
  }

  /// Whether only the run tells how much of an expectation can be seen: that of a call of which the
  /// backend hides something.
  private func mayBeSplit(_ index: Int) -> Bool {
    guard hidesMessages || hidesChannels else { return false }
    return expectations[index].endings.contains { ending in
      hidesMessages && ending.message != nil || hidesChannels && ending.channel != nil
    }
  }

  /// What a backend must show for anything of an expectation to be seen; the end of a call always
  /// is.
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

  // MARK: While the run goes by

  // Whoever only looks at a run is given it to change all the same: it would be handed a copy.

  /// Whether there is anything to look at before the run is over.
  var looksOn: Bool { next < timed.count || !watch.isEmpty || !chainWatch.isEmpty }

  /// Whether it wants to know which chains change.
  var watchesChains: Bool { !chainWatch.isEmpty }

  /// Whether it wants to know which hosts change.
  var watchesHosts: Bool { !watch.isEmpty }

  /// Whether nothing of what is expected can be seen, whatever happens.
  var seesNothing: Bool {
    !findings.isEmpty && sight.seen == 0 && final.isEmpty && !looksOn
  }

  /// The instant of everything taken in so far is over, and the next thing is later.
  mutating func passed(upTo next: Instant, _ state: inout RunProjection) {
    guard tolerance == .zero else { return passedInRealTime(upTo: next, &state) }
    while self.next < timed.count, expectations[timed[self.next]].instant < next {
      let index = timed[self.next]
      decide(index, subjectHolds(index, state), expectations[index].instant, state)
      self.next += 1
    }
  }

  /// In real time an instant is a window, and what is expected must hold at some time in it.
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
    // What is undecided goes before what has not begun.
    self.next = looked - pending.count
    for (offset, index) in pending.enumerated() { timed[self.next + offset] = index }
  }

  /// An instant is over in which something happened.
  mutating func instantIsOver(_ instant: Instant, _ state: inout RunProjection) {
    if !chainWatch.isEmpty {
      for index in chainWatch.takeThoseThatHold(state) { decide(index, true, instant, state) }
    }
    guard !watch.isEmpty else { return }
    for index in watch.takeThoseThatHold(state) { decide(index, true, instant, state) }
  }

  /// The run is over.
  mutating func isOver(at end: Instant, _ state: inout RunProjection) {
    passed(upTo: Instant(microseconds: end.microseconds &+ 1), &state)
    for index in timed[next...] {
      if expectations[index].instant <= end {
        // Its window would go on, and nothing more happens in it.
        decide(index, false, end, state)
        continue
      }
      findings.append(
        Finding(
          kind: .neverEvaluated, verdict: .failed,
          expectedText: Wording(state.script).expected(expectations[index]),
          seenText: "the run ended at \(end), before it; make `config.until` later",
          at: end, position: expectations[index].position))
    }
    next = timed.count
    isDone = true
    // What was looked at whenever an instant was over, and was never there.
    if keepsDecisions { held += chainWatch.remaining + watch.remaining }
    for row in final.indices {
      let index = final[row].index
      if let plain = final[row].plain, holds(plain, state) {
        if keepsDecisions { held.append(index) }
        continue
      }
      decide(index, truth(of: index, state), decisionTime(index, state, end), state)
    }
    weighWhatIsUnseen()
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

  /// What cannot be seen does not hide what can.
  private mutating func weighWhatIsUnseen() {
    guard sight.seen > 0 else { return }
    for index in findings.indices where findings[index].verdict == .unsupported {
      findings[index].verdict = .asFarAsSeen
    }
  }

  private func decisionTime(_ index: Int, _ state: RunProjection, _ end: Instant) -> Instant {
    endOfSubject(index, state) ?? end
  }

  /// When the call or the request ended that is looked at; nil where it has not, or is no such
  /// thing.
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
      if mayBeSplit(index) { sight.count(seen: 1, of: 1) }
      if keepsDecisions { held.append(index) }
    case (.holds, true), (.fails, false):
      if mayBeSplit(index) { sight.count(seen: 1, of: 1) }
      reportDenied(index, instant, state)
    // What must not happen may have happened or not: none of it is seen.
    case (.holdsAsFarAsSeen, true): reportUnseen(index, .unsupported, state)
    case (.holdsAsFarAsSeen, false): reportUnseen(index, .partlySeen, state)
    }
  }

  /// Says of the end of a call that not all of it can be seen.
  private mutating func reportUnseen(_ index: Int, _ kind: Finding.Kind, _ state: RunProjection) {
    sight.count(seen: kind == .partlySeen ? 1 : 0, of: kind == .partlySeen ? 2 : 1)
    let wording = Wording(state.script)
    let endings = expectations[index].endings
    var seen = wording.seen(expectations[index], state, hidesChannels: hidesChannels)
    if hidesChannels, endings.contains(where: { $0.channel != nil }) {
      seen += "; the backend does not show its channel"
    }
    if hidesMessages, endings.contains(where: { $0.message != nil }) {
      seen += "; the client has words of its own for it"
    }
    findings.append(
      Finding(
        kind: kind, verdict: .unsupported, expectedText: wording.expected(expectations[index]),
        seenText: seen, at: nil, position: expectations[index].position))
  }

  private mutating func reportDenied(_ index: Int, _ instant: Instant, _ state: RunProjection) {
    let verdict: Verdict = expectations[index].level == .must ? .failed : .nonStrict
    guard findings.count < Finding.maximumCount else {
      untold += 1
      untoldVerdict = max(untoldVerdict, verdict)
      return
    }
    let wording = Wording(state.script)
    findings.append(
      Finding(
        kind: .expectation, verdict: verdict,
        expectedText: wording.expected(expectations[index]),
        seenText: wording.seen(expectations[index], state, hidesChannels: hidesChannels),
        at: instant,
        position: expectations[index].position))
  }

  /// The expectations that are not decided yet, by their places: those looked at at an instant to
  /// come, those that must not hold and never have, and those of the end of the run.
  var undecided: [Int] {
    guard !isDone else { return [] }
    return timed[next...] + chainWatch.remaining + watch.remaining + final.map(\.index)
  }

  // MARK: What holds

  /// Whether something holds; not more than what can be seen of it.
  private enum Truth {
    case holds
    case holdsAsFarAsSeen
    case fails
  }

  private var hidesChannels: Bool { !capabilities.contains(.channels) }
  private var hidesMessages: Bool { !capabilities.contains(.messages) }

  private func truth(of index: Int, _ state: RunProjection) -> Truth {
    guard case .call(let call, _, _, _) = expectations[index].subject,
      let first = expectations[index].firstEnding
    else { return holds(index, state) ? .holds : .fails }
    var best = truth(of: first, call, state)
    for ending in expectations[index].otherwise where best != .holds {
      switch truth(of: ending, call, state) {
      case .holds: best = .holds
      case .holdsAsFarAsSeen: best = .holdsAsFarAsSeen
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
    return hidesSomething ? .holdsAsFarAsSeen : .holds
  }

  @inline(__always)
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
    // How a call ends is told by its end.
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
  /// Whether the expectation counts on a profile.
  fileprivate func isMeant(for profile: Profile) -> Bool {
    profiles.indices.contains { profiles[$0] == profile }
  }

  /// Whether its instant is the one at which a call or a request ended.
  fileprivate var isDecidedByItsEnd: Bool {
    switch subject {
    case .call, .request, .ask: true
    case .channels, .connections, .server, .kernel, .monitor, .interceptor, .chain, .requests: false
    }
  }

  /// The instant at which something but a call is looked at.
  fileprivate var instant: Instant {
    if case .at(let instant) = moment { return instant }
    return .zero
  }
}
