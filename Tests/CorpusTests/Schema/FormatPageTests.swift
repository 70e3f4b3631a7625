import Foundation
import HandoverCore
import Testing

@Suite("The page about the format")
struct FormatPageTests {
  @Test("The page names every key and keyword of the schema, except the status codes")
  func keysAndWords() throws {
    let pages = ["ScenarioFormat.md", "ScenarioRuns.md"]
    let page = try pages.map {
      try Repository.text(Repository.catalog.appending(path: $0))
    }.joined(separator: "\n")
    let schema = try JSONSerialization.jsonObject(with: Data(Repository.bytes(Repository.schema)))
    let codes = Set(StatusCode.allCases.map(\.description))
    let wanted = Self.names(in: schema).subtracting(codes)
    #expect(wanted.count > 250)
    // Text between backticks consists of single words, nested keys (`chain.turns`) and whole
    // objects.
    let named = Set(
      page.matches(of: /`([^`\n]+)`/).flatMap { span in
        span.output.1.split { !($0.isLetter || $0.isNumber || "$_-.".contains($0)) }
          .flatMap { [$0] + $0.split(separator: ".") }.map(String.init)
      })
    #expect(wanted.subtracting(named).sorted() == [])
  }

  /// Returns the keys of all objects that a schema describes, and the strings that it lists.
  private static func names(in value: Any) -> Set<String> {
    if let list = value as? [Any] { return list.reduce(into: []) { $0.formUnion(names(in: $1)) } }
    guard let object = value as? [String: Any] else { return [] }
    var found = Set((object["properties"] as? [String: Any] ?? [:]).keys)
    found.formUnion((object["enum"] as? [Any] ?? []).compactMap { $0 as? String })
    if let word = object["const"] as? String { found.insert(word) }
    for (key, value) in object where key != "defaultSnippets" && key != "examples" {
      found.formUnion(names(in: value))
    }
    return found
  }
}
