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
    expecting breaches: Set<ExpectedBreach>, notingChains: Bool, notingHosts: Bool,  // lookup only
    countingChannels: Bool, askingServers servers: ServerSights = ServerSights()
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
      countingChannels: countingChannels, askingServers: servers)
  }

  /// Takes up what further records refer to, where the trace grew since the beginning.
  mutating func refer(to trace: Trace) { run.state.refer(to: trace) }

  // Each looks at a record of its kind, then lets what is known take it in. Whoever gives records
  // has taken them apart, because that costs as much as most rules do.

  mutating func handle(_ record: TraceRecord) {
    own()
    if record.at != now { instantChanges(to: record.at) }
    switch record.body {
    case .event(let event): handle(event, at: record.at)
    case .effect(let effect): handle(effect, at: record.at)
    case .world(let fact): handle(fact, at: record.at)
    case .chain(let fact): handle(fact, at: record.at)
    case .request(let fact): handle(fact, at: record.at)
    }
  }

  /// To be asked before one record or many, as ``RunProjection/own()`` says.
  @inline(__always)
  mutating func own() { run.state.own() }

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

  @inline(never)
  mutating func handle(_ event: ClientCore.Event, at instant: Instant) {
    stepIsOver()
    proceed(to: instant)
    rules.handle(event, &run)
    run.state.apply(event, at: instant)
  }

  // Orders come to functions that have in hand what each is about. They are called, so that each
  // keeps no more at hand than it needs.

  @inline(__always)
  mutating func handle(_ effect: ClientEffect, at instant: Instant) {
    proceed(to: instant)
    switch effect {
    case .notify(let change): notified(change)
    case .channelCreated(let channel): channelCreated(channel)
    case .channelMoved(let channel, let from, let to): channelMoved(channel, from: from, to: to)
    case .channelDestroyed(let channel, let reason): channelDestroyed(channel, reason, at: instant)
    case .callBound(let id, let channel, let isNew): callBound(id, to: channel, isNew: isNew)
    case .openConnection(let id, let channel):
      connectionOpened(id, for: channel, at: instant)
    case .closeConnection(let id): connectionClosed(id)
    case .startStream(let id, let connection): streamStarted(id, on: connection)
    case .sendMessages(let id, let connection, _, _): sent(.messages, of: id, on: connection)
    case .finishStream(let id, let connection): streamFinished(id, on: connection)
    case .resetStream(let id, let connection): sent(.reset, of: id, on: connection)
    case .sendPing(let id): rules.pinged(id, &run)
    case .fetchToken(let id): rules.observed(id, &run)
    case .deliverMessage(let id): messageDelivered(to: id, at: instant)
    case .endCall(let id, let end): callEnded(id, end, at: instant)
    }
  }

  @inline(never)
  private mutating func channelCreated(_ channel: ChannelID) {
    rules.channelCreated(channel, &run)
    run.state.created(channel)
  }

  @inline(never)
  private mutating func channelMoved(
    _ channel: ChannelID, from: ChannelState, to: ChannelState
  ) {
    rules.channelMoved(channel, from: from, to: to, &run)
    run.state.moved(channel, to: to)
  }

  @inline(never)
  private mutating func channelDestroyed(
    _ channel: ChannelID, _ reason: DestroyReason, at instant: Instant
  ) {
    rules.channelDestroyed(channel, &run)
    run.state.destroyed(channel, reason, at: instant)
  }

  @inline(never)
  private mutating func callBound(_ id: CallID, to channel: ChannelID, isNew: Bool) {
    rules.callBound(id, to: channel, isNew: isNew, &run)
    run.state.bound(id, to: channel, isNew: isNew)
  }

  @inline(never)
  private mutating func connectionOpened(
    _ id: ConnectionID, for channel: ChannelID, at instant: Instant
  ) {
    rules.connectionOpened(for: channel, &run)
    run.state.opened(id, for: channel, at: instant)
  }

  @inline(never)
  private mutating func connectionClosed(_ id: ConnectionID) {
    rules.connectionClosed(id, &run)
    run.state.setPhase(of: id, .closed, at: run.now)
  }

  @inline(never)
  private mutating func streamStarted(_ id: CallID, on connection: ConnectionID) {
    rules.sent(.request, of: id, on: connection, &run)
    run.state.started(id, on: connection)
  }

  @inline(never)
  private mutating func streamFinished(_ id: CallID, on connection: ConnectionID) {
    rules.sent(.end, of: id, on: connection, &run)
    run.state.finished(id)
  }

  @inline(never)
  private mutating func sent(_ part: SentPart, of id: CallID, on connection: ConnectionID) {
    rules.sent(part, of: id, on: connection, &run)
  }

  @inline(never)
  private mutating func notified(_ change: CategoryChange) {
    rules.notified(change, &run)
    run.state.notified()
  }

  @inline(never)
  private mutating func messageDelivered(to id: CallID, at instant: Instant) {
    rules.observed(id, &run)
    run.state.delivered(to: id, at: instant)
  }

  @inline(never)
  private mutating func callEnded(_ id: CallID, _ end: CallEnd, at instant: Instant) {
    rules.callEnded(id, end, &run)
    run.state.ended(id, end, at: instant)
  }

  @inline(never)
  mutating func handle(_ fact: WorldFact, at instant: Instant) {
    if fact.beginsStep { stepIsOver() }
    proceed(to: instant)
    if case .runEnded = fact { rules.runEnded(&run) }
    run.state.apply(fact, at: instant)
  }

  @inline(never)
  mutating func handle(_ fact: ChainFact, at instant: Instant) {
    proceed(to: instant)
    rules.handle(fact, &run)
    run.state.apply(fact, at: instant)
  }

  @inline(never)
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
