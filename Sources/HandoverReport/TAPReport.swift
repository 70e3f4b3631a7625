import HandoverCore
package import HandoverEngine
import HandoverScenario

/// The report in the Test Anything Protocol, version 14, with one flat test point for each case.
///
/// | verdict | point |
/// |---|---|
/// | PASSED | `ok` |
/// | NON-STRICT | `ok`, with a comment |
/// | PASSED IN PART | `ok … # PASSED (5 of 6 observable)`, with a comment for each other part |
/// | UNSUPPORTED | `ok … # SKIP reason` |
/// | KNOWN | `not ok … # TODO reason` |
/// | FAILED, ERROR | `not ok` |
///
/// Strings in the diagnostics are JSON strings, which every YAML parser accepts.
package struct TAPReport: Reporter {
  private var run = RunDescription()
  private var count = 0

  /// Creates a report that has received no results yet.
  package init() {}

  /// Returns the version, and the plan if it is known.
  package mutating func begin(_ run: RunDescription) -> String {
    self.run = run
    var text = "TAP version 14\n"
    if let cases = run.plannedCases { text += Self.plan(cases) }
    text += "# \(run.harness?.text ?? "handover"), backend \(VisibleText.of(run.backend))"
    if let shard = run.shard { text += ", shard \(shard.index) of \(shard.count)" }
    return text + "\n"
  }

  /// Returns the test points of a scenario.
  package mutating func scenarioEnded(_ result: ScenarioResult) -> String {
    var text = ""
    for one in result.cases {
      count += 1
      text += point(one, result.scenario)
    }
    return text
  }

  /// Returns the plan, if it was not known at the beginning, and the summary.
  package mutating func finish(_ summary: Summary) -> String {
    var text = ""
    if summary.wasInterrupted { text += "Bail out! \(summary.interruption)\n" }
    // If the run was interrupted, a plan would hide that test points are missing.
    if run.plannedCases == nil, !summary.wasInterrupted { text += Self.plan(count) }
    for figures in summary.figures {
      text +=
        "# from the network change to the end of a call, \(VisibleText.of(figures.name)): "
        + "\(figures.line)\n"
    }
    return text + "# \(summary.line)\n" + (summary.hangs.line(run.gates).map { "# \($0)\n" } ?? "")
  }

  private static func plan(_ cases: Int) -> String {
    cases == 0 ? "1..0 # SKIP nothing to run\n" : "1..\(cases)\n"
  }

  private func point(_ result: CaseResult, _ scenario: Scenario) -> String {
    let name = "\(count) - \(Self.escaped(result.name))"
    let reasons = result.decisiveFindings.map { VisibleText.of($0.sentence) }
    switch result.verdict {
    case .passed: return "ok \(name)\n"
    case .nonStrict:
      return "ok \(name)\n" + reasons.map { "# NON-STRICT: \($0)\n" }.joined()
    case .passedPartially:
      return "ok \(name) # PASSED (\(result.coverage.text) observable)\n"
        + reasons.map { "# NOT OBSERVABLE: \($0)\n" }.joined()
    case .unsupported:
      return "ok \(name) # SKIP \(Self.escaped(result.decisiveFindings.first?.sentence ?? ""))\n"
    case .failedAsExpected:
      return "not ok \(name) # TODO \(Self.escaped(result.knownReason))\n"
        + reasons.map { "# KNOWN: \($0)\n" }.joined()
    case .failed, .error:
      return "not ok \(name)\n" + diagnostics(result, scenario)
    }
  }

  private func diagnostics(_ result: CaseResult, _ scenario: Scenario) -> String {
    var text = "  ---\n"
    func add(_ name: String, _ value: String) {
      text += "  \(name): \(Self.quoted(value))\n"
    }
    add("verdict", result.verdict.name)
    add("at", result.firstPosition)
    add("profile", result.profile)
    add("repeat", run.command(repeating: result))
    if let file = run.traceFile(of: result) { add("trace", file) }
    text += "  findings:\n"
    for finding in result.decisiveFindings {
      text += "    - kind: \(Self.quoted(finding.kindName))\n"
      text += "      expected: \(Self.quoted(finding.expected))\n"
      text += "      seen: \(Self.quoted(finding.seen))\n"
      if let at = finding.at { text += "      at_us: \(at.microseconds)\n" }
      if let position = finding.position {
        text += "      line: \(position.line)\n      column: \(position.column)\n"
      }
    }
    let timeline = TimelineText.lines(of: result, scenario, style: .plain)
    if !timeline.isEmpty {
      text += "  timeline:\n"
      for line in timeline { text += "    - \(Self.quoted(line))\n" }
    }
    let log = CaseText.log(of: result)
    if !log.isEmpty {
      text += "  log:\n"
      for line in log { text += "    - \(Self.quoted(line))\n" }
    }
    return text + "  ...\n"
  }

  /// Returns a quoted string, in which characters that YAML does not allow are spelled out.
  private static func quoted(_ text: String) -> String {
    JSONText.quoted(VisibleText.of(text))
  }

  /// Returns text for a description: invisible characters are spelled out, `#` and `\` are escaped.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in VisibleText.of(text) {
      if character == "#" || character == "\\" { result.append("\\") }
      result.append(character)
    }
    return result
  }
}
