import Foundation
import Testing

/// Pages are read by people, who have little time: they do not grow without being noticed.
@Suite("Lengths of pages")
struct PageLengthTests {
  /// The pages that share one limit; every other page has one of its own.
  static let sharing: Set<String> = [
    "BackendProtocol", "Benchmarks", "Design", "DeviceLab", "EditorSupport", "Gates", "Glossary",
    "Handover", "LiveMonitor", "Machines", "Matrix", "OnRealSockets", "ProfileCFStream",
    "ProfileSockets", "ProfileSockets2017", "ProfileSocketsMonitor", "Profiles", "ReadingAFailure",
    "RealClients", "ScenarioFormat", "TestingYourBackend", "ThreadPool", "TryingAProgram",
    "URLDispatcher", "WritingABackend", "WritingAScenario", "WritingAnInterceptor",
  ]
  static let sharedLimit = 29_000
  static let limit = 1_000

  static let pages: [URL] = DocumentTests.documents.filter { $0.lastPathComponent != "README.md" }
  static let others = pages.filter { !sharing.contains(name(of: $0)) }

  @Test("a page of its own has at most 1,000 words", arguments: others)
  func pageOfItsOwn(_ page: URL) throws {
    let count = Self.words(in: try String(contentsOf: page, encoding: .utf8))
    #expect(count <= Self.limit, "\(Self.name(of: page)): \(count) words")
  }

  @Test("the pages that share a limit have at most 29,000 words together")
  func shared() throws {
    let pages = Self.pages.filter { Self.sharing.contains(Self.name(of: $0)) }
    #expect(pages.count == Self.sharing.count)
    let counts = try pages.map { page in
      (Self.name(of: page), Self.words(in: try String(contentsOf: page, encoding: .utf8)))
    }.sorted { $0.1 > $1.1 }
    let sum = counts.reduce(0) { $0 + $1.1 }
    #expect(
      sum <= Self.sharedLimit,
      "\(sum) words; the longest: \(counts.prefix(8).map { "\($0.0) \($0.1)" })")
  }

  @Test(
    "words have a letter or a digit; bars of tables and fences of code are none",
    arguments: [
      ("a word, and 2 more", 5), ("| key | - | `x` |\n|---|---|---|", 2),
      ("```json\n{ \"a\": 1 }\n```", 2),
      ("", 0), ("# Über uns", 2),
    ])
  func counting(_ text: String, _ count: Int) {
    #expect(Self.words(in: text) == count)
  }

  private static func name(of page: URL) -> String {
    page.deletingPathExtension().lastPathComponent
  }

  private static func words(in text: String) -> Int {
    text.split(separator: "\n").filter { !$0.hasPrefix("```") }.reduce(0) { sum, line in
      sum + line.split(separator: " ").count { $0.contains { $0.isLetter || $0.isNumber } }
    }
  }
}
