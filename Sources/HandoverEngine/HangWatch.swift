public import HandoverCore
import HandoverTrace

/// A call that hung: a change of the network met it, and it neither heard anything nor ended soon.
public struct CallHang: Hashable, Sendable {
  /// The call's name.
  public var call: String
  /// When it began to hang: at the change, or with the call where it was made after.
  public var since: Instant
  /// How long, without the time in which the program was suspended; at least that long where the
  /// call never ended.
  public var lasted: Interval
  /// Whether it ended before the run was over.
  public var hasEnded: Bool
  /// The call's place in the script.
  var index: Int
}

/// Tells how long calls hung after a change of the network; the one place that knows.
///
/// It reads the records of a run and how the run stood before each. What a change is, whom it meets
/// and what ends a hang stands on the page Gates.
struct HangWatch {
  private struct Call: Hashable {
    /// What it is known by; nil before it begins, and once it is over.
    var id: CallID?
    /// When it began to hang, and how long the program had been suspended until then.
    var since: Instant?
    var asleepBefore = Interval.zero
  }

  private struct Host: Hashable {
    /// Whether it had a call before the last change, and none has heard from it since.
    var wasUsed = false
    var isUnheard = false
  }

  /// Whether anybody looks for hangs; asked at each record, where an optional of that size is slow.
  let isOn: Bool
  private let script: Script
  private let tolerance: Interval
  private let seesChannels: Bool
  private var calls: ContiguousArray<Call>
  private var hosts: ContiguousArray<Host>
  /// The calls that were sent on the connections, by the rows of their identifiers.
  private var sent: ContiguousArray<ContiguousArray<Int>> = []
  /// The last change; nil before the first.
  private var changedAt: Instant?
  /// Until the first entry is played the device only takes its place.
  private var hasBegun = false
  private var suspendedAt: Instant?
  private var asleep = Interval.zero
  private var found: [CallHang] = []
  private var isOver = false

  /// Watches a run from its first record on.
  ///
  /// - Parameters:
  ///   - script: what is played.
  ///   - tolerance: how far from its instant a thing may happen.
  ///   - seesChannels: whether the backend tells of its channels.
  init(_ script: Script, tolerance: Interval, seesChannels: Bool) {
    isOn = true
    self.script = script
    self.tolerance = tolerance
    self.seesChannels = seesChannels
    calls = ContiguousArray(repeating: Call(), count: script.calls.count)
    hosts = ContiguousArray(repeating: Host(), count: script.hosts.count)
  }

  /// Nobody looks.
  init() {
    isOn = false
    script = Script()
    tolerance = .zero
    seesChannels = false
    calls = []
    hosts = []
  }

  /// The hangs so far that lasted longer than a limit or never ended, in the order of the script.
  func hangs(longerThan limit: Interval) -> [CallHang] {
    found.filter { !$0.hasEnded || $0.lasted > limit }.sorted { one, other in
      (one.index, one.since) < (other.index, other.since)
    }
  }

  // MARK: Records

  /// Takes a record in; what follows the end of the run is the closing of the client.
  ///
  /// - Parameters:
  ///   - record: the record.
  ///   - run: how the run stands before it.
  mutating func handle(_ record: TraceRecord, _ run: RunProjection) {
    guard !isOver else { return }
    switch record.body {
    case .world(let fact): handle(fact.traits.hang, at: record.at, run)
    case .event(let event): handle(event, at: record.at, run)
    case .effect(let effect): handle(effect, at: record.at, run)
    case .chain(let fact): handle(fact, at: record.at, run)
    case .request: break
    }
  }

