import HandoverMachines

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
  private var entries: [String] = []
  private var calls: [Call] = []
  private var isSuspended = false

  private struct Call: Hashable, Sendable {
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
  package var text: String {
    let hosts = (0..<setup.hosts).map { "\"\(setup.hostName($0))\": { \"connect\": \"50ms\" }" }
    let keepalive =
      options.hasKeepalive ? #""keepalive": { "time": "10s", "timeout": "5s" }, "# : ""
    let end = now + Self.patience
    let rest = end + Self.rest
    let until = rest + .seconds(1)
    var expectations = calls.indices.map {
      #"{ "call": "\#(ScenarioWriter.id($0))", "before": "\#(end.text)" }"#
    }
    expectations.append(#"{ "channels": { "host": "*", "alive": 0 }, "at": "\#(rest.text)" }"#)
    expectations.append(#"{ "connections": { "host": "*", "open": 0 }, "at": "\#(rest.text)" }"#)
    return """
      {
        "format": 1,
        "id": "\(id)",
        "title": "A random run: calls end and the client becomes idle",
        "profiles": ["\(setup.profile.name)"],
        "initial": { "flags": ["Reachable"] },
        "hosts": { \(hosts.joined(separator: ", ")) },
        "config": { "idle": "30s", \(keepalive)"seed": \(seed), "until": "\(until.text)" },
        "timeline": [
          \(entries.joined(separator: ",\n    "))
        ],
        "expect": [
          \(expectations.joined(separator: ",\n    "))
        ]
      }

      """
  }

  // MARK: Events

  private mutating func add(_ text: String) {
    entries.append(#"{ "at": "\#(now.text)", \#(text) }"#)
  }

  /// Returns the time to the next event: often zero, sometimes long.
  private mutating func pause() -> Interval {
    switch draw.below(10) {
    case 0...2: .zero
    case 3...8: Interval(microseconds: options.pace.microseconds / 5 * Int64(draw.below(10)))
    default: .seconds(Int64(draw.pick(1, 20, 35, 60)))
    }
  }

  private mutating func drawEntry() -> String {
    while true {
      var place = draw.below(SwarmEvent.allCases.reduce(0) { $0 + (options.weights[$1] ?? 0) })
      var kind = SwarmEvent.calls
      for event in SwarmEvent.allCases {
        kind = event
        place -= options.weights[event] ?? 0
        if place < 0 { break }
      }
      if let text = drawEntry(kind) { return text }
      // If no other event is possible, the app wakes up or the flags are set to WiFi.
      if draw.chance(10) { return isSuspended ? wake() : #""flags": ["Reachable"]"# }
    }
  }

  /// Generates an entry of a kind, or `nil` if none is possible now.
  private mutating func drawEntry(_ kind: SwarmEvent) -> String? {
    let host = setup.hostName(draw.below(setup.hosts))
    switch kind {
    case .calls: return isSuspended ? nil : drawCall(host)
    case .cancels: return isSuspended ? nil : drawCancel()
    case .messages: return isSuspended ? nil : drawMessage()
    case .disconnects:
      return isSuspended ? nil : #""disconnect": "\#(draw.chance(30) ? "*" : host)""#
    case .flags:
      return #""flags": "#
        + draw.pick(
          #"["Reachable"]"#, #"["Reachable"]"#, #"["Reachable", "IsWWAN"]"#, "[]",
          #"["Reachable"], "path": "wifi-B""#)
    case .paths: return #""path": "\#(draw.pick("wifi", "wifi-B", "cellular"))""#
    case .app:
      guard !isSuspended else { return wake() }
      let word = draw.pick("background", "background", "background-running", "foreground")
      isSuspended = word == "background"
      return #""app": "\#(word)""#
    case .servers:
      let word = draw.pick("close", "reset", "silent", "goaway", "refuse", "accept", "accept")
      return #""server": { "host": "\#(host)", "do": "\#(word)" }"#
    case .names:
      let word = draw.pick("fail", "hang", "resolve", "resolve")
      return #""names": { "host": "\#(host)", "do": "\#(word)" }"#
    case .transports:
      let word = draw.pick(
        "stall", "stall-acked", "blackhole-connect", "reset", "fin", "half-close", "kill", "resume",
        "resume")
      let target = draw.chance(30) ? "*" : host
      return #""transport": { "host": "\#(target)", "become": "\#(word)" }"#
    case .callbacks:
      let word = draw.pick("duplicate", "miss", "overrun", "delay")
      let by = word == "delay" ? #", "by": "3s""# : ""
      return #""monitor": { "do": "\#(word)"\#(by) }"#
    }
  }

  private mutating func wake() -> String {
    isSuspended = false
    return #""app": "foreground""#
  }

  // MARK: Calls

  private mutating func drawCall(_ host: String) -> String? {
    guard calls.count(where: { !$0.isCancelled && $0.end > now }) < setup.calls else { return nil }
    let kind = draw.pick("unary", "streaming", "streaming", "client-streaming", "bidi")
    let sends = kind == "client-streaming" || kind == "bidi"
    let takes = Interval.milliseconds(Int64(draw.pick(0, 200, 3_000, 30_000)))
    var parts = [
      #""id": "\#(ScenarioWriter.id(calls.count))", "host": "\#(host)", "kind": "\#(kind)""#,
      #""takes": "\#(takes.text)""#,
    ]
    // An answer that is discarded, or that stalls on a network that was left (D8a), never arrives.
    // Only a deadline then ends the call.
    let losing: [SwarmEvent] = [.transports, .servers, .flags, .paths]
    let isLost = losing.contains { (options.weights[$0] ?? 0) > 0 }
    if isLost || options.hasDeadlines && draw.chance(50) {
      let deadline = Interval.milliseconds(Int64(draw.pick(50, 1_000, 20_000, 60_000)))
      parts.append(#""deadline": "\#(deadline.text)""#)
    }
    if draw.chance(30) { parts.append(#""failFast": true"#) }
    if options.hasTokens, draw.chance(40) {
      parts.append(#""options": { "token": "\#(draw.pick("0s", "1s", "22s"))" }"#)
    }
    calls.append(Call(sends: sends, end: now + takes))
    return #""call": { \#(parts.joined(separator: ", ")) }"#
  }

  private mutating func drawCancel() -> String? {
    guard !calls.isEmpty else { return nil }
    // The choice prefers recent calls, because older calls have mostly ended.
    let place = max(0, calls.count - 1 - draw.below(setup.calls + 2))
    calls[place].isCancelled = true
    return #""cancel": "\#(ScenarioWriter.id(place))""#
  }

  private mutating func drawMessage() -> String? {
    let places = calls.indices.filter { calls[$0].sends }
    guard !places.isEmpty else { return nil }
    let place = places[draw.below(places.count)]
    let id = ScenarioWriter.id(place)
    guard draw.chance(40) else {
      return #""send": { "call": "\#(id)", "bytes": \#(draw.pick(1, 900, 200_000)) }"#
    }
    calls[place].sends = false
    return #""finish": "\#(id)""#
  }

  // MARK: The end

  /// Restores the network, and finishes all open requests.
  private mutating func heal() {
    now = now + .seconds(1)
    let before = entries.count
    add(#""app": "foreground""#)
    // Connections may stall when the device leaves their network, so `resume` comes after it.
    add(#""flags": ["Reachable"]"#)
    for host in 0..<setup.hosts {
      let name = setup.hostName(host)
      add(#""names": { "host": "\#(name)", "do": "resolve" }"#)
      add(#""server": { "host": "\#(name)", "do": "accept" }"#)
    }
    add(#""transport": { "host": "*", "become": "resume" }"#)
    for place in calls.indices where calls[place].sends {
      add(#""finish": "\#(ScenarioWriter.id(place))""#)
    }
    healing = entries.count - before
  }
}
