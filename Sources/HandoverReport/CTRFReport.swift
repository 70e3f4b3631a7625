import HandoverCore
package import HandoverEngine
import HandoverScenario

/// The report in the Common Test Report Format (CTRF), with a test for each case.
///
/// The status is that of ``TestOutcome``; an error is `failed`. The key `rawStatus` contains the
/// verdict.
package struct CTRFReport: Reporter {
  private var document = CTRFDocument()
  private var run = RunDescription()

  /// Creates a report that has received no results yet.
  package init() {}

  /// Returns the beginning of the document.
  package mutating func begin(_ run: RunDescription) -> String {
    self.run = run
    document.begin(runID: run.id, run.harness)
    return document.json.take()
  }

  /// Returns a test for each case.
  package mutating func scenarioEnded(_ result: ScenarioResult) -> String {
    for one in result.cases { write(one, result.scenario) }
    return document.json.take()
  }

  /// Returns the summary and the end of the document.
  package mutating func finish(_ summary: Summary) -> String {
    document.end(flakyCount: summary.flaky.count, from: run.began, to: summary.ended) { json in
      json.member("backend", run.backend)
      run.shard?.write(into: &json)
      json.member("interrupted", summary.wasInterrupted)
    }
    return document.json.take()
  }

  private mutating func write(_ result: CaseResult, _ scenario: Scenario) {
    let outcome = result.verdict.testOutcome
    document.beginTest(
      result.name, outcome, verdict: result.verdict.name, took: result.duration ?? .zero,
      suite: result.folder)
    document.json.member("filePath", result.file)
    if let line = result.findings.lazy.compactMap(\.position).first?.line {
      document.json.member("line", line)
    }
    if let finding = result.decisiveFindings.first {
      document.json.member("message", finding.sentence)
    }
    if outcome == .failed || outcome == .error, !result.passedUnexpectedly {
      let lines = TimelineText.lines(of: result, scenario, style: .plain)
      document.json.member("trace", lines.joined(separator: "\n"))
    }
    if result.findings.contains(where: { $0.kind == .flaky }) {
      document.json.member("flaky", true)
    }
    document.json.key("parameters")
    document.json.beginObject()
    document.json.member("profile", result.profile)
    document.json.endObject()
    document.json.key("extra")
    document.json.beginObject()
    document.json.member("repeat", run.command(repeating: result))
    document.json.member("ended_at_us", result.endedAt.microseconds)
    document.json.endObject()
    document.json.endObject()
  }
}
