import HandoverCore
import HandoverEngine
import HandoverReport
import HandoverScenario
import HandoverSimulation
import HandoverTrace

/// Swift Testing has a type of the same name.
typealias Expectation = HandoverScenario.Expectation

/// Results of every kind, made by hand around real runs.
enum Samples {
  static let run = RunDescription(plannedScenarios: 7, plannedCases: 11, longestID: 46)

  /// A case of every verdict; the order of the report.
  static let all: [ScenarioResult] = [
    passed, failed, nonStrict, unsupported, broken, invariant, hostile,
  ]

  static var summary: Summary { Summary(all) }

  /// The whole text of a report.
  static func text(_ reporter: some Reporter) -> String {
    var reporter = reporter
    var text = reporter.begin(run)
    for result in all { text += reporter.scenarioEnded(result) }
    return text + reporter.finish(summary)
  }

  static func instant(_ seconds: Int64) -> Instant { Instant(microseconds: seconds * 1_000_000) }

  /// WiFi appears under a stream over cellular: what the format's documentation shows.
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

  static func result(_ scenario: Scenario, on profiles: [Profile]) -> ScenarioResult {
    var worker = Worker(SimulatedBackend(), keeps: .traces)
    return worker.run(scenario, on: profiles)
  }

  // MARK: The cases

  static let passed = result(
    transition(
      id: "transitions/cellular-to-wifi-unfinished-stream",
      title: "WiFi appears while a call streams over cellular",
      expectations: [
        expect([.socketsMonitor, .cfStream], .unavailable, at: .at(instant(8)), line: 16),
        expect([.sockets], .deadlineExceeded, at: .at(instant(20)), line: 17),
      ]), on: [.sockets, .socketsMonitor, .cfStream])

  static let failed = result(
    transition(
      id: "transitions/cellular-to-wifi-messages",
      title: "WiFi appears while messages stream over cellular",
      expectations: [
        expect(
          [.sockets, .socketsMonitor, .cfStream], .unavailable, at: .at(instant(8)), line: 16)
      ], every: .milliseconds(500)), on: [.sockets, .socketsMonitor])

  static let nonStrict = result(
    transition(
      id: "transitions/cellular-to-wifi-wish", title: nil,
      expectations: [
        expect(
          [.sockets], .unavailable, at: .within(instant(8), instant(9)), line: 16, level: .should)
      ]), on: [.sockets, .socketsMonitor])

  static let unsupported: ScenarioResult = {
    var result = result(
      transition(id: "channels/destroyed-once", title: nil, expectations: []), on: [.cfStream])
    result.cases[0].verdict = .unsupported
    result.cases[0].findings = [
      Finding(
        kind: .unsupported, verdict: .unsupported,
        expected: "channels of api.example:443: 1 destroyed at 1s",
        seen: "the backend does not show it", at: nil, position: TextPosition(line: 18, column: 5))
    ]
    return result
  }()

  static let broken: ScenarioResult = {
    var result = result(
      transition(id: "calls/backend-breaks", title: nil, expectations: []), on: [.sockets])
    result.cases[0].verdict = .error
    result.cases[0].findings = [
      Finding(
        kind: .breakdown, verdict: .error, expected: "the backend plays the scenario",
        seen: "the process ended with status 9 in the middle of the run", at: instant(1),
        position: nil)
    ]
    result.cases[0].calls = []
    result.cases[0].changeToEnd = []
    return result
  }()

  /// A client that lets a channel live on, and ends a call twice.
  static let invariant: ScenarioResult = {
    var result = result(
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
        kind: .neverEvaluated, verdict: .failed, expected: "monitor: 2 notifications at 40min",
        seen: "the run ended at 9.06s, before it; make `config.until` later", at: instant(9),
        position: TextPosition(line: 20, column: 5)),
    ]
    return result
  }()

  /// Names that would break a report that believed them.
  static let hostileText = "<&\"'#\\]]>\u{1}\u{1b}[31m\u{2028}\u{85}\u{202e}\u{fffe}\nnot ok 1\r\té✓"

  static let hostile: ScenarioResult = {
    var result = result(
      transition(
        id: "hostile/\(hostileText)", title: hostileText,
        expectations: [expect([.sockets], .ok, at: .before(instant(3)), line: 16)],
        host: "h\u{1b}]0;\(hostileText)", calls: [hostileText, "next"]), on: [.sockets])
    result.cases[0].findings[0].seen += " " + hostileText
    return result
  }()
}
