import HandoverCore
package import HandoverScenario

/// A random run as a scenario file.
///
/// After many random events, the network is restored. All calls must then end, and the client must
/// become idle. The same setup, length and seed always produce the same bytes.
package struct SwarmScenario: Sendable {
  /// The composition of the run.
  package let options: SwarmOptions
  /// The number of entries at the end that restore the network.
  package private(set) var healing = 0
  /// The number of calls.
  package var callCount: Int { calls.count }
  package var entryCount: Int { entries.count }

  private let setup: ExplorationSetup
  private let seed: UInt64
  private var draw: SwarmDraw
  private var now = Interval.zero
  private var entries: [ScriptEntry] = []
  private var calls: [Call] = []
  private var isSuspended = false

  private struct Call: Hashable, Sendable {
    var script: ScriptCall
    /// Whether the user may still send messages, and whether the user cancelled the call.
    var sends: Bool
    var isCancelled = false
    /// The instant at which the call ends without faults.
    var end: Interval
  }

  /// How long after the restoration calls may take to end, and then the client to become idle.
  ///
  /// The total is longer than the longest backoff delay, the longest call and the lifetime of an
  /// unused channel (30 s).
  private static let patience = Interval.seconds(400)
  private static let rest = Interval.seconds(100)

  /// Generates a random run.
  ///
  /// - Parameters:
  ///   - setup: The client, the number of hosts, and the maximum number of concurrent calls.
  ///   - seed: The seed.
  ///   - length: The number of entries before the restoration.
  package init(_ setup: ExplorationSetup, seed: UInt64, length: Int) {
    self.setup = setup
    self.seed = seed
    options = SwarmOptions(setup, seed: seed)
    draw = SwarmDraw(seed: seed, part: 2)
    for _ in 0..<length {
      now = now + pause()
      add(drawEntry())
    }
    heal()
  }

  /// The ID of the scenario.
  package var id: String { "swarm/\(setup.profile.name)-\(seed)" }

  /// The text of the file.
  package var text: String { scenario.text }

  /// The scenario.
  package var scenario: Scenario {
    let end = now + Self.patience
    let rest = end + Self.rest
    var script = Script(setup, initialRead: .wifi, names: .resolve)
    for host in script.hosts.indices { script.hosts[host].connect = .milliseconds(50) }
    script.paths.append("wifi-B")
    script.configuration.idle = .seconds(30)
    if options.hasKeepalive {
      script.configuration.keepalive = KeepaliveConfiguration(
        time: .seconds(10), timeout: .seconds(5))
    }
    script.configuration.seed = seed
    script.configuration.until = .zero + rest + .seconds(1)
    script.calls = calls.map(\.script)
    script.entries = ContiguousArray(entries)
    let ends = calls.indices.map {
      Expectation(.call($0, status: nil, message: nil, channel: nil), .before(.zero + end))
    }
    return Scenario(
      id: id, title: "A random run: calls end and the client becomes idle",
      profile: setup.profile, script: script,
      expectations: ends + [
        Expectation(.channels(.all, alive: 0, destroyed: nil, state: nil), .at(.zero + rest)),
        Expectation(.connections(.all, attempts: nil, open: 0, path: nil), .at(.zero + rest)),
      ])
  }

  // MARK: Events

  private mutating func add(_ action: ScriptAction) {
    entries.append(ScriptEntry(at: .zero + now, action: action))
  }

  /// Returns the time to the next event: often zero, sometimes long.
  private mutating func pause() -> Interval {
    switch draw.below(10) {
    case 0...2: .zero
    case 3...8: Interval(microseconds: options.pace.microseconds / 5 * Int64(draw.below(10)))
    default: .seconds(Int64(draw.pick(1, 20, 35, 60)))
    }
  }

  private mutating func drawEntry() -> ScriptAction {
    while true {
      var position = draw.below(SwarmEvent.allCases.reduce(0) { $0 + (options.weights[$1] ?? 0) })
      var kind = SwarmEvent.calls
      for event in SwarmEvent.allCases {
        kind = event
        position -= options.weights[event] ?? 0
        if position < 0 { break }
      }
      if let action = drawEntry(kind) { return action }
      // If no other event is possible, the app wakes up or the flags are set to WiFi.
      if draw.chance(10) { return isSuspended ? wake() : .flags(.wifi) }
    }
  }

  /// Generates an entry of a kind, or `nil` if none is possible now.
  private mutating func drawEntry(_ kind: SwarmEvent) -> ScriptAction? {
    let host = draw.below(setup.hosts)
    switch kind {
    case .calls: return isSuspended ? nil : drawCall(host)
    case .cancels: return isSuspended ? nil : drawCancel()
    case .messages: return isSuspended ? nil : drawMessage()
    case .disconnects:
      return isSuspended ? nil : .disconnect(draw.chance(30) ? .all : .one(host))
    case .flags:
      return draw.pick(
        .flags(.wifi), .flags(.wifi), .flags(.cellular), .flags(.noNetwork),
        .flags([.reachable], path: Self.otherWiFi, linksUp: [], linksDown: []))
    case .paths: return .path(draw.pick(Script.wifiPath, Self.otherWiFi, Script.cellularPath))
    case .app:
      guard !isSuspended else { return wake() }
      let state: AppState = draw.pick(.background, .background, .backgroundRunning, .foreground)
      isSuspended = state == .background
      return .app(state)
    case .servers:
      let fault: ServerFault = draw.pick(
        .close, .reset, .silent, .goaway, .refuse, .accept, .accept)
      return .server(host, fault)
    case .names: return .names(host, draw.pick(.fail, .hang, .resolve, .resolve))
    case .transports:
      let fault: ConnectionFault = draw.pick(
        .stall, .stallAcked, .blackholeConnect, .reset, .fin, .halfClose, .kill, .resume, .resume)
      return .transport(draw.chance(30) ? .all : .one(host), fault)
    case .callbacks:
      let fault: MonitorFault = draw.pick(.duplicate, .miss, .overrun, .delay)
      return .monitor(fault, by: fault == .delay ? .seconds(3) : .zero)
    }
  }

  /// The path of a second WiFi network.
  private static let otherWiFi = PathIndex(2)

  private mutating func wake() -> ScriptAction {
    isSuspended = false
    return .app(.foreground)
  }

  // MARK: Calls

  private mutating func drawCall(_ host: Int) -> ScriptAction? {
    guard calls.count(where: { !$0.isCancelled && $0.end > now }) < setup.calls else { return nil }
    let kind: CallKind = draw.pick(.unary, .streaming, .streaming, .clientStreaming, .bidi)
    let takes = Interval.milliseconds(Int64(draw.pick(0, 200, 3_000, 30_000)))
    var call = ScriptCall(id: ScriptCall.id(calls.count), host: host, kind: kind, takes: takes)
    // An answer that is discarded, or that stalls on a network that was left (D8a), never arrives.
    // Only a deadline then ends the call.
    let losing: [SwarmEvent] = [.transports, .servers, .flags, .paths]
    let isLost = losing.contains { (options.weights[$0] ?? 0) > 0 }
    if isLost || options.hasDeadlines && draw.chance(50) {
      call.deadline = .milliseconds(Int64(draw.pick(50, 1_000, 20_000, 60_000)))
    }
    call.failFast = draw.chance(30)
    if options.hasTokens, draw.chance(40) {
      call.tokenDelay = .seconds(Int64(draw.pick(0, 1, 22)))
    }
    calls.append(Call(script: call, sends: !kind.requestIsCompleteAtStart, end: now + takes))
    return .startCall(calls.count - 1)
  }

  private mutating func drawCancel() -> ScriptAction? {
    guard !calls.isEmpty else { return nil }
    // The choice prefers recent calls, because older calls have mostly ended.
    let position = max(0, calls.count - 1 - draw.below(setup.calls + 2))
    calls[position].isCancelled = true
    return .cancel(position)
  }

  private mutating func drawMessage() -> ScriptAction? {
    let positions = calls.indices.filter { calls[$0].sends }
    guard !positions.isEmpty else { return nil }
    let position = positions[draw.below(positions.count)]
    guard draw.chance(40) else { return .send(position, bytes: draw.pick(1, 900, 200_000)) }
    calls[position].sends = false
    return .finish(position)
  }

  // MARK: The end

  /// Restores the network, and finishes all open requests.
  private mutating func heal() {
    now = now + .seconds(1)
    let before = entries.count
    add(.app(.foreground))
    // Connections may stall when the device leaves their network, so `resume` comes after it.
    add(.flags(.wifi))
    for host in 0..<setup.hosts {
      add(.names(host, .resolve))
      add(.server(host, .accept))
    }
    add(.transport(.all, .resume))
    for position in calls.indices where calls[position].sends { add(.finish(position)) }
    healing = entries.count - before
  }
}
