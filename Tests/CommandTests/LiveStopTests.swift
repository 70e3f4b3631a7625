import Foundation
import Glibc
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// `Tests/Benchmarks/signals` measures how soon a run ends after a signal.
@Suite(
  "One signal ends any run in the lab, with complete reports", .enabled(if: labIsThere), .serialized
)
struct LiveStopTests {
  private let scratch: ScratchDirectory
  private let marker = ProcessMarker()

  init() throws {
    scratch = try ScratchDirectory()
  }

  private func file(_ name: String) -> URL { scratch.url.appending(path: name) }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: file(name), encoding: .utf8)
  }

  /// Writes a scenario whose call streams for most of a minute.
  private func streaming(_ id: String) throws -> String {
    try scratch.write(
      """
      { "format": 1, "id": "\(id)", "profiles": ["linux-sockets"],
        "initial": { "flags": ["Reachable"] }, "hosts": { "a:1": {} },
        "timeline": [
          { "at": "0s", "call": { "id": "s", "host": "a:1", "kind": "streaming" } },
          { "at": "50s", "cancel": "s" }],
        "expect": [{ "call": "s", "status": "CANCELLED" }] }
      """, to: "\(id).json")
  }

  /// The options for the reports.
  private var reports: [String] {
    ["-o", "jsonl=\(file("r.jsonl").path)", "-o", "junit=\(file("r.xml").path)"]
      + ["-o", "tap=\(file("r.tap").path)", "-o", "pretty=-"]
  }

  private func start(_ arguments: [String]) throws -> StoppableRun {
    try StoppableRun(arguments, environment: marker.environment)
  }

  /// Expects that nothing is left, and that every report is complete and names the unfinished
  /// cases.
  private func expectWholeReports(_ running: StoppableRun, unfinished: [String]) throws {
    let lines = try text("r.jsonl").split(separator: "\n")
    for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    let names = unfinished.map { "\"\($0)\"" }.joined(separator: ",")
    #expect(lines.last?.contains("\"unfinished_cases\":[\(names)]") == true, "\(lines)")
    let xml = try XMLDocument(contentsOf: file("r.xml"))
    let named = try xml.nodes(forXPath: "//property[@name='unfinished-case']/@value")
    // Properties belong to a suite, and a run without a finished case has no suite.
    #expect(named.isEmpty || named.compactMap(\.stringValue) == unfinished)
    #expect(try text("r.tap").contains("Bail out! interrupted"))
    #expect(running.output.contains("did not finish: \(unfinished.joined(separator: ", "))"))
    try expectNothingLeft()
  }

  private func expectNothingLeft() throws {
    #expect(marker.processesLeft() == [])
    #expect(unfinishedFiles(in: scratch) == [])
  }

  @Test(
    "A signal ends a run of the built-in client with open connections",
    arguments: [SIGINT, SIGTERM], ["1", "3"])
  func nio(_ signal: Int32, _ jobs: String) throws {
    let files = try ["a", "b", "c"].map(streaming)
    let before = Machine.now
    let running = try start(
      ["run", "--backend", "nio", "--require-lab", "--jobs", jobs] + files + reports)
    try running.wait { !running.threads { $0.hasPrefix("NIO-ELT") }.isEmpty }
    #expect(running.end(by: signal) == 128 + signal, "\(running.errors)")
    try expectWholeReports(running, unfinished: ["a", "b", "c"].map { "\($0) [linux-sockets]" })
    #expect(Machine.now == before)
  }

  @Test("A signal ends a matrix")
  func matrix() throws {
    let page = file("m.html")
    let running = try start(
      ["matrix", try streaming("a"), "--backend", "nio", "--require-lab"]
        + ["-o", "html=\(page.path)", "-o", "json=\(file("m.json").path)"])
    try running.wait { !running.threads { $0.hasPrefix("NIO-ELT") }.isEmpty }
    #expect(running.end(by: SIGINT) == 130, "\(running.errors)")
    #expect(try text("m.html").hasSuffix("</html>\n"))
    _ = try JSONSerialization.jsonObject(with: try Data(contentsOf: file("m.json")))
    try expectNothingLeft()
  }

  @Test(
    "A signal ends a client with its own sockets that ignores requests to end",
    .enabled(if: Program.find("python3") != nil), arguments: [SIGINT, SIGTERM])
  func process(_ signal: Int32) throws {
    let live = "python3 \(packageRoot.path)/Fixtures/Backends/live.py"
    let client = try scratch.write(
      """
      trap '' TERM INT
      echo >>"$0.there"
      \(live)
      while [ "$(wc -l <"$0.there")" -gt 1 ]; do sleep 600; done
      """,
      to: "client.sh")
    let before = Machine.now
    let running = try start(
      ["run", try streaming("a"), "--require-lab", "--backend", "lab:sh \(client)"]
        + ["--server", "\(live) --server"] + reports)
    // The client is started once for the handshake and again for the case.
    try running.wait { (try? text("client.sh.there"))?.count == 2 }
    #expect(running.end(by: signal) == 128 + signal, "\(running.errors)")
    try expectWholeReports(running, unfinished: ["a [linux-sockets]"])
    #expect(Machine.now == before)
  }

  @Test(
    "A signal ends a program in the lab that ignores it, and the captured frames are complete",
    arguments: [SIGHUP, SIGINT, SIGTERM])
  func exec(_ signal: Int32) throws {
    let frames = file("frames.pcap")
    let before = Machine.now
    let running = try start(
      ["lab", "exec", try streaming("a"), "--pcap", frames.path, "--", "sh", "-c"]
        + ["trap '' HUP TERM INT; echo there; while :; do sleep 600; done"])
    try running.wait { running.output.contains("there") }
    // The file gets its name only when it is complete.
    #expect(!FileManager.default.fileExists(atPath: frames.path))
    #expect(running.end(by: signal) == 128 + signal, "\(running.errors)")
    let bytes = [UInt8](try Data(contentsOf: frames))
    #expect(Array(bytes.prefix(4)) == [0x0A, 0x0D, 0x0D, 0x0A])
    try expectNothingLeft()
    #expect(Machine.now == before)
  }

  @Test(
    "A signal leaves no folder of the lab's certificate, even if a second one ends the command",
    arguments: [
      ["try", "--move", "nat", "--", "sleep", "600"], ["lab", "serve", "--until", "10min"],
    ], [1, 2])
  func certificate(_ arguments: [String], _ count: Int) throws {
    func certificates() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).filter {
        FileManager.default.fileExists(atPath: file($0).appending(path: "ca.pem").path)
      }
    }
    let input = Pipe()
    let running = try StoppableRun(
      arguments, environment: marker.environment.merging(["TMPDIR": scratch.url.path]) { $1 },
      input: input)
    try running.wait {
      !running.output.isEmpty || running.errors.contains("after the change.")
    }
    #expect(try certificates().count == 1, "\(running.errors)")
    // Two different signals, because the kernel merges equal ones. If both are pending, either can
    // be handled first.
    let signals = count == 2 ? [SIGINT, SIGTERM] : [SIGTERM]
    if count == 2 { kill(running.process.processIdentifier, SIGINT) }
    #expect(signals.map { 128 + $0 }.contains(running.end(by: SIGTERM)), "\(running.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == [])
    try expectNothingLeft()
  }

  @Test("A signal ends the demonstration")
  func demo() throws {
    let running = try start(["lab", "demo", "--watch", "1min"])
    try running.wait { running.output.contains("the call is connected") }
    #expect(running.end(by: SIGINT) == 130, "\(running.errors)")
    try expectNothingLeft()
  }

  @Test(
    "A signal ends watching and recording of the live network",
    arguments: [SIGHUP, SIGINT, SIGTERM])
  func network(_ signal: Int32) throws {
    let watching = try start(["watch", "-o", "jsonl"])
    try watching.wait { watching.output.hasSuffix("\n") }
    #expect(watching.end(by: signal) == 128 + signal, "\(watching.errors)")
    for line in watching.output.split(separator: "\n") {
      _ = try JSONSerialization.jsonObject(with: Data(line.utf8))
    }
    let shown = try start(["record", "-o", "-"])
    try shown.wait { shown.errors.split(separator: "\n").count >= 3 }
    #expect(
      shown.errors.hasPrefix("Recording. Press Ctrl-C to stop and write to standard output.\n"))
    #expect(shown.end(by: signal) == 128 + signal, "\(shown.errors)")
    let recording = try start(["record", "-o", file("r.json").path])
    // Two lines of introduction, and the current state.
    try recording.wait { recording.errors.split(separator: "\n").count >= 3 }
    #expect(recording.end(by: signal) == 128 + signal, "\(recording.errors)")
    #expect(try CommandLineRun("check", file("r.json").path).status == 0)
    try expectNothingLeft()
  }
}
