import Foundation
import Testing

/// Tests whether scenarios have the same result in the lab and in the simulation.
///
/// `make agreement` sets HANDOVER_AGREEMENT to a duration. Then all bundled scenarios up to that
/// duration are run.
@Suite("The same scenarios in the lab and in the simulation", .enabled(if: labIsThere), .serialized)
struct LiveAgreementTests {
  private static let asked = ProcessInfo.processInfo.environment["HANDOVER_AGREEMENT"]

  /// Returns the scenarios whose result differs in the lab, each with its reason.
  static func explained() throws -> [String: String] {
    let file = packageRoot.appending(path: "Fixtures/Agreement/differences.tsv")
    let lines = String(decoding: try Data(contentsOf: file), as: UTF8.self).split(separator: "\n")
    return Dictionary(
      uniqueKeysWithValues: lines.map { line in
        let columns = line.split(separator: "\t", maxSplits: 1).map(String.init)
        return (columns[0], columns.count > 1 ? columns[1] : "")
      })
  }

  /// Returns the files of scenarios with several networks.
  private static func stories() throws -> [String] {
    let folder = packageRoot.appending(path: "Scenarios")
    let paths = try #require(FileManager.default.subpaths(atPath: folder.path))
    return paths.filter { $0.hasSuffix(".json") }.sorted().filter { path in
      let bytes = try? Data(contentsOf: folder.appending(path: path))
      return bytes.map { String(decoding: $0, as: UTF8.self).contains(#""networks":"#) } ?? false
    }.map { "Scenarios/\($0)" }
  }

  /// Returns the scenarios that fail or differ from the simulation in a run in the lab.
  private static func differing(in run: CommandLineRun) -> Set<String> {
    let lines = run.output.split(separator: "\n")
    let failed = lines.compactMap { $0.wholeMatch(of: /[✗!] (\S+) .*/)?.1 }
    let different = lines.compactMap {
      $0.wholeMatch(of: /\s*(\S+) \[.*: matches the simulation in \d+ of \d+ .*/)?.1
    }
    return Set((failed + different).map(String.init))
  }

  /// Checks that each scenario agrees in the lab, or that its difference is explained.
  ///
  /// Many labs of the run share the processors of this machine. Scenarios without an explanation
  /// therefore run again, one after the other. A fault of the backend also shows then.
  static func expectAgreement(in run: CommandLineRun, _ options: [String]) throws {
    let explained = try explained()
    let differing = differing(in: run).sorted()
    for scenario in differing {
      if let reason = explained[scenario] { print("\(scenario) differs in the lab: \(reason)") }
    }
    let unexplained = differing.filter { explained[$0] == nil }
    guard !unexplained.isEmpty else { return }
    print(run.failures)
    let again = try CommandLineRun(
      ["run"] + unexplained.map { "Scenarios/\($0).json" } + [
        "--backend", "nio", "--jobs", "1", "--require-lab",
      ] + options)
    #expect(again.status == 0, "\(again.failures)")
    #expect(Self.differing(in: again) == [], "\(again.output)")
  }

  @Test("Every explained difference concerns a bundled scenario and has a reason")
  func list() throws {
    for (scenario, reason) in try Self.explained() {
      let file = packageRoot.appending(path: "Scenarios/\(scenario).json")
      #expect(FileManager.default.fileExists(atPath: file.path), "\(scenario)")
      #expect(reason.count > 20, "\(scenario)")
    }
  }

  @Test(
    "A scenario has the same result in lab and simulation, or the difference is explained"
  )
  func agreement() throws {
    let what = Self.asked == nil ? try Self.stories() : ["Scenarios"]
    // TCP doubles its timeouts repeatedly, and their error grows with them.
    let options = ["--max-duration", Self.asked ?? "20s", "--tolerance", "15s"]
    let run = try CommandLineRun(
      ["run"] + what + [
        "--backend", "nio", "--jobs", "40", "--failures", "100", "--require-lab",
      ] + options)
    #expect([0, 1].contains(run.status), "\(run.output)\(run.errors)")
    try Self.expectAgreement(in: run, options)
    let lines = run.output.split(separator: "\n")
    let sum = try #require(lines.last { $0.contains(/match(es)? the simulation/) }, "\(run.output)")
    print("Both worlds: \(sum)")
  }
}
