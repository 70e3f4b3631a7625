import Foundation
import Glibc
import Testing

/// Signals sent to single threads, as if each thread had crashed.
@Suite(
  "A crash costs one case in real time too",
  .enabled(if: labIsThere && Program.find("python3") != nil), .serialized)
struct LiveTrapTests {
  private let scratch: ScratchDirectory
  private let marker = ProcessMarker()

  init() throws {
    scratch = try ScratchDirectory()
  }

  /// Writes a scenario whose call streams until it is cancelled.
  private func scenario(_ id: String, cancelled instant: String) throws {
    _ = try scratch.write(
      """
      { "format": 1, "id": "\(id)", "profiles": ["linux-sockets"],
        "initial": { "flags": ["Reachable"] }, "hosts": { "a:1": {} },
        "timeline": [
          { "at": "0s", "call": { "id": "s", "host": "a:1", "kind": "streaming" } },
          { "at": "\(instant)", "cancel": "s" }],
        "expect": [{ "call": "s", "status": "CANCELLED" }] }
      """, to: "\(id).json")
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: scratch.url.appending(path: name), encoding: .utf8)
  }

  /// Sends a signal to one thread of a run.
  private func hit(_ running: StoppableRun, thread: Int, by signal: Int32) throws {
    let call = "import ctypes, sys; ctypes.CDLL(None).syscall(234, *map(int, sys.argv[1:]))"
    let python = URL(filePath: "/usr/bin/env")
    let hit = try CommandLineRun(
      command: python,
      ["python3", "-c", call, "\(running.process.processIdentifier)", "\(thread)", "\(signal)"])
    #expect(hit.status == 0, "\(hit.errors)")
  }

  /// Waits for the threads with a name and sends a signal to one of them.
  private func hit(_ running: StoppableRun, _ name: String, position: Int = 0) throws {
    var threads: [Int] = []
    try running.wait {
      threads = running.threads { $0.hasPrefix(name) }
      return threads.count > position
    }
    try hit(running, thread: try #require(threads.dropFirst(position).first), by: SIGSEGV)
  }

  private func expectOneError(_ running: StoppableRun) throws {
    #expect(running.status() == 3, "\(running.errors)")
    let lines = try text("r.jsonl").split(separator: "\n")
    for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    try #require(lines.count == 4, "\(lines)")
    #expect(lines[1].contains("internal error: SIGSEGV ended the run"))
    #expect(lines[1].contains("\"id\":\"a\"") && lines[1].contains("\"repeat\":"))
    #expect(lines[2].contains("\"id\":\"b\"") && lines[2].contains("\"verdict\":\"PASSED\""))
    #expect(lines[3].contains("\"interrupted\":false"))
    #expect(marker.processesLeft() == [])
    #expect(unfinishedFiles(in: scratch) == [])
  }

  private func start(_ arguments: [String]) throws -> StoppableRun {
    try scenario("a", cancelled: "50s")
    try scenario("b", cancelled: "100ms")
    return try StoppableRun(
      ["run", scratch.url.path, "--require-lab", "--jobs", "1", "--tolerance", "10s"] + arguments
        + ["-o", "jsonl=\(scratch.url.path)/r.jsonl"],
      environment: marker.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 })
  }

  @Test(
    "A crash of an event loop or of the link emulator costs one case",
    arguments: [("NIO-ELT", 0), ("NIO-ELT", 1), ("lab-air", 0)] as [(String, Int)])
  func loops(_ name: String, _ position: Int) throws {
    let running = try start(["--backend", "nio"])
    try running.wait { running.threads { $0.hasPrefix("NIO-ELT") }.count == 2 }
    try hit(running, name, position: position)
    try expectOneError(running)
  }

  @Test("A crash of the link emulator around a client with its own sockets costs one case")
  func process() throws {
    let live = "python3 \(packageRoot.path)/Fixtures/Backends/live.py"
    let running = try start(["--backend", "lab:\(live)", "--server", "\(live) --server"])
    try hit(running, "lab-air")
    try expectOneError(running)
  }

  @Test(
    "A crash of the simulation before the real run costs one case",
    arguments: ["SIGSEGV", "overflow"])
  func simulation(_ kind: String) throws {
    try scenario("a", cancelled: "100ms")
    try scenario("b", cancelled: "100ms")
    for command in [["run", "-o", "jsonl=-"], ["matrix", "-o", "json=-"]] {
      let run = try CommandLineRun(
        command + [scratch.url.path, "--backend", "nio", "--require-lab", "--tolerance", "10s"],
        environment: [
          "HANDOVER_TRAP": "\(kind)@simulation:a *", "SWIFT_BACKTRACE": "enable=no",
        ])
      #expect(run.status == 3, "\(run.output)\(run.errors)")
      #expect(
        run.output.components(separatedBy: "SIGSEGV ended the run").count == 2, "\(run.output)")
      #expect(run.output.contains("\"verdict\":\"PASSED\""), "\(run.output)")
    }
  }

  @Test(
    "A crash of a thread of `lab exec` ends the command and everything that it started",
    arguments: ["air", "server"])
  func exec(_ name: String) throws {
    try scenario("a", cancelled: "50s")
    let frames = scratch.url.appending(path: "frames.pcap")
    let running = try StoppableRun(
      ["lab", "exec", "\(scratch.url.path)/a.json", "--pcap", frames.path]
        + ["--", "sh", "-c", "echo there; sleep 600 & sleep 600"],
      environment: marker.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 })
    try running.wait { running.output.contains("there") }
    try hit(running, "lab-\(name)")
    #expect(running.status() == 3, "\(running.errors)")
    #expect(running.errors.contains("internal error outside of any case: SIGSEGV"))
    #expect(FileManager.default.fileExists(atPath: frames.path))
    #expect(marker.processesLeft() == [])
    #expect(unfinishedFiles(in: scratch) == [])
  }
}
