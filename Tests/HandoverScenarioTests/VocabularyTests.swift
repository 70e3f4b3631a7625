import HandoverCore
import Testing

@testable import HandoverScenario

@Suite("Keywords of a closed set")
struct VocabularyTests {
  private enum Metal: String, CaseIterable {
    case iron, gold, go, tin
    case quicksilver = "hg\u{B2}"
  }

  private static let vocabulary = Vocabulary<Metal>()

  private func word(_ text: String) -> Metal? {
    let bytes = Array(text.utf8)
    return Self.vocabulary.keyword(bytes.span)
  }

  @Test("Keywords are found by their bytes")
  func found() {
    for metal in Metal.allCases { #expect(word(metal.rawValue) == metal) }
  }

  @Test(
    "Parts, neighbors and other spellings are not found",
    arguments: ["", "g", "gol", "golds", "irongold", "Gold", "old", "nt", "tin\0", "hg2"])
  func notFound(text: String) {
    #expect(word(text) == nil)
  }

  @Test("Keys and times are recognized however their letters are escaped")
  func escaped() throws {
    let plain = #"{"at": "+1ms", "app": "background"}"#
    let escaped = #"{"\u0061t": "\u002b1m\u0073", "a\u0070\u0070": "background"}"#
    #expect(
      try Sample.scenario(Sample.text(timeline: escaped))
        == Sample.scenario(Sample.text(timeline: plain)))
  }
}
