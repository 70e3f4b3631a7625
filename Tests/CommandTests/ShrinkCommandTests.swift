import Foundation
import Testing

@Suite("handover shrink")
struct ShrinkCommandTests {
  private static let long = """
    {
      "format": 1, "id": "my/long", "profiles": ["sockets-monitor", "cfstream"],
      "initial": { "flags": ["Reachable"] },
      "hosts": { "a:1": { "connect": "20ms" }, "b:1": {} },
      "timeline": [
        { "at": "0s", "call": { "id": "one", "host": "a:1", "kind": "streaming" } },
        { "at": "500ms", "call": { "id": "two", "host": "b:1", "kind": "streaming" } },
        { "at": "1.7s", "server": { "host": "a:1", "do": "goaway" } },
        { "at": "2.2s", "cancel": "one" },
        { "at": "3.1s", "flags": ["Reachable", "IsWWAN"] }
      ],
      "expect": [{ "call": "one", "status": "CANCELLED" }]
    }
    """

  private let scratch: ScratchDirectory
  private let file: String
  private let small: String

  init() throws {
    scratch = try ScratchDirectory()
    file = scratch.url.appending(path: "long.json").path
    small = scratch.url.appending(path: "small.json").path
    try Data(Self.long.utf8).write(to: scratch.url.appending(path: "long.json"))
  }

  @Test("A scenario that still fails is written in canonical layout, with the command that runs it")
  func shrinks() throws {
    let arguments = ["shrink", file, "--defect", "double-end", "-o", small]
    let run = try CommandLineRun(arguments)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("5 entries, 2 calls, 2 hosts became 3 entries, 1 call, 1 host"))
    #expect(run.output.contains("invariant 1: a call ends once"))
    #expect(run.output.contains("handover run \(small) --defect double-end"), "\(run.output)")
    // Progress is shown only on a terminal.
    #expect(run.errors.isEmpty)
    #expect(try CommandLineRun("format", "--check", small).status == 0)
    #expect(try CommandLineRun("run", small, "--defect", "double-end").status == 1)
    #expect(try CommandLineRun("run", small).status == 0)
    let again = try CommandLineRun(arguments)
    #expect(again.status == 2)
    #expect(again.errors.contains("the file exists"))
    #expect(try CommandLineRun(arguments + ["--force"]).status == 0)
  }

  @Test("Standard output has only the scenario, the same each time")
  func prints() throws {
    let arguments = ["shrink", file, "--defect", "double-end"]
    let run = try CommandLineRun(arguments)
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("{\n  \"format\": 1,\n  \"id\": \"my/long-minimal\",\n"))
    #expect(run.errors.contains("handover run FILE --defect double-end"))
    #expect(try CommandLineRun(arguments).output == run.output)
  }

  @Test("A scenario that does not fail is reported")
  func passes() throws {
    let run = try CommandLineRun("shrink", file)
    #expect(run.status == 4)
    #expect(run.errors.contains("it does not fail on sockets-monitor, cfstream"))
    #expect(run.output.isEmpty)
    let other = try CommandLineRun("shrink", file, "--profile", "sockets")
    #expect(other.status == 4)
    #expect(other.errors.contains("choose one of its profiles: "))
  }

  @Test(
    "The small scenario fails for the same reason as in run",
    arguments: [
      // Without a call, the fault affects no profile.
      (
        #""profiles": ["sockets", "cfstream"]"#,
        #"{"at": "1s", "server": {"host": "a:1", "do": "reset"}}"#, ""
      ),
      (
        #""profiles": ["sockets", "sockets-monitor"]"#,
        #"{"at": "1s", "monitor": {"do": "miss"}}"#, ""
      ),
      // Threads need url-dispatcher, but the first profile that fails is url-loading.
      (
        #""profiles": ["url-loading", "url-dispatcher"], "config": {"requests": {"threads": {}}}"#,
        #"{"at": "0s", "request": {"id": "r", "host": "a:1", "kind": "long"}}, "#
          + #"{"at": "1s", "cancel": "r"}"#, #"{"request": "r", "outcome": "finished"}"#
      ),
    ])
  func agrees(_ profiles: String, _ timeline: String, _ expectation: String) throws {
    let file = try scratch.write(
      """
      {"format": 1, "id": "t/a", \(profiles), "initial": {"flags": ["Reachable"]},
      "hosts": {"a:1": {}}, "timeline": [\(timeline)], "expect": [\(expectation)]}
      """, to: "a.json")
    #expect(try CommandLineRun("run", file).status == 1)
    let run = try CommandLineRun("shrink", file, "-o", small, "--force")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try CommandLineRun("run", small).status == 1)
  }

  @Test("A profile that the scenario does not name is handled as in run")
  func unnamedProfile() throws {
    let arguments = [file, "--profile", "linux-sockets", "--defect", "double-end"]
    #expect(try CommandLineRun(["run"] + arguments).status == 1)
    let run = try CommandLineRun(["shrink"] + arguments + ["-o", small])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try CommandLineRun("run", small, "--defect", "double-end").status == 1)
  }

  @Test("The budget stops the search, and the smallest scenario so far is written")
  func stops() throws {
    let run = try CommandLineRun(
      "shrink", file, "--defect", "double-end", "--budget", "2", "-o", small)
    #expect(run.status == 1)
    #expect(run.output.contains("Stopped early"))
    #expect(try CommandLineRun("run", small, "--defect", "double-end").status == 1)
  }

  @Test("Input that cannot be read and output that cannot be written are reported")
  func badInput() throws {
    let empty = scratch.url.appending(path: "empty.json").path
    try Data().write(to: scratch.url.appending(path: "empty.json"))
    for arguments in [
      [scratch.url.path], [empty], ["no-such.json"], ["stalls"], [file, "-o", scratch.url.path],
      [file, "-o", "no-such/found.json"], [file, "-o", "/dev/full"], [file, "-o", ""],
      [file, "--profile", "socket"], [file, "--defect", "C1"], [file, "--budget", "0"],
      [file, "--budget", "soon"], [file, "--backend", "nio"], [],
      [file, "--backend", "exec:client", "--defect", "C10"],
    ] {
      let run = try CommandLineRun(["shrink"] + arguments)
      #expect(run.status == 2, "\(arguments): \(run.errors)")
      #expect(!run.errors.isEmpty)
      #expect(run.output.isEmpty)
    }
  }
}
