import Foundation
import Testing

@testable import handover

@Suite("handover selftest")
struct SelftestCommandTests {
  @Test("Every mutant is detected, and the source of the scenarios is reported once")
  func all() throws {
    let (empty, scratch) = (try ScratchDirectory(), try ScratchDirectory())
    let temporary = scratch.url.appending(path: "with a space")
    try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: false)
    let run = try CommandLineRun(
      command: URL(filePath: "/bin/sh"),
      ["-c", "cd '\(empty.url.path)' && exec '\(CommandLineRun.command.path)' selftest"],
      environment: ["TMPDIR": temporary.path])
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains(" 0 survive."))
    #expect(run.output.contains("The reference checker agrees with the client in "))
    let words = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("dependence on hash order was detected."))
    #expect(!run.output.contains("SURVIVES"))
    #expect(run.errors.contains(/\ANo Scenarios\/ directory here[^\n]*\n\z/), "\(run.errors)")
  }

  @Test("A surviving mutant fails the self-test, which names it and the reason")
  func canary() throws {
    let run = try CommandLineRun("selftest", "C10", "--canary")
    #expect(run.status == 1)
    #expect(run.output.hasPrefix("SURVIVES  canary: It changes nothing.\n"), "\(run.output)")
    #expect(run.output.contains("2 bugs: 1 detected, 1 survives."))
    #expect(run.errors.isEmpty)
  }

  @Test("A mutant that crashes its thread is reported, and the others still run")
  func trap() throws {
    let run = try CommandLineRun("selftest", "C10", "trap", "P8")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.hasPrefix("CRASHED  trap (SIG"), "\(run.output)")
    #expect(run.output.contains("3 bugs: 3 detected, 0 survive."))
  }

  @Test("A mutant against the model is found, with a file that detects it")
  func model() throws {
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "found.json").path
    let found = try CommandLineRun(
      "explore", "sockets", "--against", "model", "--acts", "calls,servers", "--defect",
      "reset-as-unknown", "-o", file)
    #expect(found.status == 1, "\(found.output)\(found.errors)")
    #expect(found.output.contains("it differs from the model after 2 actions"), "\(found.output)")
    #expect(try CommandLineRun("run", file, "--defect", "reset-as-unknown").status == 1)
    #expect(try CommandLineRun("run", file).status == 0)
    let explored = try CommandLineRun("selftest", "--explore", "reset-as-unknown")
    let words = explored.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(explored.status == 0 && words.contains("Explorations find 1;"), "\(words)")
  }

  @Test("A stopped exploration against the model names only the actions that the profile has")
  func triedActions() throws {
    let run = try CommandLineRun(
      "explore", "sockets-monitor", "--against", "model", "--acts", "full", "--defect",
      "hears-every-network", "--budget", "10")
    #expect(run.status == 1)
    #expect(
      run.output.hasPrefix("stopped in sequences of 1 action: 10 sequences, all the same.\n"),
      "\(run.output)")
    #expect(run.output.contains("(sockets-monitor, actions: calls, kinds, "))
    #expect(!run.output.contains("requests") && !run.output.contains("endpoints"))
  }

  @Test(
    "Options that an exploration against the model does not have are refused",
    arguments: [
      ["--against", "model"], ["--against", "model", "--defect", "unsent", "--calls", "3"],
      ["--against", "model", "--defect", "unsent", "--acts", "endless"],
      ["--against", "model", "--defect", "nothing"], ["--acts", "calls"],
      ["--against", "model", "--defect", "unsent", "--acts", "requests"],
    ])
  func refused(_ arguments: [String]) throws {
    let run = try CommandLineRun(["explore", "sockets"] + arguments, environment: [:])
    #expect(run.status == 2, "\(run.output)")
  }

  @Test("The mutants are listed, on narrow terminals too")
  func list() throws {
    let run = try CommandLineRun(["selftest", "--list"], environment: ["COLUMNS": "60"])
    #expect(run.status == 0)
    #expect(run.output.contains("row-110-wifi  (client)\n"))
    #expect(run.output.contains("Violates: M1"))
    #expect(run.output.contains("Detected by: "))
  }

  @Test("--json writes one JSON object")
  func json() throws {
    let run = try CommandLineRun("selftest", "C10", "longest-60s", "-o", "json")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    let report = try #require(object as? [String: Any])
    #expect(report["faults"] as? Int == 2)
    #expect(report["survive"] as? Int == 0)
    let rows = try #require(report["rows"] as? [[String: Any]])
    #expect(rows.map { $0["name"] as? String } == ["C10", "longest-60s"])
    #expect(rows.allSatisfy { ($0["acts"] as? Int ?? 0) > 0 })
  }

  @Test("The mutants are listed as one JSON object, and a repeated name is listed once")
  func listOfJSON() throws {
    let run = try CommandLineRun("selftest", "C10", "C10", "trap", "-o", "json", "--list")
    #expect(run.status == 0, "\(run.errors)")
    let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    let list = try #require(object as? [String: Any])
    #expect(list["faults"] as? Int == 2)
    // No mutant was run.
    #expect(list["survive"] == nil)
    let rows = try #require(list["rows"] as? [[String: Any]])
    #expect(rows.map { $0["name"] as? String } == ["C10", "trap"])
    #expect(rows.allSatisfy { $0["sentence"] is String && $0["survival"] == nil })
  }

  @Test("Explorations detect as many mutants as the page states")
  func page() throws {
    let run = try CommandLineRun("selftest", "--list", "-o", "json")
    let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let rows = try #require(object?["rows"] as? [[String: Any]])
    let faults = rows.filter { $0["kind"] as? String != "backend" }
    let explorations = faults.compactMap { $0["exploration"] as? String }
    let ofStates = explorations.count { !$0.contains("--against model") }
    let page = try String(
      contentsOf: packageRoot.appending(path: "Sources/handover/Handover.docc/Explore.md"),
      encoding: .utf8)
    let sum = "\n\(explorations.count) of \(faults.count) injected bugs must be found by an"
    #expect(page.contains(sum))
    #expect(page.contains("in every state of a client: \(ofStates), some"))
  }

  @Test("The page names wrong backends for each invariant and each requirement on calls")
  func wrongBackends() throws {
    func section(_ title: String, of page: String) throws -> [Substring] {
      let file = packageRoot.appending(path: "Sources/handover/Handover.docc/\(page).md")
      let lines = try String(contentsOf: file, encoding: .utf8).split(
        separator: "\n", omittingEmptySubsequences: false)
      let first = try #require(lines.firstIndex(of: "## \(title)"))
      return Array(lines[(first + 1)...].prefix { !$0.hasPrefix("## ") })
    }
    func rows(_ lines: [Substring]) -> [(key: String, names: [String])] {
      lines.filter { $0.hasPrefix("| ") }.map { line in
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        return (cells[0], cells[1].matches(of: /`([a-z0-9-]+)`/).map { String($0.output.1) })
      }
    }
    let run = try CommandLineRun("selftest", "--list", "-o", "json")
    let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let listed = try #require(object?["rows"] as? [[String: Any]]).compactMap {
      $0["name"] as? String
    }
    let table = rows(try section("Clients in other processes", of: "Explore"))
    for row in table where !["rule", "requirements"].contains(row.key) {
      #expect(!row.names.isEmpty, "\(row.key)")
      for name in row.names { #expect(listed.contains("backend:\(name)"), "\(name)") }
    }
    let keys = table.map(\.key)
    let rules = rows(try section("Rules that hold in every run", of: "Profiles")).map(\.key)
      .filter { Int($0) != nil }
    #expect(rules.count == 11)
    // Handover itself makes the requests and runs the interceptors of an external client.
    let others = ["7", "9", "11"]
    #expect(keys.filter { Int($0) != nil } == rules.filter { !others.contains($0) })
    let requirements = try section("Requirements of all profiles of calls", of: "Profiles")
      .compactMap { $0.firstMatch(of: #/^\| ([A-Z][^|]*) \|/#)?.output.1 }
    #expect(requirements.count > 10)
    #expect(keys.filter { $0.first?.isUppercase == true } == requirements.map(String.init))
  }

  @Test("The survey shows what detects a mutant")
  func survey() throws {
    let run = try CommandLineRun("selftest", "--survey", "row-110-wifi")
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("row-110-wifi\n  "))
    #expect(run.output.contains(" M1"))
  }

  @Test("An unknown mutant is refused")
  func names() throws {
    let run = try CommandLineRun("selftest", "C100")
    #expect(run.status == 2)
    #expect(run.errors.contains("Unknown bug \"C100\"."))
  }

  @Test("A client that depends on hash order is distinguished from one that does not")
  func hashes() {
    func verdict(_ lines: [[Substring]]) -> Bool { HashOrderTest.isGood(lines) }
    #expect(verdict([["a", "x"], ["a", "y"]]))
    #expect(!verdict([["a", "x"], ["a", "x"]]), "the planted one does not show")
    #expect(!verdict([["a", "x"], ["b", "y"]]), "the client itself depends on it")
    #expect(!verdict([["a", "x"], [""]]) && !verdict([]))
  }

  @Test(
    "A mutant given by name fails the scenario that an exploration found for it"
  )
  func defects() throws {
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "found.json").path
    let found = try CommandLineRun(
      "explore", "sockets-monitor", "--calls", "1", "--defect", "longest-8s", "-o", file)
    #expect(found.status == 1, "\(found.output)\(found.errors)")
    let run = try CommandLineRun("run", file, "--defect", "longest-8s")
    #expect(run.status == 1, "\(run.output)")
    #expect(try CommandLineRun("run", file).status == 0)
  }
}
