import Foundation
import Glibc
import HandoverBackend
import HandoverCore
import HandoverLinux
import Testing

@testable import HandoverLab

@Suite("Remarks about entries")
struct RemarkTests {
  @Test("A remark reports an entry that is later than the tolerance, with any other remark")
  func late() {
    #expect(ProgramRun.remark(nil, late: .seconds(1)) == nil)
    #expect(ProgramRun.remark("as ever", late: .seconds(1)) == "as ever")
    #expect(ProgramRun.remark(nil, late: .milliseconds(1_500)) == "1.5s late")
    #expect(ProgramRun.remark("as ever", late: .seconds(2)) == "2s late; as ever")
  }
}

@Suite("Effects of entries on a program and its server", .enabled(if: namespacesAreMissing == nil))
final class ScriptPlayerTests {
  private let lab: DeviceLab
  private let server: StreamServer
  private let program: ProcessTree
  /// How long the program would sleep; unique, so that the test finds its process.
  private let time = "60.\(UInt32.random(in: 1_000_000...9_999_999))"
  private var player: ScriptPlayer

  init() throws {
    var script = Script()
    script.initial.flags = [.reachable, .isWWAN]
    script.hosts = [ScriptHost(written: "api.example:443")]
    let wifi = ScriptAction.flags([.reachable], path: nil, linksUp: [], linksDown: [])
    script.entries = [ScriptEntry(at: .zero, action: wifi)]
    var slow = LinkQuality()
    slow.delay = .milliseconds(60)
    script.qualities = [PathQuality(PathIndex(1), slow)]
    lab = try DeviceLab(LivePlan(script))
    server = try StreamServer(script, in: lab)
    program = try ProcessTree.start(["sleep", time])
    player = ScriptPlayer(script, lab, server, .cfstream)
  }

  deinit {
    server.close()
    program.end()
  }

  private func connect(after seconds: Int = LiveSocket.patience) throws -> LiveSocket {
    try lab.device.run { [lab] () throws(LinuxError) in
      try LiveSocket.connected(to: lab.address(of: 0), after: seconds)
    }
  }

  /// Returns a connection that receives a stream.
  private func stream() throws -> LiveSocket {
    let client = try connect()
    #expect(client.write("GET /stream HTTP/1.1\r\n\r\n") == nil)
    try expectLine(client)
    return client
  }

  private func expectLine(
    _ client: LiveSocket, _ position: SourceLocation = #_sourceLocation
  ) throws {
    for _ in 0..<8 {
      guard case .text(let text) = try client.read() else { break }
      if text.contains("from api.example:443\n") { return }
    }
    Issue.record("no line comes", sourceLocation: position)
  }

  /// Returns how the connection ends, after all pending data has been read.
  private func end(_ client: LiveSocket) throws -> LiveSocket.Reading {
    var reading = LiveSocket.Reading.text("")
    try expectSometime("the end of the connection") {
      reading = try client.read()
      if case .text = reading { return false }
      return true
    }
    return reading
  }

  /// Expects that the server falls silent, and stays silent for some time.
  private func expectSilence(_ client: LiveSocket) throws {
    try expectSometime("silence") { try client.read(within: 700) == .nothing }
  }

  @Test("Requests are answered, and invalid ones are refused")
  func answers() throws {
    for (request, answer) in [
      ("GET / HTTP/1.1", "this is api.example:443\n"), ("GET /x HTTP/1.1", "404 Not Found"),
      ("POST / HTTP/1.1", "400 Bad Request"),
    ] {
      let client = try connect()
      #expect(client.write(request + "\r\n\r\n") == nil)
      guard case .text(let text) = try client.read() else {
        Issue.record("no answer to \(request)")
        continue
      }
      #expect(text.contains(answer))
      #expect(try end(client) == .end)
    }
  }

  @Test("The initial quality of a network applies from the beginning of the timeline")
  func initialQuality() throws {
    try player.begin()
    let start = monotonicMicroseconds()
    _ = try connect()
    #expect(monotonicMicroseconds() - start > 110_000)
  }

