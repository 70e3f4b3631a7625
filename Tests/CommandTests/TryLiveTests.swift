import Foundation
import Testing

/// A table that `handover try` printed, with the verdict of each row.
struct TryTable {
  private let lines: [String]

  init(_ text: String) {
    lines = text.split(separator: "\n").map(String.init)
  }

  /// Returns the verdict for a network change, or `nil` if there is no such row.
  func verdict(_ title: String) -> String? {
    guard let line = lines.first(where: { $0.hasPrefix("  \(title)  ") }) else { return nil }
    let rest = line.dropFirst(title.count + 2).drop { $0 == " " }
    return rest.split(separator: " ").first.map(String.init)
  }
}

/// Programs with typical behavior; the command of each is what a user would write.
@Suite("handover try, live", .enabled(if: labIsThere), .serialized)
struct TryLiveTests {
  private func tried(
    _ options: [String], watch: String = "8s", _ command: String...
  ) throws -> CommandLineRun {
    try CommandLineRun(["try", "--watch", watch] + options + ["--"] + command)
  }

  @Test("The omitted parts of a scenario, and its source, are reported once")
  func saidOnce() throws {
    let empty = try ScratchDirectory()
    let script =
      "cd '\(empty.url.path)' && exec '\(CommandLineRun.command.path)' try --watch 5s "
      + "--move Scenarios/stalls/killed.json -- true"
    let run = try CommandLineRun(command: URL(filePath: "/bin/sh"), ["-c", script])
    #expect(run.errors.matches(of: /ignored, because the program/).count == 1, "\(run.errors)")
    #expect(run.errors.matches(of: /No Scenarios\/ directory here/).count == 1)
  }

  @Test("With a missing TMPDIR, names still resolve", .enabled(if: Program.find("getent") != nil))
  func temporaryFiles() throws {
    let run = try CommandLineRun(
      [
        "try", "--watch", "5s", "--move", "wifi-to-cellular", "--", "getent", "hosts",
        "any.example",
      ], environment: ["TMPDIR": "/nowhere/at/all"])
    #expect(!run.errors.contains("cannot resolve names"), "\(run.errors)")
    #expect(run.output.contains("(status 0)"), "\(run.output)\(run.errors)")
  }

