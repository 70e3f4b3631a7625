import Foundation
import HandoverCore
import HandoverScenario
import Testing

/// What is written beside the code, and made from its lists: a new contract, rule or word is added
/// to its list, and `make golden` writes it here.
@Suite("Files that are made from the lists of the code, Golden")
struct GoldenListTests {
  @Test("the schema has every contract, with what it is in one sentence")
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

  @Test("the fuzzer builds with every word of a closed set")
  func dictionary() throws {
    let file = Repository.root.appending(path: "Tests/Fuzzing/scenario.dict")
    let lines = Set(try Repository.text(file).split(separator: "\n").map(String.init))
    for word in SchemaTests.vocabulary.flatMap(\.words) {
      #expect(lines.contains("\"\\\"\(word)\\\"\""), "add \(word)")
    }
  }

  @Test("the page of profiles has the parts of every contract on calls")
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

  @Test("the page of profiles has every rule that holds in every run, and where")
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

  @Test("the page of profiles names every contract and links a page of each of the documents'")
  func pages() throws {
    let page = try Repository.text(Repository.catalogue.appending(path: "Profiles.md"))
    for profile in Profile.known {
      #expect(page.contains("| `\(profile.name)` |"), "\(profile.name) is in no table")
    }
    for file in try Repository.files(under: "Sources/handover/Handover.docc", kind: "md") {
      let name = file.deletingPathExtension().lastPathComponent
      guard name.hasPrefix("Profile"), name != "Profiles" else { continue }
      #expect(page.contains("- <doc:\(name)>"), "\(name) is in no list")
    }
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

  /// Lines of a list that are no longer than the others of the file.
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
    // Lines, so that a failure shows which.
    let lines = { (text: String) in text.split(separator: "\n").map(String.init) }
    let difference = lines(made).difference(from: lines(text))
    #expect(difference.isEmpty, "\(file.lastPathComponent): \(difference); run make golden")
  }
}
