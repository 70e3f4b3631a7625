import CLinux

/// What a program asked of the kernel for a connection of TCP, read from outside.
public struct KernelSocketOptions: Hashable, Sendable {
  /// The file number of the socket, as ``TCPConnection/inode`` has it.
  public var inode: UInt32
  /// TCP_USER_TIMEOUT in milliseconds; 0 where it is not set.
  public var userTimeout: Int32
  /// Whether SO_KEEPALIVE is set.
  public var isKeptAlive: Bool
  /// TCP_KEEPIDLE and TCP_KEEPINTVL in seconds, and TCP_KEEPCNT.
  public var keepaliveIdle: Int32
  public var keepaliveInterval: Int32
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
