import Foundation
import HandoverCore
import HandoverScenario

/// The location of the files of the repository.
enum Repository {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  static let formatPage = catalog.appending(path: "ScenarioFormat.md")
  static let snippets = root.appending(path: "Fixtures/Schemas/editor-snippets.json")
  static let schema = root.appending(path: "Fixtures/Schemas/scenario-1.schema.json")
  static let editorSettings = root.appending(path: ".vscode/settings.json")
  static let catalog = root.appending(path: "Sources/handover/Handover.docc")
  static let validator = root.appending(path: "Tests/CorpusTests/Schema/validate.py")

  static func bytes(_ url: URL) throws -> [UInt8] {
    Array(try Data(contentsOf: url))
  }

  static func text(_ url: URL) throws -> String {
    try String(contentsOf: url, encoding: .utf8)
  }

  /// Returns the files of a kind anywhere under a directory, sorted by path.
  static func files(under directory: String, kind: String) throws -> [URL] {
    let folder = root.appending(path: directory)
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".\(kind)") }.sorted()
      .map { folder.appending(path: $0) }
  }
}

/// Texts in the repository that the reader accepts as scenarios.
enum GoodSamples {
  /// A scenario and its source.
  struct Sample: Sendable {
    var name: String
    var text: String
  }

  /// Returns every file under Scenarios, whether or not the reader accepts it.
  static func bundled() throws -> [Sample] {
    try Repository.files(under: "Scenarios", kind: "json").map {
      Sample(name: $0.path, text: try Repository.text($0))
    }
  }

  /// Returns the complete scenarios of the documentation: JSON blocks that no comment marks as
  /// excerpts.
  static func documented() throws -> [Sample] {
    let pages = try Repository.files(under: "Sources/handover/Handover.docc", kind: "md")
    return try (pages + [Repository.root.appending(path: "README.md")]).flatMap { page in
      let parts = try Repository.text(page).components(separatedBy: "```")
      // Every other part is a block, whose first line is its language.
      return parts.indices.filter { !$0.isMultiple(of: 2) }.compactMap { position -> Sample? in
        let block = parts[position]
        let before = parts[position - 1].split(separator: "\n", omittingEmptySubsequences: true)
          .last
        guard block.hasPrefix("json\n"), before?.contains("<!-- part -->") != true else {
          return nil
        }
        return Sample(
          name: "\(page.lastPathComponent), block \(position)", text: String(block.dropFirst(5)))
      }
    }
  }

  /// Returns the literals and saved files of the tests that the reader accepts as scenarios.
  static func ofTests() throws -> [Sample] {
    var samples: [Sample] = []
    for file in try Repository.files(under: "Tests", kind: "swift") {
      let parts = try Repository.text(file).components(separatedBy: "\"\"\"")
      for position in parts.indices where !position.isMultiple(of: 2) {
        samples.append(
          Sample(name: "\(file.lastPathComponent), literal \(position)", text: parts[position]))
      }
    }
    let corpus = Repository.root.appending(path: "Tests/Fuzzing/Corpus")
    for name in try FileManager.default.contentsOfDirectory(atPath: corpus.path).sorted() {
      let bytes = try Repository.bytes(corpus.appending(path: name))
      samples.append(Sample(name: name, text: String(decoding: bytes, as: UTF8.self)))
    }
    let canary = Repository.root.appending(path: "Fixtures/Canary/must-fail.json")
    samples.append(Sample(name: canary.path, text: try Repository.text(canary)))
    return samples.filter { isScenario($0.text) }
  }

  private static func isScenario(_ text: String) -> Bool {
    ScenarioReader.read(file: "sample.json", bytes: Array(text.utf8)).scenario != nil
  }
}
