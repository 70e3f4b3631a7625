import CNetlink
import Glibc
import Synchronization

/// Notifies about changes to the interfaces, addresses, routes or rules of a namespace.
///
/// An event carries no details, and the kernel silently removes the routes of an interface that
/// goes down. Events alone therefore do not describe the new state, and the reader must query it
/// again. If events were lost because the buffer was full, the reader must query as well; this is
/// not an error.
public final class NetworkEvents: Sendable {
  private let socket: Mutex<NetlinkSocket>
  /// The descriptor that becomes readable when events are waiting.
  public let descriptor: Int32

  /// The size in bytes of the kernel's buffer for unread events.
  private static let bufferByteCount: Int32 = 1 << 20

  /// A summary of the events that were waiting.
  public struct Summary: Hashable, Sendable {
    /// The number of events.
    public var count = 0
    /// Whether events were lost because the reader was too slow.
    public var wereLost = false
  }

  /// Subscribes to changes in a namespace that happen after this call.
  public init(in namespace: NetworkNamespace) throws(LinuxError) {
    let socket = try NetlinkSocket(in: namespace)
    // Events carry no sequence number of a request.
    socket.disableSequenceCheck()
    try checkedNetlink(
      socket.setReceiveBufferSize(Self.bufferByteCount), "nl_socket_set_buffer_size")
    for group in [
      RTNLGRP_LINK, RTNLGRP_IPV4_IFADDR, RTNLGRP_IPV4_ROUTE, RTNLGRP_IPV4_RULE,
      RTNLGRP_IPV6_IFADDR, RTNLGRP_IPV6_ROUTE, RTNLGRP_IPV6_RULE,
    ] {
      try checkedNetlink(
        socket.join(group), "nl_socket_add_membership(\(group.rawValue))")
    }
    try checkedNetlink(socket.setNonBlocking(), "nl_socket_set_nonblocking")
    descriptor = socket.descriptor
    self.socket = Mutex(socket)
  }

  /// Reads all waiting events.
  ///
  /// - Throws: ``LinuxError`` if the socket fails; lost events are not an error.
  public func drain() throws(LinuxError) -> Summary {
    try socket.withLock { socket throws(LinuxError) in
      var drained = Summary()
      // The buffer fits the largest batch that the kernel sends.
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = SystemSocket.receive(from: socket.descriptor, into: &buffer)
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
