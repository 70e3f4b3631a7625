import Foundation
import HandoverLabServers
import HandoverLinux
import Testing

/// Whether this machine can create network namespaces.
let namespacesExist: Bool = {
  do throws(LinuxError) {
    try NetworkNamespace.probe()
    return true
  } catch {
    return false
  }
}()

/// The servers in a separate network namespace, and clients that use them there.
final class ServersFixture {
  let servers: LabServers
  let authority: Authority
  private let namespace: NetworkNamespace
  private let folder: URL
  private var programs: [ProcessTree] = []

  /// The time limit of a client in microseconds.
  private static let limit: Int64 = 300_000_000

  init(besides taken: [UInt16] = []) throws {
    namespace = try NetworkNamespace(name: "servers")
    try NetworkController(in: namespace).setLink("lo", up: true)
    let authority = try Authority()
    self.authority = authority
    servers = try namespace.run { () throws(LinuxError) in
      do {
        return try LabServers(authority, besides: taken)
      } catch {
        throw LinuxError(finding: "servers: \(error)")
      }
    }
    folder = FileManager.default.temporaryDirectory.appending(
      path: "handover-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try Data(authority.pem.utf8).write(to: folder.appending(path: "ca.pem"))
  }

  deinit {
    for program in programs { program.end() }
    servers.close()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Writes a file, and returns its path.
  func file(_ name: String, _ content: Data) throws -> String {
    let file = folder.appending(path: name)
    try content.write(to: file)
    return file.path
  }

  /// The content of a file that a client wrote.
  func content(_ name: String) throws -> Data {
    try Data(contentsOf: folder.appending(path: name))
  }

  /// Starts a program that runs until the end of the test.
  func start(_ command: [String]) throws {
    programs.append(try ProcessTree.start(command, in: namespace))
  }

  /// Runs a client in the folder of the authority, and returns everything that it printed.
  func output(of command: [String]) throws -> String {
    let name = UUID().uuidString
    let path = try file(name, Data())
    let printed = try FileHandle(forWritingTo: URL(filePath: path))
    let program = try ProcessTree.start(
      ["sh", "-c", #"cd "$0" && exec "$@""#, folder.path] + command, in: namespace,
      output: printed.fileDescriptor, error: printed.fileDescriptor)
    defer { program.end() }
    let end = program.wait(atMost: Self.limit)
    if end == nil { Issue.record("the client did not end: \(command)") }
    return String(decoding: try content(name), as: UTF8.self)
  }

  /// Runs curl, which resolves the name `api.example` to the servers.
  func curl(_ arguments: String...) throws -> String {
    let names = [443, 8443].flatMap { ["--resolve", "api.example:\($0):127.0.0.1"] }
    return try output(of: ["curl", "-sS", "--cacert", "ca.pem"] + names + arguments)
  }

  /// Runs a Python program after the definitions of ``definitions``.
  func python(_ program: String) throws -> String {
    try output(of: ["python3", "-c", Self.definitions + program])
  }

  /// A client with raw frames of HTTP/2.
  private static let definitions = #"""
    import select, socket, ssl, struct, time

    def tls(protocol="h2", host="127.0.0.1", name="api.example", version=None):
        context = ssl.create_default_context(cafile="ca.pem")
        context.set_alpn_protocols([protocol])
        if version: context.minimum_version = context.maximum_version = version
        return context.wrap_socket(socket.create_connection((host, 443)), server_hostname=name)

    def plain():
        return socket.create_connection(("127.0.0.1", 50051))

    def frame(kind, flags, stream, body=b""):
        return struct.pack(">I", len(body))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + body

    PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0)
    PING = frame(6, 0, 0, b"12345678")

    def field(name, value):
        return b"\x00" + bytes([len(name)]) + name + bytes([len(value)]) + value

    def head(path, type=b"", method=b"GET"):
        return (field(b":method", method) + field(b":scheme", b"https") + field(b":path", path)
                + field(b":authority", b"api.example")
                + (field(b"content-type", type) if type else b""))

    def request(stream, path=b"/", type=b"", method=b"GET", ends=True):
        return frame(1, 5 if ends else 4, stream, head(path, type, method))

    def exactly(peer, count):
        bytes = b""
        while len(bytes) < count:
            more = peer.recv(count - len(bytes))
            if not more: raise EOFError
            bytes += more
        return bytes

    def read(peer):
        head = exactly(peer, 9)
        body = exactly(peer, int.from_bytes(head[:3], "big"))
        return head[3], head[4], int.from_bytes(head[5:9], "big"), body

    def until_end(peer, stream):
        "Returns the DATA of a stream, and its RST_STREAM error if there is one."
        data = b""
        while True:
            kind, flags, id, body = read(peer)
            if id != stream: continue
            if kind == 3: return data, int.from_bytes(body, "big")
            if kind == 0: data += body
            if kind <= 1 and flags & 1: return data, None

    def flood(peer, bytes, most):
        """Sends again and again without reading, until the server accepts nothing for 2 s.

        Returns the sent length, or -1 if the server ended the connection."""
        peer.setblocking(False)
        sent = 0
        while sent < most:
            if not select.select([], [peer], [], 2)[1]: break
            start = sent % len(bytes)
            try: sent += peer.send(bytes[start:start + 100_000])
            except (BlockingIOError, ssl.SSLWantWriteError): pass
            except OSError: return -1
        return sent


    """#
}
