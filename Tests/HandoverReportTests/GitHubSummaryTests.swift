import HandoverEngine
import HandoverReport
import Testing

@Suite("The summary for GitHub workflows")
struct GitHubSummaryTests {
  private static func text(of result: ScenarioResult, times count: Int) -> String {
    var report = GitHubSummaryReport()
    var text = report.begin(RunDescription())
    for _ in 0..<count { text += report.scenarioEnded(result) }
    return text + report.finish(Summary(Array(repeating: result, count: count)))
  }

  private static var failed: ScenarioResult {
    var result = Samples.failed
    result.cases = [result.cases[0]]
    return result
  }

  @Test("A run with many failures lists the first ones, and counts the others")
  func manyFailures() {
    let text = Self.text(of: Self.failed, times: 1_000)
    #expect(text.hasPrefix("## Handover: 1000 cases failed\n"))
    #expect(text.split(separator: "\n").count(where: { $0.hasPrefix("### ") }) == 50)
    #expect(text.hasSuffix("\nAnd 950 cases more.\n"))
  }

  @Test("Long findings do not exceed the size that GitHub accepts")
  func longFindings() {
    var result = Self.failed
    result.cases[0].findings = [
      Finding(
        kind: .flaky, verdict: .failed, expected: "a short text",
        seen: String(repeating: "*", count: 100_000), at: nil, position: nil)
    ]
    let text = Self.text(of: result, times: 40)
    #expect(text.utf8.count < 1 << 20)
    #expect(text.split(separator: "\n").count(where: { $0.hasPrefix("### ") }) == 2)
    #expect(text.contains(" more.\n"))
  }

  @Test("A run without failures has a heading that says so")
  func noFailure() {
    #expect(Self.text(of: Samples.passed, times: 1).hasPrefix("## Handover: no case failed\n"))
  }
}
