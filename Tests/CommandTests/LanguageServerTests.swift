import Foundation
import HandoverCore
import HandoverScenario
import Testing

@testable import handover

/// A session of a language server with a client that follows a script.
private final class ScriptedClient {
  static let uri = "file:///project/caf%C3%A9%20%231/a.json"

  private(set) var server = LanguageServer(
    items: [ItemCatalog.Item(document: "first", id: "D1", sentence: "A channel is made.")],
    traces: { _ in { _ in nil } },
    run: { LanguageServerCommand.simulate($0, Interruption()) })
  private var version = 0

  init(initialized: Bool = true, capabilities: JSONTree = [:]) {
    if initialized { _ = request("initialize", ["capabilities": capabilities]) }
  }

  func send(_ text: String) -> [JSONTree] { server.receive(.message(Array(text.utf8))) }

  func notify(_ method: String, _ parameters: JSONTree = .null) -> [JSONTree] {
    let message: JSONTree = ["jsonrpc": "2.0", "method": .text(method), "params": parameters]
    return send(message.line)
  }

  func request(_ method: String, _ parameters: JSONTree = [:]) -> [JSONTree] {
    let message: JSONTree = [
      "jsonrpc": "2.0", "id": 7, "method": .text(method), "params": parameters,
    ]
    return send(message.line)
  }

  func open(_ text: String, uri: String = ScriptedClient.uri) -> [JSONTree] {
    notify(
      "textDocument/didOpen",
      [
        "textDocument": [
          "uri": .text(uri), "languageId": "json", "version": 1, "text": .text(text),
        ]
      ])
  }

  func change(_ text: String, uri: String = ScriptedClient.uri) -> [JSONTree] {
    version += 1
    return notify(
      "textDocument/didChange",
      [
        "textDocument": ["uri": .text(uri), "version": .integer(version)],
        "contentChanges": [["text": .text(text)]],
      ])
  }

  func receive(_ frame: MessageFrames.Frame) -> [JSONTree] { server.receive(frame) }

  /// Asks for something at a position.
  func ask(_ method: String, _ line: Int, _ character: Int) -> JSONTree? {
    request(
      "textDocument/\(method)",
      [
        "textDocument": ["uri": .text(Self.uri)],
        "position": ["line": .integer(line), "character": .integer(character)],
      ]
    ).first?["result"]
  }
}

extension JSONTree {
  fileprivate subscript(_ key: String) -> JSONTree? { members.first { $0.key == key }?.value }
  fileprivate var elements: [JSONTree] { if case .array(let all) = self { all } else { [] } }
  fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
  fileprivate var number: Int? { if case .number(let text) = self { Int(text) } else { nil } }
  fileprivate var errorCode: Int? { self["error"]?["code"]?.number }
  fileprivate var method: String? { self["method"]?.text }
  /// The diagnostics that a notification publishes.
  fileprivate var diagnostics: [JSONTree]? {
    method == "textDocument/publishDiagnostics" ? self["params"]?["diagnostics"]?.elements : nil
  }
}

@Suite("Language server")
struct LanguageServerTests {
  private static func scenario(status: String = "OK", more: String = "") -> String {
    """
    {
      "format": 1,
      "id": "editor/one",
      "profiles": ["sockets", "cfstream"],
      "initial": { "flags": ["Reachable"] },
      "hosts": { "api.example:443": {} },
      "timeline": [{ "at": "0s", "call": { "id": "a", "host": "api.example:443" } }],
      "expect": [{ "call": "a", "status": "\(status)" }]\(more)
    }
    """
  }

