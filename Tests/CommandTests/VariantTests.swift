import Foundation
import Testing

@Suite("handover run --variants")
struct VariantTests {
  /// A stream that stalls forever on plain sockets, and an upload that TCP gives up.
  private static let stalling = """
    {
      "format": 1,
      "id": "stalling",
      "profiles": ["sockets", "cfstream"],
      "initial": { "flags": ["Reachable", "IsWWAN"] },
      "hosts": { "api.example:443": {} },
      "timeline": [
        { "at": "0s", "call": { "id": "s", "host": "api.example:443", "kind": "streaming" } },
        { "at": "0s", "call": { "id": "b", "host": "api.example:443", "kind": "bidi",
          "options": { "compression": "gzip" } } },
        { "at": "1s", "flags": ["Reachable"] },
        { "at": "2s", "send": { "call": "b", "bytes": 1 } }
      ],
      "expect": [{ "profiles": ["cfstream"], "call": "s", "status": "UNAVAILABLE", "at": "1s" }]
    }
    """

  private static func run(_ options: String...) throws -> CommandLineRun {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(stalling, to: "stalling.json")
    return try CommandLineRun(["run", file] + options)
  }

  @Test("The figures have a row for each profile and variant, and count calls that never ended")
  func figures() throws {
    let plain = try Self.run()
    #expect(plain.status == 0, "\(plain.output)\(plain.errors)")
    #expect(plain.output.contains(/sockets +median 15 min 1 s, worst 15 min 1 s  \(1 call, 1 n/))
    let run = try Self.run("--variants")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains(/\n  sockets  +median 15 min 1 s, worst 15 min 1 s  \(1 call/))
    #expect(run.output.contains(/\n  sockets \+ keepalive 10s\/5s  +median .*  \(2 calls\)/))
    #expect(run.output.contains(/\n  sockets \+ TCP_USER_TIMEOUT 5s +median +6\.0 s, worst +6\./))
    #expect(run.output.contains(/\n  cfstream \+ keepalive 10s\/5s +median +0 s, worst +0 s/))
    #expect(!run.output.contains("cfstream + TCP_USER_TIMEOUT"))
  }

  @Test("Values can be given, and every report shows them")
  func values() throws {
    let list = "--variants=keepalive=20s/10s,user-timeout=30s"
    #expect(try Self.run(list).output.contains("sockets + TCP_USER_TIMEOUT 30s"))
    let tap = try Self.run(list, "-o", "tap=-").output
    #expect(tap.contains("call, sockets + keepalive 20s/10s: median "))
    #expect(tap.hasPrefix("TAP version 14\n1..2\n"))
    let junit = try Self.run(list, "-o", "junit=-").output
    #expect(junit.contains("change-to-end.sockets + keepalive 20s/10s"))
    let lines = try Self.run(list, "-o", "jsonl=-").output.split(separator: "\n")
    #expect(lines.last?.contains("\"variant\":\"TCP_USER_TIMEOUT 30s\"") == true)
    #expect(lines.last?.contains("\"never_ended\":1") == true)
    let one = try Self.run("--variants", "user-timeout=30s").output
    #expect(!one.contains("keepalive"))
  }

  @Test("The bundled scenarios violate no invariant on any variant")
  func bundled() throws {
    let run = try CommandLineRun("run", "Scenarios", "--variants", "--repeat", "2", "--jobs", "2")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("sockets + keepalive 10s/5s"))
  }

  @Test("A violation on a variant fails the case, and the report names the variant")
  func rules() throws {
    let run = try CommandLineRun(
      "run", "Scenarios/transitions", "--profile", "sockets-monitor", "--defect", "C10",
      "--variants")
    #expect(run.status != 2)
    for line in run.output.split(separator: "\n") where line.contains("repeat ") {
      #expect(line.contains("--variants=keepalive=10s/5s,user-timeout=5s"))
    }
  }

  @Test(
    "An unknown variant is a usage error with a hint",
    arguments: [
      ["--variants", "Scenarios"], ["--variants=keepalive=10s"], ["--variants=user-timeout=5"],
      ["--variants=user-timeout=0s"], ["--variants=keepalive=10s/5s/1s"],
      ["--variants=user-timeout=5s,user-timeout=5s"], ["--variants=nagle=1s"],
    ])
  func wrong(_ arguments: [String]) throws {
    let run = try CommandLineRun(["run"] + arguments)
    #expect(run.status == 2)
    #expect(run.errors.contains("variant"))
    #expect(run.output.isEmpty)
  }
}
