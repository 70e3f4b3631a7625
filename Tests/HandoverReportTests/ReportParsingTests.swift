import Foundation
import HandoverCore
import HandoverEngine
import HandoverReport
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("Reports are valid for independent parsers")
struct ReportParsingTests {
  static let names = Samples.all.flatMap(\.cases).map(\.name)

  @Test("TAP has one numbered point for each case and the right totals")
  func tap() throws {
    let tap = try TAPReading(Samples.text(TAPReport()))
    #expect(tap.plan == Self.names.count)
    #expect(tap.points.map(\.number) == Array(1...Self.names.count))
    #expect(Set(tap.points.map(\.name)).count == Self.names.count)
    #expect(tap.points.prefix(10).map(\.name) == Self.names.prefix(10).map { $0 })
    let summary = Samples.summary
    let bad = tap.points.filter { !$0.isGood }
    #expect(bad.filter { !$0.isKnown }.count == summary.failed + summary.errors)
    #expect(bad.filter(\.isKnown).count == summary.failedAsExpected)
    #expect(tap.points.filter(\.isSkipped).count == summary.unsupported)
    let good = summary.passed + summary.passedPartially + summary.nonStrict
    #expect(tap.points.filter { $0.isGood && !$0.isSkipped }.count == good)
    #expect(tap.points.allSatisfy { ($0.isGood || $0.isKnown) == $0.diagnostics.isEmpty })
    #expect(tap.points[3].diagnostics["repeat"]?.hasPrefix("handover run Scenarios/") == true)
  }

  @Test("If the plan is not known in advance, TAP has it at the end")
  func latePlan() throws {
    var report = TAPReport()
    var text = report.begin(RunDescription())
    for result in Samples.all { text += report.scenarioEnded(result) }
    let tap = try TAPReading(text + report.finish(Samples.summary))
    #expect(tap.plan == Self.names.count)
  }

