import HandoverCore
import HandoverEngine
import HandoverReport
import HandoverScenario
import Testing

@Suite("Replays and comparisons equal their golden files")
struct ReplayGoldenTests {
  private static func recorded() throws -> RecordedTrace {
    try TraceReaderTests.read(TraceReaderTests.sample)
  }

  @Test("The GitHub report equals its golden file")
  func github() throws {
    try Golden.expect(Samples.text(GitHubReport()), is: "github.txt")
  }

  @Test("Differences in order, number and observability equal their golden file")
  func differences() throws {
    try Golden.expect(Self.differences(width: nil), is: "replay-differences.txt")
  }

  @Test("The differences fit the width of the terminal", arguments: [60, 80, 120])
  func narrowDifferences(_ width: Int) throws {
    let text = try Self.differences(width: width)
    try Golden.expect(text, is: "replay-differences-\(width).txt")
    Self.expect(text, fits: width)
  }

  /// Returns the sample report as a run writes it, with valid ids and without control characters.
  static func readableReport() -> String {
    Samples.text(JSONLinesReport())
      .replacing(/"hostile\/(?:[^"\\]|\\.)*"/, with: "\"hostile/name\"")
      .replacing(/\\u00[01][0-9a-f]|\\[nrt]/, with: "")
  }

  private static func expect(_ text: String, fits width: Int) {
    for line in text.split(separator: "\n") { #expect(line.count <= width, "\(line)") }
  }

  private static func differences(width: Int?) throws -> String {
    let recorded = try recorded()
    let effects = recorded.trace.records.indices.filter {
      if case .effect = recorded.trace.records[$0].body { return true }
      return false
    }
    var text = ""
    for change in 0..<4 {
      var trace = Trace()
      trace.endpointHosts = recorded.trace.endpointHosts
      for (position, record) in recorded.trace.records.enumerated() {
        switch change {
        case 0 where position == effects[6]:
          trace.append(
            .effect(.sendPing(ConnectionID(index: 3, generation: 0))), at: record.at)
        case 1 where position == effects[7]:
          continue
        case 2 where position == effects[5]:
          trace.append(record.body, at: record.at)
          trace.append(record.body, at: record.at)
        case 3 where record.at > .zero:
          trace.append(
            .event(
              .pool(
                .callStarted(
                  CallID(index: 9, generation: 0), EndpointID(index: 0), CallSettings()))),
            at: record.at)
        default:
          trace.append(record.body, at: record.at)
        }
      }
      var changed = recorded
      changed.trace = trace
      text += ReplayText.of(TraceReplay.run(changed), changed, width: width) + "\n"
    }
    return text + ReplayText.of(TraceReplay.run(recorded), recorded, width: width)
  }

  @Test("The state in the middle of a busy run equals its golden file")
  func state() throws {
    let one = try #require(CorpusTraces.of(Samples.busy).dropFirst().first)
    let recorded = try TraceReader.read(file: one.name, bytes: one.bytes)
    let views = [1, 40, 90, recorded.trace.records.count].map { StateView(recorded, after: $0) }
    try Golden.expect(views.map(\.text).joined(separator: "\n"), is: "replay-states.txt")
    for width in [60, 80, 120] {
      let text = views.map { $0.text(width: width) }.joined(separator: "\n")
      try Golden.expect(text, is: "replay-states-\(width).txt")
      Self.expect(text, fits: width)
    }
  }

  @Test("A call whose later attempt is sent runs again")
  func laterAttempt() throws {
    let one = try #require(
      CorpusTraces.all.first { $0.name.hasPrefix("interceptors/retry/none-to-wifi") })
    let recorded = try TraceReader.read(file: one.name, bytes: one.bytes)
    let last = recorded.trace.records.lastIndex {
      if case .effect(.startStream) = $0.body { true } else { false }
    }
    let text = StateView(recorded, after: try #require(last) + 1).text
    #expect(text.contains("  running  "))
  }

  @Test("A comparison with every kind of difference equals its golden file")
  func comparison() throws {
    let text = Self.readableReport()
    let before = try RunReport.read(file: "before.jsonl", bytes: Array(text.utf8))
    var after = before
    after.file = "after.jsonl"
    after.backend = "other"
    after.seed = 7
    after.wasInterrupted = true
    after.cases[0].verdict = .failed
    after.cases[0].findings = ["expected this; seen: that\n"]
    after.cases[1].calls[1].at = Samples.instant(99)
    after.cases[2].digest = "0"
    after.cases[3].verdict = .passed
    after.cases[4].calls.removeLast()
    after.cases[5].calls[0].status = nil
    after.cases[5].calls[0].id = "renamed"
    after.cases[6].id = "renamed"
    after.figures[0].worst = .seconds(13)
    after.figures.removeLast()
    let forward = Comparison(from: before, to: after)
    let backward = Comparison(from: after, to: before)
    #expect(forward.hasRegressed && backward.hasRegressed)
    #expect(!Comparison(from: before, to: before).hasRegressed)
    try Golden.expect(
      forward.text(listingAll: false) + "\n" + backward.text(listingAll: true),
      is: "comparison.txt")
    for width in [60, 80, 120] {
      let text =
        forward.text(listingAll: false, width: width) + "\n"
        + backward.text(listingAll: true, width: width)
      try Golden.expect(text, is: "comparison-\(width).txt")
      // The name of a case is never broken.
      let lines = text.split(separator: "\n").filter { $0.contains(" ") && !$0.contains("/") }
      Self.expect(lines.joined(separator: "\n"), fits: width)
    }
  }
}

