import Foundation
import Glibc
import Testing

/// A run of `handover lab serve` with which a test exchanges lines.
private final class ServedLab {
  struct NoAnswer: Error {}

  let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let scratch: ScratchDirectory
  private var rest = Data()

  /// Starts the session and reads its first line.
  init(_ arguments: [String] = [], environment: [String: String] = [:]) throws {
    scratch = try ScratchDirectory()
    let errors = scratch.url.appending(path: "err")
    try Data().write(to: errors)
    process.executableURL = CommandLineRun.command
    process.arguments = ["lab", "serve"] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.currentDirectoryURL = packageRoot
    process.standardInput = input
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    #expect(try next()["kind"] as? String == "ready")
  }

  deinit {
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
  }

  var errors: String {
    (try? String(contentsOf: scratch.url.appending(path: "err"), encoding: .utf8)) ?? ""
  }

  /// Reads the next line.
  func next() throws -> [String: Any] {
    while true {
      if let end = rest.firstIndex(of: 0x0A) {
        let line = rest[..<end]
        rest = Data(rest[(end + 1)...])
        return try JSONSerialization.jsonObject(with: line) as? [String: Any] ?? [:]
      }
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { throw NoAnswer() }
      rest += data
    }
  }

  func write(_ text: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
  }

  /// Sends a request and returns its answer.
  @discardableResult
  func ask(_ request: [String: Any]) throws -> [String: Any] {
    let line = try JSONSerialization.data(withJSONObject: request)
    try write(String(decoding: line, as: UTF8.self) + "\n")
    return try next()
  }

  func start(_ program: String...) throws -> [String: Any] {
    try ask(["cmd": "start", "program": program])
  }

  func observe() throws -> [String: Any] { try ask(["cmd": "observe"]) }

  /// Observes up to five minutes until a condition holds.
  func observe(
    until isSo: ([String: Any]) -> Bool
  ) throws -> [String: Any] {
    var observed: [String: Any] = [:]
    let isObserved = try comesTrue(within: .seconds(300)) {
      observed = try observe()
      return isSo(observed)
    }
    try #require(isObserved)
    return observed
  }

  func close() throws -> Int32 {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Closes the end from which answers are read.
  func stopReading() throws { try output.fileHandleForReading.close() }
}

extension [String: Any] {
  fileprivate func list(_ key: String) -> [[String: Any]] { self[key] as? [[String: Any]] ?? [] }
  fileprivate func number(_ key: String) -> Int? { self[key] as? Int }

  /// How often application data arrived.
  fileprivate var payloads: Int {
    list("connections").reduce(0) { $0 + ($1.number("payloads") ?? 0) }
  }
}

@Suite("handover lab serve", .enabled(if: labIsThere), .serialized)
struct LabServeTests {
  private let marker = ProcessMarker()

  private func session(_ arguments: String...) throws -> ServedLab {
    try ServedLab(arguments, environment: marker.environment)
  }

  @Test(
    "A client that reconnects recovers from a move, and the outage is reported",
    .enabled(if: Program.find("python3") != nil), arguments: ["cellular", "hotspot", "nat-forgets"])
  func recovers(_ move: String) throws {
    let lab = try session()
    #expect(try lab.start("python3", "-c", Program.impatient)["program"] as? Int == 1)
    let before = try lab.observe { $0.payloads >= 3 }
    #expect(before.list("outages").isEmpty)
    #expect(try lab.ask(["cmd": "move", "to": move])["kind"] as? String == "moved")
    let seen = try lab.observe { $0.list("outages").last?.number("recovers_us") != nil }
    let outage = try #require(seen.list("outages").last)
    #expect(outage.number("attempts") ?? 0 >= 1)
    #expect(outage.number("recovers_us") ?? 0 >= 1_000_000)
    #expect(seen.list("moves").map { $0["text"] as? String } == ["wifi", move])
    #expect(seen.list("connections").count >= 2)
    let names = seen.list("connections").compactMap { $0["name"] as? String }
    #expect(names.allSatisfy { $0.hasSuffix(" to api.example:80") }, "\(names)")
    #expect(try lab.close() == 0, "\(lab.errors)")
    #expect(marker.processesLeft() == [])
  }

  @Test(
    "A client that waits on a dead connection has an outage without recovery",
    .enabled(if: Program.find("curl") != nil))
  func hangs() throws {
    let lab = try session("--network", "cellular")
    _ = try lab.start("curl", "-sN", "http://api.example/drip")
    _ = try lab.observe { $0.payloads >= 3 }
    try lab.ask(["cmd": "move", "to": "wifi"])
    let seen = try lab.observe { $0.list("outages").last?.number("watched_us") ?? 0 > 3_000_000 }
    let outage = try #require(seen.list("outages").last)
    #expect(outage.number("recovers_us") == nil && outage["program_end"] == nil)
    #expect(outage.number("attempts") == 0)
    #expect(seen.list("connections").count == 1)
    let stopped = try lab.ask(["cmd": "stop", "program": 1])
    #expect(stopped.number("signal") == Int(SIGTERM))
    #expect(try lab.close() == 0)
  }

