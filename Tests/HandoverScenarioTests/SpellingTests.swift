import Testing

@testable import HandoverScenario

@Suite("The name that was probably meant")
struct SpellingTests {
  static let names = [
    "deadline", "host", "id", "stall", "half-close", "UNAVAILABLE", "IsWWAN", "at",
  ]

  @Test(
    "is the nearest one where few letters are wrong",
    arguments: [
      ("dedline", "deadline"), ("deadlien", "deadline"), ("deadlinee", "deadline"),
      ("Deadline", "deadline"), ("hots", "host"), ("ohst", "host"), ("halfclose", "half-close"),
      ("half_close", "half-close"), ("stalled", "stall"), ("IsWAAN", "IsWWAN"),
      ("unavailable", "UNAVAILABLE"), ("UNAVIALABEL", "UNAVAILABLE"), ("idd", "id"),
    ])
  func near(word: String, name: String) {
    #expect(Spelling.nearest(to: word, among: Self.names) == name)
  }

  @Test(
    "is none where the word is another one",
    arguments: [
      "", "-", "x", "explode", "deliveries", "hospital", String(repeating: "a", count: 65),
    ])
  func far(word: String) {
    #expect(Spelling.nearest(to: word, among: Self.names) == nil)
  }
}
