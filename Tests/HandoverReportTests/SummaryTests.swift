import HandoverCore
import HandoverEngine
import HandoverReport
import Testing

@Suite("The sum of a run")
struct SummaryTests {
  @Test("it counts every case once, by its verdict")
  func counts() {
    #expect(
      Samples.summary.line
        == "5 passed, 3 failed, 1 non-strict, 1 unsupported, 1 error (7 scenarios, 11 cases)")
    #expect(!Samples.summary.isGood)
    #expect(Summary([Samples.passed, Samples.nonStrict, Samples.unsupported]).isGood)
    #expect(
      Summary().line
        == "0 passed, 0 failed, 0 non-strict, 0 unsupported, 0 errors (0 scenarios, 0 cases)")
  }

  @Test(
    "the median lies in the middle, halfway between two, whatever the order",
    arguments: [
      ([5], 5, 5), ([3, 1, 2], 2, 3), ([4, 1, 2, 3], 2, 4), ([10, 0], 5, 10),
      ([.max, .max], .max, .max), ([0, .max], .max / 2, .max),
    ] as [([Int64], Int64, Int64)])
  func figures(lengths: [Int64], median: Int64, worst: Int64) throws {
    var result = Samples.passed
    result.cases = [result.cases[0]]
    result.cases[0].changeToEnd = lengths.map(Interval.init(microseconds:))
    let figures = try #require(Summary([result]).figures.first)
    #expect(figures.median.microseconds == median)
    #expect(figures.worst.microseconds == worst)
    #expect(figures.calls == lengths.count)
  }

  @Test("profiles come in the order of reports, whichever was run first")
  func order() {
    #expect(
      Samples.summary.figures.map(\.profile) == ["sockets", "sockets-monitor", "cfstream"])
    var result = Samples.passed
    result.cases.reverse()
    #expect(Summary([result]).figures.map(\.profile) == ["sockets", "sockets-monitor", "cfstream"])
  }
}

@Suite("The command that repeats a case")
struct CommandTests {
  private static func command(
    _ file: String, profile: String = "sockets", _ run: RunDescription = RunDescription()
  ) -> String {
    var result = Samples.passed.cases[0]
    result.file = file
    result.profile = profile
    return run.command(repeating: result)
  }

  @Test("it says what was not as usual, and nothing else")
  func parts() {
    #expect(Self.command("a/b.json") == "handover run a/b.json --profile sockets")
    #expect(
      Self.command("a.json", RunDescription(backend: "exec:./client -v", seed: 7))
        == "handover run a.json --profile sockets --backend 'exec:./client -v' --seed 7")
  }

  @Test(
    "a shell takes every word as it is",
    arguments: [
      ("a b.json", "'a b.json'"), ("it's.json", #"'it'\''s.json'"#), ("", "''"),
      ("$(x)`y`.json", "'$(x)`y`.json'"), ("é.json", "'é.json'"),
      ("a\nb'\\.json", #"$'a\U0000000ab\'\\.json'"#),
    ])
  func quoting(file: String, word: String) {
    #expect(Self.command(file) == "handover run \(word) --profile sockets")
  }

  @Test("a failure names its trace where one is written")
  func traces() {
    var run = RunDescription()
    #expect(run.traceFile(of: Samples.passed.cases[0]) == nil)
    run.traceDirectory = "out"
    let file = "out/transitions/cellular-to-wifi-messages.sockets.jsonl"
    #expect(run.traceFile(of: Samples.failed.cases[0]) == file)
    for var report in [PrettyReport(), TAPReport(), JUnitReport()] as [any Reporter] {
      var text = report.begin(run)
      text += report.scenarioEnded(Samples.failed)
      #expect((text + report.finish(Samples.summary)).contains(file))
    }
  }
}
