import Foundation
import Testing

/// `make tables` measures all rows; here, one client shows that the measurement works.
@Suite(
  "Published results",
  .enabled(if: labIsThere && Program.find("curl") != nil && Program.find("tshark") != nil))
struct TablesTests {
  private static let tables = packageRoot.appending(path: "Fixtures/Tables/run")

  private struct Delays: Decodable {
    var delay: Double?
    var ipv6: Int
    var ipv4: Int
    var waits: Bool
  }

  private struct Silence: Decodable {
    var silence: Double
    var word: String
  }

  private struct Results<Found: Decodable>: Decodable {
    struct Row: Decodable {
      var name: String
      var found: Found?
      var reason: String?
    }
    var tables: [String: [Row]]
  }

  /// Measures one row, and returns what was found.
  private static func measured<Found: Decodable>(
    _: Found.Type, _ table: String, _ name: String
  ) throws -> Found {
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "results.json")
    let run = try CommandLineRun(
      command: tables,
      [
        CommandLineRun.command.path, "--table", table, "--only", name, "--results", file.path,
      ])
    #expect(run.status == 0 || run.status == 1, "\(run.errors)")
    let results = try JSONDecoder().decode(Results<Found>.self, from: try Data(contentsOf: file))
    let row = try #require(results.tables[table]?.first)
    return try #require(row.found, "\(row.reason ?? "")")
  }

  @Test("curl tries IPv4 some time after IPv6, and waits for a late AAAA answer")
  func eyeballs() throws {
    let found = try Self.measured(Delays.self, "eyeballs", "curl")
    // A busy machine changes the delay, but it stays far from zero.
    #expect(try #require(found.delay) >= 100)
    #expect(found.ipv6 == 1 && found.ipv4 == 1 && found.waits)
  }

  @Test(
    "With endpoints on both networks, a Multipath TCP connection survives the loss of WiFi",
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/sys/net/mptcp/enabled")))
  func multipath() throws {
    let found = try Self.measured(Silence.self, "multipath", "WiFi is lost, endpoints")
    #expect(found.word == "UNHARMED", "silent for \(found.silence) s")
  }

  @Test("The page shows the recorded results")
  func page() throws {
    let run = try CommandLineRun(command: Self.tables, ["--check"])
    #expect(run.status == 0, "\(run.errors)")
  }
}
