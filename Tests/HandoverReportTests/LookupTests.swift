import Foundation
import HandoverCore
import HandoverEngine
import HandoverScenario
import HandoverTry
import Testing

@testable import HandoverReport

@Suite("Explanations of words")
struct LookupTests {
  /// The words of each enumeration, as reports and messages print them.
  static let words: [String] =
    Verdict.allCases.map(\.name) + Finding.Kind.all.map(\.name)
    + TryOutcome.allCases.map(\.rawValue)
    + Coverage.State.allCases.map(\.phrase) + StatusCode.allCases.map(\.name)
    + ChannelState.allCases.map(\.name) + NetworkCategory.allCases.map(\.description)
    + RequestOutcome.allCases.map(\.rawValue)
    + RuleIdentifier.allCases.map { "invariant \($0.rawValue)" } + Profile.known.map(\.name)
    + DiagnosticCode.allCases.map(\.rawValue) + ExplorationReport.resultNames

  @Test("every value of every enumeration has a meaning, an example and a fix")
  func enumerations() {
    #expect(Self.words.count > 180)
    for word in Self.words {
      let entries = Lookup.entries(named: word)
      #expect(!entries.isEmpty, "\(word)")
      for entry in entries {
        let text = entry.explanation
        #expect(text.meaning.count > 10 && text.meaning.hasSuffix("."), "\(word): \(text.meaning)")
        #expect(!text.example.isEmpty, "\(word)")
        #expect(text.fix.count > 10, "\(word): \(text.fix)")
        let lines = Lookup.text(of: entry, width: 80)
        #expect(lines.contains("\n  Example: ") && lines.contains("\n  Fix: "), "\(lines)")
        #expect(lines.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(lines)")
      }
    }
  }

  @Test("no two entries of one kind have the same name")
  func names() {
    var seen: Set<[String]> = []
    for entry in Lookup.entries {
      for name in entry.names {
        #expect(seen.insert([entry.kind, name]).inserted, "\(name)")
      }
    }
  }

  @Test("spelling does not matter", arguments: ["GIVES UP", "gives-up", "Gives_Up"])
  func spelling(_ word: String) {
    #expect(Lookup.entries(named: word).map(\.names) == [["GIVES UP"]])
  }

  @Test("Every requirement has an example and a fix")
  func requirements() throws {
    let file = Self.root.appending(path: "Fixtures/Documents/items.json")
    let items = try ItemCatalog.items(file: file.path, bytes: Array(try Data(contentsOf: file)))
    #expect(items.count > 300)
    for item in items {
      let text = Lookup.text(of: item, nil, in: [])
      #expect(text.contains("\n  Example: ") && text.contains("\n  Fix: "), "\(text)")
      // The reason is printed if there is one, so the text refers to no other command.
      #expect(text.contains("No scenario cites it.\n"), "\(text)")
    }
  }

  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folders of outputs that are kept in files, and the endings of those for people.
  private static let folders = ["Reports", "NewUser", "Explanations", "Diagnostics"]
  private static let endings: Set<String> = ["txt", "md", "tap"]

  /// Abbreviations of the field, and placeholders, which need no explanation.
  private static let acronyms: Set<String> = [
    "ASCII", "DNS", "FOLDER", "HTTP", "ID", "JSON", "KERNEL", "NAME", "NUL", "OS", "PORT", "QUIC",
    "SKIP", "TAP", "TCP", "TODO", "URL", "UTF", "VERSION", "VPN",
  ]

  @Test("Outputs contain only capitalized words that have an explanation")
  func outputs() throws {
    #expect(Self.acronyms.count <= 20)
    let phrases = Lookup.entries.flatMap(\.names)
      .filter { $0.contains(" ") && $0 == $0.uppercased() }
    let known = Set(Lookup.entries.flatMap(\.names)).union(Self.acronyms)
    var fileCount = 0
    for folder in Self.folders {
      let url = Self.root.appending(path: "Fixtures/\(folder)")
      let files = try FileManager.default.contentsOfDirectory(
        at: url, includingPropertiesForKeys: nil)
      for file in files where Self.endings.contains(file.pathExtension) {
        fileCount += 1
        // What a reader wrote is in quotes, and Markdown escapes underscores.
        var text = try String(contentsOf: file, encoding: .utf8)
          .replacing(/"[^"\n]*"/, with: "").replacing("\\_", with: "_")
        for phrase in phrases { text = text.replacing(phrase, with: "") }
        let words = Set(text.matches(of: /\b[A-Z][A-Z_-]*[A-Z]\b/).map { String($0.output) })
        #expect(words.subtracting(known) == [], "\(file.lastPathComponent)")
      }
    }
    #expect(fileCount > 100)
  }
}
