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
    let run = try CommandLineRun(
      ["run"] + what + [
        "--backend", "nio", "--jobs", "40", "--max-duration", Self.asked ?? "20s",
        // TCP doubles its timeouts repeatedly, and their error grows with them.
        "--tolerance", "15s", "--failures", "100", "--require-lab",
      ])
    #expect([0, 1].contains(run.status), "\(run.output)\(run.errors)")
    let explained = try Self.explained()
    let lines = run.output.split(separator: "\n").map(String.init)
    let told = lines.compactMap {
      $0.wholeMatch(of: /\s*(\S+) \[.*: matches the simulation in (\d+) of (\d+) .*/)
    }
    // A case that fails in the lab counts as different.
    let failed = lines.compactMap { $0.wholeMatch(of: /[✗!] (\S+) .*/) }.map { String($0.1) }
    let differing = Set(told.filter { $0.2 != $0.3 }.map { String($0.1) } + failed)
    for scenario in differing.sorted() {
      if let reason = explained[scenario] { print("\(scenario) differs in the lab: \(reason)") }
    }
    try LiveRunTests.expectAgreement(
      of: differing.filter { explained[$0] == nil }.sorted(), after: run, tolerance: "15s")
    let sum = try #require(lines.last { $0.contains("match the simulation") }, "\(run.output)")
    print("Both worlds: \(sum)")
  }
}
