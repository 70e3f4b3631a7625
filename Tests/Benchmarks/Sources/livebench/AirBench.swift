import Glibc
import HandoverBackend
import HandoverCore
import HandoverLab
import HandoverLinux

/// Measures how many packets per second one core carries through the link emulator, and how long an
/// echo takes through it.
struct AirBench {
  /// The UDP payload of an IP packet of 1,500 bytes.
  private static let payload = 1_472
  private static let burst = 32
  private static let port: UInt16 = 9_999

  private let lab: DeviceLab
  private let server: LiveAddress

  init() throws {
    var script = Script(beginning: .wifi, hostCount: 1)
    script.move(.wifi)
    lab = try DeviceLab(LivePlan(script))
    server = LiveAddress(lab.address(of: 0).address, port: Self.port)
    // Packets of at most 1,500 bytes, so that the emulator forwards each one separately instead of
    // as a part of a larger segment.
    var conditions = LinkConditions()
    conditions.quality.mtu = 1_500
    lab.setConditions(conditions, of: .wifi)
  }

  func run(echoes: Int, seconds: Int) throws {
    let server = server
    let far = try lab.servers.run { () throws(LinuxError) in try Datagrams(boundTo: server) }
    let near = try lab.device.run { () throws(LinuxError) in try Datagrams(boundTo: nil) }
    try near.connect(to: server)
    var times = Times()
    for _ in 0..<echoes { times.append(try Self.echo(near, far)) }
    print(times.line("air-echo"))
    let rate = try flood(near, far, for: Int64(seconds) * 1_000_000)
    print("air-packets per_core_second \(rate.perCore) per_second \(rate.perSecond)")
  }

  private static func echo(_ near: Datagrams, _ far: Datagrams) throws -> Int64 {
    let begin = monotonicMicroseconds()
    near.send(count: 32)
    guard let from = far.receive(within: 1_000_000) else { throw Failed("an echo was lost") }
    far.answer(from)
    guard near.receive(within: 1_000_000) != nil else { throw Failed("an echo was lost") }
    return monotonicMicroseconds() - begin
  }

  /// Sends as fast as possible, with a bounded number of packets in flight so that no buffer
  /// overflows.
  private func flood(
    _ near: Datagrams, _ far: Datagrams, for length: Int64
  ) throws -> (perCore: Int64, perSecond: Int64) {
    let (begin, before) = (monotonicMicroseconds(), try Self.airTime())
    var received: Int64 = 0
    while monotonicMicroseconds() - begin < length {
      for _ in 0..<Self.burst { near.send(count: Self.payload) }
      for _ in 0..<Self.burst where far.receive(within: 100_000) != nil { received += 1 }
    }
    let (wall, used) = (monotonicMicroseconds() - begin, try Self.airTime() - before)
    guard received > 0, used > 0 else { throw Failed("no packet passed the link emulator") }
    return (received * 1_000_000_000 / used, received * 1_000_000 / wall)
  }

  /// Returns the CPU time of the link emulator's thread, in nanoseconds.
  private static func airTime() throws -> Int64 {
    guard let directory = opendir("/proc/self/task") else { throw Failed("no /proc/self/task") }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard try text("/proc/self/task/\(name)/comm") == "lab-air\n" else { continue }
      let words = try text("/proc/self/task/\(name)/schedstat").split(separator: " ")
      if let first = words.first, let time = Int64(first) { return time }
    }
    throw Failed("the link emulator has no thread")
  }

  private static func text(_ path: String) throws -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var room = [UInt8](repeating: 0, count: 256)
    let count = fread(&room, 1, room.count, file)
    return String(decoding: room[..<count], as: UTF8.self)
  }
}

/// A UDP socket.
private final class Datagrams: Sendable {
  private let socket: Descriptor

  init(boundTo address: LiveAddress?) throws(LinuxError) {
    let number = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    guard number >= 0 else { throw LinuxError(call: "socket", errno: errno) }
    socket = Descriptor(owning: number)
    var room: Int32 = 4 << 20
    setsockopt(number, SOL_SOCKET, SO_RCVBUF, &room, 4)
    guard let address else { return }
    let result = Self.with(address) { Glibc.bind(number, $0, $1) }
    guard result == 0 else { throw LinuxError(call: "bind", errno: errno) }
  }

  func connect(to address: LiveAddress) throws(LinuxError) {
    let result = Self.with(address) { Glibc.connect(socket.number, $0, $1) }
    guard result == 0 else { throw LinuxError(call: "connect", errno: errno) }
  }

  private static func with(
    _ address: LiveAddress, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var position = sockaddr_in()
    position.sin_family = sa_family_t(AF_INET)
    position.sin_port = address.port.bigEndian
    inet_pton(AF_INET, address.address, &position.sin_addr)
    return withUnsafePointer(to: position) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  func send(count: Int) {
    withUnsafeTemporaryAllocation(byteCount: count, alignment: 8) { room in
      room.initializeMemory(as: UInt8.self, repeating: 0)
      _ = Glibc.send(socket.number, room.baseAddress, count, 0)
    }
  }

  /// Receives a datagram and returns its source address, or `nil` if none arrives in time.
  func receive(within microseconds: Int64) -> sockaddr_in? {
    guard (try? waitReadable([socket.number], atMost: microseconds)) == [true] else { return nil }
    var (from, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
    var room = [UInt8](repeating: 0, count: 2_048)
    let count = withUnsafeMutablePointer(to: &from) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        recvfrom(socket.number, &room, room.count, 0, $0, &size)
      }
    }
    return count >= 0 ? from : nil
  }

  func answer(_ to: sockaddr_in) {
    let bytes = [UInt8](repeating: 0, count: 32)
    _ = withUnsafePointer(to: to) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(socket.number, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