  @Test(
    "The server closes connections, resets them, or ends its sending",
    arguments: [
      (ScriptAction.server(0, .close), LiveSocket.Reading.end),
      (.server(0, .reset), .error(ECONNRESET)), (.transport(.all, .fin), .end),
      (.transport(.all, .reset), .error(ECONNRESET)), (.transport(.one(0), .halfClose), .end),
      (.transport(.all, .kill), .error(ECONNABORTED)),
    ])
  func ends(_ action: ScriptAction, _ reading: LiveSocket.Reading) throws {
    let client = try stream()
    #expect(try player.play(action, 0, program).remark == nil)
    #expect(try end(client) == reading)
  }

  @Test(
    "Connections fall silent, and resume",
    arguments: [
      (ScriptAction.server(0, .silent), ScriptAction.server(0, .accept)),
      (.transport(.all, .stall), .transport(.all, .resume)),
      (.transport(.all, .stallAcked), .transport(.all, .resume)),
    ])
  func silence(_ action: ScriptAction, _ end: ScriptAction) throws {
    let client = try stream()
    #expect(try player.play(action, 0, program).remark == nil)
    try expectSilence(client)
    #expect(try player.play(end, 0, program).remark == nil)
    try expectLine(client)
  }

  @Test("New connections are refused, and accepted again, while existing ones continue")
  func refusal() throws {
    let client = try stream()
    _ = try player.play(.server(0, .refuse), 0, program)
    #expect(throws: LinuxError(call: "connect", errno: ECONNREFUSED)) { try connect() }
    try expectLine(client)
    _ = try player.play(.server(0, .accept), 0, program)
    _ = try stream()
  }

  @Test("New connections get no answer, and later get one again")
  func blackhole() throws {
    let client = try stream()
    _ = try player.play(.transport(.all, .blackholeConnect), 0, program)
    #expect(throws: LinuxError(call: "connect", errno: EINPROGRESS)) {
      try connect(after: LiveSocket.silence)
    }
    try expectLine(client)
    _ = try player.play(.transport(.all, .resume), 0, program)
    _ = try stream()
  }

  @Test("A fault of a host affects UDP flows too")
  func datagrams() throws {
    try player.begin()
    func stalls() throws -> Bool {
      try player.play(.transport(.all, .stall), 0, program).remark == nil
    }
    #expect(try !stalls())
    try lab.device.run { [lab] in NoWayOutTests.send("hello", to: lab.address(of: 0).address) }
    try expectSometime("the flow is affected") { try stalls() }
  }

  @Test("A platform that reports losses ends the connections of a path that the device left")
  func leaving() throws {
    let client = try stream()
    let wifi = ScriptAction.flags([.reachable], path: nil, linksUp: [], linksDown: [])
    #expect(try player.play(wifi, 0, program).remark == "connections that the OS ends: 1")
    #expect(try end(client) == .error(ECONNABORTED))
  }

  @Test("The program is stopped in the background")
  func background() throws {
    // The program is identified by its unique argument. A process that was created a moment ago may
    // not show it yet.
    var found: String?
    try expectSometime("the program") {
      let processes = try? FileManager.default.contentsOfDirectory(atPath: "/proc")
      found = processes?.first { contents(of: "/proc/\($0)/cmdline").contains(time) }
      return found != nil
    }
    let number = try #require(found)
    func state() -> Character? {
      contents(of: "/proc/\(number)/stat").split(separator: ")").last?.dropFirst().first
    }
    _ = try player.play(.app(.background), 0, program)
    try expectSometime("a stop") { state() == "T" }
    _ = try player.play(.app(.backgroundRunning), 0, program)
    try expectSometime("going on") { state() != "T" }
    _ = try player.play(.app(.background), 0, program)
    try expectSometime("a stop") { state() == "T" }
    _ = try player.play(.app(.foreground), 0, program)
    try expectSometime("going on") { state() != "T" }
  }

  @Test("An entry that cannot be run is reported once")
  func reported() throws {
    for action in [
      ScriptAction.startCall(0), .names(0, .fail), .monitor(.miss, by: .zero), .server(0, .goaway),
    ] {
      #expect(try player.play(action, 0, program).remark != nil)
      #expect(try player.play(action, 0, program).remark == nil)
    }
  }
}
