import Foundation
import Testing

/// Whether a lab can be had here.
let labIsThere: Bool = {
  guard let scratch = try? ScratchDirectory(), let file = try? story([], in: scratch) else {
    return false
  }
  return (try? CommandLineRun("lab", "exec", file, "--", "true").status) == 0
}()

/// Writes a scenario that begins on the cellular network.
private func story(_ timeline: [String], in scratch: ScratchDirectory) throws -> String {
  let call = #"{ "at": "0s", "call": { "id": "c", "host": "a.example:443", "takes": "1s" } }"#
  return try scratch.write(
    """
    { "format": 1, "id": "lab/story", "profiles": ["sockets"],
      "source": [{ "document": "network-transitions", "item": "D8a" }],
      "initial": { "flags": ["Reachable", "IsWWAN"] },
      "hosts": { "a.example:443": {} },
      "timeline": [\(([call] + timeline).joined(separator: ", "))] }
    """, to: "story.json")
}

extension CommandLineRun {
  /// The last line that was said beside the output.
  fileprivate var lastLine: String {
    errors.split(separator: "\n").last.map(String.init) ?? ""
  }
}

@Suite("handover lab exec", .enabled(if: labIsThere))
struct LabExecTests {
  private let scratch: ScratchDirectory

  init() throws {
    scratch = try ScratchDirectory()
  }

  private func run(
    _ timeline: [String], _ options: [String] = [], _ command: String...,
    environment: [String: String] = [:]
  ) throws -> CommandLineRun {
    let file = try story(timeline, in: scratch)
    return try CommandLineRun(
      ["lab", "exec", file] + options + ["--"] + command, environment: environment)
  }

  @Test("a program that the kernel does not execute is told, and no lab is blamed")
  func notExecutable() throws {
    let closed = try scratch.write("", to: "closed")
    for (interpreter, told) in [
      ("/no/such/interpreter", "is there, and what is to execute it is not: the interpreter"),
      (closed, "cannot be executed: Permission denied.\n"),
    ] {
      let file = try scratch.write("#!\(interpreter)\n", to: "program")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
      for run in [
        try run([], [], file), try CommandLineRun("try", "--move", "nat", "--", file),
      ] {
        #expect(run.status == 2, "\(run.errors)")
        #expect(run.errors.contains("Error: \"\(file)\" \(told)"), "\(run.errors)")
        #expect(!run.errors.contains("broke down"))
      }
    }
  }

  @Test(
    "a fault that meets no connection tests nothing, and is no success",
    arguments: [
      #""transport": { "host": "*", "become": "stall" }"#,
      #""transport": { "host": "*", "become": "kill" }"#,
      #""transport": { "host": "*", "become": "stall-acked" }"#,
      #""server": { "host": "a.example:443", "do": "reset" }"#,
    ])
  func idleFaults(_ fault: String) throws {
    let entry = #"{ "at": "1s", \#(fault) }"#
    let idle = try run([entry], [], "sleep", "1.5")
    #expect(idle.status == 1, "\(idle.errors)")
    #expect(idle.errors.contains("there is no connection that it could meet"), "\(idle.errors)")
    #expect(idle.errors.contains("The fault at 1s met no connection"), "\(idle.errors)")
    // A program that failed says so itself.
    #expect(try run([entry], [], "sh", "-c", "sleep 1.5; exit 7").status == 7)
    let met = try run(
      [entry], [], "timeout", "--preserve-status", "-s", "KILL", "2", "sh", "-c",
      "curl -sN $HANDOVER_SERVER/stream & sleep 1.5; exit 0")
    #expect(met.status == 0, "\(met.errors)")
  }

