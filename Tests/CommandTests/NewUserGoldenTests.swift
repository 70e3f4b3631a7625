import Foundation
import Testing

/// The first outputs that a new user sees.
///
/// Each output is a file under Fixtures/NewUser, which `make golden` rewrites.
@Suite("First outputs for a new user, Golden")
struct NewUserGoldenTests {
  /// A command line and the destination of its output.
  struct View: Sendable, CustomTestStringConvertible {
    var name: String
    var arguments: [String]
    /// The width of the terminal, or `nil` for a pipe.
    var columns: UInt16?
    var environment: [String: String] = [:]

    var testDescription: String { name }
  }

  private static let folder = packageRoot.appending(path: "Fixtures/NewUser")
  private static let failing = ["run", "Fixtures/Canary/must-fail.json"]
  private static let mistakes = ["check", "Fixtures/NewUser/mistakes.json"]

  static let sights: [View] =
    [60, 80, 120].flatMap { (columns: UInt16) in
      [
        View(name: "failure-\(columns)", arguments: failing, columns: columns),
        View(name: "mistakes-\(columns)", arguments: mistakes, columns: columns),
      ]
    } + [
      View(name: "failure-pipe", arguments: failing),
      View(name: "mistakes-pipe", arguments: mistakes),
      View(
        name: "failure-no-color", arguments: failing, columns: 80,
        environment: ["NO_COLOR": "1"]),
      View(
        name: "failure-dumb", arguments: failing, columns: 80, environment: ["TERM": "dumb"]),
      View(
        name: "mistakes-dumb", arguments: mistakes, columns: 80, environment: ["TERM": "dumb"]),
    ]

  @Test("The output equals the golden file", arguments: sights)
  func view(_ view: View) throws {
    var text: String
    if let columns = view.columns {
      text = try TerminalRun(
        view.arguments, columns: columns, environment: view.environment
      ).screen
    } else {
      let run = try CommandLineRun(view.arguments, environment: view.environment)
      text = run.output + run.errors
    }
    try expect(text, is: view.name)
  }

  @Test("Two hundred failures are readable: ten in full, and one line for each of the others")
  func failures() throws {
    let scratch = try ScratchDirectory()
    let canary = packageRoot.appending(path: "Fixtures/Canary/must-fail.json")
    let text = try String(contentsOf: canary, encoding: .utf8)
    let id = try #require(text.firstMatch(of: /"id": "([^"]+)"/)).output.1
    for number in 1...200 {
      // Different ids, because equal failures would be shown once.
      let name = "failing-\(String(repeating: "0", count: 3 - "\(number)".count))\(number)"
      let own = text.replacing("\"id\": \"\(id)\"", with: "\"id\": \"\(name)\"")
        .replacing(/"\$schema": "[^"]*",\n/, with: "")
      _ = try scratch.write(own, to: "\(name).json")
    }
    let run = try CommandLineRun(
      "run", scratch.url.path, environment: ["COLUMNS": "80"])
    #expect(run.status == 1)
    #expect(run.output.split(separator: "\n").count < 720)
    try expect(run.output.replacing(scratch.url.path, with: "FOLDER"), is: "failures-200")
  }

  /// Compares with a file, in which an escape is written as ␛ and the version is a placeholder.
  private func expect(_ screen: String, is name: String) throws {
    let text = screen.replacing("\u{1B}", with: "␛")
      .replacing(/handover \d+\.\d+\.\d+[^\n␛]*/, with: "handover VERSION, KERNEL")
    let file = Self.folder.appending(path: "\(name).txt")
    if ProcessInfo.processInfo.environment["HANDOVER_GOLDEN"] == "1" {
      try Data(text.utf8).write(to: file)
    }
    let golden = try? String(contentsOf: file, encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let wanted = golden?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
    let first = zip(lines, wanted).first { $0 != $1 }
    #expect(
      golden == text,
      """
      \(name).txt differs; `make golden` accepts the new text
        is      \(first?.0 ?? "\(lines.count) lines")
        golden  \(first?.1 ?? "\(wanted.count) lines")
      """)
  }
}
