import HandoverBackend
import HandoverCore
import HandoverScenario
import HandoverTrace

/// The rules that hold in every run, whatever the scenario expects.
///
/// | rule | says |
/// |---|---|
/// | 1 | a call ends once, and nothing is observed of it afterwards |
/// | 2 | a callback of another category destroys every channel and ends its calls UNAVAILABLE |
/// | 3 | a callback of the category held destroys nothing |
/// | 4 | calls of one key share its channel; one that was destroyed is never used again |
/// | 5 | a waiting call goes on or ends at the first occasion, and delays keep their bounds |
/// | 6 | nothing is sent for a call after its end |
/// | 7 | requests keep their endpoint's limits, none waits beside a free slot, each ends once |
/// | 8 | time never runs backwards, orders name what is alive, and nothing remains after the end |
/// | 9 | a user hears one end and nothing after it, and links keep the rules of the chain |
/// | 10 | channels change their states only as B8 allows |
struct Invariants {
  /// What is known of the run, up to the record before the one that is looked at.
  private(set) var state = RunState()
  private var policy = Profile.sockets.policy
  /// How far from its instant a thing may happen: nothing in virtual time.
  private var tolerance = Interval.zero
  /// Whether the backend shows its channels; rules about what is not shown are not asked.
  private var seesChannels = true
  /// Whether what the client does stands right behind what it was told; a process in real time
  /// tells of it when it is done, and of the ends of calls only.
  private var seesSteps = true
  private(set) var findings: [Finding] = []
  private var now = Instant.zero
  /// Whether anything belongs to a step that has not been judged.
  private var step = Step.other
  private var stepDestroyed = 0
  private var createdInStep: ChannelID?
  /// The endpoints whose attempts the client itself gave up in this step.
  private var givenUpInStep: ContiguousArray<UInt32> = []
  private var isClosing = false
  /// What links are expected to do wrong.
  private var expectedBreaches: Set<ExpectedBreach> = []  // lookup only

  /// A rule of the chain that a scenario expects a link to break.
  struct ExpectedBreach: Hashable {
    var link: Int
    var call: Int?
    var breach: InterceptorBreach
  }

  /// How many broken rules are told; a broken backend breaks them all the time.
  private static let maximumFindings = 20

  /// What the client was told of last, as far as a rule asks about what follows.
  private enum Step {
    case transition
    case sameCategory
    case callStarted(place: Int)
    case cancelled(place: Int)
    case connected(endpoint: UInt32)
    case attemptFailed(endpoint: UInt32, endsCalls: Bool)
    case timePassed
    case other
  }

  /// Takes up a run before its first record; the room of the one before is used again.
  mutating func begin(
    _ script: Script, of trace: Trace, policy: ClientPolicy, on backend: BackendDescription,
    expecting breaches: Set<ExpectedBreach> = [], notingChains: Bool = false,  // lookup only
    notingHosts: Bool = false
  ) {
    state.notesChains = notingChains
    state.notesHosts = notingHosts
    tolerance = backend.time.tolerance
    seesChannels = backend.capabilities.contains(.channels)
    seesSteps = backend.time == .virtual || backend.capabilities.contains(.connections)
    expectedBreaches = breaches
    state.begin(script, of: trace, on: backend)
    self.policy = policy
    findings = []
    now = .zero
    forgetStep()
    isClosing = false
  }

  /// Looks at a record, then lets the state take it in.
  // Inlined, as both halves are: a record is then taken apart once, and handed on in pieces.
  @inline(__always)
  mutating func take(_ record: TraceRecord) {
    check(record)
    state.take(record)
  }

  @inline(__always)
  private mutating func check(_ record: TraceRecord) {
    if record.at > now, !state.requests.isEmpty { checkNoneStarves() }
    if record.at < now {
      broken(8, "time goes forward", "a record of \(record.at.text) follows one of \(now.text)")
    }
    if Self.endsStep(record.body) { endStep() }
    now = max(now, record.at)
    switch record.body {
    case .event(let event): begin(event)
    case .effect(let effect): check(effect)
    case .world(let fact): check(fact)
    case .chain(let fact): check(fact)
    case .request(let fact): check(fact)
    }
  }

