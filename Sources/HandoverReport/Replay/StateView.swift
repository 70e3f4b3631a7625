public import HandoverCore
import HandoverTrace

/// How everything stands after some records of a trace: device, channels, connections and calls, or
/// the requests and their connections.
///
/// All of it is told by the records, whatever client they are of; only backoffs and deadlines are
/// asked of a fresh client that is told of the same events, where the client is the built-in one.
public struct StateView {
  private let recorded: RecordedTrace
  /// How many records have happened.
  private let count: Int
  private var path: PathIndex?
  private var app = AppState.foreground
  private var flags: ReachabilityFlags?
  private var monitorHasBegun = false
  private var runEnd: RunEnd?
  private var channels: [ChannelRow] = []
  private var connections: [ConnectionRow] = []
  private var goneConnections = 0
  private var calls: [CallRow]
  private var places: [CallID: Int] = [:]  // lookup only
  private var requests: RequestView
  private var client: ReplayedClient?

  private struct ChannelRow {
    var id: ChannelID
    var state = ChannelState.idle
    var reason: DestroyReason?
    var destroyedAt = Instant.zero
  }

  private struct ConnectionRow {
    var id: ConnectionID
    var channel: ChannelID
    var state = "connecting"
    var path: PathIndex?
    var isStalled = false
    var isFull = false
  }

  private struct CallRow {
    var id: CallID?
    var phase = "not started"
    var isOver = false
    var deadline = Instant.never
    var channel: ChannelID?
    var connection: ConnectionID?
  }

  /// Looks at a trace after some of its records.
  ///
  /// - Parameters:
  ///   - recorded: the trace.
  ///   - count: after how many records, at most as many as there are.
  public init(_ recorded: RecordedTrace, after count: Int) {
    self.recorded = recorded
    self.count = min(max(0, count), recorded.trace.records.count)
    calls = Array(repeating: CallRow(), count: recorded.script.calls.count)
    requests = RequestView(recorded.script)
    client = TraceReplay.obstacle(to: recorded) == nil ? ReplayedClient(recorded) : nil
    for record in recorded.trace.records.prefix(self.count) { take(record) }
  }

  /// The instant of the last record.
  public var now: Instant {
    count > 0 ? recorded.trace.records[count - 1].at : .zero
  }

  // MARK: Records

  private mutating func take(_ record: TraceRecord) {
    switch record.body {
    case .event(let event):
      if client?.take(event, at: record.at) == nil { client = nil }
      switch event {
      case .reachability(let fact): take(fact)
      case .pool(let fact): take(fact)
      }
    case .effect(let effect): take(effect, at: record.at)
    case .world(let fact): take(fact)
    case .request(let fact): requests.take(fact, at: record.at)
    // Chains stand before the client; the view shows the client.
    case .chain: break
    }
  }

  private mutating func take(_ fact: ConnectivityMonitor.Event) {
    monitorHasBegun = true
    switch fact {
    case .initialRead(let read): flags = read
    case .callback(let heard), .resynchronised(let heard): flags = heard
    }
  }

  private mutating func take(_ fact: ChannelPool.Event) {
    switch fact {
    case .callStarted(let id, _, let settings):
      change(id) { call in
        call.phase = settings.awaitsToken ? "awaiting its token" : "waiting"
        call.deadline = settings.deadline
      }
    case .connected(let id): change(id) { $0.state = "open" }
    case .connectionDraining(let id): change(id) { $0.state = "draining" }
    case .connectFailed(let id, _), .connectionBroken(let id, _): remove(id)
    case .tokenArrived, .messageQueued, .requestFinished, .callCancelled, .pongReceived,
      .messageReceived, .streamEnded, .disconnectRequested, .disconnectAllRequested, .timeElapsed,
      .closed:
      break
    }
  }