  @Test("JUnit XML is well-formed, preserves names and has the right totals")
  func junit() throws {
    let text = Samples.text(JUnitReport())
    let document = try XMLDocument(xmlString: text, options: [])
    let root = try #require(document.rootElement())
    let cases = try root.nodes(forXPath: "//testcase").compactMap { $0 as? XMLElement }
    let summary = Samples.summary
    #expect(cases.count == summary.cases)
    let names = cases.compactMap { $0.attribute(forName: "name")?.stringValue }
    #expect(Set(names).count == cases.count)
    let counts = try ["//failure", "//error", "//skipped"].map {
      try root.nodes(forXPath: $0).count
    }
    let skipped = summary.unsupported + summary.failedAsExpected
    #expect(counts == [summary.failed, summary.errors, skipped])
    for (name, value) in [
      ("tests", summary.cases), ("failures", summary.failed), ("errors", summary.errors),
      ("skipped", skipped),
    ] {
      #expect(root.attribute(forName: name)?.stringValue == String(value))
      let parts = root.elements(forName: "testsuite").compactMap {
        $0.attribute(forName: name)?.stringValue.flatMap { Int($0) }
      }
      #expect(parts.reduce(0, +) == value)
    }
    #expect(!text.contains("\u{1}"))
    #expect(!text.contains("\u{1b}"))
    let message = try #require(
      try root.nodes(forXPath: "//failure/@message").last?.stringValue)
    // Everything that XML can represent is preserved, including line feeds.
    #expect(message.contains("<&\"'#\\]]>\\u{1}\\u{1b}[31m\\u{2028}"))
    #expect(message.contains("\nnot ok 1\r\té✓"))
  }

  @Test("xmllint reports no error, if it is installed")
  func xmllint() throws {
    let tool = URL(filePath: "/usr/bin/xmllint")
    guard FileManager.default.isExecutableFile(atPath: tool.path) else { return }
    let process = Process()
    process.executableURL = tool
    process.arguments = ["--noout", "-"]
    let input = Pipe()
    process.standardInput = input
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(Samples.text(JUnitReport()).utf8))
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test("Every JSON line is an object, preserves names and has the right totals")
  func jsonLines() throws {
    let text = Samples.text(JSONLinesReport())
    let objects = try text.split(separator: "\n").map { line in
      try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    let cases = objects.filter { $0["kind"] as? String == "caseEnded" }
    #expect(objects.first?["kind"] as? String == "header")
    #expect(objects.allSatisfy { $0["v"] as? Int == 1 })
    #expect(cases.last?["id"] as? String == "hostile/\(Samples.hostileText)")
    let last = try #require(objects.last)
    let summary = Samples.summary
    #expect(last["kind"] as? String == "summary")
    #expect(last["cases"] as? Int == cases.count)
    for (name, verdict, value) in [
      ("passed", "PASSED", summary.passed),
      ("as_far_as_seen", "PASSED IN PART", summary.passedPartially),
      ("failed", "FAILED", summary.failed),
      ("non_strict", "NON-STRICT", summary.nonStrict),
      ("failed_as_expected", "KNOWN", summary.failedAsExpected),
      ("unsupported", "UNSUPPORTED", summary.unsupported), ("errors", "ERROR", summary.errors),
    ] {
      #expect(last[name] as? Int == value)
      #expect(cases.filter { $0["verdict"] as? String == verdict }.count == value)
    }
  }

  @Test("The CTRF report preserves names and has the right totals")
  func ctrf() throws {
    let text = Samples.text(CTRFReport())
    let root = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let results = try #require(root["results"] as? [String: Any])
    let tests = try #require(results["tests"] as? [[String: Any]])
    #expect(tests.compactMap { $0["name"] as? String } == Self.names)
    let totals = try #require(results["summary"] as? [String: Any])
    let summary = Samples.summary
    for (status, count) in [
      ("passed", summary.passed + summary.passedPartially + summary.nonStrict),
      ("failed", summary.failed + summary.errors),
      ("skipped", summary.unsupported + summary.failedAsExpected), ("pending", 0), ("other", 0),
    ] {
      #expect(totals[status] as? Int == count)
      #expect(tests.count { $0["status"] as? String == status } == count)
    }
    #expect(totals["tests"] as? Int == tests.count)
  }

  @Test("The CTRF report of an interrupted run, and of one without cases, is complete")
  func emptyCTRF() throws {
    var report = CTRFReport()
    var run = RunDescription(shard: RunDescription.Shard(index: 2, count: 3))
    run.id = "7-1"
    run.began = Instant(microseconds: 5_000_000)
    var summary = Summary()
    summary.wasInterrupted = true
    let text = report.begin(run) + report.finish(summary)
    let root = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(root["runId"] as? String == "7-1")
    let results = try #require(root["results"] as? [String: Any])
    let totals = try #require(results["summary"] as? [String: Any])
    #expect(totals["start"] as? Int == 5_000 && totals["stop"] as? Int == 5_000)
    let extra = try #require(results["extra"] as? [String: Any])
    #expect(extra["interrupted"] as? Bool == true)
    #expect((extra["shard"] as? [String: Any])?["index"] as? Int == 2)
  }

  /// The spans of an OTLP report.
  private static func spans(of text: String) throws -> [[String: Any]] {
    let root = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let resource = try #require((root["resourceSpans"] as? [[String: Any]])?.first)
    let scope = try #require((resource["scopeSpans"] as? [[String: Any]])?.first)
    return try #require(scope["spans"] as? [[String: Any]])
  }

  private static func attribute(_ key: String, of span: [String: Any]) -> String? {
    let pair = (span["attributes"] as? [[String: Any]])?.first { $0["key"] as? String == key }
    return (pair?["value"] as? [String: Any])?["stringValue"] as? String
  }

  @Test("The OTLP report has a span for the run, for each case and for each call")
  func otlp() throws {
    let spans = try Self.spans(of: Samples.text(OTLPReport()))
    let ids = spans.compactMap { $0["spanId"] as? String }
    #expect(ids.count == spans.count && Set(ids).count == ids.count)
    #expect(ids.allSatisfy { $0.count == 16 } && Set(spans.map { "\($0["traceId"]!)" }).count == 1)
    let run = try #require(spans.last)
    #expect(run["parentSpanId"] == nil)
    #expect(Self.attribute("test.suite.run.status", of: run) == "failure")
    let cases = spans.filter { $0["parentSpanId"] as? String == ids.last }
    #expect(cases.compactMap { Self.attribute("test.case.name", of: $0) } == Self.names)
    let summary = Samples.summary
    let failed = cases.filter { Self.attribute("test.case.result.status", of: $0) == "fail" }
    #expect(failed.count == summary.failed + summary.errors)
    #expect(failed.allSatisfy { ($0["status"] as? [String: Any])?["code"] as? Int == 2 })
    let parents = Set(cases.compactMap { $0["spanId"] as? String })
    let calls = spans.dropLast().filter { $0["parentSpanId"] as? String != ids.last }
    #expect(!calls.isEmpty)
    #expect(calls.allSatisfy { parents.contains($0["parentSpanId"] as? String ?? "") })
    let events = try #require(cases.first?["events"] as? [[String: Any]])
    #expect(events.first?["name"] as? String == "network change")
    #expect(events.first?["timeUnixNano"] as? String == "8000000000")
    #expect(events.first.map { Self.attribute("handover.network", of: $0) } == "WiFi")
    for span in spans {
      let times = ["startTimeUnixNano", "endTimeUnixNano"].compactMap {
        (span[$0] as? String).flatMap { Int($0) }
      }
      #expect(times.count == 2 && times[0] <= times[1])
    }
  }

  @Test("The OTLP reports of all shards belong to one trace, and have different spans")
  func shardedOTLP() throws {
    let spans = try (1...2).flatMap { index in
      var run = RunDescription(shard: RunDescription.Shard(index: index, count: 2))
      run.id = "7-1"
      var report = OTLPReport()
      return try Self.spans(of: report.begin(run) + report.finish(Summary()))
    }
    #expect(spans.count == 2)
    #expect(spans[0]["traceId"] as? String == spans[1]["traceId"] as? String)
    #expect(spans[0]["spanId"] as? String != spans[1]["spanId"] as? String)
  }

  @Test("No report contains a control character", arguments: [false, true])
  func harmless(usesASCII: Bool) {
    let texts = [
      Samples.text(PrettyReport(style: Style(usesASCII: usesASCII))),
      Samples.text(TAPReport()), Samples.text(JUnitReport()), Samples.text(JSONLinesReport()),
      Samples.text(CTRFReport()), Samples.text(OTLPReport()),
    ]
    for text in texts {
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" })
    }
    for text in texts.prefix(2) {
      #expect(!text.contains("\u{202e}"))
      #expect(!text.contains("\nnot ok 1\n"))
    }
  }
}

