import Foundation
import Testing

/// A table that `handover try` printed: the word of each row.
struct TryTable {
  private let lines: [String]

  init(_ text: String) {
    lines = text.split(separator: "\n").map(String.init)
  }

  /// The word of a move; nil where there is no such row.
  func word(_ title: String) -> String? {
    guard let line = lines.first(where: { $0.hasPrefix("  \(title)  ") }) else { return nil }
    let rest = line.dropFirst(title.count + 2).drop { $0 == " " }
    return rest.split(separator: " ").first.map(String.init)
  }
}

/// Programs that stand for many; the command of each is what a user would write.
@Suite("handover try, live", .enabled(if: labIsThere), .serialized)
struct TryLiveTests {
  private func tried(
    _ options: [String], watch: String = "8s", _ command: String...
  ) throws -> CommandLineRun {
    try CommandLineRun(["try", "--watch", watch] + options + ["--"] + command)
  }

  @Test("a stream without any time-out hangs on a dead path, and survives a dead uplink")
  func stream() throws {
    let page = packageRoot.appending(path: "Sources/handover/Handover.docc/TryingAProgram.md")
    let shown = TryTable(try String(contentsOf: page, encoding: .utf8))
    let run = try tried(
      ["--move", "cellular-to-wifi", "--move", "uplink"], "curl", "-sN",
      "http://api.example/drip")
    let table = TryTable(run.output)
    for (title, word) in [
      ("cellular to WiFi", "HANGS"), ("the uplink dies for 10 s", "UNHARMED"),
    ] {
      #expect(table.word(title) == word, "\(run.output)\(run.errors)")
      #expect(shown.word(title) == word)
    }
    #expect(run.output.contains("its keepalive is 1 min, then 9 times 1 min"))
    #expect(run.output.hasSuffix("HANGS: cellular to WiFi.\n"))
    #expect(run.status == 1)
  }

  /// Reads a stream, and begins another one where nothing came for 3 s.
  private static let impatient = """
    import time, urllib.request
    while True:
      try:
        with urllib.request.urlopen("http://api.example/drip", timeout=3) as stream:
          while stream.readline(): pass
      except OSError:
        time.sleep(0.2)
    """

  @Test("a time-out of its own recovers from a dead path, and cuts what could have gone on")
  func impatient() throws {
    let scratch = try ScratchDirectory()
    let report = scratch.url.appending(path: "report.jsonl").path
    let run = try tried(
      ["--move", "hotspot", "--move", "uplink", "--move", "nat", "-o", "jsonl=\(report)"],
      "python3", "-c", Self.impatient)
    let lines = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n")
    func word(of move: String) -> String? {
      lines.first { $0.contains(#""move":"\#(move)""#) }
        .flatMap { $0.firstMatch(of: /"word":"([A-Z ]+)"/) }.map { String($0.1) }
    }
    let words = ["hotspot", "uplink", "nat"].map(word)
    #expect(words == ["RECOVERS", "CUTS", "RECOVERS"], "\(lines)\(run.errors)")
    #expect(run.status == 0)
  }

  @Test("a limit fails what the words let pass")
  func limits() throws {
    let run = try tried(
      ["--move", "hotspot", "--max-outage", "1s", "--max-attempts", "0"], "python3", "-c",
      Self.impatient)
    #expect(TryTable(run.output).word("another hotspot") == "RECOVERS", "\(run.errors)")
    #expect(run.output.contains("over 1 s"))
    #expect(run.output.contains(" over 0\n"))
    #expect(run.status == 1)
  }

  @Test("a program that forks away is followed, and has a terminal where it wants one")
  func forked() throws {
    let scratch = try ScratchDirectory()
    let frames = scratch.url.appending(path: "frames")
    let run = try tried(
      ["--move", "hotspot", "--tty", "--pcap", frames.path], "sh", "-c",
      "[ -t 0 ] && [ -t 1 ] || exit 9; (setsid curl -sN http://api.example/drip &); exit 0")
    #expect(TryTable(run.output).word("another hotspot") == "HANGS", "\(run.output)\(run.errors)")
    for file in ["nothing.pcap", "hotspot.pcap"] {
      let bytes = try Data(contentsOf: frames.appending(path: file))
      #expect(bytes.starts(with: [0xD4, 0xC3, 0xB2, 0xA1]) && bytes.count > 1_000)
    }
  }

  /// Sends a line each 200 ms to whoever connects.
  private static let server = """
    import socket, threading, time
    listener = socket.create_server(("", 4000))
    def serve(peer):
      while True: peer.sendall(b"line\\n"); time.sleep(0.2)
    while True: threading.Thread(target=serve, args=listener.accept()[:1]).start()
    """
  /// Reads lines, and connects again where the connection is ended.
  private static let reader = """
    import socket, time
    while True:
      try:
        with socket.create_connection(("db.example", 4000)) as stream:
          while stream.recv(100): pass
      except OSError: time.sleep(0.2)
    """

  @Test("a server of one's own is awaited and ended, and the platform ends what was left")
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
      TryTable(run.output).word("WiFi to cellular") == "RECOVERS", "\(run.output)\(run.errors)")
    #expect(run.status == 0)
    #expect(marker.processes == [])
  }

