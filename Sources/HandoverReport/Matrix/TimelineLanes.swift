import HandoverCore
import HandoverEngine
import HandoverScenario

/// Converts a trace to lanes.
///
/// The lanes show the states of the device, channels, connections, threads and calls over time.
struct TimelineLanes {
  private let script: Script
  /// The names of the subjects, and the state of the run.
  private var names: TimelineRows
  private var lanes: [TimelineLane] = []
  /// The current state of each lane with its start, or `nil` if the lane has ended.
  private var states: [State?] = []
  private var now = Instant.zero
  private var app: Int?
  // The lanes of the subjects, by number.
  private var channels: [Int: Int] = [:]  // lookup only
  private var connections: [Int: Int] = [:]  // lookup only
  private var calls: [Int: Int] = [:]  // lookup only
  private var requests: [UInt32: Int] = [:]  // lookup only
  private var requestConnections: [UInt32: Int] = [:]  // lookup only
  private var threads: [Int: Int] = [:]  // lookup only

  private static let network = 0

  private struct State {
    var since: Instant
    var text: String
    var tone: TimelineLane.Tone
  }

  /// Returns the lanes of a trace until the end of the run, causes first.
  static func of(_ trace: Trace, script: Script) -> [TimelineLane] {
    guard !trace.records.isEmpty else { return [] }
    var reading = TimelineLanes(script, trace)
    for record in trace.records {
      reading.now = record.at
      if case .event(.pool(.closed)) = record.body { break }
      reading.names.pass(record)
      reading.apply(record.body)
    }
    for lane in reading.lanes.indices { reading.leave(lane) }
    // The sort is by kind only, and keeps the order of the trace within each kind.
    return reading.lanes.enumerated().sorted {
      ($0.element.kind, $0.offset) < ($1.element.kind, $1.offset)
    }.map(\.element)
  }

