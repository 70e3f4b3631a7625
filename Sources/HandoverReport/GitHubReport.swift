import HandoverCore
package import HandoverEngine
import HandoverScenario

/// The report for GitHub workflows: an annotation for each finding, with details in folded groups.
///
/// | verdict of the finding | command |
/// |---|---|
/// | FAILED, ERROR | `::error` |
/// | NON-STRICT | `::warning` |
/// | UNSUPPORTED, as far as seen, failed as expected | none, only counted |
///
/// GitHub shows the first ten errors and the first ten warnings of a step next to the files. The
/// log contains all of them.
package struct GitHubReport: Reporter {
  private var run = RunDescription()

  /// Creates a report that has received no results yet.
  package init() {}

  /// Returns an empty string, because annotations need no heading.
  package mutating func begin(_ run: RunDescription) -> String {
    self.run = run
    return ""
  }

  /// Returns the annotations of a scenario, or an empty string if it has no findings.
  package mutating func scenarioEnded(_ result: ScenarioResult) -> String {
    result.cases.map { annotations(of: $0, result.scenario) }.joined()
  }

  /// Returns the figures and the summary, each on one line.
  package mutating func finish(_ summary: Summary) -> String {
    var text = ""
    for figures in summary.figures {
      text += Self.plain(
        "from the network change to the end of a call, \(figures.name): \(figures.line)")
    }
    if summary.wasInterrupted { text += Self.plain(summary.interruption) }
    if let harness = run.harness { text += Self.plain(harness.text) }
    return text + Self.plain(summary.line) + (summary.hangs.line(run.gates).map(Self.plain) ?? "")
  }

  private func annotations(of result: CaseResult, _ scenario: Scenario) -> String {
    var text = ""
    for finding in result.findings {
      switch finding.verdict {
      case .failed, .error: text += command("error", finding, result)
      case .nonStrict: text += command("warning", finding, result)
      case .passed, .passedPartially, .unsupported, .failedAsExpected: break
      }
    }
    guard result.verdict >= .failed else { return text }
    text += "::group::" + Self.escaped(VisibleText.of("details of \(result.name)")) + "\n"
    if let title = scenario.title { text += Self.plain(title) }
    for line in TimelineText.lines(of: result, scenario, style: .plain) {
      text += Self.plain(line)
    }
    if let file = run.traceFile(of: result) { text += Self.plain("trace   \(file)") }
    text += Self.plain("repeat  \(run.command(repeating: result))")
    return text + "::endgroup::\n"
  }

  private func command(_ name: String, _ finding: Finding, _ result: CaseResult) -> String {
    var properties = [("file", VisibleText.of(result.file))]
    if let position = finding.position {
      properties += [("line", "\(position.line)"), ("col", "\(position.column)")]
    }
    properties.append(("title", VisibleText.of("\(finding.verdict.name) \(result.name)")))
    let message = [
      "expected \(finding.expectedText.exactText)", "seen: \(finding.seenText.exactText)",
      "repeat: \(run.command(repeating: result))",
    ].map(VisibleText.of).joined(separator: "\n")
    let list = properties.map { "\($0)=\(Self.escapedProperty($1))" }.joined(separator: ",")
    return "::\(name) \(list)::\(Self.escaped(message))\n"
  }

  // MARK: Escapes

  /// Returns a line of the log that the runner does not interpret as a command.
  static func plain(_ line: String) -> String {
    SafeText.withoutCommands(VisibleText.of(line)) + "\n"
  }

  /// Returns text that is escaped as the data of a command.
  static func escaped(_ text: String) -> String {
    spelt(text) { scalar in
      switch scalar {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      default: nil
      }
    }
  }

  /// Returns text that is escaped as a property of a command.
  static func escapedProperty(_ text: String) -> String {
    spelt(text) { scalar in
      switch scalar {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      case ":": "%3A"
      case ",": "%2C"
      default: nil
      }
    }
  }

  private static func spelt(_ text: String, _ escape: (Unicode.Scalar) -> String?) -> String {
    SafeText.withoutBracketCommands(text).unicodeScalars.map { scalar in
      escape(scalar) ?? VisibleText.of(String(Character(scalar)))
    }.joined()
  }
}
