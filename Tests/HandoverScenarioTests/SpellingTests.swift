import Testing

@testable import HandoverScenario

@Suite("The suggested name")
struct SpellingTests {
  static let names = [
    "deadline", "host", "id", "stall", "half-close", "UNAVAILABLE", "IsWWAN", "at",
  ]

  @Test(
    "The nearest name is suggested if few letters are wrong",
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
    "No name is suggested for a different word",
    arguments: [
      "", "-", "x", "explode", "deliveries", "hospital", String(repeating: "a", count: 65),
    ])
  func far(word: String) {
    #expect(Spelling.nearest(to: word, among: Self.names) == nil)
  }
}
