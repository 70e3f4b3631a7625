import Foundation
import Glibc
import Testing

@Suite("Under limits on processes and files, exit status and report agree")
struct ResourceLimitTests {
  private struct Report {
    var passed = 0
    var errors = 0
    var isWhole = false

    init(_ output: String) {
      for line in output.split(separator: "\n") {
        if line.contains("\"kind\":\"summary\"") { isWhole = true }
        guard line.contains("\"kind\":\"caseEnded\"") else { continue }
        if line.contains("\"verdict\":\"ERROR\"") { errors += 1 }
        if line.contains("\"verdict\":\"PASSED\"") { passed += 1 }
      }
    }
  }

  /// Checks what must be true under any limit.
  private static func check(_ run: CommandLineRun, _ what: String) {
    let report = Report(run.output)
    switch run.status {
    case 0: #expect(report.isWhole && report.passed > 0 && report.errors == 0, "\(what)")
    // Nothing was read, or no report was started.
    case 2: #expect(report.passed == 0 && run.errors.contains("Too many open files"), "\(what)")
    case 3:
      #expect(report.errors > 0 || run.output.isEmpty, "\(what): \(run.output)")
      #expect(run.errors.contains("; increase the limit"), "\(what): \(run.errors)")
    default: Issue.record("\(what): status \(run.status), \(run.errors)")
    }
    #expect(!run.errors.contains("namespaces"), "\(what): \(run.errors)")
  }

  @Test(
    "The command works or fails cleanly under a limit on threads", .enabled(if: getuid() == 0),
    arguments: 1...6)
  func threads(_ limit: Int) throws {
    let scratch = try ScratchDirectory()
    for id in ["a", "b", "c", "d", "e", "f", "g", "h"] {
      let text = Sample.plain.replacing("\"good\"", with: "\"\(id)\"")
      _ = try scratch.write(text, to: "\(id).json")
    }
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: scratch.url.path)
    let command = try scratch.copyOfCommand()
    // The limit counts all processes of the user, so the test uses a user that runs nothing else.
    let user = 100_000 + Int(getpid()) * 10 + limit
    let run = try CommandLineRun(
      command: URL(filePath: "/usr/bin/setpriv"),
      [
        "--reuid=\(user)", "--regid=65534", "--clear-groups", "prlimit", "--nproc=\(limit)",
        command.path, "run", scratch.url.path, "--jobs", "8", "-o", "jsonl=-",
      ])
    Self.check(run, "\(limit) threads")
    // One thread listens for signals, and one worker is enough.
    #expect(run.status == (limit > 2 ? 0 : 3), "\(run.errors)")
    if run.status == 3 { #expect(run.errors.contains("ulimit -u")) }
  }

  @Test("The command works or fails cleanly under a limit on open files", arguments: 4...14)
  func files(_ limit: Int) throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Sample.plain, to: "s.json")
    let run = try CommandLineRun(
      command: URL(filePath: "/bin/sh"),
      [
        "-c", "ulimit -n \(limit); exec \"$0\" run \"$1\" -o jsonl=-", CommandLineRun.command.path,
        file,
      ])
    Self.check(run, "\(limit) files")
    if run.status == 3 { #expect(run.errors.contains("ulimit -n")) }
  }
}
