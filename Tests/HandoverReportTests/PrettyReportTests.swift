import HandoverCore
import HandoverEngine
import HandoverReport
import HandoverScenario
import Testing

@Suite("The report for people")
struct PrettyReportTests {
  private static func text(
    _ results: [ScenarioResult], run: RunDescription = RunDescription(), interrupted: Bool = false,
    style: Style = .plain
  ) -> String {
    var report = PrettyReport(style: style)
    var text = report.begin(run)
    for result in results { text += report.scenarioEnded(result) }
    var summary = Summary(results)
    summary.wasInterrupted = interrupted
    return text + report.finish(summary)
  }

  @Test("A run that was interrupted before anything ended has no hint about missing scenarios")
  func interruptedAtOnce() {
    #expect(Self.text([]).contains("Nothing ran. `handover list`"))
    #expect(!Self.text([], interrupted: true).contains("Nothing ran"))
    let shard = RunDescription(shard: .init(index: 1, count: 2))
    #expect(!Self.text([], run: shard, interrupted: true).contains("This shard is empty"))
  }

  @Test("Color adds no information")
  func color() {
    let colored = Samples.text(PrettyReport(style: Style(isColored: true)))
    #expect(colored.contains("\u{1b}[1;31m"))
    #expect(colored.replacing(/\u{1b}\[[0-9;]*m/, with: "") == Samples.text(PrettyReport()))
  }

  @Test("In ASCII mode the report's own text is ASCII")
  func ascii() {
    let text = Self.text(
      [Samples.failed, Samples.invariant, Samples.nonStrict], style: Style(usesASCII: true))
    #expect(text.unicodeScalars.allSatisfy { $0.isASCII })
  }

  @Test("A long timeline is cut to the part around the failure")
  func longTimeline() {
    var scenario = Samples.transition(
      id: "long", title: nil,
      expectations: [Samples.expect([.sockets], .ok, at: .at(Samples.instant(8)), line: 16)])
    scenario.profiles = [.sockets]
    let busy = (0..<200).map { position in
      ScriptEntry(
        at: Instant(microseconds: 30_000_000 + Int64(position) * 1_000_000),
        action: .flags(
          position.isMultiple(of: 2) ? [] : [.reachable], path: nil, linksUp: [], linksDown: []))
    }
    scenario.script.entries += busy
    let text = Self.text([Samples.play(scenario, on: [.sockets])])
    #expect(text.contains(/… [0-9]+ more records/))
    #expect(text.contains(/▶ +20 s/))
    #expect(text.contains(/▷ +8 s/))
    #expect(text.contains("on path cellular"))
    #expect(text.split(separator: "\n").count < 70)
  }

  @Test("The messages of a stream are folded into one line")
  func folding() {
    let text = Self.text([Samples.failed], style: Style(width: 120))
    #expect(text.contains("stream gets 15 messages until 7.55 s"))
  }

  @Test("After the first failures the others are shown in short")
  func manyFailures() {
    let text = Self.text(Array(repeating: Samples.failed, count: 200))
    #expect(text.contains("190 more failures, one line each"))
    #expect(text.contains("  10. transitions/"))
    #expect(!text.contains("  11. transitions/"))
    #expect(text.contains("--failures 200 prints them in full."))
    let short = text.split(separator: "\n").filter { $0.hasPrefix("  ✗ transitions/") }
    #expect(short.count == 190)
    #expect(short.allSatisfy { $0.count <= 96 && $0.contains("[sockets]  it ended DEADLINE") })
    #expect(text.split(separator: "\n").count < 900)
    var all = PrettyReport(detailCount: 12)
    for _ in 0..<12 { _ = all.scenarioEnded(Samples.failed) }
    #expect(all.finish(Summary()).contains("  12. transitions/"))
  }

  @Test("Without details, each section has its title and one line for each case")
  func noDetails() {
    let results = [Samples.failed, Samples.nonStrict, Samples.broken]
    var report = PrettyReport(detailCount: 0)
    var text = report.begin(RunDescription())
    for result in results { text += report.scenarioEnded(result) }
    text += report.finish(Summary(results))
    for title in ["Recommendations not met (NON-STRICT)", "Without a verdict (ERROR)", "Failed"] {
      #expect(text.contains("\n\n\(title)\n\n  "), "\(title) in\n\(text)")
    }
    #expect(!text.contains(" more"))
    #expect(text.contains("--failures 1 prints them in full."))
  }

  @Test("The same failure on several profiles is shown once, with one command to repeat it")
  func equalFailures() {
    var result = Samples.failed
    let first = result.cases[0]
    for profile in ["cfstream", "sockets-2017"] {
      var other = first
      other.profile = profile
      result.cases.append(other)
    }
    let text = Self.text([result])
    #expect(text.contains("  1. \(first.id)  [sockets, cfstream, sockets-2017]  on 3 profiles\n"))
    #expect(!text.contains("  2. "))
    #expect(text.contains("--profile sockets --profile cfstream --profile sockets-2017\n"))
    #expect(text.contains("     on sockets:\n"))
    // A difference in the shown text makes it a different failure.
    result.cases[2].findings[0].seen += " or so"
    #expect(Self.text([result]).contains("  2. "))
  }

  @Test("A capability that many cases lack is reported once")
  func unsupported() {
    let text = Self.text(Array(repeating: Samples.unsupported, count: 5))
    #expect(text.split(separator: "the backend does not show it").count == 2)
    #expect(text.contains("and 2 cases more"))
  }

  @Test("The report suggests a next step, even if nothing ran")
  func ends() {
    #expect(Self.text([Samples.passed]).hasSuffix("lists the IDs.\n"))
    #expect(Self.text([]).contains("Nothing ran."))
    let shard = RunDescription(shard: .init(index: 2, count: 3))
    #expect(Self.text([], run: shard).contains("shard 2 of 3"))
    #expect(Self.text([], run: shard).contains("This shard is empty"))
    #expect(Self.text([Samples.passed], interrupted: true).contains("Interrupted:"))
    #expect(
      Self.text([Samples.broken]).contains("Next: see the errors above. To rerun the first one:"))
  }

  @Test("A failure without a trace is still shown")
  func noTrace() {
    var result = Samples.failed
    result.cases[0].trace = nil
    let text = Self.text([result])
    #expect(text.contains("its timeline is omitted, because other profiles ran too"))
    #expect(text.contains("seen      it ended DEADLINE_EXCEEDED"))
  }
}
