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
  var place: Int
}

/// Tells how long calls hung after a change of the network; the one place that knows.
///
/// It reads a trace and nothing else. What a change is, whom it meets and what ends a hang stands
/// on the page Gates.
struct HangWatch {
  private struct Call: Hashable {
    var id: CallID?
    /// The connection that carries it, where the backend tells.
    var connection: ConnectionID?
    /// Whether it waits for an answer of the network; not before it has a channel.
    var isOpen = false
    /// When it began to hang, and how long the program had been suspended until then.
    var since: Instant?
    var asleepBefore = Interval.zero
  }

  private struct Connection: Hashable {
    var generation: UInt32
    var path: PathIndex?
    var isStalled = false
    var calls: ContiguousArray<Int> = []
  }

  private struct Host: Hashable {
    /// Whether it had a call before the last change, and none has heard from it since.
    var wasUsed = false
    var isUnheard = false
  }

  private let script: Script
  private let tolerance: Interval
  private let seesChannels: Bool
  private var calls: ContiguousArray<Call>
  private var hosts: ContiguousArray<Host>
  private var connections: ContiguousArray<Connection> = []
  /// The places of calls by the rows of their identifiers.
  private var places: ContiguousArray<Int> = []
  private var path: PathIndex?
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
    self.script = script
    self.tolerance = tolerance
    self.seesChannels = seesChannels
    calls = ContiguousArray(repeating: Call(), count: script.calls.count)
    hosts = ContiguousArray(repeating: Host(), count: script.hosts.count)
  }

  /// The hangs so far that lasted longer than a limit or never ended, in the order of the script.
  func hangs(longerThan limit: Interval) -> [CallHang] {
    found.filter { !$0.hasEnded || $0.lasted > limit }.sorted { one, other in
      (one.place, one.since) < (other.place, other.since)
    }
  }

  // MARK: Records

  /// Takes a record in; what follows the end of the run is the closing of the client.
  mutating func take(_ record: TraceRecord) {
    guard !isOver else { return }
    switch record.body {
    case .world(.runEnded): end(at: record.at)
    case .world(let fact): take(fact, at: record.at)
    case .event(let event): take(event, at: record.at)
    case .effect(let effect): take(effect, at: record.at)
    case .chain(let fact): take(fact, at: record.at)
    case .request: break
    }
  }

  private mutating func take(_ fact: WorldFact, at now: Instant) {
    switch fact {
    case .entryPlayed: hasBegun = true
    case .deviceMoved(let path):
      self.path = path
      if hasBegun { changed(at: now) }
    case .faultTookEffect(let entry): takeFault(script.entries[Int(entry)].action, at: now)
    case .appMoved(let app): takeApp(app, at: now)
    case .callIntroduced(let place, let id): introduce(Int(place), id)
    case .attemptBegan(let id, _, let path): takeAttempt(id, on: path)
    case .attemptMoved(let id, let path):
      if let row = row(of: id) { connections[row].path = path }
    case .connectionStalled(let id): lost(id, isStalled: true, at: now)
    case .connectionResumed(let id):
      if let row = row(of: id) { connections[row].isStalled = false }
    case .sendBufferFull, .serverReadRequest, .serverReadMessages, .callbackLost, .heldBack,
      .runEnded, .callUnfinished:
      break
    }
  }

  private mutating func take(_ event: ClientCore.Event, at now: Instant) {
    guard case .pool(let event) = event else { return }
    switch event {
    case .callStarted(let id, _, _):
      if !seesChannels { open(id, at: now) }
    case .connectionBroken(let id, _): lost(id, isStalled: false, at: now)
    case .tokenArrived, .messageQueued, .requestFinished, .callCancelled, .connected,
      .connectFailed, .connectionDraining, .pongReceived, .messageReceived, .streamEnded,
      .disconnectRequested, .disconnectAllRequested, .timeElapsed, .closed:
      break
    }
  }

  private mutating func take(_ effect: ClientEffect, at now: Instant) {
    switch effect {
    case .callBound(let id, _, _): open(id, at: now)
    case .startStream(let id, let connection): run(id, on: connection)
    case .closeConnection(let id): lost(id, isStalled: false, at: now)
    case .deliverMessage(let id):
      if let place = place(of: id) { heard(place, at: now) }
    case .endCall(let id, let end):
      if let place = place(of: id), !isIntercepted(place) { ended(place, end, at: now) }
    case .notify, .channelCreated, .channelMoved, .channelDestroyed, .openConnection, .fetchToken,
      .sendMessages, .finishStream, .resetStream, .sendPing:
      break
    }
  }

  private mutating func take(_ fact: ChainFact, at now: Instant) {
    let place = Int(fact.call)
    guard place < calls.count, isIntercepted(place) else { return }
    switch fact {
    case .heard: heard(place, at: now)
    case .closed(_, let end): ended(place, end, at: now)
    case .linkMade, .linkSkipped, .linkLeft, .took, .noted, .broke, .attempted, .sentHeader,
      .sentMessage, .trailer:
      break
    }
  }

  // MARK: Changes

  /// The network became another one for everybody.
  private mutating func changed(at now: Instant) {
    changedAt = now
    for host in hosts.indices { markUnheard(host) }
    // Who runs on a connection that can be seen is met when that stalls or breaks.
    for place in calls.indices where calls[place].isOpen && calls[place].connection == nil {
      hangs(place, since: now)
    }
  }

  private mutating func markUnheard(_ host: Int) {
    hosts[host].isUnheard = hosts[host].wasUsed
  }

  private mutating func takeFault(_ action: ScriptAction, at now: Instant) {
    guard case .transport(let selector, let word) = action else { return }
    switch word {
    case .resume: return
    case .stall, .stallAcked, .reset, .fin, .halfClose, .kill, .blackholeConnect: break
    }
    changedAt = now
    for host in hosts.indices where selector.includes(host) { markUnheard(host) }
    // It meets what is made later, and nobody who is connected.
    guard word != .blackholeConnect else { return }
    for place in calls.indices
    where calls[place].isOpen && selector.includes(script.calls[place].host) {
      hangs(place, since: now)
    }
  }

  /// A connection stalls, or is no more.
  private mutating func lost(_ id: ConnectionID, isStalled: Bool, at now: Instant) {
    guard let row = row(of: id) else { return }
    if isStalled { connections[row].isStalled = true }
    // What breaks on the path that the device is on was not lost by a change.
    guard isStalled || connections[row].path != path else { return }
    // In real time it comes a little after the move that it follows from.
    let follows = changedAt.map { now <= $0 + tolerance } ?? false
    for place in connections[row].calls where calls[place].connection == id {
      hangs(place, since: follows ? changedAt ?? now : now)
    }
  }

  private mutating func takeApp(_ app: AppState, at now: Instant) {
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

  private mutating func introduce(_ place: Int, _ id: CallID) {
    // Another attempt of the same call waits as the one before did.
    let (since, asleepBefore) = (calls[place].since, calls[place].asleepBefore)
    calls[place] = Call(id: id)
    (calls[place].since, calls[place].asleepBefore) = (since, asleepBefore)
    while places.count <= id.index { places.append(.max) }
    places[Int(id.index)] = place
  }

  private mutating func open(_ id: CallID, at now: Instant) {
    guard let place = place(of: id), !calls[place].isOpen else { return }
    calls[place].isOpen = true
    let host = script.calls[place].host
    // Without a path there is nothing yet that could hang; the next move meets the call.
    if hosts[host].isUnheard, path != nil { hangs(place, since: now) }
    hosts[host].wasUsed = true
  }

  private mutating func run(_ id: CallID, on connection: ConnectionID) {
    guard let place = place(of: id), let row = row(of: connection) else { return }
    calls[place].connection = connection
    connections[row].calls.append(place)
    // A connection that carries is the recovery.
    if !connections[row].isStalled { calls[place].since = nil }
  }

  private mutating func hangs(_ place: Int, since: Instant) {
    guard calls[place].isOpen, calls[place].since == nil else { return }
    calls[place].since = since
    calls[place].asleepBefore = asleep(until: since)
  }

  /// A call got something of the server; what was under way at the change says nothing yet.
  private mutating func heard(_ place: Int, at now: Instant) {
    guard now >= (changedAt ?? .zero) + tolerance else { return }
    calls[place].since = nil
    hosts[script.calls[place].host].isUnheard = false
  }

  private mutating func ended(_ place: Int, _ end: CallEnd, at now: Instant) {
    if end.code == .ok { heard(place, at: now) }
    // Whoever was answered did not hang, however late.
    if end.code != .ok { note(place, at: now, hasEnded: true) }
    calls[place] = Call()
  }

  private mutating func end(at now: Instant) {
    isOver = true
    for place in calls.indices where calls[place].id != nil {
      note(place, at: now, hasEnded: false)
    }
  }

  private mutating func note(_ place: Int, at now: Instant, hasEnded: Bool) {
    guard let since = calls[place].since else { return }
    let slept = asleep(until: now).microseconds - calls[place].asleepBefore.microseconds
    found.append(
      CallHang(
        call: script.calls[place].id, since: since,
        lasted: Interval(microseconds: now.since(since).microseconds - slept),
        hasEnded: hasEnded, place: place))
  }

  private func isIntercepted(_ place: Int) -> Bool {
    let chain = script.configuration.chain
    return !chain.links.isEmpty && script.calls[place].isIntercepted(by: chain)
  }

  // MARK: Places

  private func place(of id: CallID) -> Int? {
    guard id.index < places.count else { return nil }
    let place = places[Int(id.index)]
    return place < calls.count && calls[place].id == id ? place : nil
  }

  private func row(of id: ConnectionID) -> Int? {
    guard id.index < connections.count,
      connections[Int(id.index)].generation == id.generation
    else { return nil }
    return Int(id.index)
  }

  private mutating func takeAttempt(_ id: ConnectionID, on path: PathIndex?) {
    let fresh = Connection(generation: id.generation, path: path)
    if id.index < connections.count {
      connections[Int(id.index)] = fresh
    } else if id.index == connections.count {
      connections.append(fresh)
    }
  }
}

extension HangWatch: Hashable {
  /// Whether two runs of one script on one backend are the same to it from here on.
  static func == (left: Self, right: Self) -> Bool {
    left.calls == right.calls && left.hosts == right.hosts && left.connections == right.connections
      && left.places == right.places && left.path == right.path
      && left.changedAt == right.changedAt && left.hasBegun == right.hasBegun
      && left.suspendedAt == right.suspendedAt && left.asleep == right.asleep
      && left.found == right.found && left.isOver == right.isOver
  }

  /// Mixes in what two runs may differ in.
  func hash(into hasher: inout Hasher) {
    hasher.combine(calls)
    hasher.combine(hosts)
    hasher.combine(connections)
    hasher.combine(path)
    hasher.combine(changedAt)
    hasher.combine(suspendedAt)
    hasher.combine(asleep)
    hasher.combine(found)
  }
}
