import CNetlink
import Glibc

/// A netlink socket of libnl.
///
/// The socket belongs to the network namespace of the thread that created it. Afterward any thread
/// may use it, but only one at a time.
@safe struct NetlinkSocket: ~Copyable {
  let pointer: OpaquePointer

  /// The kernel subsystem that the socket talks to.
  enum Family {
    case route
    case socketDiagnosis

    var number: Int32 {
      switch self {
      case .route: NETLINK_ROUTE
      case .socketDiagnosis: NETLINK_SOCK_DIAG
      }
    }
  }

  /// Connects a socket in the network namespace of the calling thread.
  init(_ family: Family = .route) throws(LinuxError) {
    guard let pointer = unsafe nl_socket_alloc() else {
      throw LinuxError(call: "nl_socket_alloc", errno: ENOMEM)
    }
    let result = unsafe nl_connect(pointer, family.number)
    guard result >= 0 else {
      unsafe nl_socket_free(pointer)
      throw LinuxError(call: "nl_connect", netlink: result)
    }
    unsafe self.pointer = pointer
  }

  /// Takes ownership of a socket that ``release()`` returned.
  init(owning pointer: OpaquePointer) {
    unsafe self.pointer = pointer
  }

  deinit { unsafe nl_socket_free(pointer) }

  /// Returns the pointer and gives up ownership; the caller must free the socket.
  consuming func release() -> OpaquePointer {
    let pointer = unsafe pointer
    discard self
    return unsafe pointer
  }

  var descriptor: Int32 { unsafe nl_socket_get_fd(pointer) }
}

/// A reference to a libnl object, which is released with its owner.
@safe struct NetlinkObject: ~Copyable {
  let pointer: OpaquePointer
  private let giveBack: (OpaquePointer) -> Void

  /// Takes ownership of a reference; a null pointer means that libnl ran out of memory.
  init(
    _ pointer: OpaquePointer?, _ call: String, giveBack: @escaping (OpaquePointer) -> Void
  ) throws(LinuxError) {
    guard let pointer = unsafe pointer else { throw LinuxError(call: call, errno: ENOMEM) }
    unsafe self.pointer = pointer
    unsafe self.giveBack = unsafe giveBack
  }

  deinit { unsafe giveBack(pointer) }

  static func link() throws(LinuxError) -> NetlinkObject {
    try unsafe NetlinkObject(unsafe rtnl_link_alloc(), "rtnl_link_alloc") {
      unsafe rtnl_link_put($0)
    }
  }

  static func address(_ address: IPAddress) throws(LinuxError) -> NetlinkObject {
    try Self.address(IPNetwork(address))
  }

  static func address(_ network: IPNetwork) throws(LinuxError) -> NetlinkObject {
    let bytes = network.address.bytes
    let object = try unsafe NetlinkObject(
      unsafe nl_addr_build(network.address.family.number, bytes, bytes.count), "nl_addr_build"
    ) { unsafe nl_addr_put($0) }
    unsafe nl_addr_set_prefixlen(object.pointer, Int32(network.prefixLength))
    return object
  }
}

extension IPAddress {
  /// Reads the address of a libnl object, or returns `nil` if there is none or it has another
  /// family.
  init?(_ object: OpaquePointer?) {
    guard let object = unsafe object, let start = unsafe nl_addr_get_binary_addr(object) else {
      return nil
    }
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(nl_addr_get_len(object)))
    self.init(unsafe [UInt8](bytes))
  }
}

extension NetworkInterface {
  /// Reads the attributes of a libnl link object.
  init(_ link: OpaquePointer) {
    let flags = unsafe rtnl_link_get_flags(link)
    unsafe self.init(
      index: rtnl_link_get_ifindex(link),
      name: rtnl_link_get_name(link).map { unsafe String(cString: $0) } ?? "",
      kind: rtnl_link_get_type(link).map { unsafe String(cString: $0) },
      hardwareType: rtnl_link_get_arptype(link),
      isUp: flags & UInt32(IFF_UP.rawValue) != 0,
      hasCarrier: flags & UInt32(IFF_LOWER_UP.rawValue) != 0,
      operationalState: OperationalState(rawValue: rtnl_link_get_operstate(link)) ?? .unknown)
  }
}