  @Test("An outage lasts while the uplink is dead, and its end is not an outage")
  func uplink() throws {
    let lab = try session()
    _ = try lab.start("curl", "-sN", "http://api.example/drip")
    _ = try lab.observe { $0.payloads >= 3 }
    try lab.ask(["cmd": "move", "to": "uplink-dead"])
    let dead = try lab.observe { $0.list("outages").last?.number("watched_us") ?? 0 > 1_000_000 }
    #expect(dead.list("outages").last?["doubt"] as? String == "no-network")
    try lab.ask(["cmd": "move", "to": "uplink-back"])
    let seen = try lab.observe { $0.list("outages").last?.number("recovers_us") != nil }
    #expect(seen.list("outages").count == 1)
    #expect(seen.list("outages").last?.number("unusable_us") ?? 0 >= 1_000_000)
  }

  @Test("A program that exits is reported with its status and its output")
  func exits() throws {
    let lab = try session()
    _ = try lab.start("sh", "-c", "echo \"$WORD\"; exit 7")
    let request: [String: Any] = [
      "cmd": "start", "program": ["sh", "-c", "echo $WORD; kill -9 $$"],
      "environment": ["WORD": "changed"],
    ]
    #expect(try lab.ask(request).number("program") == 2)
    let seen = try lab.observe {
      $0.list("programs").allSatisfy { $0["running"] as? Bool == false }
    }
    let programs = seen.list("programs")
    #expect(programs.map { $0.number("status") } == [7, nil])
    #expect(programs.map { $0.number("signal") } == [nil, 9])
    #expect(programs.map { $0["output"] as? String } == ["\n", "changed\n"])
    let again = try lab.ask(["cmd": "stop", "program": 1])
    #expect(again.number("status") == 7)
  }

  @Test("An answer that reports a program as ended also contains the time of its end")
  func endIsNoted() throws {
    let lab = try session()
    for _ in 1...30 {
      _ = try lab.start("true")
      let seen = try lab.observe {
        $0.list("programs").allSatisfy { $0["running"] as? Bool == false }
      }
      #expect((seen.list("moves").last?["text"] as? String)?.hasPrefix("the program ended") == true)
    }
  }

  @Test("A process that a program leaves behind is counted, and ends with the session")
  func forks() throws {
    let lab = try session()
    _ = try lab.start("sh", "-c", "setsid sleep 3600 >/dev/null 2>&1 & exit 0")
    _ = try lab.observe { seen in
      seen.list("programs").last?["running"] as? Bool == false && seen.number("processes") == 1
    }
    #expect(try lab.close() == 0)
    #expect(marker.processesLeft() == [])
  }

  @Test("The output of a program that floods is shortened, and requests still get answers")
  func floods() throws {
    let lab = try session()
    _ = try lab.start("yes")
    let seen = try lab.observe {
      ($0.list("programs").last?["output"] as? String)?.utf8.count == 8_192
    }
    #expect(seen.list("programs").last?["running"] as? Bool == true)
    #expect(try lab.close() == 0)
  }

