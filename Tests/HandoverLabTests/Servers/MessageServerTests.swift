import HandoverLinux
import HandoverTry
import Testing

@testable import HandoverLabServers

@Suite("Numbered messages of the servers", .enabled(if: namespacesExist))
struct MessageServerTests {
  private let fixture: ServersFixture

  init() throws { fixture = try ServersFixture() }

  /// Functions that read a response over HTTP/1.1.
  private static let reader = #"""
    def get(path, extra="", secure=False):
        peer = tls("http/1.1") if secure else socket.create_connection(("127.0.0.1", 80))
        peer.sendall(f"GET {path} HTTP/1.1\r\nHost: api.example\r\n{extra}\r\n".encode())
        return peer

    def until(peer, text):
        data = b""
        while text.encode() not in data:
            more = peer.recv(4096)
            if not more: raise EOFError
            data += more
        return data.decode("latin-1")


    """#

  @Test(
    "A stream continues after the last event that the client names", arguments: ["False", "True"])
  func resumed(_ secure: String) throws {
    let reported = try fixture.python(
      Self.reader + """
        first = get("/drip", secure=\(secure))
        until(first, "id: 3\\ndata: 3\\n")
        first.close()
        time.sleep(0.7)
        again = get("/drip?x=1", "Last-Event-ID: 2\\r\\n", secure=\(secure))
        text = until(again, "data: 6\\n")
        print([line for line in text.split("\\n") if line.startswith("data")][:4])
        """)
    #expect(reported == "['data: 3', 'data: 4', 'data: 5', 'data: 6']\n", "\(reported)")
  }

  @Test(
    "A new subscription gets a greeting, and the events from now on", arguments: ["", "x", "99"])
  func restarted(_ id: String) throws {
    let reported = try fixture.python(
      Self.reader + """
        first = get("/drip")
        until(first, "data: 3\\n")
        again = get("/drip", "\(id.isEmpty ? "" : "Last-Event-ID: \(id)\\r\\n")")
        text = until(again, "data: ")
        print(": welcome" in text, "data: 4" in until(first, "data: 4\\n"), "data: 3" in text)
        other = get("/stream")
        print("data: 1\\n" in until(other, "data: "))
        """)
    #expect(reported == "True True False\nTrue\n", "\(reported)")
  }

  @Test("Polls have numbers, over HTTP/1.1 and HTTP/2 together")
  func polls() throws {
    #expect(
      try fixture.curl(
        "http://api.example:80/poll/0.1", "--resolve", "api.example:80:127.0.0.1")
        == #"{"ok":true,"n":1}"# + "\n")
    #expect(
      try fixture.curl("--http2", "https://api.example/poll/0.1") == #"{"ok":true,"n":2}"# + "\n")
    #expect(
      try fixture.curl("--http2", "https://api.example/poll/0.1") == #"{"ok":true,"n":3}"# + "\n")
  }

  @Test("A WebSocket gets numbered texts, and a later one a greeting first")
  func webSocket() throws {
    let reported = try fixture.python(
      Self.reader + #"""
        upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        upgrade += "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        first = get("/chat", upgrade)
        until(first, "tick 1")
        again = get("/chat", upgrade)
        text = until(again, "tick ")
        print("welcome" in text, "tick 2" in text + again.recv(100).decode("latin-1"))
        """#)
    #expect(reported == "True True\n", "\(reported)")
  }

  @Test("A call of a method Drip gets numbered messages, after the number in its request")
  func dripCall() throws {
    let reported = try fixture.python(
      #"""
      def call(peer, stream, content):
          body = struct.pack(">BI", 0, len(content)) + content
          peer.sendall(request(stream, b"/a.B/Drip", b"application/grpc", b"POST", ends=False))
          peer.sendall(frame(0, 1, stream, body))

      def messages(peer, stream, count):
          data = b""
          while len(data) < 7 * count:
              kind, flags, id, body = read(peer)
              if kind == 0 and id == stream: data += body
          return data[:7 * count]

      peer = plain()
      peer.sendall(PREFACE)
      call(peer, 1, b"")
      print(messages(peer, 1, 3).hex())
      call(peer, 3, b"\x08\x01")
      print(messages(peer, 3, 2).hex())
      call(peer, 5, b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff")
      print(len(messages(peer, 5, 1)))
      """#)
    #expect(
      reported == "000000000208010000000002080200000000020803\n0000000002080200000000020803\n7\n",
      "\(reported)")
  }

  @Test("The messages of a gRPC body are found in any fragments")
  func boundaries() {
    let bytes: [UInt8] = [0, 0, 0, 0, 3, 8, 172, 2] + [0, 0, 0, 0, 0] + [0, 0, 0, 0, 1]
    for size in 1...bytes.count {
      var boundaries = MessageBoundaries()
      for start in stride(from: 0, to: bytes.count, by: size) {
        let part = bytes[start..<min(start + size, bytes.count)]
        boundaries.append(part)
      }
      #expect(boundaries.count == 2 && boundaries.number == 300, "\(size)")
    }
    #expect(MessageBoundaries.message(300) == Array(bytes.prefix(8)))
  }
}
