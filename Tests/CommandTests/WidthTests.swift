import Foundation
import Testing

/// Every command with a small input: the text for people fits the given number of columns.
@Suite("The width of text for people")
struct WidthTests {
  /// Command lines with placeholders.
  ///
  /// `%` is a failing scenario, `A` and `B` are reports, `C` are shards of one run, and `@` is a
  /// temporary folder.
  private static let lines = [
    "--help", "runn", "run --nothing", "run Scenarios/nothing.json", "run % --failures 0",
    "run Scenarios/stalls --failures 2", "run Scenarios/stalls --max-hang 5s --failures 1",
    "run Scenarios/stalls --seed 7 --repeat 2", "run Scenarios/stalls --only nothing",
    "run Scenarios/connection-limits/admission Scenarios/bugs", "run % --defect nothing",
    "run Scenarios/connection-limits/defects/u81-nothing-to-begin.json", "run % --shard 9/9",
    "check Fixtures/NewUser/mistakes.json", "check Scenarios/stalls", "check nothing.json",
    "list Scenarios/connection-limits", "profiles", "new @new.json", "new @none/new.json",
    "spec Scenarios/stalls", "spec Scenarios/stalls --uncovered", "spec Scenarios/stalls --space",
    "explain D8a", "explain in-background", "explain nothing", "explain %", "matrix %",
    "matrix Scenarios/stalls --backend exec:false", "matrix nothing", "compare A B",
    "compare A B --all", "compare A nothing", "compare % A", "merge C --output @m", "merge A",
    "merge nothing",
    "replay nothing", "replay %", "format --check Scenarios/stalls", "format nothing",
    "explore sockets --calls 1 --acts plain", "explore sockets --calls 1 --time zones",
    "explore sockets-monitor --calls 1 --depth 3", "explore nothing",
    "explore cfstream --calls 1 --acts plain --scope world --depth 4",
    "explore url-dispatcher --scope dispatcher --calls 1",
    "explore sockets-monitor --acts plain --defect double-end -o @found.json",
    "explore sockets-monitor --defect nothing", "explore sockets --swarm 5 --seed 1",
    "explore sockets-monitor --swarm 20 --seed 7 --defect P9 -o @swarm.json",
    "explore sockets --calls 1 --acts plain --budget 20", "explore sockets --acts calls,servers",
    "explore sockets --against model --acts calls --defect unsent -o @f",
    "explore sockets-monitor --calls 1 --acts plain --propose @proposed",
    "shrink % -o @small.json", "shrink Scenarios/stalls/killed.json", "shrink nothing",
    "selftest --list", "selftest C10", "selftest nothing", "selftest C10 --survey",
    "watch --count 1", "watch --count x", "record -o @recorded.json --for 10ms", "lab",
    "lab nothing", "backend", "backend new --language nothing", "backend check exec:false",
    "backend check", "try", "try --move nothing -- true", "try --help",
  ]

  @Test("No line is wider, except for an unbroken name or command", arguments: [60, 80])
  func widths(_ columns: Int) throws {
    let scratch = try ScratchDirectory()
    let canary = "Fixtures/Canary/must-fail.json"
    let (before, after) = (scratch.url.path + "/a", scratch.url.path + "/b")
    let shards = [1, 2].map { "\(scratch.url.path)/\($0)" }
    _ = try CommandLineRun("run", "Scenarios/stalls", canary, "-o", "jsonl=\(before)")
    _ = try CommandLineRun("run", "Scenarios/stalls", "--max-hang", "5s", "-o", "jsonl=\(after)")
    for (position, file) in shards.enumerated() {
      _ = try CommandLineRun(
        "run", "Scenarios/stalls", "--shard", "\(position + 1)/2", "-o", "jsonl=\(file)")
    }
    for line in Self.lines {
      let folder = scratch.url.appending(path: "own-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let words = line.split(separator: " ").map(String.init).flatMap { word -> [String] in
        switch word {
        case "%": [canary]
        case "A": [before]
        case "B": [after]
        case "C": shards
        default: [word.replacing("@", with: folder.path + "/")]
        }
      }
      let run = try CommandLineRun(words, environment: ["COLUMNS": "\(columns)"])
      let reported = run.output + run.errors
      #expect(!reported.isEmpty, "\(line)")
      for text in reported.split(separator: "\n") {
        #expect(Self.fits(text, columns), "\(line): \(text.count) columns: \(text)")
      }
    }
  }

  /// Whether a line fits, or contains a single item that cannot be broken.
  private static func fits(_ line: Substring, _ columns: Int) -> Bool {
    if line.count <= columns { return true }
    let reported = line.drop { $0 == " " }
    // Editors find a position with its error, which must be on one line.
    if reported.contains(/^\S+: (error|warning):\s/) { return true }
    // A command to copy, after its label.
    if reported.contains(/^(repeat +|- repeat: `|handover )/) { return true }
    // A word that is longer than the line, after its mark, is not broken either.
    let (indent, words) = (line.count - reported.count, reported.split(separator: " "))
    let mark = words.first.map { $0.count <= 2 ? $0.count + 1 : 0 } ?? 0
    return words.contains { indent + mark + $0.count > columns }
  }

  @Test(
    "Text is broken between words, and code is not broken",
    arguments: [
      (["explore", "sockets", "--calls", "1", "--acts", "plain", "--depth", "2"], "stopped at"),
      (["explore", "nothing"], "Error: There is no client for the profile \"nothing\"."),
    ])
  func breaking(_ arguments: [String], _ begin: String) throws {
    let wide = try CommandLineRun(arguments, environment: ["COLUMNS": ""])
    let narrow = try CommandLineRun(arguments, environment: ["COLUMNS": "60"])
    let (whole, broken) = (wide.output + wide.errors, narrow.output + narrow.errors)
    #expect(broken.hasPrefix(begin))
    #expect(broken.split(separator: "\n").count > whole.split(separator: "\n").count)
    #expect(broken.split(separator: /\s+/) == whole.split(separator: /\s+/))
  }
}