  /// Whether the client has given all orders that follow from what it was told before.
  @inline(__always)
  private static func endsStep(_ body: TraceRecord.Body) -> Bool {
    switch body {
    case .event: true
    case .world(let fact): isOfItsOwn(fact)
    case .effect, .chain, .request: false
    }
  }

  /// The trace is over.
  mutating func finish(remains: [String]) {
    endStep()
    if !state.requests.isEmpty { checkRequestsEnded() }
    for remain in remains { broken(8, "nothing remains after the client was closed", remain) }
    for place in state.calls.indices where seesSteps && state.calls[place].isUnfinished {
      broken(
        8, "nothing remains after the client was closed", "call \(name(place)) was never ended")
    }
    for place in state.channels.indices where state.channels[place].exists {
      let channel = state.channels[place]
      broken(
        8, "nothing remains after the client was closed",
        "a channel to \(hostName(channel.host)) remains in \(channel.state)")
    }
    for place in state.connections.indices where state.connections[place].phase != .closed {
      broken(
        8, "nothing remains after the client was closed",
        "a connection to \(hostName(state.connections[place].host)) was never closed")
    }
  }

  // MARK: Steps

  /// Whether a fact is no consequence of an order of the step that goes on.
  private static func isOfItsOwn(_ fact: WorldFact) -> Bool {
    switch fact {
    case .entryPlayed, .deviceMoved, .appMoved, .callIntroduced, .runEnded, .callUnfinished: true
    case .attemptBegan, .attemptMoved, .connectionStalled, .connectionResumed, .sendBufferFull,
      .serverReadRequest, .serverReadMessages, .callbackLost, .heldBack, .faultTookEffect:
      false
    }
  }

  private mutating func begin(_ event: ClientCore.Event) {
    switch event {
    case .reachability(.callback(let flags)), .reachability(.resynchronised(let flags)):
      guard policy.monitorsReachability else { return }
      step = NetworkCategory(flags) == state.heldCategory ? .sameCategory : .transition
    case .pool(.callStarted(let id, _, _)):
      if let place = state.place(of: id) { step = .callStarted(place: place) }
    case .pool(.tokenArrived(let id)):
      if let place = unfinished(id) { step = .callStarted(place: place) }
    case .pool(.callCancelled(let id)):
      if seesSteps, let place = unfinished(id) { step = .cancelled(place: place) }
    case .pool(.connected(let id)):
      // Late news of a connection that was closed meanwhile says nothing about the calls.
      if let connection = state.connection(id), connection.phase == .attempted {
        step = .connected(endpoint: connection.endpoint)
      }
    case .pool(.connectFailed(let id, let failure)):
      if let connection = state.connection(id), connection.phase == .attempted {
        step = .attemptFailed(
          endpoint: connection.endpoint,
          endsCalls: failure != .nameResolutionFailed || policy.nameFailureEndsCalls)
      }
    case .pool(.timeElapsed):
      step = .timePassed
    case .pool(.closed):
      isClosing = true
    case .reachability(.initialRead), .pool:
      break
    }
  }

  /// The client has given all orders that follow from what it was told.
  private mutating func endStep() {
    judgeStep()
    forgetStep()
  }

  private mutating func forgetStep() {
    step = .other
    stepDestroyed = 0
    createdInStep = nil
    if !givenUpInStep.isEmpty { givenUpInStep.removeAll(keepingCapacity: true) }
  }

