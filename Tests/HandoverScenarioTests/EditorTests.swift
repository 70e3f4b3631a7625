import Foundation
import HandoverCore
import HandoverScenario
import Testing

@Suite("Scenario files in an editor")
struct EditorTests {
  private static let items = [
    ItemCatalog.Item(document: "first", id: "D1", sentence: "A channel is made.", places: ["p1"]),
    ItemCatalog.Item(document: "second", id: "D1", sentence: "Another one."),
    ItemCatalog.Item(document: "second", id: "E2", sentence: "A call ends."),
  ]

  /// Returns the document of a text, and the position of its mark `|`, which is removed.
  private static func marked(_ text: String) -> (document: ScenarioDocument, EditorPosition) {
    let parts = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    let lines = parts[0].split(separator: "\n", omittingEmptySubsequences: false)
    let position = EditorPosition(
      line: lines.count - 1, character: lines.last?.utf16.count ?? 0)
    return (ScenarioDocument(parts.joined()), position)
  }

  private static func completions(_ text: String) -> [EditorCompletion] {
    let (document, position) = marked(text)
    return document.completions(at: position, items: items)
  }

  private static func labels(_ text: String) -> [String] { completions(text).map(\.label) }

  private static func inTimeline(_ entry: String) -> String {
    #"{ "format": 1, "id": "a", "hosts": { "a:1": {}, "b:2": {} }, "timeline": [\#n"#
      + #"  { "at": "0s", "call": { "id": "first", "host": "a:1" } },\#n"#
      + #"  { "at": "0s", "request": { "id": "r", "host": "a:1" } },\#n  \#(entry)\#n] }"#
  }

  private static let power = ["sleep", "wake", "airplane", "airplane-off"]