  @Test("A verdict is shown as soon as it is clear, and again at the end of its run")
  func earlyVerdicts() throws {
    // With a shorter timeout, a busy machine interrupts the program in the unmodified run too.
    let program = Program.impatient.replacing("timeout=1.5", with: "timeout=4")
    let run = try tried(
      ["--move", "hotspot", "--move", "uplink"], watch: "15s", "python3", "-c", program)
    let lines = run.errors.split(separator: "\n").map(String.init)
    let early = lines.firstIndex { $0.hasPrefix("another hotspot: RECOVERS so far, data again") }
    let first = lines.firstIndex { $0.hasPrefix("1 of 3: ") }
    #expect(early != nil && first != nil && early ?? 0 < first ?? 0, "\(run.errors)")
    #expect(lines.contains { $0.hasSuffix(" of 3: another hotspot, RECOVERS") }, "\(run.errors)")
    #expect(
      lines.last { $0.contains(" of 3: ") } == "3 of 3: the uplink dies for 10 s, CUTS",
      "\(run.errors)")
  }

  @Test(
    "A program with its own timeout RECOVERS, and CUTS a connection that would have continued"
  )
  func impatient() throws {
    let scratch = try ScratchDirectory()
    let report = scratch.url.appending(path: "report.jsonl").path
    let deaf = Self.scenario(
      "deaf", [("0s", "blackhole-connect"), ("500ms", "kill"), ("3s", "resume")])
    let nameless = Self.scenario(
      "nameless",
      [
        #"{ "at": "0s", "names": { "host": "a.example:443", "do": "hang" } }"#,
        #"{ "at": "500ms", "server": { "host": "a.example:443", "do": "reset" } }"#,
        #"{ "at": "3s", "names": { "host": "a.example:443", "do": "resolve" } }"#,
      ])
    let run = try tried(
      [
        "--move", "hotspot", "--move", "uplink", "--move", "nat", "-o", "jsonl=\(report)",
        "--move", try scratch.write(deaf, to: "deaf.json"),
        "--move", try scratch.write(nameless, to: "nameless.json"),
      ], "python3", "-c", Program.impatient)
    let lines = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n")
    func verdict(of move: String) -> String? {
      lines.first { $0.contains(#""move":"\#(move)""#) }
        .flatMap { $0.firstMatch(of: /"word":"([A-Z ]+)"/) }.map { String($0.1) }
    }
    let words = ["hotspot", "uplink", "nat", "deaf", "nameless"].map(verdict)
    #expect(
      words == ["RECOVERS", "CUTS", "RECOVERS", "RECOVERS", "RECOVERS"], "\(lines)\(run.errors)")
    for move in ["deaf", "nameless"] {
      let line = lines.first { $0.contains(#""move":"\#(move)""#) } ?? ""
      func time(_ regex: Regex<(Substring, Substring)>) throws -> Int {
        try #require(line.firstMatch(of: regex).flatMap { Int($0.1) }, "\(line)")
      }
      let recovery = try time(/"recovers_us":([0-9]+)/)
      #expect(recovery >= 3_000_000, "\(line)")
      // The program notices the end of its connection at once, and is silent until it recovers.
      let notice = try time(/"notices_us":([0-9]+)/)
      #expect(try time(/"silence_us":([0-9]+)/) >= recovery - notice, "\(line)")
    }
    #expect(run.status == 0)
  }

  @Test("A limit fails a recovered program, and a known failure does not count")
  func limits() throws {
    let scratch = try ScratchDirectory()
    let known = try scratch.write("stuck [LATE]\nhotspot # for now\n", to: "known.txt")
    let stuck = try scratch.write(Self.scenario("stuck", [("0s", "stall")]), to: "stuck.json")
    let run = try tried(
      ["--move", "hotspot", "--move", stuck, "--max-outage", "1s", "--known-failing", known],
      "python3", "-c", Program.impatient)
    let table = TryTable(run.output)
    #expect(table.verdict("another hotspot") == "RECOVERS", "\(run.output)\(run.errors)")
    #expect(table.verdict("stuck") == "RECOVERS", "\(run.output)\(run.errors)")
    #expect(run.output.contains("over 1 s; known (\(known):2)"))
    #expect(run.output.contains("\(known):1: stuck is now RECOVERS, not LATE"))
    #expect(run.output.hasSuffix("over the limit: 1 of 2 moves. Known: another hotspot.\n"))
    #expect(run.status == 1)
  }

  /// Returns a scenario that changes the state of all connections at some times, and makes a call.
  private static func scenario(_ id: String, _ words: [(at: String, word: String)]) -> String {
    scenario(
      id,
      words.map { #"{ "at": "\#($0.at)", "transport": { "host": "*", "become": "\#($0.word)" } }"# }
    )
  }

  private static func scenario(_ id: String, _ entries: [String]) -> String {
    """
    { "format": 1, "id": "\(id)", "initial": { "flags": ["Reachable"] },
      "hosts": { "a.example:443": {} },
      "timeline": [
        { "at": "0s", "call": { "id": "c", "host": "a.example:443" } },
        \(entries.joined(separator: ",\n    "))
      ] }
    """
  }

  @Test(
    "A scenario can be a network change: connections stall, resume, are reset or get no answer"
  )
  func scenarios() throws {
    let scratch = try ScratchDirectory()
    let stall = Self.scenario("stall", [("0s", "stall"), ("2s", "resume")])
    let reset = Self.scenario(
      "reset", [("0s", "blackhole-connect"), ("500ms", "reset"), ("2s", "resume")])
    let away = Self.scenario(
      "away", [#"{ "at": "0s", "flags": [] }"#, #"{ "at": "2s", "flags": ["Reachable"] }"#])
    let run = try tried(
      [
        "--move", try scratch.write(away, to: "away.json"),
        "--move", try scratch.write(stall, to: "stall.json"),
        "--move", try scratch.write(reset, to: "reset.json"), "--color", "always",
      ], "curl", "-sN", "http://[2001:db8:aaaa::7]/drip")
    let plain = TryTable(run.output.replacing(/\u{1b}\[[0-9;]*m/, with: ""))
    #expect(plain.verdict("away") == "UNHARMED", "\(run.output)\(run.errors)")
    #expect(plain.verdict("stall") == "UNHARMED", "\(run.output)\(run.errors)")
    #expect(run.output.contains("\u{1b}[1;31mGIVES UP\u{1b}[0m"), "\(run.output)\(run.errors)")
    #expect(run.errors.contains("stall.json: note: 1 entry is ignored"))
    #expect(run.status == 1)
  }

  /// A program that sends UDP requests from one port twice a second, and receives what a server
  /// sends.
  private static let datagrams = """
    import socket, time
    peer = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    peer.connect(("2001:db8:aaaa::7", 7)); peer.settimeout(0.5)
    while True:
      peer.send(b"x")
      try: peer.recv(100)
      except OSError: pass
      time.sleep(0.2)
    """
  private static let hearer = """
    import socket
    peer = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    peer.sendto(b"x", ("192.0.2.77", 5000))
    while True: peer.recv(100)
    """
  private static let pusher = """
    import socket, time
    listener = socket.create_server(("", 5001))
    peer = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); peer.bind(("", 5000))
    at = peer.recvfrom(100)[1]
    while True: peer.sendto(b"y", at); time.sleep(0.2)
    """

  @Test(
    "A NAT that lost its state lets datagrams in again after outgoing ones, and a hotspot does not")
  func datagramsThroughNAT() throws {
    let asks = try tried(
      ["--move", "nat", "--move", "hotspot"], watch: "5s", "python3", "-c", Self.datagrams)
    #expect(TryTable(asks.output).verdict("a NAT forgets") == "UNHARMED", "\(asks.output)")
    #expect(TryTable(asks.output).verdict("another hotspot") == "HANGS", "\(asks.output)")
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Self.pusher, to: "pusher.py")
    let listener = try tried(
      ["--move", "nat", "--server", "python3 '\(file)'"], watch: "5s", "python3", "-c", Self.hearer)
    #expect(
      TryTable(listener.output).verdict("a NAT forgets") == "HANGS",
      "\(listener.output)\(listener.errors)")
    #expect(listener.output.contains("datagrams of the server do not arrive"))
  }

  @Test("A program that recovers but leaves its dead connection open does not hang")
  func leaks() throws {
    let leaks = """
      import socket
      old = []
      def new():
        wire = socket.create_connection(("api.example", 80), 2); wire.settimeout(2)
        wire.sendall(b"GET /drip HTTP/1.1\\r\\nHost: api.example\\r\\n\\r\\n")
        return wire
      wire = new()
      while True:
        try: wire.recv(1000)
        except OSError:
          old.append(wire)
          wire = new()
      """
    let run = try tried(["--move", "hotspot"], watch: "10s", "python3", "-c", leaks)
    #expect(
      TryTable(run.output).verdict("another hotspot") == "RECOVERS", "\(run.output)\(run.errors)")
    #expect(run.output.contains("; leaves a dead connection open"), "\(run.output)")
    #expect(run.status == 0)
  }

  @Test("A live program without new attempts GIVES UP, and one with part of its data is LATE")
  func incomplete() throws {
    let stops = "curl -sN --speed-limit 1 --speed-time 2 http://api.example/drip; exec sleep 100"
    let run = try tried(["--move", "uplink"], "sh", "-c", stops)
    #expect(run.output.contains("the uplink dies for 10 s  GIVES UP"), "\(run.errors)")
    #expect(run.output.contains("alive, but no attempt since the change"), "\(run.output)")
    #expect(run.status == 1)
    // The program has three streams before the change, and one after it.
    let part = """
      import socket, threading, time
      def read(wire):
        try:
          while wire.recv(1000): pass
        except OSError: pass
        wire.close()
      def stream(path):
        wire = socket.create_connection(("api.example", 80), 2); wire.settimeout(2)
        wire.sendall(b"GET " + path + b" HTTP/1.1\\r\\nHost: api.example\\r\\n\\r\\n")
        return wire
      first = [stream(b"/drip") for _ in range(3)]
      readers = [threading.Thread(target=read, args=(wire,)) for wire in first]
      for reader in readers: reader.start()
      for reader in readers: reader.join()
      read(stream(b"/drip"))
      """
    let rest = try tried(["--move", "hotspot"], watch: "10s", "python3", "-c", part)
    #expect(TryTable(rest.output).verdict("another hotspot") == "LATE", "\(rest.output)")
    #expect(rest.output.contains("not fully back within 10 s"), "\(rest.output)")
    #expect(rest.status == 1)
  }

  @Test("Transport faults affect datagrams, and a fault that affects nothing is INCONCLUSIVE")
  func datagramFaults() throws {
    let scratch = try ScratchDirectory()
    func move(_ name: String, _ words: (String, String)...) throws -> String {
      let entries = words.map {
        #"{ "at": "\#($0.0)", "transport": { "host": "*", "become": "\#($0.1)" } }"#
      }
      return try scratch.write(
        """
        { "format": 1, "id": "\(name)", "profiles": ["linux-sockets"],
          "initial": { "flags": ["Reachable"] }, "hosts": { "a:1": {} },
          "timeline": [\(entries.joined(separator: ", "))] }
        """, to: "\(name).json")
    }
    let run = try tried(
      [
        "--move", try move("stalls", ("0s", "stall")),
        "--move", try move("goes-on", ("0s", "stall"), ("3s", "resume")),
        "--move", try move("refused", ("0s", "reset")), "--move", try move("ended", ("0s", "fin")),
      ], watch: "5s", "python3", "-c", Self.datagrams)
    let table = TryTable(run.output)
    #expect(table.verdict("stalls") == "HANGS", "\(run.output)\(run.errors)")
    #expect(table.verdict("goes-on") == "UNHARMED", "\(run.output)\(run.errors)")
    #expect(table.verdict("refused") == "HANGS", "\(run.output)\(run.errors)")
    #expect(table.verdict("ended") == "INCONCLUSIVE", "\(run.output)\(run.errors)")
    #expect(run.output.contains("no connection or flow that the fault could have affected"))
  }

  @Test("A program that forks into the background is followed, and gets a terminal if requested")
  func forked() throws {
    let scratch = try ScratchDirectory()
    let frames = scratch.url.appending(path: "frames")
    let run = try tried(
      ["--move", "hotspot", "--tty", "--pcap", frames.path], "sh", "-c",
      "[ -t 0 ] && [ -t 1 ] || exit 9; (setsid curl -sN http://api.example/drip &); exit 0")
    #expect(
      TryTable(run.output).verdict("another hotspot") == "HANGS", "\(run.output)\(run.errors)")
    for file in ["nothing.pcapng", "hotspot.pcapng"] {
      let bytes = try Data(contentsOf: frames.appending(path: file))
      #expect(bytes.starts(with: [0x0A, 0x0D, 0x0D, 0x0A]) && bytes.count > 1_000)
    }
  }

  /// A server that sends a line every 200 ms on each connection.
  private static let server = """
    import socket, threading, time
    listener = socket.create_server(("", 4000))
    def serve(peer):
      while True: peer.sendall(b"line\\n"); time.sleep(0.2)
    while True: threading.Thread(target=serve, args=listener.accept()[:1]).start()
    """
  /// A client that reads lines, and connects again if the connection ends.
  private static let reader = """
    import socket, time
    while True:
      try:
        with socket.create_connection(("db.example", 4000)) as stream:
          while stream.recv(100): pass
      except OSError: time.sleep(0.2)
    """

  @Test("The user's server is waited for and ended, and the platform ends abandoned connections")
  func ownServer() throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Self.server, to: "server.py")
    let marker = ProcessMarker()
    let run = try CommandLineRun(
      [
        "try", "--watch", "8s", "--move", "wifi-to-cellular", "--platform", "cfstream", "--server",
        "python3 '\(file)'", "--", "python3", "-c", Self.reader,
      ], environment: marker.environment)
    #expect(
      TryTable(run.output).verdict("WiFi to cellular") == "RECOVERS", "\(run.output)\(run.errors)")
    // The server has no IPv6 address, so the program does not try one.
    #expect(run.output.contains("data again with 1 new connection; longest leg: "), "\(run.output)")
    #expect(run.status == 0)
    #expect(marker.processes == [])
  }

  @Test("A server that exits, or listens on an unreachable address, is reported")
  func lostServers() throws {
    let ended = try tried(["--move", "nat", "--server", "echo no config; exit 1"], "true")
    #expect(ended.status == 3)
    #expect(ended.errors.hasSuffix("ended (no config)\n"), "\(ended.errors)")
    let hidden = "python3 -m http.server 81 --bind 127.0.0.1"
    let unreachable = try tried(["--move", "nat", "--server", hidden], "true")
    #expect(unreachable.status == 3)
    #expect(unreachable.errors.hasSuffix("listen on 0.0.0.0\n"), "\(unreachable.errors)")
  }

  @Test("A program that ends before the change has no verdict, and its output is shown")
  func early() throws {
    let run = try tried(["--move", "nat"], "sh", "-c", "echo no such host; exit 6")
    #expect(TryTable(run.output).verdict("a NAT forgets") == "INCONCLUSIVE", "\(run.errors)")
    #expect(run.output.contains("(status 6): \"no such host\""))
    #expect(run.status == 3)
  }

  @Test(
    "If no lab can be created, the missing parts are reported",
    .enabled(if: Program.find("unshare") != nil))
  func refusal() throws {
    let script = """
      echo 0 > /proc/sys/user/max_net_namespaces && \
      exec '\(CommandLineRun.command.path)' try -- true
      """
    let run = try CommandLineRun(
      command: URL(filePath: "/usr/bin/env"), ["unshare", "-Ur", "sh", "-c", script])
    #expect(run.status == 3, "\(run.errors)")
    #expect(run.errors.contains("unshare(CLONE_NEWNET): 28 No space left on device; increase"))
  }

  /// A shell command that prints the checksum of the trusted authorities and whether SSL_CERT_FILE
  /// is set.
  private static let trusted =
    "cksum < /etc/ssl/certs/ca-certificates.crt; echo $SSL_CERT_FILE | grep -c /handover-"

  @Test(
    "Programs trust the lab's authority only if requested, and the machine's files do not change")
  func trust() throws {
    func reported(_ choice: String) throws -> [Substring] {
      let run = try tried(
        ["--move", "nat", "--trust", choice], "sh", "-c",
        Self.trusted + "; curl -s https://api.example/ || echo refused")
      let lines = run.output.split(separator: "\n").filter { $0.hasPrefix("  ") }
      return Array(lines.suffix(3))
    }
    let (on, off) = (try reported("on"), try reported("off"))
    #expect(on.count == 3 && off.count == 3)
    #expect(on.first != off.first)
    #expect(on.dropFirst() == ["  1", "  {\"ok\":true}"], "\(on)")
    #expect(off.dropFirst() == ["  0", "  refused"], "\(off)")
  }

  @Test(
    "An endless response over TLS hangs after the change",
    arguments: ["--http1.1", "--http2"])
  func secureStream(_ version: String) throws {
    let run = try tried(
      ["--move", "cellular-to-wifi"], "curl", "-sSN", version, "https://api.example/drip")
    #expect(
      TryTable(run.output).verdict("cellular to WiFi") == "HANGS", "\(run.output)\(run.errors)")
    #expect(run.status == 1)
  }

  @Test("Over TLS only application data counts, and PINGs do not")
  func pings() throws {
    let pings = """
      import socket, ssl, time
      context = ssl.create_default_context(); context.set_alpn_protocols(["h2"])
      plain = socket.create_connection(("api.example", 443))
      stream = context.wrap_socket(plain, server_hostname="api.example")
      head = b"PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n"
      stream.sendall(head + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]))
      for _ in range(10):
        stream.sendall(bytes([0, 0, 8, 6, 0, 0, 0, 0, 0]) + b"12345678")
        stream.recv(1000); print("pong", flush=True); time.sleep(0.2)
      """
    let run = try tried(["--move", "nat"], "python3", "-c", pings)
    #expect(run.output.contains("receives nothing"), "\(run.output)\(run.errors)")
    #expect(TryTable(run.output).verdict("a NAT forgets") == "INCONCLUSIVE")
    #expect(run.output.contains("(status 0): \"pong\""))
    #expect(run.status == 3)
  }

  @Test("A program that cannot be started is reported")
  func missing() throws {
    let run = try tried(["--move", "nat"], "/no/such/program")
    #expect(run.status == 2)
    #expect(run.errors.contains("Program not found: \"/no/such/program\""), "\(run.errors)")
  }
}

