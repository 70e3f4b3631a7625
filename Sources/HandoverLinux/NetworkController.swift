import CNetlink
import Glibc
import Synchronization

/// Creates and changes the interfaces, addresses, routes and routing rules of a network namespace.
///
/// Each call returns after the kernel has acknowledged the change.
public final class NetworkController: Sendable {
  /// The namespace that the controller changes.
  public let namespace: NetworkNamespace
  private let socket: Mutex<NetlinkSocket>

  /// Creates a controller for a namespace.
  public init(in namespace: NetworkNamespace) throws(LinuxError) {
    self.namespace = namespace
    socket = Mutex(try namespace.connected())
  }

  private func withSocket<Value: Sendable>(
    _ body: (OpaquePointer) throws(LinuxError) -> Value
  ) throws(LinuxError) -> Value {
    try socket.withLock { socket throws(LinuxError) in try unsafe body(socket.pointer) }
  }

  private func failure(_ what: String) -> String { "\(namespace.name): \(what)" }

  // MARK: Links

  /// Returns the interface with a name, or `nil` if there is none.
  public func link(_ name: String) throws(LinuxError) -> NetworkInterface? {
    try link(index: 0, name: name)
  }

  /// Returns the interface with an index, or `nil` if there is none.
  public func link(index: Int32) throws(LinuxError) -> NetworkInterface? {
    try link(index: index, name: nil)
  }

  private func link(index: Int32, name: String?) throws(LinuxError) -> NetworkInterface? {
    try unsafe withSocket { socket throws(LinuxError) in
      var found: OpaquePointer?
      let result = unsafe rtnl_link_get_kernel(socket, index, name, &found)
      if abs(Int(result)) == NLE_OBJ_NOTFOUND || abs(Int(result)) == NLE_NODEV { return nil }
      try checkedNetlink(result, failure("get link \(name ?? "\(index)")"))
      let link = try unsafe NetlinkObject(unsafe found, "rtnl_link_get_kernel") {
        unsafe rtnl_link_put($0)
      }
      return unsafe NetworkInterface(link.pointer)
    }
  }

  private func index(of name: String) throws(LinuxError) -> Int32 {
    guard let link = try link(name) else {
      throw LinuxError(call: failure("get link \(name)"), errno: ENODEV)
    }
    return link.index
  }

  /// Creates a veth pair with one end in this namespace and its peer in another.
  public func addPair(
    _ name: String, peer: String, in other: NetworkNamespace
  ) throws(LinuxError) {
    try unsafe withSocket { socket throws(LinuxError) in
      let link = try unsafe NetlinkObject(unsafe rtnl_link_veth_alloc(), "rtnl_link_veth_alloc") {
        unsafe rtnl_link_veth_release($0)
      }
      // The getter returns a new reference.
      let far = try unsafe NetlinkObject(
        unsafe rtnl_link_veth_get_peer(link.pointer), "rtnl_link_veth_get_peer"
      ) { unsafe rtnl_link_put($0) }
      unsafe rtnl_link_set_name(link.pointer, name)
      unsafe rtnl_link_set_name(far.pointer, peer)
      unsafe rtnl_link_set_ns_fd(far.pointer, other.number)
      let flags = Int32(NLM_F_CREATE | NLM_F_EXCL)
      try checkedNetlink(
        unsafe rtnl_link_add(socket, link.pointer, flags), failure("add pair \(name) \(peer)"))
    }
  }

  /// Removes an interface together with its veth peer.
  public func removeLink(_ name: String) throws(LinuxError) {
    let index = try index(of: name)
    try unsafe withSocket { socket throws(LinuxError) in
      let link = try NetlinkObject.link()
      unsafe rtnl_link_set_ifindex(link.pointer, index)
      try checkedNetlink(
        unsafe rtnl_link_delete(socket, link.pointer), failure("remove link \(name)"))
    }
  }

