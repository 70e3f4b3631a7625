import Foundation
import Testing

@Suite("Addresses and names in handover lab exec", .enabled(if: labIsThere))
struct LabExecAddressTests {
  private let scratch: ScratchDirectory

  init() throws {
    scratch = try ScratchDirectory()
  }

  /// Writes a scenario with several networks, whose hosts have names and addresses.
  private func addresses(_ timeline: String = "") throws -> String {
    try scratch.write(
      """
      { "format": 1, "id": "lab/addresses", "profiles": ["sockets"], "initial": {},
        "networks": {
          "home": { "kind": "wifi", "state": "default", "names": { "b.example:80": "fail" } },
          "cafe": { "kind": "wifi", "addresses": "ipv4",
                    "names": { "a.example:8080": ["192.0.2.8"] } },
          "lte": { "kind": "cellular", "addresses": "ipv6", "nat64": true } },
        "hosts": {
          "a.example:8080": { "addresses": ["192.0.2.7", "192.0.2.8"] }, "b.example:80": {},
          "[2001:db8::7]:80": {} },
        "timeline": [\(timeline)] }
      """, to: "addresses.json")
  }

  /// Returns entries that make another network the default one at a time in milliseconds.
  private static func toNetwork(_ network: String, at time: Int) -> String {
    #"{ "at": "\#(time)ms", "network": { "id": "\#(network)", "become": "up" } }, "#
      + #"{ "at": "\#(time)ms", "network": { "id": "\#(network)", "become": "default" } }"#
  }

