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
    socket = Mutex(try NetlinkSocket(in: namespace))
  }

  private func withSocket<Value: Sendable>(
    _ body: (borrowing NetlinkSocket) throws(LinuxError) -> Value
  ) throws(LinuxError) -> Value {
    try socket.withLock { socket throws(LinuxError) in try body(socket) }
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
    try withSocket { socket throws(LinuxError) in
      let (result, interface) = try socket.find(index: index, name: name)
      if abs(Int(result)) == NLE_OBJ_NOTFOUND || abs(Int(result)) == NLE_NODEV { return nil }
      try checkedNetlink(result, failure("get link \(name ?? "\(index)")"))
      return interface
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
    try withSocket { socket throws(LinuxError) in
      let link = try NetlinkLink.pair()
      let far = try link.peer()
      link.setName(name)
      far.setName(peer)
      far.setNamespace(other.number)
      try checkedNetlink(socket.add(link), failure("add pair \(name) \(peer)"))
    }
  }

  /// Removes an interface together with its veth peer.
  public func removeLink(_ name: String) throws(LinuxError) {
    let index = try index(of: name)
    try withSocket { socket throws(LinuxError) in
      let link = try NetlinkLink()
      link.setIndex(index)
      try checkedNetlink(socket.delete(link), failure("remove link \(name)"))
    }
  }

  /// Sets an interface up or down.
  public func setLink(_ name: String, up isUp: Bool) throws(LinuxError) {
    try changeLink(name, isUp ? "up" : "down") { change in change.setUp(isUp) }
  }

  /// Marks an interface as dormant (waiting for an event such as a login), or as up again.
  ///
  /// The kernel only stores the state; it still forwards packets.
  public func setLink(_ name: String, dormant isDormant: Bool) throws(LinuxError) {
    try changeLink(name, isDormant ? "dormant" : "not dormant") { change in
      // In link mode 1 user space, not the driver, decides when the interface becomes operational.
      change.setLinkMode(isDormant ? 1 : 0)
      change.setOperationalState(isDormant ? .dormant : .up)
    }
  }

  private func changeLink(
    _ name: String, _ what: String, _ prepare: (borrowing NetlinkLink) -> Void
  ) throws(LinuxError) {
    try changeLink(index: try index(of: name), "set link \(name) \(what)", prepare)
  }

  private func changeLink(
    index: Int32, _ what: String, _ prepare: (borrowing NetlinkLink) -> Void
  ) throws(LinuxError) {
    try withSocket { socket throws(LinuxError) in
      let link = try NetlinkLink()
      let change = try NetlinkLink()
      link.setIndex(index)
      prepare(change)
      try checkedNetlink(socket.change(link, to: change), failure(what))
    }
  }

  // MARK: Addresses

  /// Adds an address to an interface.
  public func addAddress(_ network: IPNetwork, to name: String) throws(LinuxError) {
    try changeAddress(network, name, "add") { socket, address in socket.add(address) }
  }

  /// Removes an address from an interface.
  public func removeAddress(_ network: IPNetwork, from name: String) throws(LinuxError) {
    try changeAddress(network, name, "remove") { socket, address in socket.delete(address) }
  }

  private func changeAddress(
    _ network: IPNetwork, _ name: String, _ what: String,
    _ change: (borrowing NetlinkSocket, borrowing NetlinkInterfaceAddress) -> Int32
  ) throws(LinuxError) {
    let index = try index(of: name)
    try withSocket { socket throws(LinuxError) in
      let local = try NetlinkAddress(network)
      let address = try NetlinkInterfaceAddress()
      address.setInterface(index)
      try checkedNetlink(address.setLocal(local), "rtnl_addr_set_local")
      // Flag 2 (IFA_F_NODAD) skips duplicate address detection: no other host here has this
      // address.
      if network.address.family == .v6 { address.setFlags(2) }
      try checkedNetlink(
        change(socket, address), failure("\(what) address \(network) \(name)"))
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
      case continueWithNextTable
      /// Delivers them to the namespace itself, whatever their address.
      case local

      var number: UInt8 {
        switch self {
        case .unicast: UInt8(RTN_UNICAST)
        case .blackhole: UInt8(RTN_BLACKHOLE)
        case .unreachable: UInt8(RTN_UNREACHABLE)
        case .continueWithNextTable: UInt8(RTN_THROW)
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
    try changeRoute(settings, "add") { socket, route in socket.add(route) }
  }

  /// Atomically replaces the route with the same destination, metric and table, or adds it if there
  /// is none.
  public func setRoute(_ settings: RouteSettings) throws(LinuxError) {
    try changeRoute(settings, "set") { socket, route in socket.add(route, replaces: true) }
  }

  /// Removes a route.
  public func removeRoute(_ settings: RouteSettings) throws(LinuxError) {
    try changeRoute(settings, "remove") { socket, route in socket.delete(route) }
  }

  private func changeRoute(
    _ settings: RouteSettings, _ what: String,
    _ change: (borrowing NetlinkSocket, borrowing NetlinkRoute) -> Int32
  ) throws(LinuxError) {
    var index: Int32 = 0
    if let interface = settings.interface { index = try self.index(of: interface) }
    try withSocket { socket throws(LinuxError) in
      let route = try NetlinkRoute()
      route.setFamily(settings.destination.address.family)
      try checkedNetlink(
        route.setDestination(try NetlinkAddress(settings.destination)), "rtnl_route_set_dst")
      try checkedNetlink(route.setType(settings.kind.number), "rtnl_route_set_type")
      if settings.metric != 0 { route.setMetric(settings.metric) }
      if let table = settings.table { route.setTable(table) }
      if let source = settings.source {
        try checkedNetlink(
          route.setSource(try NetlinkAddress(IPNetwork(source))), "rtnl_route_set_pref_src")
      }
      if settings.interface != nil || settings.gateway != nil {
        try route.addNextHop(interface: index, gateway: settings.gateway)
      }
      if settings.kind == .unicast, settings.gateway == nil { route.setScope(RT_SCOPE_LINK) }
      if settings.kind == .local { route.setScope(RT_SCOPE_HOST) }
      try checkedNetlink(
        change(socket, route), failure("\(what) route \(settings.destination)"))
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
    try withSocket { socket throws(LinuxError) in try socket.nextHop(to: address) }
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
    try changeRule(rule, "add") { socket, rule in socket.add(rule) }
  }

  /// Removes a rule.
  public func removeRule(_ rule: Rule) throws(LinuxError) {
    try changeRule(rule, "remove") { socket, rule in socket.delete(rule) }
  }

  private func changeRule(
    _ rule: Rule, _ what: String,
    _ change: (borrowing NetlinkSocket, borrowing NetlinkRule) -> Int32
  ) throws(LinuxError) {
    try withSocket { socket throws(LinuxError) in
      let object = try NetlinkRule()
      object.setFamily((rule.source ?? rule.destination)?.address.family ?? .v4)
      object.setPriority(rule.priority)
      if let source = rule.source { object.setSource(try NetlinkAddress(source)) }
      if let destination = rule.destination {
        object.setDestination(try NetlinkAddress(destination))
      }
      let hasPort = rule.sourcePort != nil || rule.destinationPort != nil || rule.hasSourcePort
      if rule.isForTCP || hasPort { object.setProtocol(UInt8(IPPROTO_TCP)) }
      if let port = rule.sourcePort { object.setSourcePort(port) }
      if rule.hasSourcePort { object.setSourcePorts(1...(.max - 1)) }
      if let port = rule.destinationPort { object.setDestinationPort(port) }
      switch rule.action {
      case .table(let table):
        object.setAction(UInt8(FR_ACT_TO_TBL))
        object.setTable(table)
      case .blackhole:
        object.setAction(UInt8(FR_ACT_BLACKHOLE))
      }
      try checkedNetlink(
        change(socket, object), failure("\(what) rule \(rule.priority)"))
    }
  }
}
