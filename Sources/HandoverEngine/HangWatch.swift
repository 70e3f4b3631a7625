public import HandoverCore

/// A call that hung: a network change affected it, and it neither received anything nor ended soon.
public struct HungCall: Hashable, Sendable {
  /// The name of the call.
  public var call: String
  /// The start of the hang: the network change, or the start of the call if that came later.
  public var since: Instant
  /// The length of the hang without the time during which the program was suspended.
  ///
  /// If the call never ended, the hang lasted at least this long.
  public var lasted: Interval
  /// Whether the call ended before the run was over.
  public var hasEnded: Bool
  /// The position of the call in the script.
  var index: Int
}

/// Measures how long calls hang after a network change.
///
/// The watch reads each record of a run together with the state of the run before that record. The
/// page Gates defines a change, the calls that it affects, and the end of a hang. No other code
/// measures hangs.
struct HangWatch {
  private struct Call {
    /// The identifier of the call, or `nil` before its start and after its end.
    var id: CallID?
    /// The start of the hang, and the total suspended time before it.
    var since: Instant?
    var asleepBefore = Interval.zero
  }

  private struct Host {
    /// Whether the host had a call before the last change, and whether it has been silent since
    /// then.
    var wasUsed = false
    var isUnheard = false
  }

  /// Whether hangs are measured.
  ///
  /// This flag is checked for each record, because checking an optional of this size is slow.
  let isOn: Bool
  private let script: Script
  private let tolerance: Interval
  private let seesChannels: Bool
  private var calls: ContiguousArray<Call>
  private var hosts: ContiguousArray<Host>
  /// The calls that were sent on each connection, indexed by the row of its identifier.
  private var sent: ContiguousArray<ContiguousArray<Int>> = []
  /// The time of the last change, or `nil` before the first change.
  private var changedAt: Instant?
  /// Whether the first entry has run; earlier device facts only set up the initial state.
  private var hasBegun = false
  private var suspendedAt: Instant?
  private var asleep = Interval.zero
  private var found: [HungCall] = []
  private var isOver = false

  /// Creates a watch for a run, starting with its first record.
  ///
  /// - Parameters:
  ///   - script: the script of the run.
  ///   - tolerance: the maximum deviation of an event from its instant.
  ///   - seesChannels: whether the backend reports its channels.
  init(_ script: Script, tolerance: Interval, seesChannels: Bool) {
    isOn = true
    self.script = script
    self.tolerance = tolerance
    self.seesChannels = seesChannels
    calls = ContiguousArray(repeating: Call(), count: script.calls.count)
    hosts = ContiguousArray(repeating: Host(), count: script.hosts.count)
  }

  /// Creates a watch that is off.
  init() {
    isOn = false
    script = Script()
    tolerance = .zero
    seesChannels = false
    calls = []
    hosts = []
  }

  /// Returns the hangs so far that exceed a limit or never ended, in script order.
  func hangs(longerThan limit: Interval) -> [HungCall] {
    found.filter { !$0.hasEnded || $0.lasted > limit }.sorted { one, other in
      (one.index, one.since) < (other.index, other.since)
    }
  }

  // MARK: Records

  /// Processes a record; ignores records after the end of the run, which only close the client.
  ///
  /// - Parameters:
  ///   - record: the record.
  ///   - run: the state of the run before the record.
  mutating func handle(_ record: TraceRecord, _ run: RunProjection) {
    guard !isOver else { return }
    switch record.body {
    case .world(let fact): handle(fact.hang, at: record.at, run)
    case .event(let event): handle(event, at: record.at, run)
    case .effect(let effect): handle(effect, at: record.at, run)
    case .chain(let fact): handle(fact, at: record.at, run)
    case .request: break
    }
  }

