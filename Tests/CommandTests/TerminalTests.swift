import Foundation
import Glibc
import HandoverLinux
import Testing

/// A run of the built command in a terminal, as a person would start it.
struct TerminalRun {
  var status: Int32
  /// Everything that the command wrote to the terminal, without carriage returns at line ends.
  ///
  /// Both outputs are merged.
  var screen: String
  /// The standard output, if it is not the terminal.
  var output = ""

  /// Runs the command in the root of the package.
  ///
  /// - Parameters:
  ///   - arguments: The command line.
  ///   - columns: The width of the terminal.
  ///   - environment: Additional environment variables.
  ///   - pipesOutput: Whether standard output goes to a file, so that only standard error is the
  ///     terminal.
  /// - Throws: An error if the command cannot be started.
  init(
    _ arguments: [String], columns: UInt16 = 80, environment: [String: String] = [:],
    pipesOutput: Bool = false
  ) throws {
    let (ours, theirs) = try openTerminal()
    defer { close(ours) }
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = unsafe ioctl(theirs, UInt(TIOCSWINSZ), &size)
    let terminal = FileHandle(fileDescriptor: theirs, closeOnDealloc: false)
    let scratch = try ScratchDirectory()
    let file = URL(filePath: try scratch.write("", to: "out"))
    let process = Process()
    process.executableURL = CommandLineRun.command
    process.arguments = arguments
    var all = ProcessInfo.processInfo.environment
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "FORCE_COLOR", "COLUMNS"] {
      all[name] = nil
    }
    all["TERM"] = "xterm"
    process.environment = all.merging(environment) { $1 }
    process.currentDirectoryURL = packageRoot
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipesOutput ? try FileHandle(forWritingTo: file) : terminal
    process.standardError = terminal
    try process.run()
    close(theirs)
    // Reading ends when the last process closes the other end.
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = unsafe read(ours, &buffer, buffer.count)
      if count > 0 { bytes += buffer.prefix(count) } else if count == 0 || errno != EINTR { break }
    }
    process.waitUntilExit()
    status = process.terminationStatus
    screen = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
    output = try String(contentsOf: file, encoding: .utf8)
  }
}

@Suite("Terminals and pipes")
struct TerminalTests {
  /// Returns the visible lines of a text, without colors.
  private static func lines(_ text: String) -> [Substring] {
    text.replacing(/\u{1b}\[[0-9;]*m/, with: "").split(separator: "\n")
  }

  @Test(
    "Text for people fits the terminal",
    arguments: [60, 80, 120],
    [
      "run Fixtures/Canary/must-fail.json", "run Scenarios/stalls", "explain %", "list Scenarios",
      "matrix Scenarios/stalls", "spec Scenarios/stalls",
    ])
  func widths(_ columns: UInt16, _ line: String) throws {
    let words = line.replacing("%", with: "Scenarios/stalls/killed.json")
    let run = try TerminalRun(words.split(separator: " ").map(String.init), columns: columns)
    #expect(run.screen.split(separator: "\n").count > 5)
    for line in Self.lines(run.screen) {
      // A command to copy, an address and a file name are never broken. The same is true for
      // Markdown code and for a word that is longer than the line.
      let isWhole = ["handover ", "Scenarios/", "Fixtures/", "#", "error:", "`"]
        .contains(where: line.contains)
      let isWord = !line.drop { $0 == " " }.contains(" ")
      #expect(line.count <= Int(columns) || isWhole || isWord, "\(words): \(line)")
    }
  }

  @Test("COLUMNS sets the width, in a pipe too; without it a pipe has the default width")
  func columns() throws {
    let canary = "Fixtures/Canary/must-fail.json"
    let narrow = try CommandLineRun("run", canary, environment: ["COLUMNS": "60"])
    #expect(narrow.output.contains("  channels  channel 1 created\n"))
    let usual = try CommandLineRun("run", canary, environment: ["COLUMNS": ""])
    #expect(usual.output.contains(" │ channels "))
    #expect(usual.output.split(separator: "\n").allSatisfy { $0.count <= 96 })
    let screen = try TerminalRun(["run", canary], columns: 60).screen
    #expect(Self.lines(screen).contains { $0.contains("  channels  channel 1 created") })
  }

  @Test("Longer work shows its progress, and removes it from the terminal at the end")
  func progress() throws {
    // Even on a much faster machine, the work takes longer than a second without progress.
    let long = ["run", "Scenarios", "--repeat", "24", "-o", "jsonl=-"]
    let run = try TerminalRun(long, pipesOutput: true)
    #expect(run.status == 0)
    #expect(run.screen.contains(/\r\u{1b}\[K\d+ of \d+ scenarios, 1 running/))
    #expect(run.screen.hasSuffix("\r\u{1b}[K"), "\(run.screen.suffix(80))")
    #expect(!run.output.contains(/\d+ of \d+ scenarios/))
    #expect(run.output.split(separator: "\n").allSatisfy { $0.hasPrefix("{") })
    let still = try TerminalRun(long + ["--progress", "never"], pipesOutput: true)
    #expect(still.screen.isEmpty, "\(still.screen)")
    // Results on the same terminal are still whole lines.
    let both = try TerminalRun(["run", "Scenarios", "--repeat", "26"])
    #expect(both.screen.contains("\r\u{1b}[K"))
    for line in both.screen.split(separator: "\n") where line.contains("✓") {
      let shown = line.split(separator: "\u{1b}[K").last ?? ""
      #expect(!shown.contains(" running"), "\(shown)")
    }
  }

  @Test("A pipe shows no progress unless requested")
  func progressInPipe() throws {
    let whole = ["run", "Scenarios", "--repeat", "24", "-o", "jsonl=-"]
    #expect(try CommandLineRun(whole).errors.isEmpty)
    let reported = try CommandLineRun(whole + ["--progress", "always"])
    // The only line in a pipe may be printed while the worker is between two scenarios.
    #expect(reported.errors.contains(/^\d+ of \d+ scenarios(, 1 running)?/))
    #expect(!reported.errors.contains("\u{1b}"))
    #expect(!reported.output.contains(/\d+ of \d+ scenarios/))
  }

  @Test(
    "Color follows the environment, or else the terminal",
    arguments: [
      ([:], true), (["NO_COLOR": "1"], false), (["TERM": "dumb"], false),
      (["TERM": "dumb", "FORCE_COLOR": "1"], true), (["CLICOLOR": "0"], false),
      (["FORCE_COLOR": "0"], false), (["FORCE_COLOR": "1", "NO_COLOR": "1"], false),
      (["NO_COLOR": ""], true),
    ] as [([String: String], Bool)])
  func colors(_ environment: [String: String], _ isColored: Bool) throws {
    let run = try TerminalRun(["run", "Scenarios/stalls/killed.json"], environment: environment)
    #expect(run.screen.contains("\u{1b}[3") == isColored, "\(environment)")
  }

  @Test(
    "A pipe has color only if requested",
    arguments: [
      ([:], false), (["FORCE_COLOR": "1"], true), (["CLICOLOR_FORCE": "1"], true),
      (["FORCE_COLOR": "0"], false), (["FORCE_COLOR": "3", "NO_COLOR": "1"], false),
    ] as [([String: String], Bool)])
  func pipes(_ environment: [String: String], _ isColored: Bool) throws {
    let run = try CommandLineRun("run", "Scenarios/stalls/killed.json", environment: environment)
    #expect(run.output.contains("\u{1b}[3") == isColored, "\(environment)")
  }
}