  @Test(
    "A server that ignores an offer of HTTP/2 answers further requests on the connection",
    .enabled(if: Program.find("python3") != nil))
  func offersHTTP2() throws {
    let client = #"""
      import socket
      offer = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n"
      connection = socket.create_connection(("api.example", 80))
      answers = connection.makefile("rb")
      for headers in [offer, b"", offer, b""]:
          connection.sendall(b"GET / HTTP/1.1\r\nHost: api.example\r\n" + headers + b"\r\n")
          while answers.readline() != b"\r\n": pass
          print(answers.readline().decode(), end="", flush=True)
      """#
    let lab = try session()
    _ = try lab.start("python3", "-c", client)
    let expected = (1...4).map { #"{"ok":true,"n":\#($0)}"# + "\n" }.joined()
    _ = try lab.observe { $0.list("programs").last?["output"] as? String == expected }
  }

  @Test("An invalid request is answered with an error, and the session continues")
  func errors() throws {
    let lab = try session()
    for line in ["{}", "nothing", String(repeating: "x", count: 200_000)] {
      try lab.write(line + "\n")
      let answer = try lab.next()
      #expect(answer["kind"] as? String == "error", "\(line.prefix(10)): \(answer)")
    }
    for request: [String: Any] in [
      ["cmd": "stop", "program": 1], ["cmd": "stop", "program": Int.max],
      ["cmd": "start", "program": ["no-such-program"]],
      ["cmd": "start", "program": ["/"]],
    ] {
      let answer = try lab.ask(request)
      #expect(answer["kind"] as? String == "error", "\(request): \(answer)")
    }
    #expect(try lab.observe()["kind"] as? String == "observed")
    #expect(try lab.close() == 0)
  }

  /// The states of the processes whose command line contains a text, such as `T` for stopped.
  private func states(of text: String) -> [String] {
    marker.processes.compactMap { process in
      let folder = "/proc/\(process)"
      guard let line = try? Data(contentsOf: URL(filePath: "\(folder)/cmdline")),
        String(decoding: line, as: UTF8.self).hasPrefix(text),
        let status = try? String(contentsOfFile: "\(folder)/status", encoding: .utf8)
      else { return nil }
      return status.firstMatch(of: /State:\t(.)/).map { String($0.output.1) }
    }
  }

  @Test("A sleeping device stops its programs until it is awake")
  func sleep() throws {
    let lab = try session()
    _ = try lab.start("sleep", "3600")
    try lab.ask(["cmd": "move", "to": "asleep"])
    _ = try lab.observe { _ in states(of: "sleep") == ["T"] }
    try lab.ask(["cmd": "move", "to": "awake"])
    _ = try lab.observe { _ in states(of: "sleep") == ["S"] }
  }

  @Test("Every move can be made, and no program starts on a sleeping device")
  func everyMove() throws {
    let lab = try session()
    try lab.write(#"{"cmd":"observe"}"# + "\n" + #"{"cmd":"move","to":"asleep"}"# + "\n")
    #expect(try lab.next()["kind"] as? String == "observed")
    #expect(try lab.next()["kind"] as? String == "moved")
    #expect(try lab.start("true")["message"] as? String == "the programs on the device are stopped")
    try lab.ask(["cmd": "move", "to": "awake"])
    let moves = [
      "hotspot", "none", "cellular", "wifi", "stall", "resume", "stall-acked", "resume",
      "blackhole-connect", "resume", "reset", "fin", "kill", "names-fail", "names-hang",
      "names-resolve", "servers-silent", "servers-refuse", "servers-accept", "uplink-dead",
      "uplink-back", "nat-forgets",
    ]
    for move in moves {
      let answer = try lab.ask(["cmd": "move", "to": move])
      #expect(answer["kind"] as? String == "moved", "\(move): \(answer)")
    }
    let quality = try lab.ask(["cmd": "quality", "condition": "wifi:delay=80ms"])
    #expect(quality["kind"] as? String == "changed")
    #expect(try lab.close() == 0)
  }

  @Test("A signal ends the session with its programs", arguments: [SIGHUP, SIGINT, SIGTERM])
  func signals(_ signal: Int32) throws {
    let lab = try session()
    _ = try lab.start("sh", "-c", "trap '' HUP TERM INT; while :; do sleep 600; done")
    kill(lab.process.processIdentifier, signal)
    lab.process.waitUntilExit()
    #expect(lab.process.terminationStatus == 128 + signal, "\(lab.errors)")
    #expect(marker.processesLeft() == [])
  }

  @Test("A killed session leaves no process behind")
  func killed() throws {
    let lab = try session()
    _ = try lab.start("sh", "-c", "trap '' HUP TERM INT; while :; do sleep 600; done")
    kill(lab.process.processIdentifier, SIGKILL)
    lab.process.waitUntilExit()
    #expect(marker.processesLeft() == [])
  }

  @Test("A session whose answers are not read any more ends with status 2")
  func closedPipe() throws {
    let lab = try session()
    _ = try lab.start("sleep", "3600")
    try lab.stopReading()
    try lab.write(#"{"cmd":"observe"}"# + "\n")
    lab.process.waitUntilExit()
    #expect(lab.process.terminationStatus == 2, "\(lab.errors)")
    #expect(lab.errors.contains("the reader exited"), "\(lab.errors)")
    #expect(marker.processesLeft() == [])
  }

  @Test("A session whose answers are not read ends at the latest when its time is over")
  func neverRead() throws {
    let lab = try session("--until", "3s")
    _ = try lab.start("yes")
    _ = try lab.observe {
      ($0.list("programs").last?["output"] as? String)?.utf8.count == 8_192
    }
    // The answers exceed the capacity of a pipe.
    try lab.write(String(repeating: #"{"cmd":"observe"}"# + "\n", count: 64))
    try #require(comesTrue(within: .seconds(300)) { !lab.process.isRunning })
    #expect(lab.process.terminationStatus == 2, "\(lab.errors)")
    #expect(lab.errors.contains("its reader stopped reading"), "\(lab.errors)")
    #expect(marker.processesLeft() == [])
  }

  @Test("A server that does not start ends the session, and the reason is not the machine")
  func serverFails() throws {
    let run = try CommandLineRun("lab", "serve", "--server", "echo broken; exit 1")
    #expect(run.status == 3)
    let line = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    #expect(line?["kind"] as? String == "ended" && line?["reason"] as? String == "server-failed")
    let message = try #require(line?["message"] as? String)
    #expect(message.contains("broken"), "\(message)")
    #expect(run.errors.contains(message))
  }

  @Test("A session ends when its time is over, with a last line")
  func time() throws {
    let lab = try session("--until", "1s")
    let last = try lab.next()
    #expect(last["kind"] as? String == "ended" && last["reason"] as? String == "time-over")
    lab.process.waitUntilExit()
    #expect(lab.process.terminationStatus == 0)
  }

  @Test("A closed standard input ends the session")
  func closedInput() throws {
    let command = CommandLineRun.command.path
    let run = try CommandLineRun(
      command: URL(filePath: "/bin/sh"), ["-c", "exec '\(command)' lab serve <&-"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.split(separator: "\n").count == 1)
  }
}