  private mutating func judgeStep() {
    switch step {
    case .transition:
      endTransition()
    case .sameCategory:
      if stepDestroyed > 0 {
        broken(3, "a callback of the category held destroys nothing", "\(stepDestroyed) destroyed")
      }
    case .callStarted(let place):
      let call = state.calls[place]
      if call.isUnfinished, call.failsFast, let channel = call.channel,
        state.channels[Int(channel.endpoint.index)].state == .transientFailure
      {
        broken(5, "a fail-fast call ends in TRANSIENT_FAILURE", "\(name(place)) waits")
      }
    case .cancelled(let place):
      if state.calls[place].isUnfinished {
        broken(5, "a call ends when it is cancelled", "\(name(place)) goes on")
      }
    case .connected(let endpoint):
      checkNoneWaits(on: endpoint, "a call goes on when its channel is connected")
    case .attemptFailed(let endpoint, let endsCalls):
      if endsCalls {
        checkNoneWaits(on: endpoint, "a failed attempt ends the calls that wait for it")
      }
    case .timePassed:
      for endpoint in givenUpInStep {
        checkNoneWaits(on: endpoint, "a failed attempt ends the calls that wait for it")
      }
    case .other:
      break
    }
    if stepDestroyed > 0 { checkDestroyed() }
  }

  private mutating func endTransition() {
    guard !isFull, state.existing > 0 || state.attached > 0 else { return }
    for place in state.channels.indices where state.channels[place].exists {
      let channel = state.channels[place]
      broken(
        2, "a change of category destroys every channel",
        "the one to \(hostName(channel.host)) is still in \(channel.state)")
    }
    for place in state.calls.indices
    where state.calls[place].isUnfinished && (state.calls[place].isBound || isUnboundAndSent(place))
    {
      broken(2, "a change of category ends every call on a channel", "\(name(place)) goes on")
    }
  }

  /// Whether a call runs on a connection of a client that does not show its channels.
  private func isUnboundAndSent(_ place: Int) -> Bool {
    !seesChannels && state.calls[place].isRunning
  }

  /// No call that is bound to the channel of a key has no connection yet.
  private mutating func checkNoneWaits(on endpoint: UInt32, _ expected: String) {
    guard !isFull, state.channels[Int(endpoint)].waiting > 0 else { return }
    for place in state.calls.indices where state.calls[place].waits(on: endpoint) {
      broken(5, expected, "\(name(place)) waits")
    }
  }

  /// A call ends with its channel; the closing of the client is judged when it is over.
  private mutating func checkDestroyed() {
    guard !isClosing, !isFull, state.orphans > 0 else { return }
    if case .transition = step { return }
    for place in state.calls.indices where state.calls[place].isUnfinished {
      guard let channel = state.calls[place].channel, !isAlive(channel) else { continue }
      broken(5, "a call ends when its channel is destroyed", "\(name(place)) goes on")
    }
  }

  // MARK: Effects

  private mutating func check(_ effect: ClientEffect) {
    switch effect {
    case .notify:
      break
    case .channelCreated(let channel):
      guard state.knows(channel.endpoint) else {
        broken(8, "orders name what is alive", "a channel was made for no key")
        return
      }
      if state.channels[Int(channel.endpoint.index)].exists {
        broken(4, "calls of one key share a channel", "a second channel was made beside the first")
      }
      createdInStep = channel
    case .channelMoved(let channel, let from, let to):
      check(channel, movesFrom: from, to: to)
    case .channelDestroyed(let channel, _):
      stepDestroyed += 1
      if !isAlive(channel) {
        broken(8, "orders name what is alive", "a channel was destroyed that does not exist")
      }
    case .callBound(let id, let channel, let isNew):
      check(id, boundTo: channel, isNew: isNew)
    case .openConnection(_, let channel):
      if seesChannels { checkAttempt(of: channel) }
    case .closeConnection(let id):
      if state.connection(id).map({ $0.phase == .closed }) ?? true {
        broken(8, "orders name what is alive", "a connection was closed that is not there")
      }
    case .startStream(let id, let connection), .sendMessages(let id, let connection, _, _),
      .finishStream(let id, let connection), .resetStream(let id, let connection):
      checkSend(of: id, on: connection)
    case .sendPing(let connection):
      if state.connection(connection)?.phase != .open {
        broken(8, "orders name what is alive", "a ping was sent on a connection that is not open")
      }
    case .fetchToken(let id), .deliverMessage(let id):
      if unfinished(id) == nil {
        broken(1, "nothing is observed of a call after its end", "\(name(id)) is")
      }
    case .endCall(let id, let end):
      checkEnd(of: id, end)
    }
  }

