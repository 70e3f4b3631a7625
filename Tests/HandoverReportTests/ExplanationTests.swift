import Foundation
import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverSimulation
import Testing

@testable import HandoverReport

/// Scenarios with their results.
enum Explained {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Every scenario of the repository, run on all its profiles.
  static let corpus: [ScenarioResult] = {
    let folder = root.appending(path: "Scenarios")
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return (names ?? []).filter { $0.hasSuffix(".json") }.sorted().compactMap {
      try? result(of: "Scenarios/\($0)")
    }
  }()

  static func result(of path: String) throws -> ScenarioResult {
    let bytes = [UInt8](try Data(contentsOf: root.appending(path: path)))
    let scenario = try #require(ScenarioReader.read(file: path, bytes: bytes).scenario)
    return Samples.play(scenario, on: scenario.profiles)
  }

  /// Returns the sentences about the events of a case.
  static func sentences(of one: CaseResult, _ script: Script) throws -> [Sentence] {
    let profile = try #require(Profile.named(one.profile))
    let trace = try #require(one.trace)
    return RunStory.paragraphs(of: trace, script: script, profile: profile).groups.flatMap { $0 }
  }
}

@Suite("Explanations omit nothing")
struct ExplanationCompletenessTests {
  @Test("The start and end of every call are explained, with time and status")
  func calls() throws {
    try #require(Explained.corpus.count > 100)
    for result in Explained.corpus {
      for one in result.cases {
        let sentences = try Explained.sentences(of: one, result.scenario.script)
        let position = "\(one.id) on \(one.profile)"
        for (call, outcome) in zip(result.scenario.script.calls.indices, one.calls) {
          let name = "\"\(outcome.id)\""
          let start = result.scenario.script.entries.first { $0.action == .startCall(call) }
          guard let start else {
            #expect(sentences.contains { $0.text == "\(name) is made, and does not start yet" })
            continue
          }
          #expect(
            sentences.contains { $0.at == start.at && $0.text == "\(name) starts" },
            "\(position): \(name)")
          if let end = outcome.end {
            let reported = sentences.filter {
              $0.at == outcome.endedAt && $0.text.contains("ends \(end.code)")
                && $0.text.contains(name)
            }
            #expect(reported.count == 1, "\(position): \(name)")
          } else {
            #expect(
              sentences.contains { $0.text.hasPrefix("\(name) still has no end") },
              "\(position): \(name)")
          }
        }
      }
    }
  }

  @Test("Every entry of the timeline is explained, in order and on every profile")
  func entries() throws {
    for result in Explained.corpus {
      let script = result.scenario.script
      let story = ScriptStory(script).entries
      #expect(story.map(\.at) == script.entries.map(\.at))
      for one in result.cases {
        var rest = try Explained.sentences(of: one, script)[...]
        var flags = script.initial.flags
        for entry in script.entries {
          let text = EntryPhrases(script).text(of: entry.action, after: flags)
          if case .flags(let next, _, _, _) = entry.action { flags = next }
          let found = rest.firstIndex { $0.at == entry.at && $0.text.hasPrefix(text) }
          // A repetition is explained once, for the whole time in which it is repeated.
          let isRepeated = rest.contains {
            let isOfOneInstant = $0.text.contains("the same happens") && $0.until == nil
            guard let begin = $0.at, let end = isOfOneInstant ? begin : $0.until else {
              return false
            }
            return (begin...end).contains(entry.at)
          }
          #expect(found != nil || isRepeated, "\(one.id) on \(one.profile): \(text)")
          if let found { rest = rest[(found + 1)...] }
        }
      }
    }
  }

  @Test("Every expectation is explained on its profile, with its result")
  func expectations() throws {
    for result in Explained.corpus {
      let chapters = Explanation(result).chapters
      for profile in result.scenario.profiles {
        let wanted = result.scenario.expectations.count { $0.profiles.contains(profile) }
        let chapter = try #require(
          chapters.first { $0.paragraphs.contains("\(profile.name): \(profile.summary)") })
        let reported = chapter.paragraphs.filter { $0.hasPrefix("Expected: ") }
        let wishes = chapter.paragraphs.count { $0.hasPrefix("Recommended: ") }
        #expect(reported.count + wishes == wanted, "\(result.scenario.id) on \(profile.name)")
        #expect(reported.allSatisfy { $0.hasSuffix(" It passed.") })
      }
    }
  }

  @Test("A failed expectation is explained with the observed result")
  func failures() throws {
    let text = Explanation(Samples.failed).text.replacing(#/\n */#, with: " ")
    #expect(
      text.contains(
        "Expected: call \"stream\" ends UNAVAILABLE at 8 s. It failed: it ended "
          + "DEADLINE_EXCEEDED (\"Deadline Exceeded\") at 20 s."))
    #expect(text.contains("The expectation failed."))
    #expect(text.contains("From 550 ms to 7.55 s \"stream\" gets 15 messages."))
    let wish = Explanation(Samples.nonStrict).text.replacing(#/\n */#, with: " ")
    #expect(wish.contains("Recommended: call \"stream\" ends UNAVAILABLE between 8 s and 9 s."))
    let broken = Explanation(Samples.broken).text.replacing(#/\n */#, with: " ")
    #expect(broken.contains("The run failed with an internal error: "))
    let invariant = Explanation(Samples.invariant).text.replacing(#/\n */#, with: " ")
    #expect(invariant.contains("Invariant 2 is violated: "))
  }

  @Test("A connection that cannot be made is explained before its loss, with its calls")
  func lostAtOnce() throws {
    let result = try Explained.result(
      of: "Scenarios/connection-limits/transitions/ignore-to-none.json")
    let text = Explanation(result).text.replacing(#/\n */#, with: " ")
    #expect(
      text.contains(
        "Connection #5 is opened without a network. Connection #5 carries \"five\". "
          + "Connection #5 is lost."), "\(text)")
    #expect(text.contains("user is notified that the long limit is reached for \"four\"."))
    for result in Explained.corpus {
      for one in result.cases {
        var lost: [UInt32] = []
        for record in one.trace?.records ?? [] {
          guard case .request(let fact) = record.body else { continue }
          if case .connectionLost(let connection) = fact { lost.append(connection) }
          if case .carried(_, let connection) = fact {
            #expect(!lost.contains(connection), "\(one.id) on \(one.profile)")
          }
        }
      }
    }
  }

  @Test("An attempt that fails is distinguished from connections that were made earlier")
  func attemptAmongConnections() throws {
    let text = """
      {"format": 1, "id": "s", "profiles": ["sockets"], "initial": {"flags": ["Reachable"]},
      "hosts": {"a:1": {}}, "timeline": [
      {"at": "0s", "call": {"id": "one", "host": "a:1"}},
      {"at": "1s", "server": {"host": "a:1", "do": "close"}},
      {"at": "2s", "call": {"id": "two", "host": "a:1"}},
      {"at": "3s", "server": {"host": "a:1", "do": "close"}},
      {"at": "3s", "server": {"host": "a:1", "do": "refuse"}},
      {"at": "4s", "call": {"id": "three", "host": "a:1"}}]}
      """
    let reading = ScenarioReader.read(file: "s.json", bytes: Array(text.utf8))
    let result = Samples.play(try #require(reading.scenario), on: [.sockets])
    let reported = Explanation(result).text.replacing(#/\n */#, with: " ")
    #expect(reported.contains("attempt to connect over WiFi"), "\(reported)")
  }

  @Test(
    "An order at one instant is explained if it is not the default",
    arguments: [
      (#""file""#, []), (#"["pool"]"#, []),
      (#"["deadlines", "callbacks"]"#, ["deadlines, callbacks, the entries", "in this order"]),
      (#"["calls"]"#, ["calls are notified of a network change before their channels"]),
      (#""drawn""#, ["comes in random order"]),
    ])
  func order(_ order: String, _ words: [String]) throws {
    let text = """
      {"format": 1, "id": "s", "initial": {"flags": ["Reachable"]},
      "config": {"order": \(order)}, "timeline": []}
      """
    let reading = ScenarioReader.read(file: "s.json", bytes: Array(text.utf8))
    let reported = ScriptStory(try #require(reading.scenario).script).beginning.map(\.text)
    let others = ["at one instant", "calls are notified", "in random order"]
    for part in words { #expect(reported.contains { $0.contains(part) }, "\(reported)") }
    #expect(reported.contains { text in others.contains { text.contains($0) } } == !words.isEmpty)
  }

  @Test("Hostile names stay on their line")
  func hostile() {
    let text = Explanation(Samples.hostile).text
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }
}

@Suite("Explanations are well-formed sentences")
struct ExplanationSentenceTests {
  /// Returns the flaw in a paragraph, or `nil` if there is none.
  static func flaw(_ paragraph: String) -> String? {
    let parts = paragraph.split(separator: "\"", omittingEmptySubsequences: false)
    if parts.count.isMultiple(of: 2) { return "a quote without end" }
    // Text in quotes belongs to the author or the client.
    let own = parts.enumerated().map { $0.offset.isMultiple(of: 2) ? String($0.element) : "Q" }
      .joined()
    let endsInside = paragraph.hasSuffix(".\"")
    if !own.hasSuffix("."), !endsInside { return "no full stop" }
    if paragraph.contains(".\".") || own.contains("..") { return "two full stops" }
    for mistake in ["  ", " .", " ,", " ;", " :", " )", "( ", "()", ",,", ";;"]
    where own.contains(mistake) { return "a mark out of place" }
    if own.contains("Optional(") || own.contains("nil") { return "the language of programs" }
    if own.contains("unknown") || own.contains("?") { return "an unknown thing" }
    if own.count(where: { $0 == "(" }) != own.count(where: { $0 == ")" }) {
      return "a bracket without end"
    }
    let words = own.split(separator: " ")
    // The names of profiles start with a lowercase letter.
    if own.first?.isLowercase == true, Profile.named(String(words[0].dropLast())) == nil {
      return "no capital"
    }
    for (word, next) in zip(words, words.dropFirst()) {
      let isQuoted = word == "Q" || word == "Q,"
      if word.lowercased() == next.lowercased(), !isQuoted { return "a word twice" }
      let isHost = next.contains(":") || next.hasPrefix("api.") || next.hasPrefix("b.")
      if word.hasSuffix("."), next.first?.isLowercase == true, !isHost {
        return "no capital after a full stop"
      }
      let noun = next.prefix { $0.isLetter }
      let isUnit = ["us", "ms", "s"].contains(noun)
      if word == "1", noun.hasSuffix("s"), !isUnit { return "one of many" }
      if let count = Int(word), count != 1, nouns.contains(String(noun)) { return "many of one" }
    }
    return nil
  }

  private static let nouns = [
    "message", "ping", "channel", "byte", "call", "connection", "attempt", "notification",
    "expectation", "callback", "host", "request",
  ]

  @Test("No sentence of the whole corpus is malformed")
  func corpus() {
    var seen: Set<String> = []
    for result in Explained.corpus {
      for paragraph in Explanation(result).chapters.flatMap(\.paragraphs)
      where seen.insert(paragraph).inserted {
        guard let flaw = Self.flaw(paragraph) else { continue }
        Issue.record("\(result.scenario.id): \(flaw): \(paragraph)")
      }
    }
  }

  @Test(
    "Flaws are detected",
    arguments: [
      "Two  spaces.", "No stop", "Two stops..", "A space .", "Empty ().", "small letter.",
      "It gets 1 messages.", "It gets 2 message now.", "The the word.", "It is Optional(1).",
      "A \"quote.", "A (bracket.", "With \"Lost.\".",
    ])
  func flaws(_ paragraph: String) {
    #expect(Self.flaw(paragraph) != nil)
  }

  @Test("Every requirement that is named exists")
  func items() throws {
    let file = "Fixtures/Documents/items.json"
    let bytes = [UInt8](try Data(contentsOf: Explained.root.appending(path: file)))
    let known = Set(try ItemCatalog.items(file: file, bytes: bytes).map(\.id))
    for result in Explained.corpus {
      for one in result.cases {
        for sentence in try Explained.sentences(of: one, result.scenario.script) {
          #expect(known.isSuperset(of: sentence.items), "\(one.id): \(sentence.withTime)")
        }
      }
    }
  }

  @Test("No line is too wide")
  func width() {
    for result in Explained.corpus {
      let lines = Explanation(result).text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.allSatisfy { $0.count <= 80 && $0.last != " " }, "\(result.scenario.id)")
      #expect(lines.last == "")
    }
  }

  @Test("Ordinals have the right suffix")
  func ordinals() {
    let numbers = [1, 2, 3, 10, 11, 12, 13, 21, 22, 23, 101, 111]
    #expect(
      numbers.map(ScriptNames.ordinal) == [
        "first", "second", "third", "tenth", "11th", "12th", "13th", "21st", "22nd", "23rd",
        "101st", "111th",
      ])
  }
}

@Suite("Explanations equal their golden files")
struct ExplanationGoldenTests {
  /// Scenarios that together contain every kind of record.
  static let scenarios: [String] = [
    "Scenarios/transitions/cellular-to-wifi-unfinished-stream.json",
    "Scenarios/background/held-callback.json",
    "Scenarios/cfstream/partial-write.json",
    "Scenarios/calls/waits-for-its-token.json",
    "Scenarios/keepalive/ping-without-calls.json",
    "Scenarios/keepalive/messages-of-a-cancelled-call.json",
    "Scenarios/monitor/overrun-reads-afresh.json",
    "Scenarios/server/goes-away.json",
    "Scenarios/server/requests-over-each-network.json",
    "Scenarios/pool/disconnect-all.json",
    "Scenarios/names/look-up-outlives-its-path.json",
    "Scenarios/connection-limits/policies/take-spare.json",
    "Scenarios/okhttp/get-on-a-closed-connection-is-repeated.json",
    "Scenarios/bugs/n12-stream-stays-on-the-network-that-dies.json",
    "Scenarios/quic/wifi-to-cellular.json",
    "Scenarios/bugs/n31-calls-after-a-long-sleep.json",
    "Scenarios/networks/wifi-in-airplane-mode.json",
    "Fixtures/Explanations/messages-and-pings.json",
    "Scenarios/addresses/broken-ipv6-happy-eyeballs.json",
    "Scenarios/addresses/dns-change.json", "Scenarios/addresses/address-dies.json",
    "Fixtures/Explanations/chains.json", "Fixtures/Explanations/discarded-writes.json",
  ]

  @Test("The explanation of a scenario equals its golden file", arguments: scenarios)
  func golden(_ path: String) throws {
    let result = try Explained.result(of: path)
    let name = result.scenario.id.replacing("/", with: "-")
    try Golden.expect(Explanation(result).text, is: "../Explanations/\(name).txt")
  }

  @Test("Together the scenarios contain every kind of record")
  func everyKind() throws {
    var missing = try Self.kinds(
      [UInt8](
        Data(
          contentsOf: Explained.root.appending(path: "Fixtures/Reports/trace-every-record.jsonl")))
    )
    for path in Self.scenarios { missing.subtract(try Self.kinds(of: Explained.result(of: path))) }
    // Kernel counters do not exist in virtual time.
    #expect(missing == ["world.kernelCounted"])
  }

  static func kinds(of result: ScenarioResult) throws -> Set<String> {
    try result.cases.reduce(into: []) { kinds, one in
      kinds.formUnion(
        try Self.kinds(
          TraceWriter.lines(
            of: try #require(one.trace), script: result.scenario.script,
            header: TraceHeader(scenario: one.id, profile: one.profile))))
    }
  }

  /// Returns the names of records in the lines of a trace, such as `effect.endCall`.
  private static func kinds(_ lines: [UInt8]) throws -> Set<String> {
    var kinds: Set<String> = []
    for line in String(decoding: lines, as: UTF8.self).split(separator: "\n") {
      guard let match = line.firstMatch(of: #/"(event|effect|world)":\{"([A-Za-z]+)"/#) else {
        continue
      }
      kinds.insert("\(match.output.1).\(match.output.2)")
    }
    return kinds
  }
}
