import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("--max-hang and --strict")
struct GateTests {
  /// Calls that hang on plain sockets, one of them forever, and a recommendation that is not met.
  private static let hanging = """
    {
      "format": 1,
      "id": "hanging",
      "profiles": ["sockets", "sockets-monitor"],
      "initial": { "flags": ["Reachable", "IsWWAN"] },
      "hosts": { "api.example:443": {} },
      "config": { "until": "60s" },
      "timeline": [
        { "at": "0s", "call": { "id": "a", "host": "api.example:443", "kind": "streaming",
          "deadline": "20s" } },
        { "at": "0s", "call": { "id": "b", "host": "api.example:443", "kind": "streaming",
          "deadline": "9s" } },
        { "at": "0s", "call": { "id": "c", "host": "api.example:443", "kind": "streaming" } },
        { "at": "3s", "flags": ["Reachable"] }
      ],
      "expect": [{ "level": "should", "call": "b", "status": "UNAVAILABLE", "at": "3s" }]
    }
    """

  private static func run(_ command: String, _ options: String...) throws -> CommandLineRun {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(hanging, to: "hanging.json")
    return try CommandLineRun([command, file] + options)
  }

  @Test("A call that hangs for too long fails its case, and the last line reports it")
  func run() throws {
    let plain = try Self.run("run")
    #expect(plain.status == 0, "\(plain.output)\(plain.errors)")
    #expect(!plain.output.contains("HANGS"))
    let gated = try Self.run("run", "--max-hang", "5s")
    #expect(gated.status == 1)
    #expect(gated.output.hasSuffix("\nHANGS: 3 calls, worst 17.0 s, 1 never ended\n"))
    #expect(gated.output.contains("1 passed, 1 failed"))
    #expect(gated.output.contains("call \"a\" hangs no longer than 5 s after the change"))
    #expect(gated.output.contains(/repeat +handover run \S+ --profile sockets --max-hang 5s\n/))
  }

  @Test("A threshold that is met is reported too")
  func kept() throws {
    let run = try Self.run("run", "--profile", "sockets-monitor", "--max-hang", "1.5s")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.hasSuffix("\nHANGS: none longer than 1.5 s\n"))
  }

  @Test("Every report shows which calls hung, and for how long")
  func reports() throws {
    let gate = ["--max-hang", "5s"]
    func report(_ format: String) throws -> String {
      try Self.run("run", gate[0], gate[1], "-o", "\(format)=-").output
    }
    let words = "HANGS: 3 calls, worst 17.0 s, 1 never ended"
    let tap = try report("tap")
    #expect(tap.hasSuffix("\n# \(words)\n"))
    #expect(tap.contains("not ok 1 - hanging [sockets]\n"))
    #expect(tap.contains("kind: \"hang\""))
    let github = try report("github")
    #expect(github.hasSuffix("\n\(words)\n"))
    #expect(github.count(of: "::error ") == 3)
    let lines = try report("jsonl").split(separator: "\n")
    let hang = #"{"call":"a","since_us":3000000,"lasted_us":17000000,"ended":true}"#
    #expect(lines.contains { $0.contains("\"hangs\":[\(hang),") })
    let sum = #""hangs":{"max_us":5000000,"calls":3,"worst_us":17000000,"never_ended":1}"#
    #expect(lines.last?.contains(sum) == true)
    let xml = try XMLDocument(xmlString: try report("junit"), options: [])
    let property = try xml.nodes(forXPath: "//testsuite/properties/property[@name='hangs']/@value")
    #expect(property.compactMap(\.stringValue) == [words])
    #expect(try xml.nodes(forXPath: "//failure[@type='hang']").count == 1)
  }

  @Test("A report with hangs can be compared like any other")
  func compared() throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Self.hanging, to: "hanging.json")
    let reports = ["before", "after"].map { scratch.url.appending(path: "\($0).jsonl").path }
    _ = try CommandLineRun("run", file, "-o", "jsonl=\(reports[0])")
    _ = try CommandLineRun("run", file, "--max-hang", "5s", "-o", "jsonl=\(reports[1])")
    let run = try CommandLineRun("compare", reports[0], reports[1])
    #expect(run.errors.isEmpty)
    #expect(run.output.contains("hanging [sockets]"))
  }

  @Test("A hang in a case that is known to fail does not count")
  func known() throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Self.hanging, to: "hanging.json")
    let list = try scratch.write("hanging [sockets]\n", to: "known.txt")
    let run = try CommandLineRun("run", file, "--max-hang", "5s", "--known-failing", list)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.hasSuffix("\nHANGS: none longer than 5.0 s\n"))
  }

  @Test("The matrix has the same thresholds")
  func matrix() throws {
    let words = "HANGS: 3 calls, worst 17.0 s, 1 never ended"
    let markdown = try Self.run("matrix", "--max-hang", "5s")
    #expect(markdown.status == 1)
    #expect(markdown.output.hasSuffix("\n\(words)\n"))
    #expect(markdown.output.contains(/hanging +\| ✗ FAILED never +\| ✓ PASSED 0 s/))
    let html = try Self.run("matrix", "--max-hang", "5s", "-o", "html=-")
    #expect(html.output.contains(">\(words)<"))
    let json = try Self.run("matrix", "--max-hang", "5s", "-o", "json=-").output
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect((object["hangs"] as? [String: Any])?["calls"] as? Int == 3)
    #expect(json.contains("--max-hang 5s"))
  }

  @Test("With --strict a recommendation must be met")
  func strict() throws {
    for command in ["run", "matrix"] {
      #expect(try Self.run(command).status == 0)
      #expect(try Self.run(command, "--strict").status == 1)
      #expect(try Self.run(command, "--strict", "--profile", "sockets-monitor").status == 0)
    }
    #expect(try Self.run("run", "--strict").output.contains("--profile sockets --strict\n"))
  }

  @Test(
    "A threshold that is not a valid time is a usage error", arguments: ["0s", "5", "-1s", "soon"])
  func wrong(_ time: String) throws {
    #expect(try Self.run("run", "--max-hang=\(time)").status == 2)
  }
}

extension String {
  fileprivate func count(of part: String) -> Int { ranges(of: part).count }
}
