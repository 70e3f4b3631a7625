import CNetlink
import Glibc
import Synchronization

/// Tells that something about a namespace's interfaces, addresses or routes has changed.
///
/// It does not tell what: the kernel drops routes of an interface that goes down without a word, so
/// whoever wants to know looks afresh. Events that were lost for lack of room are one more reason
/// to look, and no error.
public final class NetworkEvents: Sendable {
  private let socket: Mutex<NetlinkSocket>
  /// The descriptor that can be read once there is something.
  public let descriptor: Int32

  /// How many bytes of events the kernel may keep for a reader that is slow.
  public static let room: Int32 = 1 << 20

  /// What was waiting to be read.
  public struct Drained: Hashable, Sendable {
    /// How many events there were.
    public var count = 0
    /// Whether some were lost because the reader was too slow.
    public var wereLost = false
  }

  /// Listens in a namespace; changes that come after this are told.
  public init(in namespace: NetworkNamespace) throws(LinuxError) {
    let socket = try namespace.connected()
    // Events bear no number of any request.
    unsafe nl_socket_disable_seq_check(socket.pointer)
    try checkedNetlink(
      unsafe nl_socket_set_buffer_size(socket.pointer, Self.room, 0), "nl_socket_set_buffer_size")
    for group in [
      RTNLGRP_LINK, RTNLGRP_IPV4_IFADDR, RTNLGRP_IPV4_ROUTE, RTNLGRP_IPV4_RULE,
      RTNLGRP_IPV6_IFADDR, RTNLGRP_IPV6_ROUTE, RTNLGRP_IPV6_RULE,
    ] {
      try checkedNetlink(
        unsafe nl_socket_add_membership(socket.pointer, Int32(group.rawValue)),
        "nl_socket_add_membership(\(group.rawValue))")
    }
    try checkedNetlink(
      unsafe nl_socket_set_nonblocking(socket.pointer), "nl_socket_set_nonblocking")
    descriptor = socket.descriptor
    self.socket = Mutex(socket)
  }

  /// Reads everything that waits.
  ///
  /// - Throws: ``LinuxError`` where the socket is broken; never for events that were lost.
  public func drain() throws(LinuxError) -> Drained {
    try socket.withLock { socket throws(LinuxError) in
      var drained = Drained()
      // Room for the largest batch the kernel sends at once.
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = unsafe recv(socket.descriptor, &buffer, buffer.count, 0)
        if count > 0 {
          drained.count += 1
          continue
        }
        switch count < 0 ? errno : 0 {
        case EAGAIN, 0: return drained
        case EINTR: continue
        case ENOBUFS: drained.wereLost = true
        case let number: throw LinuxError(call: "recv(netlink)", errno: number)
        }
      }
    }
  }
}