  private mutating func check(
    _ channel: ChannelID, movesFrom from: ChannelState, to: ChannelState
  ) {
    guard isAlive(channel) else {
      broken(8, "orders name what is alive", "a channel moved to \(to) that does not exist")
      return
    }
    let held = state.channels[Int(channel.endpoint.index)].state
    if held != from || !from.canMove(to: to) {
      broken(10, "channels move as B8 allows", "one in \(held) went from \(from) to \(to)")
    }
    if from == .connecting, to == .transientFailure {
      givenUpInStep.append(channel.endpoint.index)
    }
  }

  private mutating func check(_ id: CallID, boundTo channel: ChannelID, isNew: Bool) {
    guard isAlive(channel) else {
      broken(4, "a destroyed channel is never used again", "\(name(id)) was bound to one")
      return
    }
    if let place = state.place(of: id), state.calls[place].endpoint != channel.endpoint.index {
      broken(4, "calls of one key share its channel", "\(name(place)) was bound to another key's")
      return
    }
    if isNew != (createdInStep == channel) {
      broken(
        4, "the first call after a destruction makes a new channel, the others share it",
        "\(name(id)) was told otherwise")
    }
  }

  private mutating func checkAttempt(of channel: ChannelID) {
    let index = Int(channel.endpoint.index)
    guard isAlive(channel) else {
      broken(8, "orders name what is alive", "a connection was opened for no channel")
      return
    }
    guard let last = state.channels[index].lastAttempt, state.channels[index].anyCall != .max
    else { return }
    let options = state.script.calls[Int(state.channels[index].anyCall)].options
    let least = leastDelay(
      after: state.channels[index].failuresBeforeIt,
      PoolConfiguration(policy: policy, backoff: state.script.configuration.backoff)
        .backoff(for: options))
    if now < last + least {
      broken(
        5, "the next attempt starts at least \(least.text) after the one of \(last.text)",
        "it started at \(now.text)")
    }
  }

  /// The shortest delay that B1 allows an attempt after some failures in a row; whether it succeeds
  /// changes the delays of later ones only.
  private func leastDelay(after failures: Int, _ rules: BackoffConfiguration) -> Interval {
    guard failures > 0 else { return rules.initial }
    var mean = rules.initial
    for _ in 0..<min(failures, 64) { mean = min(mean.scaled(by: rules.multiplier), rules.maximum) }
    let spread = mean.scaled(by: rules.jitter)
    return Interval(microseconds: mean.microseconds - spread.microseconds)
  }

  private mutating func checkSend(of id: CallID, on connection: ConnectionID) {
    if unfinished(id) == nil {
      broken(6, "nothing is sent for a call after its end", "\(name(id)) is sent")
    }
    if state.connection(connection)?.phase != .open {
      broken(8, "orders name what is alive", "something was sent on a connection that is not open")
    }
  }

  private mutating func checkEnd(of id: CallID, _ end: CallEnd) {
    guard let place = unfinished(id) else {
      broken(1, "a call ends once", "\(name(id)) ended again, \(end.code)")
      return
    }
    let call = state.calls[place]
    switch step {
    case .transition where seesChannels && !call.isBound:
      broken(
        2, "a change of category leaves calls alone that have no channel",
        "\(name(place)) ended \(end.code)")
    case .transition where end.code != .unavailable:
      broken(2, "a change of category ends calls UNAVAILABLE", "\(name(place)) ended \(end.code)")
    case .attemptFailed where end.code != .unavailable:
      broken(5, "a failed attempt ends calls UNAVAILABLE", "\(name(place)) ended \(end.code)")
    case .timePassed where end.code == .deadlineExceeded && call.deadline > now:
      broken(
        5, "a call ends of its deadline when it has passed",
        "\(name(place)) ended DEADLINE_EXCEEDED before it")
    case .transition, .sameCategory, .callStarted, .cancelled, .connected, .attemptFailed,
      .timePassed, .other:
      break
    }
    checkDeadline(of: place, call, endedAt: now)
  }

