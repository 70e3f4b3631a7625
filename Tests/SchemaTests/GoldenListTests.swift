import Foundation
import HandoverCore
import HandoverScenario
import Testing

/// Files that are derived from lists in the code. A new profile, invariant or keyword is added to
/// its list, and `make golden` updates the files.
// Serialized, because several tests write to one page.
@Suite("Files that are derived from lists in the code, Golden", .serialized)
struct GoldenListTests {
  @Test("The schema contains every profile with its summary")
  func schema() throws {
    try Self.compare(Repository.schema) { text in
      let definition = try #require(text.firstRange(of: "    \"profile\": {\n"))
      let rest = definition.upperBound..<text.endIndex
      let begin = try #require(text[rest].firstRange(of: "      \"enum\": [\n"))
      let end = try #require(text[begin.upperBound...].firstRange(of: "\n    },\n"))
      let names = Self.lines(Profile.known.map { "\"\($0.name)\"" })
      let summaries: [String] = Profile.known.map { "        \"\($0.summary)\"" }
      var made = String(text[..<begin.upperBound])
      made += names + "      ],\n      \"enumDescriptions\": [\n"
      made += summaries.joined(separator: ",\n") + "\n      ]"
      return made + String(text[end.lowerBound...])
    }
  }

  @Test("The fuzzer's dictionary contains every keyword of a closed set")
  func dictionary() throws {
    let file = Repository.root.appending(path: "Tests/Fuzzing/scenario.dict")
    try Self.compare(file) { text in
      var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      for word in SchemaTests.vocabulary.flatMap(\.words) {
        let line = "\"\\\"\(word)\\\"\""
        guard !lines.contains(line) else { continue }
        // Words come first and are sorted; pieces of other kinds follow.
        let next = lines.firstIndex { other in
          !other.hasPrefix("#") && (other > line || !other.hasPrefix("\"\\\""))
        }
        lines.insert(line, at: next ?? lines.endIndex)
      }
      return lines.joined(separator: "\n")
    }
  }

  @Test("The page about profiles has the parts of every profile for calls")
  func contracts() throws {
    let head =
      "| profile | callbacks are watched | a broken connection | a failed name resolution | "
      + "an unused channel is kept | below the client |"
    let rows = Profile.known.filter { !$0.makesRequests }.map { profile in
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
      let isOfKind = [false, true].first { makesRequests in
        holding == Profile.known.filter { $0.makesRequests == makesRequests }
      }
      let names = holding.map { "`\($0.name)`" }.joined(separator: ", ")
      let place =
        isOfAll ? "all" : isOfKind.map { $0 ? "all of requests" : "all of calls" } ?? names
      return ["\(rule.rawValue)", rule.sentence, place]
    }
    try Self.compareTable("| number | the rule | profiles |", rows)
  }

  @Test("The page about profiles names every profile")
  func names() throws {
    let page = try Repository.text(Repository.catalogue.appending(path: "Profiles.md"))
    for profile in Profile.known {
      #expect(page.contains("| [`\(profile.name)`]("), "\(profile.name) is in no table")
    }
  }

  @Test("The page about the format has the names of all profiles")
  func format() throws {
    try Self.compare(Repository.catalogue.appending(path: "ScenarioFormat.md")) { text in
      let key = "| `profiles` | array of strings | the first four |"
      let row = try #require(text.firstRange(of: key))
      let begin = try #require(text[row.upperBound...].firstRange(of: "at least one: ")).upperBound
      let end = try #require(text[begin...].firstRange(of: " ([Profiles]")).lowerBound
      let named = Profile.known.filter { !Profile.all.contains($0) }
      let names = (Profile.all + named).map { "`\($0.name)`" }.joined(separator: ", ")
      return text[..<begin] + names + text[end...]
    }
  }

  @Test("The reference has a section for each profile, and the page about profiles a link")
  func sections() throws {
    let reference = try Repository.text(Repository.catalogue.appending(path: "ProfileReference.md"))
    let titles = reference.matches(of: /\n## ([^\n]+)/).map { String($0.output.1) }
    #expect(titles == ["Overview"] + Profile.known.map(\.name))
    let page = try Repository.text(Repository.catalogue.appending(path: "Profiles.md"))
    let links = page.matches(of: /\| \[`[a-z0-9-]+`\]\(ProfileReference.md#([a-z0-9-]+)\)/)
    #expect(links.map { String($0.output.1) } == Profile.known.map(\.name))
  }

  // MARK: Comparing

  private static func compareTable(_ head: String, _ rows: [[String]]) throws {
    let page = Repository.catalogue.appending(path: "Profiles.md")
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

  /// Returns the lines of a list, no longer than the other lines of the file.
  private static func lines(_ words: [String]) -> String {
    var lines: [String] = []
    for (place, word) in words.enumerated() {
      let word = word + (place == words.count - 1 ? "" : ",")
      if let last = lines.last, last.count + word.count < 100 {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append("        " + word)
      }
    }
    return lines.joined(separator: "\n") + "\n"
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