/// A parser for the part of TAP 14 that a consumer must support, written from the specification.
struct TAPReading {
  struct Point {
    var isGood: Bool
    var number: Int
    var name: String
    var isSkipped: Bool
    var isKnown: Bool
    /// The strings at the top of the YAML block.
    var diagnostics: [String: String]
  }

  enum Problem: Error { case line(Int, Substring) }

  var plan: Int?
  var points: [Point] = []

  init(_ text: String) throws {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.first == "TAP version 14", lines.last == "" else { throw Problem.line(0, lines[0]) }
    var isInBlock = false
    for (position, line) in lines.enumerated().dropFirst().dropLast() {
      if isInBlock {
        guard line.hasPrefix("  "), !points.isEmpty else { throw Problem.line(position, line) }
        if line == "  ..." {
          isInBlock = false
        } else if let match = line.wholeMatch(of: /\ \ ([a-z_]+): (".*")/) {
          points[points.count - 1].diagnostics[String(match.1)] =
            try JSONDecoder().decode(String.self, from: Data(match.2.utf8))
        }
      } else if line == "  ---" {
        isInBlock = true
      } else if line.hasPrefix("# ") {
        continue
      } else if let match = line.wholeMatch(of: /1\.\.([0-9]+)(?: # SKIP.*)?/) {
        guard plan == nil else { throw Problem.line(position, line) }
        plan = Int(match.1)
      } else if let match = line.wholeMatch(of: /(not )?ok ([0-9]+) - (.*)/) {
        let (name, directive) = Self.description(match.3)
        points.append(
          Point(
            isGood: match.1 == nil, number: Int(match.2) ?? 0, name: name,
            isSkipped: directive?.uppercased().hasPrefix("SKIP") == true,
            isKnown: directive?.uppercased().hasPrefix("TODO") == true, diagnostics: [:]))
      } else {
        throw Problem.line(position, line)
      }
    }
    if isInBlock { throw Problem.line(lines.count, "a block without end") }
  }

  /// Splits at the first unescaped number sign, and removes the escapes.
  private static func description(_ text: Substring) -> (String, String?) {
    var name = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      if character == "\\", let escaped = rest.popFirst() {
        name.append(escaped)
      } else if character == "#" {
        return (
          name.trimmingCharacters(in: .whitespaces), rest.trimmingCharacters(in: .whitespaces)
        )
      } else {
        name.append(character)
      }
    }
    return (name, nil)
  }
}
