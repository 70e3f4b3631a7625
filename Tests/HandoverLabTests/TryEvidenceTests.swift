import Glibc
import HandoverBackend
import HandoverCore
import HandoverLinux
import HandoverTry
import Testing

@testable import HandoverLab

/// Tests the records of a run in addition to its frames.
///
/// The programs are Python scripts that call servers of the test.
@Suite(
  "Evidence of runs", .enabled(if: namespacesAreMissing == nil && python != nil), .serialized)
struct TryEvidenceTests {
  private struct NoServers: TryServers {
    func close() {}
  }

  private func observe(
    _ program: String, server: String? = nil, _ move: TryMove = .nothing,
    watch: Interval = .seconds(2)
  ) throws -> TryRun.Outcome {
    let python = try #require(python)
    var run = TryRun(
      move, command: [python, "-c", program], environment: Environment.forOtherPrograms,
      watch: watch
    ) { (_) throws(LinuxError) in NoServers() }
    if let server { run.servers = [[python, "-c", server]] }
    return try run.run(interruption: try WakeupPipe())
  }

  /// Returns a network change from WiFi to none and back.
  private static func outage(_ length: Interval) throws -> TryMove {
    var move = try #require(TryMove.all.first { $0.name == "wifi-none-wifi" })
    move.steps[1].after = length
    return move
  }

  private static let streamServer = """
    import socket, threading, time
    listener = socket.create_server(("0.0.0.0", 9000), backlog=64)
    def serve(connection):
      try:
        while True:
          connection.sendall(b"x" * SIZE)
          time.sleep(0.1)
      except OSError:
        pass
    while True:
      threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
    """

  @Test("A program and its server inherit only the standard streams")
  func descriptors() throws {
    let list = """
      import os
      print("open", sorted(int(n) for n in os.listdir("/proc/self/fd") if os.path.exists("/proc/self/fd/" + n)))
      """
    let server = """
      import os, socket
      own = [n for n in os.listdir("/proc/self/fd") if os.path.exists("/proc/self/fd/" + n)]
      listener = socket.create_server(("0.0.0.0", 9000))
      while True:
        listener.accept()[0].sendall(repr(sorted(own)).encode())
      """
    let client = """
      import socket, time
      print("server", socket.create_connection(("203.0.113.9", 9000)).recv(1000).decode(), flush=True)
      """
    // An inheritable descriptor of this process, as libraries have them.
    let kept = dup(0)
    defer { close(kept) }
    #expect(kept > 2)
    #expect(try observe(list).output.contains("open [0, 1, 2]"))
    #expect(try observe(client, server: server).output.contains("server ['0', '1', '2']"))
  }

  @Test("Bytes that a server could not deliver, or that the program did not read, are its backlog")
  func backlog() throws {
    let sleeper = """
      import socket, time
      connection = socket.create_connection(("203.0.113.9", 9000))
      for _ in range(3): connection.recv(100000)
      time.sleep(1000)
      """
    let outcome = try observe(
      sleeper,
      server: Self.streamServer.replacing("SIZE", with: "1000000"), watch: .seconds(3))
    let backlog = try #require(outcome.observation.serverBacklogs.first)
    #expect(outcome.observation.serverBacklogs.count == 1)
    #expect(backlog.ends.remote.port == 9_000 && backlog.bytes > 0)
    #expect(outcome.observation.device.contains { $0.ends == backlog.ends })
    #expect(outcome.observation.held.contains { $0.unread > 0 })
  }

  @Test("Attempts that the kernel refuses leave no frame, and are counted")
  func unframed() throws {
    let herd = """
      import socket, time
      while True:
        try:
          connection = socket.create_connection(("203.0.113.9", 9000))
          connection.settimeout(1)
          while connection.recv(100): pass
        except OSError:
          for _ in range(1000):
            try: socket.create_connection(("203.0.113.9", 9000), 1).close()
            except OSError: pass
          time.sleep(1000)
      """
    let server = Self.streamServer.replacing("SIZE", with: "10")
    let move = try Self.outage(.seconds(4))
    let patient = """
      import socket
      connection = socket.create_connection(("203.0.113.9", 9000))
      while connection.recv(100): pass
      """
    let quiet = try observe(patient, server: server, move).observation
    #expect(quiet.unframedAttempts.isEmpty)
    let seen = try observe(herd, server: server, move).observation
    let count = seen.unframedAttempts.reduce(0) { $0 + $1.count }
    #expect((500...1_000).contains(count))
    let moved = try #require(seen.moved)
    #expect(seen.unframedAttempts.allSatisfy { $0.at > moved })
  }