  @Test("Messages outside of the session are refused with the codes of the protocol")
  func refusals() {
    let client = ScriptedClient(initialized: false)
    #expect(client.request("textDocument/hover").map(\.errorCode) == [-32_002])
    #expect(client.open(Self.scenario()).isEmpty)
    #expect(client.send("{").map(\.errorCode) == [-32_700])
    #expect(client.send("[]").map(\.errorCode) == [-32_600])
    #expect(client.send(#"{"id": 1}"#).map(\.errorCode) == [-32_600])
    #expect(client.send(#"{"id": null, "method": "initialize"}"#).map(\.errorCode) == [-32_600])
    #expect(client.send(#"{"id": {}, "method": "initialize"}"#).map(\.errorCode) == [-32_600])
    let answer = client.request("initialize").first
    #expect(answer?["id"]?.number == 7)
    #expect(answer?["result"]?["capabilities"]?["hoverProvider"] == true)
    #expect(client.request("initialize").map(\.errorCode) == [-32_600])
    #expect(client.request("textDocument/rename").map(\.errorCode) == [-32_601])
    #expect(client.request("$/other").map(\.errorCode) == [-32_601])
    #expect(client.notify("$/cancelRequest", ["id": 7]).isEmpty)
    #expect(client.send(#"{"id": "handover-1", "result": null}"#).isEmpty)
    #expect(client.request("textDocument/hover", .null).map(\.errorCode) == [-32_602])
    #expect(
      client.request("textDocument/hover", ["position": ["line": 0, "character": 0]])
        .map(\.errorCode) == [-32_602])
    #expect(client.request("workspace/executeCommand").map(\.errorCode) == [-32_602])
    #expect(
      client.request(
        "workspace/executeCommand",
        ["command": "handover.run", "arguments": ["file:///not-open.json"]]
      ).map(\.errorCode) == [-32_602])
    #expect(client.receive(.tooLong).map(\.errorCode) == [-32_600])
    #expect(client.receive(.invalidHeader).map(\.errorCode) == [-32_700])
    #expect(client.request("shutdown").first?["result"] == .null)
    #expect(client.server.isShutDown && !client.server.isOver)
    #expect(client.request("textDocument/hover").map(\.errorCode) == [-32_600])
    #expect(client.notify("exit").isEmpty)
    #expect(client.server.isOver)
  }

  @Test("Problems appear while the author types, and only in scenarios")
  func diagnostics() throws {
    let client = ScriptedClient()
    let opened = client.open(Self.scenario(status: "Ok"))
    let problem = try #require(opened.first?.diagnostics?.first)
    #expect(problem["code"] == "unknown-status")
    #expect(problem["severity"] == 1)
    #expect(problem["source"] == "handover")
    #expect(problem["message"]?.text?.contains("\nhint: ") == true)
    #expect(problem["range"]?["start"]?.line == #"{ "line": 7, "character": 38 }"#)
    #expect(problem["range"]?["end"]?.line == #"{ "line": 7, "character": 42 }"#)
    let fixed = client.change(Self.scenario())
    #expect(fixed.map(\.diagnostics) == [[]])
    #expect(fixed.first?["params"]?["version"] == 1)
    #expect(
      client.change("{ \"format\": 1, \"id\": ").first?.diagnostics?.first?["code"] == "truncated")
    // The file becomes another one, and its problems disappear.
    #expect(client.change(#"{ "name": "package" "#).map(\.diagnostics) == [[]])
    #expect(client.change(#"{ "name": "package", "#).isEmpty)
    #expect(client.ask("completion", 0, 2)?.elements.isEmpty == true)
    #expect(
      client.notify("textDocument/didClose", ["textDocument": ["uri": .text(ScriptedClient.uri)]])
        .map(\.diagnostics) == [[]])
    #expect(client.change(Self.scenario()).isEmpty)
    #expect(client.open(#"{ "name": "package" "#, uri: "file:///package.json").isEmpty)
    let warned = client.open(Self.scenario(more: #", "config": { "quic": {} }"#))
    #expect(warned.first?.diagnostics?.first?["severity"] == 2)
  }

  @Test("Changes of a part of the text, which are not announced, change nothing")
  func parts() {
    let client = ScriptedClient()
    _ = client.open(Self.scenario())
    let range: JSONTree = [
      "start": ["line": 0, "character": 0], "end": ["line": 0, "character": 1],
    ]
    #expect(
      client.notify(
        "textDocument/didChange",
        [
          "textDocument": ["uri": .text(ScriptedClient.uri), "version": 2],
          "contentChanges": [["range": range, "text": "x"]],
        ]
      ).isEmpty)
    #expect(client.ask("hover", 1, 4)?["contents"]?["kind"] == "markdown")
  }

  @Test("Keys, values and requirements are completed and explained")
  func completionAndHover() throws {
    let client = ScriptedClient()
    _ = client.open("{ ")
    let keys = try #require(client.ask("completion", 0, 2)).elements
    #expect(keys.first?["label"] == "format")
    #expect(keys.first?["textEdit"]?["newText"] == #""format": "#)
    #expect(keys.first?["insertTextFormat"] == 1)
    #expect(keys.compactMap { $0["sortText"]?.text }.sorted() == keys.map { $0["sortText"]?.text })
    let snippets = ScriptedClient(capabilities: [
      "textDocument": ["completion": ["completionItem": ["snippetSupport": true]]]
    ])
    _ = snippets.open("{ ")
    let all = try #require(snippets.ask("completion", 0, 2)).elements
    #expect(all.first?["textEdit"]?["newText"] == #""format": ${1:1}"#)
    #expect(all.first?["insertTextFormat"] == 2)
    // A brace in a placeholder would end it.
    let hosts = all.first { $0["label"] == "hosts" }
    #expect(
      hosts?["textEdit"]?["newText"] == #""hosts": ${1:{ "api.example:443": {\} \}}"#)
    _ = client.open(#"{ "format": 1, "id": "a", "source": [{ "item": "D1" }] }"#)
    #expect(
      client.ask("hover", 0, 48)?["contents"]?["value"] == "**D1** (first)\n\nA channel is made.")
    #expect(client.ask("hover", 0, 0) == .null)
  }

  @Test("A run shows its verdict, and its findings until the text changes")
  func runs() throws {
    let client = ScriptedClient(capabilities: ["workspace": ["codeLens": ["refreshSupport": true]]])
    _ = client.open(Self.scenario())
    let document: JSONTree = ["textDocument": ["uri": .text(ScriptedClient.uri)]]
    func title() -> String? {
      client.request("textDocument/codeLens", document).first?["result"]?.elements.first?[
        "command"]?["title"]?.text
    }
    func run() -> [JSONTree] {
      client.request(
        "workspace/executeCommand",
        ["command": "handover.run", "arguments": [.text(ScriptedClient.uri)]])
    }
    #expect(title() == "Run this scenario")
    let passed = run()
    #expect(
      passed.first?["result"]?["cases"]?.elements.map { $0["verdict"] } == ["PASSED", "PASSED"])
    #expect(passed[1]["params"]?["message"] == "editor/one: 2 cases PASSED")
    #expect(passed[1]["params"]?["type"] == 3)
    #expect(passed[2].diagnostics == [])
    #expect(passed[3].method == "workspace/codeLens/refresh")
    #expect(title() == "Run this scenario (2 cases PASSED)")
    _ = client.change(Self.scenario(status: "CANCELLED"))
    #expect(title() == "Run this scenario")
    let failed = run()
    #expect(
      failed[1]["params"]?["message"] == "editor/one: 2 cases FAILED: sockets, cfstream")
    #expect(failed[1]["params"]?["type"] == 1)
    let finding = try #require(failed[2].diagnostics?.first)
    #expect(failed[2].diagnostics?.count == 1)
    #expect(finding["code"] == "FAILED")
    #expect(finding["range"]?["start"]?["line"] == 7)
    #expect(finding["message"]?.text?.hasSuffix("[sockets, cfstream]") == true)
    #expect(client.change(Self.scenario(status: "CANCELLED")).map(\.diagnostics) == [[]])
    _ = client.change(Self.scenario(status: "Ok"))
    let refused = run()
    #expect(refused.first?["result"] == .null)
    #expect(refused[1]["params"]?["message"] == "The scenario has errors. Fix them first.")
  }

  @Test("The number and the size of open documents are limited")
  func limits() {
    let client = ScriptedClient()
    for number in 0..<LanguageServer.maximumDocuments {
      #expect(client.open("{}", uri: "file:///\(number)").isEmpty)
    }
    #expect(client.open("{}", uri: "file:///more").first?.method == "window/showMessage")
    #expect(client.open(Self.scenario(), uri: "file:///0").first?.diagnostics == [])
    let large = ScriptedClient()
    let text = String(repeating: " ", count: LanguageServer.maximumByteCount / 8)
    for number in 0..<8 { #expect(large.open(text, uri: "file:///\(number)").isEmpty) }
    #expect(!large.open(" ", uri: "file:///8").isEmpty)
    _ = large.notify("textDocument/didClose", ["textDocument": ["uri": "file:///0"]])
    #expect(large.open(" ", uri: "file:///8").isEmpty)
  }

  @Test("URIs become paths")
  func paths() {
    #expect(FileURI.path(ScriptedClient.uri) == "/project/café #1/a.json")
    #expect(FileURI.path("file://localhost/a") == "/a")
    #expect(FileURI.path("file:///100%") == "/100%")
    #expect(FileURI.path("file:///%zz") == "/%zz")
    #expect(FileURI.path("untitled:Untitled-1") == nil)
    #expect(FileURI.path("file:///a%00b") == nil)
    #expect(FileURI.path("file://") == nil)
  }

  @Test("Messages are separated by their lengths, in whatever pieces they arrive")
  func frames() {
    let text = "Content-Length: 2\r\n\r\n{}Content-Type: x\r\ncontent-length:3\r\n\r\n[1]"
    for size in 1...text.utf8.count {
      var frames = MessageFrames()
      let bytes = Array(text.utf8)
      for start in stride(from: 0, to: bytes.count, by: size) {
        frames.append(bytes[start..<min(bytes.count, start + size)])
      }
      #expect(frames.next() == .message(Array("{}".utf8)))
      #expect(frames.next() == .message(Array("[1]".utf8)))
      #expect(frames.next() == nil)
    }
    var frames = MessageFrames()
    frames.append(Array("x\r\n\r\nContent-Length: -1\r\n\r\nContent-Length: 0\r\n\r\n".utf8)[...])
    #expect(frames.next() == .invalidHeader)
    #expect(frames.next() == .invalidHeader)
    #expect(frames.next() == .message([]))
    frames.append(Array("Content-Length: \(MessageFrames.maximumLength + 1)\r\n\r\n".utf8)[...])
    let piece = [UInt8](repeating: 0x20, count: MessageFrames.maximumLength / 2)
    for _ in 0..<2 { frames.append(piece[...]) }
    #expect(frames.next() == nil)
    frames.append([0x20, 0x43])
    #expect(frames.next() == .tooLong)
    #expect(!frames.isBroken)
    frames.append([UInt8](repeating: 0x43, count: MessageFrames.maximumHeaderLength)[...])
    #expect(frames.next() == .invalidHeader)
    #expect(frames.isBroken)
  }

  /// The environment variable `HANDOVER_PREFIX_SEED` selects other prefixes.
  private static let seed =
    ProcessInfo.processInfo.environment["HANDOVER_PREFIX_SEED"].flatMap { UInt64($0) } ?? 1

  @Test("Every prefix of a bundled scenario has the problems that handover check reports")
  func prefixes() throws {
    print("prefixes of seed \(Self.seed); HANDOVER_PREFIX_SEED=\(Self.seed) repeats them")
    var generator = SeededGenerator(seed: Self.seed)
    let client = ScriptedClient()
    _ = client.open("{")
    var scenarios = 0
    for file in ScenarioFiles([packageRoot.appending(path: "Scenarios").path]).files {
      let whole = try String(contentsOfFile: file, encoding: .utf8)
      let count = Int(generator.next(upToAndIncluding: UInt64(whole.count)))
      for text in [whole, String(whole.prefix(count))] {
        let published = client.change(text).last?.diagnostics
        let document = ScenarioDocument(text)
        let position = EditorPosition(
          line: text.split(separator: "\n", omittingEmptySubsequences: false).count - 1,
          character: Int(generator.next(upToAndIncluding: 20)))
        #expect(client.ask("completion", position.line, position.character) != nil)
        #expect(client.ask("hover", position.line, position.character) != nil)
        guard document.isScenario else {
          #expect(published?.isEmpty ?? true)
          continue
        }
        scenarios += 1
        let checked = ScenarioReader.read(file: file, bytes: Array(text.utf8)) { _ in nil }
        let codes = published?.map { $0["code"]?.text ?? "" }
        let expected = checked.diagnostics.map(\.code.rawValue)
        #expect(codes == expected, "\(file), prefix \(text.count)")
      }
    }
    // The test proves little if most prefixes are not recognized.
    #expect(scenarios > 600)
  }
}