  private init(_ script: Script, _ trace: Trace) {
    self.script = script
    names = TimelineRows(script, trace)
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

  /// Begins a new state; a state without duration leaves no span.
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

  private mutating func carry(_ call: Int?, _ connection: Int?) {
    guard let call, let connection else { return }
    lanes[call].carrier = lanes[connection].name
  }

  private var run: RunProjection { names.run }

  private func lane(of id: ChannelID) -> Int? { run.channel(id).flatMap { channels[$0.number] } }

  private func lane(of id: ConnectionID) -> Int? { connections[run.number(of: id)] }

  private func lane(of subject: FactSubject) -> Int? {
    switch subject {
    case .app: app
    case .connection(let id): lane(of: id)
    case .call(let index): calls[Int(index)]
    case .request(let index): requests[index]
    case .platformConnection(let id): requestConnections[id]
    case .thread(let number, let host, let pool):
      lane(of: ThreadStates.Name(number, host: host, pool: pool))
    case .threadOf(let request, let number):
      request < script.requests.count
        ? lane(of: run.requests.thread(of: Int(request), Int(number))) : nil
    }
  }

  private func lane(of id: CallID) -> Int? { run.index(of: id).flatMap { calls[$0] } }

  // MARK: Records

  private mutating func apply(_ body: TraceRecord.Body) {
    switch body {
    case .event(.pool(let event)): apply(event)
    case .effect(let effect): apply(effect)
    case .world(let fact): apply(fact.lane(names))
    case .chain(let fact): apply(fact.lane(names))
    case .request(let fact):
      if case .carried(let request, let connection) = fact {
        carry(requests[request], requestConnections[connection])
      }
      apply(fact.lane(names))
    case .event(.reachability): break
    }
  }

  private mutating func apply(_ event: ChannelPool.Event) {
    switch event {
    case .connected(let id): enter(lane(of: id), "open", .good)
    case .connectFailed(let id, _): end(lane(of: id), "fails", .bad)
    case .connectionBroken(let id, _): end(lane(of: id), "breaks", .bad)
    case .connectionDraining(let id): enter(lane(of: id), "drains", .waiting)
    case .tokenArrived, .pongReceived, .streamEnded, .closed, .callStarted, .messageQueued,
      .requestFinished, .callCancelled, .disconnectRequested, .disconnectAllRequested,
      .messageReceived, .dataReceived, .timeElapsed:
      break
    }
  }

  private mutating func apply(_ effect: ClientEffect) {
    switch effect {
    case .channelCreated(let id):
      guard let channel = run.channel(id) else { break }
      channels[channel.number] = add(
        .channel, names.name(id), ChannelState.idle.name, .plain)
    case .channelMoved(let id, _, let state):
      enter(lane(of: id), state.name, Self.tone(of: state))
    case .channelDestroyed(let id, let reason):
      end(lane(of: id), "destroyed: \(reason.phrase)", .plain)
    case .closeConnection(let id): end(lane(of: id), "closed", .plain)
    case .startStream(let call, let connection):
      carry(lane(of: call), lane(of: connection))
      enter(lane(of: call), "runs", .plain)
    case .endCall(let call, let end):
      self.end(lane(of: call), end.code.name, end.code == .ok ? .good : .bad)
    case .notify, .callBound, .fetchToken, .openConnection, .sendMessages, .finishStream,
      .resetStream, .sendPing, .deliverMessage:
      break
    }
  }

  private mutating func apply(_ change: FactLane) {
    switch change {
    case .none: break
    case .network: enter(Self.network, networkText, networkTone)
    case .begins(let subject, let text, let tone): begin(subject, text, tone)
    case .enters(let subject, let text, let tone): enter(lane(of: subject), text, tone)
    case .ends(let subject, let text, let tone): end(lane(of: subject), text, tone)
    }
  }

  private mutating func begin(
    _ subject: FactSubject, _ text: String, _ tone: TimelineLane.Tone
  ) {
    switch subject {
    // The lane of the application exists from the beginning, or never.
    case .app: enter(app, text, tone)
    case .connection(let id):
      let number = run.number(of: id)
      connections[number] = add(.connection, "connection \(number)", text, tone)
    case .call(let index):
      guard index < script.calls.count else { break }
      calls[Int(index)] = add(
        .call, VisibleText.of(script.calls[Int(index)].id), text, tone)
    case .request(let index):
      requests[index] = add(.call, names.name(request: index), text, tone)
    case .platformConnection(let id):
      requestConnections[id] = add(.connection, "connection \(id + 1)", text, tone)
    case .thread(let number, let host, let pool):
      begin(ThreadStates.Name(number, host: host, pool: pool), text, tone)
    // The thread was created before it ran anything.
    case .threadOf: break
    }
  }

  private mutating func begin(_ thread: ThreadStates.Name, _ text: String, _ tone: FactTone) {
    let several = script.pools.count > 1 && thread.pool < script.pools.count
    let name =
      "thread \(thread.number)\(names.suffix(host: thread.host, " for "))"
      + (several ? " in \(VisibleText.of(script.pools[thread.pool]))" : "")
    threads[run.requests.threads.names.count] = add(.thread, name, text, tone)
  }

  private func lane(of thread: ThreadStates.Name) -> Int? {
    run.requests.threads.names.lastIndex(of: thread).flatMap { threads[$0 + 1] }
  }

  // MARK: Texts

  private var networkText: String {
    let category = NetworkCategory(run.flags)
    let name = category.description
    guard let path = run.path, path != Script.wifiPath, path != Script.cellularPath,
      category != .noNetwork
    else { return name }
    return "\(name) (\(names.name(path)))"
  }

  private var networkTone: TimelineLane.Tone {
    NetworkCategory(run.flags) == .noNetwork ? .bad : .plain
  }

  private static func tone(of state: ChannelState) -> TimelineLane.Tone {
    switch state {
    case .idle, .shutdown: .plain
    case .connecting: .waiting
    case .ready: .good
    case .transientFailure: .bad
    }
  }
}