  private mutating func take(_ effect: ClientEffect, at now: Instant) {
    switch effect {
    case .channelCreated(let id):
      // Of the channels of one key the newest is shown.
      channels.removeAll { $0.id.endpoint == id.endpoint }
      channels.append(ChannelRow(id: id))
    case .channelMoved(let id, _, let state):
      if let place = channels.firstIndex(where: { $0.id == id }) { channels[place].state = state }
    case .channelDestroyed(let id, let reason):
      if let place = channels.firstIndex(where: { $0.id == id }) {
        channels[place].state = .shutdown
        channels[place].reason = reason
        channels[place].destroyedAt = now
      }
    case .callBound(let id, let channel, _):
      change(id) { call in
        call.phase = "waiting"
        call.channel = channel
      }
    case .openConnection(let id, let channel):
      connections.append(ConnectionRow(id: id, channel: channel))
    case .closeConnection(let id): remove(id)
    case .startStream(let id, let connection):
      change(id) { call in
        guard !call.isOver else { return }
        call.phase = "running"
        call.connection = connection
      }
    case .endCall(let id, let end):
      let message = recorded.trace.endTexts.text(of: id, end)
      change(id) { call in
        let text = message.isEmpty ? "" : " (\"\(VisibleText.of(message))\")"
        call.phase = "ended \(end.code) at \(now.text)\(text)"
        call.isOver = true
      }
    case .notify, .fetchToken, .sendMessages, .finishStream, .resetStream, .sendPing,
      .deliverMessage:
      break
    }
  }

  private mutating func take(_ fact: WorldFact) {
    switch fact {
    case .deviceMoved(let to): path = to
    case .appMoved(let app): self.app = app
    case .callIntroduced(let place, let id):
      guard place < calls.count else { return }
      places[id] = Int(place)
      calls[Int(place)].id = id
    case .attemptBegan(let id, _, let on), .attemptMoved(let id, let on):
      change(id) { $0.path = on }
    case .connectionStalled(let id): change(id) { $0.isStalled = true }
    case .connectionResumed(let id):
      change(id) { connection in
        connection.isStalled = false
        connection.isFull = false
      }
    case .sendBufferFull(let id): change(id) { $0.isFull = true }
    case .runEnded(let reason): runEnd = reason
    case .callUnfinished(let place):
      guard place < calls.count else { return }
      calls[Int(place)].phase = "unfinished"
    case .entryPlayed, .serverReadRequest, .serverReadMessages, .callbackLost, .heldBack,
      .faultTookEffect:
      break
    }
  }

  private mutating func change(_ id: CallID, _ change: (inout CallRow) -> Void) {
    if let place = places[id] { change(&calls[place]) }
  }

  private mutating func change(_ id: ConnectionID, _ change: (inout ConnectionRow) -> Void) {
    // The row of a connection is used again, so the newest is meant.
    guard let place = connections.lastIndex(where: { $0.id == id }) else { return }
    change(&connections[place])
  }

  private mutating func remove(_ id: ConnectionID) {
    guard let place = connections.lastIndex(where: { $0.id == id }) else { return }
    connections.remove(at: place)
    goneConnections += 1
  }
}

// The state in words.
extension StateView {
  /// How many of the calls or requests that are over are shown, the last ones.
  private static let maximumOver = 12

  /// The state as a few small tables.
  public var text: String {
    let top = heading + "\n" + device + "\n"
    guard !recorded.isOfRequests else { return top + requests.text(maximumOver: Self.maximumOver) }
    return top + channelText + "\n" + connectionText + "\n" + callText
  }

  private var heading: String {
    let total = recorded.trace.records.count
    let header = recorded.header
    var text = VisibleText.of("\(header.scenario) [\(header.profile)]")
    if header.backend != RunDescription.usualBackend {
      text += ", backend \(VisibleText.of(header.backend))"
    }
    text += "\nrecord \(count) of \(total), at \(now.text)\n"
    if count > 0 {
      var speller = RecordText(recorded)
      text += "  " + speller.of(recorded.trace.records[count - 1].body) + "\n"
    }
    return text
  }

