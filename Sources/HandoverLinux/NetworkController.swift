import CNetlink
import Glibc
import Synchronization

/// Makes and changes the interfaces, addresses, routes and rules of a namespace.
///
/// Every call has happened when it comes back: the kernel has acknowledged it.
public final class NetworkController: Sendable {
  /// The namespace that is changed.
  public let namespace: NetworkNamespace
  private let socket: Mutex<NetlinkSocket>

  /// Makes a controller of a namespace.
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

  /// An interface by its name; nil where there is none.
  public func link(_ name: String) throws(LinuxError) -> NetworkInterface? {
    try link(index: 0, name: name)
  }

  /// An interface by its number; nil where there is none.
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

  /// Makes a pair of interfaces that are each other's far end: one in this namespace, its peer in
  /// another.
  public func addPair(
    _ name: String, peer: String, in other: NetworkNamespace
  ) throws(LinuxError) {
    try unsafe withSocket { socket throws(LinuxError) in
      let link = try unsafe NetlinkObject(unsafe rtnl_link_veth_alloc(), "rtnl_link_veth_alloc") {
        unsafe rtnl_link_veth_release($0)
      }
      // The getter takes a reference of its own.
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

  /// Takes an interface away, and with it its far end.
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

  /// Lets an interface wait for an event before it can carry traffic, or wait no longer.
  ///
  /// The kernel only marks it; packets still pass.
  public func setLink(_ name: String, dormant isDormant: Bool) throws(LinuxError) {
    try unsafe changeLink(name, isDormant ? "dormant" : "not dormant") { change in
      // The link mode decides who may say that the interface is up.
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

  /// Gives an interface an address.
  public func addAddress(_ network: IPNetwork, to name: String) throws(LinuxError) {
    try unsafe changeAddress(network, name, "add") { unsafe rtnl_addr_add($0, $1, 0) }
  }

  /// Takes an address away from an interface.
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
      // Nobody else can have the address in here, so nobody need be asked first.
      if network.address.family == .v6 { unsafe rtnl_addr_set_flags(address.pointer, 2) }
      try checkedNetlink(
        unsafe change(socket, address.pointer), failure("\(what) address \(network) \(name)"))
    }
  }

  // MARK: Routes

  /// A route as it is added or removed.
  public struct RouteSettings: Hashable, Sendable {
    /// What becomes of packets that take the route.
    public enum Kind: Hashable, Sendable {
      /// They are sent on.
      case unicast
      /// They vanish without a word.
      case blackhole
      /// The sender is told that the host cannot be reached.
      case unreachable
      /// The table knows nothing of them: where no other does, the network is unreachable.
      case passOver
      /// They are the namespace's own, whatever their address.
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

    /// Where the packets go to.
    public var destination: IPNetwork
    /// What becomes of them.
    public var kind = Kind.unicast
    /// The interface they leave by.
    public var interface: String?
    /// The next hop.
    public var gateway: IPAddress?
    /// The lowest metric wins; 0 is the kernel's default.
    public var metric: UInt32 = 0
    /// The routing table; nil is the main one.
    public var table: UInt32?
    /// The source address of packets that have none yet.
    public var source: IPAddress?

    /// A route to a destination.
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

  /// Adds a route; one that is there already is an error.
  public func addRoute(_ settings: RouteSettings) throws(LinuxError) {
    try unsafe changeRoute(settings, "add") {
      unsafe rtnl_route_add($0, $1, Int32(NLM_F_CREATE | NLM_F_EXCL))
    }
  }

  /// Puts a route in the place of the one with the same destination, metric and table, at one
  /// stroke; adds it where there is none.
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
        // The route takes the hop over.
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

  /// The way to an address, as the kernel would send a packet now; nil where there is none.
  ///
  /// The way and its interface are two questions. A device that moves in between would show the way
  /// that it has left with an interface that is down, as it never was; so the way is asked for once
  /// more, and where it is another one, both are.
  public func route(to address: IPAddress) throws(LinuxError) -> Route? {
    var way = try way(to: address)
    var link: NetworkInterface?
    for _ in 0..<Self.mostReadings {
      guard let read = way else { return nil }
      link = try self.link(index: read.interface)
      way = try self.way(to: address)
      if way == read { break }
    }
    guard let way, let link, link.index == way.interface else { return nil }
    return Route(interface: link, gateway: way.gateway, source: way.source)
  }

  /// How often a way is read that is another one each time.
  private static let mostReadings = 16

  /// A way as the kernel tells it, its interface by number.
  private struct Way: Equatable {
    var interface: Int32
    var gateway: IPAddress?
    var source: IPAddress?
  }

  private func way(to address: IPAddress) throws(LinuxError) -> Way? {
    try unsafe withSocket { socket throws(LinuxError) -> Way? in
      let destination = try NetlinkObject.address(address)
      var answer: OpaquePointer?
      // A failure is an answer here: there is no way.
      guard unsafe rtnl_route_lookup(socket, destination.pointer, &answer) >= 0 else { return nil }
      let route = try unsafe NetlinkObject(unsafe answer, "rtnl_route_lookup") {
        unsafe rtnl_route_put($0)
      }
      guard let hop = unsafe rtnl_route_nexthop_n(route.pointer, 0) else { return nil }
      return unsafe Way(
        interface: rtnl_route_nh_get_ifindex(hop),
        gateway: IPAddress(rtnl_route_nh_get_gateway(hop)),
        source: IPAddress(rtnl_route_get_pref_src(route.pointer)))
    }
  }

  // MARK: Rules

  /// A rule that picks packets and says what looks after them.
  public struct Rule: Hashable, Sendable {
    /// What becomes of the packets that are picked.
    public enum Action: Hashable, Sendable {
      /// A routing table decides.
      case table(UInt32)
      /// They vanish without a word.
      case blackhole
    }

    /// Rules are tried in this order, the lowest first; the main table has 32766.
    public var priority: UInt32
    /// The source, where it matters.
    public var source: IPNetwork?
    /// The destination, where it matters.
    public var destination: IPNetwork?
    /// The source port of TCP segments, where it matters.
    public var sourcePort: UInt16?
    /// Whether the source port is one at all: a socket has none yet where its way is looked for
    /// first.
    public var hasSourcePort = false
    /// The destination port of TCP segments, where it matters.
    public var destinationPort: UInt16?
    /// Whether it is for segments of TCP alone, although no port matters.
    public var isForTCP = false
    /// What becomes of them.
    public var action: Action

    /// A rule.
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
  /// A socket that belongs to the namespace.
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