  /// Sets an interface up or down.
  public func setLink(_ name: String, up isUp: Bool) throws(LinuxError) {
    try unsafe changeLink(name, isUp ? "up" : "down") { change in
      let flag = UInt32(IFF_UP.rawValue)
      if isUp {
        unsafe rtnl_link_set_flags(change, flag)
      } else {
        unsafe rtnl_link_unset_flags(change, flag)
      }
    }
  }

  /// Marks an interface as dormant (waiting for an event such as a login), or as up again.
  ///
  /// The kernel only stores the state; it still forwards packets.
  public func setLink(_ name: String, dormant isDormant: Bool) throws(LinuxError) {
    try unsafe changeLink(name, isDormant ? "dormant" : "not dormant") { change in
      // In link mode 1 user space, not the driver, decides when the interface becomes operational.
      unsafe rtnl_link_set_linkmode(change, isDormant ? 1 : 0)
      let state: NetworkInterface.OperationalState = isDormant ? .dormant : .up
      unsafe rtnl_link_set_operstate(change, state.rawValue)
    }
  }

  private func changeLink(
    _ name: String, _ what: String, _ prepare: (OpaquePointer) -> Void
  ) throws(LinuxError) {
    try unsafe changeLink(index: try index(of: name), "set link \(name) \(what)", unsafe prepare)
  }

  private func changeLink(
    index: Int32, _ what: String, _ prepare: (OpaquePointer) -> Void
  ) throws(LinuxError) {
    try unsafe withSocket { socket throws(LinuxError) in
      let link = try NetlinkObject.link()
      let change = try NetlinkObject.link()
      unsafe rtnl_link_set_ifindex(link.pointer, index)
      unsafe prepare(change.pointer)
      try checkedNetlink(
        unsafe rtnl_link_change(socket, link.pointer, change.pointer, 0), failure(what))
    }
  }

  // MARK: Addresses

  /// Adds an address to an interface.
  public func addAddress(_ network: IPNetwork, to name: String) throws(LinuxError) {
    try unsafe changeAddress(network, name, "add") { unsafe rtnl_addr_add($0, $1, 0) }
  }

  /// Removes an address from an interface.
  public func removeAddress(_ network: IPNetwork, from name: String) throws(LinuxError) {
    try unsafe changeAddress(network, name, "remove") { unsafe rtnl_addr_delete($0, $1, 0) }
  }

  private func changeAddress(
    _ network: IPNetwork, _ name: String, _ what: String,
    _ change: (OpaquePointer, OpaquePointer) -> Int32
  ) throws(LinuxError) {
    let index = try index(of: name)
    try unsafe withSocket { socket throws(LinuxError) in
      let local = try NetlinkObject.address(network)
      let address = try unsafe NetlinkObject(unsafe rtnl_addr_alloc(), "rtnl_addr_alloc") {
        unsafe rtnl_addr_put($0)
      }
      unsafe rtnl_addr_set_ifindex(address.pointer, index)
      try checkedNetlink(
        unsafe rtnl_addr_set_local(address.pointer, local.pointer), "rtnl_addr_set_local")
      // Flag 2 (IFA_F_NODAD) skips duplicate address detection: no other host here has this
      // address.
      if network.address.family == .v6 { unsafe rtnl_addr_set_flags(address.pointer, 2) }
      try checkedNetlink(
        unsafe change(socket, address.pointer), failure("\(what) address \(network) \(name)"))
    }
  }

  // MARK: Routes

  /// The attributes of a route to add or remove.
  public struct RouteSettings: Hashable, Sendable {
    /// How the kernel handles packets that match the route.
    public enum Kind: Hashable, Sendable {
      /// Forwards them.
      case unicast
      /// Drops them silently.
      case blackhole
      /// Drops them and reports to the sender that the host is unreachable.
      case unreachable
      /// Continues with the next routing table. If no table matches, the network is unreachable.
      case passOver
      /// Delivers them to the namespace itself, whatever their address.
      case local

      var number: UInt8 {
        switch self {
        case .unicast: UInt8(RTN_UNICAST)
        case .blackhole: UInt8(RTN_BLACKHOLE)
        case .unreachable: UInt8(RTN_UNREACHABLE)
        case .passOver: UInt8(RTN_THROW)
        case .local: UInt8(RTN_LOCAL)
        }
      }
    }

