import Foundation
import HandoverCore
import Testing
@testable import HandoverReport
@testable import HandoverTry

@Suite("Reports of handover try for other tools")
struct TryDocumentTests {
  /// A program that hangs, one that recovers, a known failure, and one without a verdict.
  private static var result: TryResult {
    var result = TryReportTests.result(
      TryGates(), TryReportTests.verdict(.hangs),
      TryReportTests.verdict(.recovers, recovers: .seconds(2), attempts: 1),
      TryReportTests.verdict(.givesUp),
      TryReportTests.verdict(.inconclusive, inconclusiveReason: .silentBefore))
    result.rows[2].known = [TryRow.KnownOutcome(outcome: .givesUp, position: "known.txt:1")]
    result.rows[0].title = Samples.hostileText
    func second(_ number: Int64) -> Instant { .zero + .seconds(number) }
    let connections = [
      TryTimeline.Connection(
        name: "a to b", opened: second(1), closed: second(20), isAnswered: true,
        payload: [second(2), second(3)], resent: [second(5), second(7)]),
      TryTimeline.Connection(
        name: "c to d", opened: second(6), closed: nil, isAnswered: false, payload: [],
        resent: [second(8)]),
    ]
    result.rows[0].timeline = TryTimeline(
      connections: connections, changes: [.init(at: second(4), text: "cellular")],
      lines: [.init(at: second(9), text: "a line")], end: second(30))
    result.baselineTimeline = TryTimeline(connections: [], changes: [], lines: [], end: second(30))
    result.began = Instant(microseconds: 1_000_000_000)
    result.ended = result.began + .seconds(40)
    result.runID = "7-1"
    return result
  }

  private static func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test("The CTRF report has a test for each network change, with the status of the table")
  func ctrf() throws {
    let root = try Self.object(Self.result.ctrf)
    #expect(root["runId"] as? String == "7-1")
    let results = try #require(root["results"] as? [String: Any])
    let tests = try #require(results["tests"] as? [[String: Any]])
    #expect(tests.map { $0["name"] as? String } == Self.result.rows.map(\.title))
    #expect(
      tests.map { $0["status"] as? String } == ["failed", "passed", "skipped", "skipped"])
    #expect(
      tests.map { $0["rawStatus"] as? String } == ["HANGS", "RECOVERS", "GIVES UP", "INCONCLUSIVE"])
    #expect(tests[0]["duration"] as? Int == 30_000)
    #expect((tests[0]["message"] as? String)?.contains("still retransmitting") == true)
    #expect(tests[1]["message"] == nil)
    let totals = try #require(results["summary"] as? [String: Any])
    #expect(totals["tests"] as? Int == 4 && totals["skipped"] as? Int == 2)
    #expect(totals["start"] as? Int == 1_000_000 && totals["stop"] as? Int == 1_040_000)
  }

  @Test("The spans are the run, its network changes and their connections")
  func otlp() throws {
    let root = try Self.object(Self.result.otlp)
    let resource = try #require((root["resourceSpans"] as? [[String: Any]])?.first)
    let scope = try #require((resource["scopeSpans"] as? [[String: Any]])?.first)
    let spans = try #require(scope["spans"] as? [[String: Any]])
    let ids = spans.compactMap { $0["spanId"] as? String }
    #expect(Set(ids).count == 7)
    #expect(
      spans.map { $0["parentSpanId"] as? String } == [
        ids[6], ids[0], ids[0], ids[6], ids[6], ids[6], nil,
      ])
    #expect(spans[1]["name"] as? String == "connection a to b")
    #expect(spans[1]["startTimeUnixNano"] as? String == "1001000000000")
    #expect(spans[2]["endTimeUnixNano"] as? String == "1030000000000")
    let events = try #require(spans[0]["events"] as? [[String: Any]])
    #expect(events.map { $0["name"] as? String } == ["network change"])
    #expect(events.first?["timeUnixNano"] as? String == "1004000000000")
    #expect(
      spans.map { ($0["status"] as? [String: Any])?["code"] as? Int } == [
        2, nil, nil, nil, nil, nil, 2,
      ])
  }

  @Test("The summary lists the verdicts, and stays below the size that GitHub accepts")
  func summary() {
    let text = Self.result.githubSummary
    #expect(text.hasPrefix("## Handover: 1 move failed\n\n`client '<&\">'`\n\n| move "))
    #expect(text.contains(/\| move 1 +\| RECOVERS +\| data again with 1 new connection +\|\n/))
    #expect(text.contains("known.txt:1"))
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    var many = Self.result
    many.rows = Array(repeating: many.rows[0], count: 1_000)
    let long = String(repeating: "\u{1b}", count: 10_000)
    for index in many.rows.indices.prefix(100) { many.rows[index].title = long }
    many.rows[0].known = [TryRow.KnownOutcome(outcome: .unharmed, position: long)]
    many.command = [long]
    let clipped = many.githubSummary
    #expect(clipped.utf8.count < 1 << 20)
    #expect(clipped.contains("\nAnd 950 moves more.\n"))
    var empty = Self.result
    empty.rows = []
    empty.wasInterrupted = true
    #expect(empty.githubSummary.hasPrefix("## Handover: interrupted\n"))
  }

  @Test("The trace has the device, the connections and the output of each network change")
  func perfetto() throws {
    let reading = try PerfettoReading(Self.result.perfetto)
    let groups = reading.tracks.filter { $0.value.pid != nil }.sorted { $0.key < $1.key }
    #expect(
      groups.map(\.value.name) == [
        "no change", VisibleText.of(Samples.hostileText), "move 1", "move 2", "move 3",
      ])
    let lines = reading.lines.filter { !$0.hasPrefix("track") }
    func states(of name: String) throws -> [String] {
      let track = try #require(
        reading.tracks.first { $0.value.name == name && $0.value.parent == groups[1].key })
      return reading.events.filter { $0.track == track.key }.map {
        "\($0.at / 1_000_000_000) \($0.name)"
      }
    }
    #expect(
      try states(of: "device") == ["0 before the change", "4 ", "4 cellular", "30 "], "\(lines)")
    #expect(
      try states(of: "a to b") == [
        "1 open", "5 ", "5 sends again", "20 ", "20 closed", "2 data", "3 data",
      ])
    #expect(try states(of: "c to d") == ["6 no answer", "30 "])
    #expect(try states(of: "output") == ["9 a line"])
    let steps = reading.events.filter { !$0.flows.isEmpty || !$0.lastFlows.isEmpty }
    #expect(steps.map(\.name) == ["cellular", "sends again"])
  }
}
