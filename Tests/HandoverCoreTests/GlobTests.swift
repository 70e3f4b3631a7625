import HandoverCore
import Testing

@Suite("Patterns over ids")
struct GlobTests {
  @Test(
    "A pattern matches the ids that it denotes",
    arguments: [
      ("a", "a"), ("a", "a/b"), ("a", "a/b/c"), ("a/b", "a/b/c"), ("*", "a"), ("*", ""),
      ("a*", "a"), ("a*", "abc"), ("*c", "abc"), ("a*c", "abbc"), ("a*b*c", "axbxxbc"),
      ("*/b", "a/b"), ("a/*", "a/b"), ("*/*", "a/b"), ("**", "a/b/c"), ("**", ""),
      ("a/**", "a/b/c"), ("**/c", "a/b/c"), ("**c", "a/b/c"), ("a/**/d", "a/b/c/d"),
      ("**/b/*", "a/b/b/c"), ("**a*", "b/ab/ac"), ("?", "a"), ("a?c", "abc"), ("?/?", "a/b"),
      ("a**", "a"), ("a*", "a"), ("*?", "ab"), ("**?d", "a/b/cd"),
    ])
  func match(_ pattern: String, _ id: String) {
    #expect(Glob(pattern).matches(id))
  }

  @Test(
    "A pattern matches no other id",
    arguments: [
      ("a", "b"), ("a", "ab"), ("a/b", "a"), ("*", "a/b"), ("a*", "b"), ("a*", "a/b"),
      ("*c", "abcd"), ("a*c", "ab/c"), ("a*b*c", "axbx"), ("*/b", "a/c"), ("a/*", "a"),
      ("a/**/d", "a/b/c"), ("**/c", "a/b/cd"), ("**/b/*", "a/b/c/d"), ("?", ""), ("?", "ab"),
      ("?", "/"), ("a?c", "a/c"), ("a*", ""), ("*?", ""), ("**?d", "a/b/d"),
    ])
  func noMatch(_ pattern: String, _ id: String) {
    #expect(!Glob(pattern).matches(id))
  }
}

@Suite("Many patterns over ids")
struct GlobIndexTests {
  @Test("An index matches the same ids as each pattern alone")
  func matches() {
    var generator = SeededGenerator(seed: 7)
    func text(of letters: [String], upTo count: UInt64) -> String {
      (0..<generator.next(upToAndIncluding: count)).map { _ in
        letters[Int(generator.next(upToAndIncluding: UInt64(letters.count - 1)))]
      }.joined()
    }
    let letters = ["a", "b", "ab", "abba", "/", "c"]
    var found = 0
    for _ in 0..<50 {
      let patterns = (0..<100).map { _ in
        Glob(text(of: letters + ["*", "**", "?"], upTo: 6))
      }
      let index = GlobIndex(patterns)
      for _ in 0..<100 {
        let id = text(of: letters, upTo: 6)
        let positions = patterns.indices.filter { patterns[$0].matches(id) }
        #expect(index.matches(of: id) == positions, "\(id)")
        found += positions.count
      }
    }
    #expect(found > 1_000)
  }

  @Test("An empty index matches nothing")
  func empty() {
    #expect(GlobIndex([]).matches(of: "a/b").isEmpty)
    #expect(GlobIndex([Glob("")]).matches(of: "").count == 1)
  }
}