  @Test("a server that ends, or listens where nobody is, is told")
  func lostServers() throws {
    let ended = try tried(["--move", "nat", "--server", "echo no config; exit 1"], "true")
    #expect(ended.status == 3)
    #expect(ended.errors.contains("ended (no config)"), "\(ended.errors)")
    let hidden = "python3 -m http.server 81 --bind 127.0.0.1"
    let unreachable = try tried(["--move", "nat", "--server", hidden], "true")
    #expect(unreachable.status == 3)
    #expect(unreachable.errors.contains("listen on 0.0.0.0"), "\(unreachable.errors)")
  }

  @Test("a program that ends before the move has no verdict, and its output is shown")
  func early() throws {
    let run = try tried(["--move", "nat"], "sh", "-c", "echo no such host; exit 6")
    #expect(TryTable(run.output).word("a NAT forgets") == "INCONCLUSIVE", "\(run.errors)")
    #expect(run.output.contains("(status 6): \"no such host\""))
    #expect(run.status == 3)
  }

  @Test(
    "where no lab can be had, what is missing is told",
    .enabled(if: Program.find("unshare") != nil))
  func refusal() throws {
    let script = """
      echo 0 > /proc/sys/user/max_net_namespaces && \
      exec '\(CommandLineRun.command.path)' try -- true
      """
    let run = try CommandLineRun(
      command: URL(filePath: "/usr/bin/env"), ["unshare", "-Ur", "sh", "-c", script])
    #expect(run.status == 3, "\(run.errors)")
    #expect(run.errors.contains("unshare(CLONE_NEWNET): 28 No space left on device; raise"))
  }

  @Test("a program that cannot be started is told, and breaks off")
  func missing() throws {
    let run = try tried(["--move", "nat"], "/no/such/program")
    #expect(run.status == 3)
    #expect(run.errors.contains("exec(/no/such/program)"), "\(run.errors)")
  }
}

@Suite("handover try")
struct TryCommandTests {
  @Test(
    "a wrong command line is told",
    arguments: [
      ([], "Name the program after --."), (["--move", "moon", "--", "true"], "no move \"moon\""),
      (["--watch", "1s", "--", "true"], "from 5s to 20min"),
      (["--repeat", "0", "--", "true"], "from 1 to 100"),
      (["-o", "junit=x", "-o", "jsonl=x", "--", "true"], "cannot both go to x"),
    ] as [([String], String)])
  func wrong(_ arguments: [String], _ words: String) throws {
    let run = try CommandLineRun(["try"] + arguments)
    #expect(run.status == 2)
    #expect(run.errors.contains(words), "\(run.errors)")
  }
}
