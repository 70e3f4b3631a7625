import HandoverBackend
import HandoverCore
import HandoverEngine
import HandoverProcess
import HandoverReport
import HandoverScenario

/// A check in a device lab that a client or a transport in real time follows the protocol.
///
/// The network does not change during the check. Scenarios test how calls end after network
/// changes.
struct RealTimeCheck {
  /// The result of a check.
  enum Outcome {
    case holds
    /// The check was skipped, for this reason.
    case skipped(String)
    case broken([String])
  }

  private var worker: Worker

  /// The maximum duration of a check.
  private static let length = Interval.seconds(6)

  /// Starts both programs once, to read their handshakes.
  ///
  /// - Throws: ``BackendError`` if one of them sends no valid handshake.
  init(_ command: String, server: String, settings: BackendSettings) throws(BackendError) {
    var options = RealTime.Options()
    options.tolerance = settings.tolerance.interval
    let time = RealTime(in: LabNetworks(), options: options) { _, _ in .zero + Self.length }
    worker = Worker(
      try LiveProcesses(
        client: command, server: server, timeout: settings.timeout.interval, time: time))
  }

  /// The number of checks.
  static var ruleCount: Int { rules.count }

  /// Runs the checks in order, and reports the result of each as soon as it is known.
  mutating func run(_ report: (_ rule: String, Outcome) -> Void) {
    for planned in Self.plan() {
      let result = worker.run(planned.scenario, on: planned.profiles)
      for one in result.cases {
        report(planned.scenario.title ?? planned.scenario.id, Self.outcome(one))
      }
    }
  }

  private static func outcome(_ result: CaseResult) -> Outcome {
    switch result.verdict {
    case .unsupported: return .skipped(result.findings.first?.seen ?? "")
    case .failed, .error:
      let worst = result.findings.filter { $0.verdict == result.verdict }
      let log = result.log.split(whereSeparator: \.isNewline).suffix(logLines)
      return .broken(
        worst.flatMap {
          ["expected  \($0.expectedText.exactText)", "seen      \($0.seenText.exactText)"]
        }
          + log.map(String.init))
    case .passed, .passedPartially, .nonStrict, .failedAsExpected: return .holds
    }
  }

  /// The number of log lines that are shown with a failed check.
  private static let logLines = 10

  // MARK: Scenarios of the checks

  private static func plan() -> [PlannedScenario] {
    rules.map { rule in
      let text = """
        { "format": 1, "id": "check/\(rule.id)", "title": "\(rule.title)",
          "profiles": ["linux-sockets"], "initial": { "flags": ["Reachable"] },
          "hosts": { "a.example:443": {}, "b.example:443": {} },
          "config": { "until": "\(length.text)" },
          "timeline": [\(rule.timeline)], "expect": [\(rule.expect)] }
        """
      let reading = ScenarioReader.read(file: "check/\(rule.id)", bytes: Array(text.utf8))
      guard let scenario = reading.scenario else {
        preconditionFailure("\(reading.diagnostics.map(\.description))")
      }
      return PlannedScenario(scenario: scenario, profiles: scenario.profiles)
    }
  }

  private struct Rule {
    var id: String
    /// The behavior of a correct client.
    var title: String
    var timeline: String
    var expect: String
  }

  private static let rules = [
    Rule(
      id: "answers", title: "a call ends OK when its server ends it",
      timeline: #"""
        { "at": "0s", "call": { "id": "a", "host": "a.example:443", "kind": "unary", "takes": "500ms", "deadline": "5s" } }
        """#,
      expect: #"{ "call": "a", "status": "OK", "within": ["500ms", "3s"] }"#),
    Rule(
      id: "hosts", title: "simultaneous calls to two hosts each reach their own server",
      timeline: #"""
        { "at": "0s", "call": { "id": "a", "host": "a.example:443", "kind": "unary", "takes": "500ms", "deadline": "5s" } },
        { "at": "0s", "call": { "id": "b", "host": "b.example:443", "kind": "unary", "takes": "1s", "deadline": "5s" } },
        { "at": "2s", "call": { "id": "again", "host": "a.example:443", "kind": "unary", "takes": "500ms", "deadline": "3s" } }
        """#,
      expect: #"""
        { "call": "a", "status": "OK" }, { "call": "b", "status": "OK" }, { "call": "again", "status": "OK" }
        """#),
    Rule(
      id: "deadline", title: "a call ends DEADLINE_EXCEEDED when its deadline has passed",
      timeline: #"""
        { "at": "0s", "call": { "id": "a", "host": "a.example:443", "kind": "unary", "takes": "1min", "deadline": "1s" } }
        """#,
      expect: #"{ "call": "a", "status": "DEADLINE_EXCEEDED", "within": ["1s", "3s"] }"#),
    Rule(
      id: "cancel", title: "a call ends CANCELLED when its user cancels it",
      timeline: #"""
        { "at": "0s", "call": { "id": "a", "host": "a.example:443", "kind": "unary", "takes": "1min", "deadline": "5s" } },
        { "at": "1s", "cancel": "a" }
        """#,
      expect: #"{ "call": "a", "status": "CANCELLED", "within": ["1s", "3s"] }"#),
    Rule(
      id: "closed", title: "a call ends UNAVAILABLE when its server closes the connection",
      timeline: #"""
        { "at": "0s", "call": { "id": "a", "host": "a.example:443", "kind": "unary", "takes": "1min", "deadline": "5s" } },
        { "at": "1s", "server": { "host": "a.example:443", "do": "close" } }
        """#,
      expect: #"{ "call": "a", "status": "UNAVAILABLE", "within": ["1s", "3s"] }"#),
    Rule(
      id: "stream", title: "a stream of the server is read to its end",
      timeline: #"""
        { "at": "0s", "call": { "id": "a", "host": "a.example:443", "kind": "streaming", "takes": "1s", "every": "200ms", "deadline": "5s" } }
        """#,
      expect: #"{ "call": "a", "status": "OK", "within": ["1s", "3s"] }"#),
    Rule(
      id: "bidi", title: "a stream in both directions ends when its user has finished",
      timeline: #"""
        { "at": "0s", "call": { "id": "a", "host": "a.example:443", "kind": "bidi", "takes": "500ms", "every": "200ms", "deadline": "5s" } },
        { "at": "500ms", "send": { "call": "a", "bytes": 100 } },
        { "at": "1s", "finish": "a" }
        """#,
      expect: #"{ "call": "a", "status": "OK", "within": ["1500ms", "3500ms"] }"#),
    Rule(
      id: "background",
      title: "data that arrives while the application sleeps is delivered when it wakes",
      timeline: #"""
        { "at": "0s", "call": { "id": "a", "host": "a.example:443", "kind": "unary", "takes": "1s", "deadline": "5s" } },
        { "at": "500ms", "app": "background" },
        { "at": "2s", "app": "foreground" }
        """#,
      expect: #"{ "call": "a", "status": "OK", "within": ["2s", "4s"] }"#),
  ]
}