  @Test(
    "Only the names of the scenario's hosts resolve, and their servers have their addresses",
    .enabled(if: Program.find("curl") != nil))
  func names() throws {
    let file = try addresses()
    let script = """
      env | grep 'HANDOVER_[HS]' | sort
      curl -s http://a.example:8080/ && curl -s 'http://[2001:db8::7]/'
      curl -s http://192.0.2.8:8080/ && curl -s http://localhost/; echo $?
      for name in b.example other.example; do getent hosts $name || echo none; done
      """
    let run = try CommandLineRun("lab", "exec", file, "--", "sh", "-c", script)
    #expect(
      run.output == """
        HANDOVER_HOST=a.example:8080
        HANDOVER_HOST_1=a.example:8080
        HANDOVER_HOST_2=b.example:80
        HANDOVER_HOST_3=[2001:db8::7]:80
        HANDOVER_SERVER=192.0.2.7:8080
        HANDOVER_SERVER_1=192.0.2.7:8080
        HANDOVER_SERVER_2=203.0.113.2:50051
        HANDOVER_SERVER_3=[2001:db8::7]:80
        this is a.example:8080
        this is [2001:db8::7]:80
        this is a.example:8080
        7
        none
        none

        """, "\(run.errors)")
  }

  @Test(
    "The current network decides what a name resolves to and what is reachable",
    .enabled(if: Program.find("curl") != nil))
  func namesOfNetworks() throws {
    let look = "getent ahosts a.example | grep STREAM | cut -d' ' -f1"
    let inCafe = "192.0.2.7\n192.0.2.8\n192.0.2.8\nthis is b.example:80\n7\n"
    let cafe = try CommandLineRun.untilReady { factor in
      try CommandLineRun(
        "lab", "exec", try addresses(Self.toNetwork("cafe", at: 500 * factor)), "--", "sh", "-c",
        "\(look); sleep \(1.5 * Double(factor)); \(look); curl -s http://b.example/; "
          + "curl -s -m 60 'http://[2001:db8::7]/'; echo $?")
    } _: {
      $0.output == inCafe
    }
    #expect(cafe.output == inCafe, "\(cafe.output)\(cafe.errors)")
    let inLTE = "this is a.example:8080\n64:ff9b::c000:207\nthis is [2001:db8::7]:80\n7\n"
    let lte = try CommandLineRun.untilReady { factor in
      try CommandLineRun(
        "lab", "exec", try addresses(Self.toNetwork("lte", at: 500 * factor)), "--", "sh", "-c",
        "sleep \(1.5 * Double(factor)); "
          + "curl -s -m 60 http://a.example:8080/ -w '%{remote_ip}\\n'; "
          + "curl -s -m 60 'http://[2001:db8::7]/'; curl -s -m 60 http://192.0.2.7:8080/; echo $?")
    } _: {
      $0.output == inLTE
    }
    #expect(lte.output == inLTE, "\(lte.output)\(lte.errors)")
  }

  @Test(
    "An entry about names changes the answers of the name server",
    .enabled(if: Program.find("curl") != nil))
  func namesInTime() throws {
    let look = "curl -s http://a.example:8080/ || echo $?"
    // curl exits with status 6 if a name cannot be resolved.
    let seen = "this is a.example:8080\n6\nthis is a.example:8080\n"
    let run = try CommandLineRun.untilReady { factor in
      let file = try addresses(
        #"{ "at": "\#(500 * factor)ms", "names": { "host": "a.example:8080", "do": "fail" } }, "#
          + #"{ "at": "\#(2 * factor)s", "names": { "host": "a.example:8080", "do": "resolve" } }"#)
      return try CommandLineRun(
        "lab", "exec", file, "--", "sh", "-c",
        "\(look); sleep \(factor); \(look); sleep \(1.5 * Double(factor)); \(look)")
    } _: {
      $0.output == seen
    }
    #expect(run.output == seen, "\(run.errors)")
    #expect(!run.errors.contains("they are not changed"), "\(run.errors)")
  }

  @Test(
    "An entry changes the addresses of a name, except on a network with addresses of its own",
    .enabled(if: Program.find("python3") != nil))
  func addressesInTime() throws {
    let seen = "192.0.2.7 192.0.2.8\n192.0.2.7\n192.0.2.8\n"
    let run = try CommandLineRun.untilReady { factor in
      let file = try addresses(
        #"{ "at": "\#(500 * factor)ms", "names": "#
          + #"{ "host": "a.example:8080", "addresses": ["192.0.2.7"] } }, "#
          + Self.toNetwork("cafe", at: 2_000 * factor))
      let script = """
        import socket, time
        def look():
          found = socket.getaddrinfo("a.example", 8080, socket.AF_INET, socket.SOCK_STREAM)
          print(*sorted(address[0] for *_, address in found), flush=True)
        look(); time.sleep(\(factor)); look(); time.sleep(\(1.5 * Double(factor))); look()
        """
      return try CommandLineRun("lab", "exec", file, "--", "python3", "-c", script)
    } _: {
      $0.output == seen
    }
    #expect(run.output == seen, "\(run.errors)")
    #expect(!run.errors.contains("they are not changed"), "\(run.errors)")
  }

  @Test(
    "An address dies for its connections and for new ones, and the other address works",
    .enabled(if: Program.find("python3") != nil))
  func unreachable() throws {
    let seen = "stalled\nno answer\nother address\ncontinues\n"
    let run = try CommandLineRun.untilReady { factor in
      let file = try addresses(
        #"{ "at": "\#(500 * factor)ms", "server": "#
          + #"{ "host": "a.example:8080", "unreachable": "192.0.2.7" } }, "#
          + #"{ "at": "\#(4_000 * factor)ms", "server": "#
          + #"{ "host": "a.example:8080", "reachable": "192.0.2.7" } }"#)
      let script = """
        import socket, time
        request = b"GET / HTTP/1.1\\r\\nHost: a.example\\r\\n\\r\\n"
        first = socket.create_connection(("192.0.2.7", 8080), 60)
        time.sleep(\(factor))
        first.sendall(request)
        first.settimeout(\(Double(factor) / 2))
        try: print(first.recv(100))
        except TimeoutError: print("stalled", flush=True)
        try: print(socket.create_connection(("192.0.2.7", 8080), \(Double(factor) / 2)))
        except TimeoutError: print("no answer", flush=True)
        socket.create_connection(("192.0.2.8", 8080), 60)
        print("other address", flush=True)
        first.settimeout(60)
        print("continues" if first.recv(100) else "ended", flush=True)
        """
      return try CommandLineRun("lab", "exec", file, "--", "python3", "-c", script)
    } _: {
      $0.output == seen
    }
    #expect(run.output == seen, "\(run.errors)")
    #expect(!run.errors.contains("no connection that it could affect"), "\(run.errors)")
  }

  @Test(
    "The name server answers for each family after its time, on the current network",
    .enabled(if: Program.find("python3") != nil))
  func lookupTime() throws {
    let file = try scratch.write(
      """
      { "format": 1, "id": "lab/lookup", "profiles": ["sockets"], "initial": {},
        "networks": {
          "home": { "kind": "wifi", "state": "default",
                    "lookup": { "ipv4": "400ms", "ipv6": "1200ms" } },
          "lte": { "kind": "cellular" } },
        "hosts": { "a.example:80": { "addresses": ["192.0.2.7", "2001:db8::7"] } },
        "timeline": [\(Self.toNetwork("lte", at: 6_000))] }
      """, to: "lookup.json")
    // The least time of both lookups, and whether the second is faster, which holds at any load.
    let script = """
      import socket, time
      def look(family):
        start = time.monotonic()
        address = socket.getaddrinfo("a.example", 80, family, socket.SOCK_STREAM)[0][4][0]
        return address, time.monotonic() - start
      for family, least in (socket.AF_INET, 0.4), (socket.AF_INET6, 1.2):
        address, took = look(family)
        print(address, took >= least, flush=True)
      """
    let run = try CommandLineRun("lab", "exec", file, "--", "python3", "-c", script)
    #expect(run.output == "192.0.2.7 True\n2001:db8::7 True\n", "\(run.errors)")
  }
}
