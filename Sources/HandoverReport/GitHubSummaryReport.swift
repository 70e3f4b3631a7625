import HandoverCore
package import HandoverEngine
import HandoverScenario

/// The report for the summary page of a GitHub workflow: Markdown with the totals and the findings.
///
/// GitHub accepts at most 1 MiB from each step, so only the first cases with findings are listed.
/// The texts of scenarios and clients are escaped.
package struct GitHubSummaryReport: Reporter {
  /// The maximum number of cases with their findings.
  static let maximumCaseCount = 50
  /// The maximum length of the list of cases in bytes.
  static let maximumByteCount = 500_000

  private var run = RunDescription()
  /// The cases that are listed.
  private var cases = ""
  private var listedCount = 0
  private var omittedCount = 0

  /// Creates a report that has received no results yet.
  package init() {}

  /// Returns an empty string; the report begins with the totals, so it is written at the end.
  package mutating func begin(_ run: RunDescription) -> String {
    self.run = run
    return ""
  }

  /// Returns an empty string; the report is written at the end.
  package mutating func scenarioEnded(_ result: ScenarioResult) -> String {
    for one in result.cases where one.verdict.needsAttention { add(one) }
    return ""
  }

  /// Returns the whole report.
  package mutating func finish(_ summary: Summary) -> String {
    let trouble = summary.failed + summary.errors
    let title =
      trouble > 0
      ? "\(counted(trouble, "case")) failed"
      : summary.wasInterrupted ? "interrupted" : "no case failed"
    var text = "## Handover: \(title)\n\n"
    var totals = MarkdownTable(["verdict", "cases"])
    for verdict in Verdict.allCases where summary.count(verdict) > 0 {
      totals.add([verdict.label, "\(summary.count(verdict))"])
    }
    text += totals.text
    let notes =
      (summary.wasInterrupted ? [summary.interruption] : [])
      + summary.figures.map {
        "from the network change to the end of a call, \($0.name): \($0.line)"
      }
      + [summary.hangs.line(run.gates), run.harness?.text, "backend \(run.backend)"]
      .compactMap(\.self)
    text += "\n" + notes.map { "- \(Markdown.text($0))\n" }.joined() + cases
    if omittedCount > 0 { text += "\nAnd \(counted(omittedCount, "case")) more.\n" }
    return text
  }

  private mutating func add(_ result: CaseResult) {
    var text = "\n### \(result.verdict.label): \(Markdown.text(result.name))\n\n"
    for finding in result.decisiveFindings {
      text += "- expected: \(Markdown.text(finding.expectedText.exactText))\n"
      text += "  - seen: \(Markdown.text(finding.seenText.exactText))\n"
    }
    text += "- file: \(Markdown.code(result.firstPosition))\n"
    text += "- repeat: \(Markdown.code(run.command(repeating: result)))\n"
    guard listedCount < Self.maximumCaseCount,
      cases.utf8.count + text.utf8.count <= Self.maximumByteCount
    else {
      omittedCount += 1
      return
    }
    listedCount += 1
    cases += text
  }
}
