import HandoverCore
import HandoverEngine
import HandoverReport
import HandoverScenario
import HandoverSimulation

/// Swift Testing has a type of the same name.
typealias Expectation = HandoverScenario.Expectation

/// Hand-made results of every kind around real runs.
enum Samples {
  static let run = RunDescription(plannedScenarios: 9, plannedCases: 14, longestID: 46)

  /// A case of every verdict, in the order of the report.
  static let all: [ScenarioResult] = [
    passed, failed, nonStrict, partlySeen, unsupported, broken, invariant, known, hostile,
  ]

  static var summary: Summary { Summary(all) }

  /// Returns the whole text of a report.
  static func text(_ reporter: some Reporter<String>) -> String {
    var reporter = reporter
    var text = reporter.begin(run)
    for result in all { text += reporter.scenarioEnded(result) }
    return text + reporter.finish(summary)
  }

  static func instant(_ seconds: Int64) -> Instant { Instant(microseconds: seconds * 1_000_000) }

  /// Returns the example of the format's documentation, in which WiFi appears under a stream over
  /// cellular.
  static func transition(
    id: String, title: String?, expectations: [Expectation], host: String = "api.example:443",
    calls: [String] = ["stream", "next"], every: Interval? = nil
  ) -> Scenario {
    var script = Script()
    script.initial.flags = [.reachable, .isWWAN]
    script.hosts = [ScriptHost(written: host, connect: .milliseconds(50))]
    script.calls = [
      ScriptCall(
        id: calls[0], host: 0, kind: .streaming, takes: nil, every: every, deadline: .seconds(20)),
      ScriptCall(id: calls[1], host: 0, kind: .unary, takes: .milliseconds(10)),
    ]
    script.entries = [
      ScriptEntry(at: .zero, action: .startCall(0)),
      ScriptEntry(
        at: instant(8), action: .flags([.reachable], path: nil, linksUp: [], linksDown: [])),
      ScriptEntry(at: instant(9), action: .startCall(1)),
    ]
    return Scenario(
      file: "Scenarios/\(id).json", id: id, title: title, sources: [],
      profiles: [.sockets, .socketsMonitor, .cfStream], script: script,
      expectations: expectations,
      entryPositions: [11, 12, 13].map { TextPosition(line: $0, column: 5) })
  }

  static func expect(
    _ profiles: [Profile], _ status: StatusCode, at moment: Expectation.Moment?, line: Int,
    level: Expectation.Level = .must
  ) -> Expectation {
    Expectation(
      profiles: profiles, level: level, isNever: false,
      subject: .call(0, status: status, message: nil, channel: nil), moment: moment,
      position: TextPosition(line: line, column: 5))
  }

  static func play(_ scenario: Scenario, on profiles: [Profile]) -> ScenarioResult {
    var worker = Worker(SimulatedBackend(), retaining: [.traces, .digests])
    return worker.run(scenario, on: profiles)
  }

  // MARK: The cases

  static let passed = play(
    transition(
      id: "transitions/cellular-to-wifi-unfinished-stream",
      title: "WiFi appears while a call streams over cellular",
      expectations: [
        expect([.socketsMonitor, .cfStream], .unavailable, at: .at(instant(8)), line: 16),
        expect([.sockets], .deadlineExceeded, at: .at(instant(20)), line: 17),
      ]), on: [.sockets, .socketsMonitor, .cfStream])

  static let failed = play(
    transition(
      id: "transitions/cellular-to-wifi-messages",
      title: "WiFi appears while messages stream over cellular",
      expectations: [
        expect(
          [.sockets, .socketsMonitor, .cfStream], .unavailable, at: .at(instant(8)), line: 16)
      ], every: .milliseconds(500)), on: [.sockets, .socketsMonitor])

  static let nonStrict = play(
    transition(
      id: "transitions/cellular-to-wifi-wish", title: nil,
      expectations: [
        expect(
          [.sockets], .unavailable, at: .within(instant(8), instant(9)), line: 16, level: .should)
      ]), on: [.sockets, .socketsMonitor])

