import Foundation
import Glibc
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("A crash costs one case")
struct TrapTests {
  private static func scenario(_ id: String, in scratch: ScratchDirectory) throws {
    let text = Sample.plain.replacing("\"good\"", with: "\"\(id)\"").replacing(
      "\"initial\"", with: "\"profiles\": [\"sockets\", \"cfstream\"], \"initial\"")
    _ = try scratch.write(text, to: "\(id).json")
  }

  /// Creates a directory with four scenarios on two profiles.
  private static func directory() throws -> ScratchDirectory {
    let scratch = try ScratchDirectory()
    for id in ["a", "b", "c", "d"] { try scenario(id, in: scratch) }
    return scratch
  }

  @Test(
    "A crashed case is an error with the signal and the command that repeats it; the others run",
    arguments: ["SIGILL", "SIGTRAP", "SIGSEGV", "SIGBUS", "SIGFPE", "SIGABRT", "overflow"],
    [1, 3])
  func everySignal(_ kind: String, jobs: Int) throws {
    let scratch = try Self.directory()
    let path = scratch.url.path
    let out = try ScratchDirectory()
    let file = { (name: String) in out.url.appending(path: name).path }
    let run = try CommandLineRun(
      ["run", path, "--jobs", "\(jobs)", "-o", "jsonl=\(file("r.jsonl"))"]
        + ["-o", "junit=\(file("r.xml"))", "-o", "tap=\(file("r.tap"))", "-o", "pretty=-"]
        + ["-o", "github=\(file("r.txt"))"],
      environment: ["HANDOVER_TRAP": "\(kind):b [cfstream]", "SWIFT_BACKTRACE": "enable=no"])
    #expect(run.status == 3, "\(run.errors)")
    let name = kind == "overflow" ? "SIGSEGV" : kind
    let command = "handover run \(path)/b.json --profile cfstream"
    #expect(run.output.contains("7 passed, 0 failed"))
    #expect(run.output.contains("1 error (4 scenarios, 8 cases)"))
    for report in [run.output] + (try ["r.jsonl", "r.xml", "r.tap", "r.txt"].map(out.text)) {
      #expect(report.contains("internal error: \(name) ended the run"), "\(report)")
      #expect(report.contains(command), "\(report)")
    }
    let lines = try out.text("r.jsonl").split(separator: "\n")
    for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    #expect(lines.count == 10)
    // The order is that of the plan, even if threads crash.
    let ids = lines.compactMap { $0.firstMatch(of: /"id":"(.)","profile":"([a-z]+)"/) }
    #expect(
      ids.map { "\($0.1) \($0.2)" }
        == ["a", "b", "c", "d"].flatMap { ["\($0) sockets", "\($0) cfstream"] })
    let xml = try XMLDocument(xmlString: try out.text("r.xml"))
    #expect(try xml.nodes(forXPath: "//testcase").count == 8)
    #expect(try xml.nodes(forXPath: "//error").count == 1)
    #expect(try out.text("r.tap").contains("not ok 4 - b [cfstream]"))
  }

  @Test("Each of many crashes costs one case, in a matrix too", arguments: ["1", "4"])
  func matrix(_ jobs: String) throws {
    let scratch = try Self.directory()
    let run = try CommandLineRun(
      ["matrix", scratch.url.path, "--jobs", jobs, "-o", "json=-"],
      environment: ["HANDOVER_TRAP": "SIGILL:**", "SWIFT_BACKTRACE": "enable=no"])
    #expect(run.status == 3, "\(run.errors)")
    #expect(run.output.components(separatedBy: "SIGILL ended the run").count == 9)
    _ = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
  }

  @Test("A crash in a variant or a repetition costs its case")
  func variants() throws {
    let scratch = try Self.directory()
    for options in [["--variants"], ["--repeat", "3"], ["--fail-fast"]] {
      let run = try CommandLineRun(
        ["run", scratch.url.path, "-o", "jsonl=-"] + options,
        environment: ["HANDOVER_TRAP": "SIGABRT:a [sockets]", "SWIFT_BACKTRACE": "enable=no"])
      #expect(run.status == 3, "\(options): \(run.errors)")
      #expect(run.output.contains("\"errors\":1"))
    }
  }

  @Test("explain and spec isolate a crash too")
  func reported() throws {
    let scratch = try Self.directory()
    let file = scratch.url.appending(path: "a.json").path
    for command in [["explain", file], ["spec", scratch.url.path]] {
      let run = try CommandLineRun(
        command,
        environment: ["HANDOVER_TRAP": "SIGILL:a [cfstream]", "SWIFT_BACKTRACE": "enable=no"])
      #expect(run.status == 3, "\(run.errors)")
      #expect((run.output + run.errors).contains("SIGILL ended the run"), "\(run)")
    }
    let run = try CommandLineRun(
      ["explain", file],
      environment: ["HANDOVER_TRAP": "SIGILL:a [cfstream]", "SWIFT_BACKTRACE": "enable=no"])
    // The other profile is still explained.
    #expect(run.output.contains("sockets"), "\(run.output)")
  }

  @Test("A crash outside any case ends the run with complete reports of the finished cases")
  func outside() throws {
    let scratch = try Self.directory()
    let report = scratch.url.appending(path: "r.out").path
    let running = try StoppableRun(
      ["run", scratch.url.path, "-o", "jsonl=\(report)"],
      environment: ["HANDOVER_TRAP": "hang:c [sockets]", "SWIFT_BACKTRACE": "enable=no"])
    try running.waitForThreads()
    let status = running.end(by: SIGSEGV)
    #expect(status == 3, "\(running.errors)")
    #expect(running.errors.contains("SIGSEGV"))
    let text = try scratch.text("r.out")
    #expect(text.contains("\"passed\":4"))
    #expect(text.contains("\"interrupted\":true,\"unfinished\":4"))
  }
}

extension ScratchDirectory {
  fileprivate func text(_ name: String) throws -> String {
    try String(contentsOf: url.appending(path: name), encoding: .utf8)
  }
}
