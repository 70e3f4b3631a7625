package import HandoverCore
package import HandoverScenario
package import HandoverTry

// Timelines for clients whose calls the scenario makes.
extension SearchTimeline {
  /// The time of the first change, at which the first calls have been answered.
  private static let start = Instant.zero + .seconds(1)
  /// The time from a change to the next call.
  private static let delay = Interval.milliseconds(100)

  /// Returns the timeline as a scenario with calls that have no deadline.
  ///
  /// One call receives messages until after the last change, and one waits for its answer. Another
  /// call starts after each change at which the client runs. The client sends pings, because no
  /// client without pings notices a stalled connection.
  package func scenario(withCallsOn profile: Profile, id: String, title: String) -> Scenario {
    var scenario = scenario(id: id, title: title)
    scenario.profiles = [profile]
    var script = scenario.script
    script.configuration.keepalive = KeepaliveConfiguration(
      time: .seconds(10), timeout: .seconds(5))
    let changes = script.entries
    script.entries = []
    func start(_ kind: CallKind, takes: Interval, every: Interval? = nil, at: Instant) {
      script.entries.append(ScriptEntry(at: at, action: .startCall(script.calls.count)))
      script.calls.append(
        ScriptCall(
          id: ScriptCall.id(script.calls.count), host: 0, kind: kind, takes: takes, every: every))
    }
    start(.streaming, takes: .seconds(30), every: Self.rhythm, at: .zero)
    start(.unary, takes: .seconds(20), at: .zero)
    var device = SearchDevice(hasSeveralNetworks: hasSeveralNetworks)
    for (index, entry) in entries.enumerated() {
      let at = Self.start + changes[index].at.since(.zero)
      script.entries.append(ScriptEntry(at: at, action: changes[index].action))
      _ = device.apply(entry.change)
      let gap = index + 1 < entries.count ? entries[index + 1].gap : .seconds(1)
      if device.isRunning, gap > Self.delay {
        start(.unary, takes: .zero, at: at + Self.delay)
      }
    }
    scenario.script = script
    return scenario
  }

  /// The interval at which messages arrive.
  private static let rhythm = Interval.milliseconds(200)

  /// Returns the phases of the client's connections at the changes of a scenario with calls.
  package func phases(in trace: Trace) -> [ConnectionPhase] {
    var phases: [ConnectionPhase] = []
    var watch = ConnectionWatch()
    var at = Self.start
    var rest = entries[...]
    for record in trace.records {
      while let entry = rest.first, at + entry.gap <= record.at {
        at = at + entry.gap
        phases.append(watch.phase(at: at, rhythm: Self.rhythm))
        rest.removeFirst()
      }
      watch.handle(record)
    }
    return phases
  }
}

/// The newest connection of a client, as its trace shows it.
private struct ConnectionWatch {
  private var newest: ConnectionID?
  private var isOpen = false
  private var received: Instant?

  mutating func handle(_ record: TraceRecord) {
    switch record.body {
    case .effect(.openConnection(let id, _)): (newest, isOpen, received) = (id, false, nil)
    case .effect(.closeConnection(let id)): if id == newest { newest = nil }
    case .event(.pool(let event)): handle(event, at: record.at)
    default: break
    }
  }

  private mutating func handle(_ event: ChannelPool.Event, at now: Instant) {
    switch event {
    case .connected(let id): if id == newest { isOpen = true }
    case .connectFailed(let id, _), .connectionBroken(let id, _):
      if id == newest { newest = nil }
    case .messageReceived, .streamEnded, .dataReceived, .pongReceived: received = now
    default: break
    }
  }

  func phase(at now: Instant, rhythm: Interval) -> ConnectionPhase {
    guard newest != nil else { return .none }
    guard isOpen else { return .connecting }
    guard let received else { return .open }
    return now.since(received) <= rhythm + rhythm ? .carrying : .silent
  }
}