/// A run of `handover lsp` with which a test exchanges messages.
private final class SpawnedServer {
  struct NoAnswer: Error {}

  let process = Process()
  let input = Pipe()
  private let output = Pipe()
  private var frames = MessageFrames()

  init() throws {
    process.executableURL = CommandLineRun.command
    process.arguments = ["lsp"]
    process.currentDirectoryURL = packageRoot
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit {
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
  }

  func write(_ text: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
  }

  func send(_ message: JSONTree) throws { try write(MessageFrames.text(of: message.line)) }

  /// Reads the next message.
  func next() throws -> JSONTree {
    while true {
      if case .message(let bytes) = frames.next() {
        return JSONTree(try JSONReader.read(bytes).root)
      }
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { throw NoAnswer() }
      frames.append(Array(data)[...])
    }
  }

  /// Ends the session, and returns the exit status.
  func status() throws -> Int32 {
    try? input.fileHandleForWriting.close()
    #expect(throws: NoAnswer.self) { try next() }
    process.waitUntilExit()
    return process.terminationStatus
  }
}

@Suite("handover lsp")
struct LanguageServerCommandTests {
  @Test("A whole session over standard input and output")
  func session() throws {
    let server = try SpawnedServer()
    try server.send(["id": 1, "method": "initialize", "params": ["capabilities": [:]]])
    #expect(try server.next()["result"]?["serverInfo"]?["name"] == "handover")
    try server.send(["method": "initialized", "params": [:]])
    let uri = "file://\(packageRoot.path)/Scenarios/stalls/killed.json"
    let text = try String(
      contentsOf: packageRoot.appending(path: "Scenarios/stalls/killed.json"), encoding: .utf8)
    try server.send([
      "method": "textDocument/didOpen",
      "params": ["textDocument": ["uri": .text(uri), "version": 1, "text": .text(text)]],
    ])
    #expect(try server.next().diagnostics == [])
    try server.write("garbage\r\n\r\n")
    #expect(try server.next().errorCode == -32_700)
    try server.send([
      "id": "run", "method": "workspace/executeCommand",
      "params": ["command": "handover.run", "arguments": [.text(uri)]],
    ])
    let answer = try server.next()
    #expect(answer["id"] == "run")
    #expect(answer["result"]?["id"] == "stalls/killed")
    #expect(try server.next()["params"]?["message"] == "stalls/killed: 4 cases PASSED")
    #expect(try server.next().diagnostics == [])
    // The catalog of requirements is part of the command.
    try server.send([
      "id": 2, "method": "textDocument/hover",
      "params": [
        "textDocument": ["uri": .text(uri)], "position": ["line": 6, "character": 50],
      ],
    ])
    #expect(
      try server.next()["result"]?["contents"]?["value"]?.text?.hasPrefix("**D2** (") == true)
    try server.send(["id": 3, "method": "shutdown"])
    #expect(try server.next()["result"] == .null)
    try server.send(["method": "exit"])
    #expect(try server.status() == 0)
  }

  @Test("Without shutdown, the exit status is 1")
  func abruptEnds() throws {
    let exited = try SpawnedServer()
    try exited.send(["method": "exit"])
    #expect(try exited.status() == 1)
    #expect(try SpawnedServer().status() == 1)
    let broken = try SpawnedServer()
    try broken.write(String(repeating: "x", count: MessageFrames.maximumHeaderLength))
    #expect(try broken.next().errorCode == -32_700)
    #expect(try broken.status() == 2)
  }
}
