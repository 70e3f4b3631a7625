import HandoverCore
import HandoverEngine
import HandoverReport
import Testing

@Suite("The summary of a run")
struct SummaryTests {
  @Test("The summary counts every case once, by its verdict")
  func counts() {
    #expect(
      Samples.summary.line
        == "5 passed, 1 passed in part, 4 failed (1 failed as expected), 1 non-strict, "
        + "1 unsupported, 1 error (9 scenarios, 14 cases)")
    #expect(!Samples.summary.isGood)
    #expect(Summary([Samples.passed, Samples.nonStrict, Samples.unsupported]).isGood)
    #expect(
      Summary().line
        == "0 passed, 0 failed, 0 non-strict, 0 unsupported, 0 errors (0 scenarios, 0 cases)")
  }

  @Test(
    "The median is the middle value, or halfway between the two middle ones, in any order",
    arguments: [
      ([5], 5, 5), ([3, 1, 2], 2, 3), ([4, 1, 2, 3], 2, 4), ([10, 0], 5, 10),
      ([.max, .max], .max, .max), ([0, .max], .max / 2, .max),
    ] as [([Int64], Int64, Int64)])
  func figures(lengths: [Int64], median: Int64, worst: Int64) throws {
    var result = Samples.passed
    result.cases = [result.cases[0]]
    result.cases[0].changeToEnd = lengths.map(Interval.init(microseconds:))
    let figures = try #require(Summary([result]).figures.first)
    #expect(figures.median?.microseconds == median)
    #expect(figures.worst?.microseconds == worst)
    #expect(figures.calls == lengths.count)
  }

  @Test("Known failures do not count as failures, and follow in parentheses")
  func known() {
    var result = Samples.failed
    result.cases = [result.cases[0], result.cases[0]]
    for position in result.cases.indices {
      result.cases[position].expectFailure(from: "known.txt:1")
    }
    let summary = Summary([result, Samples.passed])
    #expect(
      summary.line == "3 passed, 0 failed (2 failed as expected), 0 non-strict, 0 unsupported, "
        + "0 errors (2 scenarios, 5 cases)")
    #expect(summary.isGood)
    #expect(summary.cases == 5)
  }

  @Test("Variants are listed below their profile, even if no call ended")
  func variants() {
    var result = Samples.passed
    result.cases = [result.cases[0]]
    for variant in [
      .userTimeout(.seconds(5)), .keepalive(time: .seconds(10), timeout: .seconds(5)),
    ]
      as [TransportVariant]
    {
      var one = result.cases[0]
      one.variant = variant
      one.changeToEnd = []
      one.neverEnded = 2
      result.variants.append(one)
    }
    let figures = Summary([result]).figures
    #expect(
      figures.map { "\($0.name): \($0.line)" } == [
        "sockets: median 12s, worst 12s (1 call)",
        "sockets + keepalive 10s/5s: no call ended, 2 never ended",
        "sockets + TCP_USER_TIMEOUT 5s: no call ended, 2 never ended",
      ])
  }

  @Test("Profiles are in the order of reports, whichever ran first")
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

  @Test("The command contains only what differs from the defaults")
  func parts() {
    #expect(Self.command("a/b.json") == "handover run a/b.json --profile sockets")
    #expect(
      Self.command("a.json", RunDescription(backend: "exec:./client -v", seed: 7))
        == "handover run a.json --profile sockets --backend 'exec:./client -v' --seed 7")
  }

  @Test("The command contains the variants, and the list with an unexpected pass")
  func listsAndVariants() {
    var run = RunDescription()
    run.knownFailing = ["known failures.txt"]
    run.variants = TransportVariant.standard
    let variants = "--variants=keepalive=10s/5s,user-timeout=5s"
    #expect(Self.command("a.json", run) == "handover run a.json --profile sockets \(variants)")
    var result = Samples.passed.cases[0]
    result.expectFailure(from: "known failures.txt:1")
    #expect(run.command(repeating: result).hasSuffix("--known-failing 'known failures.txt'"))
  }

  @Test(
    "Every word is quoted for the shell",
    arguments: [
      ("a b.json", "'a b.json'"), ("it's.json", #"'it'\''s.json'"#), ("", "''"),
      ("$(x)`y`.json", "'$(x)`y`.json'"), ("é.json", "'é.json'"),
      ("a\nb'\\.json", #"$'a\U0000000ab\'\\.json'"#),
    ])
  func quoting(file: String, word: String) {
    #expect(Self.command(file) == "handover run \(word) --profile sockets")
  }

  @Test("A failure names its trace if one is written")
  func traces() {
    var run = RunDescription()
    #expect(run.traceFile(of: Samples.passed.cases[0]) == nil)
    run.traceDirectory = "out"
    let file = "out/transitions/cellular-to-wifi-messages.sockets.jsonl"
    #expect(run.traceFile(of: Samples.failed.cases[0]) == file)
    for var report in [PrettyReport(), TAPReport(), JUnitReport()] as [any Reporter<String>] {
      var text = report.begin(run)
      text += report.scenarioEnded(Samples.failed)
      #expect((text + report.finish(Samples.summary)).contains(file))
    }
  }
}