@Suite("Reports are read back")
struct RunReportTests {
  @Test("A corrupted report is read or refused with a position, without a crash")
  func mutations() throws {
    let seed: UInt64 = 0xBAD
    var generator = SeededGenerator(seed: seed)
    let original = Array(ReplayGoldenTests.readableReport().utf8)
    let before = try RunReport.read(file: "before", bytes: original)
    for round in 0..<300 {
      var bytes = original
      for _ in 0...generator.next(upToAndIncluding: 2) {
        let position = Int(generator.next(upToAndIncluding: UInt64(bytes.count - 1)))
        switch generator.next(upToAndIncluding: 3) {
        case 0: bytes[position] = UInt8(generator.next(upToAndIncluding: 255))
        case 1: bytes.remove(at: position)
        case 2: bytes.removeSubrange(position...)
        default: bytes[position] = Array("0123456789\"{}[],:".utf8)[Int(generator.next() % 17)]
        }
        if bytes.isEmpty { break }
      }
      do throws(InputError) {
        let after = try RunReport.read(file: "after", bytes: bytes)
        _ = Comparison(from: before, to: after).text(listingAll: true)
      } catch {
        let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
        #expect(
          lines.indices.contains(error.position.line - 1), "seed \(seed), round \(round): \(error)")
      }
    }
  }
}

@Suite("Annotations are valid for GitHub's runner")
struct GitHubReportTests {
  @Test("Every command is one line with escaped parts, and other lines contain no command")
  func commands() {
    let text = Samples.text(GitHubReport())
    #expect(!text.contains("##["))
    #expect(!text.contains("\r"))
    var errors = 0
    var depth = 0
    for line in text.split(separator: "\n") {
      guard line.drop(while: { $0 == " " }).hasPrefix("::") else { continue }
      switch line.dropFirst(2).prefix(while: { $0.isLetter }) {
      case "error", "warning":
        errors += line.hasPrefix("::error") ? 1 : 0
        // Properties end at the second mark, so none may contain it.
        let parts = line.dropFirst(2).split(separator: "::", maxSplits: 1)
        #expect(parts.count == 2)
        let properties = parts[0].drop { $0 != " " }.dropFirst().split(separator: ",")
        #expect(properties.allSatisfy { $0.contains("=") && !$0.contains(":") })
        #expect(properties.first?.hasPrefix("file=") == true)
        #expect(properties.last?.hasPrefix("title=") == true)
      case "group": depth += 1
      case "endgroup": depth -= 1
      default: Issue.record("an unknown command: \(line)")
      }
      #expect((0...1).contains(depth))
    }
    let findings = Samples.all.flatMap(\.cases).flatMap(\.findings)
    #expect(errors == findings.count { $0.verdict >= .failed })
    #expect(depth == 0)
  }

  @Test("The title of an annotation is the verdict of its finding")
  func titles() {
    var result = Samples.failed
    result.cases = [result.cases[0]]
    var wish = result.cases[0].findings[0]
    wish.verdict = .nonStrict
    result.cases[0].findings.append(wish)
    var report = GitHubReport()
    let lines = report.scenarioEnded(result).split(separator: "\n")
    for (command, verdict) in [("::error ", "FAILED"), ("::warning ", "NON-STRICT")] {
      let line = lines.first { $0.hasPrefix(command) }
      #expect(line?.contains("title=\(verdict) transitions/") == true, "\(line ?? "none")")
    }
  }
}
