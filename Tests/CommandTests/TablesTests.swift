import Foundation
import Testing

/// `make tables` measures all rows; here, one client shows that the measurement works.
@Suite(
  "Published results",
  .enabled(if: labIsThere && Program.find("curl") != nil && Program.find("tshark") != nil))
struct TablesTests {
  private static let tables = packageRoot.appending(path: "Fixtures/Tables/run")

  private struct Results: Decodable {
    struct Row: Decodable {
      struct Found: Decodable {
        var delay: Double?
        var ipv6: Int
        var ipv4: Int
        var waits: Bool
      }
      var name: String
      var found: Found?
      var reason: String?
    }
    var tables: [String: [Row]]
  }

  @Test("curl tries IPv4 some time after IPv6, and waits for a late AAAA answer")
  func eyeballs() throws {
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "results.json")
    let run = try CommandLineRun(
      command: Self.tables,
      [
        CommandLineRun.command.path, "--table", "eyeballs", "--only", "curl", "--results",
        file.path,
      ])
    #expect(run.status == 0 || run.status == 1, "\(run.errors)")
    let results = try JSONDecoder().decode(Results.self, from: try Data(contentsOf: file))
    let row = try #require(results.tables["eyeballs"]?.first)
    let found = try #require(row.found, "\(row.reason ?? "")")
    // A busy machine changes the delay, but it stays far from zero.
    #expect(try #require(found.delay) >= 100)
    #expect(found.ipv6 == 1 && found.ipv4 == 1 && found.waits)
  }

  @Test("The page shows the recorded results")
  func page() throws {
    let run = try CommandLineRun(command: Self.tables, ["--check"])
    #expect(run.status == 0, "\(run.errors)")
  }
}
