import Foundation
import Testing

/// The page that finds words in the built documentation.
@Suite("The search of the documentation", .enabled(if: Program.find("python3") != nil))
struct DocumentationSearchTests {
  private static let page = """
    {"metadata": {"title": "The pool"}, "abstract": [{"type": "text", "text": "What it keeps."}],
     "references": {"doc://x/Gates": {"title": "Gates for runs"}},
     "primaryContentSections": [{"kind": "content", "content": [
       {"type": "heading", "text": "Overview", "anchor": "Overview", "level": 2},
       {"type": "paragraph", "inlineContent": [
         {"type": "text", "text": "A channel waits, as "},
         {"type": "reference", "identifier": "doc://x/Gates"}, {"type": "text", "text": " say."}]},
       {"type": "heading", "text": "Backoff", "anchor": "Backoff", "level": 2},
       {"type": "table", "rows": [[[{"type": "paragraph", "inlineContent": [
         {"type": "strong", "inlineContent": [{"type": "text", "text": "jitter"}]}]}],
         [{"type": "paragraph", "inlineContent": [{"type": "codeVoice", "code": "0.2"}]}]]]},
       {"type": "unorderedList", "items": [{"content": [{"type": "paragraph", "inlineContent": [
         {"type": "text", "text": "never over </script><b> 120 s"}]}]}]},
       {"type": "codeListing", "code": ["handover run", "  --backend nio"]}]}]}
    """

  private let scratch: ScratchDirectory
  private let archive: URL
  private let text: String

  init() throws {
    scratch = try ScratchDirectory()
    archive = scratch.url.appending(path: "archive")
    let folder = archive.appending(path: "data/documentation/handover")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Self.page.write(
      to: folder.appending(path: "pool.json"), atomically: true, encoding: .utf8)
    let tool = packageRoot.appending(path: "Tests/Tools/docs-search")
    let run = try CommandLineRun(command: tool, [archive.path])
    #expect(run.status == 0, "\(run.errors)")
    text = try String(contentsOf: archive.appending(path: "search.html"), encoding: .utf8)
  }

  private func part(_ begin: String, _ end: String) throws -> String {
    let start = try #require(text.range(of: begin)).upperBound
    return String(text[start..<(try #require(text[start...].range(of: end))).lowerBound])
  }

  @Test("every text of a page is in it, under the heading that it stands under")
  func sections() throws {
    let data = try part("id=\"data\">", "</script>")
    let sections = try #require(
      JSONSerialization.jsonObject(with: Data(data.utf8)) as? [[String]])
    #expect(
      sections == [
        [
          "The pool", "The pool", "documentation/handover/pool/",
          "What it keeps. A channel waits, as Gates for runs say.",
        ],
        [
          "The pool", "Backoff", "documentation/handover/pool/#Backoff",
          "jitter 0.2 never over </script><b> 120 s handover run --backend nio",
        ],
      ])
    // No text becomes markup, and nothing is asked for.
    #expect(text.split(separator: "</script>").count == 3)
    #expect(!text.contains("src=") && !text.contains("http"))
    #expect(text.contains("<a href=\"documentation/handover/pool/\">The pool</a>"))
  }

  @Test(
    "words are found at the beginning of words, all of them in one section, titles first",
    .enabled(if: Program.find("node") != nil, "Node.js is not installed"),
    arguments: [
      ("jitter", [1]), ("JIT", [1]), ("itter", []), ("channel waits", [0]), ("channel jitter", []),
      ("pool", [0, 1]), ("backoff", [1]), ("--backend", [1]), ("gates runs", [0]), (" ", []),
    ])
  func finds(_ words: String, _ places: [Int]) throws {
    let script = try part("<script>\n", "</script>")
    let data = try part("id=\"data\">", "</script>")
    let found = "search(\(data), \"\(words)\").map((one) => one.place)"
    let ask = "\nconsole.log(JSON.stringify(\(found)));"
    let file = archive.appending(path: "ask.js")
    try (script + ask).write(to: file, atomically: true, encoding: .utf8)
    let node = URL(fileURLWithPath: try #require(Program.find("node")))
    let run = try CommandLineRun(command: node, [file.path])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try JSONDecoder().decode([Int].self, from: Data(run.output.utf8)) == places)
  }
}