  @Test("A key that another key excludes is not offered")
  func excludedKeys() {
    func labels(_ keys: String) -> [String] {
      Self.labels(#"{ "format": 1, "id": "a", "expect": [{ \#(keys)"|" }] }"#)
    }
    #expect(labels(#""call": "a", "#).contains("within"))
    #expect(!labels(#""call": "a", "at": "1s", "#).contains("within"))
    #expect(labels("").contains("kernel"))
    #expect(!labels(#""at": "1s", "#).contains("kernel"))
    #expect(!labels(#""kernel": {}, "#).contains("at"))
  }

  @Test("A value without choices has its example, and is inserted before another element")
  func examples() throws {
    let losing = #"{ "network": { "become": "losing", "linger": "|" } }"#
    #expect(Self.labels(Self.inTimeline(losing)) == [#""30s""#])
    let before = try #require(Self.completions(#"{ "profiles": [|"sockets"] }"#).first)
    #expect(before.range.start == before.range.end)
  }

  @Test("A position before the text is its start")
  func beforeTheText() {
    let document = ScenarioDocument(#"{ "format": 1 }"#)
    func choices(line: Int) -> [String] {
      document.completions(at: EditorPosition(line: line, character: 0), items: []).map(\.label)
    }
    #expect(choices(line: -1) == choices(line: 0))
  }

  @Test("Only an object without values may still become a scenario")
  func mayBecome() {
    for text in ["{}", #"{ "id" }"#, #"{ "format": 1, "id": "a" }"#] {
      #expect(ScenarioDocument(text).mayBecomeScenario, "\(text)")
    }
    for text in ["", "[]", "1", #"{ "name": 1 }"#] {
      #expect(!ScenarioDocument(text).mayBecomeScenario, "\(text)")
    }
  }

  @Test(
    "Exactly the possible texts are completed",
    arguments: [
      (#"{ "at": "1s", "device": "wake", | }"#, ["address"]),
      (#"{ "at": "1s", "device": "sleep", | }"#, []),
      (#"{ "at": "1s", "device": "airplane", | }"#, []),
      (#"{ "at": "1s", "flags": [], "|" }"#, ["network", "path", "links"]),
      (#"{ "at": "1s", "flags": [], "|": 1 }"#, ["network", "path", "links"]),
      (#"{ | "at": "1s", "app": "background" }"#, []),
      (#"{ "at": "1s", "device": | }"#, Self.power),
      (#"{ "at": "1s", "device": "|" }"#, Self.power),
      (#"{ "at": "1s", "device": sl| }"#, Self.power),
      (#"{ "at": "1s", "call": { "id": "b", "host": "|" } }"#, ["a:1", "b:2"]),
      (#"{ "at": "1s", "disconnect": | }"#, ["a:1", "b:2", "*"]),
      (#"{ "at": "1s", "finish": "|" }"#, ["first"]),
      (#"{ "at": "1s", "cancel": "|" }"#, ["first", "r"]),
      (#"{ "at": "1s" | }"#, []), (#"{ "at": "1s"| }"#, []), (#"{ "x-note": { | } }"#, []),
    ])
  func exact(_ entry: String, _ expected: [String]) {
    #expect(Self.labels(Self.inTimeline(entry)) == expected)
    // The rest of the file is not necessary.
    let text = Self.inTimeline(entry)
    let cut = text[...(text.firstIndex(of: "|") ?? text.startIndex)]
    if !entry.contains(#""|": 1"#), !entry.hasPrefix("{ |") {
      #expect(Self.labels(String(cut)) == expected)
    }
  }

  @Test("Names come from their definitions in the file")
  func names() {
    let source = #""source": [{ "document": "second", "item": "E2" }]"#
    #expect(Self.labels(#"{ \#(source), "expect": [{ "shows": ["|"] }] }"#) == ["E2"])
    #expect(Self.labels(#"{ \#(source), "expect": [{ "shows": ["E2", "|"] }] }"#) == [])
    let gate =
      #""config": { "interceptors": [{ "kind": "gate" }, { "kind": "none", "name": "x" }] }"#
    #expect(
      Self.labels(#"{ \#(gate), "timeline": [{ "interceptor": { "name": "|" } }] }"#)
        == ["gate", "x"])
    let networks = #""networks": { "home": {}, "comment": "a remark" }"#
    #expect(
      Self.labels(#"{ \#(networks), "timeline": [{ "network": { "id": "|" } }] }"#) == ["home"])
    #expect(
      Self.labels(#"{ "timeline": [{ "path": "wifi" }, { "path": "wifi" }, { "path": "|"#)
        == ["wifi"])
  }

  @Test("Requirements come from the catalog, and those of the specification come alone")
  func requirements() {
    #expect(Self.labels(#"{ "source": [{ "document": "|" }] }"#) == ["first", "second"])
    #expect(Self.labels(#"{ "source": [{ "document": "second", "item": "|" }] }"#) == ["D1", "E2"])
    #expect(Self.labels(#"{ "source": [{ "item": "|" }] }"#) == ["D1", "D1", "E2"])
  }

  @Test("A set does not repeat its elements, and conditions of keys are respected")
  func sets() {
    let profiles = Self.labels(#"{ "profiles": ["sockets", "|"] }"#)
    #expect(!profiles.contains("sockets"))
    #expect(profiles.contains("cfstream"))
    let flags = Self.labels(#"{ "initial": { "flags": ["IsWWAN", "|"] } }"#)
    #expect(flags.contains("Reachable") && !flags.contains("IsWWAN"))
    let steps = Self.labels(#"{ "expect": [{ "interceptor": { "sees": ["start", "|"] } }] }"#)
    #expect(steps.contains("start"))
    let network = #"{ "timeline": [{ "network": { "become": "WORD", "|" } }] }"#
    #expect(Self.labels(network.replacing("WORD", with: "losing")).contains("linger"))
    #expect(!Self.labels(network.replacing("WORD", with: "up")).contains("linger"))
  }

  @Test("A key is written with its colon and a value, unless it has them")
  func keyText() throws {
    let new = try #require(Self.completions(#"{ "for|" }"#).first { $0.label == "format" })
    #expect(new.text == #""format": "# && new.placeholder == "1")
    #expect(new.range.start.character == 2 && new.range.end.character == 7)
    let renamed = try #require(Self.completions(#"{ "for|": 1 }"#).first { $0.label == "format" })
    #expect(renamed.text == #""format""# && renamed.placeholder == nil)
    // A missing quote must not remove the rest of the line.
    let open = try #require(Self.completions(#"{ "for| }"#).first)
    #expect(open.range.end.character == 6)
    #expect(new.detail == "integer, required")
    #expect(new.documentation.hasPrefix("The version of the format."))
  }

  @Test("Every declared key is explained where it can be written")
  func hover() throws {
    func text(_ marked: String) -> String? {
      let (document, position) = Self.marked(marked)
      return document.hover(at: position, items: Self.items)?.text
    }
    let key = try #require(text(Self.inTimeline(#"{ |"at": "1s" }"#)))
    #expect(key.hasPrefix("`\"at\"`: time, required\n\nThe time from the start"))
    #expect(text(Self.inTimeline(#"{ "at": "1|s" }"#)) == key)
    #expect(
      text(Self.inTimeline(#"{ "device": "sl|eep" }"#))?.hasPrefix("`sleep`: The process") == true)
    #expect(text(Self.inTimeline(#"{ "unknown|": 1 }"#)) == nil)
    #expect(text(Self.inTimeline(#"{ "at": "1s" } |"#)) == nil)
    #expect(
      text(#"{ "source": [{ "item": "D1|" }] }"#)
        == "**D1** (first, p1)\n\nA channel is made.\n\n**D1** (second)\n\nAnother one.")
    #expect(text(#"{ "expect": [{ "shows": ["|E2"] }] }"#)?.contains("A call ends.") == true)
    #expect(text(#"{ "config": { "until|": "1s" } }"#)?.contains("](") == false)
  }

  @Test("The range of a diagnostic is the word at its position")
  func words() {
    let document = ScenarioDocument(#"{ "format": 12, "id": [3"#)
    func length(column: Int) -> Int {
      let range = document.range(at: TextPosition(line: 1, column: column))
      return range.end.character - range.start.character
    }
    #expect([3, 13, 23, 24].map(length) == [8, 2, 1, 1])
  }

  @Test("Positions are counted in UTF-16 units, and lines end with LF, CR LF or CR")
  func positions() throws {
    for end in ["\n", "\r\n"] {
      let document = ScenarioDocument(
        "{ \"format\": 1, \"id\": \"a\",\(end)  \"title\": \"\u{1F600}é\", \"x\": 1 }")
      let unknown = try #require(
        document.reading(file: "a").diagnostics.first { $0.code == .unknownKey })
      let range = document.range(at: unknown.position)
      #expect(range.start == EditorPosition(line: 1, character: 18))
      #expect(range.end == EditorPosition(line: 1, character: 21))
      let hover = try #require(document.hover(at: EditorPosition(line: 1, character: 3), items: []))
      #expect(hover.range.start == EditorPosition(line: 1, character: 2))
    }
    // A lone CR ends a line for editors, and is white space for the reader.
    let document = ScenarioDocument("{ \"format\": 1,\r\r\"id\": \"a\", \"x\": 1 }")
    let unknown = try #require(
      document.reading(file: "a").diagnostics.first { $0.code == .unknownKey })
    #expect(document.range(at: unknown.position).start == EditorPosition(line: 2, character: 11))
    // Positions beyond the text are its end.
    for (line, character) in [(-1, 0), (0, 99), (7, 0), (2, -5)] {
      let position = EditorPosition(line: line, character: character)
      #expect(document.hover(at: position, items: []) == nil || line == 2)
    }
  }

  @Test(
    "A file is a scenario by its schema, or by two required keys",
    arguments: [
      (#"{ "$schema": "../scenario-1.schema.json" }"#, true),
      (#"{ "$schema": "https://json.example/other.json", "format": 1, "id": "a" }"#, false),
      (#"{ "format": 1, "id": "a" }"#, true), (#"{ "format": "x", "id": "a" }"#, false),
      (#"{ "timeline": [], "initial": {"#, true), (#"{ "timeline": "now", "id": "a" }"#, false),
      (#"{ "name": "a", "version": "1.0.0" }"#, false), ("", false), ("[]", false),
      (#"[{ "format": 1, "id": "a" }]"#, false), ("# text", false),
    ])
  func detection(_ text: String, _ isScenario: Bool) {
    #expect(ScenarioDocument(text).isScenario == isScenario)
  }

  @Test(
    "Any bytes give answers at every position",
    arguments: try Repository.files(in: Repository.diagnosticFixtures))
  func anyText(_ file: URL) throws {
    let bytes = try Repository.bytes(file)
    guard bytes.count < 100_000 else { return }
    let document = ScenarioDocument(String(decoding: bytes, as: UTF8.self))
    for line in 0..<20 {
      for character in stride(from: 0, to: 120, by: 7) {
        let position = EditorPosition(line: line, character: character)
        for completion in document.completions(at: position, items: Self.items) {
          #expect(completion.range.start.line == completion.range.end.line)
        }
        _ = document.hover(at: position, items: Self.items)
      }
    }
  }

  @Test("Nesting without an end is scanned in bounded time and memory")
  func deep() {
    for text in ["[", "{\"a\":", "[{\"a\":[", "\"", "\\", "}", ","] {
      let document = ScenarioDocument(String(repeating: text, count: 100_000))
      let end = EditorPosition(line: 0, character: 700_000)
      #expect(document.completions(at: end, items: []).isEmpty)
      #expect(!document.isScenario)
    }
  }
}
