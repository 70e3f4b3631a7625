import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("handover run --known-failing")
struct KnownFailureTests {
  /// Runs a failing scenario and a passing one, with a list of known failures.
  private static func run(_ known: String, _ more: String...) throws -> CommandLineRun {
    let scratch = try ScratchDirectory()
    let list = try scratch.write(known, to: "known.txt")
    _ = try scratch.write(Sample.withThreeMistakes, to: "three.json")
    _ = try scratch.write(Sample.plain, to: "good.json")
    return try CommandLineRun(["run", scratch.url.path, "--known-failing", list] + more)
  }

  @Test("A case that is known to fail is counted separately, and the run passes")
  func expected() throws {
    let run = try Self.run("# the first is known\n\nmistakes/* [sockets-*]  # for now\n")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains(" passed, 0 failed (1 failed as expected), 0 non-strict"))
    #expect(run.output.contains("Failed as expected (KNOWN)"))
    #expect(run.output.contains(/○ mistakes\/three \[sockets-monitor\]  \S*known.txt:3\n/))
    #expect(run.errors.isEmpty)
  }

  @Test("The name of a case can be copied from a report unchanged")
  func names() throws {
    #expect(try Self.run("mistakes/three [sockets-monitor]\n").status == 0)
    #expect(try Self.run("mistakes\r\n").status == 0)
    let marked = try Self.run("\u{feff}mistakes\r\n")
    #expect(marked.status == 0 && marked.errors.isEmpty, "\(marked.errors)")
  }

  @Test("Every report distinguishes known failures from others")
  func reports() throws {
    let known = "mistakes/three\n"
    let tap = try Self.run(known, "-o", "tap=-").output
    #expect(tap.contains(/not ok [0-9]+ - mistakes\/three \[sockets-monitor\] # TODO failed as/))
    #expect(tap.contains("\n# KNOWN: expected "))
    let lines = try Self.run(known, "-o", "jsonl=-").output.split(separator: "\n")
    let line = try #require(lines.first { $0.contains("\"mistakes/three\"") })
    #expect(line.contains("\"known\":true"))
    #expect(line.contains("\"verdict\":\"KNOWN\""))
    #expect(lines.last?.contains("\"failed\":0,\"failed_as_expected\":1") == true)
    let xml = try XMLDocument(xmlString: try Self.run(known, "-o", "junit=-").output, options: [])
    let messages = try xml.nodes(forXPath: "//skipped/@message").compactMap(\.stringValue)
    #expect(messages.count == 1)
    #expect(messages.first?.hasPrefix("failed as expected (") == true)
    #expect(try xml.nodes(forXPath: "//failure").isEmpty)
  }

  @Test("A case that is known to fail but passes is a failure with a hint")
  func unexpectedPass() throws {
    let run = try Self.run("mistakes/three\ngood [sockets]\n")
    #expect(run.status == 1)
    #expect(run.output.contains(" 1 failed (1 failed as expected)"))
    #expect(run.output.contains(/expected  the case fails, as \S*known.txt:2 states/))
    #expect(run.output.contains("seen      it passed; remove the line"))
    #expect(run.output.contains(/repeat +handover run .*--known-failing \S*known.txt\n/))
    #expect(!run.output.contains("no trace was kept"))
    let tap = try Self.run("mistakes/three\ngood [sockets]\n", "-o", "tap=-").output
    #expect(tap.contains(/\nnot ok [0-9]+ - good \[sockets\]\n/))
    #expect(tap.contains("kind: \"unexpectedPass\""))
  }

  @Test("A line that matches no case is reported, whatever was selected")
  func unmatched() throws {
    let known = "mistakes/three\nno/such [cfstream]\nmistakes/three [sockets]\n"
    let run = try Self.run(known)
    #expect(run.status == 0)
    #expect(run.errors.contains(/known.txt:2: warning: no case matches "no\/such \[cfstream\]"/))
    #expect(run.errors.contains("known.txt:3: warning: "))
    #expect(!run.errors.contains("known.txt:1: "))
    #expect(!(try Self.run(known, "--only", "good").errors.contains("known.txt:1: ")))
    let stopped = try Self.run("no/such\n", "--fail-fast")
    #expect(stopped.status == 1)
    #expect(!stopped.errors.contains("no case matches"))
  }

  @Test("Of many lines that match no case, the first are named and the rest are counted")
  func manyUnmatched() throws {
    let lines = (1...150).map { "**/*\($0)*x*y [sockets]\n" }.joined()
    let run = try Self.run("mistakes/three\n" + lines)
    #expect(run.status == 0)
    #expect(run.errors.matches(of: /: warning: no case matches/).count == 100)
    #expect(run.errors.contains("warning: no case matches 50 further lines\n"))
  }

  @Test("--fail-fast does not stop at a known failure")
  func failFast() throws {
    #expect(try Self.run("mistakes/three\n", "--fail-fast").status == 0)
  }

  @Test(
    "A broken list is reported with file and line, and nothing runs",
    arguments: [
      ("a b", ":1: error: ", "[malformed]"), ("\na [sockets] c", ":2: error: ", "[malformed]"),
      ("a [sockets", ":1: error: ", "[malformed]"), ("a [socket]", ":1: error: ", "[unknown-prof"),
      ("a []", ":1: error: ", "[unknown-profile]"), ("[sockets]", ":1: error: ", "[no-pattern]"),
      ("a\nb\na  # again", ":3: error: ", "is also in line 1"),
      ("a\u{1b}[31m", ":1: error: ", "[control-character]"),
    ])
  func strictness(_ list: String, _ position: String, _ message: String) throws {
    let run = try Self.run(list)
    #expect(run.status == 2)
    #expect(run.errors.contains("known.txt" + position), "\(run.errors)")
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(run.errors.contains("hint: "))
    #expect(run.output.isEmpty)
  }

  @Test("A list that is missing, or is not text, is reported")
  func unreadable() throws {
    let missing = try CommandLineRun("run", "--known-failing", "no/such/list")
    #expect(missing.status == 2)
    #expect(missing.errors.contains("no/such/list: error: the file cannot be read"))
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "bytes")
    try Data([0xff, 0xfe, 0x41]).write(to: file)
    let run = try CommandLineRun("run", "--known-failing", file.path)
    #expect(run.status == 2)
    #expect(run.errors.contains("[not-utf-8]"))
  }
}