/// This test waits long and uses little CPU, so it runs in parallel with the others.
@Suite("handover try, live, with a kernel that times out early", .enabled(if: labIsThere))
struct TryLiveTimeoutTests {
  @Test("The result after the kernel's timeout, and the program's own lines, are reported")
  func afterTimeout() throws {
    let scratch = try ScratchDirectory()
    let page = scratch.url.appending(path: "page.html").path
    let asks = """
      import socket, time
      stream = socket.create_connection(("api.example", 7))
      while True:
        stream.send(b"x"); stream.recv(9); print("tock", flush=True); time.sleep(0.2)
      """
    let run = try CommandLineRun(
      [
        "try", "--watch", "8s",
        "--move", "nat", "--after-timeout", "--progress", "^to.k$", "-o", "html=\(page)", "-o",
        "pretty=-",
        "--", "python3", "-c", asks,
      ])
    #expect(TryTable(run.output).verdict("a NAT forgets") == "HANGS", "\(run.output)\(run.errors)")
    #expect(
      run.output.contains("with a short TCP timeout: GIVES UP, ended (status 1 after"),
      "\(run.output)")
    let html = try String(contentsOfFile: page, encoding: .utf8)
    #expect(html.contains("<i>output</i> tock</li>"))
  }
}

@Suite("handover try, live, in a CI system", .enabled(if: labIsThere))
struct TryLiveReportTests {
  @Test("In a step of a GitHub workflow, the verdicts are in the summary of the step")
  func step() throws {
    let scratch = try ScratchDirectory()
    let summary = scratch.url.appending(path: "summary.md")
    let trace = scratch.url.appending(path: "run.pftrace")
    let run = try CommandLineRun(
      [
        "try", "--watch", "5s", "--move", "nat", "-o", "ctrf=-", "-o", "perfetto=\(trace.path)",
        "--", "curl", "-sN", "http://api.example/drip",
      ],
      environment: [
        "GITHUB_STEP_SUMMARY": summary.path, "GITHUB_RUN_ID": "7", "GITHUB_RUN_ATTEMPT": "2",
      ])
    #expect(run.status == 1, "\(run.output)\(run.errors)")
    #expect(run.output.contains(#""runId":"7-2""#), "\(run.output)")
    #expect(run.output.contains(#""status":"failed","rawStatus":"HANGS""#), "\(run.output)")
    let text = try String(contentsOf: summary, encoding: .utf8)
    #expect(text.hasPrefix("## Handover: 1 move failed\n"), "\(text)")
    let bytes = String(decoding: try Data(contentsOf: trace), as: UTF8.self)
    for part in ["a NAT forgets", "HANGS", "before the change", "api.example:80"] {
      #expect(bytes.contains(part))
    }
  }
}

