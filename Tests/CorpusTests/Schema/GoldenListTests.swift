import Foundation
import HandoverCore
import HandoverScenario
import Testing

/// Files that are derived from lists in the code. A new profile, invariant or keyword is added to
/// its list, and `make golden` updates the files.
// Serialized, because several tests write to one page.
@Suite("Files that are derived from lists in the code, Golden", .serialized)
struct GoldenListTests {
  @Test("The schema is derived from the declarations of the format")
  func schema() throws {
    let snippets = try Repository.text(Repository.snippets)
    try Self.compare(Repository.schema) { _ in ScenarioSchema.text(snippets: snippets) }
  }

  @Test("The fuzzer's dictionary contains every key and keyword of the format")
  func dictionary() throws {
    let file = Repository.root.appending(path: "Tests/Fuzzing/scenario.dict")
    let head = "# Keys, keywords and pieces of scenarios. `make golden` writes all but the pieces."
    let words = ScenarioFormat.keywords.map { "\"\\\"\($0)\\\"\"" }
    try Self.compare(file) { text in
      let pieces = try #require(text.firstRange(of: "\n# Pieces\n"))
      return ([head] + words).joined(separator: "\n") + text[pieces.lowerBound...]
    }
  }

  @Test("The reference tables are derived from the declarations of the format")
  func tables() throws {
    try Self.compare(Repository.formatPage, with: FormatTables.page)
  }

  @Test("The page about profiles has the parts of every profile for calls")
  func contracts() throws {
    let head =
      "| profile | callbacks are watched | a broken connection | a failed name resolution | "
      + "an unused channel is kept | below the client |"
    let rows = Profile.known.filter { $0.client.work == .calls }.map { profile in
      let policy = profile.policy
      return [
        "`\(profile.name)`", policy.monitorsReachability ? "yes" : "no",
        policy.brokenConnectionDestroysChannel ? "destroys the channel" : "TRANSIENT_FAILURE",
        policy.nameFailureEndsCalls ? "ends the waiting calls" : "ends no call",
        policy.unusedChannelLifetime?.text ?? "forever", profile.transport.name,
      ]
    }
    try Self.compareTable(head, rows)
  }

  @Test("The page about profiles lists every invariant and where it applies")
  func rules() throws {
    let rows = RuleIdentifier.allCases.map { rule in
      let holding = Profile.known.filter { $0.rules.contains(rule) }
      let isOfAll = holding == Profile.known
      let work = ClientKind.Work.allCases.first { work in
        holding == Profile.known.filter { $0.client.work == work }
      }
      let names = holding.map { "`\($0.name)`" }.joined(separator: ", ")
      let position =
        isOfAll ? "all" : work.map { "all of \($0)" } ?? names
      return ["\(rule.rawValue)", rule.sentence, position]
    }
    try Self.compareTable("| number | the rule | profiles |", rows)
  }

  @Test("The page about profiles names every profile")
  func names() throws {
    let page = try Repository.text(Repository.catalog.appending(path: "Profiles.md"))
    for profile in Profile.known {
      #expect(page.contains("| [`\(profile.name)`]("), "\(profile.name) is in no table")
    }
  }

  @Test("The reference has a section for each profile, and the page about profiles a link")
  func sections() throws {
    let reference = try Repository.text(Repository.catalog.appending(path: "ProfileReference.md"))
    let titles = reference.matches(of: /\n## ([^\n]+)/).map { String($0.output.1) }
    #expect(titles == ["Overview"] + Profile.known.map(\.name))
    let page = try Repository.text(Repository.catalog.appending(path: "Profiles.md"))
    let links = page.matches(of: /\| \[`[a-z0-9-]+`\]\(ProfileReference.md#([a-z0-9-]+)\)/)
    #expect(links.map { String($0.output.1) } == Profile.known.map(\.name))
  }

  // MARK: Comparing

  private static func compareTable(_ head: String, _ rows: [[String]]) throws {
    let page = Repository.catalog.appending(path: "Profiles.md")
    try compare(page) { text in
      let start = try #require(text.firstRange(of: head + "\n"), "there is no such table")
      let end = try #require(text[start.upperBound...].firstRange(of: "\n\n"))
      let columns = head.filter { $0 == "|" }.count - 1
      let rule = "|" + String(repeating: "---|", count: columns)
      let table = rows.map { "| " + $0.joined(separator: " | ") + " |" }
      let lines: [String] = [rule] + table
      var made = String(text[..<start.upperBound])
      made += lines.joined(separator: "\n")
      return made + String(text[end.lowerBound...])
    }
  }

  private static func compare(
    _ file: URL, with make: (String) throws -> String
  ) throws {
    let text = try Repository.text(file)
    let made = try make(text)
    if ProcessInfo.processInfo.environment["HANDOVER_GOLDEN"] == "1" {
      try Data(made.utf8).write(to: file)
      return
    }
    // The comparison is by lines, so that a failure shows the lines that differ.
    let lines = { (text: String) in text.split(separator: "\n").map(String.init) }
    let difference = lines(made).difference(from: lines(text))
    #expect(difference.isEmpty, "\(file.lastPathComponent): \(difference); run make golden")
  }
}