    /// The destination of the packets.
    public var destination: IPNetwork
    /// How the kernel handles the packets.
    public var kind = Kind.unicast
    /// The interface that sends the packets.
    public var interface: String?
    /// The next hop.
    public var gateway: IPAddress?
    /// The metric; the route with the lowest metric wins, and 0 means the kernel's default.
    public var metric: UInt32 = 0
    /// The routing table, or `nil` for the main table.
    public var table: UInt32?
    /// The source address for packets that do not have one yet.
    public var source: IPAddress?

    /// Creates the settings of a route to a destination.
    public init(
      to destination: IPNetwork, _ kind: Kind = .unicast, by interface: String? = nil,
      via gateway: IPAddress? = nil, metric: UInt32 = 0, table: UInt32? = nil,
      source: IPAddress? = nil
    ) {
      self.destination = destination
      self.kind = kind
      self.interface = interface
      self.gateway = gateway
      self.metric = metric
      self.table = table
      self.source = source
    }
  }

  /// Adds a route; it is an error if the route already exists.
  public func addRoute(_ settings: RouteSettings) throws(LinuxError) {
    try unsafe changeRoute(settings, "add") {
      unsafe rtnl_route_add($0, $1, Int32(NLM_F_CREATE | NLM_F_EXCL))
    }
  }

  /// Atomically replaces the route with the same destination, metric and table, or adds it if there
  /// is none.
  public func setRoute(_ settings: RouteSettings) throws(LinuxError) {
    try unsafe changeRoute(settings, "set") {
      unsafe rtnl_route_add($0, $1, Int32(NLM_F_CREATE | NLM_F_REPLACE))
    }
  }

  /// Removes a route.
  public func removeRoute(_ settings: RouteSettings) throws(LinuxError) {
    try unsafe changeRoute(settings, "remove") { unsafe rtnl_route_delete($0, $1, 0) }
  }

  private func changeRoute(
    _ settings: RouteSettings, _ what: String,
    _ change: (OpaquePointer, OpaquePointer) -> Int32
  ) throws(LinuxError) {
    var index: Int32 = 0
    if let interface = settings.interface { index = try self.index(of: interface) }
    try unsafe withSocket { socket throws(LinuxError) in
      let route = try unsafe NetlinkObject(unsafe rtnl_route_alloc(), "rtnl_route_alloc") {
        unsafe rtnl_route_put($0)
      }
      let destination = try NetlinkObject.address(settings.destination)
      let family = settings.destination.address.family
      unsafe rtnl_route_set_family(route.pointer, UInt8(family.number))
      try checkedNetlink(
        unsafe rtnl_route_set_dst(route.pointer, destination.pointer), "rtnl_route_set_dst")
      try checkedNetlink(
        unsafe rtnl_route_set_type(route.pointer, settings.kind.number), "rtnl_route_set_type")
      if settings.metric != 0 {
        unsafe rtnl_route_set_priority(route.pointer, settings.metric)
      }
      if let table = settings.table { unsafe rtnl_route_set_table(route.pointer, table) }
      if let source = settings.source {
        let source = try NetlinkObject.address(source)
        try checkedNetlink(
          unsafe rtnl_route_set_pref_src(route.pointer, source.pointer), "rtnl_route_set_pref_src")
      }
      if settings.interface != nil || settings.gateway != nil {
        // The route takes ownership of the hop.
        let hop = unsafe rtnl_route_nh_alloc()
        if index != 0 { unsafe rtnl_route_nh_set_ifindex(hop, index) }
        if let gateway = settings.gateway {
          let gateway = try NetlinkObject.address(gateway)
          unsafe rtnl_route_nh_set_gateway(hop, gateway.pointer)
        }
        unsafe rtnl_route_add_nexthop(route.pointer, hop)
      }
      if settings.kind == .unicast, settings.gateway == nil {
        unsafe rtnl_route_set_scope(route.pointer, UInt8(RT_SCOPE_LINK.rawValue))
      }
      if settings.kind == .local {
        unsafe rtnl_route_set_scope(route.pointer, UInt8(RT_SCOPE_HOST.rawValue))
      }
      try checkedNetlink(
        unsafe change(socket, route.pointer), failure("\(what) route \(settings.destination)"))
    }
  }

