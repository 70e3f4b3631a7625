import CNetlink
import Glibc

// The only file that calls libnl. Functions that return an `Int32` without a documented meaning
// return a negative error number of libnl on failure.

/// A netlink socket of libnl.
///
/// The socket belongs to the network namespace of the thread that created it. Afterward any thread
/// may use it, but only one at a time.
@safe struct NetlinkSocket: ~Copyable {
  private let pointer: OpaquePointer

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

  /// Connects a socket in a network namespace.
  init(_ family: Family = .route, in namespace: NetworkNamespace) throws(LinuxError) {
    if namespace.identity == NetworkNamespace.currentIdentity {
      try self.init(family)
      return
    }
    // Only values that can be copied leave the thread of the namespace.
    let address = try namespace.run { () throws(LinuxError) in
      try NetlinkSocket(family).release()
    }
    guard let pointer = unsafe OpaquePointer(bitPattern: address) else {
      preconditionFailure("the socket has no address")
    }
    unsafe self.init(owning: pointer)
  }

  private init(owning pointer: OpaquePointer) {
    unsafe self.pointer = unsafe pointer
  }

  deinit { unsafe nl_socket_free(pointer) }

  /// Returns the address and gives up ownership.
  private consuming func release() -> UInt {
    let address = UInt(bitPattern: unsafe pointer)
    discard self
    return address
  }

  var descriptor: Int32 { unsafe nl_socket_get_fd(pointer) }

  /// Returns the text for an error number of libnl.
  static func errorText(_ number: Int32) -> String { unsafe String(cString: nl_geterror(number)) }

  // MARK: Events

  /// Accepts messages that answer no request of this socket.
  func disableSequenceCheck() { unsafe nl_socket_disable_seq_check(pointer) }

  /// Sets the size in bytes of the kernel's buffer for unread messages.
  func setReceiveBufferSize(_ size: Int32) -> Int32 {
    unsafe nl_socket_set_buffer_size(pointer, size, 0)
  }

  /// Subscribes to a group of events.
  func join(_ group: rtnetlink_groups) -> Int32 {
    unsafe nl_socket_add_membership(pointer, Int32(group.rawValue))
  }

  /// Makes the socket non-blocking.
  func setNonBlocking() -> Int32 { unsafe nl_socket_set_nonblocking(pointer) }

  // MARK: Links

  /// Queries an interface by its name, or by its index if `name` is `nil`.
  ///
  /// - Returns: The interface if the result is not negative.
  func find(
    index: Int32, name: String?
  ) throws(LinuxError) -> (result: Int32, interface: NetworkInterface?) {
    var found: OpaquePointer?
    let result = unsafe rtnl_link_get_kernel(pointer, index, name, &found)
    guard result >= 0 else { return (result, nil) }
    let link = try unsafe NetlinkLink(found, "rtnl_link_get_kernel") { unsafe rtnl_link_put($0) }
    return (result, link.interface)
  }

  /// Creates an interface; it is an error if the interface already exists.
  func add(_ link: borrowing NetlinkLink) -> Int32 {
    unsafe rtnl_link_add(pointer, link.object.pointer, Int32(NLM_F_CREATE | NLM_F_EXCL))
  }

  /// Removes an interface.
  func delete(_ link: borrowing NetlinkLink) -> Int32 {
    unsafe rtnl_link_delete(pointer, link.object.pointer)
  }

  /// Applies the attributes of `change` to an interface.
  func change(_ link: borrowing NetlinkLink, to change: borrowing NetlinkLink) -> Int32 {
    unsafe rtnl_link_change(pointer, link.object.pointer, change.object.pointer, 0)
  }

  // MARK: Addresses

  /// Adds an address to its interface.
  func add(_ address: borrowing NetlinkInterfaceAddress) -> Int32 {
    unsafe rtnl_addr_add(pointer, address.object.pointer, 0)
  }

  /// Removes an address from its interface.
  func delete(_ address: borrowing NetlinkInterfaceAddress) -> Int32 {
    unsafe rtnl_addr_delete(pointer, address.object.pointer, 0)
  }

  // MARK: Routes

  /// Adds a route; with `replaces`, an existing route with the same key is replaced.
  func add(_ route: borrowing NetlinkRoute, replaces: Bool = false) -> Int32 {
    let flags = NLM_F_CREATE | (replaces ? NLM_F_REPLACE : NLM_F_EXCL)
    return unsafe rtnl_route_add(pointer, route.object.pointer, Int32(flags))
  }

