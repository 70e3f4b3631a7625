import ArgumentParser
import HandoverCore
import HandoverExploration
import HandoverLab
import HandoverScenario
import HandoverTry
import Testing

@testable import handover

@Suite("handover try --search")
struct TrySearchTests {
  @Test("Each drawn timeline is a network change that a lab can make")
  func moves() throws {
    for seed in 1...3 {
      var course = SearchCourse(seed: UInt64(seed), lag: 1)
      for _ in 0..<300 {
        let next = course.next()
        let draw = try #require(next)
        course.record(
          SearchResult(
            phases: draw.timeline.entries.map { _ in .carrying }, outcome: .recovers),
          ofDraw: draw.number)
        let scenario = draw.timeline.scenario(id: "search", title: "search")
        let move = try TryMove(name: "search", title: "search", scenario.script)
        #expect(move.omittedEntryCount == 0, "\(scenario.text)")
      }
    }
  }

  @Test(
    "Options without a meaning for a search are refused with the reason",
    arguments: [
      (["--move", "nat"], "--move cannot be combined with --search, because a search draws"),
      (["--repeat", "2"], "--repeat cannot be combined with --search, because"),
      (["--after-timeout"], "--after-timeout cannot be combined with --search"),
      (["--known-failing", "a"], "--known-failing cannot be combined with --search"),
      (["--pcap", "a"], "--pcap cannot be combined with --search"),
      (["--progress", "a"], "--progress cannot be combined with --search"),
      (["-o", "html=a"], "-o html= cannot be combined with --search. Use pretty or jsonl."),
      (["--search", "29s"], "--search must be a time from 30s to 12h"),
      (["--search", "13h"], "--search must be a time from 30s to 12h"),
      (["--save", ""], "The file name of --save is empty."),
      (["--max-lost=-1"], "--max-lost must be an integer from 0, such as --max-lost 0."),
      (["--max-duplicates=-1"], "--max-duplicates must be an integer from 0"),
    ])
  func refusals(_ options: [String], _ message: String) throws {
    let run = try CommandLineRun(["try", "--search", "1min"] + options + ["--", "true"])
    #expect(run.status == 2, "\(run.errors)")
    #expect(run.errors.contains(message), "\(run.errors)")
  }

  @Test("The printed command repeats all limits of the search")
  func limits() throws {
    let limits = [
      "--max-outage", "9s", "--max-attempts", "3", "--max-notice", "2s", "--max-lost", "4",
      "--max-duplicates", "0",
    ]
    let command = try TryCommand.parse(["--search", "1min"] + limits + ["--", "true"])
    let text = command.repetition("found.json", .seconds(15))
    #expect(
      text.hasPrefix("handover try --move found.json --watch 15s \(limits.joined(separator: " "))"))
    #expect(text.hasSuffix(" -- true"))
  }

  @Test("A program with a failure that is not confirmed has not recovered after every timeline")
  func unconfirmed() {
    var report = SearchReport(
      subject: "program", course: SearchCourse(seed: 7, lag: 1), outcomes: [.hangs, .recovers],
      findings: [], file: "found.json", repetition: "")
    #expect(report.text.hasPrefix("The program recovered after every timeline of seed 7.\n"))
    report.hasUnrepeatedFailure = true
    #expect(report.text.hasPrefix("No failure at a timeline of seed 7 is confirmed.\n"))
    #expect(report.text.contains("\nThe last failure was not repeated, because the search was"))
    report.hasUnrepeatedFailure = false
    report.unconfirmedCount = 1
    #expect(report.text.hasPrefix("No failure at a timeline of seed 7 is confirmed.\n"))
    #expect(report.text.contains("\n1 failure did not occur in each of 3 further runs.\n"))
  }

  @Test("Options of a search require it")
  func required() throws {
    for option in ["--seed", "--save"] {
      let run = try CommandLineRun(["try", option, "7", "--", "true"])
      #expect(run.status == 2 && run.errors.contains("\(option) requires --search"))
    }
  }
}
