import HandoverBackend
import HandoverCore
import HandoverScenario
import HandoverTrace

/// Checks the records of a run against the invariants of its profile, one by one.
///
/// A caller that needs only the first violation can stop after any record, because ``findings``
/// contains all violations so far.
struct RuleCheck {
  private var run = ObservedRun()
  /// The invariants, with the events that they still wait for.
  private(set) var rules = RuleList()
  /// The profile of the invariants, valid if `hasContract` is set.
  private var contract = Profile.sockets
  private var hasContract = false

  /// The state of the run after the latest record.
  var state: RunProjection {
    @inline(__always) _read { yield run.state }
    @inline(__always) _modify { yield &run.state }
  }

  /// The violations so far.
  var findings: [Finding] { run.findings }

  /// Prepares for a run before its first record; reuses the memory of the previous run.
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

  /// Copies the data that further records refer to from a trace that has grown.
  mutating func refer(to trace: Trace) { run.state.refer(to: trace) }

  // Each function checks a record of its kind and then applies it to the state. Callers decode the
  // records, because decoding costs as much as most invariants.

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

  /// Makes the state unique; call this before one or many records, as for ``RunProjection/own()``.
  @inline(__always)
  mutating func own() { run.state.own() }

  /// The instant of the latest record.
  @inline(__always)
  var now: Instant { run.now }

  /// Handles a change of the instant before the next record.
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

  // Each effect has a function that receives only its fields. The functions are not inlined, so
  // that each keeps only the values that it needs in registers.

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

  /// Advances the current instant, which never moves backward.
  @inline(__always)
  private mutating func proceed(to instant: Instant) {
    if instant > run.now { run.now = instant }
  }

  /// Handles the end of a step: the client has issued all effects of the latest event.
  ///
  /// The next record that starts a step calls this function. A world that knows earlier that the
  /// step is over may call it immediately to get the violations.
  @inline(__always)
  mutating func stepIsOver() {
    rules.stepIsOver(&run)
  }

  /// Finishes the run; no records follow.
  ///
  /// - Parameter leaks: the resources that the backend reports as still existing.
  mutating func finish(leaks: [String]) {
    stepIsOver()
    rules.finish(leaks, &run)
  }
}