  private var device: String {
    var text = "device  path \(path.map(name) ?? "none"), "
    text += app.rawValue
    if monitorHasBegun {
      let category = flags.map(NetworkCategory.init) ?? .unknown
      let heard = flags.map { $0.isEmpty ? "no flags" : $0.description } ?? "nothing"
      text += "; the monitor heard \(heard) and holds \(category)"
    }
    if runEnd != nil { text += "; the run is over" }
    if let client {
      let due = client.core.nextDeadline.map { "next deadline \($0.text)" } ?? "no deadline"
      text += "\nclient  \(due)"
    }
    return text + "\n"
  }

  private var channelText: String {
    var table = TextTable("channel", "host", "state", "next attempt", "calls")
    for channel in channels {
      var state = channel.state.name
      if let reason = channel.reason {
        state += " (\(reason.traceName) at \(channel.destroyedAt.text))"
      }
      let bound = calls.count { $0.channel == channel.id && !$0.isOver }
      table.add(
        name(channel.id), host(of: channel.id), state, nextAttempt(of: channel), "\(bound)")
    }
    return table.isEmpty ? "no channels\n" : "channels\n" + table.text
  }

  private func nextAttempt(of channel: ChannelRow) -> String {
    guard channel.reason == nil, let client else { return "-" }
    let instant = client.core.pool.earliestAttempt(on: channel.id.endpoint)
    return instant > now ? "not before \(instant.text)" : "at any time"
  }

  private var connectionText: String {
    var table = TextTable("connection", "channel", "state", "path")
    for connection in connections {
      var state = connection.state
      if connection.isStalled { state += ", stalled" }
      if connection.isFull { state += ", send buffer full" }
      table.add(
        name(connection.id), name(connection.channel), state,
        connection.path.map(name) ?? "none")
    }
    let gone = goneConnections > 0 ? " (\(goneConnections) gone)" : ""
    return table.isEmpty ? "no connections\(gone)\n" : "connections\(gone)\n" + table.text
  }

  private var callText: String {
    let started = calls.indices.filter { calls[$0].id != nil }
    let over = started.filter { calls[$0].isOver }
    let hidden = over.dropLast(Self.maximumOver)
    var table = TextTable("call", "phase", "deadline", "channel", "connection")
    for place in started where !hidden.contains(place) {
      let call = calls[place]
      table.add(
        recorded.script.calls[place].id, call.phase,
        call.deadline == .never ? "-" : call.deadline.text, call.channel.map(name) ?? "-",
        call.isOver ? "-" : call.connection.map(name) ?? "-")
    }
    var text = table.isEmpty ? "no calls\n" : "calls\n" + table.text
    if !hidden.isEmpty { text += "  and \(hidden.count) that ended before\n" }
    let rest = calls.count - started.count
    if rest > 0 { text += "  \(VisibleText.counted(rest, "call")) not started yet\n" }
    return text
  }

  // MARK: Names

  private func name(_ id: ChannelID) -> String { "\(id.endpoint.index)/\(id.generation)" }

  private func name(_ id: ConnectionID) -> String { "\(id.index)/\(id.generation)" }

  private func name(_ path: PathIndex) -> String { recorded.script.visibleName(of: path) }

  private func host(of id: ChannelID) -> String {
    let endpoint = Int(id.endpoint.index)
    guard endpoint < recorded.trace.endpointHosts.count else { return "-" }
    let host = Int(recorded.trace.endpointHosts[endpoint])
    return host < recorded.script.hosts.count ? recorded.script.hosts[host].written : "-"
  }
}

extension Script {
  /// The name of a path on one line; its number where the script has none.
  func visibleName(of path: PathIndex) -> String {
    let place = Int(path.index)
    return place < paths.count ? VisibleText.of(paths[place]) : "\(place)"
  }
}
