import Foundation
import Glibc
import Testing

@Suite("One signal ends any run within a second, with whole reports")
struct StopTests {
  /// What may pass between a signal and the end; on a machine that is busy, some more.
  private static let limit = Duration.seconds(5)

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
    "in the middle of a case that never ends",
    arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)], ["1", "2"])
  func inACase(_ signal: (number: Int32, status: Int32), jobs: String) throws {
    let scratch = try Self.directory()
    let report = scratch.url.appending(path: "r.out")
    let running = try StoppableRun(
      ["run", scratch.url.path, "--jobs", jobs, "-o", "jsonl=\(report.path)", "-o", "pretty=-"],
      environment: ["HANDOVER_TRAP": "hang:b [sockets]"])
    try running.waitForThreads()
    let (status, after) = running.end(by: signal.number)
    #expect(status == signal.status, "\(running.errors)")
    #expect(after < Self.limit)
    #expect(
      running.errors.contains("Interrupted: 1 of 3 scenarios were run; 2 cases came to no end."))
    let text = try String(contentsOf: report, encoding: .utf8)
    #expect(text.contains("\"interrupted\":true,\"unfinished\":2"))
    #expect(running.output.contains("Interrupted: what was finished is counted; 2 cases came"))
  }

  @Test("a matrix")
  func matrix() throws {
    let scratch = try Self.directory()
    let page = scratch.url.appending(path: "m.html")
    let running = try StoppableRun(
      ["matrix", scratch.url.path, "-o", "html=\(page.path)"],
      environment: ["HANDOVER_TRAP": "hang:b [sockets]"])
    try running.waitForThreads()
    let (status, after) = running.end(by: SIGINT)
    #expect(status == 130, "\(running.errors)")
    #expect(after < Self.limit)
    #expect(running.errors.contains("Interrupted: after 1 case; 2 came to no end."))
    #expect(try String(contentsOf: page, encoding: .utf8).hasSuffix("</html>\n"))
  }

  @Test("a backend that gives no answer; nothing of it remains")
  func process() throws {
    let scratch = try Self.directory()
    let backend = try scratch.write(
      """
      read -r line
      echo '{"version":1,"name":"mute","role":"client","time":"virtual","capabilities":[]}'
      read -r line || exit 0
      echo opened >"$0.opened"
      sleep 1000
      """, to: "mute.sh")
    let marker = ProcessMarker()
    let running = try StoppableRun(
      ["run", scratch.url.path, "--backend", "exec:sh \(backend)", "--patience", "60s"],
      environment: marker.environment)
    try running.wait { FileManager.default.fileExists(atPath: backend + ".opened") }
    let (status, after) = running.end(by: SIGINT)
    #expect(status == 130, "\(running.errors)")
    #expect(after < Self.limit)
    #expect(marker.processesLeft() == [])
  }

  @Test("a backend that never says who it is, asked before anything is run")
  func beforeTheRun() throws {
    let scratch = try Self.directory()
    let backend = try scratch.write("echo there >\"$0.there\"; sleep 1000\n", to: "mute.sh")
    let report = scratch.url.appending(path: "r.out")
    let running = try StoppableRun(
      ["run", scratch.url.path, "--backend", "exec:sh \(backend)", "--patience", "60s"]
        + ["-o", "jsonl=\(report.path)"])
    try running.wait { FileManager.default.fileExists(atPath: backend + ".there") }
    let (status, after) = running.end(by: SIGINT)
    #expect(status == 130, "\(running.errors)")
    #expect(after < Self.limit)
    #expect(running.errors.contains("Interrupted: no scenario was run."))
    #expect(try String(contentsOf: report, encoding: .utf8).contains("\"interrupted\":true"))
  }

  @Test(
    "a pipe that nobody writes to is refused and not waited for",
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

  @Test("a second signal ends at once")
  func twice() throws {
    let scratch = try Self.directory()
    let running = try StoppableRun(
      ["run", scratch.url.path], environment: ["HANDOVER_TRAP": "hang:a [sockets]"])
    try running.waitForThreads()
    kill(running.process.processIdentifier, SIGINT)
    let (status, after) = running.end(by: SIGINT)
    #expect(status == 130)
    #expect(after < Self.limit)
  }
}