  /// Returns the route that the kernel would use for a packet now, or `nil` if there is none.
  public func route(to address: IPAddress) throws(LinuxError) -> Route? {
    try Self.consistentRoute(
      nextHop: { () throws(LinuxError) in try nextHop(to: address) },
      link: { (index) throws(LinuxError) in try link(index: index) })
  }

  /// Combines a next hop with its interface.
  ///
  /// The two require two queries. If the network changes between them, the result could combine the
  /// old next hop with an interface that has gone down meanwhile, a state that never existed.
  /// Therefore the next hop is queried again after the interface, and both queries are repeated
  /// until the next hop is unchanged. It is also unchanged if the interface went down and came back
  /// between the two queries. This case is visible because the kernel has no route through an
  /// interface that is down, so the queries are repeated as well.
  package static func consistentRoute(
    nextHop: () throws(LinuxError) -> NextHop?,
    link: (Int32) throws(LinuxError) -> NetworkInterface?
  ) throws(LinuxError) -> Route? {
    var hop = try nextHop()
    var interface: NetworkInterface?
    for _ in 0..<mostReadings {
      guard let read = hop else { return nil }
      interface = try link(read.interface)
      hop = try nextHop()
      if hop == read, interface?.isUp == true { break }
    }
    guard let hop, let interface, interface.index == hop.interface else { return nil }
    return Route(interface: interface, gateway: hop.gateway, source: hop.source)
  }

  /// The maximum number of attempts to read a route that keeps changing.
  package static let mostReadings = 16

  /// The next hop of a packet as the kernel returns it, with its interface as an index.
  package struct NextHop: Equatable {
    /// The index of the interface that sends the packet.
    package var interface: Int32
    /// The address of the next router, or `nil` if the destination is on the interface's network.
    package var gateway: IPAddress?
    /// The source address that the kernel would choose.
    package var source: IPAddress?

    /// Creates a next hop.
    package init(interface: Int32, gateway: IPAddress? = nil, source: IPAddress? = nil) {
      self.interface = interface
      self.gateway = gateway
      self.source = source
    }
  }

  private func nextHop(to address: IPAddress) throws(LinuxError) -> NextHop? {
    try unsafe withSocket { socket throws(LinuxError) -> NextHop? in
      let destination = try NetlinkObject.address(address)
      var answer: OpaquePointer?
      // A failed lookup means that there is no route.
      guard unsafe rtnl_route_lookup(socket, destination.pointer, &answer) >= 0 else { return nil }
      let route = try unsafe NetlinkObject(unsafe answer, "rtnl_route_lookup") {
        unsafe rtnl_route_put($0)
      }
      guard let hop = unsafe rtnl_route_nexthop_n(route.pointer, 0) else { return nil }
      return unsafe NextHop(
        interface: rtnl_route_nh_get_ifindex(hop),
        gateway: IPAddress(rtnl_route_nh_get_gateway(hop)),
        source: IPAddress(rtnl_route_get_pref_src(route.pointer)))
    }
  }

  // MARK: Rules

  /// A routing policy rule: it selects packets and determines how they are routed.
  public struct Rule: Hashable, Sendable {
    /// How the kernel handles the selected packets.
    public enum Action: Hashable, Sendable {
      /// Looks up the route in this routing table.
      case table(UInt32)
      /// Drops them silently.
      case blackhole
    }

