import CNetlink
import Glibc
import Synchronization

/// A TCP connection of a namespace, as the kernel reports it.
public struct TCPConnection: Hashable, Sendable {
  /// The local address.
  public var localAddress: IPAddress
  /// The local port.
  public var localPort: UInt16
  /// The address of the peer.
  public var remoteAddress: IPAddress
  /// The port of the peer.
  public var remotePort: UInt16
  /// The inode number of the socket, or 0 if no process has it open.
  public var inode: UInt32
  /// The number of bytes, sent or not, that the peer has not acknowledged.
  public var unacknowledged = 0
  /// The number of times in a row that the kernel has sent a packet again, or a probe.
  public var repetitions = 0
  /// The number of bytes that arrived but were not read yet.
  public var unread = 0
  /// Whether a process has the socket open; the kernel closes other connections by itself.
  public var isHeld: Bool { inode != 0 }
}

/// Lists the TCP connections of a namespace, and aborts them from outside (SOCK_DESTROY).
///
/// The program that owns an aborted connection gets an error immediately. Some platforms abort
/// connections like this when they are no longer viable; Linux never does so by itself.
public final class SocketTermination: Sendable {
  private let socket: Mutex<NetlinkSocket>

  /// Opens a socket for queries about the sockets of a namespace.
  public init(in namespace: NetworkNamespace) throws(LinuxError) {
    socket = Mutex(try NetlinkSocket(.socketDiagnosis, in: namespace))
  }

  /// Returns the current connections, without listening sockets.
  public func connections() throws(LinuxError) -> [TCPConnection] {
    try socket.withLock { socket throws(LinuxError) in
      try Self.found(socket).compactMap(TCPConnection.init)
    }
  }

  /// Aborts the connections that a predicate selects.
  ///
  /// - Returns: The number of aborted connections.
  /// - Throws: ``LinuxError`` if a query fails; a connection that closed by itself meanwhile is not
  ///   an error.
  @discardableResult
  public func end(
    where isSelected: (TCPConnection) -> Bool
  ) throws(LinuxError) -> Int {
    try socket.withLock { socket throws(LinuxError) in
      var ended = 0
      for found in try Self.found(socket) {
        guard let connection = TCPConnection(found), isSelected(connection) else { continue }
        if try Self.destroy(found, socket) { ended += 1 }
      }
      return ended
    }
  }

  private static func found(
    _ socket: borrowing NetlinkSocket
  ) throws(LinuxError) -> [inet_diag_msg] {
    var all: [inet_diag_msg] = []
    for family in IPAddress.Family.allCases {
      var request = inet_diag_req_v2()
      request.sdiag_family = UInt8(family.number)
      request.sdiag_protocol = UInt8(IPPROTO_TCP)
      // All states except LISTEN (10), TIME_WAIT (6) and CLOSE (7).
      request.idiag_states = 0xFFF & ~(1 << 10 | 1 << 6 | 1 << 7)
      all += try socket.dump(request)
    }
    return all
  }

  private static func destroy(
    _ connection: inet_diag_msg, _ socket: borrowing NetlinkSocket
  ) throws(LinuxError) -> Bool {
    var request = inet_diag_req_v2()
    request.sdiag_family = connection.idiag_family
    request.sdiag_protocol = UInt8(IPPROTO_TCP)
    request.id = connection.id
    try checkedNetlink(
      socket.send(request, kind: Int32(SOCK_DESTROY), flags: Int32(NLM_F_ACK)), "SOCK_DESTROY")
    let result = socket.waitForAcknowledgment()
    if abs(Int(result)) == NLE_OBJ_NOTFOUND { return false }
    try checkedNetlink(result, "SOCK_DESTROY")
    return true
  }
}

extension TCPConnection {
  /// Creates a connection from a kernel message, or returns `nil` if the address family is unknown.
  fileprivate init?(_ message: inet_diag_msg) {
    func address(_ words: (UInt32, UInt32, UInt32, UInt32)) -> IPAddress? {
      let isShort = Int32(message.idiag_family) == AF_INET
      let words = isShort ? [words.0] : [words.0, words.1, words.2, words.3]
      let bytes = words.flatMap { word in
        // The words are in network byte order.
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: UInt32(bigEndian: word) >> $0) }
      }
      return IPAddress(bytes)?.unmapped
    }
    guard let local = address(message.id.idiag_src), let remote = address(message.id.idiag_dst)
    else { return nil }
    localAddress = local
    localPort = UInt16(bigEndian: message.id.idiag_sport)
    remoteAddress = remote
    remotePort = UInt16(bigEndian: message.id.idiag_dport)
    // The kernel reports inode 0 for a connection that no process has open.
    inode = message.idiag_inode
    // In these states (FIN_WAIT1, LAST_ACK, CLOSING) the FIN counts as one byte of the queue.
    let isEnding = [4, 9, 11].contains(message.idiag_state)
    unacknowledged = max(0, Int(message.idiag_wqueue) - (isEnding ? 1 : 0))
    repetitions = Int(message.idiag_retrans)
    unread = Int(message.idiag_rqueue)
  }
}