  static let partlySeen: ScenarioResult = {
    var result = play(
      transition(
        id: "channels/next-is-new", title: nil,
        expectations: [
          Expectation(
            profiles: [.cfStream], level: .must, isNever: false,
            subject: .call(1, status: .ok, message: nil, channel: .same), moment: nil,
            position: TextPosition(line: 16, column: 5))
        ]), on: [.cfStream])
    result.cases[0].verdict = .passedPartially
    result.cases[0].coverage.all = 2
    result.cases[0].findings = [
      Finding(
        kind: .partlySeen, verdict: .passedPartially,
        expected: "call \"next\" ends OK on the same channel",
        seen: "it ended OK at 9.06s; the backend does not show its channel", at: nil,
        position: TextPosition(line: 16, column: 5))
    ]
    return result
  }()

  static let unsupported: ScenarioResult = {
    var result = play(
      transition(id: "channels/destroyed-once", title: nil, expectations: []), on: [.cfStream])
    result.cases[0].verdict = .unsupported
    result.cases[0].findings = [
      Finding(
        kind: .unsupported, verdict: .unsupported,
        expected: "api.example:443 has 1 channel destroyed at 1s",
        seen: "the backend does not show it", at: nil, position: TextPosition(line: 18, column: 5))
    ]
    return result
  }()

  static let broken: ScenarioResult = {
    var result = play(
      transition(id: "calls/backend-breaks", title: nil, expectations: []), on: [.sockets])
    result.cases[0].verdict = .error
    result.cases[0].findings = [
      Finding(
        kind: .breakdown, verdict: .error, expected: "the backend runs the scenario",
        seen: "the process ended with status 9 in the middle of the run", at: instant(1),
        position: nil)
    ]
    result.cases[0].calls = []
    result.cases[0].changeToEnd = []
    return result
  }()

  /// One case that is a known failure and fails, and one that passes.
  static let known: ScenarioResult = {
    var result = play(
      transition(
        id: "transitions/known", title: nil,
        expectations: [
          expect([.sockets], .unavailable, at: .at(instant(8)), line: 16),
          expect([.socketsMonitor], .unavailable, at: .at(instant(8)), line: 17),
        ]), on: [.sockets, .socketsMonitor])
    for position in result.cases.indices {
      result.cases[position].expectFailure(from: "known.txt:\(position + 1)")
    }
    return result
  }()

  /// A client that keeps a channel alive too long, and ends a call twice.
  static let invariant: ScenarioResult = {
    var result = play(
      transition(
        id: "transitions/rules-broken", title: "A client that breaks rules", expectations: []),
      on: [.socketsMonitor])
    result.cases[0].verdict = .failed
    result.cases[0].findings = [
      Finding(
        kind: .invariant(2), verdict: .failed,
        expected: "a change of category destroys every channel",
        seen: "the one to api.example:443 is still in READY", at: instant(8), position: nil),
      Finding(
        kind: .invariant(8), verdict: .failed,
        expected: "nothing remains after the client was closed",
        seen: "a timer remains", at: instant(12), position: nil),
      Finding(
        kind: .neverEvaluated, verdict: .failed,
        expected: "the monitor has posted 2 notifications at 40min",
        seen: "the run ended at 9.06s, before this time; increase `config.until`", at: instant(9),
        position: TextPosition(line: 20, column: 5)),
    ]
    return result
  }()

  /// Names that would break a report without escaping.
  static let hostileText =
    "<&\"'#\\]]>\u{1}\u{1b}[31m\u{2028}\u{85}\u{202e}\u{fffe}\nnot ok 1\r\té✓"

  static let hostile: ScenarioResult = {
    var result = play(
      transition(
        id: "hostile/\(hostileText)", title: hostileText,
        expectations: [expect([.sockets], .ok, at: .before(instant(3)), line: 16)],
        host: "h\u{1b}]0;\(hostileText)", calls: [hostileText, "next"]), on: [.sockets])
    result.cases[0].findings[0].seen += " " + hostileText
    return result
  }()

  // MARK: Timelines