  /// Removes a route.
  func delete(_ route: borrowing NetlinkRoute) -> Int32 {
    unsafe rtnl_route_delete(pointer, route.object.pointer, 0)
  }

  /// Returns the next hop of a packet to an address, or `nil` if there is no route.
  func nextHop(to address: IPAddress) throws(LinuxError) -> NetworkController.NextHop? {
    let destination = try NetlinkAddress(IPNetwork(address))
    var answer: OpaquePointer?
    // A failed lookup means that there is no route.
    guard unsafe rtnl_route_lookup(pointer, destination.object.pointer, &answer) >= 0 else {
      return nil
    }
    return try unsafe NetlinkRoute(answer, "rtnl_route_lookup").nextHop
  }

  // MARK: Rules

  /// Adds a routing policy rule; it is an error if the rule already exists.
  func add(_ rule: borrowing NetlinkRule) -> Int32 {
    unsafe rtnl_rule_add(pointer, rule.object.pointer, Int32(NLM_F_CREATE | NLM_F_EXCL))
  }

  /// Removes a routing policy rule.
  func delete(_ rule: borrowing NetlinkRule) -> Int32 {
    unsafe rtnl_rule_delete(pointer, rule.object.pointer, 0)
  }

  // MARK: Socket diagnosis

  /// Sends a request about sockets.
  func send(_ request: inet_diag_req_v2, kind: Int32, flags: Int32) -> Int32 {
    var request = request
    return unsafe withUnsafeMutableBytes(of: &request) {
      unsafe nl_send_simple(pointer, kind, flags, $0.baseAddress, $0.count)
    }
  }

  /// Waits until the kernel acknowledges the last request.
  func waitForAcknowledgment() -> Int32 { unsafe nl_wait_for_ack(pointer) }

  private final class Messages {
    var all: [inet_diag_msg] = []
  }

  /// Sends a request about sockets, and returns the messages of the answer.
  ///
  /// - Throws: ``LinuxError`` if the request fails.
  func dump(_ request: inet_diag_req_v2) throws(LinuxError) -> [inet_diag_msg] {
    let messages = Messages()
    let box = unsafe Unmanaged.passUnretained(messages)
    try checkedNetlink(
      unsafe nl_socket_modify_cb(
        pointer, NL_CB_VALID, NL_CB_CUSTOM,
        { message, argument in
          if let argument = unsafe argument, let header = unsafe nlmsg_hdr(message),
            unsafe nlmsg_datalen(header) >= MemoryLayout<inet_diag_msg>.size,
            let start = unsafe nlmsg_data(header)
          {
            let data = unsafe start.loadUnaligned(as: inet_diag_msg.self)
            unsafe Unmanaged<Messages>.fromOpaque(argument).takeUnretainedValue().all.append(data)
          }
          return Int32(NL_OK.rawValue)
        }, box.toOpaque()), "nl_socket_modify_cb")
    defer { _ = unsafe nl_socket_modify_cb(pointer, NL_CB_VALID, NL_CB_DEFAULT, nil, nil) }
    try checkedNetlink(
      send(request, kind: Int32(SOCK_DIAG_BY_FAMILY), flags: Int32(NLM_F_DUMP)),
      "SOCK_DIAG_BY_FAMILY")
    try checkedNetlink(unsafe nl_recvmsgs_default(pointer), "SOCK_DIAG_BY_FAMILY")
    return withExtendedLifetime(messages) { messages.all }
  }
}

/// A reference to a libnl object, which is released with its owner.
@safe private struct NetlinkObject: ~Copyable {
  fileprivate let pointer: OpaquePointer
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
}

/// An interface, or a change to one.
struct NetlinkLink: ~Copyable {
  fileprivate let object: NetlinkObject

  fileprivate init(
    _ pointer: OpaquePointer?, _ call: String, giveBack: @escaping (OpaquePointer) -> Void
  ) throws(LinuxError) {
    object = try unsafe NetlinkObject(pointer, call, giveBack: giveBack)
  }

  /// Creates an interface without attributes, which the kernel does not know yet.
  init() throws(LinuxError) {
    try unsafe self.init(unsafe rtnl_link_alloc(), "rtnl_link_alloc") { unsafe rtnl_link_put($0) }
  }