  private mutating func checkDeadline(of place: Int, _ call: RunState.Call, endedAt end: Instant) {
    guard call.deadline < end, call.deadline + tolerance < end, !isClosing else { return }
    // An application that does not run hears of its deadlines when it returns.
    let wasAway =
      state.isSuspended
      || (state.lastReturn.map { end <= $0 + tolerance } ?? false
        && state.wentToBackground <= call.deadline)
    guard !wasAway else { return }
    broken(
      5, "\(name(place)) ends by its deadline, \(call.deadline.text)",
      "it was there until \(end.text)")
  }

  // MARK: World facts

  private mutating func check(_ fact: WorldFact) {
    guard case .runEnded = fact else { return }
    for place in state.calls.indices where state.calls[place].isUnfinished {
      checkDeadline(of: place, state.calls[place], endedAt: now)
    }
  }

  // MARK: Chains

  private mutating func check(_ fact: ChainFact) {
    let place = Int(fact.call)
    guard place < state.chains.count else { return }
    let hasEnded = state.chains[place].end != nil
    // A user who cancels hears the end before the cancel has caught up with what was on its way.
    let hasEndedBefore =
      hasEnded
      && !(state.chains[place].end?.code == .cancelled && state.chains[place].endedAt == now)
    switch fact {
    case .closed:
      if hasEnded { broken(9, "call \(name(place)) ends once", "its user heard a second end") }
    case .heard(_, let step, _):
      if hasEnded {
        broken(
          9, "nothing comes after the end of call \(name(place))", "its user heard \(step.rawValue)"
        )
      }
    case .took(_, let link, let step):
      guard let seen = state.chains[place].link(Int(link))?.sees else { return }
      if step == .metadata, seen.contains(.message) {
        broken(
          9, "headers come before messages", "\(name(link: link)) got them after one")
      }
    case .broke(_, let link, let breach):
      let isExpected = [nil, place].contains {
        expectedBreaches.contains(ExpectedBreach(link: Int(link), call: $0, breach: breach))
      }
      if !isExpected {
        broken(
          9, "the links and the user of call \(name(place)) keep the rules of the chain",
          "\(name(link: link)) \(breach.words)")
      }
    case .sentMessage:
      if hasEndedBefore {
        broken(9, "nothing is sent after the end of call \(name(place))", "a message was sent")
      }
    case .attempted:
      if hasEndedBefore {
        broken(9, "nothing starts after the end of call \(name(place))", "another attempt began")
      }
      if state.calls[place].isUnfinished {
        broken(
          9, "one attempt of call \(name(place)) lives at a time",
          "another began while the one before it lived")
      }
    case .linkMade, .linkSkipped, .linkLeft, .noted, .sentHeader, .trailer:
      break
    }
  }

  private func name(link: UInt16) -> String {
    let links = state.script.configuration.chain.links
    return link < links.count ? "\"\(links[Int(link)].name)\"" : "the user"
  }

  // MARK: Looking up

  // What only looks is inlined, as in the state: called, it would be handed a copy of everything.

  @inline(__always)
  private func isAlive(_ channel: ChannelID) -> Bool { state.isAlive(channel) }

  @inline(__always)
  private func unfinished(_ id: CallID) -> Int? {
    guard let place = state.place(of: id), state.calls[place].isUnfinished else { return nil }
    return place
  }

  private func hostName(_ host: UInt32) -> String { state.script.hosts[Int(host)].written }

  private func name(_ id: CallID) -> String {
    state.place(of: id).map(name) ?? "an unknown call"
  }

  private func name(_ place: Int) -> String { "\"\(state.script.calls[place].id)\"" }

  /// Whether no more broken rules are told.
  var isFull: Bool { findings.count >= Self.maximumFindings }

  /// Whether a short request waits beside a free slot; only what changed is looked at.
  mutating func someoneStarves() -> Bool { state.someRequestStarves() }

  mutating func broken(_ rule: Int, _ expected: String, _ seen: String) {
    guard !isFull else { return }
    findings.append(
      Finding(
        kind: .invariant(rule), verdict: .failed, expected: expected, seen: seen, at: now,
        position: nil))
  }
}
