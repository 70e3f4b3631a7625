import Foundation
import Testing

/// `make clients` tests all clients; here, the list, the results and the page are consistent.
@Suite("Results for real clients, call by call")
struct ClientsTests {
  private static let clients = packageRoot.appending(path: "Fixtures/Clients")
  private static let run = clients.appending(path: "run")

  private struct List: Decodable {
    struct Remedy: Decodable {
      var option: String
      var setting: String
    }
    struct Client: Decodable {
      var name: String
      var server: String
      var command: [String]
      var remedies: [String: Remedy]
    }
    struct Server: Decodable { var name: String }
    var servers: [Server]
    var clients: [Client]
  }

  private struct Results: Decodable {
    struct Cell: Decodable { var verdict: String }
    struct Client: Decodable {
      var version: String
      var variants: [String: [String: Cell]]
    }
    var clients: [String: Client]
  }

  private static func decoded<Value: Decodable>(_: Value.Type, _ name: String) throws -> Value {
    try JSONDecoder().decode(
      Value.self, from: try Data(contentsOf: clients.appending(path: name)))
  }

  @Test("The list has at least 10 clients, each with a server and a remedy")
  func list() throws {
    let list = try Self.decoded(List.self, "clients.json")
    #expect(list.clients.count >= 10)
    #expect(Set(list.clients.map(\.name)).count == list.clients.count)
    let servers = Set(list.servers.map(\.name))
    for client in list.clients {
      #expect(servers.contains(client.server), "\(client.name)")
      #expect(!client.remedies.isEmpty, "\(client.name)")
    }
  }

  @Test("The committed results have every scenario of every measured variant, and no error")
  func results() throws {
    let results = try Self.decoded(Results.self, "results.json")
    let scenarios = try FileManager.default.contentsOfDirectory(
      atPath: packageRoot.appending(path: "Scenarios/clients").path)
    let names = Set(scenarios.map { $0.replacing(".json", with: "") })
    #expect(!results.clients.isEmpty)
    for client in try Self.decoded(List.self, "clients.json").clients {
      // The page lists clients without results as not measured.
      guard let found = results.clients[client.name] else { continue }
      #expect(!found.version.isEmpty, "\(client.name)")
      let variants = [client.name] + client.remedies.keys.map { "\(client.name)-\($0)" }
      #expect(Set(found.variants.keys) == Set(variants))
      for (variant, cells) in found.variants {
        #expect(Set(cells.keys) == names, "\(variant)")
        #expect(cells.values.allSatisfy { $0.verdict != "ERROR" }, "\(variant)")
      }
    }
  }

  @Test("The page shows the committed results", .enabled(if: hasPython))
  func page() throws {
    let run = try CommandLineRun(command: Self.run, ["--check"])
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test("The programs in Python have no syntax errors", .enabled(if: hasPython))
  func syntax() throws {
    let program = """
      import ast, pathlib, sys
      files = [file for folder in sys.argv[1:] for file in pathlib.Path(folder).glob("*.py")]
      for file in files: ast.parse(file.read_text(encoding="utf-8"), str(file))
      print(len(files), end="")
      """
    let folders = ["Fixtures/Clients/python", "Fixtures/Shared"].map {
      packageRoot.appending(path: $0).path
    }
    let run = try CommandLineRun(
      command: URL(filePath: try #require(Program.find("python3"))), ["-c", program] + folders)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try #require(Int(run.output)) >= 9)
  }

  @Test("A client that is not installed is listed as missing", .enabled(if: hasPython))
  func missing() throws {
    let scratch = try ScratchDirectory()
    // A search path with Python, and without Go.
    let python = try CommandLineRun(
      command: URL(filePath: try #require(Program.find("python3"))),
      ["-c", "import sys; print(sys.executable, end='')"])
    try FileManager.default.createSymbolicLink(
      atPath: scratch.url.appending(path: "python3").path, withDestinationPath: python.output)
    let run = try CommandLineRun(
      command: Self.run,
      [
        CommandLineRun.command.path, scratch.url.appending(path: "out").path, "--client",
        "net-http", "--client", "grpc-go", "--no-install", "--results",
        scratch.url.appending(path: "results.json").path,
      ],
      environment: ["PATH": scratch.url.path])
    #expect(run.status == 2, "\(run.errors)")
    let lines = ["grpc-go", "net-http"].map { "\($0): missing: go is not installed\n" }
    #expect(run.output == lines.joined())
  }

  private static let hasPython = Program.find("python3") != nil
}