  /// Creates a veth pair, which the kernel does not know yet.
  static func pair() throws(LinuxError) -> NetlinkLink {
    try unsafe NetlinkLink(unsafe rtnl_link_veth_alloc(), "rtnl_link_veth_alloc") {
      unsafe rtnl_link_veth_release($0)
    }
  }

  /// Returns the peer of an interface that ``pair()`` created.
  func peer() throws(LinuxError) -> NetlinkLink {
    // The getter returns a new reference.
    try unsafe NetlinkLink(
      unsafe rtnl_link_veth_get_peer(object.pointer), "rtnl_link_veth_get_peer"
    ) { unsafe rtnl_link_put($0) }
  }

  func setName(_ name: String) { unsafe rtnl_link_set_name(object.pointer, name) }
  func setIndex(_ index: Int32) { unsafe rtnl_link_set_ifindex(object.pointer, index) }

  /// Sets the network namespace, which a descriptor refers to.
  func setNamespace(_ descriptor: Int32) { unsafe rtnl_link_set_ns_fd(object.pointer, descriptor) }

  /// Sets whether the interface is administratively up.
  func setUp(_ isUp: Bool) {
    let flag = UInt32(IFF_UP.rawValue)
    if isUp {
      unsafe rtnl_link_set_flags(object.pointer, flag)
    } else {
      unsafe rtnl_link_unset_flags(object.pointer, flag)
    }
  }

  /// Sets the link mode: 0, or 1 if user space decides when the interface becomes operational.
  func setLinkMode(_ mode: UInt8) { unsafe rtnl_link_set_linkmode(object.pointer, mode) }

  func setOperationalState(_ state: NetworkInterface.OperationalState) {
    unsafe rtnl_link_set_operstate(object.pointer, state.rawValue)
  }

  /// The attributes.
  var interface: NetworkInterface {
    let link = unsafe object.pointer
    let flags = unsafe rtnl_link_get_flags(link)
    return unsafe NetworkInterface(
      index: rtnl_link_get_ifindex(link),
      name: rtnl_link_get_name(link).map { unsafe String(cString: $0) } ?? "",
      kind: rtnl_link_get_type(link).map { unsafe String(cString: $0) },
      hardwareType: rtnl_link_get_arptype(link),
      isUp: flags & UInt32(IFF_UP.rawValue) != 0,
      hasCarrier: flags & UInt32(IFF_LOWER_UP.rawValue) != 0,
      operationalState: .init(rawValue: rtnl_link_get_operstate(link)) ?? .unknown)
  }
}

/// An IP address with a prefix length.
struct NetlinkAddress: ~Copyable {
  fileprivate let object: NetlinkObject

  init(_ network: IPNetwork) throws(LinuxError) {
    let bytes = network.address.bytes
    object = try unsafe NetlinkObject(
      unsafe nl_addr_build(network.address.family.number, bytes, bytes.count), "nl_addr_build"
    ) { unsafe nl_addr_put($0) }
    unsafe nl_addr_set_prefixlen(object.pointer, Int32(network.prefixLength))
  }
}

extension IPAddress {
  /// Reads an address of libnl, or returns `nil` if there is none or it has another family.
  fileprivate init?(_ object: OpaquePointer?) {
    guard let object = unsafe object, let start = unsafe nl_addr_get_binary_addr(object) else {
      return nil
    }
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(nl_addr_get_len(object)))
    self.init(unsafe [UInt8](bytes))
  }
}

/// An address of an interface.
struct NetlinkInterfaceAddress: ~Copyable {
  fileprivate let object: NetlinkObject

  init() throws(LinuxError) {
    object = try unsafe NetlinkObject(unsafe rtnl_addr_alloc(), "rtnl_addr_alloc") {
      unsafe rtnl_addr_put($0)
    }
  }

  func setInterface(_ index: Int32) { unsafe rtnl_addr_set_ifindex(object.pointer, index) }

  func setLocal(_ address: borrowing NetlinkAddress) -> Int32 {
    unsafe rtnl_addr_set_local(object.pointer, address.object.pointer)
  }

  /// Sets the flags (`IFA_F_…`).
  func setFlags(_ flags: UInt32) { unsafe rtnl_addr_set_flags(object.pointer, flags) }
}

