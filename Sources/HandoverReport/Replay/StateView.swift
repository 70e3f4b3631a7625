package import HandoverCore
import HandoverEngine

/// The state after some records of a trace.
///
/// The state covers the device, channels, connections and calls, or the requests and their
/// connections. It comes from the records, for any client. Only backoffs and deadlines need the
/// built-in client: a new client that receives the same events reports them.
package struct StateView {
  private let recorded: RecordedTrace
  /// The number of records that have occurred.
  private let count: Int
  private var run: RunProjection
  /// The changes to dispatchers by the user or by a dispatcher, in chronological order.
  private var changes: [String] = []
  private var client: ReplayedClient?

  /// Creates the state of a trace after some of its records.
  ///
  /// - Parameters:
  ///   - recorded: the trace.
  ///   - count: the number of records to apply, at most the number in the trace.
  ///   - change: a closure that changes the settings of the client, if the recorded client had
  ///     injected bugs.
  package init(
    _ recorded: RecordedTrace, after count: Int,
    altering change: (inout PoolConfiguration) -> Void = { _ in }
  ) {
    self.recorded = recorded
    self.count = min(max(0, count), recorded.trace.records.count)
    run = RunProjection(recorded.script, of: recorded.trace)
    client =
      TraceReplay.obstacle(to: recorded) == nil
      ? ReplayedClient(recorded, altering: change) : nil
    for record in recorded.trace.records.prefix(self.count) { apply(record) }
  }

  private mutating func apply(_ record: TraceRecord) {
    run.apply(record)
    switch record.body {
    case .event(let event):
      if client?.handle(event, at: record.at) == nil { client = nil }
    case .request(let fact):
      if let change = RequestView.change(fact, recorded.script) {
        changes.append("\(change) since \(record.at.exactText)\n")
      }
    case .world(let fact): client?.take(fact, at: record.at)
    case .effect, .chain: break
    }
  }

  /// The instant of the last applied record.
  package var now: Instant {
    count > 0 ? recorded.trace.records[count - 1].at : .zero
  }
}

extension StateView {
  /// The maximum number of ended calls or requests to show; the last ones are shown.
  private static let maximumOver = 12

  /// The state as tables.
  package var text: String { text(width: nil) }

  /// Returns the state as tables with a maximum line width; wider tables become lists.
  ///
  /// - Parameter width: the number of columns, or `nil` if it is unknown.
  /// - Returns: the lines, each with a line feed.
  package func text(width: Int?) -> String {
    let top = VisibleText.fitted(heading + "\n" + device + "\n", width: width)
    switch recorded.work {
    case .calls:
      return top + channelText(width) + "\n" + connectionText(width) + "\n" + callText(width)
    case .requests:
      let requests = RequestView(script: recorded.script, states: run.requests)
      return top + VisibleText.fitted(changes.joined(), width: width)
        + (changes.isEmpty ? "" : "\n")
        + requests.text(maximumOver: Self.maximumOver, width: width)
    }
  }

  private var heading: String {
    let total = recorded.trace.records.count
    let header = recorded.header
    var text = VisibleText.of("\(header.scenario) [\(header.profile)]")
    if header.backend != RunDescription.defaultBackend {
      text += ", backend \(VisibleText.of(header.backend))"
    }
    text += "\nrecord \(count) of \(total), at \(now.exactText)\n"
    if count > 0 {
      var speller = RecordText(recorded)
      text += "  " + speller.of(recorded.trace.records[count - 1].body) + "\n"
    }
    return text
  }

  private var device: String {
    let path = run.lastMovedAt == nil ? nil : run.path
    var text = "device  path \(path.map(name) ?? "none"), "
    text += run.app.rawValue
    if run.monitorHasBegun {
      let category = run.receivedFlags.map(NetworkCategory.init) ?? .unknown
      let received = run.receivedFlags.map { $0.isEmpty ? "no flags" : $0.description } ?? "nothing"
      text += "; the monitor received \(received) and has the category \(category)"
    }
    if run.runEnd != nil { text += "; the run is over" }
    if let client {
      let due = client.core.nextDeadline.map { "next deadline \($0.exactText)" } ?? "no deadline"
      text += "\nclient  \(due)"
    }
    return text + "\n"
  }

