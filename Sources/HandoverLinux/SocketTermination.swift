import CNetlink
import Glibc
import Synchronization

/// A TCP connection of a namespace, as the kernel shows it.
public struct TCPConnection: Hashable, Sendable {
  /// The local address.
  public var localAddress: IPAddress
  /// The local port.
  public var localPort: UInt16
  /// The address of the far end.
  public var remoteAddress: IPAddress
  /// The port of the far end.
  public var remotePort: UInt16
  /// The number of its file; 0 where no process has it open.
  public var inode: UInt32
  /// How many bytes were written to it and are not acknowledged by the far end, sent or not.
  public var unacknowledged = 0
  /// How many bytes arrived and were not read.
  public var unread = 0
  /// Whether a process still has it open; the kernel ends the others by itself.
  public var isHeld: Bool { inode != 0 }
}

/// Sees the TCP connections of a namespace, and ends them from outside (SOCK_DESTROY): whoever
/// holds one that was ended is told at once that it was aborted.
///
/// It is what a platform does that reports to its applications that a connection is not viable any
/// more; Linux by itself never does.
public final class SocketTermination: Sendable {
  private let socket: Mutex<NetlinkSocket>

  /// Speaks to the kernel about the sockets of a namespace.
  public init(in namespace: NetworkNamespace) throws(LinuxError) {
    socket = Mutex(try namespace.connected(.socketDiagnosis))
  }

  /// The connections there are; sockets that listen are none.
  public func connections() throws(LinuxError) -> [TCPConnection] {
    try socket.withLock { socket throws(LinuxError) in
      try unsafe Self.found(socket.pointer).compactMap(TCPConnection.init)
    }
  }

  /// Ends the connections that are selected.
  ///
  /// - Returns: how many were ended.
  /// - Throws: ``LinuxError``; one that ended by itself meanwhile is no error.
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
    // All but LISTEN (10), TIME_WAIT (6) and CLOSE (7).
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
  /// What the kernel tells; nil where it is of no family we know.
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
    // The kernel names no file for a connection that nobody has open.
    inode = message.idiag_inode
    // The end of what is sent counts as a byte of the queue, in these states.
    let isEnding = [4, 9, 11].contains(message.idiag_state)
    unacknowledged = max(0, Int(message.idiag_wqueue) - (isEnding ? 1 : 0))
    unread = Int(message.idiag_rqueue)
  }
}
