import Foundation
import Testing

/// A page of the documentation, as the conventions for commands divide it.
///
/// The comments directly before a fenced block are its marks:
///
/// - `<!-- file: NAME -->`: the reader saves the block as a file.
/// - `<!-- digits vary -->`: the output is that of a real run.
/// - `<!-- not run: REASON -->`: no test can run the commands.
/// - `<!-- part -->`: the JSON is not a complete scenario.
/// - `<!-- task: NAME -->`: the block is one of the first tasks of a new reader.
struct DocumentPage: Sendable, CustomTestStringConvertible {
  /// A fenced block.
  struct Block: Sendable {
    var language = ""
    var text = ""
    /// The line of the opening fence.
    var line = 0
    var marks: [String] = []
    /// The number of words on the page before the block.
    var wordsBefore = 0
    /// The number of words of the first paragraph after the block.
    var wordsAfter = 0

    /// The text of a mark after its name; nil if the block does not have the mark.
    func mark(_ name: String) -> String? {
      marks.first { $0.hasPrefix(name) }.map {
        $0.dropFirst(name.count).trimmingCharacters(in: [" ", ":"])
      }
    }

    /// Whether a test runs the commands of the block.
    var isRun: Bool { language == "console" && mark("not run") == nil }

    /// Each command of a transcript with the output that it shows.
    var steps: [(command: String, shown: [Substring])] {
      var steps: [(command: String, shown: [Substring])] = []
      for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
        if line.hasPrefix("$ ") {
          steps.append((String(line.dropFirst(2)), []))
        } else if let last = steps.indices.last {
          if steps[last].command.hasSuffix("\\") {
            steps[last].command += "\n" + line
          } else {
            steps[last].shown.append(line)
          }
        }
      }
      return steps
    }
  }

  let file: URL
  let text: String
  let blocks: [Block]
  /// Lines of prose that are indented as code.
  let indented: [Substring]

  var name: String { file.lastPathComponent }
  var testDescription: String { name }

  init(_ file: URL) throws {
    self.file = file
    text = try String(contentsOf: file, encoding: .utf8)
    var blocks: [Block] = []
    var indented: [Substring] = []
    var (open, marks, words, isAfter): (Block?, [String], Int, Bool) = (nil, [], 0, false)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      if let block = open {
        if line == "```" {
          blocks.append(block)
          (open, isAfter) = (nil, true)
        } else {
          open?.text += line + "\n"
        }
      } else if line.hasPrefix("```") {
        open = Block(
          language: String(line.dropFirst(3)), line: index + 1, marks: marks, wordsBefore: words)
      } else if let mark = line.wholeMatch(of: /<!-- (.*) -->/) {
        marks.append(String(mark.output.1))
        continue
      } else if !line.isEmpty {
        if line.hasPrefix("    ") { indented.append(line) }
        words += Self.words(line)
        if isAfter, let last = blocks.indices.last { blocks[last].wordsAfter += Self.words(line) }
      } else if isAfter, let last = blocks.last, last.wordsAfter > 0 {
        isAfter = false
      }
      if !line.isEmpty { marks = [] }
    }
    self.blocks = blocks
    self.indented = indented
  }

  /// The README and the pages of the catalog.
  static let all: [DocumentPage] = {
    let catalog = packageRoot.appending(path: "Sources/handover/Handover.docc")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: catalog.path))?.sorted()
    let pages = (names ?? []).filter { $0.hasSuffix(".md") }.map { catalog.appending(path: $0) }
    return ([packageRoot.appending(path: "README.md")] + pages).compactMap { try? DocumentPage($0) }
  }()

  static func named(_ name: String) throws -> DocumentPage {
    try #require(all.first { $0.name == name }, "there is no page \(name)")
  }

  /// The number of words of a line, without pictures and targets of links.
  private static func words(_ line: Substring) -> Int {
    line.replacing(/!\[[^\]]*\]\([^)]*\)/, with: "").replacing(/\]\([^)]*\)/, with: "]")
      .split(separator: " ").count { $0.contains { $0.isLetter || $0.isNumber } }
  }
}
