import HandoverCore
import Testing

@Suite("Patterns over ids")
struct GlobTests {
  @Test(
    "match what they stand for",
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
    "match nothing else",
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
