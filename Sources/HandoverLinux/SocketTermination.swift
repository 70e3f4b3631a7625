import CNetlink
import Glibc
import Synchronization

/// Ends TCP connections of a namespace from outside (SOCK_DESTROY): whoever holds them is told at
/// once that they were aborted.
///
/// It is what a platform does that reports to its applications that a connection is not viable any
/// more; Linux by itself never does.
public final class SocketTermination: Sendable {
  private let socket: Mutex<NetlinkSocket>

  /// Which connections are meant.
  public struct Selection: Hashable, Sendable {
    /// The local address, where it matters.
    public var localAddress: IPAddress?
    /// The local port, where it matters.
    public var localPort: UInt16?

    /// Those with this local address and port.
    public init(localAddress: IPAddress? = nil, localPort: UInt16? = nil) {
      self.localAddress = localAddress
      self.localPort = localPort
    }
  }

  /// Speaks to the kernel about the sockets of a namespace.
  public init(in namespace: NetworkNamespace) throws(LinuxError) {
    socket = Mutex(try namespace.connected(.socketDiagnosis))
  }

  /// Ends connections.
  ///
  /// - Returns: how many were ended.
  /// - Throws: ``LinuxError``; one that ended by itself meanwhile is no error.
  @discardableResult
  public func end(_ selection: Selection) throws(LinuxError) -> Int {
    try socket.withLock { socket throws(LinuxError) in
      var ended = 0
      for family in IPAddress.Family.allCases {
        for found in try unsafe Self.connections(of: family, socket.pointer)
        where selection.includes(found) {
          if try unsafe Self.destroy(found, socket.pointer) { ended += 1 }
        }
      }
      return ended
    }
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

extension SocketTermination.Selection {
  fileprivate func includes(_ connection: inet_diag_msg) -> Bool {
    if let localPort, UInt16(bigEndian: connection.id.idiag_sport) != localPort { return false }
    guard let localAddress else { return true }
    let words = connection.id.idiag_src
    return unsafe withUnsafeBytes(of: words) { bytes in
      unsafe bytes.prefix(localAddress.bytes.count).elementsEqual(localAddress.bytes)
        && Int32(connection.idiag_family) == localAddress.family.number
    }
  }
}
