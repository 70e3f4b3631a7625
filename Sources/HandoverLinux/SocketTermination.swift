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
    socket = Mutex(try namespace.connected(.socketDiagnosis))
  }

  /// Returns the current connections, without listening sockets.
  public func connections() throws(LinuxError) -> [TCPConnection] {
    try socket.withLock { socket throws(LinuxError) in
      try unsafe Self.found(socket.pointer).compactMap(TCPConnection.init)
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
      for found in try unsafe Self.found(socket.pointer) {
        guard let connection = TCPConnection(found), isSelected(connection) else { continue }
        if try unsafe Self.destroy(found, socket.pointer) { ended += 1 }
      }
      return ended
    }
  }

  private static func found(_ socket: OpaquePointer) throws(LinuxError) -> [inet_diag_msg] {
    var all: [inet_diag_msg] = []
    for family in IPAddress.Family.allCases {
      all += try unsafe connections(of: family, socket)
    }
    return all
  }

  private final class Found {
    var messages: [inet_diag_msg] = []
  }

  private static func connections(
    of family: IPAddress.Family, _ socket: OpaquePointer
  ) throws(LinuxError) -> [inet_diag_msg] {
    let found = Found()
    let box = unsafe Unmanaged.passUnretained(found)
    try checkedNetlink(
      unsafe nl_socket_modify_cb(
        socket, NL_CB_VALID, NL_CB_CUSTOM,
        { message, argument in
          if let argument = unsafe argument, let header = unsafe nlmsg_hdr(message),
            unsafe nlmsg_datalen(header) >= MemoryLayout<inet_diag_msg>.size,
            let start = unsafe nlmsg_data(header)
          {
            let data = unsafe start.loadUnaligned(as: inet_diag_msg.self)
            unsafe Unmanaged<Found>.fromOpaque(argument).takeUnretainedValue().messages.append(data)
          }
          return Int32(NL_OK.rawValue)
        }, box.toOpaque()), "nl_socket_modify_cb")
    defer { _ = unsafe nl_socket_modify_cb(socket, NL_CB_VALID, NL_CB_DEFAULT, nil, nil) }
    var request = inet_diag_req_v2()
    request.sdiag_family = UInt8(family.number)
    request.sdiag_protocol = UInt8(IPPROTO_TCP)
    // All states except LISTEN (10), TIME_WAIT (6) and CLOSE (7).
    request.idiag_states = 0xFFF & ~(1 << 10 | 1 << 6 | 1 << 7)
    let sent = unsafe withUnsafeMutableBytes(of: &request) {
      unsafe nl_send_simple(
        socket, Int32(SOCK_DIAG_BY_FAMILY), Int32(NLM_F_DUMP), $0.baseAddress, $0.count)
    }
    try checkedNetlink(sent, "SOCK_DIAG_BY_FAMILY")
    try checkedNetlink(unsafe nl_recvmsgs_default(socket), "SOCK_DIAG_BY_FAMILY")
    return withExtendedLifetime(found) { found.messages }
  }

  private static func destroy(
    _ connection: inet_diag_msg, _ socket: OpaquePointer
  ) throws(LinuxError) -> Bool {
    var request = inet_diag_req_v2()
    request.sdiag_family = connection.idiag_family
    request.sdiag_protocol = UInt8(IPPROTO_TCP)
    request.id = connection.id
    let sent = unsafe withUnsafeMutableBytes(of: &request) {
      unsafe nl_send_simple(socket, Int32(SOCK_DESTROY), Int32(NLM_F_ACK), $0.baseAddress, $0.count)
    }
    try checkedNetlink(sent, "SOCK_DESTROY")
    let result = unsafe nl_wait_for_ack(socket)
    if abs(Int(result)) == NLE_OBJ_NOTFOUND { return false }
    try checkedNetlink(result, "SOCK_DESTROY")
    return true
  }
}

extension TCPConnection {
  /// Creates a connection from a kernel message, or returns `nil` if the address family is unknown.
  fileprivate init?(_ message: inet_diag_msg) {
    func address(_ words: (UInt32, UInt32, UInt32, UInt32)) -> IPAddress? {
      unsafe withUnsafeBytes(of: words) { bytes in
        let length = Int32(message.idiag_family) == AF_INET ? 4 : 16
        return unsafe IPAddress([UInt8](bytes.prefix(length)))?.unmapped
      }
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
