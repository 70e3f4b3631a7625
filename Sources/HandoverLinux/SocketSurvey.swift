import CLinux
import Glibc

/// The TCP options that a program has set on a socket, read from outside the program.
public struct KernelSocketOptions: Hashable, Sendable {
  /// The inode number of the socket, as in ``TCPConnection/inode``.
  public var inode: UInt32
  /// TCP_USER_TIMEOUT in milliseconds, or 0 if it is not set.
  public var userTimeout: Int32
  /// Whether SO_KEEPALIVE is set.
  public var isKeptAlive: Bool
  /// TCP_KEEPIDLE in seconds.
  public var keepaliveIdle: Int32
  /// TCP_KEEPINTVL in seconds.
  public var keepaliveInterval: Int32
  /// TCP_KEEPCNT.
  public var keepaliveCount: Int32

  /// Returns the options of sockets that processes in a namespace have open.
  ///
  /// Sockets that cannot be inspected are omitted, for example those of another user's process or
  /// of a process that has just ended.
  ///
  /// - Throws: ``LinuxError`` if /proc is not available.
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
      SystemSocket.findOptions(&found, in: namespace.number), "opendir(/proc)")
    return found.filter { $0.is_known != 0 }.map {
      KernelSocketOptions(
        inode: $0.inode, userTimeout: $0.user_timeout, isKeptAlive: $0.keepalive != 0,
        keepaliveIdle: $0.keepalive_idle, keepaliveInterval: $0.keepalive_interval,
        keepaliveCount: $0.keepalive_count)
    }
  }
}

extension NetworkNamespace {
  /// Returns the number of processes in the namespace that are visible in /proc.
  public func processCount() throws(LinuxError) -> Int {
    let count = handover_count_processes(number)
    try checked(count, "opendir(/proc)")
    return Int(count)
  }

  /// Returns the listening TCP ports and the bound UDP ports of the namespace.
  ///
  /// The value is `true` if other hosts can reach the port, and `false` if it is bound only to the
  /// loopback interface.
  public func listeningPorts() throws(LinuxError) -> [UInt16: Bool] {
    try listeningPorts(["tcp", "tcp6", "udp", "udp6"])
  }

  /// Returns the TCP ports that are open for IPv4 only.
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
        // 0A is the state LISTEN of TCP, and 07 marks a UDP socket without a peer.
        guard words.count > 3, words[3] == (table.name.hasPrefix("tcp") ? "0A" : "07") else {
          continue
        }
        let position = words[1].split(separator: ":")
        guard position.count == 2, let port = UInt16(position[1], radix: 16) else { continue }
        let isLoopback = position[0].hasSuffix("0100007F") || position[0].hasSuffix("01000000")
        ports[port] = ports[port] == true || !isLoopback
      }
    }
    return ports
  }
}

/// Reads a file whose size is not known in advance, such as a file in /proc.
public func readText(_ path: String) throws(LinuxError) -> String {
  let number = SystemFile.open(path, O_RDONLY)
  guard number >= 0 else { throw LinuxError(call: "open(\(path))", errno: errno) }
  let file = Descriptor(owning: number)
  guard let text = SystemFile.text(of: file.number) else {
    throw LinuxError(call: "read(\(path))", errno: errno)
  }
  return text
}
