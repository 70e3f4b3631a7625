import Foundation
import Testing

/// Tests the resources that programs in labs inherit, and outputs that cannot be written as
/// requested.
@Suite("Programs and outputs of labs", .enabled(if: labIsThere), .serialized)
struct LabProgramTests {
  private let scratch: ScratchDirectory

  init() throws {
    scratch = try ScratchDirectory()
  }

  /// Writes a program that lists its descriptors to a file.
  private func lister(_ name: String) throws -> (command: [String], result: URL) {
    let result = scratch.url.appending(path: name)
    let program = try scratch.write(
      """
      import os, sys
      folder = "/proc/self/fd"
      numbers = sorted(int(n) for n in os.listdir(folder) if os.path.exists(f"{folder}/{n}"))
      with open(sys.argv[1], "w") as file: file.write(repr(numbers))
      """, to: "list.py")
    return (["python3", program, result.path], result)
  }

  private func scenario() throws -> String {
    try scratch.write(
      """
      { "format": 1, "id": "lab/programs", "profiles": ["sockets"],
        "initial": { "flags": ["Reachable"] }, "hosts": { "a.example:443": {} },
        "timeline": [{ "at": "0s", "call": { "id": "c", "host": "a.example:443" } }],
        "expect": [{ "call": "c", "status": "OK" }] }
      """, to: "scenario.json")
  }

  @Test("Programs of labs and backends inherit only the descriptors 0, 1 and 2")
  func descriptors() throws {
    let file = try scenario()
    for (name, options) in [
      ("try", ["try", "--jobs", "1", "--watch", "5s", "--move", "nat", "--"]),
      ("lab exec", ["lab", "exec", file, "--"]),
    ] {
      let (command, result) = try lister(name)
      let run = try CommandLineRun(options + command)
      let text = try? String(contentsOf: result, encoding: .utf8)
      #expect(text == "[0, 1, 2]", "\(name): \(run.errors)")
    }
    let (exec, lab, server) = (try lister("exec"), try lister("lab"), try lister("server"))
    func line(_ program: (command: [String], result: URL)) -> String {
      program.command.joined(separator: " ")
    }
    _ = try CommandLineRun("run", file, "--backend", "exec:\(line(exec))")
    let client = "python3 Fixtures/Backends/live.py"
    for (client, server) in [(line(lab), "\(client) --server"), (client, line(server))] {
      _ = try CommandLineRun("run", file, "--backend", "lab:\(client)", "--server", server)
    }
    for program in [exec, lab, server] {
      let text = try? String(contentsOf: program.result, encoding: .utf8)
      #expect(text == "[0, 1, 2]", "\(program.result.lastPathComponent)")
    }
  }

  /// Runs a command in another mount namespace, in which a folder is a full disk of 64 KiB.
  private func runOnFullDisk(
    _ folder: String, _ arguments: [String]
  ) throws -> CommandLineRun {
    let quoted = ([CommandLineRun.command.path] + arguments).map { "'\($0)'" }
    return try CommandLineRun(
      command: URL(filePath: "/usr/bin/env"),
      [
        "unshare", "-m", "sh", "-c",
        "mount -t tmpfs -o size=64k none '\(folder)' && exec \(quoted.joined(separator: " "))",
      ])
  }

  /// Sends about 3 MB in 3 s.
  private static let chatter = """
    import socket, time
    connection = socket.create_connection((HOST, PORT))
    for _ in range(30):
      connection.sendall(b"x" * 100000)
      rest = 100000 if PORT == 7 else 1
      while rest > 0: rest -= len(connection.recv(100000))
      time.sleep(0.1)
    """

  @Test(
    "A capture that does not fit on the disk is reported, with status 2",
    .enabled(if: getuid() == 0))
  func fullDisk() throws {
    let disk = scratch.url.appending(path: "disk")
    try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
    let talk = Self.chatter.replacing("HOST", with: "\"203.0.113.9\"").replacing("PORT", with: "7")
    let run = try runOnFullDisk(
      disk.path,
      [
        "try", "--jobs", "1", "--watch", "5s", "--move", "nat", "--pcap", disk.path, "--",
        "python3",
        "-c", talk.replacing("\n", with: "\n"),
      ])
    #expect(run.status == 2, "\(run.output)\(run.errors)")
    #expect(run.errors.contains("nothing.pcap"), "\(run.errors)")
    #expect(run.errors.contains("No space left on device"), "\(run.errors)")
    let exec = try runOnFullDisk(
      disk.path,
      [
        "lab", "exec", try scenario(), "--pcap", "\(disk.path)/exec.pcap", "--", "sh", "-c",
        "for n in $(seq 300); do curl -s -o /dev/null http://$HANDOVER_SERVER/; done; exit 0",
      ])
    #expect(exec.status == 2, "\(exec.output)\(exec.errors)")
    #expect(exec.errors.contains("No space left on device"), "\(exec.errors)")
  }

  @Test(
    "A regular expression of exponential time is stopped with a message, and the verdict remains")
  func endlessExpression() throws {
    let run = try CommandLineRun([
      "try", "--jobs", "1", "--watch", "5s", "--move", "uplink", "--progress", "(a+)+$", "-o",
      "html=/dev/null", "-o", "pretty=-", "--", "sh", "-c",
      "echo \(String(repeating: "a", count: 60))b; exec curl -sN http://api.example/drip",
    ])
    #expect(run.status == 2, "\(run.output)\(run.errors)")
    #expect(run.errors.contains("--progress '(a+)+$' needs more than 5 s"), "\(run.errors)")
    #expect(run.output.contains("the uplink dies for 10 s"), "\(run.output)")
  }

  @Test("The pages of a captive portal do not count as a working connection")
  func portal() throws {
    let file = try scratch.write(
      """
      { "format": 1, "id": "lab/portal", "profiles": ["sockets"], "initial": {},
        "networks": { "lte": { "kind": "cellular", "state": "default" },
          "hotel": { "kind": "wifi" } },
        "hosts": { "api.example:80": {} },
        "timeline": [
          { "at": "2s", "network": { "id": "hotel", "become": "up" } },
          { "at": "2s", "network": { "id": "hotel", "become": "captive" } },
          { "at": "2s", "network": { "id": "hotel", "become": "default" } },
          { "at": "2s", "network": { "id": "lte", "become": "down" } },
          { "at": "6s", "network": { "id": "hotel", "become": "validated" } }
        ] }
      """, to: "portal.json")
    // The program retries 8 s after the first page of the portal, at least 4 s after the portal is
    // gone.
    let poll = "curl -s -m 3 -o /dev/null -w '%{http_code}' http://$HANDOVER_HOST/"
    let polls =
      "until [ \"$(\(poll))\" = 511 ]; do sleep 0.3; done; sleep 8; "
      + "while :; do \(poll); sleep 0.3; done"
    let run = try CommandLineRun([
      "lab", "exec", file, "--until", "14s", "--max-outage", "3s", "--", "sh", "-c", polls,
    ])
    #expect(run.status == 1, "\(run.errors)")
    let length = run.errors.firstMatch(of: /outage of ([0-9.]+) s/).flatMap { Double($0.1) }
    #expect(length.map { $0 >= 4 } == true, "\(run.errors)")
    let patient = try CommandLineRun([
      "lab", "exec", file, "--until", "14s", "--max-outage", "30s", "--", "sh", "-c", polls,
    ])
    #expect(patient.status == 0, "\(patient.errors)")
  }
}