@Suite("handover try, live, on an unusual machine", .enabled(if: labIsThere))
struct TryLiveHostTests {
  @Test("A name for which the machine has its own address is resolved by the lab")
  func ownNames() throws {
    let scratch = try ScratchDirectory()
    let hosts = try scratch.write("127.0.0.1 localhost api.example\n", to: "hosts")
    let run = try CommandLineRun(
      command: URL(filePath: "/usr/bin/unshare"),
      [
        "-rm", "sh", "-c", #"mount --bind "$0" /etc/hosts && exec "$@""#, hosts,
        CommandLineRun.command.path, "try", "--watch", "5s", "--move", "nat", "--", "curl", "-sN",
        "http://api.example/drip",
      ])
    #expect(TryTable(run.output).verdict("a NAT forgets") == "HANGS", "\(run.output)\(run.errors)")
  }
}

@Suite("handover try")
struct TryCommandTests {
  @Test(
    "A wrong command line is reported",
    arguments: [
      ([], "The program is missing: write it after --, as in -- my-client."),
      (["--move", "moon", "--", "true"], "Unknown move \"moon\""),
      (["--watch", "1s", "--", "true"], "from 5s to 20min"),
      (["--repeat", "0", "--", "true"], "from 1 to 100"),
      (["-o", "perfetto=-", "--", "true"], "needs a file: -o perfetto=run.pftrace"),
      (["-o", "junit=x", "-o", "jsonl=x", "--", "true"], "cannot use the same file x"),
      (["--move", "no/such.json", "--", "true"], "no such file"),
      (["--known-failing", "no-such-file", "--", "true"], "cannot be read"),
    ] as [([String], String)])
  func wrong(_ arguments: [String], _ words: String) throws {
    let run = try CommandLineRun(["try"] + arguments)
    #expect(run.status == 2)
    #expect(run.errors.contains(words), "\(run.errors)")
  }