  private func channelText(_ width: Int?) -> String {
    var table = TextTable("channel", "host", "state", "next attempt", "calls")
    // Only the newest channel of each key is shown.
    let made = run.channels.indices.filter { run.channels[$0].number > 0 }
    for index in made.sorted(by: { run.channels[$0].number < run.channels[$1].number }) {
      let channel = run.channels[index]
      let endpoint = EndpointID(index: UInt32(truncatingIfNeeded: index))
      let id = ChannelID(endpoint: endpoint, generation: channel.generation)
      var state = channel.state.name
      if let reason = channel.reason {
        state += " (\(reason.rawValue) at \(channel.destroyedAt.exactText))"
      }
      let bound = run.calls.count { $0.channel == id && $0.end == nil }
      let host = recorded.script.hosts[Int(channel.host)].written
      table.add(name(id), host, state, nextAttempt(of: channel, endpoint), "\(bound)")
    }
    return table.isEmpty ? "no channels\n" : "channels\n" + table.text(width: width)
  }

  private func nextAttempt(of channel: RunProjection.Channel, _ endpoint: EndpointID) -> String {
    guard channel.reason == nil, let client else { return "-" }
    let instant = client.core.pool.earliestAttempt(on: endpoint)
    return instant > now ? "not before \(instant.exactText)" : "at any time"
  }

  private func connectionText(_ width: Int?) -> String {
    var table = TextTable("connection", "channel", "state", "path")
    for connection in run.connections where connection.phase != .closed {
      var state =
        connection.isDraining ? "draining" : connection.phase == .open ? "open" : "connecting"
      if connection.isStalled { state += ", stalled" }
      if connection.isFull { state += ", send buffer full" }
      table.add(
        name(connection.id), name(connection.channel), state,
        connection.path.map(name) ?? "none")
    }
    let closed = run.connections.count { $0.phase == .closed }
    let gone = closed > 0 ? " (\(closed) gone)" : ""
    return table.isEmpty
      ? "no connections\(gone)\n" : "connections\(gone)\n" + table.text(width: width)
  }

  private func callText(_ width: Int?) -> String {
    let calls = run.calls
    let started = calls.indices.filter { calls[$0].id != nil }
    let over = started.filter { calls[$0].end != nil }
    let hidden = over.dropLast(Self.maximumOver)
    var table = TextTable("call", "phase", "deadline", "channel", "connection")
    for index in started where !hidden.contains(index) {
      let call = calls[index]
      table.add(
        recorded.script.calls[index].id, phase(of: index),
        call.deadline == .never ? "-" : call.deadline.exactText, call.channel.map(name) ?? "-",
        call.end == nil ? call.connection.map(name) ?? "-" : "-")
    }
    var text = table.isEmpty ? "no calls\n" : "calls\n" + table.text(width: width)
    if !hidden.isEmpty { text += "  and \(hidden.count) that ended before\n" }
    let rest = calls.count - started.count
    if rest > 0 { text += "  \(counted(rest, "call")) not started yet\n" }
    return text
  }

  private func phase(of index: Int) -> String {
    let call = run.calls[index]
    if let id = call.id, let end = call.end {
      let message = recorded.trace.endTexts.text(of: id, end)
      let text = message.isEmpty ? "" : " (\"\(VisibleText.of(message))\")"
      return "ended \(end.code) at \(call.endedAt.exactText)\(text)"
    }
    if call.wasUnfinished { return "unfinished" }
    if call.isRunning { return "running" }
    if call.isBound { return "waiting" }
    guard call.isStarted else { return "not started" }
    return call.awaitsToken ? "awaiting its token" : "waiting"
  }

  // MARK: Names

  private func name(_ id: ChannelID) -> String { "\(id.endpoint.index)/\(id.generation)" }

  private func name(_ id: ConnectionID) -> String { "\(id.index)/\(id.generation)" }

  private func name(_ path: PathIndex) -> String { recorded.script.visibleName(of: path) }
}

extension Script {
  /// Returns the name of a path for one line, or its number if the script has no name for it.
  func visibleName(of path: PathIndex) -> String {
    let index = Int(path.index)
    return index < paths.count ? VisibleText.of(paths[index]) : "\(index)"
  }
}