    /// The priority; rules are tried in ascending order, and the rule of the main table has 32766.
    public var priority: UInt32
    /// The source network, or `nil` for any source.
    public var source: IPNetwork?
    /// The destination network, or `nil` for any destination.
    public var destination: IPNetwork?
    /// The source port of TCP segments, or `nil` for any port.
    public var sourcePort: UInt16?
    /// Whether the rule matches only if a source port is set.
    ///
    /// A socket has no source port yet during its first route lookup.
    public var hasSourcePort = false
    /// The destination port of TCP segments, or `nil` for any port.
    public var destinationPort: UInt16?
    /// Whether the rule matches only TCP segments even if it names no port.
    public var isForTCP = false
    /// How the kernel handles the selected packets.
    public var action: Action

    /// Creates a rule.
    public init(
      priority: UInt32, from source: IPNetwork? = nil, to destination: IPNetwork? = nil,
      sourcePort: UInt16? = nil, destinationPort: UInt16? = nil, _ action: Action
    ) {
      self.priority = priority
      self.source = source
      self.destination = destination
      self.sourcePort = sourcePort
      self.destinationPort = destinationPort
      self.action = action
    }
  }

  /// Adds a rule.
  public func addRule(_ rule: Rule) throws(LinuxError) {
    try unsafe changeRule(rule, "add") {
      unsafe rtnl_rule_add($0, $1, Int32(NLM_F_CREATE | NLM_F_EXCL))
    }
  }

  /// Removes a rule.
  public func removeRule(_ rule: Rule) throws(LinuxError) {
    try unsafe changeRule(rule, "remove") { unsafe rtnl_rule_delete($0, $1, 0) }
  }

  private func changeRule(
    _ rule: Rule, _ what: String, _ change: (OpaquePointer, OpaquePointer) -> Int32
  ) throws(LinuxError) {
    try unsafe withSocket { socket throws(LinuxError) in
      let object = try unsafe NetlinkObject(unsafe rtnl_rule_alloc(), "rtnl_rule_alloc") {
        unsafe rtnl_rule_put($0)
      }
      let family = (rule.source ?? rule.destination)?.address.family ?? .v4
      unsafe rtnl_rule_set_family(object.pointer, family.number)
      unsafe rtnl_rule_set_prio(object.pointer, rule.priority)
      if let source = rule.source {
        let address = try NetlinkObject.address(source)
        unsafe rtnl_rule_set_src(object.pointer, address.pointer)
      }
      if let destination = rule.destination {
        let address = try NetlinkObject.address(destination)
        unsafe rtnl_rule_set_dst(object.pointer, address.pointer)
      }
      let hasPort = rule.sourcePort != nil || rule.destinationPort != nil || rule.hasSourcePort
      if rule.isForTCP || hasPort {
        unsafe rtnl_rule_set_ipproto(object.pointer, UInt8(IPPROTO_TCP))
      }
      if let port = rule.sourcePort { unsafe rtnl_rule_set_sport(object.pointer, port) }
      if rule.hasSourcePort { unsafe rtnl_rule_set_sport_range(object.pointer, 1, .max - 1) }
      if let port = rule.destinationPort { unsafe rtnl_rule_set_dport(object.pointer, port) }
      switch rule.action {
      case .table(let table):
        unsafe rtnl_rule_set_action(object.pointer, UInt8(FR_ACT_TO_TBL))
        unsafe rtnl_rule_set_table(object.pointer, table)
      case .blackhole:
        unsafe rtnl_rule_set_action(object.pointer, UInt8(FR_ACT_BLACKHOLE))
      }
      try checkedNetlink(
        unsafe change(socket, object.pointer), failure("\(what) rule \(rule.priority)"))
    }
  }
}

extension NetworkNamespace {
  /// Connects a netlink socket in this namespace.
  func connected(_ family: NetlinkSocket.Family = .route) throws(LinuxError) -> NetlinkSocket {
    if identity == Self.currentIdentity { return try NetlinkSocket(family) }
    let bits = try run { () throws(LinuxError) in
      UInt(bitPattern: unsafe try NetlinkSocket(family).release())
    }
    guard let pointer = unsafe OpaquePointer(bitPattern: bits) else {
      preconditionFailure("a socket that was made has an address")
    }
    return unsafe NetlinkSocket(owning: pointer)
  }
}
