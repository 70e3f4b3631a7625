import HandoverCore
import HandoverReport
import Testing

@Suite("Reports equal their golden files")
struct ReportGoldenTests {
  @Test("The report for people equals its golden files: plain, colored and in ASCII")
  func pretty() throws {
    try Golden.expect(Samples.text(PrettyReport()), is: "pretty.txt")
    try Golden.expect(
      Samples.text(PrettyReport(style: Style(isColored: true))), is: "pretty-colored.txt")
    try Golden.expect(
      Samples.text(PrettyReport(style: Style(usesASCII: true))), is: "pretty-ascii.txt")
  }

  @Test("The report for people fits the width of its terminal", arguments: [60, 80, 120])
  func widths(_ width: Int) throws {
    let text = Samples.text(PrettyReport(style: Style(width: width)))
    try Golden.expect(text, is: "pretty-\(width).txt")
    for line in text.split(separator: "\n") where line.count > width {
      // Text to copy is never broken: commands, and names of files, ids and profiles.
      let words = line.split(separator: " ")
      #expect(line.contains("handover run") || words.count <= 4, "\(line)")
    }
  }

  @Test("The TAP report equals its golden file")
  func tap() throws {
    try Golden.expect(Samples.text(TAPReport()), is: "report.tap")
  }

  @Test("The JUnit report equals its golden file")
  func junit() throws {
    try Golden.expect(Samples.text(JUnitReport()), is: "junit.xml")
  }

  @Test("The summary for GitHub workflows equals its golden file")
  func githubSummary() throws {
    try Golden.expect(Samples.text(GitHubSummaryReport()), is: "github-summary.txt")
  }

  @Test("The CTRF report equals its golden file")
  func ctrf() throws {
    try Golden.expect(Samples.text(CTRFReport()), is: "ctrf.json")
  }

  @Test("The OTLP report equals its golden file")
  func otlp() throws {
    try Golden.expect(Samples.text(OTLPReport()), is: "otlp.json")
  }

  @Test("The JSON report equals its golden file")
  func jsonLines() throws {
    try Golden.expect(Samples.text(JSONLinesReport()), is: "report.jsonl")
  }

  @Test("An eventful timeline on two profiles equals its golden file")
  func timelines() throws {
    var report = PrettyReport()
    let result = Samples.play(Samples.busy, on: [.socketsMonitor, .cfStream])
    let text = report.begin(RunDescription()) + report.scenarioEnded(result)
    try Golden.expect(text + report.finish(Summary([result])), is: "pretty-timelines.txt")
  }
}