  private mutating func handle(_ role: HangRelevance, at now: Instant, _ run: RunProjection) {
    switch role {
    case .none: break
    case .begins: hasBegun = true
    case .changesNetwork: if hasBegun { changed(at: now, run) }
    case .fault(let entry): handleFault(script.entries[Int(entry)].action, at: now, run)
    case .movesApp(let app): handleApp(app, at: now)
    case .introduces(let index, let id): introduce(Int(index), id)
    case .stalls(let id): lost(id, isStalled: true, at: now, run)
    case .ends: end(at: now)
    }
  }

  private mutating func handle(
    _ event: ClientCore.Event, at now: Instant, _ run: RunProjection
  ) {
    guard case .pool(let event) = event else { return }
    switch event {
    case .callStarted(let id, _, _):
      if !seesChannels { open(id, at: now, run) }
    case .connectionBroken(let id, _): lost(id, isStalled: false, at: now, run)
    case .tokenArrived, .messageQueued, .requestFinished, .callCancelled, .connected,
      .connectFailed, .connectionDraining, .pongReceived, .dataReceived, .messageReceived,
      .streamEnded,
      .disconnectRequested, .disconnectAllRequested, .timeElapsed, .closed:
      break
    }
  }

  private mutating func handle(_ effect: ClientEffect, at now: Instant, _ run: RunProjection) {
    switch effect {
    case .callBound(let id, _, _): open(id, at: now, run)
    case .openConnection(let id, _): opened(id)
    case .startStream(let id, let connection): send(id, on: connection, run)
    case .closeConnection(let id): lost(id, isStalled: false, at: now, run)
    case .deliverMessage(let id):
      if let index = index(of: id, run) { received(index, at: now) }
    case .endCall(let id, let end):
      if let index = index(of: id, run), !run.isIntercepted(index) { ended(index, end, at: now) }
    case .notify, .channelCreated, .channelMoved, .channelDestroyed, .fetchToken, .sendMessages,
      .finishStream, .resetStream, .sendPing:
      break
    }
  }

  private mutating func handle(_ fact: ChainFact, at now: Instant, _ run: RunProjection) {
    let index = Int(fact.call)
    guard index < calls.count, run.isIntercepted(index) else { return }
    switch fact {
    case .received: received(index, at: now)
    case .closed(_, let end): ended(index, end, at: now)
    case .linkMade, .linkSkipped, .linkLeft, .took, .noted, .broke, .attempted, .sentHeader,
      .sentMessage, .trailer:
      break
    }
  }

  // MARK: Changes

  /// Handles a network change for all calls.
  private mutating func changed(at now: Instant, _ run: RunProjection) {
    changedAt = now
    for host in hosts.indices { markUnheard(host) }
    // If the connection of a call is visible, the change affects the call only when the connection
    // stalls or breaks.
    for index in calls.indices where isOpen(index, run) && !run.calls[index].isRunning {
      hangs(index, since: now)
    }
  }

  private mutating func markUnheard(_ host: Int) {
    hosts[host].isUnheard = hosts[host].wasUsed
  }

  private mutating func handleFault(
    _ action: ScriptAction, at now: Instant, _ run: RunProjection
  ) {
    if case .address(let host, _, isReachable: false) = action {
      changedAt = now
      markUnheard(host)
    }
    guard case .transport(let selector, let fault) = action else { return }
    switch fault {
    case .resume: return
    case .stall, .stallAcked, .reset, .fin, .halfClose, .kill, .blackholeConnect: break
    }
    changedAt = now
    for host in hosts.indices where selector.includes(host) { markUnheard(host) }
    // A blackhole affects later connections only, so calls on existing connections do not hang.
    guard fault != .blackholeConnect else { return }
    for index in calls.indices
    where isOpen(index, run) && selector.includes(script.calls[index].host) {
      hangs(index, since: now)
    }
  }

  /// Handles a connection that stalls or is lost.
  private mutating func lost(
    _ id: ConnectionID, isStalled: Bool, at now: Instant, _ run: RunProjection
  ) {
    guard let connection = run.connection(id), id.index < sent.count else { return }
    // A connection that breaks on the current network was not lost by a network change.
    guard isStalled || connection.path != run.path else { return }
    // In real time the loss is reported shortly after the network change that caused it.
    let since = changedAt.flatMap { now <= $0 + tolerance ? $0 : nil } ?? now
    for index in sent[Int(id.index)]
    where run.calls[index].connection == id && isOpen(index, run) {
      hangs(index, since: since)
    }
  }

