import Foundation
import Testing

/// Whether this machine can create a lab.
let labIsThere: Bool = {
  guard let scratch = try? ScratchDirectory(), let file = try? story([], in: scratch) else {
    return false
  }
  return (try? CommandLineRun("lab", "exec", file, "--", "true").status) == 0
}()

/// Writes a scenario that starts on the cellular network.
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
  /// Runs the command with entries at later and later times, until a program was quick enough.
  ///
  /// On a busy machine a program may need seconds to start and connect.
  ///
  /// - Parameters:
  ///   - run: Makes a run whose times are multiplied by a factor.
  ///   - isReady: Whether the program had reached the state that the test needs.
  /// - Returns: The first run that is ready, or the last one.
  /// - Throws: Any error of `run`.
  static func untilReady(
    _ run: (_ factor: Int) throws -> CommandLineRun, _ isReady: (CommandLineRun) -> Bool
  ) throws -> CommandLineRun {
    for factor in [1, 4, 16] {
      let run = try run(factor)
      if isReady(run) { return run }
    }
    return try run(64)
  }

  /// The last line on standard error.
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

  @Test("A program that the kernel cannot execute is reported, and the lab is not blamed")
  func notExecutable() throws {
    let closed = try scratch.write("", to: "closed")
    for (interpreter, reported) in [
      ("/no/such/interpreter", "exists, but its interpreter does not"),
      (closed, "cannot be executed: Permission denied.\n"),
    ] {
      let file = try scratch.write("#!\(interpreter)\n", to: "program")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
      for run in [
        try run([], [], file), try CommandLineRun("try", "--move", "nat", "--", file),
      ] {
        #expect(run.status == 2, "\(run.errors)")
        #expect(run.errors.contains("Error: \"\(file)\" \(reported)"), "\(run.errors)")
        #expect(!run.errors.contains("The lab failed"))
      }
    }
  }

  @Test(
    "A fault that affects no connection tests nothing, and the command fails",
    arguments: [
      #""transport": { "host": "*", "become": "stall" }"#,
      #""transport": { "host": "*", "become": "kill" }"#,
      #""transport": { "host": "*", "become": "stall-acked" }"#,
      #""server": { "host": "a.example:443", "do": "reset" }"#,
    ])
  func idleFaults(_ fault: String) throws {
    let idle = "there is no connection that it could affect"
    let success = try ending("exit 0", after: [#"{ "at": "100ms", \#(fault) }"#])
    #expect(success.status == 1, "\(success.errors)")
    #expect(success.errors.contains(idle), "\(success.errors)")
    #expect(
      success.errors.contains("The fault at 100ms affected no connection"), "\(success.errors)")
    // The exit status of a failed program takes precedence.
    #expect(try ending("exit 7", after: [#"{ "at": "100ms", \#(fault) }"#]).status == 7)
    let met = try CommandLineRun.untilReady {
      try ending(
        "exit 0", after: [#"{ "at": "\#($0)s", \#(fault) }"#],
        "curl -sN $HANDOVER_SERVER/stream >/dev/null &")
    } _: {
      !$0.errors.contains(idle)
    }
    #expect(met.status == 0, "\(met.errors)")
  }

  /// Runs a program that ends as soon as the lab reports the entries of a timeline.
  ///
  /// - Parameters:
  ///   - end: The last command of the program, for a shell.
  ///   - timeline: The entries.
  ///   - beginning: The first commands of the program.
  /// - Returns: The whole run.
  /// - Throws: An error if the command cannot be started, or does not report its entries.
  private func ending(
    _ end: String, after timeline: [String], _ beginning: String = ""
  ) throws -> CommandLineRun {
    let shouldContinue = scratch.url.appending(path: "goes-on-\(UUID().uuidString)").path
    let running = try StoppableRun([
      "lab", "exec", try story(timeline, in: scratch), "--", "sh", "-c",
      "\(beginning) until [ -e '\(shouldContinue)' ]; do sleep 0.05; done; \(end)",
    ])
    // The lab also reports the start of the program and the start of the call before.
    try running.wait {
      let entries = running.errors.split(separator: "\n").filter { $0.hasPrefix(" ") }
      return entries.count >= 2 + timeline.count
    }
    try Data().write(to: URL(filePath: shouldContinue))
    let status = running.status()
    return CommandLineRun(status: status, output: running.output, errors: running.errors)
  }

  @Test("If requested, the current step and its start time are printed to standard error")
  func progress() throws {
    let steps = [#"{ "at": "500ms", "flags": ["Reachable"] }"#]
    let reported = try run(steps, ["--until", "5s", "--progress", "always"], "sleep", "600")
    #expect(
      reported.errors.contains(/\d+\.\d s: step 2 of 2, WiFi appears, since .*; over at 5\.0 s/))
    #expect(reported.output.isEmpty)
    let quiet = try run(steps, ["--until", "2s"], "sleep", "600")
    #expect(!quiet.errors.contains("step 2 of 2"))
  }

  /// The kernel visits every slot of this table for each list of connections.
  @Test("A lab has its own, small table of connections")
  func connectionTable() throws {
    let run = try run([], [], "cat", "/proc/sys/net/ipv4/tcp_ehash_entries")
    // The setting does not exist before Linux 6.2.
    guard run.status == 0 else {
      #expect(run.errors.contains("No such file"), "\(run.errors)")
      return
    }
    #expect(run.output == "16384\n", "\(run.errors)")
  }

  @Test("The command exits with the status of the program")
  func ends() throws {
    #expect(try run([], [], "sh", "-c", "exit 7").status == 7)
    #expect(try run([], [], "sh", "-c", "kill -9 $$").status == 137)
    #expect(try run([], ["--until", "100ms"], "sleep", "600").status == 143)
  }

  @Test(
    "An unmodified program stalls, and continues when the device is back",
    .enabled(if: Program.find("curl") != nil))
  func stall() throws {
    let curl = "curl -sN http://$HANDOVER_SERVER/stream"
    let moved = "until ip route show default | grep -q wlan0; do sleep 0.05; done; echo moved"
    let stalled = try CommandLineRun.untilReady { factor in
      try run(
        [#"{ "at": "\#(500 * factor)ms", "flags": ["Reachable"] }"#],
        ["--until", "\(500 * factor + 4_000)ms"], "sh", "-c", "(\(moved)) & exec \(curl)")
    } _: {
      $0.output.hasPrefix("line")
    }
    let lines = stalled.output.split(separator: "\n")
    let move = try #require(lines.firstIndex(of: "moved"), "\(stalled.output)\(stalled.errors)")
    // A working stream prints a line every 200 ms.
    #expect(move > 0 && lines.count - move < 8, "\(stalled.output)\(stalled.errors)")
    #expect(stalled.errors.contains("-R ------- wlan0  WiFi appears"))
    let cellularToWifi = #"{ "at": "500ms", "flags": ["Reachable"] }"#
    let back = #"{ "at": "1s", "flags": ["Reachable", "IsWWAN"] }"#
    let revived = try run(
      [cellularToWifi, back], ["--until", "2min"], "sh", "-c", "\(curl) | head -n 13")
    #expect(revived.output.split(separator: "\n").count == 13, "\(revived.errors)")
  }

  @Test(
    "A platform that reports a lost network ends the connection",
    .enabled(if: Program.find("curl") != nil))
  func platform() throws {
    let stream = try CommandLineRun.untilReady { factor in
      try run(
        [#"{ "at": "\#(500 * factor)ms", "flags": ["Reachable"] }"#],
        ["--platform", "cfstream", "--until", "\(500 * factor + 60_000)ms"], "sh", "-c",
        "curl -sN -m \(factor + 5) http://$HANDOVER_SERVER/stream")
    } _: {
      $0.errors.contains("connections that the OS ends: 1")
    }
    // curl exits with status 56 if receiving fails.
    #expect(stream.status == 56, "\(stream.errors)")
    #expect(stream.errors.contains("connections that the OS ends: 1"))
  }

  @Test("An app in the background is a stopped program")
  func background() throws {
    // The program ends when it notices that it was stopped for a while.
    let ticks = """
      last=$(date +%s%N)
      while true; do
        now=$(date +%s%N); [ $((now - last)) -lt 1500000000 ] || exit 7
        last=$now; sleep 0.1
      done
      """
    let stopped = try run(
      [
        #"{ "at": "300ms", "app": "background" }"#, #"{ "at": "4s", "app": "foreground" }"#,
      ], ["--until", "2min"], "sh", "-c", ticks)
    #expect(stopped.status == 7, "\(stopped.errors)")
    #expect(stopped.errors.contains("the app goes to the background"))
  }

  @Test("Captured frames have a format that other tools read")
  func capture() throws {
    let file = scratch.url.appending(path: "out.pcap")
    _ = try run(
      [], ["--pcap", file.path], "bash", "-c", "echo > /dev/tcp/${HANDOVER_SERVER/://}")
    let bytes = [UInt8](try Data(contentsOf: file))
    #expect(Array(bytes.prefix(4)) == [0x0A, 0x0D, 0x0D, 0x0A])
    // One of the first frames is an ARP request for the gateway's address.
    var kinds: [[UInt8]] = []
    var start = 0
    while start + 28 + 14 <= bytes.count {
      // The blocks of type 6 contain frames.
      if bytes[start] == 6 { kinds.append(Array(bytes[(start + 40)..<(start + 42)])) }
      start += (4...7).reversed().reduce(0) { $0 << 8 | Int(bytes[start + $1]) }
    }
    #expect(kinds.prefix(8).contains([0x08, 0x06]))
  }

  @Test("A capture that cannot be written is reported, and standard output belongs to the program")
  func fullCapture() throws {
    let full = try run([], ["--pcap", "/dev/full"], "true")
    #expect(full.status == 2, "\(full.errors)")
    #expect(full.errors.contains("/dev/full: error: it cannot be written: No space left on device"))
    #expect(try run([], ["--pcap", "-"], "true").status == 2)
  }

  @Test("The program ends at the end of the scenario unless another end is requested")
  func until() throws {
    let file = try scratch.write(
      """
      { "format": 1, "id": "lab/until", "profiles": ["sockets"], "config": { "until": "100ms" },
        "initial": { "flags": ["Reachable"] }, "hosts": { "a.example:443": {} }, "timeline": [] }
      """, to: "until.json")
    let run = try CommandLineRun("lab", "exec", file, "--", "sleep", "600")
    #expect(run.status == 143, "\(run.errors)")
    let other = try CommandLineRun("lab", "exec", file, "--until", "5min", "--", "sleep", "0.3")
    #expect(other.status == 0, "\(other.errors)")
  }

  /// Returns an entry at the given second at which the device leaves the cellular network.
  private static func toWiFi(at seconds: Int = 1) -> [String] {
    [#"{ "at": "\#(seconds)s", "flags": ["Reachable"] }"#]
  }

  /// Whether the program was connected when the network changed.
  private static func isConclusive(_ run: CommandLineRun) -> Bool {
    !run.lastLine.hasPrefix("INCONCLUSIVE")
  }

  @Test(
    "A program that waits on a dead connection exceeds the limit, and the last line reports it",
    .enabled(if: Program.find("curl") != nil))
  func overTheLimit() throws {
    let hangs = try CommandLineRun.untilReady {
      try run(
        Self.toWiFi(at: $0), ["--max-outage", "2s", "--until", "\($0 + 4)s"], "sh", "-c",
        "exec curl -sN http://$HANDOVER_SERVER/stream")
    } _: {
      Self.isConclusive($0)
    }
    #expect(hangs.status == 1, "\(hangs.errors)")
    #expect(
      hangs.lastLine.contains(
        #/^OVER THE LIMIT: data did not come back; the limit is 2 s \(the change at [0-9.]+ s\)/#
      ),
      "\(hangs.errors)")
    let hammers = try CommandLineRun.untilReady {
      try run(
        Self.toWiFi(at: $0), ["--max-attempts", "3", "--until", "\(5 * $0)s"], "sh", "-c",
        "while :; do curl -s -m 1 http://$HANDOVER_SERVER/; done")
    } _: {
      Self.isConclusive($0) && $0.status != 0
    }
    #expect(hammers.status == 1, "\(hammers.errors)")
    #expect(hammers.lastLine.contains(#/^OVER THE LIMIT: \d+ new connections, over 3 /#))
  }

  @Test(
    "A program that recovers is within the limit, and its exit status is used",
    .enabled(if: Program.find("curl") != nil))
  func withinTheLimit() throws {
    let stream = "curl -sN --speed-limit 1 --speed-time 1 http://$HANDOVER_SERVER/stream"
    let ends = try CommandLineRun.untilReady {
      try run(
        Self.toWiFi(at: $0), ["--max-outage", "2min", "--max-attempts", "1"], "sh", "-c",
        // If the stream ended too early, the network has not changed yet.
        "\(stream); until ip route show default | grep -q wlan0; do sleep 0.1; done; "
          + "curl -s -m 60 http://$HANDOVER_SERVER/; exit 7")
    } _: {
      Self.isConclusive($0)
    }
    #expect(ends.status == 7, "\(ends.errors)")
    #expect(
      ends.lastLine.contains(
        #/^WITHIN THE LIMIT: an outage of at most [0-9.]+ m?s, at most 1 new connection\.$/#),
      "\(ends.errors)")
    let shouldContinue = try CommandLineRun.untilReady {
      try run(
        Self.toWiFi(at: $0), ["--max-outage", "5min", "--until", "\(6 * $0)s"], "sh", "-c",
        "while :; do curl -s -m \($0) http://$HANDOVER_SERVER/; sleep 0.1; done")
    } _: {
      $0.status == 0
    }
    #expect(shouldContinue.status == 0, "\(shouldContinue.errors)")
    #expect(
      shouldContinue.lastLine.hasPrefix("WITHIN THE LIMIT: an outage of "),
      "\(shouldContinue.errors)")
  }

  @Test("A limit that cannot be evaluated is not a success")
  func undecidedLimit() throws {
    let silent = try run(
      Self.toWiFi(), ["--max-outage", "1s", "--until", "3s"], "sleep", "600")
    #expect(silent.status == 3, "\(silent.errors)")
    #expect(silent.lastLine == "INCONCLUSIVE: no data arrived before the network change.")
    let early = try run(Self.toWiFi(at: 600), ["--max-attempts", "1"], "true")
    #expect(early.status == 3, "\(early.errors)")
    #expect(early.lastLine == "INCONCLUSIVE: the network did not change while it ran.")
    #expect(try run([], ["--max-attempts", "-1"], "true").status == 2)
  }

  @Test("The program has no variables about namespaces, and the lab is slow if requested")
  func environment() throws {
    let command = "env | grep -c '^HANDOVER_[NU]' ; time echo > /dev/tcp/${HANDOVER_SERVER/://}"
    let slow = try run(
      [], ["--condition", "cellular:delay=200ms,rate=10Mbit"], "bash", "-c",
      "TIMEFORMAT=%R; \(command)")
    #expect(slow.output == "0\n")
    let seconds = slow.errors.split(separator: "\n").compactMap { Double($0) }.first ?? 0
    // A handshake takes one round trip.
    #expect(seconds >= 0.35, "\(slow.errors)")
  }

  @Test("The scenario can come from standard input")
  func standardInput() throws {
    let file = try story([], in: scratch)
    let run = "'\(CommandLineRun.command.path)' lab exec - --until 2s -- true"
    for line in ["cat '\(file)' | \(run)", "\(run) < '\(file)'"] {
      let run = try CommandLineRun(command: URL(filePath: "/bin/sh"), ["-c", line])
      #expect(run.status == 0, "\(run.errors)")
    }
  }

  @Test("A wrong command line and an invalid scenario are bad input")
  func badInput() throws {
    let file = try story([], in: scratch)
    #expect(try CommandLineRun("lab", "exec", file).status == 2)
    #expect(try CommandLineRun("lab", "exec", "no-such.json", "--", "true").status == 2)
    for condition in ["wifi", "wifi:loss=1", "lan:delay=1s", "wifi:delay=1s,", "wifi:rate=0Mbit"] {
      let run = try CommandLineRun("lab", "exec", file, "--condition", condition, "--", "true")
      #expect(run.status == 2, "\(condition)")
      #expect(run.errors.contains("Error: --condition \(condition): "), "\(run.errors)")
    }
  }

  @Test(
    "If no lab can be created, the failed system call, its errno and a hint are printed",
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
    #expect(run.errors.contains("unshare(CLONE_NEWNET): 28 No space left on device; increase"))
  }

  @Test(
    "If no lab can be created, a run on real sockets is not a success",
    .enabled(if: Program.find("unshare") != nil))
  func undecided() throws {
    let command = CommandLineRun.command.path
    for (limit, words) in [
      (0, "Cannot create a lab on this machine"), (1, "cannot create its device lab"),
    ] {
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

  @Test("The processes that the program started end with it, even in another session")
  func session() throws {
    let marker = ProcessMarker()
    let run = try run(
      [], [], "sh", "-c", "setsid sleep 600 & setsid sh -c 'sleep 600 & sleep 600' & exit 3",
      environment: marker.environment)
    #expect(run.status == 3, "\(run.errors)")
    #expect(marker.processes == [])
  }

  @Test(
    "A Unix socket of the machine does not answer in the lab, and files remain accessible",
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
    "A connection takes as long as its host specifies",
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
    func seconds(_ run: CommandLineRun) -> [Double] {
      run.errors.split(separator: "\n").compactMap { Double($0) }
    }
    // A busy machine may delay the quick connection once, but not each time.
    let run = try CommandLineRun.untilReady { _ in
      try CommandLineRun("lab", "exec", file, "--", "bash", "-c", connect)
    } _: {
      seconds($0).first.map { $0 < 1.4 } == true
    }
    let (quick, slow) = (seconds(run).first ?? 0, seconds(run).last ?? 0)
    #expect(seconds(run).count == 2, "\(run.errors)")
    #expect(quick >= 0.1 && slow >= 1.5 && quick < slow, "\(run.errors)")
  }

  @Test("An entry that no kernel can carry out is refused instead of silently omitted")
  func impossible() throws {
    for (host, reason) in [
      (#""h:443": { "addresses": ["224.0.0.1"] }"#, "multicast"),
      (#""[fe80::1]:443": {}"#, "link-local"), (#""[::1]:443": {}"#, "loopback address"),
      (#""h:443": { "addresses": ["192.0.2.7", "127.0.0.1"] }"#, "loopback"),
      (#""unix:/run/x": {}"#, "labs need an address or a name"),
    ] {
      let file = try scratch.write(
        """
        { "format": 1, "id": "lab/impossible", "profiles": ["sockets"],
          "initial": { "flags": ["Reachable"] }, "hosts": { \(host) }, "timeline": [] }
        """, to: "impossible.json")
      let exec = try CommandLineRun("lab", "exec", file, "--", "true")
      #expect(exec.status == 2 && exec.errors.contains(reason), "\(exec)")
      let nio = try CommandLineRun("run", file, "--backend", "nio", "--require-lab")
      #expect(nio.output.contains("1 unsupported"), "\(nio.output)\(nio.errors)")
    }
  }

  @Test("A killed lab takes the program and everything that it started with it")
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
    // The output ends when the last process that could write to it has ended.
    #expect(output.fileHandleForReading.readDataToEndOfFile().isEmpty)
    #expect(namespace?.hasPrefix("net:[") == true)
    // An exiting process closes its files before it leaves its namespaces.
    let inside = ProcessMarker.left {
      ProcessMarker.all.filter {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\($0)/ns/net")
        return link != nil && link == namespace.map(String.init)
      }
    }
    #expect(inside == [])
  }
}
