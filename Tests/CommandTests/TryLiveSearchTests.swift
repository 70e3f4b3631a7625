import Foundation
import HandoverCore
import HandoverExploration
import HandoverTry
import Testing

/// A client that replaces its first lost connection, and no later one.
@Suite("handover try --search, live", .enabled(if: labIsThere), .serialized)
struct TryLiveSearchTests {
  private static let client = "Fixtures/Search/reconnects-once.py"

  /// A line of the report.
  private struct Line: Decodable {
    struct Entry: Decodable {
      var gap_us: Int64
      var change: String
    }

    var kind: String
    var seed: UInt64?
    var lag: Int?
    var draw: Int?
    var several_networks: Bool?
    var timeline: [Entry]?
    var phases: [String]?
    var word: String?
    var bad: Bool?
    var found: Bool?
    var `repeat`: String?

    /// The timeline of the line.
    func drawn() throws -> SearchTimeline {
      let hasSeveralNetworks = try #require(several_networks as Bool?)
      let entries = try #require(timeline).map { entry in
        let change = try #require(SearchChange(rawValue: entry.change))
        return SearchTimeline.Entry(Interval(microseconds: entry.gap_us), change)
      }
      return SearchTimeline(hasSeveralNetworks: hasSeveralNetworks, entries)
    }
  }

  private static func lines(_ file: String) throws -> [Line] {
    let decoder = JSONDecoder()
    return try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map {
      try decoder.decode(Line.self, from: Data($0.utf8))
    }
  }

  @Test("A bug that the standard moves do not show is found, and the log gives the same timelines")
  func finding() throws {
    let scratch = try ScratchDirectory()
    let report = scratch.url.appending(path: "search.jsonl").path
    let scenario = scratch.url.appending(path: "found.json").path
    let command = ["--", "python3", "-u", Self.client]
    let run = try CommandLineRun(
      [
        "try", "--search", "2min", "--seed", "1", "--watch", "8s", "--save", scenario,
        "-o", "jsonl=\(report)", "-o", "pretty=-",
      ] + command)
    #expect(run.status == 1, "\(run.output)\(run.errors)")
    #expect(run.output.contains(/failed in all [35] runs/), "\(run.output)\(run.errors)")
    #expect(run.output.contains("repeat    handover try --move \(scenario) --watch 8s"))
    let lines = try Self.lines(report)
    let summary = try #require(lines.last)
    #expect(summary.kind == "searchSummary" && summary.found == true)
    let found = try summary.drawn()
    #expect(found.entries.count <= 4, "\(found.phrase)")
    try replay(lines)
    let again = try CommandLineRun(
      ["try", "--move", scenario, "--watch", "8s"] + command)
    #expect(again.status == 1, "\(again.output)\(again.errors)")
  }

  /// Checks that the seed and the verdicts of a report give its timelines.
  private func replay(_ lines: [Line]) throws {
    let header = try #require(lines.first)
    var course = SearchCourse(seed: try #require(header.seed), lag: try #require(header.lag))
    let trials = lines.filter { $0.kind == "searchTimeline" }
    let count = trials.count
    #expect(count > 0)
    for number in 0..<count {
      let trial = try #require(trials.first { $0.draw == number })
      let next = course.next()
      let draw = try #require(next)
      #expect(draw.number == number)
      #expect(try trial.drawn() == draw.timeline)
      let phases = try #require(trial.phases).compactMap(ConnectionPhase.init)
      let outcome = try #require(trial.word.flatMap(TryOutcome.init))
      course.record(SearchResult(phases: phases, outcome: outcome), ofDraw: number)
    }
  }

  @Test("A program that cannot be searched is refused in one sentence")
  func noSearch() throws {
    let scratch = try ScratchDirectory()
    for (command, reason) in [
      (["true"], "the program ends by itself (status 0), and a search needs one that runs on"),
      (["sleep", "600"], "the program receives no data, so no timeline could be judged"),
    ] {
      let file = scratch.url.appending(path: "none.json").path
      let run = try CommandLineRun(
        ["try", "--search", "30s", "--watch", "5s", "--save", file, "--"] + command)
      #expect(run.status == 3, "\(run.output)\(run.errors)")
      #expect(run.errors.contains("No search is possible: \(reason)."), "\(run.errors)")
      #expect(!FileManager.default.fileExists(atPath: file))
    }
    let taken = try scratch.write("{}", to: "taken.json")
    let run = try CommandLineRun(["try", "--search", "30s", "--save", taken, "--", "true"])
    #expect(run.status == 2 && run.errors.contains("the file exists"), "\(run.errors)")
  }
}
