import Foundation
import Testing

/// `make hall` measures all clients; here, one cell shows that the measurement works.
@Suite("Results for real clients")
struct HallTests {
  private static let hall = packageRoot.appending(path: "Fixtures/Hall")
  private static let run = hall.appending(path: "run")

  private struct Hall: Decodable {
    struct Client: Decodable {
      var name: String
      var `protocol`: String
      var command: [String]
      var prepare: [String]?
      var remedy: [String]?
      var fix: String
      var call: String
    }
    var moves: [String]
    var clients: [Client]
  }

  private struct Results: Decodable {
    struct Measured: Decodable {
      var word: String
      var silence: Double?
      var evidence: String
    }
    struct Setting: Decodable { var cells: [String: [Measured]] }
    struct Client: Decodable {
      var settings: [String: Setting]?
      var missing: String?
    }
    var clients: [String: Client]
  }

  private static func decoded<Value: Decodable>(_: Value.Type, _ file: URL) throws -> Value {
    try JSONDecoder().decode(Value.self, from: try Data(contentsOf: file))
  }

  private static func listed() throws -> Hall {
    try decoded(Hall.self, hall.appending(path: "hall.json"))
  }

  @Test("The list has at least 24 clients and 8 protocols")
  func list() throws {
    let hall = try Self.listed()
    #expect(hall.clients.count >= 24)
    #expect(Set(hall.clients.map(\.protocol)).count >= 8)
    #expect(Set(hall.clients.map(\.name)).count == hall.clients.count)
  }

  @Test("The committed results have every move of every client in both settings, or a reason")
  func results() throws {
    let hall = try Self.listed()
    let results = try Self.decoded(Results.self, Self.hall.appending(path: "results.json"))
    for client in hall.clients {
      let found = try #require(results.clients[client.name], "\(client.name) has no row")
      guard found.missing == nil else { continue }
      for setting in ["default", "remedy"] {
        let cells = try #require(found.settings?[setting]?.cells, "\(client.name) \(setting)")
        #expect(Set(cells.keys) == Set(hall.moves), "\(client.name) \(setting)")
        #expect(cells.values.allSatisfy { !$0.isEmpty }, "\(client.name) \(setting)")
      }
    }
  }

  @Test("The programs have at most 40 lines, and contain the fix that the page shows")
  func programs() throws {
    for client in try Self.listed().clients {
      #expect(client.call.contains("{fix}"), "\(client.name)")
      let programs = try (client.command + (client.prepare ?? []))
        .filter { $0.hasPrefix("{clients}/") }
        .map { word in
          let file = Self.hall.appending(path: word.replacing("{clients}/", with: "clients/"))
          return try String(contentsOf: file, encoding: .utf8)
        }
      let remedy = client.remedy?.joined(separator: " ") ?? ""
      #expect((programs + [remedy]).contains { $0.contains(client.fix) }, "\(client.name)")
      for program in programs {
        #expect(program.count { $0 == "\n" } <= 40, "\(client.name)")
      }
    }
  }

  @Test("The page and the table of the README show the recorded results")
  func page() throws {
    let run = try CommandLineRun(command: Self.run, ["--check"])
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test("The page for browsers has each client, and needs no other file")
  func browserPage() throws {
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "index.html")
    let run = try CommandLineRun(command: Self.run, ["--html", file.path])
    #expect(run.status == 0, "\(run.errors)")
    let page = try String(contentsOf: file, encoding: .utf8)
    for client in try Self.listed().clients {
      #expect(page.contains(client.name), "\(client.name)")
    }
    #expect(!page.contains(" src=") && !page.contains("<link"))
  }

  @Test("The page shows lost messages if the results contain them")
  func lostMessages() throws {
    let scratch = try ScratchDirectory()
    let (results, page) = (
      scratch.url.appending(path: "results.json"), scratch.url.appending(path: "index.html")
    )
    let file = Self.hall.appending(path: "results.json")
    var text = try String(contentsOf: file, encoding: .utf8)
    for count in ["", #""lost": 12345, "duplicates": 0, "#] {
      let word = try #require(text.range(of: #""word": "#))
      text.insert(contentsOf: count, at: word.lowerBound)
      try text.write(to: results, atomically: true, encoding: .utf8)
      let run = try CommandLineRun(
        command: Self.run, ["--results", results.path, "--html", page.path])
      #expect(run.status == 0, "\(run.errors)")
      let shown = try String(contentsOf: page, encoding: .utf8)
      #expect(shown.contains("<td data-l='lost by default'>12345</td>") == !count.isEmpty)
    }
  }