  @Test(
    "A scenario entry that no lab can run is reported with its line before anything runs",
    arguments: [
      (#"{ "at": "1s", "monitor": { "do": "miss" } }"#, "no monitor"),
      (#"{ "at": "1s", "server": { "host": "a.example:443", "do": "goaway" } }"#, "`goaway`"),
      (#"{ "at": "1s", "flags": [] }"#, "no network from here on"),
    ])
  func noMove(_ entry: String, _ words: String) throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(
      """
      { "format": 1, "id": "m", "initial": { "flags": ["Reachable"] },
        "hosts": { "a.example:443": {} },
        "timeline": [
          \(entry)
        ] }
      """, to: "m.json")
    let run = try CommandLineRun("try", "--move", file, "--", "true")
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("\(file):4:5: error: "), "\(run.errors)")
    #expect(run.errors.contains(words))
  }

  /// Returns a report of one network change.
  private static func report(_ word: String) -> String {
    """
    {"v":1,"kind":"tryHeader","command":["client"]}
    {"v":1,"kind":"tried","move":"nat","title":"a NAT forgets","word":"\(word)","evidence":"e",\
    "bad":\(word == "HANGS"),"runs":[{"silence_us":1000000,"recovers_us":null}]}
    {"v":1,"kind":"trySummary"}

    """
  }

  @Test("Reports are compared, and shown side by side")
  func reports() throws {
    let scratch = try ScratchDirectory()
    let good = try scratch.write(Self.report("RECOVERS"), to: "good.jsonl")
    let bad = try scratch.write(Self.report("HANGS"), to: "bad.jsonl")
    let worse = try CommandLineRun("compare", good, bad)
    #expect(worse.status == 1 && worse.output.contains("RECOVERS → HANGS"), "\(worse.errors)")
    #expect(try CommandLineRun("compare", bad, good).status == 0)
    let page = scratch.url.appending(path: "page.html").path
    let matrix = try CommandLineRun("matrix", good, bad, "-o", "html=\(page)", "-o", "markdown=-")
    #expect(matrix.status == 1 && matrix.output.contains("| RECOVERS"), "\(matrix.errors)")
    #expect(FileManager.default.fileExists(atPath: page))
    #expect(try CommandLineRun("matrix", good).status == 0)
    let mixed = try CommandLineRun("matrix", good, "Scenarios")
    #expect(mixed.status == 2 && mixed.errors.contains("not both"))
    let run = try CommandLineRun("compare", good, "Package.swift")
    #expect(run.status == 2)
  }
}