  /// Requests to two hosts, one of them in a separate pool, and threads that end in each way.
  static let threads: Scenario = {
    var script = Script()
    script.hosts = [ScriptHost(written: "a:80"), ScriptHost(written: "b:80")]
    script.pools.append("own")
    script.configuration.requests.threads = ThreadConfiguration(
      idle: .seconds(1), collect: .seconds(2))
    func request(_ id: String, host: Int = 0, pool: Int = 0) -> ScriptRequest {
      ScriptRequest(id: id, host: host, kind: .short, takes: .seconds(2), pool: pool)
    }
    script.requests = [
      request("one"), request("two"), request("three", host: 1), request("four", pool: 1),
    ]
    let actions: [(Int64, ScriptAction)] = [
      (0, .request(0)), (1, .request(1)), (1, .request(2)), (1, .request(3)),
      (2, .dispatcher(1, .close)),
    ]
    script.entries = ContiguousArray(
      actions.map { ScriptEntry(at: instant($0.0), action: $0.1) })
    return Scenario(
      file: "threads.json", id: "threads", title: nil, sources: [], profiles: [.urlDispatcher],
      script: script, expectations: [],
      entryPositions: actions.indices.map { TextPosition(line: 1 + $0, column: 5) })
  }()

  /// A scenario with as many kinds of event as possible, and a failing expectation.
  static let busy: Scenario = {
    var script = Script()
    script.hosts = [
      ScriptHost(written: "a:1", connect: .milliseconds(50)), ScriptHost(written: "b:2"),
    ]
    script.paths.append("wifi-B")
    script.configuration.keepalive = KeepaliveConfiguration(
      time: .seconds(2), timeout: .seconds(1))
    script.configuration.sendBuffer = 10
    script.configuration.until = instant(60)
    script.calls = [
      ScriptCall(id: "stream", host: 0, kind: .streaming, takes: nil, every: .milliseconds(700)),
      ScriptCall(
        id: "other", host: 0, kind: .bidi, takes: nil,
        options: ChannelOptions(others: ["retry=1"]), tokenDelay: .milliseconds(300)),
      ScriptCall(id: "upload", host: 1, kind: .clientStreaming, takes: .zero),
      ScriptCall(id: "refused", host: 1, kind: .unary, takes: .zero, failFast: true),
      ScriptCall(id: "endless", host: 0, kind: .unary, takes: nil),
    ]
    let actions: [(Int64, ScriptAction)] = [
      (0, .startCall(0)), (0, .startCall(1)), (500, .startCall(2)), (600, .send(2, bytes: 4)),
      (700, .send(1, bytes: 100)), (5_000, .finish(2)), (5_500, .cancel(1)),
      (6_000, .transport(.one(0), .stall)), (6_500, .transport(.all, .resume)),
      (7_000, .server(0, .goaway)), (8_000, .path(PathIndex(2))),
      (9_000, .monitor(.miss, by: .zero)),
      (9_100, .flags([.reachable, .isWWAN], path: nil, linksUp: [], linksDown: [])),
      (10_000, .monitor(.overrun, by: .zero)), (11_000, .app(.background)),
      (11_500, .flags([], path: nil, linksUp: [], linksDown: [])), (12_000, .app(.foreground)),
      (13_000, .flags([.reachable], path: nil, linksUp: [], linksDown: [])),
      (14_000, .server(1, .refuse)), (14_500, .names(0, .fail)), (15_000, .startCall(3)),
      (16_000, .names(0, .resolve)), (17_000, .startCall(4)), (20_000, .disconnect(.one(1))),
      (21_000, .monitor(.delay, by: .seconds(1))),
    ]
    script.entries = ContiguousArray(
      actions.map {
        ScriptEntry(at: Instant(microseconds: $0.0 * 1_000), action: $0.1)
      })
    return Scenario(
      file: "busy.json", id: "busy", title: nil, sources: [], profiles: Profile.all,
      script: script,
      expectations: [2, 7, 11, 14, 17, 22, 23, 24, 25, 26].map { second in
        Expectation(
          profiles: Profile.all, level: .must, isNever: false,
          subject: .monitor(notifications: 99), moment: .at(instant(second)),
          position: TextPosition(line: 200 + Int(second), column: 5))
      },
      entryPositions: actions.indices.map { TextPosition(line: 100 + $0, column: 5) })
  }()
}
