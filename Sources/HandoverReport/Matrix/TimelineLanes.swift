import HandoverCore
import HandoverScenario
import HandoverTrace

/// Reads a trace as lanes: in which state the device, the channels, the connections, the threads
/// and the calls were, and for how long.
struct TimelineLanes {
  private let script: Script
  private let names: TimelineRows
  private var lanes: [TimelineLane] = []
  /// The state that each lane is in since when; nil where it has ended.
  private var states: [State?] = []
  private var now = Instant.zero
  private var category: NetworkCategory
  private var path: PathIndex?
  private var app: Int?
  private var channels: [ChannelID: Int] = [:]  // lookup only
  private var connections: [ConnectionID: Int] = [:]  // lookup only
  private var calls: [CallID: Int] = [:]  // lookup only
  private var callPlaces: [UInt32: Int] = [:]  // lookup only
  private var requests: [UInt32: Int] = [:]  // lookup only
  private var requestConnections: [UInt32: Int] = [:]  // lookup only
  private var threads: [ThreadKey: Int] = [:]  // lookup only
  private var connectionCount = 0

  /// How many lanes are drawn; more of them nobody reads.
  static let maximumCount = 40
  private static let network = 0

  /// A thread: its number in the pool of an endpoint.
  private struct ThreadKey: Hashable {
    var endpoint: EndpointKey?
    var pool: UInt32
    var number: UInt32
  }

  private struct State {
    var since: Instant
    var text: String
    var tone: TimelineLane.Tone
  }

  /// The lanes of a trace until the end of the run, causes first.
  static func of(_ trace: Trace, script: Script) -> [TimelineLane] {
    guard !trace.records.isEmpty else { return [] }
    var reading = TimelineLanes(script, trace)
    for record in trace.records {
      reading.now = record.at
      if case .event(.pool(.closed)) = record.body { break }
      reading.take(record.body)
    }
    for lane in reading.lanes.indices { reading.leave(lane) }
    // The sort is by kind only, and keeps the order of the trace within each.
    return reading.lanes.enumerated().sorted {
      ($0.element.kind, $0.offset) < ($1.element.kind, $1.offset)
    }.map(\.element)
  }

  private init(_ script: Script, _ trace: Trace) {
    self.script = script
    names = TimelineRows(script, trace)
    category = NetworkCategory(script.initial.flags)
    path = script.initial.path
    _ = add(.device, "network", networkText, networkTone)
    let leaves = trace.records.contains { record in
      if case .world(.appMoved(let app)) = record.body { return app.isInBackground }
      return false
    }
    if leaves { app = add(.device, "app", "foreground", .plain) }
  }

  // MARK: Lanes

  private mutating func add(
    _ kind: TimelineLane.Kind, _ name: String, _ text: String, _ tone: TimelineLane.Tone
  ) -> Int {
    lanes.append(TimelineLane(kind: kind, name: name))
    states.append(State(since: now, text: text, tone: tone))
    return lanes.count - 1
  }

  /// Begins another state; one that lasted no time at all leaves nothing behind.
  private mutating func enter(_ lane: Int?, _ text: String, _ tone: TimelineLane.Tone) {
    guard let lane, let state = states[lane], state.text != text || state.tone != tone else {
      return
    }
    leave(lane)
    states[lane] = State(since: now, text: text, tone: tone)
  }

  private mutating func leave(_ lane: Int) {
    guard let state = states[lane] else { return }
    states[lane] = nil
    guard state.since < now else { return }
    lanes[lane].spans.append(
      TimelineLane.Span(from: state.since, to: now, text: state.text, tone: state.tone))
  }

  private mutating func end(_ lane: Int?, _ text: String, _ tone: TimelineLane.Tone) {
    guard let lane, states[lane] != nil else { return }
    leave(lane)
    lanes[lane].spans.append(TimelineLane.Span(from: now, to: now, text: text, tone: tone))
  }

  // MARK: Records

  private mutating func take(_ body: TraceRecord.Body) {
    switch body {
    case .event(.pool(let event)): take(event)
    case .effect(let effect): take(effect)
    case .world(let fact): take(fact)
    case .request(let fact): take(fact)
    case .event(.reachability), .chain: break
    }
  }

  private mutating func take(_ event: ChannelPool.Event) {
    switch event {
    case .connected(let id): enter(connections[id], "open", .good)
    case .connectFailed(let id, _): end(connections[id], "fails", .bad)
    case .connectionBroken(let id, _): end(connections[id], "breaks", .bad)
    case .connectionDraining(let id): enter(connections[id], "drains", .waiting)
    case .tokenArrived, .pongReceived, .streamEnded, .closed, .callStarted, .messageQueued,
      .requestFinished, .callCancelled, .disconnectRequested, .disconnectAllRequested,
      .messageReceived, .timeElapsed:
      break
    }
  }

