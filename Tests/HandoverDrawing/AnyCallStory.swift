/// Generates random calls with every key and value of the format, so that all combinations can
/// occur.
///
/// No ends are predicted; only the invariants must hold.
struct AnyCallStory {
  private let withChain: Bool
  private var now = 0
  private var calls: [Call] = []
  /// The calls that were created but not started.
  private var made: [Call] = []
  private var gates: [String] = []
  private var held: [(gate: String, id: String)] = []
  /// The calls that the gate holds at this point of the scenario.
  private var holding: Set<String> = []
  /// The times at which users cancel calls.
  private var cancelled: [String: Int] = [:]
  /// The calls that their users cancelled while the gate held them.
  private var letGo: [String] = []
  /// The calls for which the gate was instructed to do what no interceptor should.
  private var mistaken: [String] = []
  private var isSuspended = false

  private struct Call {
    var id: String
    var sends: Bool
  }

  static func write(in scenario: inout DrawnScenario, withChain: Bool, _ draw: inout Draw) {
    var story = AnyCallStory(withChain: withChain)
    scenario.profiles = ["sockets", "sockets-monitor", "cfstream", "sockets-2017", "linux-sockets"]
    scenario.flags = draw.pick(#"["Reachable"]"#, #"["Reachable", "IsWWAN"]"#, "[]")
    scenario.hosts = AnySettings.hosts(&draw)
    scenario.config = AnySettings.config(&draw)
    story.begin(in: &scenario, &draw)
    if withChain {
      let links = AnySettings.links(&draw)
      story.gates = links.gates
      scenario.config += links.config
    }
    for _ in 0..<draw.between(3, 18) { story.addEntry(to: &scenario, &draw) }
    story.release(in: &scenario)
    story.excuse(in: &scenario)
  }

  /// Sets the initial state of the app, and whether its monitor can read the flags.
  private mutating func begin(in scenario: inout DrawnScenario, _ draw: inout Draw) {
    if draw.chance(20) { scenario.initial.append(#""monitor": "unreadable""#) }
    if draw.chance(20) { scenario.initial.append(#""path": "wifi-B""#) }
    guard draw.chance(20) else { return }
    let word = draw.pick("background", "background-running")
    isSuspended = word == "background"
    scenario.initial.append("\"app\": \"\(word)\"")
  }

  /// Adds entries that release held calls at the end, because gates that hold calls forever violate
  /// invariants.
  private func release(in scenario: inout DrawnScenario) {
    guard !held.isEmpty else { return }
    if isSuspended { scenario.timeline.append((now, #""app": "foreground""#)) }
    for call in held {
      scenario.timeline.append((now, Self.command(call.gate, call.id, "release")))
    }
  }

  /// Adds the violations that gates commit on request, and that are therefore no failure of the
  /// run.
  ///
  /// A gate that holds a call withholds its close, even if its user has cancelled it or the run is
  /// over. A gate that makes a mistake violates further invariants. The users of such calls are
  /// never notified of the end.
  private func excuse(in scenario: inout DrawnScenario) {
    guard let gate = gates.first else { return }
    let isCut = scenario.config.contains { $0.hasPrefix("\"until\"") }
    for call in letGo + (isCut ? held.map(\.id) : []) {
      scenario.excuses.append((call, "\"\(gate)\" never forwards the close"))
      scenario.excuses.append((call, "the interceptors of call"))
    }
    for call in mistaken {
      let words = [
        "\"\(gate)\" ", "the interceptors of call", "another attempt began", "a message was sent",
      ]
      for word in words { scenario.excuses.append((call, word)) }
      // The gate's message may come before the headers, and the interceptors before it forward
      // both.
      for link in AnySettings.linkNames {
        scenario.excuses.append((call, "\"\(link)\" forwards initial metadata after a message"))
        scenario.excuses.append((nil, "\"\(link)\" got them after one"))
      }
    }
  }

  private static func command(
    _ gate: String, _ call: String, _ word: String, _ status: String = ""
  ) -> String {
    let words = "\"call\": \"\(call)\", \"do\": \"\(word)\"\(status)"
    return "\"interceptor\": { \"name\": \"\(gate)\", \(words) }"
  }

  private init(withChain: Bool) {
    self.withChain = withChain
  }

  // MARK: Entries

  private mutating func addEntry(to scenario: inout DrawnScenario, _ draw: inout Draw) {
    now += milliseconds(draw.pick([0, 0, 0, 0, 100, 300, 900, 2_000, 10_000, 21_000, 40_000]))
    let text = draw.chance(45) ? start(&draw) : event(&draw)
    scenario.timeline.append((now, text))
  }

  private mutating func start(_ draw: inout Draw) -> String {
    guard !isSuspended else { return event(&draw) }
    if !made.isEmpty, draw.chance(25) {
      let call = made.remove(at: draw.below(made.count))
      calls.append(call)
      return "\"start\": \"\(call.id)\""
    }
    let id = "c\(calls.count + made.count)"
    let kind = draw.pick("unary", "streaming", "client-streaming", "bidi")
    let new = Call(id: id, sends: kind == "client-streaming" || kind == "bidi")
    let starts = draw.chance(90)
    if starts { calls.append(new) } else { made.append(new) }
    let rest = (starts ? "" : #", "starts": false"#) + settings(&draw)
    return "\"call\": { \(text(id, kind, &draw))\(rest) }"
  }

  private func text(_ id: String, _ kind: String, _ draw: inout Draw) -> String {
    var call = "\"id\": \"\(id)\", \"host\": \"\(host(&draw))\", \"kind\": \"\(kind)\""
    if draw.chance(50) {
      call += ", \"deadline\": \(time(milliseconds(draw.pick(50, 1_000, 20_000, 35_000))))"
    }
    if draw.chance(35) {
      call += ", \"takes\": \(time(milliseconds(draw.pick(0, 10, 3_000, 30_000))))"
    }
    if draw.chance(25) { call += #", "failFast": true"# }
    if kind == "streaming" || kind == "bidi", draw.chance(35) { call += #", "every": "700ms""# }
    return call
  }

  private func settings(_ draw: inout Draw) -> String {
    var call = ""
    if draw.chance(10) { call += #", "path": "/mocked""# }
    if draw.chance(10) { call += #", "safety": "cacheable""# }
    if withChain, draw.chance(10) { call += #", "legacy": true"# }
    if draw.chance(10) {
      call += ", \"marshaller\": \"\(draw.pick("reversed", "unwritable", "unreadable"))\""
    }
    if draw.chance(10) { call += #", "metadata": { "key": "value" }"# }
    let options = AnySettings.channelOptions + (withChain ? [#""flowControl": true"#] : [])
    if draw.chance(25) { call += ", \"options\": { \(draw.pick(options)) }" }
    return call
  }

  private func host(_ draw: inout Draw) -> String { draw.pick("a:1", "b:1", "c:1") }

  private mutating func event(_ draw: inout Draw) -> String {
    if !isSuspended, draw.chance(25) { return ofCall(&draw) }
    switch draw.below(isSuspended ? 9 : 10) {
    case 0...2: return deviceEvent(&draw)
    case 3, 4: return AnySettings.app(&isSuspended, &draw)
    case 9: return "\"disconnect\": \"\(draw.pick("*", "a:1", "b:1"))\""
    default: return DrawnFaults.draw(hosts: ["a:1", "b:1", "c:1"], hasMonitor: true, &draw)
    }
  }

  private func deviceEvent(_ draw: inout Draw) -> String { DrawnFaults.device(&draw) }

  private mutating func ofCall(_ draw: inout Draw) -> String {
    guard !calls.isEmpty else { return #""disconnect": "*""# }
    let index = draw.below(calls.count)
    let id = calls[index].id
    if let gate = gates.first, draw.chance(40) {
      guard draw.chance(70) else { return mistake(gate, id, &draw) }
      let word = draw.pick("hold", "release")
      if word == "hold" {
        held.append((gate, id))
        holding.insert(id)
        // The order of entries at one instant may be random.
        if cancelled[id] == now { letGo.append(id) }
      } else {
        holding.remove(id)
      }
      return Self.command(gate, id, word)
    }
    if withChain, draw.chance(20) {
      return "\"receive\": { \"call\": \"\(id)\", \"messages\": \(draw.between(1, 3)) }"
    }
    guard calls[index].sends, draw.chance(70) else { return cancel(id) }
    guard draw.chance(50) else {
      return "\"send\": { \"call\": \"\(id)\", \"bytes\": \(draw.pick(1, 90, 9_000)) }"
    }
    // A user sends nothing after the end of the requests.
    calls[index].sends = false
    return "\"finish\": \"\(id)\""
  }

  /// Returns a gate command that interceptors may or may not carry out.
  ///
  /// Any violation that it causes is excused.
  private mutating func mistake(_ gate: String, _ id: String, _ draw: inout Draw) -> String {
    mistaken.append(id)
    let word = draw.pick("message", "close", "cancel", "start", "shut-down")
    let status = word == "close" && draw.chance(50) ? #", "status": "ABORTED""# : ""
    return Self.command(gate, id, word, status)
  }

  private mutating func cancel(_ id: String) -> String {
    if holding.contains(id) { letGo.append(id) }
    cancelled[id] = now
    return "\"cancel\": \"\(id)\""
  }
}
