import HandoverCore
import Testing

@Suite("Text that is safe to show")
struct SafeTextTests {
  @Test(
    "Only sequences that set a color or a weight are kept, and only if they are requested",
    arguments: [
      ("\u{1b}[1;31mred\u{1b}[m", "\u{1b}[1;31mred\u{1b}[m"),
      ("\u{1b}[2Jgone", "\\u{1b}[2Jgone"), ("\u{1b}[31", "\\u{1b}[31"), ("\u{1b}", "\\u{1b}"),
      ("\u{202e}back\u{1b}[0m", "\\u{202e}back\u{1b}[0m"),
    ])
  func colors(text: String, shown: String) {
    #expect(SafeText.shown(text, keepsColor: true) == shown)
    let plain = text.replacing("\u{1b}", with: "\\u{1b}").replacing("\u{202e}", with: "\\u{202e}")
    #expect(SafeText.shown(text, keepsColor: false) == plain)
  }

  @Test(
    "A line cannot be a command for a CI runner, and every line is kept",
    arguments: [
      ("::error::x\n\n  ::debug::\n", "| ::error::x\n\n|   ::debug::\n"), ("a::b", "a::b"),
      ("##[group]x##[", "## [group]x## ["), ("# [x", "# [x"),
      ("a ##vso[task.x]b", "a ##vso [task.x]b"), ("##teamCity[x", "##teamCity [x"),
      ("##[\u{301}x", "## [\u{301}x"), ("#a[x", "#a[x"), ("##a-b[x", "##a-b[x"),
      ("a\r\n::b", "a\r\n| ::b"),
    ])
  func commands(text: String, shown: String) {
    #expect(SafeText.withoutCommands(text) == shown)
  }
}
