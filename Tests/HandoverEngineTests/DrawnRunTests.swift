import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

/// A random timeline from a seed.
///
/// All kinds of entry except GOAWAY can occur.
struct DrawnTimeline {
  private var generator: SeededGenerator
  private(set) var entries: [String] = []
  private var calls: [(id: String, isOpen: Bool)] = []
  private var isInBackground = false

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    for _ in 0..<(4 + draw(12)) { addEntry() }
  }

  private mutating func draw(_ count: UInt64) -> UInt64 {
    generator.next(upToAndIncluding: count - 1)
  }

  private mutating func pick(_ words: [String]) -> String {
    words[Int(draw(UInt64(words.count)))]
  }

  private mutating func addEntry() {
    let delay = pick(["0s", "0s", "100ms", "300ms", "900ms", "2s", "21s", "40s"])
    entries.append(#"{"at": "+\#(delay)", \#(draw(5) < 2 ? start() : event())}"#)
  }

  private mutating func start() -> String {
    guard !isInBackground else { return event() }
    let id = "c\(calls.count)"
    let kind = pick(["unary", "streaming", "client-streaming", "bidi"])
    calls.append((id, kind == "client-streaming" || kind == "bidi"))
    var call = #""id": "\#(id)", "host": "\#(host())", "kind": "\#(kind)""#
    if draw(2) == 0 { call += #", "deadline": "\#(pick(["50ms", "1s", "20s", "35s"]))""# }
    if draw(3) == 0 { call += #", "takes": "\#(pick(["0s", "10ms", "3s", "30s"]))""# }
    if draw(4) == 0 { call += #", "failFast": true"# }
    if kind == "streaming", draw(3) == 0 { call += #", "every": "700ms""# }
    let options = [#""token": "0s""#, #""token": "1s""#, #""token": "22s""#, #""retry": true"#]
    if draw(4) == 0 { call += #", "options": {\#(pick(options))}"# }
    return #""call": {\#(call)}"#
  }

  private mutating func host() -> String { pick(["a:1", "b:1", "c:1"]) }

  private mutating func event() -> String {
    switch draw(isInBackground ? 6 : 10) {
    case 0, 1:
      let flags = pick([
        #"["Reachable"]"#, #"["Reachable", "IsWWAN"]"#, "[]",
        #"["Reachable", "TransientConnection"]"#,
      ])
      let path = draw(4) == 0 ? #", "path": "\#(pick(["wifi-B", "cellular", "wifi"]))""# : ""
      return #""flags": \#(flags)\#(flags == "[]" ? "" : path)"#
    case 2: return #""path": "\#(pick(["wifi-B", "wifi"]))""#
    case 3:
      isInBackground.toggle()
      return #""app": "\#(isInBackground ? "background" : "foreground")""#
    case 4:
      let word = pick(["close", "reset", "silent", "refuse", "accept", "accept"])
      return #""server": {"host": "\#(host())", "do": "\#(word)"}"#
    case 5:
      let word = pick([
        "stall", "stall-acked", "blackhole-connect", "reset", "fin", "half-close", "kill",
        "resume", "resume",
      ])
      return #""transport": {"host": "\#(pick(["*", "a:1", "b:1"]))", "become": "\#(word)"}"#
    case 6: return #""disconnect": "\#(pick(["*", "a:1", "b:1"]))""#
    case 7:
      return #""names": {"host": "\#(host())", "do": "\#(pick(["fail", "hang", "resolve"]))"}"#
    case 8:
      let word = pick(["duplicate", "miss", "overrun", "delay"])
      return #""monitor": {"do": "\#(word)"\#(word == "delay" ? #", "by": "3s""# : "")}"#
    default: return ofCall()
    }
  }

  private mutating func ofCall() -> String {
    guard !calls.isEmpty else { return #""disconnect": "*""# }
    let call = calls[Int(draw(UInt64(calls.count)))]
    guard call.isOpen, draw(3) > 0 else { return #""cancel": "\#(call.id)""# }
    return draw(2) == 0
      ? #""finish": "\#(call.id)""# : #""send": {"call": "\#(call.id)", "bytes": 90000}"#
  }

  /// Returns the scenario on every profile.
  func scenario(_ generation: CFStreamGeneration = .iomgr) throws -> Scenario {
    try Sample.scenario(
      timeline: entries, profiles: Profile.all,
      hosts: #""a:1": {"connect": "50ms"}, "b:1": {"connect": "5s"}, "c:1": {}"#,
      config: """
        {"keepalive": {"time": "15s"}, "monitor": {"latency": "200ms"},
         "cfstream": "\(generation.rawValue)"}
        """)
  }
}

@Suite("Random runs")
struct DrawnRunTests {
  @Test(
    "A random run violates no invariant, and replays through a new client",
    arguments: UInt64(1)...300)
  func drawn(_ seed: UInt64) throws {
    let timeline = DrawnTimeline(seed: seed)
    let scenario = try timeline.scenario(seed.isMultiple(of: 3) ? .eventEngine : .iomgr)
    var worker = Worker(SimulatedBackend(), retaining: .traces)
    for (profile, result) in zip(scenario.profiles, worker.run(scenario).cases) {
      let findings = result.findings.filter { $0.kind != .faultWithoutEffect }
      #expect(findings == [], "\(profile.name)\n\(timeline.entries.joined(separator: "\n"))")
      let trace = try #require(result.trace)
      #expect(TraceTests.replayed(trace, scenario.script, profile) == trace.records)
    }
  }
}
