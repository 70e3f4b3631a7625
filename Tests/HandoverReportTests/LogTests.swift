import HandoverCore
import HandoverEngine
import HandoverReport
import HandoverScenario
import Testing

@Suite("The log of a backend in reports")
struct LogTests {
  private static func failed(log: String) -> ScenarioResult {
    var result = Samples.failed
    for position in result.cases.indices where result.cases[position].verdict == .failed {
      result.cases[position].log = log
    }
    return result
  }

  private static func text(_ reporter: some Reporter<String>, log: String) -> String {
    var reporter = reporter
    return reporter.begin(Samples.run) + reporter.scenarioEnded(failed(log: log))
      + reporter.finish(Samples.summary)
  }

  @Test("Every report of a failure shows the log, without control characters")
  func shown() {
    let log = "cannot bind \u{1b}[31m<a>\nsecond\n"
    #expect(
      Self.text(PrettyReport(), log: log).contains(
        "The backend's log\n       cannot bind \\u{1b}[31m<a>\n       second\n"))
    #expect(
      Self.text(JUnitReport(), log: log).contains(
        "<system-err>cannot bind \\u{1b}[31m&lt;a&gt;\nsecond\n</system-err>"))
    #expect(
      Self.text(JSONLinesReport(), log: log).contains(
        #""log":"cannot bind \u001b[31m<a>\nsecond\n""#))
    #expect(Self.text(TAPReport(), log: log).contains("  log:\n    - \"cannot bind "))
  }

  @Test("The end of a long log is shown, with the number of omitted lines")
  func long() {
    let log = (1...100).map { "line \($0)\n" }.joined()
    let text = Self.text(PrettyReport(), log: log)
    #expect(text.contains("(80 lines before)\n       line 81\n"))
    #expect(text.contains("line 100\n") && !text.contains("line 80\n"))
  }

  @Test("Without a log nothing is shown")
  func none() {
    #expect(!Self.text(PrettyReport(), log: "").contains("log"))
    #expect(!Self.text(JUnitReport(), log: "").contains("system-err"))
    #expect(!Self.text(TAPReport(), log: "").contains("log:"))
  }
}
