import HandoverCore
import HandoverReport
import Testing

@Suite("Reports are written as their golden files hold them")
struct ReportGoldenTests {
  @Test("for people, plain, coloured and in ASCII")
  func pretty() throws {
    try Golden.expect(Samples.text(PrettyReport()), is: "pretty.txt")
    try Golden.expect(
      Samples.text(PrettyReport(style: Style(isColoured: true))), is: "pretty-coloured.txt")
    try Golden.expect(
      Samples.text(PrettyReport(style: Style(usesASCII: true))), is: "pretty-ascii.txt")
  }

  @Test("for people, as wide as their terminal is", arguments: [60, 80, 120])
  func widths(_ width: Int) throws {
    let text = Samples.text(PrettyReport(style: Style(width: width)))
    try Golden.expect(text, is: "pretty-\(width).txt")
    for line in text.split(separator: "\n") where line.count > width {
      // Text to copy is never broken: commands, and names of files, ids and profiles.
      let words = line.split(separator: " ")
      #expect(line.contains("handover run") || words.count <= 4, "\(line)")
    }
  }

  @Test("as TAP")
  func tap() throws {
    try Golden.expect(Samples.text(TAPReport()), is: "report.tap")
  }

  @Test("as JUnit XML")
  func junit() throws {
    try Golden.expect(Samples.text(JUnitReport()), is: "junit.xml")
  }

  @Test("as JSON lines")
  func jsonLines() throws {
    try Golden.expect(Samples.text(JSONLinesReport()), is: "report.jsonl")
  }

  @Test("with a timeline in which much happens, on two profiles")
  func timelines() throws {
    var report = PrettyReport()
    let result = Samples.play(Samples.busy, on: [.socketsMonitor, .cfStream])
    let text = report.begin(RunDescription()) + report.scenarioEnded(result)
    try Golden.expect(text + report.finish(Summary([result])), is: "pretty-timelines.txt")
  }
}
