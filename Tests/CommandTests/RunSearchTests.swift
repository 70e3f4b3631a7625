import Foundation
import HandoverCore
import HandoverExploration
import Testing

@testable import handover

@Suite("handover run --search")
struct RunSearchTests {
  @Test(
    "Options without a meaning for a search are refused with the reason",
    arguments: [
      (["a.json"], "A scenario file cannot be combined with --search, because a search draws"),
      (["--only", "a"], "--only cannot be combined with --search, because a search draws"),
      (["-o", "tap=-"], "-o cannot be combined with --search, because the report"),
      (["--jobs", "2"], "--jobs cannot be combined with --search, because a search runs"),
      (["--backend", "nio"], "--backend nio cannot be combined with --search, because it runs in"),
      (["--profile", "url-loading"], "--profile url-loading cannot be combined with --search"),
      (["--search", "500ms"], "--search must be a time from 1s to 12h, such as --search 5min."),
    ])
  func refusals(_ options: [String], _ message: String) throws {
    let run = try CommandLineRun(["run", "--search", "1min"] + options)
    #expect(run.status == 2, "\(run.errors)")
    #expect(run.errors.contains(message), "\(run.errors)")
  }

  @Test("A call that hangs for too long is found, and the printed command repeats it")
  func finding() throws {
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "found.json").path
    let limits = ["--profile", "sockets", "--max-hang", "5s"]
    let run = try CommandLineRun(
      ["run", "--search", "10s", "--seed", "1", "--save", file] + limits)
    #expect(run.status == 1, "\(run.output)\(run.errors)")
    #expect(run.output.contains(/shortest  1 entry/), "\(run.output)")
    #expect(
      run.output.contains("repeat    handover run \(file) \(limits.joined(separator: " "))"))
    let again = try CommandLineRun(["run", file] + limits)
    #expect(again.status == 1, "\(again.output)\(again.errors)")
  }

  @Test("Shortening ends when it may not continue, and keeps the failure")
  func interruptedShortening() throws {
    let player = try ScenarioPlayer(.simulated, BackendSettings(), [], maxHang: .seconds(5))
    var search = HangSearch(player, on: .sockets, seed: 1)
    let findings = search.findings { $0 == nil }
    let worst = try #require(findings.first)
    #expect(search.shortened(worst) { false }.timeline == worst.timeline)
    let shortest = search.shortened(worst) { true }
    #expect(shortest.timeline.entries.count < worst.timeline.entries.count)
  }

  private static let backends = packageRoot.appending(path: "Fixtures/Backends").path

  @Test("A call of an adapter that never ends is found")
  func adapter() throws {
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "found.json").path
    let run = try CommandLineRun([
      "run", "--search", "10min", "--seed", "1", "--profile", "sockets-monitor", "--save", file,
      "--backend", "exec:python3 \(Self.backends)/wrong.py never-ends",
    ])
    #expect(run.status == 1, "\(run.output)\(run.errors)")
    #expect(run.output.hasPrefix("HANGS: "), "\(run.output)")
    #expect(FileManager.default.fileExists(atPath: file))
  }

  @Test("An adapter that cannot run the timelines ends the search with the reason")
  func unsupported() throws {
    let run = try CommandLineRun([
      "run", "--search", "10min", "--seed", "1", "--profile", "sockets-monitor",
      "--backend", "exec:python3 \(Self.backends)/minimal.py",
    ])
    #expect(run.status == 3, "\(run.output)\(run.errors)")
    #expect(run.output.hasPrefix("No timeline of seed 1 has a verdict."), "\(run.output)")
    #expect(run.errors.contains("it does not declare \"streaming\""), "\(run.errors)")
  }

  @Test("No call of the built-in client hangs, because it sends pings")
  func nothing() throws {
    let run = try CommandLineRun(["run", "--search", "1s", "--seed", "1"])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.hasPrefix("The client recovered after every timeline of seed 1."))
  }
}
