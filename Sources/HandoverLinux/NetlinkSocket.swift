import CNetlink
import Glibc

/// A socket to the kernel's networking, by libnl.
///
/// It belongs to the namespace of the thread that made it and may be used from any thread
/// afterwards, by one at a time.
@safe struct NetlinkSocket: ~Copyable {
  let pointer: OpaquePointer

  /// Which part of the kernel is spoken to.
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

  /// Connects in the calling thread's namespace.
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

  /// Takes over a socket that ``release()`` gave away.
  init(owning pointer: OpaquePointer) {
    unsafe self.pointer = pointer
  }

  deinit { unsafe nl_socket_free(pointer) }

  /// Gives the socket away; whoever takes it frees it.
  consuming func release() -> OpaquePointer {
    let pointer = unsafe pointer
    discard self
    return unsafe pointer
  }

  var descriptor: Int32 { unsafe nl_socket_get_fd(pointer) }
}

/// An object of libnl that is given back when nobody holds it any more.
@safe struct NetlinkObject: ~Copyable {
  let pointer: OpaquePointer
  private let giveBack: (OpaquePointer) -> Void

  /// Takes over a reference; a null pointer is a lack of memory.
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
  /// The address in an object of libnl; nil where it is of another family or there is none.
  init?(_ object: OpaquePointer?) {
    guard let object = unsafe object, let start = unsafe nl_addr_get_binary_addr(object) else {
      return nil
    }
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(nl_addr_get_len(object)))
    self.init(unsafe [UInt8](bytes))
  }
}

extension NetworkInterface {
  /// What an object of libnl tells of a link.
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
