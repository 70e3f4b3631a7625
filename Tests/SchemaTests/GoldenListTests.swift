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
        policy.unusedChannelLifetime?.text ?? "for ever", profile.transport.name,
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
      #expect(page.contains("| `\(profile.name)` |"), "\(profile.name) is in no table")
    }
  }

  @Test("The page about the format has the names of all profiles")
  func format() throws {
    try Self.compare(Repository.catalogue.appending(path: "ScenarioFormat.md")) { text in
      let begin = try #require(text.firstRange(of: "- `profiles` (")).lowerBound
      let end = try #require(text[begin...].firstRange(of: "\n- ")).lowerBound
      let named = Profile.known.filter { !Profile.all.contains($0) }
      let names = (Profile.all + named).map { "`\($0.name)`" }.joined(separator: ", ")
      let words =
        "- `profiles` (names; the first four): \(names) ([Profiles](Profiles.md)). At least one."
      var lines = [""]
      for word in words.split(separator: " ") {
        if lines[lines.count - 1].count + 1 + word.count > 100 { lines.append(" ") }
        lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
      }
      return text[..<begin] + lines.joined(separator: "\n") + text[end...]
    }
  }

  @Test(
    "Every page about a profile is in its section, in the order of the profiles")
  func pages() throws {
    var pages: [(profile: Int, name: String)] = []
    for file in try Repository.files(under: "Sources/handover/Handover.docc", kind: "md") {
      let name = file.deletingPathExtension().lastPathComponent
      guard name.hasPrefix("Profile"), name != "Profiles" else { continue }
      let title = try Repository.text(file).prefix { $0 != "\n" }
      let profile = Profile.known.firstIndex { title == "# Profile \($0.name)" }
      pages.append((try #require(profile, "\(name) is about no contract"), name))
    }
    pages.sort { $0.profile < $1.profile }
    let four = pages.filter { $0.profile < Profile.all.count }
    try Self.compareList("Profiles.md", "### The four", four.map(\.name))
    try Self.compareList(
      "Profiles.md", "### Profiles that a scenario must name",
      pages.dropFirst(four.count).map(\.name))
    try Self.compareList("Handover.md", "### The profiles one by one", pages.map(\.name))
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

  private static func compareList(_ page: String, _ head: String, _ pages: [String]) throws {
    try compare(Repository.catalogue.appending(path: page)) { text in
      let begin = try #require(text.firstRange(of: head + "\n\n"), "there is no such list")
      let rest = text[begin.upperBound...]
      let end = rest.firstRange(of: "\n\n")?.lowerBound ?? rest.lastIndex(of: "\n") ?? text.endIndex
      let links = try pages.map { page in
        let file = Repository.catalogue.appending(path: "\(page).md")
        return "- [\(try Repository.text(file).prefix { $0 != "\n" }.dropFirst(2))](\(page).md)"
      }.joined(separator: "\n")
      return text[..<begin.upperBound] + links + text[end...]
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
    // Compared by lines, so that a failure shows the different ones.
    let lines = { (text: String) in text.split(separator: "\n").map(String.init) }
    let difference = lines(made).difference(from: lines(text))
    #expect(difference.isEmpty, "\(file.lastPathComponent): \(difference); run make golden")
  }
}
