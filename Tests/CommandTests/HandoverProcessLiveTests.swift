import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Clients with their own sockets in the device lab, each in a process.
@Suite("handover run --backend lab:COMMAND", .enabled(if: labIsThere))
struct HandoverProcessLiveTests {
  private static let client = "lab:python3 Fixtures/Backends/live.py"
  private static let server = "python3 Fixtures/Backends/live.py --server"
  private let scratch: ScratchDirectory

  init() throws {
    scratch = try ScratchDirectory()
  }

  /// Writes a scenario with a stream and a later call to one host.
  private func scenario(
    _ timeline: [String], expecting expect: [String] = [#"{"call": "next", "status": "OK"}"#],
    profile: String = "sockets-monitor", initial: String = "2", next: String = "1s"
  ) throws -> String {
    let stream = #"{"at": "0s", "call": {"id": "stream", "host": "a:1", "kind": "streaming"}}"#
    let later = #"{"at": "\#(next)", "call": {"id": "next", "host": "a:1", "deadline": "2500ms"}}"#
    return try scratch.write(
      """
      { "format": 1, "id": "live/story", "profiles": ["\(profile)"],
        "initial": { "flags": \(initial) }, "hosts": { "a:1": {} },
        "timeline": [\(([stream] + timeline + [later]).joined(separator: ", "))],
        "expect": [\(expect.joined(separator: ", "))] }
      """, to: "story-\(UUID().uuidString).json")
  }

  private func run(
    _ file: String, client: String = Self.client, server: String = Self.server,
    _ options: String...
  ) throws -> CommandLineRun {
    try CommandLineRun(
      ["run", file, "--backend", client, "--server", server, "--require-lab"] + options)
  }

  /// Runs a scenario that must pass, even on a slow machine.
  ///
  /// A client that must fail the same scenario is tested with the usual tolerance.
  private func patientRun(
    _ file: String, client: String = Self.client, server: String = Self.server,
    _ options: String...
  ) throws -> CommandLineRun {
    try CommandLineRun(
      ["run", file, "--backend", client, "--server", server, "--require-lab"] + Self.patience
        + options)
  }

  private static let patience = ["--tolerance", "10s", "--timeout", "60s"]

  private static let wifiAppears = #"{"at": "500ms", "flags": ["Reachable"]}"#
  private static let cellular = #"["Reachable", "IsWWAN"]"#
  private static let endsAtOnce = [
    #"{"call": "stream", "status": "UNAVAILABLE", "within": ["0s", "1s"]}"#,
    #"{"call": "next", "status": "OK", "within": ["1s", "1500ms"]}"#,
  ]

  @Test(
    "When WiFi appears, the call hangs, is ended by a monitor, or is ended late by the kernel"
  )
  func wifiAppears() throws {
    let file = try scenario(
      [Self.wifiAppears], expecting: Self.endsAtOnce, initial: Self.cellular)
    let cells = [
      try run(file), try patientRun(file, client: Self.client + " --monitor"),
      try run(file, client: Self.client + " --keepalive"),
    ]
    #expect(cells.map(\.status) == [1, 0, 1], "\(cells.map(\.output))\(cells.map(\.errors))")
    #expect(cells[0].output.contains("it was unfinished when the run was over"))
    #expect(
      cells[2].output.contains(
        #"seen      it ended UNAVAILABLE ("[Errno 110] Connection timed out") at "#))
    #expect(cells[2].output.contains("--backend '\(Self.client) --keepalive' --server '"))
  }

  @Test("The matrix has a column for each client, with the time from the change to the end")
  func matrix() throws {
    let file = try scenario(
      [Self.wifiAppears], expecting: Self.endsAtOnce, initial: Self.cellular)
    let run = try CommandLineRun(
      "matrix", file, "--backend", Self.client, "--backend", Self.client + " --monitor",
      "--server", Self.server, "--require-lab")
    #expect(run.status == 1, "\(run.output)\(run.errors)")
    #expect(run.output.contains("live-monitor"))
  }

  // The checks of one client take as long as its scenarios, so each client is a separate test.

  @Test(
    "A template passes the checks in the lab, and a program that fails is reported with the place")
  func checksHold() throws {
    let holds = try check { $0 }
    #expect(holds.status == 0, "\(holds.output)\(holds.errors)")
    #expect(holds.output.contains("All 9 rules pass."))
    #expect(try check(server: "false") { $0 }.status == 3)
    let fails = try CommandLineRun("backend", "check", "lab:false", "--server", Self.servers)
    #expect(fails.status == 3)
    #expect(try CommandLineRun("backend", "check", "lab:false").status == 2)
  }

  @Test("A wrong template is detected by the checks in the lab")
  func checksDetect() throws {
    let broken = try check { $0.replacing("\"DEADLINE_EXCEEDED\"", with: "\"UNAVAILABLE\"") }
    #expect(broken.status == 1, "\(broken.output)\(broken.errors)")
    #expect(broken.output.contains("✗ a call ends DEADLINE_EXCEEDED"))
    #expect(broken.output.contains("1 of 9 rules failed."))
  }

  @Test("The checks in the lab skip capabilities that a template does not declare")
  func checksAskLess() throws {
    let less = try check { $0.replacing("\"streaming\"]", with: "]") }
    #expect(less.status == 0 && less.output.contains("7 rules pass; 2 were not checked."))
  }

  private static let servers = "\(CommandLineRun.command.path) backend serve --role server"

  /// Runs the checks on the template with a change applied.
  private func check(
    server: String = servers, _ change: (String) -> String
  ) throws -> CommandLineRun {
    let template = try CommandLineRun("backend", "new", "--real-time").output
    let program = try scratch.write(change(template), to: "client.py")
    return try CommandLineRun(
      ["backend", "check", "lab:python3 \(program)", "--server", server] + Self.patience)
  }

  @Test(
    "A threshold fails a client that hangs, and passes one that recovers quickly"
  )
  func gate() throws {
    let file = try scenario([Self.wifiAppears], expecting: [], initial: Self.cellular)
    let runs =
      [try run(file, "--max-hang", "1s")]
      + (try [" --monitor", " --keepalive"].map {
        try patientRun(file, client: Self.client + $0, "--max-hang", "30s")
      })
    #expect(runs.map(\.status) == [1, 0, 0], "\(runs.map(\.output))\(runs.map(\.errors))")
    #expect(runs[0].output.contains("it never ended, and hung since "))
    // The next call hangs until its deadline.
    #expect(runs[0].output.contains(/\nHANGS: 2 calls, .*1 never ended\n/), "\(runs[0].output)")
    #expect(runs[1].output.contains("\nHANGS: none longer than 30.0 s\n"))
  }

  @Test("An app in the background is stopped, and sees the network change when it returns")
  func background() throws {
    let file = try scenario(
      [
        #"{"at": "300ms", "app": "background"}"#, Self.wifiAppears,
        #"{"at": "2s", "app": "foreground"}"#,
      ],
      expecting: [
        #"{"call": "stream", "status": "UNAVAILABLE", "within": ["2s", "2500ms"]}"#,
        #"{"call": "next", "status": "OK"}"#,
      ], initial: Self.cellular, next: "2500ms")
    let run = try patientRun(file, client: Self.client + " --monitor")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }

  @Test("User actions reach the client")
  func users() throws {
    let chat =
      #"{"at": "100ms", "call": {"id": "chat", "host": "a:1", "kind": "bidi", "takes": "10ms"}}"#
    let file = try scenario(
      [
        chat, #"{"at": "200ms", "send": {"call": "chat", "bytes": 10}}"#,
        #"{"at": "300ms", "finish": "chat"}"#, #"{"at": "500ms", "cancel": "stream"}"#,
        #"{"at": "600ms", "call": {"id": "cut", "host": "a:1", "kind": "streaming"}}"#,
        #"{"at": "700ms", "disconnect": "a:1"}"#,
      ],
      expecting: [
        #"{"call": "chat", "status": "OK", "after": "300ms"}"#,
        #"{"call": "stream", "status": "CANCELLED", "at": "500ms"}"#,
        #"{"call": "cut", "status": "UNAVAILABLE", "at": "700ms"}"#,
        #"{"call": "next", "status": "OK"}"#,
      ])
    let run = try patientRun(file)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }

  private static let transport = "lab:python3 Fixtures/Backends/live_transport.py"

  @Test("Calls over a transport under the specified client end with a monitor and hang without one")
  func transport() throws {
    let file = "Scenarios/transitions/cellular-to-wifi-unfinished-stream.json"
    let monitored = try patientRun(
      file, client: Self.transport, "--profile", "sockets-monitor")
    #expect(monitored.status == 0, "\(monitored.output)\(monitored.errors)")
    #expect(monitored.output.contains("1 passed"), "\(monitored.output)")
    let story = try scenario(
      [Self.wifiAppears], expecting: Self.endsAtOnce, profile: "sockets", initial: Self.cellular)
    let alone = try run(story, client: Self.transport)
    #expect(alone.status == 1, "\(alone.output)\(alone.errors)")
    #expect(alone.output.contains("seen      it ended DEADLINE_EXCEEDED"), "\(alone.output)")
    #expect(alone.output.contains("next on same channel 1"), "\(alone.output)")
  }

  @Test("A transport learns about lost networks and about servers from its sockets")
  func sockets() throws {
    let file = try scenario(
      [
        #"{"at": "200ms", "call": {"id": "unary", "host": "a:1", "takes": "50ms"}}"#,
        #"{"at": "500ms", "flags": ["Reachable", "IsWWAN"]}"#,
      ],
      expecting: Self.endsAtOnce + [
        #"{"call": "unary", "status": "OK", "within": ["200ms", "400ms"]}"#,
        #"{"channels": {"host": "a:1", "destroyed": 0}}"#,
      ], profile: "cfstream")
    let run = try patientRun(file, client: Self.transport)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }

  @Test("A transport that dies during a run is an ERROR")
  func transportDies() throws {
    let hello =
      #"{"version":1,"name":"odd","role":"transport","time":"real","#
      + #""capabilities":["streaming"]}"#
    let file = try scratch.write(
      """
      read line; echo '\(hello)'; read line
      case $line in *stop*) exit 0;; esac
      echo '{"seq":1,"out":[]}'; read line; echo trouble >&2; exit 7
      """, to: "dying.sh")
    // The finding names the exit of the program instead of a timeout.
    let run = try patientRun(try scenario([]), client: "lab:sh \(file)")
    #expect(run.status == 3, "\(run.output)\(run.errors)")
    #expect(run.output.contains("it exited with status 7"), "\(run.output)")
    #expect(run.output.contains("last log lines: trouble"), "\(run.output)")
  }

  @Test("The profile decides which lost connections the platform reports")
  func platform() throws {
    let wifiGoes = #"{"at": "500ms", "flags": ["Reachable", "IsWWAN"]}"#
    for (profile, status) in [("sockets", 0), ("cfstream", 0), ("linux-sockets", 1)] {
      let file = try scenario([wifiGoes], expecting: Self.endsAtOnce, profile: profile)
      let run = status == 0 ? try patientRun(file) : try run(file)
      #expect(run.status == Int32(status), "\(profile) \(run.output)\(run.errors)")
    }
  }

  @Test(
    "Faults are carried out by the kernel, the routers and the servers",
    arguments: [
      (#""transport": {"host": "a:1", "become": "kill"}"#, true, "OK"),
      (#""transport": {"host": "a:1", "become": "stall"}"#, false, "DEADLINE_EXCEEDED"),
      (#""server": {"host": "a:1", "do": "close"}"#, true, "OK"),
    ])
  func faults(_ fault: String, endsTheStream: Bool, _ next: String) throws {
    let when = endsTheStream ? "before" : "after"
    let file = try scenario(
      [#"{"at": "500ms", \#(fault)}"#],
      expecting: [
        #"{"call": "stream", "status": "UNAVAILABLE", "\#(when)": "1500ms"}"#,
        #"{"call": "next", "status": "\#(next)"}"#,
      ], profile: "linux-sockets")
    let run = endsTheStream ? try patientRun(file) : try run(file)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }

  /// A client that sends a datagram for each call and never opens a connection.
  private static let datagrams = """
    import json, socket, sys
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for line in sys.stdin:
        command = json.loads(line)
        if command["cmd"] == "start":
            print(json.dumps({"version": 1, "time": "real", "name": "datagrams",
                              "role": "client", "capabilities": ["streaming"]}), flush=True)
            continue
        if command["cmd"] == "stop":
            break
        if command["cmd"] == "open":
            hosts = command["hosts"]
        call = command.get("event", {}).get("call")
        if call and sys.argv[1:] == ["send"]:
            udp.sendto(b"x", (hosts[call["host"]]["address"], hosts[call["host"]]["port"]))
        print(json.dumps({"seq": command["seq"], "out": []}), flush=True)
    """

  @Test(
    "A transport fault does not affect UDP: it fails without a connection and is not judged there",
    arguments: [("send", "1 unsupported", 0), ("silent", "1 failed", 1)])
  func datagrams(_ word: String, _ words: String, _ status: Int32) throws {
    let client = try scratch.write(Self.datagrams, to: "datagrams.py")
    let file = try scenario(
      [#"{"at": "500ms", "transport": {"host": "a:1", "become": "kill"}}"#],
      expecting: [#"{"call": "next", "status": "DEADLINE_EXCEEDED", "level": "should"}"#],
      profile: "linux-sockets")
    let run = try run(file, client: "lab:python3 \(client) \(word)")
    #expect(run.status == status, "\(run.output)\(run.errors)")
    #expect(run.output.contains(words), "\(run.output)")
    #expect(run.output.contains("sends UDP, which `kill`") == (word == "send"))
  }

  @Test(
    "Entries that cannot be run, or are not declared, are reported and not tried",
    arguments: [
      (#"{"at": "500ms", "server": {"host": "a:1", "do": "goaway"}}"#, "declare \"goaway\""),
      (#"{"at": "500ms", "names": {"host": "a:1", "do": "fail"}}"#, "does not look up names"),
      (#"{"at": "500ms", "monitor": {"do": "miss"}}"#, "the flags come directly from the kernel"),
    ])
  func unsupported(_ entry: String, _ words: String) throws {
    let run = try run(try scenario([entry]))
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("1 unsupported") && run.output.contains(words), "\(run.output)")
  }

  @Test("Addresses and names of networks are not run around a process, and the output reports it")
  func addresses() throws {
    let story = packageRoot.appending(path: "Scenarios/addresses/name-server-hangs.json")
    let run = try run(story.path)
    #expect(
      run.output.contains("1 unsupported") && run.output.contains("one IPv4 address"),
      "\(run.output)\(run.errors)")
  }

  struct Breakage: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var script: String
    var words: String
    /// The time limit for an answer; short if the test lets it expire.
    var timeout = "60s"
  }

  static let breakages = [
    Breakage(
      testDescription: "it dies", script: "exit 7", words: "it exited with status 7"),
    Breakage(
      testDescription: "it is silent", script: "sleep 600",
      words: "the backend failed: it did not answer within 5000 ms", timeout: "5s"),
    Breakage(
      testDescription: "it writes garbage", script: "echo hello; read line",
      words: "its line is invalid: it is not JSON"),
    Breakage(
      testDescription: "it ends a call that nobody started",
      script: #"echo "{\"out\":[{\"ended\":{\"call\":\"x\",\"status\":\"OK\"}}]}"; read line"#,
      words: "there was no call \"x\""),
    Breakage(
      testDescription: "it tells what only virtual time knows",
      script: #"echo "{\"out\":[{\"connect\":{\"connection\":1}}]}"; read line"#,
      words: "in real time, a client can report only"),
  ]

  @Test("A client that violates the protocol is an ERROR", arguments: breakages)
  func breakage(_ breakage: Breakage) throws {
    let hello =
      #"{"version":1,"name":"odd","role":"client","time":"real","#
      + #""capabilities":["streaming"]}"#
    let file = try scratch.write(
      """
      read line; echo '\(hello)'; read line
      case $line in *stop*) exit 0;; esac
      echo trouble >&2; \(breakage.script)
      """, to: "odd.sh")
    let run = try run(
      try scenario([]), client: "lab:sh \(file)", "--tolerance", "10s", "--timeout",
      breakage.timeout)
    #expect(run.status == 3, "\(run.output)\(run.errors)")
    #expect(run.output.contains(breakage.words), "\(run.output)")
    #expect(run.output.contains("last log lines: trouble"), "\(run.output)")
  }

  @Test("A crashed server is distinguished from a crashed client")
  func serverBreakage() throws {
    let hello = #"{"version":1,"name":"odd","role":"server","time":"real"}"#
    let server = "sh -c 'read line; echo '\\''\(hello)'\\''; read line'"
    let run = try run(try scenario([]), server: server)
    #expect(run.status == 3 && run.output.contains("the server failed"), "\(run.output)")
  }

  @Test("A real-time client started in virtual time gets a hint with the right option")
  func otherTime() throws {
    let virtual = try run(try scenario([]), client: "lab:python3 Fixtures/Backends/minimal.py")
    #expect(virtual.status == 3)
    #expect(virtual.errors.contains("write --backend 'exec:COMMAND'"), "\(virtual.errors)")
    let real = try CommandLineRun(
      "run", try scenario([]), "--backend", "exec:python3 Fixtures/Backends/live.py")
    #expect(real.status == 3)
    #expect(
      real.errors.contains("write --backend 'lab:COMMAND' --server 'COMMAND'"), "\(real.errors)")
    let swapped = try run(try scenario([]), server: "python3 Fixtures/Backends/live.py")
    #expect(swapped.status == 3)
    #expect(swapped.errors.contains("the program of --server must send"), "\(swapped.errors)")
  }

  private static let roaming = "lab:python3 Fixtures/Backends/roaming.py"
  private static let roamingServer = "python3 Fixtures/Backends/roaming.py --server"

  @Test(
    "The client scenarios detect a client that hangs and pass clients that recover or survive",
    arguments: [
      (Self.client, Self.server, Int32(1)), (Self.client + " --keepalive", Self.server, Int32(0)),
      (Self.roaming, Self.roamingServer, Int32(0)),
    ])
  func stories(_ client: String, _ server: String, _ status: Int32) throws {
    let tolerance = status == 0 ? "10s" : "1s"
    let run = try run(
      "Scenarios/clients", client: client, server: server, "--profile", "linux-sockets", "--jobs",
      "14", "--max-hang", "10s", "--timeout", "60s", "--tolerance", tolerance)
    #expect(run.status == status, "\(run.output)\(run.errors)")
    if status == 1 {
      let hangs = run.output.firstMatch(of: /\nHANGS: \d+ calls, worst (\d+)\.\d s\n/)
      #expect(hangs.flatMap { Int($0.1) }.map { $0 >= 17 } == true, "\(run.output)")
    } else {
      #expect(run.output.contains("\nHANGS: none longer than 10.0 s\n"), "\(run.output)")
    }
    // In the client that survives, the last call of each scenario ends OK, and no call was cut.
    if client == Self.roaming {
      #expect(run.output.contains("13 passed, 0 failed, 0 non-strict, 1 unsupported"))
    }
  }

  @Test("The networks of a scenario come and go around a process too")
  func networks() throws {
    let run = try patientRun("Scenarios/networks", "--profile", "linux-sockets")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("11 passed, 0 failed"), "\(run.output)")
  }

  @Test("A connection takes as long as its host specifies, and only the first call waits for it")
  func slowConnection() throws {
    let file = try scratch.write(
      """
      { "format": 1, "id": "live/slow", "profiles": ["linux-sockets"],
        "initial": { "flags": 2 }, "hosts": { "a:1": { "connect": "8s" }, "b:1": {} },
        "timeline": [
          { "at": "0s", "call": { "id": "slow", "host": "a:1", "takes": "0s" } },
          { "at": "0s", "call": { "id": "other", "host": "b:1", "takes": "0s" } },
          { "at": "10s", "call": { "id": "later", "host": "a:1", "takes": "0s" } }],
        "expect": [
          { "call": "slow", "status": "OK", "after": "9s" },
          { "call": "other", "status": "OK", "before": "6s" },
          { "call": "later", "status": "OK", "before": "16s" }] }
      """, to: "slow.json")
    let run = try run(file, "--timeout", "60s")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }

  @Test("A case with a late entry is repeated once, and is then an ERROR")
  func late() throws {
    let log = scratch.url.appending(path: "commands.jsonl").path
    let client = try scratch.write(
      "tee -a '\(log)' | python3 Fixtures/Backends/live.py", to: "client.sh")
    let run = try run(
      try scenario([Self.wifiAppears]), client: "lab:sh \(client)", "--tolerance", "1us",
      "--timeout", "60s")
    #expect(run.status == 3, "\(run.output)\(run.errors)")
    #expect(run.output.contains("late: this machine is too busy"), "\(run.output)")
    #expect(run.output.contains("1 error"), "\(run.output)")
    let commands = try String(contentsOfFile: log, encoding: .utf8)
    #expect(commands.split(separator: #""cmd":"open""#).count == 3, "\(commands)")
  }

  @Test("JUnit contains wall-clock times per case and in total")
  func wallTime() throws {
    let report = scratch.url.appending(path: "report.xml")
    let file = try scratch.write(
      """
      { "format": 1, "id": "live/short", "profiles": ["sockets", "linux-sockets"],
        "initial": { "flags": 2 }, "hosts": { "a:1": {} },
        "timeline": [{ "at": "0s", "call": { "id": "a", "host": "a:1", "takes": "1500ms" } }],
        "expect": [{ "call": "a", "status": "OK" }] }
      """, to: "short.json")
    let run = try patientRun(file, "-o", "junit=\(report.path)")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    let xml = try XMLDocument(data: try Data(contentsOf: report), options: [])
    func times(_ path: String) throws -> [Double] {
      try xml.nodes(forXPath: path).compactMap { $0.stringValue.flatMap(Double.init) }
    }
    let cases = try times("//testcase/@time")
    #expect(cases.count == 2 && cases.allSatisfy { $0 >= 1.5 }, "\(cases)")
    let sum = try times("/testsuites/@time")
    #expect(sum.count == 1 && sum.allSatisfy { $0 >= 3 }, "\(sum)")
  }

  @Test("--server requires lab:")
  func servers() throws {
    let without = try CommandLineRun("run", "--backend", Self.client)
    #expect(without.status == 2 && without.errors.contains("needs servers"))
    let unwanted = try CommandLineRun("run", "--server", Self.server)
    #expect(unwanted.status == 2 && unwanted.errors.contains("--server requires"))
  }
}