  private mutating func handleApp(_ app: AppState, at now: Instant) {
    if !app.runs {
      suspendedAt = suspendedAt ?? now
    } else if let since = suspendedAt {
      asleep = asleep + now.since(since)
      suspendedAt = nil
    }
  }

  /// Returns the total time for which the program has been suspended.
  private func asleep(until now: Instant) -> Interval {
    suspendedAt.map { asleep + now.since($0) } ?? asleep
  }

  // MARK: Calls

  private mutating func introduce(_ index: Int, _ id: CallID) {
    // A new attempt of a call continues the hang of the previous attempt.
    let (since, asleepBefore) = (calls[index].since, calls[index].asleepBefore)
    calls[index] = Call(id: id)
    (calls[index].since, calls[index].asleepBefore) = (since, asleepBefore)
  }

  private mutating func open(_ id: CallID, at now: Instant, _ run: RunProjection) {
    guard let index = index(of: id, run), !isOpen(index, run) else { return }
    let host = script.calls[index].host
    // Without a network nothing can hang yet; the next network change affects the call.
    if hosts[host].isUnheard, run.path != nil { hangs(index, since: now) }
    hosts[host].wasUsed = true
  }

  private mutating func opened(_ id: ConnectionID) {
    guard id.index <= sent.count else { return }
    if id.index == sent.count { sent.append([]) }
    sent[Int(id.index)].removeAll(keepingCapacity: true)
  }

  private mutating func send(_ id: CallID, on connection: ConnectionID, _ run: RunProjection) {
    guard let index = index(of: id, run), let carrier = run.connection(connection),
      connection.index < sent.count
    else { return }
    sent[Int(connection.index)].append(index)
    // A working connection ends the hang.
    if !carrier.isStalled { calls[index].since = nil }
  }

  private mutating func hangs(_ index: Int, since: Instant) {
    guard calls[index].since == nil else { return }
    calls[index].since = since
    calls[index].asleepBefore = asleep(until: since)
  }

  /// Ends the hang of a call that received data, unless the data was in transit during the change.
  private mutating func received(_ index: Int, at now: Instant) {
    guard now >= (changedAt ?? .zero) + tolerance else { return }
    calls[index].since = nil
    hosts[script.calls[index].host].isUnheard = false
  }

  private mutating func ended(_ index: Int, _ end: CallEnd, at now: Instant) {
    if end.code == .ok { received(index, at: now) }
    // An answered call did not hang, however late the answer.
    if end.code != .ok { note(index, at: now, hasEnded: true) }
    calls[index] = Call()
  }

  private mutating func end(at now: Instant) {
    isOver = true
    for index in calls.indices where calls[index].id != nil {
      note(index, at: now, hasEnded: false)
    }
  }

  private mutating func note(_ index: Int, at now: Instant, hasEnded: Bool) {
    guard let since = calls[index].since else { return }
    let slept = asleep(until: now).microseconds - calls[index].asleepBefore.microseconds
    found.append(
      HungCall(
        call: script.calls[index].id, since: since,
        lasted: Interval(microseconds: now.since(since).microseconds - slept),
        hasEnded: hasEnded, index: index))
  }

  // MARK: Lookup

  /// Returns the position of a call, or `nil` if the call has ended.
  private func index(of id: CallID, _ run: RunProjection) -> Int? {
    guard let index = run.index(of: id), calls[index].id == id else { return nil }
    return index
  }

  /// Returns whether a call waits for an answer from the network; false until it has a channel.
  private func isOpen(_ index: Int, _ run: RunProjection) -> Bool {
    guard calls[index].id != nil else { return false }
    return run.calls[index].isBound || !seesChannels && run.calls[index].isStarted
  }
}
