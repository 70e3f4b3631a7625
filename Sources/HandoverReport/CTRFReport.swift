import HandoverCore
package import HandoverEngine
import HandoverScenario

/// The report in the Common Test Report Format (CTRF), with a test for each case.
///
/// | verdict | status |
/// |---|---|
/// | OK, NON-STRICT, PASSED (5 of 6 observable) | `passed` |
/// | UNSUPPORTED, KNOWN | `skipped` |
/// | FAILED, ERROR | `failed` |
///
/// The key `rawStatus` contains the verdict. The tests are written before the summary, so that the
/// report needs no memory for them.
package struct CTRFReport: Reporter {
  private var json = JSONText()
  private var run = RunDescription()
  private var counts: [Status: Int] = [:]  // lookup only

  private enum Status: String, CaseIterable {
    case passed, failed, skipped, pending, other

    init(_ verdict: Verdict) {
      switch verdict {
      case .passed, .passedPartially, .nonStrict: self = .passed
      case .unsupported, .failedAsExpected: self = .skipped
      case .failed, .error: self = .failed
      }
    }
  }

  /// Creates a report that has received no results yet.
  package init() {}

  /// Returns the beginning of the document.
  package mutating func begin(_ run: RunDescription) -> String {
    self.run = run
    json.beginObject()
    json.member("reportFormat", "CTRF")
    json.member("specVersion", "0.0.0")
    if let id = run.id { json.member("runId", id) }
    json.member("generatedBy", run.harness?.text ?? "handover")
    json.key("results")
    json.beginObject()
    json.key("tool")
    json.beginObject()
    json.member("name", "handover")
    if let version = run.harness?.version { json.member("version", version) }
    json.endObject()
    json.key("tests")
    json.beginArray()
    return json.taken()
  }

  /// Returns a test for each case.
  package mutating func scenarioEnded(_ result: ScenarioResult) -> String {
    for one in result.cases {
      let status = Status(one.verdict)
      counts[status, default: 0] += 1
      write(one, status, result.scenario)
    }
    return json.taken()
  }

  /// Returns the summary and the end of the document.
  package mutating func finish(_ summary: Summary) -> String {
    json.endArray()
    json.key("summary")
    json.beginObject()
    json.member("tests", summary.cases)
    for status in Status.allCases { json.member(status.rawValue, counts[status] ?? 0) }
    json.member("flaky", summary.flaky.count)
    json.member("start", run.began.microseconds / 1_000)
    json.member("stop", max(run.began, summary.ended).microseconds / 1_000)
    json.endObject()
    json.key("extra")
    json.beginObject()
    json.member("backend", run.backend)
    run.shard?.write(into: &json)
    json.member("interrupted", summary.wasInterrupted)
    json.endObject()
    json.endObject()
    json.endObject()
    json.newline()
    return json.taken()
  }

  private mutating func write(_ result: CaseResult, _ status: Status, _ scenario: Scenario) {
    json.beginObject()
    json.member("name", result.name)
    json.member("status", status.rawValue)
    json.member("rawStatus", result.verdict.name)
    json.member("duration", (result.took ?? .zero).microseconds / 1_000)
    json.key("suite")
    json.beginArray()
    json.value(result.folder)
    json.endArray()
    json.member("filePath", result.file)
    if let line = result.findings.lazy.compactMap(\.position).first?.line {
      json.member("line", line)
    }
    if let finding = result.weightiest.first { json.member("message", finding.sentence) }
    if status == .failed, !result.passedUnexpectedly {
      let lines = TimelineText.lines(of: result, scenario, style: .plain)
      json.member("trace", lines.joined(separator: "\n"))
    }
    if result.findings.contains(where: { $0.kind == .flaky }) { json.member("flaky", true) }
    json.key("parameters")
    json.beginObject()
    json.member("profile", result.profile)
    json.endObject()
    json.key("extra")
    json.beginObject()
    json.member("repeat", run.command(repeating: result))
    json.member("ended_at_us", result.endedAt.microseconds)
    json.endObject()
    json.endObject()
  }
}