/// A route.
struct NetlinkRoute: ~Copyable {
  fileprivate let object: NetlinkObject

  fileprivate init(_ pointer: OpaquePointer?, _ call: String) throws(LinuxError) {
    object = try unsafe NetlinkObject(pointer, call) { unsafe rtnl_route_put($0) }
  }

  init() throws(LinuxError) {
    try unsafe self.init(unsafe rtnl_route_alloc(), "rtnl_route_alloc")
  }

  func setFamily(_ family: IPAddress.Family) {
    unsafe rtnl_route_set_family(object.pointer, UInt8(family.number))
  }
  func setDestination(_ address: borrowing NetlinkAddress) -> Int32 {
    unsafe rtnl_route_set_dst(object.pointer, address.object.pointer)
  }
  func setType(_ type: UInt8) -> Int32 { unsafe rtnl_route_set_type(object.pointer, type) }
  func setMetric(_ metric: UInt32) { unsafe rtnl_route_set_priority(object.pointer, metric) }
  func setTable(_ table: UInt32) { unsafe rtnl_route_set_table(object.pointer, table) }
  func setSource(_ address: borrowing NetlinkAddress) -> Int32 {
    unsafe rtnl_route_set_pref_src(object.pointer, address.object.pointer)
  }
  func setScope(_ scope: rt_scope_t) {
    unsafe rtnl_route_set_scope(object.pointer, UInt8(scope.rawValue))
  }

  /// Adds a next hop, with an interface unless the index is 0, and with a gateway if there is one.
  func addNextHop(interface index: Int32, gateway: IPAddress?) throws(LinuxError) {
    // The route takes ownership of the hop.
    let hop = unsafe rtnl_route_nh_alloc()
    if index != 0 { unsafe rtnl_route_nh_set_ifindex(hop, index) }
    if let gateway {
      let gateway = try NetlinkAddress(IPNetwork(gateway))
      unsafe rtnl_route_nh_set_gateway(hop, gateway.object.pointer)
    }
    unsafe rtnl_route_add_nexthop(object.pointer, hop)
  }

  /// The first next hop, or `nil` if there is none.
  fileprivate var nextHop: NetworkController.NextHop? {
    guard let hop = unsafe rtnl_route_nexthop_n(object.pointer, 0) else { return nil }
    return unsafe NetworkController.NextHop(
      interface: rtnl_route_nh_get_ifindex(hop),
      gateway: IPAddress(rtnl_route_nh_get_gateway(hop)),
      source: IPAddress(rtnl_route_get_pref_src(object.pointer)))
  }
}

/// A routing policy rule.
struct NetlinkRule: ~Copyable {
  fileprivate let object: NetlinkObject

  init() throws(LinuxError) {
    object = try unsafe NetlinkObject(unsafe rtnl_rule_alloc(), "rtnl_rule_alloc") {
      unsafe rtnl_rule_put($0)
    }
  }

  func setFamily(_ family: IPAddress.Family) {
    unsafe rtnl_rule_set_family(object.pointer, family.number)
  }
  func setPriority(_ priority: UInt32) { unsafe rtnl_rule_set_prio(object.pointer, priority) }
  func setSource(_ address: borrowing NetlinkAddress) {
    unsafe rtnl_rule_set_src(object.pointer, address.object.pointer)
  }
  func setDestination(_ address: borrowing NetlinkAddress) {
    unsafe rtnl_rule_set_dst(object.pointer, address.object.pointer)
  }

  /// Sets the IP protocol (`IPPROTO_…`).
  func setProtocol(_ number: UInt8) { unsafe rtnl_rule_set_ipproto(object.pointer, number) }
  func setSourcePort(_ port: UInt16) { unsafe rtnl_rule_set_sport(object.pointer, port) }
  func setSourcePorts(_ ports: ClosedRange<UInt16>) {
    unsafe rtnl_rule_set_sport_range(object.pointer, ports.lowerBound, ports.upperBound)
  }
  func setDestinationPort(_ port: UInt16) { unsafe rtnl_rule_set_dport(object.pointer, port) }

  /// Sets the action (`FR_ACT_…`).
  func setAction(_ action: UInt8) { unsafe rtnl_rule_set_action(object.pointer, action) }
  func setTable(_ table: UInt32) { unsafe rtnl_rule_set_table(object.pointer, table) }
}
