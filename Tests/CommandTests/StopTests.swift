import Foundation
import Glibc
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// `Tests/Benchmarks/signals` measures how soon a run ends after a signal.
@Suite("One signal ends any run, with complete reports")
struct StopTests {
  private static func directory() throws -> ScratchDirectory {
    let scratch = try ScratchDirectory()
    for id in ["a", "b", "c"] {
      let text = Sample.plain.replacing("\"good\"", with: "\"\(id)\"").replacing(
        "\"initial\"", with: "\"profiles\": [\"sockets\"], \"initial\"")
      _ = try scratch.write(text, to: "\(id).json")
    }
    return scratch
  }

  @Test(
    "A signal ends a case that never ends",
    arguments: [(SIGHUP, 129), (SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)], ["1", "2"])
  func inACase(_ signal: (number: Int32, status: Int32), jobs: String) throws {
    let scratch = try Self.directory()
    let report = scratch.url.appending(path: "r.out")
    let running = try StoppableRun(
      ["run", scratch.url.path, "--jobs", jobs, "-o", "jsonl=\(report.path)", "-o", "pretty=-"],
      environment: ["HANDOVER_TRAP": "hang:b [sockets]"])
    try running.waitForThreads()
    let status = running.end(by: signal.number)
    #expect(status == signal.status, "\(running.errors)")
    #expect(
      running.errors.contains("Interrupted: 1 of 3 scenarios ran; 2 cases did not finish."))
    let text = try String(contentsOf: report, encoding: .utf8)
    #expect(text.contains("\"interrupted\":true,\"unfinished\":2"))
    #expect(text.contains("\"unfinished_cases\":[\"b [sockets]\",\"c [sockets]\"]"))
    #expect(running.output.contains("Interrupted: only completed cases are counted; 2 cases did"))
    #expect(running.output.contains("did not finish: b [sockets], c [sockets]"))
  }

  @Test("A signal ends repetitions of a case", arguments: [SIGHUP, SIGINT, SIGTERM])
  func repetitions(_ signal: Int32) throws {
    let scratch = try Self.directory()
    let report = scratch.url.appending(path: "r.xml")
    let running = try StoppableRun(
      ["run", scratch.url.path, "--repeat", "1000000", "-o", "junit=\(report.path)"]
        + ["-o", "jsonl=-"])
    try running.wait { running.output.contains("\"kind\":\"header\"") }
    #expect(running.end(by: signal) == 128 + signal, "\(running.errors)")
    let xml = try XMLDocument(contentsOf: report)
    #expect(try xml.nodes(forXPath: "//testcase").isEmpty)
    #expect(running.output.contains("\"unfinished\":3"))
    #expect(unfinishedFiles(in: scratch) == [])
  }

  @Test(
    "A signal leaves no temporary file of handover format", arguments: [SIGHUP, SIGINT, SIGTERM])
  func format(_ signal: Int32) throws {
    // A run that ended before the signal shows nothing, so the run is repeated.
    var interrupted = 0
    for _ in 0..<100 where interrupted < 3 {
      let scratch = try ScratchDirectory()
      for number in 0..<300 {
        let text = Sample.plain.replacing("\"good\"", with: "\"number-\(number)\"")
        _ = try scratch.write(text, to: "\(number).json")
      }
      let running = try StoppableRun(["format", scratch.url.path])
      try running.wait { !unfinishedFiles(in: scratch).isEmpty }
      let status = running.end(by: signal)
      #expect([0, 128 + signal].contains(status), "\(running.errors)")
      if status != 0 { interrupted += 1 }
      #expect(unfinishedFiles(in: scratch) == [])
    }
    #expect(interrupted == 3)
  }

  @Test(
    "A signal ends a report to a pipe that is never opened; other reports are complete",
    arguments: [SIGINT, SIGTERM])
  func unopenedPipe(_ signal: Int32) throws {
    let scratch = try Self.directory()
    let report = scratch.url.appending(path: "r.out")
    let pipe = scratch.url.appending(path: "pipe").path
    unsafe mkfifo(pipe, 0o600)
    let running = try StoppableRun(
      ["run", scratch.url.path, "-o", "jsonl=\(report.path)", "-o", "tap=\(pipe)"])
    try running.wait { !unfinishedFiles(in: scratch).isEmpty }
    #expect(running.end(by: signal) == 128 + signal, "\(running.errors)")
    #expect(running.errors.contains("\(pipe): error: it cannot be written"))
    #expect(try String(contentsOf: report, encoding: .utf8).contains("\"interrupted\":true"))
    #expect(unfinishedFiles(in: scratch) == [])
  }

  @Test(
    "A signal ends a report to a pipe that is never read; other reports are complete",
    arguments: ["junit", "tap"])
  func unreadPipe(_ format: String) throws {
    let scratch = try ScratchDirectory()
    for number in 0..<100 {
      let text = Sample.plain.replacing("\"good\"", with: "\"s\(number)\"")
      _ = try scratch.write(text, to: "s\(number).json")
    }
    let report = scratch.url.appending(path: "r.out")
    let pipe = try FullPipe(scratch.url.appending(path: "pipe").path)
    let running = try StoppableRun(
      ["run", scratch.url.path, "-o", "jsonl=\(report.path)"]
        + ["-o", "\(format)=\(pipe.path)"])
    try running.waitForThreads(2)
    #expect(running.end(by: SIGINT) == 130, "\(running.errors)")
    #expect(
      running.errors.contains("\(pipe.path): error: it cannot be written: its reader stopped"))
    #expect(try String(contentsOf: report, encoding: .utf8).contains("\"kind\":\"summary\""))
    #expect(unfinishedFiles(in: scratch) == [])
  }

  /// Writes a backend that never answers and creates a file when it receives a command.
  private static func mute(in scratch: ScratchDirectory) throws -> String {
    try scratch.write(
      """
      read -r line
      echo '{"version":1,"name":"mute","role":"client","time":"virtual","capabilities":[]}'
      read -r line || exit 0
      echo opened >"$0.opened"
      sleep 1000
      """, to: "mute.sh")
  }

  @Test("A signal ends the check of a silent backend, and the results so far are printed")
  func check() throws {
    let scratch = try Self.directory()
    let backend = try Self.mute(in: scratch)
    let marker = ProcessMarker()
    let running = try StoppableRun(
      ["backend", "check", "sh \(backend)", "--timeout", "60s"],
      environment: marker.environment)
    try running.wait { FileManager.default.fileExists(atPath: backend + ".opened") }
    #expect(running.end(by: SIGTERM) == 143, "\(running.errors)")
    #expect(running.output == "✓ it sends a handshake (hello) of version 1\n")
    #expect(running.errors.contains("Interrupted: some rules were not checked."))
    #expect(marker.processesLeft() == [])
  }

  @Test("A signal ends a matrix")
  func matrix() throws {
    let scratch = try Self.directory()
    let page = scratch.url.appending(path: "m.html")
    let running = try StoppableRun(
      ["matrix", scratch.url.path, "-o", "html=\(page.path)"],
      environment: ["HANDOVER_TRAP": "hang:b [sockets]"])
    try running.waitForThreads()
    let status = running.end(by: SIGINT)
    #expect(status == 130, "\(running.errors)")
    #expect(running.errors.contains("Interrupted after 1 case; 2 did not finish."))
    #expect(try String(contentsOf: page, encoding: .utf8).hasSuffix("</html>\n"))
  }

  @Test(
    "A signal ends an exploration and a swarm, which report the results so far",
    arguments: [
      ([], "Interrupted, so nothing is proved: "),
      (["--swarm", "1000000"], "Interrupted after "),
      // A step of another process, and reading scenarios, may take until the final forced exit.
      (["--backend", "exec:python3 Fixtures/Backends/reference.py"], "Interrupted, so "),
      (["--propose", "%"], "Interrupted"),
    ], [SIGINT, SIGTERM])
  func exploration(_ line: (options: [String], words: String), _ signal: Int32) throws {
    let scratch = try ScratchDirectory()
    let options = line.options.map { $0 == "%" ? scratch.url.appending(path: "new").path : $0 }
    let running = try StoppableRun(
      ["explore", "sockets-monitor", "--hosts", "2", "--calls", "4"] + options)
    try running.waitForListener()
    #expect(running.end(by: signal) == 128 + signal, "\(running.errors)")
    #expect(running.errors.contains(line.words), "\(running.errors)")
  }

  @Test("A signal ends a run with a silent backend, and no process remains")
  func process() throws {
    let scratch = try Self.directory()
    let backend = try Self.mute(in: scratch)
    let marker = ProcessMarker()
    let running = try StoppableRun(
      ["run", scratch.url.path, "--backend", "exec:sh \(backend)", "--timeout", "60s"],
      environment: marker.environment)
    try running.wait { FileManager.default.fileExists(atPath: backend + ".opened") }
    let status = running.end(by: SIGINT)
    #expect(status == 130, "\(running.errors)")
    #expect(marker.processesLeft() == [])
  }

  @Test("A signal ends the wait for the handshake of a backend before the run")
  func beforeTheRun() throws {
    let scratch = try Self.directory()
    let backend = try scratch.write("echo there >\"$0.there\"; sleep 1000\n", to: "mute.sh")
    let report = scratch.url.appending(path: "r.out")
    let running = try StoppableRun(
      ["run", scratch.url.path, "--backend", "exec:sh \(backend)", "--timeout", "60s"]
        + ["-o", "jsonl=\(report.path)"])
    try running.wait { FileManager.default.fileExists(atPath: backend + ".there") }
    let status = running.end(by: SIGINT)
    #expect(status == 130, "\(running.errors)")
    #expect(running.errors.contains("Interrupted: no scenario ran."))
    #expect(try String(contentsOf: report, encoding: .utf8).contains("\"interrupted\":true"))
  }

  @Test(
    "A pipe without a writer is refused instead of waited for",
    arguments: ["run % ", "run # --known-failing %", "compare % %", "check %", "replay %"])
  func pipe(_ line: String) throws {
    let scratch = try Self.directory()
    let fifo = scratch.url.appending(path: "fifo").path
    unsafe mkfifo(fifo, 0o600)
    let run = try CommandLineRun(
      line.split(separator: " ").map {
        String($0).replacing("%", with: fifo).replacing("#", with: scratch.url.path + "/a.json")
      })
    #expect(run.status == 2, "\(run.errors)")
  }

  @Test("A closing terminal may send SIGHUP twice, and a run under nohup continues")
  func hangup() throws {
    let scratch = try Self.directory()
    let report = scratch.url.appending(path: "r.out")
    let words = ["run", scratch.url.path, "-o", "jsonl=\(report.path)", "-o", "pretty=-"]
    let running = try StoppableRun(words, environment: ["HANDOVER_TRAP": "hang:b [sockets]"])
    try running.waitForThreads()
    kill(running.process.processIdentifier, SIGHUP)
    #expect(running.end(by: SIGHUP) == 129, "\(running.errors)")
    #expect(try String(contentsOf: report, encoding: .utf8).contains("\"interrupted\":true"))
    let ignoring = try StoppableRun(
      words, environment: ["HANDOVER_TRAP": "hang:b [sockets]"], ignoring: "HUP")
    try ignoring.waitForThreads()
    kill(ignoring.process.processIdentifier, SIGHUP)
    #expect(ignoring.end(by: SIGTERM) == 143, "\(ignoring.errors)")
  }

  @Test("A second signal ends the command immediately")
  func twice() throws {
    let scratch = try Self.directory()
    let running = try StoppableRun(
      ["run", scratch.url.path], environment: ["HANDOVER_TRAP": "hang:a [sockets]"])
    try running.waitForThreads()
    kill(running.process.processIdentifier, SIGINT)
    let status = running.end(by: SIGINT)
    #expect(status == 130)
  }
}

/// A full named pipe with a reader that never reads.
private final class FullPipe {
  let path: String
  private let descriptor: Int32

  init(_ path: String) throws {
    self.path = path
    unsafe mkfifo(path, 0o600)
    descriptor = unsafe open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    let page = [UInt8](repeating: 0, count: 4_096)
    while unsafe write(descriptor, page, page.count) > 0 {}
  }

  deinit { close(descriptor) }
}
