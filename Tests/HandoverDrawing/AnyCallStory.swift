/// Draws calls with every word of the format, so that whatever can meet does.
///
/// How they end is told by nobody; what holds in every run must hold.
struct AnyCallStory {
  private let withChain: Bool
  private var now = 0
  private var calls: [Call] = []
  private var gates: [String] = []
  private var held: [(gate: String, id: String)] = []
  /// The calls that the gate holds at this point of the story.
  private var holding: Set<String> = []
  /// When users let go of calls.
  private var cancelled: [String: Int] = [:]
  /// The calls that their users let go of while the gate held them.
  private var letGo: [String] = []
  private var isSuspended = false

  private struct Call {
    var id: String
    var sends: Bool
  }

  static func tell(in scenario: inout DrawnScenario, withChain: Bool, _ draw: inout Draw) {
    var story = AnyCallStory(withChain: withChain)
    scenario.profiles = ["sockets", "sockets-monitor", "cfstream", "sockets-2017", "linux-sockets"]
    scenario.flags = draw.pick(#"["Reachable"]"#, #"["Reachable", "IsWWAN"]"#, "[]")
    scenario.hosts = [
      #""a:1": { "connect": "50ms" }"#, #""b:1": { "connect": "5s" }"#, #""c:1": {}"#,
    ]
    scenario.config = story.config(&draw)
    for _ in 0..<draw.between(3, 18) { story.addEntry(to: &scenario, &draw) }
    story.release(in: &scenario)
    story.excuse(in: &scenario)
  }

  /// What gates hold comes at last: to keep it for ever would break their own rules.
  private func release(in scenario: inout DrawnScenario) {
    guard !held.isEmpty else { return }
    if isSuspended { scenario.timeline.append((now, #""app": "foreground""#)) }
    for call in held {
      scenario.timeline.append((now, Self.command(call.gate, call.id, "release")))
    }
  }

  /// A gate that holds a call keeps the close, although its user has let go of it: the rule is
  /// broken because the scenario asks for it.
  private func excuse(in scenario: inout DrawnScenario) {
    guard let gate = gates.first else { return }
    for call in letGo { scenario.excuses.append((call, "\"\(gate)\" never forwards the close")) }
  }

  private static func command(_ gate: String, _ call: String, _ word: String) -> String {
    "\"interceptor\": { \"name\": \"\(gate)\", \"call\": \"\(call)\", \"do\": \"\(word)\" }"
  }

  private init(withChain: Bool) {
    self.withChain = withChain
  }

  // MARK: Settings

  private mutating func config(_ draw: inout Draw) -> [String] {
    var config = ["\"seed\": \(draw.below(1_000))"]
    if draw.chance(50) { config.append(#""keepalive": { "time": "15s" }"#) }
    if draw.chance(50) { config.append(#""monitor": { "latency": "200ms" }"#) }
    if draw.chance(30) { config.append(#""cfstream": "event-engine""#) }
    if draw.chance(30) { config.append(#""sendBuffer": 1000"#) }
    if draw.chance(30) { config.append(#""idle": "3s""#) }
    guard withChain else { return config }
    let links = (0..<draw.between(1, 4)).map { link($0, &draw) }
    config.append("\"interceptors\": [\(links.joined(separator: ", "))]")
    let creation = draw.pick("lazy", "eager")
    let turns = draw.pick("drawn", "drawn", "ordered")
    config.append("\"chain\": { \"creation\": \"\(creation)\", \"turns\": \"\(turns)\" }")
    return config
  }

  private mutating func link(_ place: Int, _ draw: inout Draw) -> String {
    let kind = draw.pick(
      "forward", "none", "logging", "metrics", "rewrite", "token", "cache", "mock", "retry", "gate")
    var text = "\"kind\": \"\(kind)\", \"name\": \"l\(place)\""
    text += ", \"queues\": \"\(draw.pick("own", "separate", "shared"))\""
    switch kind {
    case "rewrite":
      text += draw.pick(#", "host": "c:1""#, #", "prefix": "p ""#, #", "answerPrefix": "a ""#)
    case "token":
      text += draw.pick("", #", "takes": "3s""#, #", "token": null"#, #", "expires": "2s""#)
    case "mock":
      text += draw.pick(#", "path": "/mocked""#, #", "takes": "2s", "status": "ABORTED""#)
    case "retry": text += draw.pick(#", "attempts": 2"#, #", "backoff": { "initial": "300ms" }"#)
    case "gate": gates.append("l\(place)")
    default: break
    }
    return "{ \(text) }"
  }

  // MARK: Entries

  private mutating func addEntry(to scenario: inout DrawnScenario, _ draw: inout Draw) {
    now += milliseconds(draw.pick([0, 0, 0, 0, 100, 300, 900, 2_000, 10_000, 21_000, 40_000]))
    let text = draw.chance(45) ? start(&draw) : event(&draw)
    scenario.timeline.append((now, text))
  }

  private mutating func start(_ draw: inout Draw) -> String {
    guard !isSuspended else { return event(&draw) }
    let id = "c\(calls.count)"
    let kind = draw.pick("unary", "streaming", "client-streaming", "bidi")
    calls.append(Call(id: id, sends: kind == "client-streaming" || kind == "bidi"))
    var call = "\"id\": \"\(id)\", \"host\": \"\(host(&draw))\", \"kind\": \"\(kind)\""
    if draw.chance(50) {
      call += ", \"deadline\": \(time(milliseconds(draw.pick(50, 1_000, 20_000, 35_000))))"
    }
    if draw.chance(35) {
      call += ", \"takes\": \(time(milliseconds(draw.pick(0, 10, 3_000, 30_000))))"
    }
    if draw.chance(25) { call += #", "failFast": true"# }
    if kind == "streaming" || kind == "bidi", draw.chance(35) { call += #", "every": "700ms""# }
    if draw.chance(10) { call += #", "path": "/mocked""# }
    if draw.chance(10) { call += #", "safety": "cacheable""# }
    if withChain, draw.chance(10) { call += #", "legacy": true"# }
    var options = [#""token": "0s""#, #""token": "1s""#, #""token": "22s""#, #""retry": true"#]
    if withChain { options.append(#""flowControl": true"#) }
    if draw.chance(25) { call += ", \"options\": { \(draw.pick(options)) }" }
    return "\"call\": { \(call) }"
  }

  private func host(_ draw: inout Draw) -> String { draw.pick("a:1", "b:1", "c:1") }

  private mutating func event(_ draw: inout Draw) -> String {
    if !isSuspended, draw.chance(25) { return ofCall(&draw) }
    switch draw.below(isSuspended ? 9 : 10) {
    case 0...2: return deviceEvent(&draw)
    case 3, 4:
      isSuspended.toggle()
      return "\"app\": \"\(isSuspended ? "background" : "foreground")\""
    case 9: return "\"disconnect\": \"\(draw.pick("*", "a:1", "b:1"))\""
    default: return FaultWords.draw(hosts: ["a:1", "b:1", "c:1"], hasMonitor: true, &draw)
    }
  }

  private func deviceEvent(_ draw: inout Draw) -> String { FaultWords.device(&draw) }

  private mutating func ofCall(_ draw: inout Draw) -> String {
    guard !calls.isEmpty else { return #""disconnect": "*""# }
    let place = draw.below(calls.count)
    let id = calls[place].id
    if let gate = gates.first, draw.chance(40) {
      let word = draw.pick("hold", "release")
      if word == "hold" {
        held.append((gate, id))
        holding.insert(id)
        // Entries of one instant may take turns.
        if cancelled[id] == now { letGo.append(id) }
      } else {
        holding.remove(id)
      }
      return Self.command(gate, id, word)
    }
    if withChain, draw.chance(20) {
      return "\"receive\": { \"call\": \"\(id)\", \"messages\": \(draw.between(1, 3)) }"
    }
    guard calls[place].sends, draw.chance(70) else { return cancel(id) }
    guard draw.chance(50) else {
      return "\"send\": { \"call\": \"\(id)\", \"bytes\": \(draw.pick(1, 90, 9_000)) }"
    }
    // A user sends nothing after the end of the requests.
    calls[place].sends = false
    return "\"finish\": \"\(id)\""
  }

  private mutating func cancel(_ id: String) -> String {
    if holding.contains(id) { letGo.append(id) }
    cancelled[id] = now
    return "\"cancel\": \"\(id)\""
  }
}