  @Test("which step it is at and since when is said on standard error, where somebody wants it")
  func progress() throws {
    let steps = [#"{ "at": "500ms", "flags": ["Reachable"] }"#]
    let told = try run(steps, ["--until", "1500ms", "--progress", "always"], "sleep", "600")
    #expect(told.errors.contains(/\d+\.\d s: step 2 of 2, WiFi appears, since .*; over at 1\.5 s/))
    #expect(told.output.isEmpty)
    let quiet = try run(steps, ["--until", "1500ms"], "sleep", "600")
    #expect(!quiet.errors.contains("step 2 of 2"))
  }

  @Test("the program's end is that of the command")
  func ends() throws {
    #expect(try run([], [], "sh", "-c", "exit 7").status == 7)
    #expect(try run([], [], "sh", "-c", "kill -9 $$").status == 137)
    #expect(try run([], ["--until", "100ms"], "sleep", "600").status == 143)
  }

  @Test(
    "an unmodified program sees its stall, and goes on when the device is back",
    .enabled(if: Program.find("curl") != nil))
  func stall() throws {
    let curl = "curl -sN http://$HANDOVER_SERVER/stream"
    let cellularToWifi = #"{ "at": "500ms", "flags": ["Reachable"] }"#
    let stalled = try run([cellularToWifi], ["--until", "3s"], "sh", "-c", curl)
    let lines = stalled.output.split(separator: "\n").count
    #expect((1...6).contains(lines), "\(stalled.output)\(stalled.errors)")
    #expect(stalled.errors.contains("-R ------- wlan0  WiFi appears"))
    let back = #"{ "at": "1s", "flags": ["Reachable", "IsWWAN"] }"#
    let revived = try run([cellularToWifi, back], ["--until", "4s"], "sh", "-c", curl)
    #expect(revived.output.split(separator: "\n").count > 12, "\(revived.errors)")
  }

  @Test(
    "a platform that reports what was left ends the connection",
    .enabled(if: Program.find("curl") != nil))
  func platform() throws {
    let stream = try run(
      [#"{ "at": "500ms", "flags": ["Reachable"] }"#], ["--platform", "cfstream"], "sh", "-c",
      "curl -sN http://$HANDOVER_SERVER/stream")
    // What curl says of a failure to receive.
    #expect(stream.status == 56, "\(stream.errors)")
    #expect(stream.errors.contains("connections that the platform ends: 1"))
  }

  @Test("the app in the background is a program that is stopped")
  func background() throws {
    let stopped = try run(
      [#"{ "at": "300ms", "app": "background" }"#], ["--until", "2s"], "sh", "-c",
      "while true; do echo tick; sleep 0.1; done")
    #expect((1...6).contains(stopped.output.split(separator: "\n").count))
    #expect(stopped.errors.contains("the app goes to the background"))
  }

  @Test("frames are written as other tools read them")
  func capture() throws {
    let file = scratch.url.appending(path: "out.pcap")
    _ = try run(
      [], ["--pcap", file.path], "bash", "-c", "echo > /dev/tcp/${HANDOVER_SERVER/://}")
    let bytes = [UInt8](try Data(contentsOf: file))
    #expect(Array(bytes.prefix(8)) == [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0])
    // One of the first frames asks who has the gateway's address.
    var kinds: [[UInt8]] = []
    var start = 24
    while start + 16 + 14 <= bytes.count {
      kinds.append(Array(bytes[(start + 28)..<(start + 30)]))
      start += 16 + Int(bytes[start + 8]) + Int(bytes[start + 9]) << 8
    }
    #expect(kinds.prefix(8).contains([0x08, 0x06]))
  }

  @Test("frames that cannot be written are told, and standard output is the program's")
  func fullCapture() throws {
    let full = try run([], ["--pcap", "/dev/full"], "true")
    #expect(full.status == 2, "\(full.errors)")
    #expect(full.errors.contains("/dev/full: error: it cannot be written: No space left on device"))
    #expect(try run([], ["--pcap", "-"], "true").status == 2)
  }

  @Test("the scenario's own end is that of the program, unless another one is asked for")
  func until() throws {
    let file = try scratch.write(
      """
      { "format": 1, "id": "lab/until", "profiles": ["sockets"], "config": { "until": "100ms" },
        "initial": { "flags": ["Reachable"] }, "hosts": { "a.example:443": {} }, "timeline": [] }
      """, to: "until.json")
    let run = try CommandLineRun("lab", "exec", file, "--", "sleep", "5")
    #expect(run.status == 143, "\(run.errors)")
    let other = try CommandLineRun("lab", "exec", file, "--until", "1min", "--", "sleep", "0.3")
    #expect(other.status == 0, "\(other.errors)")
  }

  private static let toWiFi = [#"{ "at": "1s", "flags": ["Reachable"] }"#]

  @Test(
    "a program that waits on a dead path is over the limit, and the last line says so",
    .enabled(if: Program.find("curl") != nil))
  func overTheLimit() throws {
    let hangs = try run(
      Self.toWiFi, ["--max-outage", "2s", "--until", "5s"], "sh", "-c",
      "exec curl -sN http://$HANDOVER_SERVER/stream")
    #expect(hangs.status == 1, "\(hangs.errors)")
    #expect(
      hangs.lastLine.contains(
        #/^OVER THE LIMIT: data did not come back; the limit is 2 s \(the change at 1(\.\d)? s\)/#
      ),
      "\(hangs.errors)")
    let hammers = try run(
      Self.toWiFi, ["--max-attempts", "3", "--until", "5s"], "sh", "-c",
      "while :; do curl -s -m 1 http://$HANDOVER_SERVER/; done")
    #expect(hammers.status == 1, "\(hammers.errors)")
    #expect(hammers.lastLine.contains(#/^OVER THE LIMIT: \d+ new connections, over 3 /#))
  }

  @Test(
    "a program that comes back is within the limit, and its end is its own",
    .enabled(if: Program.find("curl") != nil))
  func withinTheLimit() throws {
    let stream = "curl -sN --speed-limit 1 --speed-time 1 http://$HANDOVER_SERVER/stream"
    let ends = try run(
      Self.toWiFi, ["--max-outage", "30s", "--max-attempts", "1"], "sh", "-c",
      // Where the stream ended too early, the move is still to come.
      "\(stream); until ip route show default | grep -q wlan0; do sleep 0.1; done; "
        + "curl -s -m 5 http://$HANDOVER_SERVER/; exit 7")
    #expect(ends.status == 7, "\(ends.errors)")
    #expect(
      ends.lastLine.contains(
        #/^WITHIN THE LIMIT: an outage of [0-9.]+ m?s at most, 1 new connection at most\.$/#),
      "\(ends.errors)")
    let goesOn = try run(
      Self.toWiFi, ["--max-outage", "30s", "--until", "6s"], "sh", "-c",
      "while :; do curl -s -m 1 http://$HANDOVER_SERVER/; sleep 0.1; done")
    #expect(goesOn.status == 0, "\(goesOn.errors)")
    #expect(goesOn.lastLine.hasPrefix("WITHIN THE LIMIT: an outage of "), "\(goesOn.errors)")
  }

  @Test("where nothing shows whether a limit is kept, that is no success")
  func undecidedLimit() throws {
    let silent = try run(
      Self.toWiFi, ["--max-outage", "1s", "--until", "3s"], "sleep", "600")
    #expect(silent.status == 3, "\(silent.errors)")
    #expect(silent.lastLine == "INCONCLUSIVE: no payload came before the network changed.")
    let early = try run(Self.toWiFi, ["--max-attempts", "1"], "true")
    #expect(early.status == 3, "\(early.errors)")
    #expect(early.lastLine == "INCONCLUSIVE: the network did not change while it ran.")
    #expect(try run([], ["--max-attempts", "-1"], "true").status == 2)
  }

  @Test("the program knows nothing of namespaces, and the lab is slow where that is asked for")
  func environment() throws {
    let command = "env | grep -c '^HANDOVER_[NU]' ; time echo > /dev/tcp/${HANDOVER_SERVER/://}"
    let slow = try run(
      [], ["--condition", "cellular:delay=200ms,rate=10Mbit"], "bash", "-c",
      "TIMEFORMAT=%R; \(command)")
    #expect(slow.output == "0\n")
    let seconds = slow.errors.split(separator: "\n").compactMap { Double($0) }.first ?? 0
    // A connection is asked for: once there and back. The gateway is found at once, because it is
    // on this side of what is slow.
    #expect((0.35...3).contains(seconds), "\(slow.errors)")
  }

  @Test("a wrong command line, and a scenario that is none, are bad input")
  func badInput() throws {
    let file = try story([], in: scratch)
    #expect(try CommandLineRun("lab", "exec", file).status == 2)
    #expect(try CommandLineRun("lab", "exec", "no-such.json", "--", "true").status == 2)
    for condition in ["wifi", "wifi:loss=1", "lan:delay=1s", "wifi:delay=1s,", "wifi:rate=0Mbit"] {
      let run = try CommandLineRun("lab", "exec", file, "--condition", condition, "--", "true")
      #expect(run.status == 2, "\(condition)")
    }
  }

  @Test(
    "where no lab can be had, the call, the number and what to do are told",
    .enabled(if: Program.find("unshare") != nil))
  func refusal() throws {
    let file = try story([], in: scratch)
    let script = """
      echo 0 > /proc/sys/user/max_net_namespaces && \
      exec '\(CommandLineRun.command.path)' lab exec '\(file)' -- true
      """
    let run = try CommandLineRun(
      command: URL(filePath: "/usr/bin/env"), ["unshare", "-Ur", "sh", "-c", script])
    #expect(run.status == 3, "\(run.errors)")
    #expect(run.errors.contains("unshare(CLONE_NEWNET): 28 No space left on device; raise"))
  }

  @Test(
    "where nothing of a lab can be decided, that is no success",
    .enabled(if: Program.find("unshare") != nil))
  func undecided() throws {
    let command = CommandLineRun.command.path
    for (limit, words) in [(0, "There is no lab here"), (1, "there is no device lab for it")] {
      let script = """
        echo \(limit) > /proc/sys/user/max_net_namespaces && exec '\(command)' run \
          Scenarios/transitions/wifi-to-cellular.json --profile sockets --backend nio
        """
      let run = try CommandLineRun(
        command: URL(filePath: "/usr/bin/env"), ["unshare", "-Ur", "sh", "-c", script])
      #expect(run.status == 3, "\(limit): \(run.output)\(run.errors)")
      #expect((run.output + run.errors).contains(words), "\(run.output)\(run.errors)")
    }
  }

  @Test("what the program started is ended with it, also what left its session")
  func session() throws {
    let marker = ProcessMarker()
    let run = try run(
      [], [], "sh", "-c", "setsid sleep 600 & setsid sh -c 'sleep 600 & sleep 600' & exit 3",
      environment: marker.environment)
    #expect(run.status == 3, "\(run.errors)")
    #expect(marker.processes == [])
  }

  @Test(
    "a socket of this machine's file system does not answer in the lab, and files stay",
    .enabled(if: Program.find("python3") != nil))
  func pathSockets() throws {
    let folder = try ScratchDirectory()
    let path = folder.url.appending(path: "service").path
    _ = try folder.write("as before", to: "file")
    let service = try PathSocket(path)
    let connect = """
      import os, socket, sys
      print(open(os.path.dirname(sys.argv[1]) + '/file').read())
      try: socket.socket(socket.AF_UNIX).connect(sys.argv[1])
      except OSError as error: print(error.strerror)
      own = os.path.dirname(sys.argv[1]) + '/own'
      listener = socket.socket(socket.AF_UNIX); listener.bind(own); listener.listen()
      socket.socket(socket.AF_UNIX).connect(own); print('own')
      """
    let run = try run([], [], "python3", "-c", connect, path)
    withExtendedLifetime(service) {}
    #expect(run.output == "as before\nConnection refused\nown\n", "\(run.errors)")
  }

  @Test(
    "a connection takes as long as its host says",
    .enabled(if: Program.find("bash") != nil))
  func handshake() throws {
    let file = try scratch.write(
      """
      { "format": 1, "id": "lab/slow", "profiles": ["sockets"],
        "initial": { "flags": ["Reachable"] },
        "hosts": {
          "a.example:443": { "connect": "1500ms" }, "b.example:443": { "connect": "100ms" } },
        "timeline": [{ "at": "0s", "call": { "id": "c", "host": "a.example:443", "takes": "1s" } },
          { "at": "0s", "call": { "id": "d", "host": "b.example:443", "takes": "1s" } }] }
      """, to: "slow.json")
    let connect =
      "TIMEFORMAT=%R; for server in $HANDOVER_SERVER_2 $HANDOVER_SERVER; do "
      + "time echo > /dev/tcp/${server/://}; done"
    let run = try CommandLineRun("lab", "exec", file, "--", "bash", "-c", connect)
    let seconds = run.errors.split(separator: "\n").compactMap { Double($0) }
    #expect(seconds.count == 2, "\(run.errors)")
    #expect(seconds.first.map { $0 >= 0.1 && $0 < 1.4 } == true, "\(run.errors)")
    #expect(seconds.last.map { $0 >= 1.5 && $0 < 4 } == true, "\(run.errors)")
  }

  @Test("what no kernel plays is refused, and not left out without a word")
  func unbearable() throws {
    for (host, reason) in [
      (#""h:443": { "addresses": ["224.0.0.1"] }"#, "multicast"),
      (#""[fe80::1]:443": {}"#, "link-local"), (#""[::1]:443": {}"#, "device itself"),
      (#""h:443": { "addresses": ["192.0.2.7", "127.0.0.1"] }"#, "loopback"),
      (#""unix:/run/x": {}"#, "is no address and no name"),
    ] {
      let file = try scratch.write(
        """
        { "format": 1, "id": "lab/unbearable", "profiles": ["sockets"],
          "initial": { "flags": ["Reachable"] }, "hosts": { \(host) }, "timeline": [] }
        """, to: "unbearable.json")
      let exec = try CommandLineRun("lab", "exec", file, "--", "true")
      #expect(exec.status == 2 && exec.errors.contains(reason), "\(exec)")
      let nio = try CommandLineRun("run", file, "--backend", "nio", "--require-lab")
      #expect(nio.output.contains("1 unsupported"), "\(nio.output)\(nio.errors)")
    }
  }

  @Test("a lab that is killed takes the program and everything it started with it")
  func killed() throws {
    let file = try story([], in: scratch)
    let process = Process()
    process.executableURL = CommandLineRun.command
    process.arguments = [
      "lab", "exec", file, "--", "sh", "-c", "readlink /proc/self/ns/net; sleep 600 & sleep 600",
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let first = output.fileHandleForReading.availableData
    let namespace = String(decoding: first, as: UTF8.self).split(separator: "\n").first
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    // The end of the output is the end of the last that could write to it.
    #expect(output.fileHandleForReading.readDataToEndOfFile().isEmpty)
    let processes = try FileManager.default.contentsOfDirectory(atPath: "/proc")
    let inside = processes.filter {
      let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\($0)/ns/net")
      return link != nil && link == namespace.map(String.init)
    }
    #expect(namespace?.hasPrefix("net:[") == true)
    #expect(inside == [])
  }
}