  private mutating func take(_ effect: ClientEffect) {
    switch effect {
    case .channelCreated(let id):
      channels[id] = add(.channel, names.name(id), ChannelState.idle.name, .plain)
    case .channelMoved(let id, _, let state):
      enter(channels[id], state.name, Self.tone(of: state))
    case .channelDestroyed(let id, let reason):
      end(channels[id], "destroyed: \(reason.words)", .plain)
    case .closeConnection(let id): end(connections[id], "closed", .plain)
    case .startStream(let call, _): enter(calls[call], "runs", .plain)
    case .endCall(let call, let end):
      self.end(calls[call], end.code.name, end.code == .ok ? .good : .bad)
    case .notify, .callBound, .fetchToken, .openConnection, .sendMessages, .finishStream,
      .resetStream, .sendPing, .deliverMessage:
      break
    }
  }

  private mutating func take(_ fact: WorldFact) {
    switch fact {
    case .entryPlayed(let place):
      guard place < script.entries.count,
        case .flags(let flags, _, _, _) = script.entries[Int(place)].action
      else { break }
      category = NetworkCategory(flags)
      enter(Self.network, networkText, networkTone)
    case .deviceMoved(let next):
      path = next
      enter(Self.network, networkText, networkTone)
    case .appMoved(let state):
      let text = state == .backgroundRunning ? "runs in background" : state.rawValue
      enter(app, text, state.runs ? .plain : .waiting)
    case .callIntroduced(let place, let id):
      guard place < script.calls.count else { break }
      calls[id] = add(.call, VisibleText.of(script.calls[Int(place)].id), "waits", .waiting)
      callPlaces[place] = calls[id]
    case .attemptBegan(let id, _, _):
      connectionCount += 1
      connections[id] = add(
        .connection, "connection \(connectionCount)", "connecting", .waiting)
    case .connectionStalled(let id): enter(connections[id], "stalls", .bad)
    case .connectionResumed(let id): enter(connections[id], "open", .good)
    case .callUnfinished(let place): end(callPlaces[place], "unfinished", .bad)
    case .attemptMoved, .sendBufferFull, .serverReadRequest, .serverReadMessages, .callbackLost,
      .heldBack,
      .faultTookEffect, .runEnded:
      break
    }
  }

  private mutating func take(_ fact: RequestFact) {
    switch fact {
    case .arrived(let request, _):
      requests[request] = add(.call, names.name(request: request), "waits", .waiting)
    case .waits(let request, _): enter(requests[request], "waits", .waiting)
    case .froze(let request): enter(requests[request], "frozen", .bad)
    case .carried(let request, _): enter(requests[request], "runs", .plain)
    case .ended(let request, let end):
      let outcome = RequestOutcome(end)
      self.end(requests[request], outcome.rawValue, outcome == .finished ? .good : .bad)
    case .connectionOpened(let id, _, _, _):
      requestConnections[id] = add(.connection, "connection \(id + 1)", "open", .good)
    case .connectionClosed(let id): end(requestConnections[id], "closed", .plain)
    case .connectionLost(let id): end(requestConnections[id], "lost", .bad)
    case .thread(let change, let number, let host, let pool):
      take(change, of: number, host: host, pool: pool)
    case .runsOn(let request, let number):
      guard request < script.requests.count else { break }
      let wanted = script.requests[Int(request)]
      let thread = key(number, host: wanted.host, pool: UInt32(wanted.pool))
      enter(threads[thread], "runs \(names.name(request: request))", .plain)
    case .answered, .heldSlot, .limitReached, .handedOver, .thawed, .responded, .received,
      .pollAnswered, .slotReleased, .longLimitChanged, .dispatcherClosed:
      break
    }
  }

  private mutating func take(
    _ change: ThreadChange, of number: UInt32, host: UInt32, pool: UInt32
  ) {
    let thread = key(number, host: Int(host), pool: pool)
    switch change {
    case .made: threads[thread] = add(.thread, name(number, host, pool), "idle", .waiting)
    case .rests: enter(threads[thread], "idle", .waiting)
    case .collected: end(threads[thread], "collected", .plain)
    case .ended: end(threads[thread], "ends", .plain)
    }
  }

  /// Two spellings of a host are one endpoint, whose threads bear the name of one of them.
  private func key(_ number: UInt32, host: Int, pool: UInt32) -> ThreadKey {
    let endpoint = host < script.hosts.count ? script.hosts[host].endpointKey() : nil
    return ThreadKey(endpoint: endpoint, pool: pool, number: number)
  }

  private func name(_ number: UInt32, _ host: UInt32, _ pool: UInt32) -> String {
    let several = script.pools.count > 1 && pool < script.pools.count
    return "thread \(number)\(names.suffix(host: Int(host), " for "))"
      + (several ? " in \(VisibleText.of(script.pools[Int(pool)]))" : "")
  }

  // MARK: Words

  private var networkText: String {
    let name = category.description
    guard let path, path != Script.wifiPath, path != Script.cellularPath, category != .noNetwork
    else { return name }
    return "\(name) (\(names.name(path)))"
  }

  private var networkTone: TimelineLane.Tone { category == .noNetwork ? .bad : .plain }

  private static func tone(of state: ChannelState) -> TimelineLane.Tone {
    switch state {
    case .idle, .shutdown: .plain
    case .connecting: .waiting
    case .ready: .good
    case .transientFailure: .bad
    }
  }
}