  @Test(
    "curl hangs after a change from cellular to WiFi",
    .enabled(if: labIsThere && Program.find("curl") != nil && Program.find("tshark") != nil))
  func cell() throws {
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "results.json")
    let run = try CommandLineRun(
      command: Self.run,
      [
        CommandLineRun.command.path, "--only", "curl", "--setting", "default", "--move",
        "cellular-to-wifi", "--no-install", "--results", file.path,
      ])
    #expect(run.status == 0, "\(run.errors)")
    let results = try Self.decoded(Results.self, file)
    let cells = try #require(results.clients["curl"]?.settings?["default"]?.cells)
    let measured = try #require(cells["cellular-to-wifi"]?.first)
    #expect(measured.word == "HANGS", "\(measured.evidence)")
    #expect(try #require(measured.silence) >= 20)
    let folder = packageRoot.appending(path: ".build/hall/")
    let evidence = "evidence/curl/default"
    for name in ["timeline.html", "cellular-to-wifi.pcapng"] {
      let kept = folder.appending(path: "\(evidence)/\(name)")
      #expect(FileManager.default.fileExists(atPath: kept.path), "\(name)")
    }
    let page = folder.appending(path: "test.html")
    defer { try? FileManager.default.removeItem(at: page) }
    #expect(try CommandLineRun(command: Self.run, ["--html", page.path]).status == 0)
    let text = try String(contentsOf: page, encoding: .utf8)
    #expect(text.contains("<a href='\(evidence)/timeline.html#cellular-to-wifi'>"))
    #expect(text.contains("<a href='\(evidence)/cellular-to-wifi.pcapng'>"))
  }

  @Test("The last ten passes are kept, and a run without a verdict only while there is no other")
  func lastPasses() throws {
    let script = """
      import importlib.machinery, importlib.util, json, sys
      sys.path.insert(0, "Fixtures/Hall")
      loader = importlib.machinery.SourceFileLoader("hall", "Fixtures/Hall/run")
      hall = importlib.util.module_from_spec(importlib.util.spec_from_loader("hall", loader))
      loader.exec_module(hall)
      entry = {"settings": {"default": {"cells": {}}}}
      words = ["INCONCLUSIVE"] + ["HANGS", "INCONCLUSIVE"] * 12 + ["CUTS"]
      for number, word in enumerate(words):
          hall.add(entry, "default", ({"nat": {"word": word}}, {"sent": number}))
      part = entry["settings"]["default"]
      print([run["word"] for run in part["cells"]["nat"]] == ["HANGS"] * 9 + ["CUTS"])
      print([sent["sent"] for sent in part["healthy"]] == list(range(16, 26)))
      """
    let run = try CommandLineRun(
      command: URL(filePath: "/usr/bin/env"), ["python3", "-B", "-c", script])
    #expect(run.output == "True\nTrue\n", "\(run.output)\(run.errors)")
  }

  @Test("A client that is not installed is listed as missing", .enabled(if: hasTools))
  func missing() throws {
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "results.json")
    // A search path with the tools of the script, and without any client.
    let python = try CommandLineRun(
      command: URL(filePath: try #require(Program.find("python3"))),
      ["-c", "import sys; print(sys.executable, end='')"])
    let tools = ["python3": python.output, "tshark": try #require(Program.find("tshark"))]
    for (name, tool) in tools {
      try FileManager.default.createSymbolicLink(
        atPath: scratch.url.appending(path: name).path, withDestinationPath: tool)
    }
    let run = try CommandLineRun(
      command: Self.run,
      [
        CommandLineRun.command.path, "--only", "curl", "--no-install", "--results", file.path,
      ],
      environment: ["PATH": scratch.url.path])
    #expect(run.status == 2, "\(run.errors)")
    #expect(run.output == "curl: missing: curl is not installed\n")
    let results = try Self.decoded(Results.self, file)
    #expect(results.clients["curl"]?.missing == "curl is not installed")
  }

  private static let hasTools = Program.find("python3") != nil && Program.find("tshark") != nil
}
