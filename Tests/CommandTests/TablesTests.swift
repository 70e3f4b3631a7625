import Foundation
import Testing

/// `make tables` measures all rows; here, one client shows that the measurement works.
@Suite(
  "Published results",
  .enabled(if: labIsThere && Program.find("curl") != nil && Program.find("tshark") != nil))
struct TablesTests {
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
    let run = Process()
    run.executableURL = packageRoot.appending(path: "Fixtures/Tables/run")
    run.arguments = [
      CommandLineRun.command.path, "--table", "eyeballs", "--only", "curl", "--results", file.path,
    ]
    try run.run()
    run.waitUntilExit()
    let results = try JSONDecoder().decode(Results.self, from: try Data(contentsOf: file))
    let row = try #require(results.tables["eyeballs"]?.first)
    let found = try #require(row.found, "\(row.reason ?? "")")
    // A busy machine changes the delay, but it stays far from zero.
    #expect(try #require(found.delay) >= 100)
    #expect(found.ipv6 == 1 && found.ipv4 == 1 && found.waits)
  }

  @Test("The page shows the recorded results")
  func page() throws {
    let run = Process()
    run.executableURL = packageRoot.appending(path: "Fixtures/Tables/run")
    run.arguments = ["--check"]
    try run.run()
    run.waitUntilExit()
    #expect(run.terminationStatus == 0)
  }
}
