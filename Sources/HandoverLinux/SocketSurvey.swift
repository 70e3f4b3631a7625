import CLinux
import Glibc

/// What a program asked of the kernel for a connection of TCP, read from outside.
public struct KernelSocketOptions: Hashable, Sendable {
  /// The file number of the socket, as ``TCPConnection/inode`` has it.
  public var inode: UInt32
  /// TCP_USER_TIMEOUT in milliseconds; 0 where it is not set.
  public var userTimeout: Int32
  /// Whether SO_KEEPALIVE is set.
  public var isKeptAlive: Bool
  /// TCP_KEEPIDLE in seconds.
  public var keepaliveIdle: Int32
  /// TCP_KEEPINTVL in seconds.
  public var keepaliveInterval: Int32
  /// TCP_KEEPCNT.
  public var keepaliveCount: Int32

  /// The options of sockets that processes in a namespace have open.
  ///
  /// What cannot be looked at is left out: a process of another user, or one that has just ended.
  ///
  /// - Throws: ``LinuxError`` where there is no /proc.
  public static func find(
    _ inodes: [UInt32], in namespace: NetworkNamespace
  ) throws(LinuxError) -> [KernelSocketOptions] {
    guard !inodes.isEmpty else { return [] }
    var found = inodes.map { inode in
      var options = handover_socket_options()
      options.inode = inode
      return options
    }
    try checked(
      unsafe handover_find_socket_options(namespace.number, &found, Int32(found.count)),
      "opendir(/proc)")
    return found.filter { $0.is_known != 0 }.map {
      KernelSocketOptions(
        inode: $0.inode, userTimeout: $0.user_timeout, isKeptAlive: $0.keepalive != 0,
        keepaliveIdle: $0.keepalive_idle, keepaliveInterval: $0.keepalive_interval,
        keepaliveCount: $0.keepalive_count)
    }
  }
}

extension NetworkNamespace {
  /// How many processes live here, as far as /proc shows them.
  public func processCount() throws(LinuxError) -> Int {
    let count = handover_count_processes(number)
    try checked(count, "opendir(/proc)")
    return Int(count)
  }

  /// The ports of TCP that somebody listens on here, and those of UDP that are bound, each once.
  ///
  /// Those that can be reached from another host come with `true`; the others are bound to the
  /// loopback interface.
  public func listeningPorts() throws(LinuxError) -> [UInt16: Bool] {
    try listeningPorts(["tcp", "tcp6", "udp", "udp6"])
  }

  /// The ports of TCP on which somebody listens for IPv4 only.
  public func portsWithoutIPv6() throws(LinuxError) -> [UInt16] {
    let both = try listeningPorts(["tcp6"]).keys
    return try listeningPorts(["tcp"]).keys.filter { !both.contains($0) }.sorted()
  }

  private func listeningPorts(_ names: [String]) throws(LinuxError) -> [UInt16: Bool] {
    let tables = try run { () throws(LinuxError) in
      var tables: [(name: String, text: String)] = []
      for name in names {
        // A kernel without IPv6 has no such table.
        if let text = try? readText("/proc/thread-self/net/\(name)") { tables.append((name, text)) }
      }
      return tables
    }
    var ports: [UInt16: Bool] = [:]
    for table in tables {
      for line in table.text.split(separator: "\n").dropFirst() {
        let words = line.split(separator: " ")
        // LISTEN of TCP, and what UDP says of a socket without a far end.
        guard words.count > 3, words[3] == (table.name.hasPrefix("tcp") ? "0A" : "07") else {
          continue
        }
        let place = words[1].split(separator: ":")
        guard place.count == 2, let port = UInt16(place[1], radix: 16) else { continue }
        let isLoopback = place[0].hasSuffix("0100007F") || place[0].hasSuffix("01000000")
        ports[port] = ports[port] == true || !isLoopback
      }
    }
    return ports
  }
}

/// All of a file whose length nobody knows before, as those of /proc are.
public func readText(_ path: String) throws(LinuxError) -> String {
  let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard number >= 0 else { throw LinuxError(call: "open(\(path))", errno: errno) }
  let file = Descriptor(owning: number)
  var text: [UInt8] = []
  var room = [UInt8](repeating: 0, count: 16_384)
  while true {
    let length = unsafe read(file.number, &room, room.count)
    guard length >= 0 else { throw LinuxError(call: "read(\(path))", errno: errno) }
    guard length > 0 else { return String(decoding: text, as: UTF8.self) }
    text += room[..<length]
  }
}