  @Test("A server on every address answers a connected socket from the address that it asked")
  func askedAddress() throws {
    let server = """
      import socket
      echo = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      echo.bind(("0.0.0.0", 9001))
      while True:
        data, sender = echo.recvfrom(100)
        echo.sendto(data, sender)
      """
    let client = """
      import socket, time
      asker = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      asker.connect(("203.0.113.77", 9001))
      asker.settimeout(1)
      while True:
        try:
          asker.send(b"ask")
          print("answer", asker.recv(100), flush=True)
        except OSError as error:
          print("failed", error, flush=True)
        time.sleep(0.1)
      """
    let outcome = try observe(client, server: server)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count > 3 && lines.allSatisfy { $0 == "answer b'ask'" }, "\(lines)")
    #expect(outcome.observation.rejectedDatagrams.isEmpty)
    #expect(outcome.observation.device.map(\.remote.description) == ["203.0.113.77:9001"])
    #expect((outcome.observation.device.first?.received.count ?? 0) > 3)
  }

  @Test("Datagrams that a program's socket rejects are not application data")
  func rejectedDatagrams() throws {
    // The server answers from an address of its own choice.
    let server = """
      import socket
      echo = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      echo.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
      echo.bind(("0.0.0.0", 9001))
      other = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
      other.bind(("203.0.113.78", 9001))
      while True:
        data, sender = echo.recvfrom(100)
        other.sendto(data, sender)
      """
    let client = """
      import socket, time
      asker = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      asker.connect(("203.0.113.77", 9001))
      for _ in range(20):
        asker.send(b"ask")
        time.sleep(0.1)
      """
    // No application data arrives, so the run ends with the program.
    let outcome = try observe(client, server: server)
    let rejected = try #require(outcome.observation.rejectedDatagrams.first)
    #expect(rejected.ends.remote.description == "203.0.113.78:9001" && rejected.count > 15)
    #expect(outcome.observation.device.flatMap(\.received).isEmpty)
  }

  @Test("An ICMP error of a server is recorded")
  func errors() throws {
    let client = """
      import socket, time
      asker = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      asker.connect(("203.0.113.77", 9002))
      for _ in range(3):
        try: asker.send(b"ask")
        except OSError as error: print(error)
        time.sleep(0.3)
      """
    let error = try #require(try observe(client).observation.icmpErrors.first)
    #expect(error.remote.description == "203.0.113.77:9002")
    #expect(error.phrase == "port unreachable")
  }

  private static let hasMultipath =
    (try? readText("/proc/sys/net/mptcp/enabled"))?.hasPrefix("1") == true

  @Test("Subflows of Multipath TCP have one token", .enabled(if: hasMultipath))
  func multipath() throws {
    let server = Self.streamServer.replacing("SIZE", with: "10").replacing(
      "socket.create_server((\"0.0.0.0\", 9000), backlog=64)",
      with: "socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262); "
        + "listener.bind((\"0.0.0.0\", 9000)); listener.listen(8)")
    let client = """
      import socket, subprocess
      subprocess.run("ip mptcp limits set subflow 2 add_addr_accepted 2; "
        "ip mptcp endpoint add $(ip -4 -br addr show wwan0 | tr -s ' ' | cut -d' ' -f3 | "
        "cut -d/ -f1) dev wwan0 subflow", shell=True)
      connection = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262)
      connection.connect(("203.0.113.9", 9000))
      while connection.recv(100): pass
      """
    var script = Script()
    script.paths = ["home", "lte"]
    script.networks = [
      ScriptNetwork(PathIndex(0), .wifi), ScriptNetwork(PathIndex(1), .cellular),
    ]
    script.initial.flags = [.reachable]
    script.initial.path = PathIndex(0)
    script.initial.networksUp = [PathSet(PathIndex(0)), PathSet(PathIndex(1))]
    script.entries = [
      ScriptEntry(
        at: .zero,
        action: .network(PathIndex(0), .uplink(isUp: false, lasts: nil, every: nil), signal: nil))
    ]
    let move = try TryMove(name: "mbb", title: "the WiFi's uplink dies", script)
    let seen = try observe(client, server: server, move, watch: .seconds(5)).observation
    let flows = seen.device.filter { $0.transport == .tcp }
    #expect(flows.count > 1)
    #expect(Set(flows.map(\.connectionToken)).count == 1 && flows[0].connectionToken != nil)
  }
}

/// The Python interpreter.
private let python: String? = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
  unsafe access($0, X_OK) == 0
}
