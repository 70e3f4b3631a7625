import Foundation
import Glibc
import HandoverLab
import HandoverLabServers
import HandoverLinux
import Testing

/// Programs under test that write endlessly and read nothing.
@Suite("Lab servers read no more than they can answer", .enabled(if: labIsThere))
struct BoundedBufferTests {
  /// The bytes that a program sends first, and those that it then repeats.
  struct Flood: CustomTestStringConvertible {
    var testDescription: String
    var port: UInt16
    var start = ""
    var again: [UInt8]
  }

  private static let floods = [
    Flood(
      testDescription: "an echo", port: 7, again: [UInt8](repeating: 65, count: 65_536)),
    Flood(
      testDescription: "HTTP/1.1", port: 80,
      again: Array(
        String(repeating: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", count: 1_000).utf8)),
    Flood(
      testDescription: "WebSocket", port: 80,
      start: "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
      // A binary message of 60,000 bytes, with a zero mask.
      again: [0x82, 0xFE, 0xEA, 0x60, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 60_000)),
  ]

  /// More than the kernel buffers at both ends of a connection.
  private static let most = 64 << 20
  /// How long the socket must accept nothing before the writer counts as stopped, in milliseconds.
  private static let patience: Int32 = 1_000

  @Test("A client that does not read its answers is stopped from writing", arguments: floods)
  func flood(_ flood: Flood) throws {
    let namespace = try NetworkNamespace(name: "servers")
    try NetworkController(in: namespace).setLink("lo", up: true)
    let servers = try namespace.run { () throws(LinuxError) in
      do {
        return try LabServers(Authority(), namesHaveIPv6: false)
      } catch {
        throw LinuxError(finding: "\(error)")
      }
    }
    defer { servers.close() }
    let sent = try namespace.run { () throws(LinuxError) in try Self.write(flood) }
    #expect(sent < Self.most)
  }

  /// Writes until the socket accepts nothing more, and returns the number of accepted bytes.
  private static func write(_ flood: Flood) throws(LinuxError) -> Int {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let socket = Descriptor(owning: Glibc.socket(AF_INET, kind, 0))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = flood.port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(socket.number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw LinuxError(call: "connect", errno: errno) }
    try setNonBlocking(socket.number)
    var (sent, pending) = (0, Array(flood.start.utf8)[...])
    while sent < most {
      if pending.isEmpty { pending = flood.again[...] }
      let count = unsafe pending.withUnsafeBytes {
        unsafe send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        sent += count
        pending = pending.dropFirst(count)
        continue
      }
      guard errno == EAGAIN else { throw LinuxError(call: "send", errno: errno) }
      var polled = pollfd(fd: socket.number, events: Int16(POLLOUT), revents: 0)
      if unsafe poll(&polled, 1, patience) == 0 { return sent }
    }
    return sent
  }
}