  private mutating func handle(_ role: HangRole, at now: Instant, _ run: RunProjection) {
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
      if let index = index(of: id, run) { heard(index, at: now) }
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
    case .heard: heard(index, at: now)
    case .closed(_, let end): ended(index, end, at: now)
    case .linkMade, .linkSkipped, .linkLeft, .took, .noted, .broke, .attempted, .sentHeader,
      .sentMessage, .trailer:
      break
    }
  }

  // MARK: Changes

  /// The network became another one for everybody.
  private mutating func changed(at now: Instant, _ run: RunProjection) {
    changedAt = now
    for host in hosts.indices { markUnheard(host) }
    // Who runs on a connection that can be seen is met when that stalls or breaks.
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
    guard case .transport(let selector, let word) = action else { return }
    switch word {
    case .resume: return
    case .stall, .stallAcked, .reset, .fin, .halfClose, .kill, .blackholeConnect: break
    }
    changedAt = now
    for host in hosts.indices where selector.includes(host) { markUnheard(host) }
    // It meets what is made later, and nobody who is connected.
    guard word != .blackholeConnect else { return }
    for index in calls.indices
    where isOpen(index, run) && selector.includes(script.calls[index].host) {
      hangs(index, since: now)
    }
  }

  /// A connection stalls, or is no more.
  private mutating func lost(
    _ id: ConnectionID, isStalled: Bool, at now: Instant, _ run: RunProjection
  ) {
    guard let connection = run.connection(id), id.index < sent.count else { return }
    // What breaks on the path that the device is on was not lost by a change.
    guard isStalled || connection.path != run.path else { return }
    // In real time it comes a little after the move that it follows from.
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

  /// How long the program has been suspended so far.
  private func asleep(until now: Instant) -> Interval {
    suspendedAt.map { asleep + now.since($0) } ?? asleep
  }

  // MARK: Calls

  private mutating func introduce(_ index: Int, _ id: CallID) {
    // Another attempt of the same call waits as the one before did.
    let (since, asleepBefore) = (calls[index].since, calls[index].asleepBefore)
    calls[index] = Call(id: id)
    (calls[index].since, calls[index].asleepBefore) = (since, asleepBefore)
  }

  private mutating func open(_ id: CallID, at now: Instant, _ run: RunProjection) {
    guard let index = index(of: id, run), !isOpen(index, run) else { return }
    let host = script.calls[index].host
    // Without a path there is nothing yet that could hang; the next move meets the call.
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
    // A connection that carries is the recovery.
    if !carrier.isStalled { calls[index].since = nil }
  }

  private mutating func hangs(_ index: Int, since: Instant) {
    guard calls[index].since == nil else { return }
    calls[index].since = since
    calls[index].asleepBefore = asleep(until: since)
  }

  /// A call got something of the server; what was under way at the change says nothing yet.
  private mutating func heard(_ index: Int, at now: Instant) {
    guard now >= (changedAt ?? .zero) + tolerance else { return }
    calls[index].since = nil
    hosts[script.calls[index].host].isUnheard = false
  }

  private mutating func ended(_ index: Int, _ end: CallEnd, at now: Instant) {
    if end.code == .ok { heard(index, at: now) }
    // Whoever was answered did not hang, however late.
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
      CallHang(
        call: script.calls[index].id, since: since,
        lasted: Interval(microseconds: now.since(since).microseconds - slept),
        hasEnded: hasEnded, index: index))
  }

  // MARK: What there is

  /// The call of an identifier; nil where it is over.
  private func index(of id: CallID, _ run: RunProjection) -> Int? {
    guard let index = run.index(of: id), calls[index].id == id else { return nil }
    return index
  }

  /// Whether a call waits for an answer of the network; not before it has a channel.
  private func isOpen(_ index: Int, _ run: RunProjection) -> Bool {
    guard calls[index].id != nil else { return false }
    return run.calls[index].isBound || !seesChannels && run.calls[index].isStarted
  }
}

extension HangWatch: Hashable {
  /// Whether two runs of one script on one backend are the same to it from here on.
  static func == (left: Self, right: Self) -> Bool {
    left.calls == right.calls && left.hosts == right.hosts && left.sent == right.sent
      && left.changedAt == right.changedAt && left.hasBegun == right.hasBegun
      && left.suspendedAt == right.suspendedAt && left.asleep == right.asleep
      && left.found == right.found && left.isOver == right.isOver
  }

  /// Mixes in what two runs may differ in.
  func hash(into hasher: inout Hasher) {
    hasher.combine(calls)
    hasher.combine(hosts)
    hasher.combine(sent)
    hasher.combine(changedAt)
    hasher.combine(suspendedAt)
    hasher.combine(asleep)
    hasher.combine(found)
  }
}
